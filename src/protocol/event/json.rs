//! Events as JSON: members are read with errors that name their place, and written in WIRE.md's order.
//!
//! By hand: what serde derives for tagged and flattened types buffers every value once more, and costs a page
//! more than all of this.

use serde_json::Value;

use super::{
    Content, Event, EventBody, EventError, IdleReason, JsonObject, MessageStop, Preview, RetryStatus,
    SessionError,
};
use crate::protocol::json_place::{Place, PlaceError, serde_by_value};
use crate::protocol::{ContextItem, EventId, Timestamp};

impl Event {
    /// Reads a stored event. Members that are not known are ignored.
    ///
    /// # Errors
    /// [`EventError::UnknownType`] for a type that this version does not know, [`EventError::Malformed`] otherwise.
    pub fn from_json(value: &Value) -> Result<Self, EventError> {
        Self::read(&Place::root("", value))
    }

    /// Reads the stored event that stands at a place.
    pub(crate) fn read(event: &Place<'_>) -> Result<Self, EventError> {
        Ok(Self {
            // First: what else an unknown type has is not known either.
            body: EventBody::read(event)?,
            id: read_id(&event.member("id"))?,
            processed_at: Timestamp::read(&event.member("processed_at"))?,
        })
    }

    /// The event as it is stored and as it travels.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut event = JsonObject::new();
        set(&mut event, "id", self.id.as_str());
        self.body.write(&mut event);
        set(&mut event, "processed_at", self.processed_at.to_string());
        event.into()
    }
}

impl EventBody {
    /// Reads a body. Members that are not known are ignored.
    ///
    /// # Errors
    /// As [`Event::from_json`].
    pub fn from_json(value: &Value) -> Result<Self, EventError> {
        Self::read(&Place::root("", value))
    }

    fn read(event: &Place<'_>) -> Result<Self, EventError> {
        let member = |name| event.member(name);
        Ok(match member("type").text()? {
            "user.message" => Self::UserMessage {
                content: read_content(event)?,
                page_context: event.present("page_context").map(|items| read_context(&items)).transpose()?,
                client_message_id: event
                    .present("client_message_id")
                    .map(|id| id.text().map(str::to_owned))
                    .transpose()?,
            },
            "user.custom_tool_result" => Self::CustomToolResult {
                custom_tool_use_id: read_id(&member("custom_tool_use_id"))?,
                content: read_content(event)?,
                is_error: read_is_error(event)?,
            },
            "user.interrupt" => Self::Interrupt {},
            "system.message" => Self::SystemMessage { content: read_content(event)? },
            "session.status_running" => Self::StatusRunning {},
            "session.status_idle" => {
                Self::StatusIdle { stop_reason: IdleReason::read(&member("stop_reason"))? }
            }
            "session.status_terminated" => Self::StatusTerminated {},
            "session.error" => Self::Error { error: SessionError::read(&member("error"))? },
            "agent.message" => Self::AgentMessage {
                content: read_content(event)?,
                stop_reason: event
                    .present("stop_reason")
                    .map(|reason| reason.text().map(MessageStop::from_name))
                    .transpose()?,
            },
            "agent.custom_tool_use" => Self::CustomToolUse {
                name: member("name").text()?.to_owned(),
                input: member("input").object()?.clone(),
            },
            "agent.tool_use" => Self::ToolUse {
                name: member("name").text()?.to_owned(),
                input: member("input").object()?.clone(),
            },
            "agent.tool_result" => Self::ToolResult {
                tool_use_id: read_id(&member("tool_use_id"))?,
                content: read_content(event)?,
                is_error: read_is_error(event)?,
            },
            unknown => return Err(EventError::UnknownType(unknown.to_owned())),
        })
    }

    /// The body as it travels.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut event = JsonObject::new();
        self.write(&mut event);
        event.into()
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::UserMessage { .. } => "user.message",
            Self::CustomToolResult { .. } => "user.custom_tool_result",
            Self::Interrupt {} => "user.interrupt",
            Self::SystemMessage { .. } => "system.message",
            Self::StatusRunning {} => "session.status_running",
            Self::StatusIdle { .. } => "session.status_idle",
            Self::StatusTerminated {} => "session.status_terminated",
            Self::Error { .. } => "session.error",
            Self::AgentMessage { .. } => "agent.message",
            Self::CustomToolUse { .. } => "agent.custom_tool_use",
            Self::ToolUse { .. } => "agent.tool_use",
            Self::ToolResult { .. } => "agent.tool_result",
        }
    }

    fn write(&self, event: &mut JsonObject) {
        set(event, "type", self.kind());
        match self {
            Self::UserMessage { content, page_context, client_message_id } => {
                set(event, "content", content_json(content));
                if let Some(items) = page_context {
                    set(event, "page_context", items.iter().map(ContextItem::to_json).collect::<Value>());
                }
                if let Some(id) = client_message_id {
                    set(event, "client_message_id", id.as_str());
                }
            }
            Self::CustomToolResult { custom_tool_use_id: id, content, is_error } => {
                set(event, "custom_tool_use_id", id.as_str());
                set(event, "content", content_json(content));
                set(event, "is_error", *is_error);
            }
            Self::ToolResult { tool_use_id, content, is_error } => {
                set(event, "tool_use_id", tool_use_id.as_str());
                set(event, "content", content_json(content));
                set(event, "is_error", *is_error);
            }
            Self::SystemMessage { content } => set(event, "content", content_json(content)),
            Self::AgentMessage { content, stop_reason } => {
                set(event, "content", content_json(content));
                if let Some(reason) = stop_reason {
                    set(event, "stop_reason", reason.name());
                }
            }
            Self::StatusIdle { stop_reason } => set(event, "stop_reason", stop_reason.to_json()),
            Self::Error { error } => set(event, "error", error.to_json()),
            Self::CustomToolUse { name, input } | Self::ToolUse { name, input } => {
                set(event, "name", name.as_str());
                set(event, "input", input.clone());
            }
            Self::Interrupt {} | Self::StatusRunning {} | Self::StatusTerminated {} => {}
        }
    }
}

