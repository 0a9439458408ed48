//! The events of a session, as they are stored and as they travel.

mod json;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::json_place::PlaceError;
use super::{ContextItem, EventId, Timestamp};

/// A JSON object, its members in the order in which they came.
pub type JsonObject = Map<String, Value>;

/// A stored event: an id, a time, and what happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its id.
    pub id: EventId,
    /// What happened.
    pub body: EventBody,
    /// When the service stored it.
    pub processed_at: Timestamp,
}

/// Why a JSON value is no event that is known here.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// The type is not one of WIRE.md's; a kit skips such an event.
    #[error("unknown event type {0:?}")]
    UnknownType(String),
    /// A member is missing or of the wrong shape.
    #[error("{0}")]
    Malformed(#[from] PlaceError),
}

/// What happened: the `type` of an event and the members that belong to it.
#[derive(Clone, Debug, PartialEq)]
pub enum EventBody {
    /// A message of the person. Sent by the kit.
    UserMessage {
        /// Its text.
        content: Vec<Content>,
        /// The page context at the moment of sending (K16); absent when there is none.
        page_context: Option<Vec<ContextItem>>,
        /// A string by which the kit knows its own message again.
        client_message_id: Option<String>,
    },
    /// What a client tool gave back. Sent by the kit, or recorded by the service (K21).
    CustomToolResult {
        /// The call that this answers.
        custom_tool_use_id: EventId,
        /// The result's text.
        content: Vec<Content>,
        /// Whether the result is an error.
        is_error: bool,
    },
    /// Stop the turn that runs. Sent by the kit.
    Interrupt {},
    /// A trusted fact (K19). Sent by a host's server only.
    SystemMessage {
        /// Its text.
        content: Vec<Content>,
    },
    /// A turn goes on.
    StatusRunning {},
    /// The turn ended, or waits for results.
    StatusIdle {
        /// Which of the two, and for what it waits.
        stop_reason: IdleReason,
    },
    /// Nothing more is accepted.
    StatusTerminated {},
    /// Something went wrong in the service.
    Error {
        /// What it was.
        error: SessionError,
    },
    /// A whole message of the agent, or what there was of it.
    AgentMessage {
        /// Its text.
        content: Vec<Content>,
        /// Set when the message is not whole.
        stop_reason: Option<MessageStop>,
    },
    /// A call of a client tool; the event's id is the call's id.
    CustomToolUse {
        /// The tool's name.
        name: String,
        /// The arguments.
        input: JsonObject,
    },
    /// A call of a tool that the service runs itself, or of one that never reaches the page.
    ToolUse {
        /// The tool's name, as the model wrote it.
        name: String,
        /// The arguments; `{}` when the model's were no object.
        input: JsonObject,
    },
    /// The answer to an `agent.tool_use`.
    ToolResult {
        /// The `agent.tool_use` that this answers.
        tool_use_id: EventId,
        /// The result's text.
        content: Vec<Content>,
        /// Whether the result is an error.
        is_error: bool,
    },
}

impl EventBody {
    /// Every `type` that is known, in WIRE.md's order.
    pub const TYPES: [&'static str; 12] = [
        "user.message",
        "user.custom_tool_result",
        "user.interrupt",
        "system.message",
        "session.status_running",
        "session.status_idle",
        "session.status_terminated",
        "session.error",
        "agent.message",
        "agent.custom_tool_use",
        "agent.tool_use",
        "agent.tool_result",
    ];
}

/// A piece of content. Only text exists so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The text.
    pub text: String,
}

impl Content {
    /// The one-element content that all our events have; an empty text stays an element.
    #[must_use]
    pub fn of(text: impl Into<String>) -> Vec<Self> {
        vec![Self { text: text.into() }]
    }

    /// All texts of `content`, one after the other.
    #[must_use]
    pub fn text(content: &[Self]) -> String {
        content.iter().map(|piece| piece.text.as_str()).collect()
    }
}

/// Why a session is idle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdleReason {
    /// The turn waits for exactly these results.
    RequiresAction {
        /// The calls that have no result yet, in the order of the calls.
        event_ids: Vec<EventId>,
    },
    /// The turn ended because the model could not be had.
    RetriesExhausted {},
    /// The turn has ended; also any reason that is not known here.
    EndTurn,
}

/// Why a message is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageStop {
    /// The person stopped it.
    Interrupted,
    /// The model's stream broke; also any reason that is not known here.
    Incomplete,
}

/// What went wrong in the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionError {
    /// What kind of error, for programs.
    pub kind: String,
    /// What happened, for people.
    pub message: String,
    /// Whether the service tries again.
    pub retry_status: RetryStatus,
}

/// Whether the service tries again after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryStatus {
    /// It does.
    Retrying,
    /// It cannot go on.
    Terminal,
    /// It gave up this turn; also any answer that is not known here.
    Exhausted,
}

