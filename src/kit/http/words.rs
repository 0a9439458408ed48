//! What is said to people of the network: in Chinese, then in English, since it is not known here who reads.

/// A request got no answer.
pub(super) const UNREACHABLE: &str = "连不上服务。The service cannot be reached.";
/// An answer or a stream broke off.
pub(super) const BROKE: &str = "连接中断。The connection broke.";
/// A session's id that no service has given out.
pub(super) const NO_SUCH_SESSION: &str = "没有这个对话。There is no such conversation.";
/// `getToken` threw something that says nothing.
pub(super) const NO_TOKEN: &str = "没有拿到访问凭证。The page got no access token.";
