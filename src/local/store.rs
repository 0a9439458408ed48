//! Sessions in `localStorage`: one key for each batch that was appended, so that an append is one write, which
//! the browser does whole or not at all.
//!
//! A batch holds the session as it stands after it, so a list of sessions needs no index that could differ
//! from what it lists. Where the browser denies its storage, sessions live as long as the page.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::kit::page::local_storage;
use crate::protocol::event::EventError;
use crate::protocol::json_place::Place;
use crate::protocol::json_text::value_to_json_text;
use crate::protocol::{Session, SessionId};
use crate::service::session::Record;

/// What the names of our keys begin with. After it comes the place, with a space, where it is not the first.
const PREFIX: &str = "praxis.local ";

/// What one append stores: the session as it stands then, and the new records.
#[derive(Debug)]
pub(super) struct Batch<'a> {
    pub session: &'a Session,
    pub records: &'a [Record],
}

impl Batch<'_> {
    fn to_json(&self) -> Value {
        let records = self.records.iter().map(Record::to_json).collect::<Value>();
        json!({ "session": self.session.to_json(), "records": records })
    }
}

/// A batch as it was read back.
#[derive(Debug)]
pub(super) struct StoredBatch {
    pub session: Session,
    pub records: Vec<Record>,
}

impl StoredBatch {
    fn from_json(value: &Value) -> Result<Self, EventError> {
        let batch = Place::root("batch", value);
        let records = batch.member("records").elements()?;
        Ok(Self {
            session: Session::read(&batch.member("session"))?,
            records: records.iter().map(Record::read).collect::<Result<_, _>>()?,
        })
    }
}

/// A session as it was read back.
#[derive(Debug)]
pub(super) struct StoredSession {
    pub session: Session,
    pub records: Vec<Record>,
    /// The number that the next batch will have.
    pub next_batch: u32,
    /// The number of the batch that has the model's state.
    pub state: Option<u32>,
}

/// Why a batch is not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotStored {
    /// The storage takes no more.
    Full,
    /// Another tab has written this batch.
    WrittenElsewhere,
}

/// Where batches are kept.
pub(super) struct Store {
    /// What the names of this store's keys begin with.
    prefix: String,
    keys: Keys,
}

enum Keys {
    /// The browser's storage, which all tabs share.
    Browser(web_sys::Storage),
    /// This page's memory.
    Memory(RefCell<BTreeMap<String, String>>),
}

impl Store {
    /// The browser's storage, or this page's memory where that is denied. A store sees the sessions of its place
    /// alone: who runs a call is known for each place (K23).
    pub fn open(place: &str) -> Self {
        let prefix = if place.is_empty() { PREFIX.to_owned() } else { [PREFIX, place, " "].concat() };
        let keys = local_storage().map_or_else(|| Keys::Memory(RefCell::default()), Keys::Browser);
        Self { prefix, keys }
    }

    /// The session and the number of the batch that a key names; `None` for a key that is not this store's.
    pub fn read_key(&self, key: &str) -> Option<(SessionId, u32)> {
        let (id, number) = key.strip_prefix(&self.prefix)?.split_once(' ')?;
        Some((SessionId::from(id), number.parse().ok()?))
    }

    fn key(&self, id: &SessionId, number: u32) -> String {
        [&self.prefix, id.as_str(), " ", &number.to_string()].concat()
    }

    /// Stores a batch, whole or not at all. Where it has the model's state, the batch `older` that had it before has
    /// it no longer: a state is as large as its agent makes it.
    ///
    /// # Errors
    /// Then nothing is stored.
    pub fn append(&self, number: u32, batch: &Batch<'_>, older: Option<u32>) -> Result<(), NotStored> {
        let key = self.key(&batch.session.id, number);
        if self.get(&key).is_some() {
            return Err(NotStored::WrittenElsewhere);
        }
        let text = value_to_json_text(&batch.to_json());
        let Some(older) = older.map(|older| self.key(&batch.session.id, older)) else {
            return self.set(&key, &text);
        };
        let stored = self.set(&key, &text);
        let before = self.get(&older).unwrap_or_default();
        if let Some(StoredBatch { session, mut records }) = read_batch(&older, &before) {
            records.iter_mut().for_each(Record::drop_state);
            let without = Batch { session: &session, records: &records }.to_json();
            // It becomes shorter, so there is room for it; and maybe then for the new one.
            let _ = self.set(&older, &value_to_json_text(&without));
        }
        stored.or_else(|_| self.set(&key, &text)).inspect_err(|_| {
            let _ = self.set(&older, &before);
        })
    }

