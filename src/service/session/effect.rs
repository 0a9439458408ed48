//! What goes into a session, and what comes out.

#[cfg(doc)]
use super::Session;
use super::{Record, RunNumber};
use crate::protocol::tutor_script::Language;
use crate::protocol::{ApiError, Event, EventBody, EventId, JsonObject, MessageStop, Preview, Timestamp};
use crate::service::built_in::BuiltInTool;
use crate::service::model::{ModelOutput, ModelRequest};

/// Names a request whose answer is waited for; the driver chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestId(pub u64);

/// What happens to a session.
#[derive(Debug)]
pub enum Input {
    /// A client posts events: all are stored or none.
    Post {
        /// Whom to answer.
        request: RequestId,
        /// The events, checked by [`api`](crate::service::api).
        events: Vec<EventBody>,
    },
    /// A piece of a model run's output.
    Model {
        /// The run.
        run: RunNumber,
        /// The piece.
        output: ModelOutput,
    },
    /// What a built-in tool gave back; one that is no longer waited for is dropped.
    BuiltIn {
        /// The call, as [`Effect::RunBuiltIn`] named it.
        call: EventId,
        /// The result's text, or the error's.
        result: Result<String, String>,
    },
    /// The time that [`Effect::WakeAt`] named has come.
    Wake,
    /// What came of an input could not be stored, and the session stands as it stood before that. The turn that runs
    /// ends with an error, and so do those that wait: neither a model nor a tool is asked for what cannot be kept.
    NotStored {
        /// How the message ends that has come so far; whole, where it says nothing.
        stop: Option<MessageStop>,
        /// Why it could not, for people.
        why: fn(Language) -> String,
    },
}

/// What the driver must do, in order.
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Store these records durably, all or none, before anything that follows, and with them the session as
    /// [`Session::describe`] shows it now; then publish their events to the session's streams. Where that fails, the
    /// session is ahead of its log: drop it and go on with what it was before, or
    /// [restore](Session::restore) it from what is stored.
    ///
    /// Of what codecs [keep](crate::service::model::ModelOutput::Kept), the
    /// [state](crate::service::model::STATE) is of use in the newest record alone.
    Append(Vec<Record>),
    /// Answer a request.
    Reply {
        /// The request.
        request: RequestId,
        /// The stored events, one for each that was posted, or why they were refused.
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
    /// Run a built-in tool; its outcome comes back as [`Input::BuiltIn`]. Asked for at most once for each call, also
    /// over restarts.
    RunBuiltIn {
        /// The call.
        call: EventId,
        /// The tool.
        tool: BuiltInTool,
        /// The arguments.
        input: JsonObject,
    },
    /// Give [`Input::Wake`] at this time; replaces the time named before. `None`: not at all.
    WakeAt(Option<Timestamp>),
}
