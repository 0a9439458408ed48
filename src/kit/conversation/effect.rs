//! What a conversation asks of the page.

use super::{AskId, AttemptId, Notice, ToolCall};
use crate::protocol::{EventBody, EventId, Timestamp};

/// What the page must do.
#[derive(Clone, Debug, PartialEq)]
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
    /// A message of [`Input::Send`](super::Input::Send) could not be stored: its text should come back as a draft (composer only).
    /// `None`: the service has the message after all, drop that draft again.
    Draft(AskId, Option<String>),
    /// Give [`Input::Wake`](super::Input::Wake) at this time; replaces the time named before. `None`: not at all.
    WakeAt(Option<Timestamp>),
}
