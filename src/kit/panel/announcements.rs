//! What a reader of the screen is told while a conversation goes on.
//!
//! Each finished message of the agent once, not its every piece; each call of a tool as it starts and as it ends.
//! What was there when a conversation was opened is not told. Of the connection it is told when it is lost for
//! longer than moments, and then when it is back; of an answer, when it is tried for again. A state machine without I/O: it must not know
//! live regions.

use std::collections::HashMap;
use std::rc::Rc;

use super::markdown::plain_text;
use super::words::Words;
use crate::kit::transcript::{Connection, Entry, EntryKind, ToolCallStatus, Transcript};
use crate::protocol::SessionId;

/// How much of an entry was told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Told {
    Start,
    End,
}

/// Compares each transcript with what was told.
#[derive(Default)]
pub struct Announcements {
    told: HashMap<Rc<str>, Told>,
    before: Option<(Option<SessionId>, Rc<Transcript>)>,
    /// What was told of a connection that is not back yet.
    trouble: Option<&'static str>,
}

impl Announcements {
    /// What to say now, in order.
    pub fn observe(
        &mut self,
        session: Option<&SessionId>,
        transcript: &Rc<Transcript>,
        words: &Words,
    ) -> Vec<String> {
        let before = self.before.replace((session.cloned(), transcript.clone()));
        let silent = before.as_ref().is_none_or(|(session_before, before)| {
            let first_key =
                |transcript: &Transcript| transcript.entries.first().map(|entry| entry.key.clone());
            // The first message of a new conversation gives it its session; it stays the same conversation.
            let another = session_before.as_ref() != session
                && (session_before.is_some() || first_key(before) != first_key(transcript));
            another
                || before.connection == Connection::Opening
                || transcript.connection == Connection::Opening
        });
        let mut said = Vec::new();
        for (at, entry) in transcript.entries.iter().enumerate() {
            let same = before.as_ref().and_then(|(_, before)| before.entries.get(at));
            if same.is_some_and(|same| Rc::ptr_eq(same, entry)) {
                continue;
            }
            let Some(stage) = stage(entry) else {
                continue;
            };
            if self.told.get(&entry.key).is_none_or(|told| *told < stage) {
                self.told.insert(entry.key.clone(), stage);
                if !silent {
                    said.push(announcement(entry, words));
                }
            }
        }
        said.retain(|words| !words.is_empty());
        let waited = before.as_ref().and_then(|(_, before)| before.retrying.as_ref());
        if let Some(why) = transcript.retrying.as_ref().filter(|why| !silent && waited != Some(*why)) {
            said.push(words.about(words.retrying, why));
        }
        said.extend(self.observe_connection(&transcript.connection, words));
        said
    }

    fn observe_connection(&mut self, connection: &Connection, words: &Words) -> Option<String> {
        let trouble = match connection {
            Connection::Offline => words.offline,
            Connection::Unreachable(_) => words.unreachable,
            Connection::Open => return self.trouble.take().map(|_| words.connected_again.to_owned()),
            // It is said what became of it.
            Connection::Reconnecting => return None,
            Connection::None | Connection::Opening | Connection::Failed(_) => {
                self.trouble = None;
                return None;
            }
        };
        (self.trouble.replace(trouble) != Some(trouble)).then(|| trouble.to_owned())
    }
}

/// How much of an entry can be told.
fn stage(entry: &Entry) -> Option<Told> {
    match &entry.kind {
        EntryKind::User { .. } | EntryKind::Agent { streaming: true, .. } => None,
        EntryKind::ToolCall { status: ToolCallStatus::Start, .. }
        | EntryKind::ServiceTool { is_error: None, .. } => Some(Told::Start),
        EntryKind::Agent { .. }
        | EntryKind::ToolCall { .. }
        | EntryKind::ServiceTool { .. }
        | EntryKind::Error { .. } => Some(Told::End),
    }
}

