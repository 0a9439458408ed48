//! A conversation as it lives on a page: carries out what the state machine decides, and tells who shows it.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use futures_util::StreamExt;
use futures_util::future::{AbortHandle, LocalBoxFuture, abortable};
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;

use super::{Alarm, Mailbox, adopt, next_ask, now};
use crate::kit::backend::{Backend, BackendError};
use crate::kit::conversation::{
    AskId, AttemptId, Conversation, Effect, Input, Notice, Status, ToolCall, ToolOutcome,
};
use crate::kit::options::ServiceAddress;
use crate::kit::transcript::{Connection, Transcript};
use crate::protocol::{ContextItem, EventId, SessionId};

/// Who shows a conversation: an element.
pub trait Viewer {
    /// Something that the page should hear.
    fn tell(&self, session: Option<&SessionId>, notice: &Notice);
    /// What [`LiveConversation`] shows has changed.
    fn changed(&self);
    /// A text comes back to the composer, with the reason; `None`: its message arrived after all.
    fn draft(&self, ask: AskId, text: Option<String>, reason: &str);
    /// Calls the handler that is set now, before it returns; `None` where none is set (K20).
    fn run(
        &self,
        call: &ToolCall,
        signal: &web_sys::AbortSignal,
    ) -> Option<LocalBoxFuture<'static, ToolOutcome>>;
}

/// Where a message came from: only what a viewer's composer sent comes back as its draft.
pub enum Origin {
    /// A viewer's composer.
    Composer(Weak<dyn Viewer>),
    /// Anything else.
    Elsewhere,
}

/// Is told how an ask ended; an error is a message for people.
type Reply = Box<dyn FnOnce(Result<(), String>)>;

/// A conversation of this page. It goes on without a viewer while a handler runs (K24).
pub struct LiveConversation {
    service: ServiceAddress,
    backend: Rc<dyn Backend>,
    machine: RefCell<Conversation>,
    session: RefCell<Option<SessionId>>,
    inputs: Mailbox<Input>,
    alarm: Alarm,
    stream: RefCell<Option<(AttemptId, AbortHandle)>>,
    running: RefCell<HashMap<EventId, AbortController>>,
    viewers: RefCell<Vec<Weak<dyn Viewer>>>,
    /// Hears of calls that end when nobody shows the conversation any more.
    last_viewer: RefCell<Option<Weak<dyn Viewer>>>,
    replies: RefCell<HashMap<AskId, Reply>>,
    composers: RefCell<HashMap<AskId, Weak<dyn Viewer>>>,
    openings: RefCell<Vec<Reply>>,
    missing: Cell<bool>,
}

impl LiveConversation {
    pub(super) fn new(
        service: ServiceAddress,
        session: Option<SessionId>,
        backend: Rc<dyn Backend>,
    ) -> Rc<Self> {
        // Jitter and message ids, not secrets.
        let seed = (js_sys::Math::random() * 2_f64.powi(53)) as u64;
        Rc::new(Self {
            service,
            backend,
            machine: RefCell::new(Conversation::new(session.clone(), seed)),
            session: RefCell::new(session),
            inputs: Mailbox::default(),
            alarm: Alarm::default(),
            stream: RefCell::default(),
            running: RefCell::default(),
            viewers: RefCell::default(),
            last_viewer: RefCell::default(),
            replies: RefCell::default(),
            composers: RefCell::default(),
            openings: RefCell::default(),
            missing: Cell::new(false),
        })
    }

    /// The service that keeps the session.
    pub(super) fn service(&self) -> &ServiceAddress {
        &self.service
    }

    /// The session, once there is one.
    #[must_use]
    pub fn session(&self) -> Option<SessionId> {
        self.session.borrow().clone()
    }

