//! A call as a handler gets it, and what the handler gives back.

use crate::protocol::{EventId, JsonObject};

/// A call of a client tool, as a handler gets it (K3).
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The call's id.
    pub id: EventId,
    /// The tool's name.
    pub name: String,
    /// The arguments.
    pub input: JsonObject,
}

/// What a handler gave back, as text (K4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolOutcome {
    /// The result's or the error's text.
    pub text: String,
    /// Whether it is an error.
    pub is_error: bool,
}
