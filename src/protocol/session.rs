//! Sessions as they travel, and pages of them and of their events.

use serde::Serialize;
use serde_json::Value;

use super::event::EventError;
use super::json_place::{Place, PlaceError, serde_by_value};
use super::{Event, JsonObject, SessionId, Timestamp};

/// What a session is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SessionStatus {
    /// A turn goes on.
    Running,
    /// Nothing more is accepted.
    Terminated,
    /// No turn runs, or one waits for results; also any status that is not known here.
    #[default]
    Idle,
}

/// Which agent a session talks to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentName {
    /// The agent's name, as the host chose it.
    pub name: String,
}

/// A session: `{"id":"sesn_…","type":"session",…}`.
#[derive(Clone, Debug, PartialEq, Eq)]
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

impl SessionStatus {
    fn from_name(name: &str) -> Self {
        match name {
            "running" => Self::Running,
            "terminated" => Self::Terminated,
            _ => Self::Idle,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Terminated => "terminated",
            Self::Idle => "idle",
        }
    }
}

impl Session {
    /// Reads a session. Members that are not known are ignored.
    ///
    /// # Errors
    /// [`PlaceError`] for the first member that is missing or of another type.
    pub fn from_json(value: &Value) -> Result<Self, PlaceError> {
        Self::read(&Place::root("session", value))
    }

    pub(crate) fn read(session: &Place<'_>) -> Result<Self, PlaceError> {
        Ok(Self {
            id: session.member("id").text()?.into(),
            status: SessionStatus::from_name(session.member("status").text()?),
            title: session.present("title").map(|title| title.text().map(str::to_owned)).transpose()?,
            agent: AgentName { name: session.member("agent").member("name").text()?.to_owned() },
            created_at: Timestamp::read(&session.member("created_at"))?,
            updated_at: Timestamp::read(&session.member("updated_at"))?,
        })
    }

    /// The session as it is stored and as it travels.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let agent = JsonObject::from_iter([("name".to_owned(), Value::from(self.agent.name.as_str()))]);
        let members: [(&str, Value); 7] = [
            ("id", self.id.as_str().into()),
            ("type", "session".into()),
            ("status", self.status.name().into()),
            ("title", self.title.as_deref().into()),
            ("agent", agent.into()),
            ("created_at", self.created_at.to_json()),
            ("updated_at", self.updated_at.to_json()),
        ];
        members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

serde_by_value!(Serialize for Session);
serde_by_value!(Deserialize for Session);

/// A page of sessions, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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

impl SessionPage {
    /// Reads a page.
    ///
    /// # Errors
    /// [`PlaceError`] for the first member that is missing or of another type.
    pub fn from_json(value: &Value) -> Result<Self, PlaceError> {
        let page = Place::root("", value);
        let data = page.member("data").elements()?;
        let data = data.iter().map(Session::read).collect::<Result<_, _>>()?;
        Ok(Self { data, next_page: read_cursor(&page)? })
    }
}

impl EventPage {
    /// Reads a page. Events whose type is not known are left out.
    ///
    /// # Errors
    /// [`PlaceError`] for the first member that is missing or of another type: an event that was left out because it
    /// cannot be read might be the result of a call.
    pub fn from_json(value: &Value) -> Result<Self, PlaceError> {
        let page = Place::root("", value);
        let mut data = Vec::new();
        for event in page.member("data").elements()? {
            match Event::read(&event) {
                Ok(event) => data.push(event),
                Err(EventError::UnknownType(_)) => {}
                Err(EventError::Malformed(error)) => return Err(error),
            }
        }
        Ok(Self { data, next_page: read_cursor(&page)? })
    }
}

fn read_cursor(page: &Place<'_>) -> Result<Option<String>, PlaceError> {
    page.present("next_page").map(|cursor| cursor.text().map(str::to_owned)).transpose()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_page_leaves_out_events_of_unknown_types_and_refuses_what_it_cannot_read() {
        let known = json!({"id":"a","type":"session.status_running","processed_at":"2026-11-30T00:00:00Z"});
        let page = json!({"data":[known, {"type":"agent.dream"}],"next_page":"c"});
        let page = EventPage::from_json(&page).unwrap();
        assert_eq!((page.data.len(), page.next_page.as_deref()), (1, Some("c")));

        let wrong = |page| EventPage::from_json(&page).unwrap_err().to_string();
        assert_eq!(
            wrong(json!({"data":[{"type":"session.status_running"}]})),
            "data[0].id: must be a string"
        );
        assert_eq!(wrong(json!([])), "data: must be a list");
        assert_eq!(wrong(json!({"data":[],"next_page":7})), "next_page: must be a string");
        let wrong = SessionPage::from_json(&json!({"data":[{"id":"s"}],"next_page":null})).unwrap_err();
        assert_eq!(wrong.to_string(), "data[0].status: must be a string");
    }
}
