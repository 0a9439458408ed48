//! How a service says no: a status and `{"type":"error","error":{"type":…,"message":…}}`.

use serde_json::Value;

use super::JsonObject;
use super::json_place::{Place, PlaceError, serde_by_value};

/// The `error.type` of an error answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    ApiError,
}

impl ErrorKind {
    const ALL: [(Self, &'static str, u16); 7] = [
        (Self::InvalidRequestError, "invalid_request_error", 400),
        (Self::AuthenticationError, "authentication_error", 401),
        (Self::PermissionError, "permission_error", 403),
        (Self::NotFoundError, "not_found_error", 404),
        (Self::ConflictError, "conflict_error", 409),
        (Self::RateLimitError, "rate_limit_error", 429),
        (Self::ApiError, "api_error", 500),
    ];

    /// The HTTP status that this kind of error answers with.
    #[must_use]
    pub fn status(self) -> u16 {
        Self::ALL.iter().find(|(kind, ..)| *kind == self).map_or(500, |(_, _, status)| *status)
    }

    /// The kind that an answer with this status is of, where its body does not say.
    #[must_use]
    pub fn of_status(status: u16) -> Self {
        let known = Self::ALL.iter().find(|(_, _, of_kind)| *of_kind == status).map(|(kind, ..)| *kind);
        let other = if status < 500 { Self::InvalidRequestError } else { Self::ApiError };
        known.unwrap_or(other)
    }

    /// The kind as it travels.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(kind, ..)| *kind == self).map_or("", |(_, name, _)| name)
    }

    fn from_name(name: &str) -> Self {
        Self::ALL.iter().find(|(_, of_kind, _)| *of_kind == name).map_or(Self::ApiError, |(kind, ..)| *kind)
    }
}

/// A refused request: what the body's `error` member holds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// What kind of error it is.
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

    /// Reads what an error answer's `error` member holds.
    ///
    /// # Errors
    /// [`PlaceError`] for a member that is missing or no string.
    pub fn from_json(value: &Value) -> Result<Self, PlaceError> {
        let error = Place::root("error", value);
        let message = error.member("message").text()?;
        Ok(Self::new(ErrorKind::from_name(error.member("type").text()?), message))
    }

    /// The error as it travels.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let members = [("type", self.kind.name()), ("message", &self.message)];
        members
            .map(|(name, text)| (name.to_owned(), Value::from(text)))
            .into_iter()
            .collect::<JsonObject>()
            .into()
    }
}

serde_by_value!(Serialize for ApiError);
serde_by_value!(Deserialize for ApiError);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_error_round_trips_and_a_kind_that_is_not_known_is_an_api_error() {
        for (kind, name, status) in ErrorKind::ALL {
            let json = json!({ "type": name, "message": "m" });
            assert_eq!(ApiError::from_json(&json), Ok(ApiError::new(kind, "m")));
            assert_eq!(ApiError::new(kind, "m").to_json(), json);
            assert_eq!((kind.status(), ErrorKind::of_status(status)), (status, kind));
        }
        let later = ApiError::from_json(&json!({ "type": "overloaded_error", "message": "m" }));
        assert_eq!(later, Ok(ApiError::new(ErrorKind::ApiError, "m")));
        assert_eq!(ErrorKind::of_status(413), ErrorKind::InvalidRequestError);
        assert_eq!(ErrorKind::of_status(503), ErrorKind::ApiError);
    }
}