fn announcement(entry: &Entry, words: &Words) -> String {
    match &entry.kind {
        EntryKind::User { .. } => String::new(),
        EntryKind::Agent { text, .. } => plain_text(text),
        EntryKind::Error { message } => words.about(words.turn_failed, message),
        EntryKind::ToolCall { name, status, .. } => {
            let said = match status {
                ToolCallStatus::Start => words.call_running,
                ToolCallStatus::End => words.call_ended,
                ToolCallStatus::Error => words.call_failed,
            };
            words.about(said, name)
        }
        EntryKind::ServiceTool { name, is_error, .. } => {
            let said = match is_error {
                None => words.call_running,
                Some(false) => words.call_ended,
                Some(true) => words.call_failed,
            };
            words.about(said, name)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::panel::Locale;

    fn agent(text: &str, streaming: bool) -> Rc<Entry> {
        let kind = EntryKind::Agent { text: text.into(), streaming, stop: None };
        Rc::new(Entry { key: "m".into(), kind })
    }

    fn call(status: ToolCallStatus) -> Rc<Entry> {
        let kind = EntryKind::ToolCall {
            id: "sevt_1".into(),
            name: "seek_to".into(),
            input: "{}".into(),
            status,
            result: None,
        };
        Rc::new(Entry { key: "c".into(), kind })
    }

    fn open(entries: &[&Rc<Entry>]) -> Rc<Transcript> {
        with_connection(entries, Connection::Open)
    }

    fn with_connection(entries: &[&Rc<Entry>], connection: Connection) -> Rc<Transcript> {
        let entries = entries.iter().map(|entry| Rc::clone(entry)).collect();
        Rc::new(Transcript { entries, connection, running: true, writable: true, retrying: None })
    }

    fn observe(announcements: &mut Announcements, session: &str, transcript: &Rc<Transcript>) -> Vec<String> {
        announcements.observe(Some(&session.into()), transcript, Words::of(Locale::En))
    }

    #[test]
    fn a_message_is_told_once_when_it_is_whole() {
        let mut announcements = Announcements::default();
        assert!(observe(&mut announcements, "s", &open(&[])).is_empty());
        assert!(observe(&mut announcements, "s", &open(&[&agent("**Hel", true)])).is_empty());
        assert_eq!(observe(&mut announcements, "s", &open(&[&agent("**Hello**", false)])), ["Hello"]);
        assert!(observe(&mut announcements, "s", &open(&[&agent("**Hello**", false)])).is_empty());
    }

    #[test]
    fn a_call_is_told_as_it_starts_and_as_it_ends() {
        let mut announcements = Announcements::default();
        observe(&mut announcements, "s", &open(&[]));
        let started = observe(&mut announcements, "s", &open(&[&call(ToolCallStatus::Start)]));
        assert_eq!(started, ["Calling: seek_to"]);
        assert_eq!(
            observe(&mut announcements, "s", &open(&[&call(ToolCallStatus::Error)])),
            ["Call failed: seek_to"]
        );
    }

    #[test]
    fn a_lost_connection_is_told_once_and_so_is_its_return() {
        let mut announcements = Announcements::default();
        let mut told =
            |connection| observe(&mut announcements, "s", &with_connection(&[], connection)).concat();
        let words = Words::of(Locale::En);
        let unreachable = || Connection::Unreachable("why".to_owned());
        for (connection, said) in [
            (Connection::Open, ""),
            (Connection::Reconnecting, ""),
            (Connection::Open, ""),
            (Connection::Reconnecting, ""),
            (unreachable(), words.unreachable),
            (unreachable(), ""),
            (Connection::Offline, words.offline),
            (Connection::Reconnecting, ""),
            (Connection::Offline, ""),
            (Connection::Open, words.connected_again),
            (Connection::Open, ""),
        ] {
            assert_eq!(told(connection), said);
        }
    }

    #[test]
    fn that_an_answer_is_tried_for_again_is_told_once() {
        let mut announcements = Announcements::default();
        let mut told = |why: Option<&str>| {
            let transcript = Transcript { retrying: why.map(Rc::from), ..(*open(&[])).clone() };
            observe(&mut announcements, "s", &Rc::new(transcript)).concat()
        };
        assert_eq!(told(None), "");
        assert_eq!(told(Some("no network")), "No answer yet, trying again: no network");
        assert_eq!([told(Some("no network")), told(None)], ["", ""]);
        assert_eq!(told(Some("too busy")), "No answer yet, trying again: too busy");
    }

    #[test]
    fn what_was_there_at_opening_is_not_told() {
        let mut announcements = Announcements::default();
        let history = [&agent("old", false), &call(ToolCallStatus::End)];
        assert!(observe(&mut announcements, "s", &open(&history)).is_empty());

        let mut announcements = Announcements::default();
        observe(&mut announcements, "s", &with_connection(&[], Connection::Opening));
        assert!(observe(&mut announcements, "s", &open(&history)).is_empty());

        let mut announcements = Announcements::default();
        observe(&mut announcements, "other", &open(&[]));
        assert!(observe(&mut announcements, "s", &open(&history)).is_empty());
    }
}
