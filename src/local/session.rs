//! A session that this page owns: carries out what the service's state machine decides.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};
use std::time::Duration;

use futures_channel::oneshot;
use futures_util::future::{AbortHandle, abortable};
use wasm_bindgen_futures::spawn_local;

use super::lock::Lock;
use super::model::Agent;
use super::service::LocalService;
use super::store::{Batch, NotStored};
use super::stream::{StreamSender, stream};
use super::{not_stored, refused, words};
use crate::kit::backend::{BackendError, EventStream, StreamItem};
use crate::kit::page::{Alarm, Mailbox, now};
use crate::protocol::tutor_script::Language;
use crate::protocol::{self, Content, Event, EventBody, MessageStop, SessionId, SessionStatus};
use crate::service::model::{ModelOutput, ModelRequest};
use crate::service::session::{Effect, Input, Record, RequestId, RunNumber, Session};

/// How long a session that nobody reads, and in which nothing goes on, stays this page's. Long enough for a
/// stream that is opened again.
const REST: Duration = Duration::from_secs(2);

type Reply = oneshot::Sender<Result<Vec<Event>, BackendError>>;

/// A session that this page owns.
pub(super) struct OwnedSession {
    id: SessionId,
    service: Weak<LocalService>,
    this: Weak<Self>,
    /// `None` once the page has given the session up.
    machine: RefCell<Option<Session>>,
    agent: RefCell<Rc<Agent>>,
    next_batch: Cell<u32>,
    /// The batch that has the model's state.
    state: Cell<Option<u32>>,
    /// How turns ended that could not be stored any more: this page shows it, and stores it as soon as there is room.
    unsaved: RefCell<Vec<Record>>,
    next_request: Cell<u64>,
    inputs: Mailbox<Input>,
    replies: RefCell<HashMap<RequestId, Reply>>,
    streams: RefCell<Vec<StreamSender>>,
    run: RefCell<Option<(RunNumber, AbortHandle)>>,
    alarm: Alarm,
    /// Whether the machine waits for results.
    waits: Cell<bool>,
    rest: Alarm,
    lock: RefCell<Option<Lock>>,
}

impl OwnedSession {
    /// Takes up a session whose lock this page has; `effects` are what the machine wants done at first. With the number
    /// of the next batch comes that of the one that has the model's state.
    ///
    /// # Errors
    /// Another tab writes to it.
    pub fn start(
        service: &Rc<LocalService>,
        (machine, effects): (Session, Vec<Effect>),
        agent: Rc<Agent>,
        (next_batch, state): (u32, Option<u32>),
        lock: Lock,
    ) -> Result<Rc<Self>, BackendError> {
        let session = Rc::new_cyclic(|this| Self {
            id: machine.describe().id.clone(),
            service: Rc::downgrade(service),
            this: this.clone(),
            machine: RefCell::new(Some(machine)),
            agent: RefCell::new(agent),
            next_batch: Cell::new(next_batch),
            state: Cell::new(state),
            unsaved: RefCell::default(),
            next_request: Cell::new(0),
            inputs: Mailbox::default(),
            replies: RefCell::default(),
            streams: RefCell::default(),
            run: RefCell::default(),
            alarm: Alarm::default(),
            waits: Cell::new(false),
            rest: Alarm::default(),
            lock: RefCell::new(Some(lock)),
        });
        match session.carry_out(effects) {
            Ok(()) => {}
            Err((NotStored::Full, records)) => {
                session.hold(records);
                session.end_turn_not_stored(None);
            }
            Err((why, _)) => return Err(not_stored(why, None)),
        }
        Ok(session)
    }

    /// The session as clients see it.
    pub fn describe(&self) -> Option<protocol::Session> {
        self.machine.borrow().as_ref().map(|machine| machine.describe().clone())
    }

    /// Calls `read` with the session's machine; `None` once the page has given it up.
    pub fn read<T>(&self, read: impl FnOnce(&Session) -> T) -> Option<T> {
        self.machine.borrow().as_ref().map(read)
    }

    /// Changes the agent, from the next model request on.
    pub fn set_agent(&self, agent: &Rc<Agent>) {
        *self.agent.borrow_mut() = agent.clone();
        if let Some(machine) = self.machine.borrow_mut().as_mut() {
            machine.set_agent(agent.definition.clone());
        }
    }

