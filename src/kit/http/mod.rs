//! WIRE.md over HTTP, as a [`Backend`]: single attempts, and the token.
//!
//! It must not know conversations or elements: order, retries, back-off and silence are decided elsewhere. Dropping
//! what it returns aborts the request. Its `client` also asks the models of the sessions that the page itself keeps.

mod answer;
pub(crate) mod client;
mod stream;
mod token;
mod words;

use std::rc::Rc;

use futures_util::FutureExt;
use js_sys::encode_uri_component;
use serde_json::{Value, json};

use super::backend::{Attempt, Backend, BackendError, OpenStream};
use super::options::Options;
use crate::protocol::json_place::{Place, PlaceError};
use crate::protocol::json_text::to_json_text;
use crate::protocol::{ApiError, ErrorKind, Event, EventBody, EventPage, Session, SessionId, SessionPage};
use client::{Client, Request};

const SESSIONS: &str = "/v1/sessions";

/// The backend for `api.protocol: "praxis"`.
#[must_use]
pub fn backend(options: &Options) -> Rc<dyn Backend> {
    Rc::new(HttpBackend { client: Rc::new(Client::new(&options.api.url, options)) })
}

/// An agent service over HTTP.
struct HttpBackend {
    client: Rc<Client>,
}

impl HttpBackend {
    /// Makes one attempt, and reads its answer with `read`.
    fn attempt<T: 'static>(&self, request: Request, read: fn(&Value) -> Result<T, PlaceError>) -> Attempt<T> {
        let client = self.client.clone();
        async move {
            let answer = client.json(&request).await?;
            read(&answer).map_err(|error| answer::malformed(&request.place(), &error))
        }
        .boxed_local()
    }
}

impl Backend for HttpBackend {
    fn create_session(&self) -> Attempt<Session> {
        let body = match self.client.agent_name() {
            Some(name) => json!({ "agent": { "name": name } }),
            None => json!({}),
        };
        self.attempt(Request::post(SESSIONS.to_owned(), &body), Session::from_json)
    }

    fn list_sessions(&self, page: Option<String>) -> Attempt<SessionPage> {
        let path = with_page([SESSIONS, "?limit=20"].concat(), page);
        self.attempt(Request::get(path), SessionPage::from_json)
    }

    fn delete_session(&self, session: &SessionId) -> Attempt<()> {
        match session_path(session, "") {
            Ok(path) => self.attempt(Request { method: "DELETE", path, body: None }, |answer| {
                // What is no answer of an agent service has deleted nothing.
                Place::root("", answer).member("id").text().map(drop)
            }),
            Err(error) => refused(error),
        }
    }

    fn post_events(&self, session: &SessionId, events: Vec<EventBody>) -> Attempt<Vec<Event>> {
        let events: Value = events.iter().map(EventBody::to_json).collect();
        match session_path(session, "/events") {
            Ok(path) => self.attempt(Request::post(path, &json!({ "events": events })), |answer| {
                EventPage::from_json(answer).map(|stored| stored.data)
            }),
            Err(error) => refused(error),
        }
    }

    fn history_page(&self, session: &SessionId, page: Option<String>) -> Attempt<EventPage> {
        match session_path(session, "/events?limit=1000") {
            Ok(path) => self.attempt(Request::get(with_page(path, page)), EventPage::from_json),
            Err(error) => refused(error),
        }
    }

    fn open_stream(&self, session: &SessionId) -> Attempt<OpenStream> {
        let client = self.client.clone();
        match session_path(session, "/events/stream") {
            Ok(path) => async move {
                let items = stream::open(&client, &Request::get(path)).await?;
                Ok(OpenStream { items, writable: true })
            }
            .boxed_local(),
            Err(error) => refused(error),
        }
    }

    fn configure(&self, options: &Options) {
        self.client.configure(options);
    }
}

fn refused<T: 'static>(error: BackendError) -> Attempt<T> {
    std::future::ready(Err(error)).boxed_local()
}

/// The path of a session, and what follows in it. No address can hold a name of dots alone, however it is written:
/// no service has such a session.
fn session_path(session: &SessionId, rest: &str) -> Result<String, BackendError> {
    let id = session.as_str();
    if matches!(id, "" | "." | "..") {
        let error = ApiError::new(ErrorKind::NotFoundError, words::NO_SUCH_SESSION);
        return Err(BackendError::Refused { status: 404, error });
    }
    let id = String::from(encode_uri_component(id));
    Ok([SESSIONS, "/", &id, rest].concat())
}

/// `path`, which has a query, with a cursor where there is one.
fn with_page(path: String, page: Option<String>) -> String {
    match page {
        Some(page) => [path.as_str(), "&page=", &String::from(encode_uri_component(&page))].concat(),
        None => path,
    }
}

/// The JSON text of a body.
fn text(body: &Value) -> String {
    // A `Value` has no keys that are no strings: it can be written.
    to_json_text(body).unwrap_or_default()
}
