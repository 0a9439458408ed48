//! A conversation as the `RunAgentInput` that an agent is sent.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::json::{list, member, object, set, text};
use super::{Settings, interrupt, kept};
use crate::protocol::json_text::value_to_json_text;
use crate::protocol::{JsonObject, Timestamp};
use crate::service::model::{HttpRequest, ModelCall, ModelMessage, ModelRequest};
use crate::service::words;

/// The protocol version that is spoken.
const VERSION: &str = "1.0";

/// The request that starts a run at the time `now`.
///
/// The instructions go along where the page's author wrote some: an agent has its own, and needs no default. Page
/// context is part of the person's message already (K18), for servers drop `context`.
#[must_use]
pub fn request(settings: &Settings, request: &ModelRequest, now: Timestamp) -> HttpRequest {
    let mut tools = Vec::with_capacity(request.tools.len());
    for tool in &request.tools {
        tools.push(object(&mut [
            ("name", tool.name.as_str().into()),
            ("description", tool.description.as_str().into()),
            ("parameters", tool.parameters()),
        ]));
    }
    let mut input = object(&mut [
        ("threadId", request.session.as_str().into()),
        ("runId", run_id(request).into()),
        ("protocolVersion", VERSION.into()),
        ("state", state(request)),
        ("messages", Value::Array(messages(request))),
        ("tools", Value::Array(tools)),
        ("context", Value::Array(Vec::new())),
        ("forwardedProps", object(&mut [])),
    ]);
    let interrupts = open_interrupts(request);
    if !interrupts.is_empty() {
        set(&mut input, "resume", interrupt::resume(interrupts, said(request), now));
    }
    let mut headers = settings.headers.clone();
    headers.push(("accept".to_owned(), "text/event-stream".to_owned()));
    headers.push(("content-type".to_owned(), "application/json".to_owned()));
    HttpRequest { url: settings.url.clone(), headers, body: value_to_json_text(&input) }
}

/// The run's id: no two runs of a session have the same.
pub(super) fn run_id(request: &ModelRequest) -> String {
    [request.session.as_str(), "_run_", &request.run.0.to_string()].concat()
}

/// What the person said last, without the page's context.
pub(super) fn said(request: &ModelRequest) -> &str {
    let said = request.said();
    said.rsplit_once("\n\n<page_context untrusted=").map_or(said, |(said, _)| said)
}

/// The agent's state, as its last run left it.
pub(super) fn state(request: &ModelRequest) -> Value {
    let state = last_kept(request).and_then(|kept| kept.get(kept::STATE));
    state.cloned().unwrap_or_else(|| object(&mut []))
}

/// What the agent waits for: what its last run said, for a run that breaks off answers nothing.
pub(super) fn open_interrupts(request: &ModelRequest) -> &[Value] {
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
/// after its call. A call without a result has one here, that says so, unless the agent waits to run it. Ids that an
/// agent has used again are told apart: strict servers refuse them, and others take the later for the earlier.
#[inline(never)]
pub(super) fn messages(request: &ModelRequest) -> Vec<Value> {
    let mut messages = Vec::new();
    let instructions = &request.instructions;
    let instructions = instructions.strip_prefix(words::INSTRUCTIONS).unwrap_or(instructions).trim();
    if !instructions.is_empty() {
        messages.push(write("instructions", "system", instructions));
    }
    let mut results = Vec::new();
    let mut turn = "";
    for (place, message) in request.messages.iter().enumerate() {
        match message {
            ModelMessage::User { id, text } => {
                turn = id.as_str();
                messages.push(write(turn, "user", text));
            }
            ModelMessage::Assistant { kept: Some(kept), calls, .. } => {
                write_run(kept, calls, &mut messages, &mut results);
            }
            ModelMessage::Assistant { text, calls, .. } => {
                let mut message = write(&[turn, "_", &place.to_string()].concat(), "assistant", text);
                if !calls.is_empty() {
                    let written = |call| write_call(call, object(&mut [("type", "function".into())]));
                    set(&mut message, "toolCalls", calls.iter().map(written).collect());
                }
                messages.push(message);
            }
            ModelMessage::Tool { call_id, text } => {
                let mut result = result(call_id, text);
                if let Some(error) = text.strip_prefix("Error: ") {
                    set(&mut result, "error", error.into());
                }
                results.push((messages.len(), result));
            }
        }
    }
    with_results(messages, results, open_interrupts(request))
}

fn write(id: &str, role: &str, text: &str) -> Value {
    object(&mut [("id", id.into()), ("role", role.into()), ("content", text.into())])
}

/// A run's messages; the page's calls as the session has them, for ids are unique and arguments whole there.
fn write_run(
    kept: &JsonObject,
    calls: &[ModelCall],
    messages: &mut Vec<Value>,
    results: &mut Vec<(usize, Value)>,
) {
    let members = |name| kept.get(name).and_then(Value::as_array).into_iter().flatten();
    let mut calls = members(kept::CALLS).zip(calls).peekable();
    for message in members(kept::MESSAGES) {
        let mut message = message.clone();
        if text(&message, "role") == "tool" {
            results.push((messages.len(), message));
            continue;
        }
        for call in message.get_mut("toolCalls").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some((_, ours)) = calls.next_if(|(given, _)| *given == member(call, "id")) {
                *call = write_call(ours, call.take());
            }
        }
        messages.push(message);
    }
}

