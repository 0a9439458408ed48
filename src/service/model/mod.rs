//! Models as the service sees them: a history goes out as a [`ModelRequest`], and [`ModelOutput`] comes back.
//!
//! A codec turns the one into a provider's bytes and a provider's bytes into the other; a [`run`] decides what is sent
//! and sent again; a transport moves the bytes.

pub mod ag_ui;
pub mod chat_completions;
mod halves;
pub mod http;
mod json;
#[cfg(test)]
mod output_read;
mod refusal;
pub mod run;
pub mod tutor;

pub use http::HttpRequest;

use super::session::RunNumber;
use crate::protocol::{EventId, JsonObject, SessionId, ToolDeclaration};

/// The member of what a codec [keeps](ModelOutput::Kept) that is the model's whole state: of a conversation, only the
/// newest is kept.
pub const STATE: &str = "state";

/// What a model is asked: everything it sees, and nothing else.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRequest {
    /// The session that the conversation is.
    pub session: SessionId,
    /// The number of the run that this asks for.
    pub run: RunNumber,
    /// What it is told first: the agent's instructions and trusted facts (K19).
    pub instructions: String,
    /// The conversation, oldest first.
    pub messages: Vec<ModelMessage>,
    /// The tools it may call.
    pub tools: Vec<ToolDeclaration>,
}

impl ModelRequest {
    /// What the person said last; with the page context at its end (K18).
    #[must_use]
    pub fn said(&self) -> &str {
        let person = |message: &&ModelMessage| matches!(message, ModelMessage::User { .. });
        self.messages.iter().rfind(person).map(ModelMessage::text).unwrap_or_default()
    }
}

/// A message of the conversation, as a chat model sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelMessage {
    /// What the person wrote; in the current turn with the page context at its end (K18).
    User {
        /// The id of its event.
        id: EventId,
        /// The text.
        text: String,
    },
    /// What the model answered.
    Assistant {
        /// Its text; may be empty beside calls.
        text: String,
        /// What it thought before, where its server wants that back.
        reasoning: Option<String>,
        /// Its calls.
        calls: Vec<ModelCall>,
        /// What its codec [kept](ModelOutput::Kept) with it.
        kept: Option<JsonObject>,
    },
    /// What a call gave back.
    Tool {
        /// The [`ModelCall::id`] that this answers.
        call_id: String,
        /// The text; an error's text begins with `Error: `.
        text: String,
    },
}

impl ModelMessage {
    /// What the model answered, where nothing more is known of it.
    #[must_use]
    pub fn assistant(text: impl Into<String>, calls: Vec<ModelCall>) -> Self {
        Self::Assistant { text: text.into(), reasoning: None, calls, kept: None }
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::User { text, .. } | Self::Assistant { text, .. } | Self::Tool { text, .. } => text,
        }
    }
}

/// A call as the model wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelCall {
    /// The provider's id of the call.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments, as JSON text that nobody has checked.
    pub arguments: String,
    /// Members that are not known here, and go back as they came.
    pub extra: JsonObject,
}

impl ModelCall {
    /// A call with nothing in it that is not known here.
    #[must_use]
    pub fn new(id: impl Into<String>, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self { id: id.into(), name: name.into(), arguments: arguments.into(), extra: JsonObject::new() }
    }
}

/// A piece of what a model gives back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelOutput {
    /// More text.
    Text(String),
    /// More of what it thinks before it answers.
    Reasoning(String),
    /// A whole call.
    Call(ModelCall),
    /// What the codec wants back with the response in later requests; comes at most once, before the end.
    Kept(JsonObject),
    /// Nothing has come yet, and it is tried again; the reason is for people. `None`: it has got through.
    Retrying(Option<String>),
    /// The response is complete.
    Done,
    /// The response broke off or could not be had; the message is for people.
    Failed(String),
}
