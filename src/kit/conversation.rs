//! One session as the page sees it: a state machine without I/O.
//!
//! It owns order, retries, back-off, silence and claims (K20–K24, WIRE.md). In: [`Input`]s and a clock
//! reading. Out: [`Effect`]s. It must not know the browser, the element, the backend's protocol or a clock.

use std::rc::Rc;

use super::backend::{BackendError, StreamItem};
use super::transcript::Transcript;
use crate::protocol::{
    ContextItem, Event, EventBody, EventId, EventPage, JsonObject, Session, SessionId, Timestamp,
};

/// Numbers attempts, so that an outcome finds what waits for it, and one that nobody waits for is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AttemptId(pub u64);

/// Names something that the page asked for and whose end it waits for; the page chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AskId(pub u64);

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

/// What happens to a conversation.
#[derive(Debug)]
pub enum Input {
    /// An element shows this conversation (again): open it, run what may run.
    Attach,
    /// No element shows it any more: running handlers still deliver, then the stream closes (K24).
    Detach,
    /// The person, or the page, says something (K16: the snapshot was taken when it was said).
    Send {
        /// Answered by [`Effect::Answer`] when the service has stored it, or not.
        ask: AskId,
        /// The text; not blank.
        text: String,
        /// The page context, already within its limits.
        page_context: Option<Vec<ContextItem>>,
    },
    /// Stop the turn that runs.
    Interrupt {
        /// Answered when the service has stored the interrupt.
        ask: AskId,
    },
    /// A handler ended (or there was none: K20).
    HandlerEnded {
        /// The call.
        call: EventId,
        /// What it gave.
        outcome: ToolOutcome,
    },
    /// The outcome of [`Effect::CreateSession`].
    Created(AttemptId, Result<Session, BackendError>),
    /// The outcome of [`Effect::OpenStream`]: whether the session is writable.
    StreamOpened(AttemptId, Result<bool, BackendError>),
    /// Something came on an open stream.
    StreamItem(AttemptId, StreamItem),
    /// A stream ended.
    StreamEnded(AttemptId, Option<BackendError>),
    /// The outcome of [`Effect::ReadHistory`].
    HistoryRead(AttemptId, Result<EventPage, BackendError>),
    /// The outcome of [`Effect::Post`].
    Posted(AttemptId, Result<Vec<Event>, BackendError>),
    /// The browser is online again, or the page became visible: no reason to wait with reconnecting.
    Hurry,
    /// The time that [`Effect::WakeAt`] named has come.
    Wake,
}

/// What the page must do.
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Make a session.
    CreateSession(AttemptId),
    /// Open the stream; replaces one that is open.
    OpenStream(AttemptId),
    /// Close the stream, or stop opening it.
    CloseStream(AttemptId),
    /// Read a page of the history.
    ReadHistory(AttemptId, Option<String>),
    /// Post these events.
    Post(AttemptId, Vec<EventBody>),
    /// Run the handler that is set now (K2); the claim is already made (K23).
    RunHandler(ToolCall),
    /// Fire the abort signal of a running handler (K3): interrupt or time-out.
    AbortHandler(EventId),
    /// Something that the element tells the page.
    Tell(Notice),
    /// An ask has ended; an error is a message for people.
    Answer(AskId, Result<(), String>),
    /// A message of [`Input::Send`] could not be stored: its text should come back as a draft (composer only).
    /// `None`: the service has the message after all, drop that draft again.
    Draft(AskId, Option<String>),
    /// Give [`Input::Wake`] at this time; replaces the time named before. `None`: not at all.
    WakeAt(Option<Timestamp>),
}

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

/// One session as the page sees it.
#[derive(Debug, Default)]
pub struct Conversation {
    transcript: Rc<Transcript>,
}

impl Conversation {
    /// The conversation of `session`; of a session that the first message makes, where that is `None`.
    #[must_use]
    pub fn new(_session: Option<SessionId>) -> Self {
        Self::default()
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
