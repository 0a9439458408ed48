//! The messages that a run adds to the conversation, in the form in which they go back.

use serde_json::Value;

use super::super::json::{list, member, object, set, text};
use crate::service::model::halves::Halves;

/// How many messages and calls a run has at most: each is looked for among all of them.
const MOST: usize = 1000;

/// The messages of a run, oldest first.
#[derive(Debug, Default)]
pub(super) struct RunMessages {
    list: Vec<Value>,
    /// The calls, in the order in which they were begun.
    calls: Vec<Begun>,
}

/// A call that was begun, and where it is.
#[derive(Debug)]
struct Begun {
    /// The id that the agent gave it; in the message it has another one where an earlier call of the run has that.
    given: String,
    message: usize,
    /// Its place among the message's calls.
    call: usize,
}

impl RunMessages {
    /// Begins a message of a role, which holds a text.
    pub(super) fn begin(&mut self, id: &str, role: &str, event: &Value) {
        let mut message = object(&mut [("id", id.into()), ("role", role.into())]);
        for name in ["name", "subagentRunId", "metadata"] {
            let value = member(event, name);
            if !value.is_null() {
                set(&mut message, name, value.clone());
            }
        }
        set(&mut message, "content", "".into());
        self.list.push(message);
    }

    /// Whether there are more than a run may have.
    pub(super) fn are_too_many(&self) -> bool {
        self.list.len() + self.calls.len() > MOST
    }

    /// Whether the message is there.
    pub(super) fn has(&self, id: &str) -> bool {
        self.list.iter().any(|message| text(message, "id") == id)
    }

    /// Whether the message is one of the agent's.
    pub(super) fn is_answer(&self, id: &str) -> bool {
        let message = self.list.iter().rfind(|message| text(message, "id") == id);
        message.is_some_and(|message| text(message, "role") == "assistant")
    }

    /// Adds to a message's text; says whether the message is there.
    pub(super) fn append(&mut self, id: &str, delta: &str) -> bool {
        push_str(self.message(id).and_then(|message| message.get_mut("content")), delta)
    }

    /// Begins a call: in the message that is named, where that is the agent's, or in one of its own.
    pub(super) fn begin_call(&mut self, id: &str, name: &str, parent: Option<&str>, event: &Value) {
        let parent = parent.filter(|parent| self.is_answer(parent) || !self.has(parent)).unwrap_or(id);
        if !self.is_answer(parent) {
            self.begin(parent, "assistant", &Value::Null);
        }
        let function = object(&mut [("name", name.into()), ("arguments", "".into())]);
        let mut own = id.to_owned();
        let mut number = self.calls.len();
        while self.calls().any(|call| text(call, "id") == own) {
            number += 1;
            own = [id, "_", &number.to_string()].concat();
        }
        let mut call = object(&mut [("id", own.into()), ("type", "function".into()), ("function", function)]);
        let metadata = member(event, "metadata");
        if metadata.is_object() {
            set(&mut call, "metadata", metadata.clone());
        }
        let place = self.list.iter().rposition(|message| text(message, "id") == parent).unwrap_or_default();
        if let Some(message) = self.list.get_mut(place) {
            let place =
                Begun { given: id.to_owned(), message: place, call: list(message, "toolCalls").len() };
            self.calls.push(place);
            match message.get_mut("toolCalls") {
                Some(Value::Array(calls)) => calls.push(call),
                _ => set(message, "toolCalls", Value::Array(vec![call])),
            }
        }
    }

    /// Adds to a call's arguments; says whether the call is there.
    pub(super) fn append_arguments(&mut self, id: &str, delta: &str) -> bool {
        push_str(self.call(id).and_then(|call| call.get_mut("function")?.get_mut("arguments")), delta)
    }

    /// Adds what a tool of the agent's gave back.
    pub(super) fn result(&mut self, id: &str, call: &str, content: &Value) {
        let given =
            self.calls.iter().rev().filter(|begun| begun.given == call).filter_map(|begun| self.at(begun));
        let open = given.map(|given| text(given, "id")).find(|given| !self.has_result(given));
        let call = Value::from(open.unwrap_or(call));
        self.list.push(object(&mut [
            ("id", id.into()),
            ("role", "tool".into()),
            ("toolCallId", call),
            ("content", content.clone()),
        ]));
    }

    /// Sets the provider's opaque part of a message or of a call.
    pub(super) fn set_encrypted(&mut self, is_call: bool, id: &str, encrypted: &str) {
        let place = if is_call { self.call(id) } else { self.message(id) };
        if let Some(place) = place {
            set(place, "encryptedValue", encrypted.into());
        }
    }

    /// Takes over a message of a snapshot, in the place of the one with its id.
    pub(super) fn put(&mut self, id: &str, message: &Value) {
        match self.message(id) {
            Some(place) => *place = message.clone(),
            None => self.list.push(message.clone()),
        }
    }

    /// The calls without a result.
    pub(super) fn unanswered(&self) -> impl Iterator<Item = &Value> {
        self.calls().filter(|call| !self.has_result(text(call, "id")))
    }

    /// The id that the agent gave to the call that has this one.
    pub(super) fn given<'a>(&'a self, id: &'a str) -> &'a str {
        let is_it = |begun: &&Begun| self.at(begun).is_some_and(|call| text(call, "id") == id);
        self.calls.iter().find(is_it).map_or(id, |begun| &begun.given)
    }

    fn calls(&self) -> impl Iterator<Item = &Value> {
        self.list.iter().flat_map(|message| list(message, "toolCalls"))
    }

    fn has_result(&self, call: &str) -> bool {
        self.list.iter().any(|message| text(message, "toolCallId") == call)
    }

    fn at(&self, begun: &Begun) -> Option<&Value> {
        list(self.list.get(begun.message)?, "toolCalls").get(begun.call)
    }

    /// Puts together what came in the middle of a character, when no more comes.
    pub(super) fn join_halves(&mut self) {
        self.list.iter_mut().for_each(Halves::join_in);
    }

    /// The messages as they go back: those that say something.
    pub(super) fn into_json(self) -> Value {
        let said =
            |message: &Value| !list(message, "toolCalls").is_empty() || member(message, "content") != "";
        self.list.into_iter().filter(said).collect()
    }

    fn message(&mut self, id: &str) -> Option<&mut Value> {
        self.list.iter_mut().rfind(|message| text(message, "id") == id)
    }

    /// The call of this id that was begun last.
    fn call(&mut self, id: &str) -> Option<&mut Value> {
        let begun = self.calls.iter().rfind(|begun| begun.given == id)?;
        self.list.get_mut(begun.message)?.get_mut("toolCalls")?.get_mut(begun.call)
    }
}

fn push_str(place: Option<&mut Value>, delta: &str) -> bool {
    match place {
        Some(Value::String(text)) => text.push_str(delta),
        _ => return false,
    }
    true
}
