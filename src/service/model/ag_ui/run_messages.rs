//! The messages that a run adds to the conversation, in the form in which they go back.

use serde_json::{Value, json};

use crate::protocol::JsonObject;

/// The messages of a run, oldest first.
#[derive(Debug, Default)]
pub(super) struct RunMessages(Vec<JsonObject>);

impl RunMessages {
    /// Begins a message of a role, which holds a text.
    pub(super) fn begin(&mut self, id: &str, role: &str, event: &Value) {
        let mut message = JsonObject::new();
        message.insert("id".to_owned(), id.into());
        message.insert("role".to_owned(), role.into());
        for name in ["name", "subagentRunId", "metadata"] {
            if let Some(value) = event.get(name).filter(|value| !value.is_null()) {
                message.insert(name.to_owned(), value.clone());
            }
        }
        message.insert("content".to_owned(), "".into());
        self.0.push(message);
    }

    /// Whether the message is there.
    pub(super) fn has(&self, id: &str) -> bool {
        self.0.iter().any(|message| is_of(message, id))
    }

    /// Whether the message is one of the agent's.
    pub(super) fn is_answer(&self, id: &str) -> bool {
        self.0
            .iter()
            .rfind(|message| is_of(message, id))
            .is_some_and(|message| has_role(message, "assistant"))
    }

    /// Adds to a message's text; says whether the message is there.
    pub(super) fn append(&mut self, id: &str, delta: &str) -> bool {
        match self.message(id).and_then(|message| message.get_mut("content")) {
            Some(Value::String(text)) => text.push_str(delta),
            _ => return false,
        }
        true
    }

    /// Begins a call: in the message that is named, or in one of its own.
    pub(super) fn begin_call(&mut self, id: &str, name: &str, parent: Option<&str>, event: &Value) {
        let parent = parent.unwrap_or(id);
        if !self.is_answer(parent) {
            self.begin(parent, "assistant", &Value::Null);
        }
        let mut call = json!({"id": id, "type": "function", "function": {"name": name, "arguments": ""}});
        if let Some(metadata) = event.get("metadata").filter(|metadata| metadata.is_object()) {
            call["metadata"] = metadata.clone();
        }
        if let Some(message) = self.message(parent) {
            let calls = message.entry("toolCalls").or_insert_with(|| json!([]));
            if let Some(calls) = calls.as_array_mut() {
                calls.push(call);
            }
        }
    }

    /// Adds to a call's arguments; says whether the call is there.
    pub(super) fn append_arguments(&mut self, id: &str, delta: &str) -> bool {
        match self.call(id).and_then(|call| call.pointer_mut("/function/arguments")) {
            Some(Value::String(arguments)) => arguments.push_str(delta),
            _ => return false,
        }
        true
    }

    /// Adds what a tool of the agent's gave back.
    pub(super) fn result(&mut self, id: &str, call: &str, content: &Value) {
        let message = json!({"id": id, "role": "tool", "toolCallId": call, "content": content});
        if let Value::Object(message) = message {
            self.0.push(message);
        }
    }

    /// Sets the provider's opaque part of a message or of a call.
    pub(super) fn set_encrypted(&mut self, is_call: bool, id: &str, encrypted: &str) {
        let name = "encryptedValue".to_owned();
        if is_call {
            if let Some(Value::Object(call)) = self.call(id) {
                call.insert(name, encrypted.into());
            }
        } else if let Some(message) = self.message(id) {
            message.insert(name, encrypted.into());
        }
    }

    /// Takes over a message of a snapshot, in the place of the one with its id.
    pub(super) fn put(&mut self, id: &str, message: JsonObject) {
        match self.message(id) {
            Some(place) => *place = message,
            None => self.0.push(message),
        }
    }

    /// The calls without a result: id, name and arguments.
    pub(super) fn unanswered(&self) -> Vec<(&str, &str, &str)> {
        let is_result = |message: &&JsonObject, id: &str| text_of(message.get("toolCallId")) == id;
        let calls = self.0.iter().flat_map(calls_of);
        calls
            .map(|call| {
                let function = |name| text_of(call.get("function").and_then(|function| function.get(name)));
                (text_of(call.get("id")), function("name"), function("arguments"))
            })
            .filter(|(id, ..)| !self.0.iter().any(|message| is_result(&message, id)))
            .collect()
    }

    /// The messages as they go back: those that say something.
    pub(super) fn into_json(self) -> Value {
        let said = |message: &JsonObject| {
            message.contains_key("toolCalls") || message.get("content").is_some_and(|content| content != "")
        };
        self.0.into_iter().filter(said).map(Value::Object).collect()
    }

    fn message(&mut self, id: &str) -> Option<&mut JsonObject> {
        self.0.iter_mut().rfind(|message| is_of(message, id))
    }

    fn call(&mut self, id: &str) -> Option<&mut Value> {
        let lists =
            self.0.iter_mut().rev().filter_map(|message| message.get_mut("toolCalls")?.as_array_mut());
        lists.flat_map(|calls| calls.iter_mut().rev()).find(|call| text_of(call.get("id")) == id)
    }
}

/// The calls that a message made.
pub(super) fn calls_of(message: &JsonObject) -> impl Iterator<Item = &Value> {
    message.get("toolCalls").and_then(Value::as_array).into_iter().flatten()
}

/// A member's text; nothing where there is none.
pub(super) fn text_of(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

fn is_of(message: &JsonObject, id: &str) -> bool {
    text_of(message.get("id")) == id
}

pub(super) fn has_role(message: &JsonObject, role: &str) -> bool {
    text_of(message.get("role")) == role
}