    /// Posts events; answers when they are stored.
    pub async fn post(&self, events: Vec<EventBody>) -> Result<Vec<Event>, BackendError> {
        let (reply, answer) = oneshot::channel();
        let request = RequestId(self.next_request.get());
        self.next_request.set(request.0 + 1);
        self.replies.borrow_mut().insert(request, reply);
        self.input(Input::Post { request, events });
        answer.await.unwrap_or_else(|_| Err(refused(words::open_elsewhere())))
    }

    /// A stream of what happens from now on.
    pub fn subscribe(&self) -> EventStream {
        let this = self.this.clone();
        let (sender, items) = stream(|_| Leave(this));
        self.streams.borrow_mut().push(sender);
        items
    }

    /// Stops everything and frees the lock; streams end, with the reason where there is one.
    pub fn give_up(&self, reason: Option<BackendError>) {
        if !self.unsaved.borrow().is_empty() {
            let _ = self.append(&[]);
        }
        let machine = self.machine.take();
        let effects = machine.map(Session::close).unwrap_or_default();
        let _ = self.carry_out(effects);
        self.rest.set(None, || {});
        if let Some(service) = self.service.upgrade() {
            service.forget(&self.id);
        }
        for (_, reply) in self.replies.take() {
            let _ = reply.send(Err(reason.clone().unwrap_or_else(|| refused(words::open_elsewhere()))));
        }
        for stream in self.streams.take() {
            stream.end(reason.clone());
        }
        drop(self.lock.take());
    }

    fn input(&self, input: Input) {
        self.inputs.deliver(input, |input| {
            let undo = Undo::of(&input, &self.machine.borrow());
            let effects = match self.machine.borrow_mut().as_mut() {
                Some(machine) => machine.handle(now(), input),
                None => return self.give_up(None),
            };
            match (self.carry_out(effects), undo) {
                (Ok(()), _) => {}
                (Err((NotStored::Full, _)), Some(undo)) => self.undo(undo),
                // What the machine knows is more than what is stored: it is taken up anew from the store.
                (Err((why, _)), _) => self.give_up(Some(not_stored(why, None))),
            }
            self.rest_if_idle();
        });
    }

    /// Goes back to before an input of which came more than the storage takes. What was posted is refused; a turn in
    /// which more was to be stored than a message ends, for it cannot go on.
    fn undo(&self, undo: Undo) {
        *self.machine.borrow_mut() = Some(undo.machine);
        if !undo.is_message {
            self.end_turn_not_stored(undo.stop);
        }
        let waiting = undo.request.and_then(|request| self.replies.borrow_mut().remove(&request));
        if let Some(waiting) = waiting {
            let _ = waiting.send(Err(not_stored(NotStored::Full, undo.language)));
        }
    }

    /// Ends the turns that go on, since what comes of them cannot be stored. That they end is told in any case.
    fn end_turn_not_stored(&self, stop: Option<MessageStop>) {
        let input = Input::NotStored { stop, why: words::storage_full };
        let effects = self.machine.borrow_mut().as_mut().map(|machine| machine.handle(now(), input));
        for effect in effects.unwrap_or_default() {
            if let Err((_, records)) = self.carry_out(vec![effect]) {
                self.hold(records);
            }
        }
    }

    /// Publishes what cannot be stored now. The model's state may be what is too large, so that is not kept.
    fn hold(&self, mut records: Vec<Record>) {
        for record in &mut records {
            record.drop_state();
            self.publish(&StreamItem::Event(record.event.clone()));
        }
        self.unsaved.borrow_mut().extend(records);
        let _ = self.append(&[]);
    }

    /// Stores what was held and these records.
    fn append(&self, records: &[Record]) -> Result<(), NotStored> {
        let (Some(session), Some(service)) = (self.describe(), self.service.upgrade()) else {
            return Ok(());
        };
        let records = [&self.unsaved.borrow(), records].concat();
        let number = self.next_batch.get();
        let has_state = records.iter().any(Record::has_state);
        let older = self.state.get().filter(|_| has_state);
        service.store().append(number, &Batch { session: &session, records: &records }, older)?;
        if has_state {
            self.state.set(Some(number));
        }
        self.next_batch.set(number + 1);
        self.unsaved.take();
        Ok(())
    }

