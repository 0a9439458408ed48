//! The page's services, one for each place: the sessions that this page owns, and the store that all tabs share.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use futures_util::StreamExt;
use futures_util::lock::Mutex;
use gloo::events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::StorageEvent;

use super::lock::Lock;
use super::model::Agent;
use super::session::OwnedSession;
use super::store::{Batch, Store, read_batch};
use super::stream::stream;
use super::{not_stored, refused, words};
use crate::kit::backend::{BackendError, EventStream, StreamItem};
use crate::kit::page::now;
use crate::protocol::{self, SessionId};
use crate::service::api;
use crate::service::session::{Record, Session, Settings};

/// What runs the sessions of one place.
pub(super) struct LocalService {
    store: Store,
    owned: RefCell<HashMap<SessionId, Rc<OwnedSession>>>,
    /// One session is taken up at a time, so that two who ask for the same one get the same.
    taking: Mutex<()>,
}

thread_local! {
    /// With their places, of which there are few.
    static SERVICES: RefCell<Vec<(String, Rc<LocalService>)>> = RefCell::default();
}

impl LocalService {
    /// The page's service of a place: what stands between the page and whom its models are asked. One place's sessions
    /// are not another's.
    pub fn of(place: &str) -> Rc<Self> {
        let (service, first) = SERVICES.with_borrow_mut(|services| {
            if let Some((_, service)) = services.iter().find(|(other, _)| other == place) {
                return (service.clone(), false);
            }
            let service =
                Self { store: Store::open(place), owned: RefCell::default(), taking: Mutex::default() };
            let service = Rc::new(service);
            services.push((place.to_owned(), service.clone()));
            (service, services.len() == 1)
        });
        if let (true, Some(window)) = (first, web_sys::window()) {
            // For the page's life: a page in the back/forward cache must not keep its locks.
            EventListener::new(&window, "pagehide", |_| super::leave()).forget();
        }
        service
    }

