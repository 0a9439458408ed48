//! A conversation as a request for its next message.

use serde_json::{Value, json};

use super::{CONTEXT_BUDGET, EmptyContent, Settings, kept};
use crate::protocol::JsonObject;
use crate::protocol::json_text::value_to_json_text;
use crate::service::model::{HttpRequest, ModelCall, ModelMessage, ModelRequest};

/// The request for the model's next message, streamed.
#[must_use]
pub fn request(settings: &Settings, request: &ModelRequest) -> HttpRequest {
    let budget = settings.context_budget.unwrap_or(CONTEXT_BUDGET);
    let mut messages = vec![json!({"role": "system", "content": request.instructions})];
    messages.extend(within(&request.messages, budget).iter().map(|message| write(settings, message)));
    let mut body = json!({"model": settings.model, "messages": messages, "stream": true});
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(|tool| tool.definition()).collect();
        if let Some(choice) = &settings.tool_choice {
            body["tool_choice"] = choice.clone();
        }
    }
    if let Some(temperature) = settings.temperature {
        body["temperature"] = temperature.into();
    }
    let mut headers = settings.headers.clone();
    headers.push(("accept".to_owned(), "text/event-stream, application/json".to_owned()));
    headers.push(("content-type".to_owned(), "application/json".to_owned()));
    let url = [settings.url.trim_end_matches('/'), "/chat/completions"].concat();
    HttpRequest { url, headers, body: value_to_json_text(&body) }
}

/// The latest turns that fit: the earliest are left out whole, so that no call is without its result. The turn that
/// runs stays.
fn within(messages: &[ModelMessage], budget: usize) -> &[ModelMessage] {
    let (mut start, mut bytes) = (messages.len(), 0);
    for (place, message) in messages.iter().enumerate().rev() {
        bytes += size(message);
        if matches!(message, ModelMessage::User { .. }) {
            if bytes > budget && start < messages.len() {
                break;
            }
            start = place;
        }
    }
    messages.get(start..).unwrap_or(messages)
}

/// About how many bytes a message has in a request.
fn size(message: &ModelMessage) -> usize {
    let more = match message {
        ModelMessage::Assistant { calls, .. } => {
            calls.iter().map(|call| 96 + call.name.len() + call.arguments.len()).sum()
        }
        _ => 0,
    };
    40 + message.text().len() + more
}

fn write(settings: &Settings, message: &ModelMessage) -> Value {
    match message {
        ModelMessage::User { text, .. } => json!({"role": "user", "content": text}),
        ModelMessage::Tool { call_id, text } => {
            json!({"role": "tool", "tool_call_id": call_id, "content": text})
        }
        ModelMessage::Assistant { text, calls, .. } if calls.is_empty() => {
            json!({"role": "assistant", "content": text})
        }
        ModelMessage::Assistant { text, reasoning, calls, kept } => {
            let empty = text.is_empty() && settings.empty_content == EmptyContent::Null;
            let content = if empty { Value::Null } else { text.as_str().into() };
            let mut message = json!({"role": "assistant", "content": content});
            // Back to the server that sent it, under the name that it has there.
            let member = kept.as_ref().and_then(|kept| kept.get(kept::REASONING)).and_then(Value::as_str);
            if let (Some(member), Some(reasoning)) = (member, reasoning) {
                message[member] = reasoning.as_str().into();
            }
            message["tool_calls"] = calls.iter().map(write_call).collect();
            message
        }
    }
}

fn write_call(call: &ModelCall) -> Value {
    let mut written = JsonObject::new();
    written.insert("id".to_owned(), call.id.as_str().into());
    written.insert("type".to_owned(), "function".into());
    written.insert("function".to_owned(), json!({"name": call.name, "arguments": call.arguments}));
    for (name, value) in &call.extra {
        written.entry(name.as_str()).or_insert_with(|| value.clone());
    }
    written.into()
}
