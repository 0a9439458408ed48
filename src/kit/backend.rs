//! What the kit asks of an agent service, whatever the protocol: single attempts, no retries.
//!
//! Order, retries, back-off and silence belong to [`conversation`](super::conversation); a backend only
//! makes the attempt that it is told to make. (A token that was refused is refreshed here, once.)
//! Dropping a future or a stream aborts the attempt.

use futures_util::future::LocalBoxFuture;
use futures_util::stream::LocalBoxStream;

use super::options::Options;
use crate::protocol::{ApiError, Event, EventBody, EventPage, Preview, Session, SessionId, SessionPage};

/// An attempt under way.
pub type Attempt<T> = LocalBoxFuture<'static, Result<T, BackendError>>;

/// A live stream of a session. It ends when the connection does; an error says why.
pub type EventStream = LocalBoxStream<'static, Result<StreamItem, BackendError>>;

/// What comes on a stream.
#[derive(Clone, Debug, PartialEq)]
pub enum StreamItem {
    /// A stored event.
    Event(Event),
    /// A glimpse of a message that is being written.
    Preview(Preview),
    /// A sign of life: a comment line, or an event that is not known here.
    Heartbeat,
}

/// An open stream.
pub struct OpenStream {
    /// What comes on it.
    pub items: EventStream,
    /// Whether this page may write to the session; a tab without the session's lock may only read it.
    pub writable: bool,
}

/// Why an attempt failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// No answer: the network is down, the connection broke.
    #[error("{0}")]
    Network(String),
    /// The service refused.
    #[error("{error}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// What the service said.
        error: ApiError,
    },
    /// `getToken` failed; the message is the host's own.
    #[error("{0}")]
    Token(String),
    /// The answer was not what WIRE.md says.
    #[error("{0}")]
    Malformed(String),
}

/// An agent service, one attempt at a time.
pub trait Backend {
    /// `POST /v1/sessions`.
    fn create_session(&self) -> Attempt<Session>;
    /// `GET /v1/sessions`, newest first; `page` is an opaque cursor.
    fn list_sessions(&self, page: Option<String>) -> Attempt<SessionPage>;
    /// `DELETE /v1/sessions/{id}`.
    fn delete_session(&self, session: &SessionId) -> Attempt<()>;
    /// `POST /v1/sessions/{id}/events`: resolves when they are stored.
    fn post_events(&self, session: &SessionId, events: Vec<EventBody>) -> Attempt<Vec<Event>>;
    /// `GET /v1/sessions/{id}/events`: one page, oldest first.
    fn history_page(&self, session: &SessionId, page: Option<String>) -> Attempt<EventPage>;
    /// `GET /v1/sessions/{id}/events/stream`: resolves when the stream is open, so that nothing that is
    /// stored from then on is missed.
    fn open_stream(&self, session: &SessionId) -> Attempt<OpenStream>;
    /// Brings the options of this address, at first and whenever they change (a new `getToken`, other tools);
    /// they take effect at the next request.
    fn configure(&self, options: &Options);
}
