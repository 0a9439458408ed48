//! The page's side of the schema worker: `jsonschema` is in the worker, which weighs ten times what Yew does.
//!
//! One check is in the worker at a time, and its time limit starts there. Past it the worker is ended and another
//! starts; the checks that wait go to the new one. It must not know why anything is checked.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use gloo::timers::callback::Timeout;
use js_sys::{Array, JsString};
use serde_json::Value;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{ErrorEvent, Event, MessageEvent, Worker, WorkerOptions, WorkerType};

use super::{CheckOutcome, EventListener, Verdict, js_error_text};

/// So long one check may take, in milliseconds (E8).
const CHECK_LIMIT: u32 = 1000;
/// So long the worker may take to load and start; half a megabyte comes over the network.
const START_LIMIT: u32 = 45_000;

/// Asks the schema worker. It starts when it is first needed, or with [`warm_up`](Self::warm_up).
pub struct SchemaClient(Rc<Shared>);

struct Shared {
    url: Rc<str>,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    worker: Option<Running>,
    /// Next first.
    waiting: Vec<Question>,
    /// The id of the last question that went to a worker.
    last_id: u32,
}

/// A check, and who wants to know.
struct Question {
    schema: String,
    arguments: String,
    answer: Answer,
}

type Answer = Box<dyn FnOnce(CheckOutcome)>;

struct Running {
    worker: Worker,
    /// Messages that are sent before the module runs are lost: it says when it listens.
    ready: bool,
    /// What it is working on.
    current: Option<(u32, Answer)>,
    /// Rings when it takes too long, to start or to check.
    limit: Option<Timeout>,
    _listeners: [EventListener; 2],
}

impl SchemaClient {
    /// A client for the worker module at `url`.
    #[must_use]
    pub fn new(url: Rc<str>) -> Self {
        Self(Rc::new(Shared { url, state: RefCell::default() }))
    }

    /// Starts the worker, so that the first check need not wait for it.
    pub fn warm_up(&self) {
        if self.0.state.borrow().worker.is_none() {
            self.0.start();
        }
    }

    /// Checks `arguments` against `schema`, both JSON texts. `answer` is called once, unless the client is dropped
    /// before.
    pub fn check(&self, schema: String, arguments: String, answer: impl FnOnce(CheckOutcome) + 'static) {
        let question = Question { schema, arguments, answer: Box::new(answer) };
        self.0.state.borrow_mut().waiting.push(question);
        self.0.advance();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

impl Shared {
    fn start(self: &Rc<Self>) {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = match Worker::new_with_options(&self.url, &options) {
            Ok(worker) => worker,
            Err(error) => return self.give_up(&js_error_text(&error)),
        };
        let weak = Rc::downgrade(self);
        let listen = |kind, react: fn(&Rc<Self>, &Event)| {
            let weak = weak.clone();
            EventListener::new(&worker, kind, move |event| {
                if let Some(this) = weak.upgrade() {
                    react(&this, &event);
                }
            })
        };
        let listeners = [
            listen("message", |this, event| {
                if let Some(event) = event.dyn_ref::<MessageEvent>() {
                    this.hear(&event.data());
                }
            }),
            listen("error", |this, event| {
                event.prevent_default();
                let message = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).unwrap_or_default();
                this.fail(&message);
            }),
        ];
        let limit = Some(self.alarm(START_LIMIT, |this| this.give_up("the worker did not start in time")));
        let running = Running { worker, ready: false, current: None, limit, _listeners: listeners };
        let before = self.state.borrow_mut().worker.replace(running);
        drop(before);
    }

    fn alarm(self: &Rc<Self>, millis: u32, ring: fn(&Rc<Self>)) -> Timeout {
        let weak: Weak<Self> = Rc::downgrade(self);
        Timeout::new(millis, move || {
            if let Some(this) = weak.upgrade() {
                ring(&this);
            }
        })
    }

    /// Gives the next question to the worker, when it is free.
    fn advance(self: &Rc<Self>) {
        let mut state = self.state.borrow_mut();
        let State { worker, waiting, last_id } = &mut *state;
        let Some(running) = worker else {
            let wanted = !waiting.is_empty();
            drop(state);
            if wanted {
                self.start();
            }
            return;
        };
        if !running.ready || running.current.is_some() {
            return;
        }
        if waiting.is_empty() {
            return;
        }
        let question = waiting.remove(0);
        *last_id = last_id.wrapping_add(1);
        let message = Array::of3(
            &JsValue::from(*last_id),
            &JsString::from(question.schema),
            &JsString::from(question.arguments),
        );
        running.current = Some((*last_id, question.answer));
        running.limit = Some(self.alarm(CHECK_LIMIT, Self::too_long));
        // Numbers and strings can be sent.
        let _ = running.worker.post_message(&message);
    }

    fn hear(self: &Rc<Self>, message: &JsValue) {
        let mut state = self.state.borrow_mut();
        let Some(running) = &mut state.worker else { return };
        if !running.ready {
            running.ready = message.as_string().as_deref() == Some("ready");
            if running.ready {
                running.limit = None;
            }
            drop(state);
            return self.advance();
        }
        let message = message.dyn_ref::<Array>();
        let id = message.and_then(|message| message.get(0).as_f64());
        let asked = running.current.as_ref().map(|(asked, _)| f64::from(*asked));
        if id.is_none() || id != asked {
            return;
        }
        let current = running.current.take();
        running.limit = None;
        drop(state);
        let text = message.and_then(|message| message.get(1).as_string()).unwrap_or_default();
        if let Some((_, answer)) = current {
            answer(read_verdict(&text));
        }
        self.advance();
    }

    /// The check at hand takes too long: its worker is ended.
    fn too_long(self: &Rc<Self>) {
        self.replace_worker(CheckOutcome::TimedOut);
    }

    /// The worker has failed.
    fn fail(self: &Rc<Self>, message: &str) {
        let problem = if message.is_empty() { "it could not be loaded" } else { message };
        if self.state.borrow().worker.as_ref().is_some_and(|running| running.ready) {
            self.replace_worker(unavailable(problem));
        } else {
            self.give_up(problem);
        }
    }

    fn replace_worker(self: &Rc<Self>, outcome: CheckOutcome) {
        let ended = self.state.borrow_mut().worker.take();
        if let Some((_, answer)) = ended.and_then(|mut ended| ended.current.take()) {
            answer(outcome);
        }
        self.advance();
    }

    /// There is no worker to be had: all that wait are told. The next check tries again.
    fn give_up(self: &Rc<Self>, problem: &str) {
        let (ended, waiting) = {
            let mut state = self.state.borrow_mut();
            (state.worker.take(), std::mem::take(&mut state.waiting))
        };
        drop(ended);
        for question in waiting {
            (question.answer)(unavailable(problem));
        }
    }
}

fn unavailable(problem: &str) -> CheckOutcome {
    CheckOutcome::Unavailable(["the schema worker failed: ", problem].concat())
}

fn read_verdict(text: &str) -> CheckOutcome {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    match Verdict::from_json(&value) {
        Ok(verdict) => CheckOutcome::Verdict(verdict),
        Err(error) => unavailable(&error.to_string()),
    }
}
