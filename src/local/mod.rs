//! The agent service in the page: joins the kit's [`Backend`] and the [`service`](crate::service), with the
//! browser's storage for what must survive a reload.
//!
//! One service for each place that models are asked at, which outlives elements; it stores before it publishes, and
//! owns each of its sessions by a Web Lock, so that of two tabs one writes and the other reads. What a session does, the
//! service's state machine decides; this module must not.

mod lock;
mod model;
mod request;
mod service;
mod session;
mod store;
mod stream;
mod words;

use std::cell::RefCell;
use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::ready;

use crate::kit::backend::{Attempt, Backend, BackendError, OpenStream};
use crate::kit::http::client::Client;
use crate::kit::options::{Options, Protocol};
use crate::protocol::tutor_script::Language;
use crate::protocol::{ApiError, ErrorKind, Event, EventBody, EventPage, Session, SessionId, SessionPage};
use crate::service::api;

use model::Agent;
use service::LocalService;
use store::NotStored;

/// How many sessions a page of the list has.
const SESSIONS_PER_PAGE: usize = 20;
/// How many events a page of the history has.
const EVENTS_PER_PAGE: usize = 1000;

/// The backend for the protocols whose loop the page itself runs: `"demo"`, `"openai-chat-completions"`, `"ag-ui"`.
#[must_use]
pub fn backend(options: &Options) -> Rc<dyn Backend> {
    let client = Rc::new(Client::new("", options));
    let agent = RefCell::new(Rc::new(Agent::new(options, &client)));
    Rc::new(LocalBackend { service: LocalService::of(&place(options)), client, agent })
}

/// Where the models of these options are asked; nothing for the tutor, who is everywhere.
fn place(options: &Options) -> String {
    match options.api.protocol {
        Protocol::Demo => String::new(),
        protocol => [protocol.name(), " ", &options.api.url].concat(),
    }
}

/// Gives up every session that this page owns, as the end of the page does: what is stored stays, locks are freed,
/// streams end, and who opens a session again takes it up from the store. Called when the page goes into the
/// browser's back/forward cache.
pub fn leave() {
    for service in LocalService::all() {
        service.leave();
    }
}

/// What one address sees of a place's service: its agent.
struct LocalBackend {
    service: Rc<LocalService>,
    /// What asks the model, where it is behind HTTP.
    client: Rc<Client>,
    agent: RefCell<Rc<Agent>>,
}

impl Backend for LocalBackend {
    fn create_session(&self) -> Attempt<Session> {
        let (service, agent) = (self.service.clone(), self.agent.borrow().clone());
        async move { service.create(agent).await }.boxed_local()
    }

    fn list_sessions(&self, page: Option<String>) -> Attempt<SessionPage> {
        let sessions = self.service.sessions();
        let page = api::session_page(sessions, page.as_deref(), SESSIONS_PER_PAGE);
        ready(page.map_err(refused)).boxed_local()
    }

    fn delete_session(&self, session: &SessionId) -> Attempt<()> {
        let (service, session) = (self.service.clone(), session.clone());
        async move { service.delete(&session).await }.boxed_local()
    }

    fn post_events(&self, session: &SessionId, events: Vec<EventBody>) -> Attempt<Vec<Event>> {
        let (service, session) = (self.service.clone(), session.clone());
        let agent = self.agent.borrow().clone();
        async move {
            api::check_events(&events, api::Caller::Browser).map_err(refused)?;
            let Some(session) = service.own(&session, agent).await? else {
                return Err(refused(words::open_elsewhere()));
            };
            session.post(events).await
        }
        .boxed_local()
    }

    fn history_page(&self, session: &SessionId, page: Option<String>) -> Attempt<EventPage> {
        let records = self.service.records(session);
        let page = records
            .and_then(|records| api::event_page(&records, page.as_deref(), EVENTS_PER_PAGE).map_err(refused));
        ready(page).boxed_local()
    }

    fn open_stream(&self, session: &SessionId) -> Attempt<OpenStream> {
        let (service, session) = (self.service.clone(), session.clone());
        let agent = self.agent.borrow().clone();
        async move {
            match service.own(&session, agent.clone()).await? {
                Some(session) => Ok(OpenStream { items: session.subscribe(), writable: true }),
                None => Ok(OpenStream { items: service.watch(&session, agent), writable: false }),
            }
        }
        .boxed_local()
    }

    fn configure(&self, options: &Options) {
        self.client.configure(options);
        let agent = Rc::new(Agent::new(options, &self.client));
        *self.agent.borrow_mut() = agent.clone();
        self.service.set_agent(&agent);
    }
}

/// What could not be stored is refused: in the language of what was said, in both where nothing was.
fn not_stored(why: NotStored, language: Option<Language>) -> BackendError {
    refused(match why {
        NotStored::WrittenElsewhere => words::written_elsewhere(),
        NotStored::Full => {
            let both = || [Language::Chinese, Language::English].map(words::storage_full).concat();
            ApiError::new(ErrorKind::InvalidRequestError, language.map_or_else(both, words::storage_full))
        }
    })
}

fn refused(error: ApiError) -> BackendError {
    BackendError::Refused { status: error.kind.status(), error }
}
