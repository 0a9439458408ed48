//! What an answer means: JSON where it is a yes, an error that says why where it is a no.

use std::fmt::Display;

use serde_json::Value;

use crate::kit::backend::BackendError;
use crate::protocol::{ApiError, ErrorKind};

/// The JSON of a 2xx answer. `place` names the request in an error.
pub(super) fn json(place: &str, text: &str) -> Result<Value, BackendError> {
    serde_json::from_str(text).map_err(|error| {
        if text.trim_start().starts_with('<') {
            malformed(place, &"expected JSON, got a page: is api.url the address of an agent service?")
        } else {
            malformed(place, &error)
        }
    })
}

/// An answer that is not what WIRE.md says.
pub(super) fn malformed(place: &str, problem: &dyn Display) -> BackendError {
    BackendError::Malformed([place, ": ", &problem.to_string()].concat())
}

/// An answer that is no yes: what the service said, or that something else answered in its place.
pub(super) fn refusal(status: u16, text: &str) -> BackendError {
    let said = serde_json::from_str::<Value>(text).ok();
    let said = said.as_ref().and_then(|body| body.get("error")).map(ApiError::from_json);
    let error = match said {
        Some(Ok(error)) => error,
        _ => ApiError::new(ErrorKind::of_status(status), ["HTTP ", &status.to_string()].concat()),
    };
    BackendError::Refused { status, error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_the_service_said() {
        let body = r#"{"type":"error","error":{"type":"conflict_error","message":"answered already"}}"#;
        let error = ApiError::new(ErrorKind::ConflictError, "answered already");
        assert_eq!(refusal(409, body), BackendError::Refused { status: 409, error });
    }

    #[test]
    fn a_refusal_of_something_else_is_named_by_its_status() {
        for body in ["<html>Bad gateway</html>", "", r#"{"error":"overloaded"}"#, r#"{"error":{"type":7}}"#] {
            let error = ApiError::new(ErrorKind::ApiError, "HTTP 502");
            assert_eq!(refusal(502, body), BackendError::Refused { status: 502, error }, "{body}");
        }
    }

    #[test]
    fn what_is_no_json_is_said_to_be_none() {
        let said = |text| json("GET /v1/sessions", text).unwrap_err().to_string();
        assert_eq!(
            said("<!doctype html>"),
            "GET /v1/sessions: expected JSON, got a page: is api.url the address of an agent service?"
        );
        assert_eq!(said(r#"{"data":["#), "GET /v1/sessions: EOF while parsing a list at line 1 column 9");
    }
}
