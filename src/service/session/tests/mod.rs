//! Tests of the machine alone, with a virtual clock.

mod built_in;
mod random;
mod rules;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Effect, Input, Record, RequestId, RunNumber, Session, Settings, TOOL_TIMEOUT};
use crate::protocol::{
    AgentDefinition, ApiError, Content, Event, EventBody, EventId, JsonObject, Preview, Timestamp,
    ToolDeclaration,
};
use crate::service::built_in::BuiltInTool;
use crate::service::model::{ModelCall, ModelMessage, ModelOutput, ModelRequest};

/// A driver that carries out what the session says, in memory, and refuses what no driver may be told.
struct Driver {
    session: Session,
    now: Timestamp,
    stored: Vec<Record>,
    /// The session as it was stored with the last records.
    description: crate::protocol::Session,
    replies: Vec<(RequestId, Result<Vec<Event>, ApiError>)>,
    previews: Vec<Preview>,
    asked: Vec<(RunNumber, ModelRequest)>,
    cancelled: Vec<RunNumber>,
    /// The built-in tools that were to be run.
    built_in: Vec<(EventId, BuiltInTool, JsonObject)>,
    wake: Option<Timestamp>,
}

const SETTINGS: Settings = Settings { tool_timeout: TOOL_TIMEOUT, built_in: &BuiltInTool::ALL };

fn agent() -> Arc<AgentDefinition> {
    let tool =
        |name: &str| json!({"type":"custom","name":name,"description":"x","input_schema":{"type":"object"}});
    let tools = [tool("seek_to"), tool("read_playback_progress"), tool("note")];
    let tools = ToolDeclaration::list_from_json(&tools, &[]).unwrap();
    Arc::new(AgentDefinition { name: "tutor".to_owned(), tools, ..AgentDefinition::default() })
}

fn call(id: &str, name: &str, arguments: &str) -> ModelOutput {
    ModelOutput::Call(ModelCall::new(id, name, arguments))
}

fn message(text: &str) -> EventBody {
    EventBody::UserMessage { content: Content::of(text), page_context: None, client_message_id: None }
}

fn result(call: &EventId, text: &str) -> EventBody {
    EventBody::CustomToolResult {
        custom_tool_use_id: call.clone(),
        content: Content::of(text),
        is_error: false,
    }
}

impl Driver {
    fn new() -> Self {
        let now = Timestamp::from_millis(1_800_000_000_000);
        let session = Session::new("sesn_abc".into(), agent(), SETTINGS, now);
        Self {
            description: session.describe().clone(),
            session,
            now,
            stored: Vec::new(),
            replies: Vec::new(),
            previews: Vec::new(),
            asked: Vec::new(),
            cancelled: Vec::new(),
            built_in: Vec::new(),
            wake: None,
        }
    }

