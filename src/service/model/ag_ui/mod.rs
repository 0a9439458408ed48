//! AG-UI 1.0: an agent behind HTTP that runs its own loop and calls the page's tools.
//!
//! One request is one run. [`request`] writes the conversation as a `RunAgentInput`; [`Decoder`] reads the events
//! that come back. A call of one of the page's tools ends the run, and its result starts the next. What only this
//! protocol has and the session's events do not show (the agent's state, its messages with its own tools' calls, what
//! it waits for) is [kept](super::ModelOutput::Kept) with the response and goes back with the next request.
//!
//! Nothing here knows HTTP or the session's events, and the time is what it is given.

mod decoder;
mod interrupt;
mod patch;
mod request;
mod run_messages;

pub use decoder::Decoder;
pub use request::request;

use super::http;

/// How to reach an AG-UI agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The agent's address, to which each run is posted.
    pub url: String,
    /// Headers of each request, as a key.
    pub headers: http::Headers,
}

/// The names that the kept members have.
mod kept {
    /// The agent's state after the run.
    pub use crate::service::model::STATE;
    /// The run's messages, as the agent wrote them.
    pub const MESSAGES: &str = "messages";
    /// The ids of the calls that were left to the page, in the order in which the session has them.
    pub const CALLS: &str = "calls";
    /// What the run was interrupted for.
    pub const INTERRUPTS: &str = "interrupts";
}

#[cfg(test)]
mod tests;
