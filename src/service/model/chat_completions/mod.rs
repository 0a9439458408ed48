//! Chat completions, as OpenAI, Ollama, llama.cpp, vLLM, DeepSeek, Qwen and many others speak them.
//!
//! [`request`] writes the conversation; [`Decoder`] reads what comes back, streamed or in one piece. The two differ from
//! server to server in what is left out, repeated, cut and put elsewhere: what can be understood is, and a call of which
//! something may be missing is not made.
//!
//! Nothing here knows HTTP, the session's events or the clock.

mod calls;
mod decoder;
mod request;
mod thinking;

pub use decoder::Decoder;
pub use request::request;

use serde_json::Value;

use super::http;

/// How to reach a chat-completions endpoint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The base address, as `http://localhost:11434/v1`; `/chat/completions` follows it, where it does not end so itself,
    /// as makers of models write it.
    pub url: String,
    /// The model's name.
    pub model: String,
    /// Headers of each request, as a key.
    pub headers: http::Headers,
    /// `temperature`; the server's own where it is absent.
    pub temperature: Option<f64>,
    /// `tool_choice`; the server's own where it is absent.
    pub tool_choice: Option<Value>,
    /// What stands for the text of a message that only calls.
    pub empty_content: EmptyContent,
    /// How many bytes of messages a request has at most; [`CONTEXT_BUDGET`] where it is absent.
    pub context_budget: Option<usize>,
}

/// What stands for the text of a message that only calls; servers contradict each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmptyContent {
    /// `null`, as the specification has it.
    #[default]
    Null,
    /// `""`, for servers that refuse `null`.
    EmptyString,
}

/// How many bytes of messages a request has at most: what fits models of 64,000 tokens.
pub const CONTEXT_BUDGET: usize = 200_000;

/// The names that the kept members have.
mod kept {
    /// The member in which the server sent its reasoning, and wants it back.
    pub const REASONING: &str = "reasoning_member";
}
#[cfg(test)]
mod tests;
