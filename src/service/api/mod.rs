//! What a service accepts, and how it pages what it has: the rules of WIRE.md that do not depend on a
//! session's state. Both drivers, in the page and behind HTTP, apply them before a session sees anything.

mod events;
mod pages;

pub use events::{
    Caller, MAX_BODY_BYTES, MAX_NESTING, MAX_RESULT_BYTES, check_body, check_events, parse_events,
};
pub use pages::{
    event_cursor, event_page, limit, read_event_cursor, read_session_cursor, session_cursor, session_page,
    unknown_cursor,
};

use crate::protocol::json_place::{Place, PlaceError};
use crate::protocol::{AgentDefinition, ApiError, ErrorKind, SessionId};

impl From<PlaceError> for ApiError {
    fn from(error: PlaceError) -> Self {
        Self::new(ErrorKind::InvalidRequestError, error.to_string())
    }
}

/// 400: what stands at `path` is wrong.
pub(super) fn invalid(path: &str, problem: &str) -> ApiError {
    ApiError::new(ErrorKind::InvalidRequestError, [path, ": ", problem].concat())
}

/// 400: an event that only the service may write.
pub(super) fn not_for_clients(index: usize) -> ApiError {
    invalid(&format!("events[{index}].type"), "only the service writes events of this type")
}

/// 404: no such session, or not this caller's.
#[must_use]
pub fn no_such_session(id: &SessionId) -> ApiError {
    ApiError::new(ErrorKind::NotFoundError, format!("there is no session {:?}", id.as_str()))
}

/// The agent's name that the body of `POST /v1/sessions` asks for. An empty body asks for none.
///
/// # Errors
/// 400 for a body that is not as WIRE.md says.
pub fn parse_new_session(body: &[u8]) -> Result<Option<String>, ApiError> {
    if body.trim_ascii().is_empty() {
        return Ok(None);
    }
    let body = events::parse_json(body)?;
    let body = Place::root("", &body);
    body.object().or(Err(invalid("body", "must be an object")))?;
    if let Some(metadata) = body.present("metadata") {
        metadata.object()?;
    }
    match body.present("agent").map(|agent| agent.object().map(|_| agent)).transpose()? {
        Some(agent) if agent.member("name").value.is_some() => {
            Ok(Some(agent.member("name").text()?.to_owned()))
        }
        _ => Ok(None),
    }
}

/// Whether a session may be made with the agent of this name; with the service's only agent where none is asked for.
///
/// # Errors
/// 404 for a name that the service does not know.
pub fn check_agent(asked: Option<&str>, agent: &AgentDefinition) -> Result<(), ApiError> {
    match asked {
        Some(name) if name != agent.name => {
            Err(ApiError::new(ErrorKind::NotFoundError, format!("there is no agent {name:?}")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
