//! Builds the transcript as events come: what changed is a new entry, all else stays what it was.
//!
//! Entries stand in the order of the turns: a message that waits for the running turn's end stays below what
//! that turn still brings, and takes its place when its own turn begins. So a transcript that was
//! watched equals one that is read from the history.

use std::rc::Rc;

use crate::kit::transcript::{Connection, Entry, EntryKind, ToolCallStatus, Transcript};
use crate::protocol::json_text::to_json_text;
use crate::protocol::{EventId, JsonObject, MessageStop};

/// A message of the person whose turn has not begun. Those that the log has come first.
#[derive(Debug)]
struct Pending {
    key: Rc<str>,
    logged: bool,
}

/// The transcript, and what its growth needs to know.
#[derive(Debug)]
pub(super) struct TranscriptBuilder {
    shown: Rc<Transcript>,
    /// The entries at the end, in their order.
    pending: Vec<Pending>,
    /// The message that streams, or has begun to.
    preview: Option<EventId>,
}

impl Default for TranscriptBuilder {
    fn default() -> Self {
        let shown = Transcript { writable: true, ..Transcript::default() };
        Self { shown: Rc::new(shown), pending: Vec::new(), preview: None }
    }
}

impl TranscriptBuilder {
    pub(super) fn current(&self) -> Rc<Transcript> {
        Rc::clone(&self.shown)
    }

    /// Whether a message waits for its turn.
    pub(super) fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Sets what is not an entry.
    pub(super) fn stand(&mut self, connection: Connection, running: bool, writable: bool) {
        let shown = &self.shown;
        if (&shown.connection, shown.running, shown.writable) != (&connection, running, writable) {
            let shown = Rc::make_mut(&mut self.shown);
            (shown.connection, shown.running, shown.writable) = (connection, running, writable);
        }
    }

    /// Sets why the answer is tried for again.
    pub(super) fn retries(&mut self, why: Option<&str>) {
        if self.shown.retrying.as_deref() != why {
            Rc::make_mut(&mut self.shown).retrying = why.map(Rc::from);
        }
    }

    fn entries(&mut self) -> &mut Vec<Rc<Entry>> {
        &mut Rc::make_mut(&mut self.shown).entries
    }

    fn find(&self, key: &str) -> Option<usize> {
        self.shown.entries.iter().rposition(|entry| *entry.key == *key)
    }

    /// Changes an entry, if it is there.
    fn change(&mut self, key: &str, change: impl FnOnce(&mut EntryKind)) {
        if let Some(entry) = self.find(key).and_then(|at| self.entries().get_mut(at)) {
            change(&mut Rc::make_mut(entry).kind);
        }
    }

    fn remove(&mut self, key: &str) {
        if let Some(at) = self.find(key) {
            self.entries().remove(at);
        }
    }

    /// Adds what the running turn, or no turn, brings.
    fn add(&mut self, key: &str, kind: EntryKind) {
        self.insert(self.pending.len(), key.into(), kind);
    }

    fn insert(&mut self, from_end: usize, key: Rc<str>, kind: EntryKind) {
        let entries = self.entries();
        let at = entries.len().saturating_sub(from_end);
        entries.insert(at, Rc::new(Entry { key, kind }));
    }

    /// The person's message, on its way.
    pub(super) fn sending(&mut self, key: Rc<str>, text: &str) {
        self.insert(0, Rc::clone(&key), EntryKind::User { text: text.into(), stored: false });
        self.pending.push(Pending { key, logged: false });
    }

    /// It came back as a draft.
    pub(super) fn unsent(&mut self, key: &str) {
        self.pending.retain(|pending| *pending.key != *key);
        self.remove(key);
    }

    /// The service says that it has it; the log will show where.
    pub(super) fn confirmed(&mut self, key: &str) {
        self.change(key, |kind| {
            if let EntryKind::User { stored, .. } = kind {
                *stored = true;
            }
        });
    }

    /// The log has a message of the person. `sent` is the key under which it may be known.
    pub(super) fn user_message(&mut self, id: &EventId, sent: Option<&str>, text: &str) {
        let mine = |pending: &Pending| !pending.logged && sent.is_some_and(|sent| *pending.key == *sent);
        let mut key = Rc::from(id.as_str());
        if let Some(at) = self.pending.iter().position(mine) {
            key = self.pending.remove(at).key;
            self.remove(&key);
        }
        let logged = self.pending.iter().filter(|pending| pending.logged).count();
        self.insert(
            self.pending.len() - logged,
            Rc::clone(&key),
            EntryKind::User { text: text.into(), stored: true },
        );
        self.pending.insert(logged, Pending { key, logged: true });
    }

    /// A turn begins, with the message that has waited longest.
    pub(super) fn turn_begins(&mut self) {
        if self.pending.first().is_some_and(|pending| pending.logged) {
            self.pending.remove(0);
        }
    }

    /// A message begins to be written. One that had begun before will not be ended.
    pub(super) fn preview_begins(&mut self, id: EventId) {
        if self.preview.as_ref() != Some(&id) {
            self.drop_preview();
            let kind = EntryKind::Agent { text: "".into(), streaming: true, stop: None };
            self.add(id.as_str(), kind);
            self.preview = Some(id);
        }
    }

    /// More of the message that is being written; without its start there is nothing to add it to.
    pub(super) fn preview_grows(&mut self, id: &EventId, more: &str) {
        if self.preview.as_ref() == Some(id) {
            self.change(id.as_str(), |kind| {
                if let EntryKind::Agent { text, .. } = kind {
                    *text = [text.as_ref(), more].concat().into();
                }
            });
        }
    }

    /// What was being written will not be ended.
    pub(super) fn drop_preview(&mut self) {
        if let Some(id) = self.preview.take() {
            self.remove(id.as_str());
        }
    }

    /// The log has a message of the agent, which replaces its preview.
    pub(super) fn agent_message(&mut self, id: &EventId, text: &str, stop: Option<MessageStop>) {
        if self.preview.as_ref() == Some(id) {
            self.drop_preview();
        }
        self.add(id.as_str(), EntryKind::Agent { text: text.into(), streaming: false, stop });
    }

    /// The log has a call of a client tool.
    pub(super) fn call(&mut self, id: &EventId, name: &str, input: &JsonObject) {
        let kind = EntryKind::ToolCall {
            id: id.clone(),
            name: name.into(),
            input: to_json_text(input).unwrap_or_default().into(),
            status: ToolCallStatus::Start,
            result: None,
        };
        self.add(id.as_str(), kind);
    }

    /// A call of a client tool got on.
    pub(super) fn call_status(&mut self, id: &EventId, now: ToolCallStatus, text: Option<&str>) {
        self.change(id.as_str(), |kind| {
            if let EntryKind::ToolCall { status, result, .. } = kind {
                *status = now;
                *result = text.map(Rc::from);
            }
        });
    }

    /// The log has a call of a tool of the service.
    pub(super) fn service_tool(&mut self, id: &EventId, name: &str) {
        let kind = EntryKind::ServiceTool { name: name.into(), is_error: None, result: None };
        self.add(id.as_str(), kind);
    }

    /// It ended.
    pub(super) fn service_tool_ended(&mut self, id: &EventId, text: &str, failed: bool) {
        self.change(id.as_str(), |kind| {
            if let EntryKind::ServiceTool { is_error, result, .. } = kind {
                *is_error = Some(failed);
                *result = Some(text.into());
            }
        });
    }

    /// Something went wrong in the turn.
    pub(super) fn error(&mut self, id: &EventId, message: &str) {
        self.add(id.as_str(), EntryKind::Error { message: message.into() });
    }
}
