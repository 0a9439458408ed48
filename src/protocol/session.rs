//! Sessions as they travel, and pages of them and of their events.

use serde::{Deserialize, Serialize};

use super::{Event, SessionId, Timestamp};

/// What a session is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    /// A turn goes on.
    Running,
    /// Nothing more is accepted.
    Terminated,
    /// No turn runs, or one waits for results; also any status that is not known here.
    #[default]
    #[serde(other)]
    Idle,
}

/// Which agent a session talks to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentName {
    /// The agent's name, as the host chose it.
    pub name: String,
}

/// A session: `{"id":"sesn_…","type":"session",…}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "session")]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// What it is doing.
    pub status: SessionStatus,
    /// The first message's first 60 characters; `None` before there was one.
    pub title: Option<String>,
    /// The agent it talks to.
    pub agent: AgentName,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its last event was stored.
    pub updated_at: Timestamp,
}

/// A page of sessions, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionPage {
    /// The sessions.
    pub data: Vec<Session>,
    /// The opaque cursor of the next page.
    pub next_page: Option<String>,
}

/// A page of a session's events, oldest first.
#[derive(Clone, Debug, PartialEq)]
pub struct EventPage {
    /// The events.
    pub data: Vec<Event>,
    /// The opaque cursor of the next page.
    pub next_page: Option<String>,
}
