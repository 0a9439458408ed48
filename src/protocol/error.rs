//! How a service says no: a status and `{"type":"error","error":{"type":…,"message":…}}`.

use serde::{Deserialize, Serialize};

/// The `error.type` of an error answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// 400, 413: the request itself is wrong.
    InvalidRequestError,
    /// 401: no token, or one that is not accepted.
    AuthenticationError,
    /// 403: this caller may not do this (K19).
    PermissionError,
    /// 404: no such session, or not this caller's.
    NotFoundError,
    /// 409: it contradicts what is stored.
    ConflictError,
    /// 429: later.
    RateLimitError,
    /// 5xx, and whatever kind is not known here.
    #[serde(other)]
    ApiError,
}

impl ErrorKind {
    /// The HTTP status that this kind of error answers with.
    #[must_use]
    pub fn status(self) -> u16 {
        match self {
            Self::InvalidRequestError => 400,
            Self::AuthenticationError => 401,
            Self::PermissionError => 403,
            Self::NotFoundError => 404,
            Self::ConflictError => 409,
            Self::RateLimitError => 429,
            Self::ApiError => 500,
        }
    }
}

/// A refused request: what the body's `error` member holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// What kind of error it is.
    #[serde(rename = "type")]
    pub kind: ErrorKind,
    /// What is wrong and what was expected, for people.
    pub message: String,
}

impl ApiError {
    /// An error of `kind` that says `message`.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}