    fn input(&mut self, input: Input) {
        let effects = self.session.handle(self.now, input);
        self.carry_out(effects);
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Append(records) => {
                    assert!(!records.is_empty());
                    if records.iter().any(Record::has_state) {
                        self.stored.iter_mut().for_each(Record::drop_state);
                    }
                    self.stored.extend(records);
                    self.description = self.session.describe().clone();
                }
                Effect::Reply { request, reply } => {
                    for event in reply.iter().flatten() {
                        assert!(
                            self.stored.iter().any(|record| record.event == *event),
                            "replied before it was stored: {event:?}"
                        );
                    }
                    self.replies.push((request, reply));
                }
                Effect::Preview(preview) => self.previews.push(preview),
                Effect::AskModel { run, request } => {
                    assert_valid_for_the_strictest_server(&request);
                    self.asked.push((run, request));
                }
                Effect::CancelModel(run) => self.cancelled.push(run),
                Effect::RunBuiltIn { call, tool, input } => {
                    assert!(
                        self.stored.iter().any(|record| record.event.id == call),
                        "run before it was stored"
                    );
                    self.built_in.push((call, tool, input));
                }
                Effect::WakeAt(wake) => self.wake = wake,
            }
        }
        assert_eq!(self.stored, self.session.records(), "the store and the session differ");
    }

    /// Posts, and gives the answer.
    fn post(&mut self, events: Vec<EventBody>) -> Result<Vec<Event>, ApiError> {
        let request = RequestId(self.replies.len() as u64);
        self.input(Input::Post { request, events });
        let (answered, reply) = self.replies.last().expect("no reply").clone();
        assert_eq!(answered, request);
        reply
    }

    /// Output of the run that was asked for last.
    fn model(&mut self, outputs: impl IntoIterator<Item = ModelOutput>) {
        let run = self.asked.last().expect("no model was asked").0;
        for output in outputs {
            self.input(Input::Model { run, output });
        }
    }

    fn pass(&mut self, time: Duration) {
        self.now = self.now + time;
        while let Some(wake) = self.wake.filter(|wake| *wake <= self.now) {
            self.input(Input::Wake);
            assert_ne!(self.wake, Some(wake), "the alarm is not taken off");
        }
    }

    /// The service ends and starts again, with what was stored and nothing else.
    fn restart(&mut self) {
        let text = serde_json::to_string(&self.stored).unwrap();
        let records: Vec<Record> = serde_json::from_str(&text).unwrap();
        assert_eq!(records, self.stored, "a record changes when it is stored");
        let description = self.description.clone();
        let (session, effects) = Session::restore(description, records, agent(), SETTINGS, self.now);
        (self.session, self.wake) = (session, None);
        self.carry_out(effects);
    }

    /// The events stored, in short: `user.message`, `session.status_idle(requires_action)`, `agent.message(incomplete)`.
    fn log(&self) -> Vec<String> {
        self.stored.iter().map(|record| short(&record.event)).collect()
    }

    fn bodies(&self) -> Vec<Value> {
        self.stored.iter().map(|record| serde_json::to_value(&record.event.body).unwrap()).collect()
    }

    fn last_request(&self) -> &ModelRequest {
        &self.asked.last().expect("no model was asked").1
    }

    /// The ids of all client tool calls.
    fn calls(&self) -> Vec<EventId> {
        let is_call = |record: &&Record| matches!(record.event.body, EventBody::CustomToolUse { .. });
        self.stored.iter().filter(is_call).map(|record| record.event.id.clone()).collect()
    }
}

fn short(event: &Event) -> String {
    let body = serde_json::to_value(&event.body).unwrap();
    let kind = body["type"].as_str().unwrap().to_owned();
    let reason = &body["stop_reason"];
    match reason["type"].as_str().or(reason.as_str()) {
        Some(reason) => format!("{kind}({reason})"),
        None => kind,
    }
}

/// The person and the model take turns; each call has one result, right after its message, in the calls' order.
fn assert_valid_for_the_strictest_server(request: &ModelRequest) {
    let messages = &request.messages;
    let mut ids = std::collections::BTreeSet::new();
    let mut at = 0;
    while at < messages.len() {
        assert!(matches!(messages[at], ModelMessage::User { .. }), "no user message at {at}: {messages:#?}");
        at += 1;
        while let Some(ModelMessage::Assistant { text, calls, .. }) = messages.get(at) {
            assert!(!(text.is_empty() && calls.is_empty()), "an empty assistant message: {messages:#?}");
            at += 1;
            for call in calls {
                assert!(
                    ids.insert(call.id.clone()) && !call.id.is_empty(),
                    "call id {:?} twice or empty",
                    call.id
                );
                let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
                assert!(
                    (1..=64).contains(&call.name.len()) && call.name.chars().all(allowed),
                    "{:?}",
                    call.name
                );
                assert!(serde_json::from_str::<Value>(&call.arguments).unwrap().is_object());
                match messages.get(at) {
                    Some(ModelMessage::Tool { call_id, .. }) if *call_id == call.id => at += 1,
                    other => panic!("call {} has no result but {other:?}", call.id),
                }
            }
            if calls.is_empty() {
                break;
            }
        }
    }
    assert!(
        matches!(messages.last(), Some(ModelMessage::User { .. } | ModelMessage::Tool { .. })),
        "nothing to answer: {messages:#?}"
    );
    let contexts = |message: &&ModelMessage| match message {
        ModelMessage::User { text, .. } => text.contains("<page_context untrusted"),
        _ => false,
    };
    let current = messages.iter().rposition(|message| matches!(message, ModelMessage::User { .. })).unwrap();
    assert_eq!(messages[..current].iter().filter(contexts).count(), 0, "K18: an earlier turn's page context");
}