/// A glimpse of a message that is being written: on the stream only, never stored, never replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Preview {
    /// `event_start`: a message with this id begins.
    Start {
        /// The id that the stored message will have.
        id: EventId,
    },
    /// `event_delta`: more of its text.
    Delta {
        /// The message's id.
        id: EventId,
        /// What is added.
        text: String,
    },
}

impl Serialize for Preview {
    /// As it travels: `event_start` or `event_delta`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = match self {
            Self::Start { id } => json!({"type":"event_start","event":{"type":"agent.message","id":id}}),
            Self::Delta { id, text } => json!({
                "type": "event_delta",
                "event_id": id,
                "delta": {"type":"content_delta","index":0,"content":{"type":"text","text":text}},
            }),
        };
        json.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_of_the_wire_round_trips() {
        let bodies = [
            json!({"type":"user.message","content":[{"type":"text","text":"我看到哪了？"}],
                   "page_context":[{"name":"lesson","value":"正在看第 3 课"}],"client_message_id":"m1"}),
            json!({"type":"user.custom_tool_result","custom_tool_use_id":"sevt_7","content":[{"type":"text","text":""}],"is_error":false}),
            json!({"type":"user.interrupt"}),
            json!({"type":"system.message","content":[{"type":"text","text":"x"}]}),
            json!({"type":"session.status_running"}),
            json!({"type":"session.status_idle","stop_reason":{"type":"requires_action","event_ids":["sevt_1"]}}),
            json!({"type":"session.status_terminated"}),
            json!({"type":"session.error","error":{"type":"model_error","message":"x","retry_status":{"type":"exhausted"}}}),
            json!({"type":"agent.message","content":[{"type":"text","text":"x"}],"stop_reason":"interrupted"}),
            json!({"type":"agent.custom_tool_use","name":"seek_to","input":{"b":1,"a":2}}),
            json!({"type":"agent.tool_use","name":"current_time","input":{}}),
            json!({"type":"agent.tool_result","tool_use_id":"sevt_8","content":[{"type":"text","text":"x"}],"is_error":true}),
        ];
        for (body, kind) in bodies.iter().zip(EventBody::TYPES) {
            assert_eq!(body["type"], kind);
            let mut stored = body.clone();
            stored["id"] = json!("sevt_1");
            stored["processed_at"] = json!("2026-11-30T00:00:00.000Z");
            stored["from_the_future"] = json!(1);
            let event = Event::from_json(&stored).unwrap();
            assert_eq!(&serde_json::to_value(&event.body).unwrap(), body);
        }
    }

    #[test]
    fn what_a_later_version_adds_does_not_make_an_event_unreadable() {
        let read = |event: Value| serde_json::to_value(EventBody::from_json(&event).unwrap()).unwrap();
        for (event, expected) in [
            (
                json!({"type":"session.status_idle","stop_reason":{"type":"max_tokens","n":1}}),
                json!({"type":"session.status_idle","stop_reason":{"type":"end_turn"}}),
            ),
            (
                json!({"type":"agent.message","content":[{"type":"image","url":"x"},{"type":"text","text":"a"}],"stop_reason":"refusal"}),
                json!({"type":"agent.message","content":[{"type":"text","text":"a"}],"stop_reason":"incomplete"}),
            ),
            (
                json!({"type":"session.error","error":{"type":"x","message":"m","retry_status":{"type":"maybe"}}}),
                json!({"type":"session.error","error":{"type":"x","message":"m","retry_status":{"type":"exhausted"}}}),
            ),
        ] {
            assert_eq!(read(event), expected);
        }
        let no_text = json!({"type":"agent.message","content":[{"type":"text"}]});
        assert!(matches!(EventBody::from_json(&no_text), Err(EventError::Malformed(_))));
    }

    #[test]
    fn previews_round_trip_and_other_kinds_are_none() {
        let start = Preview::Start { id: "sevt_9".into() };
        let delta = Preview::Delta { id: "sevt_9".into(), text: "我".to_owned() };
        for preview in [start, delta] {
            assert_eq!(Preview::from_json(&serde_json::to_value(&preview).unwrap()), Some(preview));
        }
        for other in [
            json!({"type":"event_start","event":{"type":"agent.dream","id":"sevt_9"}}),
            json!({"type":"event_delta","event_id":"sevt_9","delta":{"type":"input_delta"}}),
            json!({"type":"event_delta","event_id":"sevt_9"}),
            json!({"type":"agent.message"}),
            json!([]),
        ] {
            assert_eq!(Preview::from_json(&other), None, "{other}");
        }
    }

    #[test]
    fn an_unknown_type_is_told_from_a_malformed_event() {
        let unknown = json!({"id":"a","processed_at":"2026-11-30T00:00:00Z","type":"agent.dream"});
        assert!(
            matches!(Event::from_json(&unknown), Err(EventError::UnknownType(kind)) if kind == "agent.dream")
        );
        let malformed = json!({"id":"a","processed_at":"2026-11-30T00:00:00Z","type":"agent.message"});
        assert!(matches!(Event::from_json(&malformed), Err(EventError::Malformed(_))));
    }
}
