//! The debug panel: what the agent does on this page, as it happens (D4).
//!
//! It stands below the provider and sees what every page's author sees: the element's events and what is registered.
//! It must not know pages, the kit or the service.

mod journal;
mod journal_list;
mod panel;
mod readables;
mod tools;
mod use_changes;
mod use_journal;
mod visibility;
mod words;

pub use panel::{DebugPanel, DebugPanelProps};

/// Whether the panel exists at all: in debug builds always, else where `config.json` says `"debug": true`.
#[must_use]
pub fn is_offered(configured: Option<bool>) -> bool {
    cfg!(debug_assertions) || configured == Some(true)
}
