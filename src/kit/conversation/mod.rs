//! One session as the page sees it: a state machine without I/O.
//!
//! It owns order, retries, back-off, silence and claims (K20–K24, WIRE.md). In: [`Input`]s and a clock
//! reading. Out: [`Effect`]s. It must not know the browser, the element, the backend's protocol or a clock.

mod effect;
mod input;
mod notice;
mod tool_call;

use std::rc::Rc;

pub use effect::Effect;
pub use input::{AskId, AttemptId, Input};
pub use notice::{LogLevel, Notice, Status};
pub use tool_call::{ToolCall, ToolOutcome};

use super::transcript::Transcript;
use crate::protocol::{SessionId, Timestamp};

/// One session as the page sees it.
#[derive(Debug, Default)]
pub struct Conversation {
    session: Option<SessionId>,
    transcript: Rc<Transcript>,
}

impl Conversation {
    /// The conversation of `session`; of a session that the first message makes, where that is `None`.
    /// `seed` makes its jitter and its message ids: random in a page, fixed in a test.
    #[must_use]
    pub fn new(session: Option<SessionId>, _seed: u64) -> Self {
        Self { session, ..Self::default() }
    }

    /// The session, once there is one. All that this conversation posts goes there (K24).
    #[must_use]
    pub fn session(&self) -> Option<&SessionId> {
        self.session.as_ref()
    }

    /// What to show.
    #[must_use]
    pub fn transcript(&self) -> Rc<Transcript> {
        self.transcript.clone()
    }

    /// `status` of the element.
    #[must_use]
    pub fn status(&self) -> Status {
        Status::Idle
    }

    /// Takes an input at the time `now` and says what to do. Deadlines that are due fire before the input.
    #[must_use]
    pub fn handle(&mut self, _now: Timestamp, _input: Input) -> Vec<Effect> {
        Vec::new()
    }
}
