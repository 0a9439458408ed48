//! A conversation as the `RunAgentInput` that an agent is sent.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::run_messages::{calls_of, has_role, text_of};
use super::{Settings, interrupt, kept};
use crate::protocol::JsonObject;
use crate::protocol::json_text::value_to_json_text;
use crate::service::model::{HttpRequest, ModelCall, ModelMessage, ModelRequest};
use crate::service::words;

/// The protocol version that is spoken.
const VERSION: &str = "1.0";

/// The request that starts a run.
///
/// The instructions go along where the page's author wrote some: an agent has its own, and needs no default. Page context is part
/// of the person's message already (K18), for servers drop `context`.
#[must_use]
pub fn request(settings: &Settings, request: &ModelRequest) -> HttpRequest {
    let tools: Value = request
        .tools
        .iter()
        .map(|tool| {
            let parameters = tool.definition()["function"]["parameters"].take();
            json!({"name": tool.name.as_str(), "description": tool.description, "parameters": parameters})
        })
        .collect();
    let mut input = json!({
        "threadId": request.session.as_str(),
        "runId": run_id(request),
        "protocolVersion": VERSION,
        "state": state(request),
        "messages": messages(request),
        "tools": tools,
        "context": [],
        "forwardedProps": {},
    });
    let interrupts = open_interrupts(request);
    if !interrupts.is_empty() {
        input["resume"] = interrupt::resume(interrupts, said(request));
    }
    let mut headers = settings.headers.clone();
    headers.push(("accept".to_owned(), "text/event-stream".to_owned()));
    headers.push(("content-type".to_owned(), "application/json".to_owned()));
    HttpRequest { url: settings.url.clone(), headers, body: value_to_json_text(&input) }
}

/// The run's id: no two runs of a session have the same.
pub(super) fn run_id(request: &ModelRequest) -> String {
    format!("{}_run_{}", request.session, request.run.0)
}

/// What the person said last, without the page's context.
pub(super) fn said(request: &ModelRequest) -> &str {
    let said = request.messages.iter().rev().find_map(|message| match message {
        ModelMessage::User { text, .. } => Some(text.as_str()),
        _ => None,
    });
    let said = said.unwrap_or_default();
    said.rsplit_once("\n\n<page_context untrusted=").map_or(said, |(said, _)| said)
}

/// The agent's state, as its last run left it.
pub(super) fn state(request: &ModelRequest) -> Value {
    last_kept(request).and_then(|kept| kept.get(kept::STATE)).cloned().unwrap_or_else(|| json!({}))
}

/// What the agent waits for: what its last run said, for a run that breaks off answers nothing.
fn open_interrupts(request: &ModelRequest) -> &[Value] {
    let interrupts = last_kept(request).and_then(|kept| kept.get(kept::INTERRUPTS));
    interrupts.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn last_kept(request: &ModelRequest) -> Option<&JsonObject> {
    request.messages.iter().rev().find_map(|message| match message {
        ModelMessage::Assistant { kept, .. } => kept.as_ref(),
        _ => None,
    })
}

/// The conversation as the agent is sent it: with the runs' messages as the agent wrote them, and each result right
/// after its call. A call without a result has one here, that says so, unless the agent waits to run it.
pub(super) fn messages(request: &ModelRequest) -> Vec<Value> {
    let mut messages = Vec::new();
    let instructions =
        request.instructions.strip_prefix(words::INSTRUCTIONS).unwrap_or(&request.instructions).trim();
    if !instructions.is_empty() {
        messages.push(json!({"id": "instructions", "role": "system", "content": instructions}));
    }
    let mut results = BTreeMap::new();
    let mut turn = "";
    for (place, message) in request.messages.iter().enumerate() {
        match message {
            ModelMessage::User { id, text } => {
                turn = id.as_str();
                messages.push(json!({"id": turn, "role": "user", "content": text}));
            }
            ModelMessage::Assistant { kept: Some(kept), calls, .. } => {
                write_run(kept, calls, &mut messages, &mut results);
            }
            ModelMessage::Assistant { text, calls, .. } => {
                let id = [turn, "_", &place.to_string()].concat();
                let mut message = json!({"id": id, "role": "assistant", "content": text});
                if !calls.is_empty() {
                    message["toolCalls"] =
                        calls.iter().map(|call| write_call(call, json!({"type": "function"}))).collect();
                }
                messages.push(message);
            }
            ModelMessage::Tool { call_id, text } => {
                let mut result = result(call_id, text);
                if let Some(error) = text.strip_prefix("Error: ") {
                    result["error"] = error.into();
                }
                results.insert(call_id.clone(), result);
            }
        }
    }
    let waits: Vec<&str> =
        open_interrupts(request).iter().map(|interrupt| text_of(interrupt.get("toolCallId"))).collect();
    with_results(messages, results, &waits)
}

/// A run's messages; the page's calls as the session has them, for ids are unique and arguments whole there.
fn write_run(
    kept: &JsonObject,
    calls: &[ModelCall],
    messages: &mut Vec<Value>,
    results: &mut BTreeMap<String, Value>,
) {
    let given = kept.get(kept::CALLS).and_then(Value::as_array).into_iter().flatten();
    let mut calls = given.zip(calls).peekable();
    for message in kept.get(kept::MESSAGES).and_then(Value::as_array).into_iter().flatten() {
        if message.as_object().is_some_and(|message| has_role(message, "tool")) {
            results.insert(text_of(message.get("toolCallId")).to_owned(), message.clone());
            continue;
        }
        let mut message = message.clone();
        for call in message.get_mut("toolCalls").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some((_, ours)) = calls.next_if(|(given, _)| Some(*given) == call.get("id")) {
                *call = write_call(ours, call.take());
            }
        }
        messages.push(message);
    }
}

fn write_call(call: &ModelCall, mut written: Value) -> Value {
    written["id"] = call.id.as_str().into();
    written["function"] = json!({"name": call.name, "arguments": call.arguments});
    written
}

fn result(call: &str, text: &str) -> Value {
    let id = ["result_", call].concat();
    json!({"id": id, "role": "tool", "toolCallId": call, "content": text})
}

fn with_results(messages: Vec<Value>, mut results: BTreeMap<String, Value>, waits: &[&str]) -> Vec<Value> {
    let mut paired = Vec::with_capacity(messages.len() + results.len());
    for message in messages {
        let calls: Vec<String> = message
            .as_object()
            .into_iter()
            .flat_map(calls_of)
            .map(|call| text_of(call.get("id")).to_owned())
            .collect();
        paired.push(message);
        for call in calls {
            match results.remove(&call) {
                Some(result) => paired.push(result),
                None if waits.contains(&call.as_str()) => {}
                None => paired.push(result(&call, words::NO_RESULT)),
            }
        }
    }
    paired
}
