//! Page context: named facts that go along with each user message (K14–K18).
//!
//! Pure functions in one place, used by the element, the service and the debug panel.

mod render;

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::JsonObject;
use super::json_place::{Place, PlaceError};
use super::json_text::to_json_text;

pub use render::{make_visible, render};

/// How many entries a message carries at most (K17).
pub const MAX_ENTRIES: usize = 32;
/// How many bytes of UTF-8 the JSON text of a message's `page_context` array has at most (K17).
pub const MAX_BYTES: usize = 4096;

/// A readable's name: `[A-Za-z0-9_.:-]{1,64}` in full (K14), checked once, when it is made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReadableName(String);

/// A name that breaks K14.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("readable name {0:?} must match [A-Za-z0-9_.:-]{{1,64}}")]
pub struct ReadableNameError(pub String);

impl ReadableName {
    /// Checks `name`.
    ///
    /// # Errors
    /// [`ReadableNameError`] when it does not match.
    pub fn new(name: impl Into<String>) -> Result<Self, ReadableNameError> {
        let name = name.into();
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte);
        if (1..=64).contains(&name.len()) && name.bytes().all(allowed) {
            Ok(Self(name))
        } else {
            Err(ReadableNameError(name))
        }
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ReadableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One entry of a message's `page_context`, as it travels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextItem {
    /// The readable's name.
    pub name: String,
    /// A text as it is, or the JSON text of any other value.
    pub value: String,
}

impl ContextItem {
    pub(crate) fn read(item: &Place<'_>) -> Result<Self, PlaceError> {
        Ok(Self {
            name: item.member("name").text()?.to_owned(),
            value: item.member("value").text()?.to_owned(),
        })
    }

    pub(crate) fn to_json(&self) -> Value {
        let mut item = JsonObject::new();
        item.insert("name".to_owned(), self.name.as_str().into());
        item.insert("value".to_owned(), self.value.as_str().into());
        item.into()
    }
}

/// What a page has registered, in the order in which it goes out (K15).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readables {
    entries: Vec<ContextItem>,
}

/// What one user message carries (K16, K17).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The entries; `None` where there are none, so that the field is absent.
    pub items: Option<Vec<ContextItem>>,
    /// The names of the entries that were dropped to keep the limits, earliest registered first.
    pub dropped: Vec<String>,
}

impl Readables {
    /// Sets an entry. A name that is there keeps its place; a new one goes last (K15).
    pub fn set(&mut self, name: &ReadableName, value: impl Into<String>) {
        let value = value.into();
        match self.entries.iter_mut().find(|entry| entry.name == name.as_str()) {
            Some(entry) => entry.value = value,
            None => self.entries.push(ContextItem { name: name.as_str().to_owned(), value }),
        }
    }

    /// Removes an entry; says whether it was there.
    pub fn remove(&mut self, name: &str) -> bool {
        let before = self.entries.len();
        self.entries.retain(|entry| entry.name != name);
        self.entries.len() < before
    }

    /// All entries, in order.
    #[must_use]
    pub fn entries(&self) -> &[ContextItem] {
        &self.entries
    }

    /// What a message sent now carries: the newest entries that fit both limits (K17).
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let mut kept = self.entries.len();
        let mut bytes = 1; // The brackets, and a comma less than entries.
        for (count, entry) in self.entries.iter().rev().enumerate() {
            bytes += serialised_len(entry) + 1;
            if count >= MAX_ENTRIES || bytes > MAX_BYTES {
                kept = count;
                break;
            }
        }
        let (dropped, items) = self.entries.split_at(self.entries.len() - kept);
        Snapshot {
            items: (!items.is_empty()).then(|| items.to_vec()),
            dropped: dropped.iter().map(|entry| entry.name.clone()).collect(),
        }
    }
}

/// The bytes that the JSON text of `items` has as a message's `page_context`: what K17 limits.
#[must_use]
pub fn snapshot_bytes(items: &[ContextItem]) -> usize {
    items.iter().map(serialised_len).sum::<usize>() + items.len().max(1) + 1
}

fn serialised_len(item: &ContextItem) -> usize {
    to_json_text(&item.to_json()).map_or(usize::MAX / 64, |text| text.len())
}

#[cfg(test)]
mod tests;