    fn set(&self, key: &str, text: &str) -> Result<(), NotStored> {
        match &self.keys {
            Keys::Browser(storage) => storage.set_item(key, text).map_err(|_| NotStored::Full),
            Keys::Memory(map) => {
                map.borrow_mut().insert(key.to_owned(), text.to_owned());
                Ok(())
            }
        }
    }

    /// A session with all its records, oldest first. A batch that cannot be read is reported and left out.
    pub fn load(&self, id: &SessionId) -> Option<StoredSession> {
        let numbers = self.numbers(id);
        let next_batch = numbers.last()?.saturating_add(1);
        let (mut last, mut state) = (None, None);
        let mut records = Vec::new();
        for number in numbers {
            let Some(batch) = self.read(&self.key(id, number)) else { continue };
            if batch.records.iter().any(Record::has_state) {
                state = Some(number);
            }
            records.extend(batch.records);
            last = Some(batch.session);
        }
        Some(StoredSession { session: last?, records, next_batch, state })
    }

    /// Every session that can be read, as it stands.
    pub fn sessions(&self) -> Vec<Session> {
        let mut batches: Vec<_> = self.keys().iter().filter_map(|key| self.read_key(key)).collect();
        batches.sort_unstable();
        let of_one_session = batches.chunk_by(|one, next| one.0 == next.0);
        let newest_readable = |batches: &[(SessionId, u32)]| {
            batches.iter().rev().find_map(|(id, number)| self.read(&self.key(id, *number)))
        };
        of_one_session.filter_map(newest_readable).map(|batch| batch.session).collect()
    }

    /// Removes a session.
    pub fn remove(&self, id: &SessionId) {
        for number in self.numbers(id) {
            let key = self.key(id, number);
            match &self.keys {
                Keys::Browser(storage) => drop(storage.remove_item(&key)),
                Keys::Memory(map) => drop(map.borrow_mut().remove(&key)),
            }
        }
    }

    /// The numbers of a session's batches, ascending.
    fn numbers(&self, id: &SessionId) -> Vec<u32> {
        let batches = self.keys().into_iter().filter_map(|key| self.read_key(&key));
        let mut numbers: Vec<_> = batches.filter(|batch| batch.0 == *id).map(|batch| batch.1).collect();
        numbers.sort_unstable();
        numbers
    }

    fn keys(&self) -> Vec<String> {
        match &self.keys {
            Keys::Browser(storage) => {
                let count = storage.length().unwrap_or(0);
                (0..count).filter_map(|index| storage.key(index).ok().flatten()).collect()
            }
            Keys::Memory(map) => map.borrow().keys().cloned().collect(),
        }
    }

    fn get(&self, key: &str) -> Option<String> {
        match &self.keys {
            Keys::Browser(storage) => storage.get_item(key).ok().flatten(),
            Keys::Memory(map) => map.borrow().get(key).cloned(),
        }
    }

    fn read(&self, key: &str) -> Option<StoredBatch> {
        read_batch(key, &self.get(key)?)
    }
}

/// The text of a batch; one that cannot be read is reported.
pub(super) fn read_batch(key: &str, text: &str) -> Option<StoredBatch> {
    let json = serde_json::from_str::<Value>(text).map_err(|error| error.to_string());
    json.and_then(|json| StoredBatch::from_json(&json).map_err(|error| error.to_string()))
        .map_err(|error| gloo::console::warn!("praxis: left out of a conversation", key, error))
        .ok()
}
