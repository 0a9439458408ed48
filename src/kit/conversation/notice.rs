//! What the element tells the page, and how it stands.

use crate::protocol::{EventId, SessionId};

/// What the element tells the page, as events (K7 and DESIGN's further events).
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// `praxis.tool.change` with status `start`.
    ToolStart {
        /// The call's id.
        id: EventId,
        /// The tool's name.
        name: String,
    },
    /// `praxis.tool.change` with status `end`: the service has accepted our result.
    ToolEnd {
        /// The call's id.
        id: EventId,
        /// The tool's name.
        name: String,
        /// Whether the result is an error.
        is_error: bool,
    },
    /// `praxis.log`.
    Log {
        /// How serious.
        level: LogLevel,
        /// For people.
        message: String,
        /// For programs.
        data: Option<serde_json::Value>,
    },
    /// The conversation has got its session.
    SessionMade(SessionId),
    /// The first opening is over: `praxis.ready`.
    Opened,
    /// `praxis.response.start`.
    ResponseStart,
    /// `praxis.response.end`.
    ResponseEnd,
    /// `praxis.error`.
    Error {
        /// For people.
        message: String,
    },
}

/// How serious a `praxis.log` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogLevel {
    /// For the curious.
    Info,
    /// Something was left out or is misused.
    Warn,
    /// Something was lost.
    Error,
}

/// `status` of the element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// Nothing goes on.
    #[default]
    Idle,
    /// From a message to its turn's real end.
    Running,
    /// From a failed opening or turn until the next success.
    Error,
}