    /// # Errors
    /// These records could not be stored; the effects after them were not carried out.
    fn carry_out(&self, effects: Vec<Effect>) -> Result<(), (NotStored, Vec<Record>)> {
        for effect in effects {
            match effect {
                Effect::Append(records) => {
                    if let Err(why) = self.append(&records) {
                        return Err((why, records));
                    }
                    for record in records {
                        self.publish(&StreamItem::Event(record.event));
                    }
                }
                Effect::Reply { request, reply } => {
                    let waiting = self.replies.borrow_mut().remove(&request);
                    if let Some(waiting) = waiting {
                        let _ = waiting.send(reply.map_err(refused));
                    }
                }
                Effect::Preview(preview) => self.publish(&StreamItem::Preview(preview)),
                Effect::AskModel { run, request } => self.ask_model(run, request),
                Effect::CancelModel(run) => {
                    let running = self.run.take();
                    match running {
                        Some((number, abort)) if number == run => abort.abort(),
                        other => *self.run.borrow_mut() = other,
                    }
                }
                // The page's service offers none.
                Effect::RunBuiltIn { .. } => {}
                Effect::WakeAt(at) => {
                    self.waits.set(at.is_some());
                    let this = self.this.clone();
                    self.alarm.set(at, move || {
                        if let Some(this) = this.upgrade() {
                            this.input(Input::Wake);
                        }
                    });
                }
            }
        }
        Ok(())
    }

    fn ask_model(&self, run: RunNumber, request: ModelRequest) {
        let (this, agent) = (self.this.clone(), self.agent.borrow().clone());
        let (answering, abort) = abortable(async move {
            let answering = agent.answer(&request, |output| {
                if let Some(this) = this.upgrade() {
                    this.input(Input::Model { run, output });
                }
            });
            answering.await;
        });
        *self.run.borrow_mut() = Some((run, abort));
        spawn_local(async move {
            let _ = answering.await;
        });
    }

    fn publish(&self, item: &StreamItem) {
        self.streams.borrow_mut().retain(|stream| stream.send(item.clone()));
    }

    /// Nobody reads and nothing goes on: another tab may have the session.
    fn rest_if_idle(&self) {
        let this = self.this.clone();
        let at = self.is_idle().then(|| now() + REST);
        self.rest.set(at, move || {
            if let Some(this) = this.upgrade().filter(|this| this.is_idle()) {
                this.give_up(None);
            }
        });
    }

    fn is_idle(&self) -> bool {
        let running = self.describe().is_none_or(|session| session.status == SessionStatus::Running);
        !running
            && !self.waits.get()
            && self.unsaved.borrow().is_empty()
            && !self.streams.borrow().iter().any(StreamSender::is_read)
    }
}

/// What a session goes back to where that cannot be stored what comes of an input.
struct Undo {
    /// The session as it was.
    machine: Session,
    /// Who is to be told that it is refused.
    request: Option<RequestId>,
    /// The language of the message that was posted.
    language: Option<Language>,
    /// Whether nothing but messages was posted: nothing has happened where they are refused.
    is_message: bool,
    /// How the message ends that has come so far.
    stop: Option<MessageStop>,
}

impl Undo {
    /// `None` for an input of which nothing comes that is stored.
    fn of(input: &Input, machine: &Option<Session>) -> Option<Self> {
        use ModelOutput::{Call, Kept, Reasoning, Text};
        if matches!(input, Input::Model { output: Text(_) | Reasoning(_) | Call(_) | Kept(_), .. }) {
            return None;
        }
        let (request, events) = match input {
            Input::Post { request, events } => (Some(*request), events.as_slice()),
            _ => (None, [].as_slice()),
        };
        let said = events.iter().find_map(|event| match event {
            EventBody::UserMessage { content, .. } => Some(Content::text(content)),
            _ => None,
        });
        let is_message =
            |event| matches!(event, &EventBody::UserMessage { .. } | &EventBody::SystemMessage { .. });
        Some(Self {
            machine: machine.clone()?,
            request,
            language: said.as_deref().map(Language::of),
            is_message: request.is_some() && events.iter().all(is_message),
            stop: match input {
                Input::Post { .. } => Some(MessageStop::Interrupted),
                Input::Model { output: ModelOutput::Failed(_), .. } => Some(MessageStop::Incomplete),
                _ => None,
            },
        })
    }
}

/// Dropped with a stream.
struct Leave(Weak<OwnedSession>);

impl Drop for Leave {
    fn drop(&mut self) {
        // The stream itself is being dropped: whether others read is seen when that is over.
        let session = self.0.clone();
        spawn_local(async move {
            if let Some(session) = session.upgrade() {
                session.rest_if_idle();
            }
        });
    }
}
