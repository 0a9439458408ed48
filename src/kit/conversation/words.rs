//! What the conversation says to people: in Chinese, then in English, since it does not know the reader.

/// Another tab has the session.
pub(super) const READ_ONLY: &str = "这个对话正在另一个标签页中打开，这里只能查看。This conversation is open in another tab; here it can only be read.";
/// The session takes nothing more.
pub(super) const TERMINATED: &str =
    "这个对话已经结束，请新建一个。This conversation has ended; begin a new one.";
/// An attempt was not answered in time.
pub(super) const SILENT: &str = "服务没有响应。The service does not answer.";
/// A stream ended without an error.
pub(super) const ENDED: &str = "连接已断开。The connection ended.";
