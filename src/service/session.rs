//! One session as the service keeps it: a state machine without I/O.
//!
//! In: client events, a model's output, time, a restored log. Out: [`Effect`]s, in the order in which the
//! driver must carry them out. The machine must not know stores, sockets, browsers or clocks.

use serde::{Deserialize, Serialize};

use super::model::{ModelOutput, ModelRequest};
use crate::protocol::{ApiError, Event, EventBody, Preview, Timestamp};

/// Names a request whose answer is waited for; the driver chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestId(pub u64);

/// Numbers the model runs of a session; output of an older run is dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RunNumber(pub u32);

/// A stored event with its private record, which never leaves the service.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    /// The event.
    pub event: Event,
    /// What the model's history needs beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub private: Option<Private>,
}

/// What the service keeps beside an event so that the model's history can be rebuilt exactly.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Private {
    /// The model run whose response the event belongs to.
    pub run: RunNumber,
    /// The provider's id of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// The arguments as the model wrote them, where they are no JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
}

/// What happens to a session.
#[derive(Debug)]
pub enum Input {
    /// A client posts events: all are stored or none.
    Post {
        /// Whom to answer.
        request: RequestId,
        /// The events, checked for shape by `api`.
        events: Vec<EventBody>,
    },
    /// A piece of a model run's output.
    Model {
        /// The run.
        run: RunNumber,
        /// The piece.
        output: ModelOutput,
    },
    /// The time that [`Effect::WakeAt`] named has come.
    Wake,
}

/// What the driver must do, in order.
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Store these records durably, all or none, before anything that follows; then publish their events
    /// to the session's streams.
    Append(Vec<Record>),
    /// Answer a request.
    Reply {
        /// The request.
        request: RequestId,
        /// The stored events, or why they were refused.
        reply: Result<Vec<Event>, ApiError>,
    },
    /// Publish a preview to the session's streams.
    Preview(Preview),
    /// Ask the model; its output comes back as [`Input::Model`] with this number.
    AskModel {
        /// The run's number.
        run: RunNumber,
        /// What to ask.
        request: ModelRequest,
    },
    /// Stop a model run; what still comes of it is dropped.
    CancelModel(RunNumber),
    /// Give [`Input::Wake`] at this time; replaces the time named before. `None`: not at all.
    WakeAt(Option<Timestamp>),
}
