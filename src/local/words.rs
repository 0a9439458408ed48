//! What the local service says to people: of an answer and of what cannot be stored in the language of their message, of
//! all else in Chinese, then in English, since it does not know the reader.

use crate::protocol::tutor_script::Language;
use crate::protocol::{ApiError, ErrorKind};

/// The agent's name where the options give none.
pub(super) const AGENT: &str = "tutor";

/// A model's server gave no answer. The browser does not tell the page why.
pub(super) fn model_unreachable(language: Language) -> &'static str {
    match language {
        Language::Chinese => "连不上模型服务：它没有在运行，地址不对，或者它不允许这个页面访问（CORS）。",
        Language::English => {
            "The model's server cannot be reached: it is not running, its address is wrong, or it does not let this page use it (CORS)."
        }
    }
}

/// A model's answer broke off.
pub(super) fn model_broke(language: Language) -> &'static str {
    match language {
        Language::Chinese => "模型的回答中断了。",
        Language::English => "The model's answer broke off.",
    }
}

/// The session's lock is another tab's.
pub(super) fn open_elsewhere() -> ApiError {
    ApiError::new(
        ErrorKind::PermissionError,
        "这个对话正在另一个标签页中打开，这里只能查看。This conversation is open in another tab; here it can only be read.",
    )
}

/// The browser's storage takes no more.
pub(super) fn storage_full(language: Language) -> String {
    match language {
        Language::Chinese => "浏览器的存储空间已满，没有保存。请删除旧的对话后再试。",
        Language::English => {
            "The browser's storage is full, so nothing was saved: delete old conversations and try again."
        }
    }
    .to_owned()
}

/// Another tab wrote to the session, though this one had it open.
pub(super) fn written_elsewhere() -> ApiError {
    ApiError::new(
        ErrorKind::ConflictError,
        "另一个标签页写入了这个对话。请重新打开它。Another tab has written to this conversation: open it again.",
    )
}
