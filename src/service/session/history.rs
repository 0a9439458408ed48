//! The conversation as a model sees it, rebuilt from the log before each request.
//!
//! Every request is valid for the strictest server: the person and the model take turns, each call has exactly
//! one result, and results follow their calls at once, in the order of the calls.

use std::collections::BTreeMap;

use super::{Record, RunNumber, Session, words};
use crate::protocol::json_text::to_json_text;
use crate::protocol::{Content, ContextItem, EventBody, EventId, JsonObject, page_context};
use crate::service::model::{ModelCall, ModelMessage, ModelRequest};

/// How many characters a tool's name has at most, for providers.
const LONGEST_NAME: usize = 64;

/// A turn, taken from the log.
struct Turn<'a> {
    message: &'a EventId,
    responses: BTreeMap<RunNumber, Response<'a>>,
    stopped: bool,
}

#[derive(Default)]
struct Response<'a> {
    text: String,
    reasoning: Option<String>,
    calls: Vec<(&'a EventId, ModelCall)>,
    kept: Option<JsonObject>,
}

/// What the log holds, by what it belongs to.
#[derive(Default)]
struct Log<'a> {
    messages: BTreeMap<&'a EventId, (&'a [Content], Option<&'a [ContextItem]>)>,
    facts: Vec<String>,
    results: BTreeMap<&'a EventId, (&'a [Content], bool)>,
    turns: Vec<Turn<'a>>,
}

impl Session {
    /// What the model is asked in the turn that runs.
    pub(super) fn model_request(&self) -> ModelRequest {
        let log = Log::read(&self.records);
        let mut instructions =
            vec![self.agent.instructions.as_deref().unwrap_or(words::INSTRUCTIONS).to_owned()];
        instructions.extend(log.facts.iter().cloned());
        let mut messages = Vec::new();
        for (index, turn) in log.turns.iter().enumerate() {
            log.write(turn, index + 1 == log.turns.len(), &mut messages);
        }
        let built_in = self.settings.built_in.iter().filter_map(|tool| tool.declaration());
        let tools = self.agent.tools.iter().chain(built_in).cloned().collect();
        ModelRequest {
            session: self.description.id.clone(),
            run: self.run,
            instructions: instructions.join("\n\n"),
            messages,
            tools,
        }
    }
}

impl<'a> Log<'a> {
    fn read(records: &'a [Record]) -> Self {
        let mut log = Self::default();
        for Record { event, private } in records {
            let private = private.as_ref();
            match &event.body {
                EventBody::UserMessage { content, page_context, .. } => {
                    log.messages.insert(&event.id, (content, page_context.as_deref()));
                }
                EventBody::SystemMessage { content } => log.facts.push(Content::text(content)),
                EventBody::CustomToolResult { custom_tool_use_id: call, content, is_error }
                | EventBody::ToolResult { tool_use_id: call, content, is_error } => {
                    log.results.entry(call).or_insert((content, *is_error));
                }
                EventBody::StatusRunning {} => {
                    if let Some(message) = private.and_then(|private| private.turn.as_ref()) {
                        log.turns.push(Turn { message, responses: BTreeMap::new(), stopped: false });
                    }
                }
                EventBody::Interrupt {} => {
                    if let Some(turn) = log.turns.last_mut() {
                        turn.stopped = true;
                    }
                }
                EventBody::AgentMessage { content, .. } => {
                    if let Some(response) = log.response(private) {
                        response.text.push_str(&Content::text(content));
                    }
                }
                EventBody::CustomToolUse { name, input } | EventBody::ToolUse { name, input } => {
                    let id = private.and_then(|private| private.call_id.as_deref());
                    let written = private.and_then(|private| private.arguments.as_deref());
                    // As the model wrote them, where that is an object; servers parse them again.
                    let whole = |text: &&str| serde_json::from_str::<JsonObject>(text).is_ok();
                    let call = ModelCall {
                        id: id.unwrap_or(event.id.as_str()).to_owned(),
                        name: allowed_name(name),
                        arguments: written
                            .filter(whole)
                            .map_or_else(|| to_json_text(input).unwrap_or_default(), str::to_owned),
                        extra: private.map(|private| private.extra.clone()).unwrap_or_default(),
                    };
                    if let Some(response) = log.response(private) {
                        response.calls.push((&event.id, call));
                    }
                }
                EventBody::StatusIdle { .. } | EventBody::StatusTerminated {} | EventBody::Error { .. } => {}
            }
        }
        log
    }

    fn response(&mut self, private: Option<&super::Private>) -> Option<&mut Response<'a>> {
        let run = private.map_or(RunNumber::default(), |private| private.run);
        let response = self.turns.last_mut()?.responses.entry(run).or_default();
        if let Some(private) = private {
            response.reasoning = response.reasoning.take().or_else(|| private.reasoning.clone());
            response.kept = response.kept.take().or_else(|| private.kept.clone());
        }
        Some(response)
    }

    /// Adds a turn's messages. The page context goes along with the current turn's message only (K18).
    fn write(&self, turn: &Turn<'_>, current: bool, messages: &mut Vec<ModelMessage>) {
        let (content, context) = self.messages.get(turn.message).copied().unwrap_or_default();
        let mut text = Content::text(content);
        if let Some(items) = context.filter(|items| current && !items.is_empty()) {
            text.push_str("\n\n");
            text.push_str(&page_context::render(items));
        }
        messages.push(ModelMessage::User { id: turn.message.clone(), text });
        for response in turn.responses.values() {
            let calls: Vec<_> = response.calls.iter().map(|(_, call)| call.clone()).collect();
            messages.push(ModelMessage::Assistant {
                text: response.text.clone(),
                reasoning: response.reasoning.clone(),
                calls,
                kept: response.kept.clone(),
            });
            for (event, call) in &response.calls {
                let text = match self.results.get(event) {
                    Some((content, false)) => Content::text(content),
                    Some((content, true)) => ["Error: ", &Content::text(content)].concat(),
                    None => ["Error: ", words::NO_RESULT].concat(),
                };
                messages.push(ModelMessage::Tool { call_id: call.id.clone(), text });
            }
        }
        let answered =
            matches!(messages.last(), Some(ModelMessage::Assistant { calls, .. }) if calls.is_empty());
        if !current && !answered {
            let note = if turn.stopped { words::NOTHING_SAID_STOPPED } else { words::NOTHING_SAID_BROKEN };
            messages.push(ModelMessage::assistant(note, Vec::new()));
        }
    }
}

/// The name of a tool that was never declared, as providers accept it.
fn allowed_name(name: &str) -> String {
    let allowed = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    let name: String = name.chars().take(LONGEST_NAME).map(|c| if allowed(c) { c } else { '_' }).collect();
    if name.is_empty() { "_".to_owned() } else { name }
}
