//! What a service stores: events with their private records.

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::Value;

use crate::protocol::{Event, EventId, Timestamp};

/// Numbers the model runs of a session; output of an older run is dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RunNumber(pub u32);

impl RunNumber {
    pub(super) fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// A stored event with its private record, which never leaves the service.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    /// The event.
    pub event: Event,
    /// What the service needs beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub private: Option<Private>,
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Stored {
            event: Value,
            #[serde(default)]
            private: Option<Private>,
        }
        let stored = Stored::deserialize(deserializer)?;
        let event = Event::from_json(stored.event).map_err(D::Error::custom)?;
        Ok(Self { event, private: stored.private })
    }
}

/// What the service keeps beside an event, so that turns and the model's history can be rebuilt exactly.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Private {
    /// The model run whose response the event belongs to; 0 for none.
    #[serde(default)]
    pub run: RunNumber,
    /// The provider's id of the call; one of our own where that was empty or taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The arguments as the model wrote them, where they differ from the JSON text of the event's `input`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
    /// With a `session.status_running` that begins a turn: the message that the turn answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<EventId>,
    /// With the event after which the model was asked: the number of that run, so that none is used twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<RunNumber>,
    /// With an `agent.custom_tool_use`: until when its result is waited for (K21).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Timestamp>,
}
