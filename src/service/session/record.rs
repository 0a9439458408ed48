//! What a service stores: events with their private records.

use serde_json::Value;

use crate::protocol::event::EventError;
use crate::protocol::json_place::{Place, PlaceError, serde_by_value};
use crate::protocol::{Event, EventId, JsonObject, Timestamp};
use crate::service::model::STATE;

/// Numbers the model runs of a session; output of an older run is dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunNumber(pub u32);

impl RunNumber {
    pub(super) fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// A stored event with its private record, which never leaves the service.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The event.
    pub event: Event,
    /// What the service needs beside it.
    pub private: Option<Private>,
}

impl Record {
    /// Reads a record that [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// [`EventError`] for an event that is not known here, and for the first member that is missing or of another type.
    pub fn from_json(value: &Value) -> Result<Self, EventError> {
        Self::read(&Place::root("record", value))
    }

    pub(crate) fn read(record: &Place<'_>) -> Result<Self, EventError> {
        Ok(Self {
            event: Event::read(&record.member("event"))?,
            private: record.present("private").map(|private| Private::read(&private)).transpose()?,
        })
    }

    /// Whether it has the model's [state](crate::service::model::STATE).
    #[must_use]
    pub fn has_state(&self) -> bool {
        self.private.as_ref().is_some_and(Private::has_state)
    }

    /// Takes the [state](crate::service::model::STATE) out, which a newer record has.
    pub fn drop_state(&mut self) {
        if let Some(kept) = self.private.as_mut().and_then(|private| private.kept.as_mut()) {
            kept.remove(STATE);
        }
    }

    /// The record as it is stored.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut record = JsonObject::new();
        record.insert("event".to_owned(), self.event.to_json());
        if let Some(private) = &self.private {
            record.insert("private".to_owned(), private.to_json());
        }
        record.into()
    }
}

serde_by_value!(Serialize for Record);
serde_by_value!(Deserialize for Record);

/// What the service keeps beside an event, so that turns and the model's history can be rebuilt exactly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Private {
    /// The model run whose response the event belongs to; 0 for none.
    pub run: RunNumber,
    /// The provider's id of the call; one of our own where that was empty or taken.
    pub call_id: Option<String>,
    /// The arguments as the model wrote them, where they differ from the JSON text of the event's `input`.
    pub arguments: Option<String>,
    /// With a call: members of it that are not known here, and go back as they came.
    pub extra: JsonObject,
    /// With a response's first event: what the model thought before it answered.
    pub reasoning: Option<String>,
    /// With a response's first event: what the model's codec wants back.
    pub kept: Option<JsonObject>,
    /// With a `session.status_running` that begins a turn: the message that the turn answers.
    pub turn: Option<EventId>,
    /// With the event after which the model was asked: the number of that run, so that none is used twice.
    pub asks: Option<RunNumber>,
    /// With an `agent.custom_tool_use`: until when its result is waited for (K21).
    pub deadline: Option<Timestamp>,
}

impl Private {
    /// Whether it has the model's [state](crate::service::model::STATE).
    pub(super) fn has_state(&self) -> bool {
        self.kept.as_ref().is_some_and(|kept| kept.contains_key(STATE))
    }

    fn read(private: &Place<'_>) -> Result<Self, PlaceError> {
        private.object()?;
        let text = |name| private.present(name).map(|text| text.text()).transpose();
        let object = |name| private.present(name).map(|object| object.object().cloned()).transpose();
        let run = |name| private.present(name).map(|run| run.count_u32().map(RunNumber)).transpose();
        Ok(Self {
            run: run("run")?.unwrap_or_default(),
            call_id: text("call_id")?.map(str::to_owned),
            arguments: text("arguments")?.map(str::to_owned),
            extra: object("extra")?.unwrap_or_default(),
            reasoning: text("reasoning")?.map(str::to_owned),
            kept: object("kept")?,
            turn: text("turn")?.map(EventId::from),
            asks: run("asks")?,
            deadline: private.present("deadline").map(|deadline| Timestamp::read(&deadline)).transpose()?,
        })
    }

    fn to_json(&self) -> Value {
        let members: [(&str, Option<Value>); 9] = [
            ("run", Some(self.run.0.into())),
            ("call_id", self.call_id.as_deref().map(Value::from)),
            ("arguments", self.arguments.as_deref().map(Value::from)),
            ("extra", (!self.extra.is_empty()).then(|| self.extra.clone().into())),
            ("reasoning", self.reasoning.as_deref().map(Value::from)),
            ("kept", self.kept.clone().map(Value::from)),
            ("turn", self.turn.as_ref().map(|turn| turn.as_str().into())),
            ("asks", self.asks.map(|run| run.0.into())),
            ("deadline", self.deadline.map(Timestamp::to_json)),
        ];
        members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }
}
