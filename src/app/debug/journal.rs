//! What has happened, as far back as the panel remembers.

use std::collections::VecDeque;

use js_sys::JSON;
use wasm_bindgen::JsValue;
use yew::AttrValue;

use crate::binding::{LogEntry, LogLevel, ToolChange};
use crate::protocol::json_text::value_to_json_text;

/// How many entries the journal keeps; older ones go.
pub(super) const KEPT: usize = 200;

/// The newest entries, the oldest of them first.
#[derive(Debug, Default)]
pub(super) struct Journal {
    entries: VecDeque<Entry>,
    next_serial: u64,
}

/// Something that happened.
#[derive(Debug)]
pub(super) struct Entry {
    /// Tells it from all others.
    pub serial: u64,
    /// When, as people read it.
    pub time: String,
    /// What.
    pub event: JournalEvent,
    /// What a log entry carries, printed once.
    pub data: Option<AttrValue>,
}

/// What can happen.
#[derive(Debug)]
pub(super) enum JournalEvent {
    /// `praxis.tool.change`
    Call(ToolChange),
    /// `praxis.log`
    Log(LogEntry),
}

/// Which entries are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Filter {
    /// All of them.
    #[default]
    All,
    /// Those of calls.
    Calls,
    /// Those of the log.
    Log,
    /// Calls that failed, warnings and errors.
    Problems,
}

impl Journal {
    /// The entries that a filter shows, newest first.
    pub(super) fn shown(&self, filter: Filter) -> impl Iterator<Item = &Entry> {
        self.entries.iter().rev().filter(move |entry| filter.shows(&entry.event))
    }

    /// Whether nothing has happened.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Something happened at `time`.
    pub(super) fn record(&mut self, time: String, event: JournalEvent) {
        if self.entries.len() == KEPT {
            self.entries.pop_front();
        }
        let data = event.data();
        self.entries.push_back(Entry { serial: self.next_serial, time, event, data });
        self.next_serial += 1;
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }
}

impl Filter {
    /// All filters, in the order in which people see them.
    pub(super) const ALL: [Self; 4] = [Self::All, Self::Calls, Self::Log, Self::Problems];

    fn shows(self, event: &JournalEvent) -> bool {
        match self {
            Self::All => true,
            Self::Calls => matches!(event, JournalEvent::Call(_)),
            Self::Log => matches!(event, JournalEvent::Log(_)),
            Self::Problems => event.is_problem(),
        }
    }
}

impl JournalEvent {
    fn data(&self) -> Option<AttrValue> {
        let Self::Log(LogEntry { data: Some(data), .. }) = self else { return None };
        let value = JSON::parse(&value_to_json_text(data)).ok()?;
        let text = JSON::stringify_with_replacer_and_space(&value, &JsValue::NULL, &JsValue::from(2)).ok()?;
        text.as_string().map(AttrValue::from)
    }

    /// Whether something went wrong.
    pub(super) fn is_problem(&self) -> bool {
        match self {
            Self::Call(change) => change.is_error,
            Self::Log(entry) => entry.level != LogLevel::Info,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binding::ToolStatus;

    fn log(level: LogLevel, message: &str) -> JournalEvent {
        JournalEvent::Log(LogEntry { level, message: message.to_owned(), data: None })
    }

    fn call(is_error: bool) -> JournalEvent {
        let (id, name) = ("sevt_1".to_owned(), "seek_to".to_owned());
        JournalEvent::Call(ToolChange { id, name, status: ToolStatus::End, is_error })
    }

    fn journal(events: impl IntoIterator<Item = JournalEvent>) -> Journal {
        let mut journal = Journal::default();
        events.into_iter().for_each(|event| journal.record(String::new(), event));
        journal
    }

    #[test]
    fn d4_the_journal_is_bounded_and_the_oldest_go() {
        let mut full = journal((0..KEPT + 5).map(|number| log(LogLevel::Info, &number.to_string())));
        let serials: Vec<_> = full.shown(Filter::All).map(|entry| entry.serial).collect();
        assert_eq!((serials.len(), serials[0], serials[KEPT - 1]), (KEPT, KEPT as u64 + 4, 5));
        full.clear();
        assert!(full.is_empty());
    }

    #[test]
    fn d4_filters_show_what_they_say() {
        let journal = journal([
            log(LogLevel::Info, "fine"),
            call(false),
            log(LogLevel::Warn, "dropped"),
            call(true),
            log(LogLevel::Error, "lost"),
        ]);
        let shown = |filter| journal.shown(filter).map(|entry| entry.serial).collect::<Vec<_>>();
        assert_eq!(Filter::ALL.map(shown), [vec![4, 3, 2, 1, 0], vec![3, 1], vec![4, 2, 0], vec![4, 3, 2]]);
    }
}