    /// Whether the service said that there is no such session.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        self.missing.get()
    }

    /// What to show.
    #[must_use]
    pub fn transcript(&self) -> Rc<Transcript> {
        self.machine.borrow().transcript()
    }

    /// `status` of an element that shows it.
    #[must_use]
    pub fn status(&self) -> Status {
        self.machine.borrow().status()
    }

    /// `viewer` shows the conversation from now on.
    pub fn attach(self: &Rc<Self>, viewer: &Weak<dyn Viewer>) {
        let first = {
            let mut viewers = self.viewers.borrow_mut();
            viewers.retain(|other| other.strong_count() > 0);
            if viewers.iter().any(|other| other.ptr_eq(viewer)) {
                return;
            }
            viewers.push(viewer.clone());
            viewers.len() == 1
        };
        *self.last_viewer.borrow_mut() = Some(viewer.clone());
        if first {
            self.input(Input::Attach);
        }
    }

    /// `viewer` shows it no more.
    pub fn detach(self: &Rc<Self>, viewer: &Weak<dyn Viewer>) {
        let last = {
            let mut viewers = self.viewers.borrow_mut();
            let before = viewers.len();
            viewers.retain(|other| other.strong_count() > 0 && !other.ptr_eq(viewer));
            viewers.is_empty() && before > 0
        };
        if last {
            self.input(Input::Detach);
            for reply in self.openings.take() {
                reply(Err("another conversation was opened meanwhile".to_owned()));
            }
        }
    }

    /// Opens the session again, after it failed.
    pub fn reopen(self: &Rc<Self>) {
        self.missing.set(false);
        self.input(Input::Attach);
    }

    /// Calls `reply` when the session is open, or could not be opened.
    pub fn when_open(&self, reply: Reply) {
        self.openings.borrow_mut().push(reply);
        self.settle_openings();
    }

    /// Sends a message; `reply` hears when the service has stored it, or not.
    pub fn send(
        self: &Rc<Self>,
        text: String,
        page_context: Option<Vec<ContextItem>>,
        origin: Origin,
        reply: Reply,
    ) {
        let ask = next_ask();
        self.replies.borrow_mut().insert(ask, reply);
        if let Origin::Composer(viewer) = origin {
            self.composers.borrow_mut().insert(ask, viewer);
        }
        self.input(Input::Send { ask, text, page_context });
    }

    /// Stops the turn that runs.
    pub fn interrupt(self: &Rc<Self>, reply: Reply) {
        let ask = next_ask();
        self.replies.borrow_mut().insert(ask, reply);
        self.input(Input::Interrupt { ask });
    }

    /// Gives the machine an input, and carries out what it decides.
    pub(super) fn input(self: &Rc<Self>, input: Input) {
        self.inputs.deliver(input, |input| {
            if let Input::Created(_, Ok(session)) = &input {
                *self.session.borrow_mut() = Some(session.id.clone());
            }
            if let Input::StreamOpened(_, Err(error)) | Input::HistoryRead(_, Err(error)) = &input {
                self.missing.set(matches!(error, BackendError::Refused { status: 404, .. }));
            }
            let effects = self.machine.borrow_mut().handle(now(), input);
            self.carry_out(effects);
            self.settle_openings();
            for viewer in self.viewers() {
                viewer.changed();
            }
        });
    }

    fn carry_out(self: &Rc<Self>, effects: Vec<Effect>) {
        let mut reasons = HashMap::new();
        for effect in &effects {
            if let Effect::Answer(ask, Err(reason)) = effect {
                reasons.insert(*ask, reason.clone());
            }
        }
        for effect in effects {
            match effect {
                Effect::CreateSession(attempt) => {
                    self.attempt(self.backend.create_session(), move |made| Input::Created(attempt, made));
                }
                Effect::OpenStream(attempt) => self.open_stream(attempt),
                Effect::CloseStream(attempt) => self.close_stream(|open| open == attempt),
                Effect::ReadHistory(attempt, page) => self.in_session(|session| {
                    let read = self.backend.history_page(session, page);
                    self.attempt(read, move |read| Input::HistoryRead(attempt, read));
                }),
                Effect::Post(attempt, events) => self.in_session(|session| {
                    let post = self.backend.post_events(session, events);
                    self.attempt(post, move |stored| Input::Posted(attempt, stored));
                }),
                Effect::RunHandler(call) => self.run_handler(call),
                Effect::AbortHandler(call) => {
                    let controller = self.running.borrow_mut().remove(&call);
                    if let Some(controller) = controller {
                        controller.abort();
                    }
                }
                Effect::Tell(notice) => self.tell(&notice),
                Effect::Answer(ask, answer) => {
                    if answer.is_ok() {
                        self.composers.borrow_mut().remove(&ask);
                    }
                    let reply = self.replies.borrow_mut().remove(&ask);
                    if let Some(reply) = reply {
                        reply(answer);
                    }
                }
                Effect::Draft(ask, text) => {
                    let composer = self.composers.borrow().get(&ask).and_then(Weak::upgrade);
                    if let Some(composer) = composer {
                        composer.draft(ask, text, reasons.get(&ask).map_or("", String::as_str));
                    }
                }
                Effect::WakeAt(at) => {
                    let this = Rc::downgrade(self);
                    self.alarm.set(at, move || {
                        if let Some(this) = this.upgrade() {
                            this.input(Input::Wake);
                        }
                    });
                }
            }
        }
    }

    fn attempt<T: 'static>(
        self: &Rc<Self>,
        attempt: LocalBoxFuture<'static, Result<T, BackendError>>,
        outcome: impl FnOnce(Result<T, BackendError>) -> Input + 'static,
    ) {
        let this = self.clone();
        spawn_local(async move {
            let input = outcome(attempt.await);
            this.input(input);
        });
    }

    /// What reads or writes a session needs one; a machine that asks before it has one gets no answer.
    fn in_session(&self, act: impl FnOnce(&SessionId)) {
        let session = self.session();
        debug_assert!(session.is_some(), "the conversation has no session yet");
        if let Some(session) = session {
            act(&session);
        }
    }

    fn open_stream(self: &Rc<Self>, attempt: AttemptId) {
        self.close_stream(|_| true);
        self.in_session(|session| {
            let opening = self.backend.open_stream(session);
            let this = self.clone();
            let (reading, abort) = abortable(async move {
                let mut items = match opening.await {
                    Ok(open) => {
                        this.input(Input::StreamOpened(attempt, Ok(open.writable)));
                        open.items
                    }
                    Err(error) => return this.input(Input::StreamOpened(attempt, Err(error))),
                };
                let mut error = None;
                while let Some(item) = items.next().await {
                    match item {
                        Ok(item) => this.input(Input::StreamItem(attempt, item)),
                        Err(reason) => {
                            error = Some(reason);
                            break;
                        }
                    }
                }
                this.input(Input::StreamEnded(attempt, error));
            });
            *self.stream.borrow_mut() = Some((attempt, abort));
            spawn_local(async move {
                let _ = reading.await;
            });
        });
    }

    fn close_stream(&self, which: impl FnOnce(AttemptId) -> bool) {
        let open = self.stream.take();
        match open {
            Some((attempt, abort)) if which(attempt) => abort.abort(),
            other => *self.stream.borrow_mut() = other,
        }
    }

    /// Runs the handler of the viewer that came last and has one.
    fn run_handler(self: &Rc<Self>, call: ToolCall) {
        let Ok(controller) = AbortController::new() else { return };
        self.running.borrow_mut().insert(call.id.clone(), controller.clone());
        let signal = controller.signal();
        let viewers = self.viewers();
        let outcome = viewers.iter().rev().find_map(|viewer| viewer.run(&call, &signal));
        let Some(outcome) = outcome else {
            let text = ["tool ", &call.name, " is not available on this page"].concat();
            return self.handler_ended(call.id, ToolOutcome { text, is_error: true });
        };
        let this = self.clone();
        spawn_local(async move {
            let outcome = outcome.await;
            this.handler_ended(call.id, outcome);
        });
    }

    fn handler_ended(self: &Rc<Self>, call: EventId, outcome: ToolOutcome) {
        self.running.borrow_mut().remove(&call);
        self.input(Input::HandlerEnded { call, outcome });
    }

    fn tell(self: &Rc<Self>, notice: &Notice) {
        if let Notice::SessionMade(session) = notice {
            *self.session.borrow_mut() = Some(session.clone());
            adopt(self, session);
        }
        let session = self.session();
        let viewers = self.viewers();
        for viewer in &viewers {
            viewer.tell(session.as_ref(), notice);
        }
        let of_a_call =
            matches!(notice, Notice::ToolStart { .. } | Notice::ToolEnd { .. } | Notice::Log { .. });
        if viewers.is_empty() && of_a_call {
            let last = self.last_viewer.borrow().as_ref().and_then(Weak::upgrade);
            if let Some(viewer) = last {
                viewer.tell(session.as_ref(), notice);
            }
        }
    }

    fn settle_openings(&self) {
        let outcome = match &self.transcript().connection {
            Connection::None | Connection::Open => Ok(()),
            Connection::Failed(reason) => Err(reason.clone()),
            _ => return,
        };
        if outcome.is_ok() && self.session().is_some() && self.transcript().connection == Connection::None {
            return; // Not attached yet.
        }
        for reply in self.openings.take() {
            reply(outcome.clone());
        }
    }

    fn viewers(&self) -> Vec<Rc<dyn Viewer>> {
        self.viewers.borrow().iter().filter_map(Weak::upgrade).collect()
    }
}
