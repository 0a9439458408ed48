//! What happens to a conversation.

use super::ToolOutcome;
use crate::kit::backend::{BackendError, StreamItem};
use crate::protocol::{ContextItem, Event, EventId, EventPage, Session};

/// Numbers attempts, so that an outcome finds what waits for it, and one that nobody waits for is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AttemptId(pub u64);

/// Names something that the page asked for and whose end it waits for; the page chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AskId(pub u64);

/// What happens to a conversation.
#[derive(Clone, Debug)]
pub enum Input {
    /// An element shows this conversation (again): open it, run what may run.
    Attach,
    /// No element shows it any more: running handlers still deliver, then the stream closes (K24).
    Detach,
    /// The person, or the page, says something (K16: the snapshot was taken when it was said).
    Send {
        /// Answered by [`Effect::Answer`](super::Effect::Answer) when the service has stored it, or not.
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
    /// The outcome of [`Effect::CreateSession`](super::Effect::CreateSession).
    Created(AttemptId, Result<Session, BackendError>),
    /// The outcome of [`Effect::OpenStream`](super::Effect::OpenStream): whether the session is writable.
    StreamOpened(AttemptId, Result<bool, BackendError>),
    /// Something came on an open stream.
    StreamItem(AttemptId, StreamItem),
    /// A stream ended.
    StreamEnded(AttemptId, Option<BackendError>),
    /// The outcome of [`Effect::ReadHistory`](super::Effect::ReadHistory).
    HistoryRead(AttemptId, Result<EventPage, BackendError>),
    /// The outcome of [`Effect::Post`](super::Effect::Post).
    Posted(AttemptId, Result<Vec<Event>, BackendError>),
    /// The page became visible: no reason to wait with reconnecting.
    Hurry,
    /// Whether the browser has a network, as it says; with one there is no reason to wait either.
    Online(bool),
    /// The time that [`Effect::WakeAt`](super::Effect::WakeAt) named has come.
    Wake,
}