    /// The page's services.
    pub fn all() -> Vec<Rc<Self>> {
        SERVICES.with_borrow(|services| services.iter().map(|(_, service)| service.clone()).collect())
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Every session, in no order.
    pub fn sessions(&self) -> Vec<protocol::Session> {
        self.store.sessions()
    }

    /// A session's records, oldest first.
    ///
    /// # Errors
    /// There is no such session.
    pub fn records(&self, id: &SessionId) -> Result<Vec<Record>, BackendError> {
        let owned = self.find(id).and_then(|session| session.read(|machine| machine.records().to_vec()));
        let records = owned.or_else(|| Some(self.store.load(id)?.records));
        records.ok_or_else(|| refused(api::no_such_session(id)))
    }

    /// Makes a session, which this page owns.
    ///
    /// # Errors
    /// It could not be stored.
    pub async fn create(self: &Rc<Self>, agent: Rc<Agent>) -> Result<protocol::Session, BackendError> {
        let id = new_id();
        let machine = Session::new(id.clone(), agent.definition.clone(), Settings::default(), now());
        let session = machine.describe().clone();
        let Some(lock) = Lock::take(&lock_name(&id)).await else {
            return Err(refused(words::open_elsewhere()));
        };
        let batch = Batch { session: &session, records: &[] };
        self.store.append(0, &batch, None).map_err(|why| not_stored(why, None))?;
        self.keep(OwnedSession::start(self, (machine, Vec::new()), agent, (1, None), lock)?);
        Ok(session)
    }

    /// The session, owned by this page; `None` where another tab owns it.
    ///
    /// # Errors
    /// There is no such session, or taking it up could not be stored.
    pub async fn own(
        self: &Rc<Self>,
        id: &SessionId,
        agent: Rc<Agent>,
    ) -> Result<Option<Rc<OwnedSession>>, BackendError> {
        let _taking = self.taking.lock().await;
        if let Some(session) = self.find(id) {
            return Ok(Some(session));
        }
        match Lock::take(&lock_name(id)).await {
            Some(lock) => self.take_up(id, agent, lock).map(Some),
            None if self.store.load(id).is_none() => Err(refused(api::no_such_session(id))),
            None => Ok(None),
        }
    }

    /// What happens in a session that another tab owns. It ends when that tab has freed the session and this page
    /// owns it.
    pub fn watch(self: &Rc<Self>, id: &SessionId, agent: Rc<Agent>) -> EventStream {
        let (watching, watched) = (self.clone(), id.clone());
        let (_, items) = stream(|sender| {
            let sender = sender.clone();
            web_sys::window().map(|window| {
                EventListener::new(&window, "storage", move |event| {
                    let written = event.dyn_ref().map(|event| watching.written(event, &watched));
                    for record in written.unwrap_or_default() {
                        sender.send(StreamItem::Event(record.event));
                    }
                })
            })
        });
        let (service, id) = (self.clone(), id.clone());
        let freed = async move {
            if let Some(lock) = Lock::wait(&lock_name(&id)).await {
                let _taking = service.taking.lock().await;
                // Where it cannot be taken up, opening the stream again says why.
                drop(service.take_up(&id, agent, lock));
            }
        };
        items.take_until(Box::pin(freed)).boxed_local()
    }

    /// Deletes a session.
    ///
    /// # Errors
    /// There is no such session, or another tab owns it.
    pub async fn delete(self: &Rc<Self>, id: &SessionId) -> Result<(), BackendError> {
        let owned = self.find(id);
        let lock = if owned.is_none() { Lock::take(&lock_name(id)).await } else { None };
        if owned.is_none() && lock.is_none() {
            return Err(refused(words::open_elsewhere()));
        }
        if self.store.load(id).is_none() {
            return Err(refused(api::no_such_session(id)));
        }
        if let Some(session) = owned {
            session.give_up(None);
        }
        self.store.remove(id);
        Ok(())
    }

    /// An agent has changed: its sessions follow from their next model request on.
    pub fn set_agent(&self, agent: &Rc<Agent>) {
        let sessions: Vec<_> = self.owned.borrow().values().cloned().collect();
        for session in sessions {
            if session.describe().is_some_and(|session| session.agent.name == agent.definition.name) {
                session.set_agent(agent);
            }
        }
    }

    /// Gives every session up, as the end of the page does.
    pub fn leave(&self) {
        let sessions: Vec<_> = self.owned.borrow().values().cloned().collect();
        for session in sessions {
            session.give_up(None);
        }
    }

    /// This page has given a session up.
    pub(super) fn forget(&self, id: &SessionId) {
        let session = self.owned.borrow_mut().remove(id);
        drop(session);
    }

    fn find(&self, id: &SessionId) -> Option<Rc<OwnedSession>> {
        self.owned.borrow().get(id).cloned()
    }

    fn keep(&self, session: Rc<OwnedSession>) {
        if let Some(id) = session.describe().map(|session| session.id) {
            self.owned.borrow_mut().insert(id, session);
        }
    }

    /// Reads a session whose lock this page has, as the tab before left it.
    fn take_up(
        self: &Rc<Self>,
        id: &SessionId,
        agent: Rc<Agent>,
        lock: Lock,
    ) -> Result<Rc<OwnedSession>, BackendError> {
        let stored = self.store.load(id).ok_or_else(|| refused(api::no_such_session(id)))?;
        let definition = agent.definition.clone();
        let restored =
            Session::restore(stored.session, stored.records, definition, Settings::default(), now());
        let batches = (stored.next_batch, stored.state);
        let session = OwnedSession::start(self, restored, agent, batches, lock)?;
        self.keep(session.clone());
        Ok(session)
    }

    /// The records that another tab has written to a session.
    fn written(&self, event: &StorageEvent, session: &SessionId) -> Vec<Record> {
        let (Some(key), Some(text)) = (event.key(), event.new_value()) else { return Vec::new() };
        match self.store.read_key(&key) {
            Some((id, _)) if id == *session => {
                read_batch(&key, &text).map(|batch| batch.records).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }
}

fn lock_name(id: &SessionId) -> String {
    ["praxis.local ", id.as_str()].concat()
}

/// A session's id, hard to guess: the ids of its events are made from it.
fn new_id() -> SessionId {
    let mut random = [0_u8; 16];
    let crypto = web_sys::window().and_then(|window| window.crypto().ok());
    let filled = crypto.is_some_and(|crypto| crypto.get_random_values_with_u8_array(&mut random).is_ok());
    if !filled {
        random.fill_with(|| (js_sys::Math::random() * 256.0) as u8);
    }
    let mut id = String::from("sesn_");
    for byte in random {
        for digit in [byte >> 4, byte & 15] {
            id.extend(char::from_digit(u32::from(digit), 16));
        }
    }
    SessionId::from(id)
}
