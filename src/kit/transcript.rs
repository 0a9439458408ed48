//! What a conversation looks like to a person: the panel's input, made by the conversation.
//!
//! Plain data that is cheap to compare; it must not know how it is shown.

use std::rc::Rc;

use crate::protocol::{EventId, MessageStop};

/// The conversation as it stands, oldest entry first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    /// What was said and done.
    pub entries: Vec<Rc<Entry>>,
    /// Where the connection stands.
    pub connection: Connection,
    /// Whether a turn goes on: from the message to the turn's real end.
    pub running: bool,
    /// Why the agent's answer is tried for again, while it is; the reason is for people.
    pub retrying: Option<Rc<str>>,
    /// Whether this page may write to the session.
    pub writable: bool,
}

/// Where the connection to the session stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Connection {
    /// There is no session yet; the first message makes one.
    #[default]
    None,
    /// The session is being opened for the first time.
    Opening,
    /// Live.
    Open,
    /// It broke and is being opened again.
    Reconnecting,
    /// The browser says that it has no network; it is opened again when there is one.
    Offline,
    /// It broke, and several attempts to open it have failed; it is tried again. The reason is for people.
    Unreachable(String),
    /// The session could not be opened, for good; the message is for people.
    Failed(String),
}

/// One entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Stable while the entry lives, unique in the transcript: a key for lists. A message keeps its key when its
    /// preview is replaced by the stored one, and when a sent message is confirmed.
    pub key: Rc<str>,
    /// What it is.
    pub kind: EntryKind,
}

/// What an entry is.
#[derive(Clone, Debug, PartialEq)]
pub enum EntryKind {
    /// The person's message.
    User {
        /// What they wrote.
        text: Rc<str>,
        /// Whether the service has stored it.
        stored: bool,
    },
    /// The agent's message.
    Agent {
        /// Markdown; grows while it streams.
        text: Rc<str>,
        /// Whether more is coming.
        streaming: bool,
        /// Set when it is not whole.
        stop: Option<MessageStop>,
    },
    /// A call of a client tool.
    ToolCall {
        /// The call's id.
        id: EventId,
        /// The tool's name.
        name: Rc<str>,
        /// The arguments, as JSON text.
        input: Rc<str>,
        /// How far it is.
        status: ToolCallStatus,
        /// The result's text, once there is one.
        result: Option<Rc<str>>,
    },
    /// A call of a tool that ran in the service.
    ServiceTool {
        /// The tool's name.
        name: Rc<str>,
        /// Whether it failed; `None` while it runs.
        is_error: Option<bool>,
        /// The result's text, once there is one.
        result: Option<Rc<str>>,
    },
    /// Something went wrong in the turn; the message is for people.
    Error {
        /// What happened.
        message: Rc<str>,
    },
}

/// How far a client tool call is; `data-status` in the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolCallStatus {
    /// It waits or runs.
    Start,
    /// Our result was accepted and is no error.
    End,
    /// It has no accepted result of ours, or that result is an error.
    Error,
}
