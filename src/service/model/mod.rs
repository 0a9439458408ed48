//! Models as the service sees them: a history goes out as a [`ModelRequest`], and [`ModelOutput`] comes back.
//!
//! A codec turns the one into a provider's bytes and a provider's bytes into the other; a transport moves
//! the bytes. Neither is known here.

pub mod tutor;

use crate::protocol::ToolDeclaration;

/// What a model is asked: everything it sees, and nothing else.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRequest {
    /// What it is told first: the agent's instructions and trusted facts (K19).
    pub instructions: String,
    /// The conversation, oldest first.
    pub messages: Vec<ModelMessage>,
    /// The tools it may call.
    pub tools: Vec<ToolDeclaration>,
}

/// A message of the conversation, as a chat model sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelMessage {
    /// What the person wrote; in the current turn with the page context at its end (K18).
    User {
        /// The text.
        text: String,
    },
    /// What the model answered.
    Assistant {
        /// Its text; may be empty beside calls.
        text: String,
        /// Its calls.
        calls: Vec<ModelCall>,
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
    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::User { text } | Self::Assistant { text, .. } | Self::Tool { text, .. } => text,
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
}

/// A piece of what a model gives back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelOutput {
    /// More text.
    Text(String),
    /// A whole call.
    Call(ModelCall),
    /// The response is complete.
    Done,
    /// The response broke off or could not be had; the message is for people.
    Failed(String),
}
