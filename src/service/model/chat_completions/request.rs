//! A conversation as a request for its next message.

use serde_json::Value;

use super::super::json::{object, set};
use super::{CONTEXT_BUDGET, EmptyContent, Settings, kept};
use crate::protocol::json_text::value_to_json_text;
use crate::service::model::{HttpRequest, ModelCall, ModelMessage, ModelRequest};

const ENDPOINT: &str = "/chat/completions";

/// The request for the model's next message, streamed.
#[must_use]
pub fn request(settings: &Settings, request: &ModelRequest) -> HttpRequest {
    let budget = settings.context_budget.unwrap_or(CONTEXT_BUDGET);
    let mut messages = vec![write("system", &request.instructions)];
    for message in within(&request.messages, budget) {
        messages.push(write_message(settings, message));
    }
    let mut body = object(&mut [
        ("model", settings.model.as_str().into()),
        ("messages", Value::Array(messages)),
        ("stream", true.into()),
    ]);
    if !request.tools.is_empty() {
        set(&mut body, "tools", request.tools.iter().map(|tool| tool.definition()).collect());
        if let Some(choice) = &settings.tool_choice {
            set(&mut body, "tool_choice", choice.clone());
        }
    }
    if let Some(temperature) = settings.temperature {
        set(&mut body, "temperature", temperature.into());
    }
    let mut headers = settings.headers.clone();
    headers.push(("accept".to_owned(), "text/event-stream, application/json".to_owned()));
    headers.push(("content-type".to_owned(), "application/json".to_owned()));
    let base = settings.url.trim_end_matches('/');
    let url = [base.strip_suffix(ENDPOINT).unwrap_or(base), ENDPOINT].concat();
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
        ModelMessage::Assistant { calls, reasoning, .. } if !calls.is_empty() => {
            let calls: usize = calls.iter().map(size_of_call).sum();
            calls + reasoning.as_ref().map_or(0, String::len)
        }
        _ => 0,
    };
    40 + message.text().len() + more
}

fn size_of_call(call: &ModelCall) -> usize {
    let mut size = 96 + call.name.len() + call.arguments.len();
    for (name, value) in &call.extra {
        size += name.len() + value_to_json_text(value).len();
    }
    size
}

fn write(role: &str, text: &str) -> Value {
    object(&mut [("role", role.into()), ("content", text.into())])
}

fn write_message(settings: &Settings, message: &ModelMessage) -> Value {
    match message {
        ModelMessage::User { text, .. } => write("user", text),
        ModelMessage::Tool { call_id, text } => {
            let mut message = write("tool", text);
            set(&mut message, "tool_call_id", call_id.as_str().into());
            message
        }
        ModelMessage::Assistant { text, reasoning, calls, kept } => {
            let mut message = write("assistant", text);
            if calls.is_empty() {
                return message;
            }
            if text.is_empty() && settings.empty_content == EmptyContent::Null {
                set(&mut message, "content", Value::Null);
            }
            // Back to the server that sent it, under the name that it has there.
            let name = kept.as_ref().and_then(|kept| kept.get(kept::REASONING)).and_then(Value::as_str);
            if let (Some(name), Some(reasoning)) = (name, reasoning) {
                set(&mut message, name, reasoning.as_str().into());
            }
            set(&mut message, "tool_calls", calls.iter().map(write_call).collect());
            message
        }
    }
}

fn write_call(call: &ModelCall) -> Value {
    let members = &mut [("name", call.name.as_str().into()), ("arguments", call.arguments.as_str().into())];
    let function = object(members);
    let mut written =
        object(&mut [("id", call.id.as_str().into()), ("type", "function".into()), ("function", function)]);
    // Members that are known here were never taken for others.
    for (name, value) in &call.extra {
        set(&mut written, name, value.clone());
    }
    written
}
