//! What the element's events carry (K7), read from their `detail`.

use js_sys::{JSON, Reflect};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CustomEvent, Event};

use crate::protocol::SessionId;

/// `praxis.tool.change`: a call starts, or its result was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolChange {
    /// The call's id.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// What happened.
    pub status: ToolStatus,
    /// Whether the result is an error.
    pub is_error: bool,
}

/// What happened to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolStatus {
    /// Its handler is about to run.
    Start,
    /// The service has accepted its result.
    End,
}

/// `praxis.log`: something that a developer should know.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    /// How bad it is.
    pub level: LogLevel,
    /// What it is.
    pub message: String,
    /// More about it, such as `{"names":[…]}` of dropped readables (K17).
    pub data: Option<Value>,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogLevel {
    /// Not bad.
    Info,
    /// Something may be missing.
    Warn,
    /// Something did not work.
    Error,
}

/// `praxis.error`: an opening or a turn failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentError {
    /// What happened, for people.
    pub message: String,
}

/// What the agent is doing (`status` of the element).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AgentStatus {
    /// Nothing.
    #[default]
    Idle,
    /// A turn runs, from the message to its real end.
    Running,
    /// An opening or a turn failed; until the next success.
    Error,
}

impl LogLevel {
    /// `info`, `warn` or `error`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

impl AgentStatus {
    pub(super) fn from_js(value: &JsValue) -> Option<Self> {
        match value.as_string()?.as_str() {
            "idle" => Some(Self::Idle),
            "running" => Some(Self::Running),
            "error" => Some(Self::Error),
            _ => None,
        }
    }
}

impl ToolChange {
    /// Reads the `detail` of a `praxis.tool.change`; `None` when it is not one.
    #[must_use]
    pub fn from_event(event: &Event) -> Option<Self> {
        let detail = detail(event);
        let status = match text(&detail, "status")?.as_str() {
            "start" => ToolStatus::Start,
            "end" => ToolStatus::End,
            _ => return None,
        };
        Some(Self {
            id: text(&detail, "id")?,
            name: text(&detail, "name")?,
            status,
            is_error: member(&detail, "isError").is_truthy(),
        })
    }
}

impl LogEntry {
    /// Reads the `detail` of a `praxis.log`; `None` when it is not one.
    #[must_use]
    pub fn from_event(event: &Event) -> Option<Self> {
        let detail = detail(event);
        let level = match text(&detail, "level")?.as_str() {
            "info" => LogLevel::Info,
            "warn" => LogLevel::Warn,
            "error" => LogLevel::Error,
            _ => return None,
        };
        // `data` is for the reader; what JSON cannot show is left out.
        let data = JSON::stringify(&member(&detail, "data")).ok().and_then(|json| json.as_string());
        Some(Self {
            level,
            message: text(&detail, "message")?,
            data: data.and_then(|json| serde_json::from_str(&json).ok()),
        })
    }
}

impl AgentError {
    pub(super) fn from_event(event: &Event) -> Self {
        Self { message: text(&detail(event), "message").unwrap_or_default() }
    }
}

pub(super) fn session_id(event: &Event) -> Option<SessionId> {
    text(&detail(event), "sessionId").map(SessionId::from)
}

fn detail(event: &Event) -> JsValue {
    event.dyn_ref::<CustomEvent>().map_or(JsValue::UNDEFINED, CustomEvent::detail)
}

fn text(value: &JsValue, name: &str) -> Option<String> {
    member(value, name).as_string()
}

/// A member of what JavaScript gave; `undefined` where there is none.
pub(super) fn member(value: &JsValue, name: &str) -> JsValue {
    Reflect::get(value, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}