impl Preview {
    /// Reads a preview; `None` for what is none, or is one of another kind.
    #[must_use]
    pub fn from_json(value: &Value) -> Option<Self> {
        let text = |pointer| value.pointer(pointer).and_then(Value::as_str);
        match text("/type")? {
            "event_start" if text("/event/type") == Some("agent.message") => {
                Some(Self::Start { id: text("/event/id")?.into() })
            }
            "event_delta" if text("/delta/type") == Some("content_delta") => {
                let more = text("/delta/content/text")?.to_owned();
                Some(Self::Delta { id: text("/event_id")?.into(), text: more })
            }
            _ => None,
        }
    }
}

impl IdleReason {
    fn read(reason: &Place<'_>) -> Result<Self, PlaceError> {
        Ok(match reason.member("type").text()? {
            "requires_action" => {
                let ids = reason.member("event_ids").elements()?;
                Self::RequiresAction { event_ids: ids.iter().map(read_id).collect::<Result<_, _>>()? }
            }
            "retries_exhausted" => Self::RetriesExhausted {},
            _ => Self::EndTurn,
        })
    }

    fn to_json(&self) -> Value {
        match self {
            Self::RequiresAction { event_ids } => {
                let mut reason = typed("requires_action");
                let ids = event_ids.iter().map(EventId::as_str).collect::<Value>();
                set(&mut reason, "event_ids", ids);
                reason
            }
            Self::RetriesExhausted {} => typed("retries_exhausted"),
            Self::EndTurn => typed("end_turn"),
        }
        .into()
    }
}

impl MessageStop {
    fn from_name(name: &str) -> Self {
        if name == Self::Interrupted.name() { Self::Interrupted } else { Self::Incomplete }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Interrupted => "interrupted",
            Self::Incomplete => "incomplete",
        }
    }
}

impl SessionError {
    fn read(error: &Place<'_>) -> Result<Self, PlaceError> {
        let retry_status = error.member("retry_status").member("type");
        Ok(Self {
            kind: error.member("type").text()?.to_owned(),
            message: error.member("message").text()?.to_owned(),
            retry_status: RetryStatus::from_name(retry_status.text()?),
        })
    }

    fn to_json(&self) -> Value {
        let mut error = typed(&self.kind);
        set(&mut error, "message", self.message.as_str());
        set(&mut error, "retry_status", typed(self.retry_status.name()));
        error.into()
    }
}

impl RetryStatus {
    fn from_name(name: &str) -> Self {
        match name {
            "retrying" => Self::Retrying,
            "terminal" => Self::Terminal,
            _ => Self::Exhausted,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Retrying => "retrying",
            Self::Terminal => "terminal",
            Self::Exhausted => "exhausted",
        }
    }
}

fn read_id(id: &Place<'_>) -> Result<EventId, PlaceError> {
    id.text().map(EventId::from)
}

/// The texts of `content`; kinds of content that this version does not know are left out.
fn read_content(event: &Place<'_>) -> Result<Vec<Content>, PlaceError> {
    let pieces = event.member("content").elements()?;
    let texts = pieces.iter().filter(|piece| piece.member("type").value.is_some_and(|kind| kind == "text"));
    texts.map(|piece| Ok(Content { text: piece.member("text").text()?.to_owned() })).collect()
}

fn content_json(content: &[Content]) -> Value {
    let piece = |piece: &Content| {
        let mut json = typed("text");
        set(&mut json, "text", piece.text.as_str());
        json
    };
    content.iter().map(piece).collect()
}

fn read_context(items: &Place<'_>) -> Result<Vec<ContextItem>, PlaceError> {
    items.elements()?.iter().map(ContextItem::read).collect()
}

fn read_is_error(event: &Place<'_>) -> Result<bool, PlaceError> {
    event.present("is_error").map_or(Ok(false), |is_error| is_error.flag())
}

/// `{"type":…}`.
fn typed(kind: &str) -> JsonObject {
    let mut object = JsonObject::new();
    set(&mut object, "type", kind);
    object
}

fn set(object: &mut JsonObject, name: &str, value: impl Into<Value>) {
    object.insert(name.to_owned(), value.into());
}

serde_by_value!(Serialize for Event, EventBody);