fn write_call(call: &ModelCall, mut written: Value) -> Value {
    let members = &mut [("name", call.name.as_str().into()), ("arguments", call.arguments.as_str().into())];
    set(&mut written, "id", call.id.as_str().into());
    set(&mut written, "function", object(members));
    written
}

fn result(call: &str, text: &str) -> Value {
    let mut result = write(&["result_", call].concat(), "tool", text);
    set(&mut result, "toolCallId", call.into());
    result
}

/// Puts each result after its call: the last call of its id that is open among the messages that were there before it.
fn with_results(messages: Vec<Value>, results: Vec<(usize, Value)>, waits: &[Value]) -> Vec<Value> {
    let mut answers: Vec<Vec<Answer>> = messages
        .iter()
        .map(|message| list(message, "toolCalls").iter().map(|_| Answer::None).collect())
        .collect();
    for (before, result) in results {
        let id = text(&result, "toolCallId").to_owned();
        let before = messages.get(..before).unwrap_or_default();
        let place = open_call(before, &id, &mut answers);
        let place = if place.is_some() { place } else { open_call(&messages, &id, &mut answers) };
        if let Some(place) = place {
            *place = Answer::Given(result);
        }
    }
    for interrupt in waits {
        if let Some(place) = open_call(&messages, text(interrupt, "toolCallId"), &mut answers) {
            *place = Answer::Awaited;
        }
    }
    let (mut paired, mut ids, mut call_ids) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for (mut message, answers) in messages.into_iter().zip(answers) {
        let mut after = Vec::new();
        make_unique(&mut message, &mut ids);
        let calls = message.get_mut("toolCalls").and_then(Value::as_array_mut).into_iter().flatten();
        for (call, answer) in calls.zip(answers) {
            make_unique(call, &mut call_ids);
            let id = text(call, "id");
            let mut answer = match answer {
                Answer::Given(result) => result,
                Answer::None => result(id, words::NO_RESULT),
                Answer::Awaited => continue,
            };
            set(&mut answer, "toolCallId", id.into());
            make_unique(&mut answer, &mut ids);
            after.push(answer);
        }
        paired.push(message);
        paired.append(&mut after);
    }
    paired
}

/// What a call has been answered.
enum Answer {
    None,
    Given(Value),
    /// The agent itself will answer it.
    Awaited,
}

/// Where the answer of a call belongs that has none.
fn open_call<'a>(messages: &[Value], id: &str, answers: &'a mut [Vec<Answer>]) -> Option<&'a mut Answer> {
    messages.iter().zip(answers).rev().find_map(|(message, answers)| {
        let mut calls = list(message, "toolCalls").iter().zip(answers);
        calls
            .find(|(call, answer)| text(call, "id") == id && matches!(answer, Answer::None))
            .map(|(_, answer)| answer)
    })
}

/// Gives a message or a call an id of its own, where another has the one that it has.
fn make_unique(value: &mut Value, taken: &mut BTreeSet<String>) {
    let given = text(value, "id").to_owned();
    let mut id = given.clone();
    let mut number = 1;
    while id.is_empty() || taken.contains(&id) {
        number += 1;
        id = [&given, "_", &number.to_string()].concat();
    }
    if id != given {
        set(value, "id", id.as_str().into());
    }
    taken.insert(id);
}
