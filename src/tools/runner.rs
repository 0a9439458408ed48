//! Carries calls out in a page: joins registry, engine and schema worker, the questions on `window`, and the clock.
//!
//! It must not know Yew, the router or the element: who has a call brings it here and takes the text of the result.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};
use std::time::Duration;

use futures_channel::oneshot;
use futures_util::future::LocalBoxFuture;
use gloo::timers::callback::Timeout;
use js_sys::Array;
use serde_json::Value;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::spawn_local;

use super::confirmation_events::{answer_confirmation, ask_confirmation, listen_for_answers};
use super::sanitise::sanitise_arguments;
use super::{
    CallKey, CalledTool, Category, Confirmation, Effect, EngineWords, EventListener, ExecutionRecord,
    FrontendTool, Input, Observation, Observers, PermissionPolicy, RegistrationKey, SchemaClient, ToolCall,
    ToolExecutionEngine, ToolHandler, ToolRegistry,
};
use crate::protocol::json_text::value_to_json_text;
use crate::protocol::{Clock, Timestamp};

/// The worker is warmed up so long after the first front-end tool was registered, in milliseconds, and then when the
/// page is idle: never on the way to the first paint.
const WARM_UP_AFTER: u32 = 3000;

/// What an app decides about its tools.
#[derive(Clone, Debug)]
pub struct ToolOptions {
    /// The address of the schema worker's module.
    pub schema_worker: Rc<str>,
    /// What the agent may do (E18).
    pub policy: PermissionPolicy,
    /// The words in which people are spoken to; [`ToolRunner::set_words`] changes them.
    pub words: &'static EngineWords,
}

impl PartialEq for ToolOptions {
    fn eq(&self, other: &Self) -> bool {
        self.schema_worker == other.schema_worker
            && self.policy == other.policy
            && std::ptr::eq(self.words, other.words)
    }
}

impl Default for ToolOptions {
    fn default() -> Self {
        Self {
            schema_worker: "/schema-worker_loader.js".into(),
            policy: PermissionPolicy::default(),
            words: &EngineWords::ZH_CN,
        }
    }
}

/// The text of a result, or of an error, when it is there.
pub type CallOutcome = LocalBoxFuture<'static, Result<String, String>>;

/// Runs the calls of the tools of one registry, through the engine. Clones share it.
#[derive(Clone)]
pub struct ToolRunner(Rc<Shared>);

struct Shared {
    registry: ToolRegistry,
    schemas: SchemaClient,
    engine: RefCell<ToolExecutionEngine>,
    calls: RefCell<Vec<Running>>,
    /// The calls that wait at the barrier of one that navigates, in their order.
    waiting: RefCell<VecDeque<Waiting>>,
    last_key: Cell<u64>,
    /// Whether effects are being carried out, by a caller further out.
    busy: Cell<bool>,
    timer: RefCell<Option<Timeout>>,
    warm_up: RefCell<Option<Timeout>>,
    /// There once somebody was asked.
    responses: RefCell<Option<EventListener>>,
    observers: Observers<()>,
}

/// A call whose time has not come.
struct Waiting {
    call: ToolCall,
    arguments: Value,
    otherwise: Option<ToolHandler>,
    answer: oneshot::Sender<Result<String, String>>,
}

/// A call that is not answered yet.
struct Running {
    key: CallKey,
    call: ToolCall,
    handler: Option<ToolHandler>,
    /// What must still be registered when it runs.
    registration: Option<RegistrationKey>,
    tool: Option<Rc<FrontendTool>>,
    answer: oneshot::Sender<Result<String, String>>,
    _abort: Option<EventListener>,
}

impl ToolRunner {
    /// A runner for the tools of `registry`.
    #[must_use]
    pub fn new(registry: ToolRegistry, options: &ToolOptions) -> Self {
        let engine = ToolExecutionEngine::new(options.policy.clone(), options.words);
        Self(Rc::new(Shared {
            registry,
            schemas: SchemaClient::new(options.schema_worker.clone()),
            engine: RefCell::new(engine),
            calls: RefCell::default(),
            waiting: RefCell::default(),
            last_key: Cell::new(0),
            busy: Cell::new(false),
            timer: RefCell::default(),
            warm_up: RefCell::default(),
            responses: RefCell::default(),
            observers: Observers::default(),
        }))
    }

    /// Runs a call through the stages of E7. A name that nothing is registered under goes to `otherwise` (K13).
    ///
    /// A plain tool's handler has been called when this returns, unless a call before it navigates: such a one waits for
    /// the front-end tools called before it, and the calls after it wait until it is answered, and find the tools of the
    /// new page (E15). Nothing is thrown, and the call goes on
    /// when the future is dropped; the call's signal stops it.
    #[must_use = "the result comes with the future"]
    pub fn run(&self, call: ToolCall, arguments: Value, otherwise: Option<ToolHandler>) -> CallOutcome {
        let (answer, answered) = oneshot::channel();
        self.0.waiting.borrow_mut().push_back(Waiting { call, arguments, otherwise, answer });
        self.0.start_waiting();
        Box::pin(async move {
            answered.await.unwrap_or_else(|_| Err("the tools of this page have been removed".to_owned()))
        })
    }

    /// The questions that wait for the person, in the order of their calls.
    #[must_use]
    pub fn confirmations(&self) -> Vec<Confirmation> {
        self.0.engine.borrow().confirmations()
    }

    /// Answers a question, by the event that any page script may send (E9). An id that is not open does nothing.
    pub fn decide(&self, id: &str, confirmed: bool) {
        answer_confirmation(id, confirmed);
    }

    /// The newest `limit` calls, newest first, without their secrets (E10).
    #[must_use]
    pub fn execution_log(&self, limit: usize) -> Vec<ExecutionRecord> {
        self.0.engine.borrow().execution_log(limit)
    }

    /// Calls `observer` after each change of the open questions or the log.
    pub fn observe(&self, observer: impl Fn() + 'static) -> Observation<()> {
        self.0.observers.observe(move |()| observer())
    }

    /// From now on people are spoken to in these words.
    pub fn set_words(&self, words: &'static EngineWords) {
        self.0.engine.borrow_mut().set_words(words);
    }

    /// From now on the agent may do this.
    pub fn set_policy(&self, policy: PermissionPolicy) {
        self.0.engine.borrow_mut().set_policy(policy);
    }

    /// Starts the schema worker a while from now, when the page is idle. A call that needs it sooner starts it sooner.
    pub fn warm_up_when_idle(&self) {
        let weak = Rc::downgrade(&self.0);
        let mut warm_up = self.0.warm_up.borrow_mut();
        if warm_up.is_none() {
            *warm_up = Some(Timeout::new(WARM_UP_AFTER, move || when_idle(weak)));
        }
    }
}

impl Shared {
    /// Starts the calls that wait, up to and with the next that navigates.
    fn start_waiting(self: &Rc<Self>) {
        while self.may_start_next() {
            let Some(next) = self.waiting.borrow_mut().pop_front() else { return };
            self.start(next);
        }
    }

    /// A call that navigates is a barrier (E15): those after it find the new page, and those before it had the page that
    /// they were made for. Of these only front-end tools count: whether and when they act is not settled at once.
    fn may_start_next(&self) -> bool {
        let navigates = |tool: &Rc<FrontendTool>| tool.risk().0 == Category::Navigation;
        let calls = self.calls.borrow();
        let mut open = calls.iter().filter_map(|running| Some((running, running.tool.as_ref()?)));
        let waiting = self.waiting.borrow();
        let next = waiting.front().and_then(|next| self.registry.counting(next.call.name()));
        if next.and_then(|(_, entry)| entry.frontend).is_some_and(|tool| navigates(&tool)) {
            // Nobody waits for what was stopped, however long its handler takes to notice.
            open.all(|(running, _)| running.call.signal().aborted())
        } else {
            !open.any(|(_, tool)| navigates(tool))
        }
    }

    fn start(self: &Rc<Self>, Waiting { call, arguments, otherwise, answer }: Waiting) {
        let key = CallKey(self.last_key.get() + 1);
        self.last_key.set(key.0);
        let name = call.name().to_owned();
        let mut running = Running {
            key,
            handler: otherwise,
            registration: None,
            tool: None,
            answer,
            _abort: self.abort_listener(&call, key),
            call,
        };
        let tool = match self.registry.counting(&name) {
            Some((registration, entry)) => {
                running.handler = Some(entry.handler);
                running.registration = Some(registration);
                running.tool = entry.frontend;
                running.tool.clone().map_or(CalledTool::Plain, CalledTool::Frontend)
            }
            None if running.handler.is_some() => CalledTool::Plain,
            None => CalledTool::Unknown,
        };
        let aborted = running.call.signal().aborted();
        self.calls.borrow_mut().push(running);
        self.handle(Input::Call { key, name, arguments, tool });
        if aborted {
            self.handle(Input::Aborted(key));
        }
    }

    fn abort_listener(self: &Rc<Self>, call: &ToolCall, key: CallKey) -> Option<EventListener> {
        let signal = call.signal().as_js()?;
        let weak = Rc::downgrade(self);
        Some(EventListener::new(signal, "abort", move |_| {
            if let Some(this) = weak.upgrade() {
                this.handle(Input::Aborted(key));
                this.start_waiting();
            }
        }))
    }

    /// Takes what happened and does what follows from it. Nothing is borrowed while anything of the host's runs: it
    /// may come back here, and then the caller further out goes on.
    fn handle(self: &Rc<Self>, input: Input) {
        self.engine.borrow_mut().handle(input, now());
        if self.busy.replace(true) {
            return;
        }
        loop {
            let effect = self.engine.borrow_mut().poll();
            match effect {
                Some(effect) => self.carry_out(effect),
                None => break,
            }
        }
        self.busy.set(false);
        self.set_timer();
    }

    fn carry_out(self: &Rc<Self>, effect: Effect) {
        match effect {
            Effect::Check { call, tool, arguments } => {
                let weak = Rc::downgrade(self);
                self.schemas.check(value_to_json_text(tool.parameters()), arguments, move |outcome| {
                    if let Some(this) = weak.upgrade() {
                        this.handle(Input::Checked(call, outcome));
                    }
                });
            }
            Effect::Sanitise { call, mut arguments } => {
                let outcome = sanitise_arguments(&mut arguments).map(|changes| {
                    let changes = changes
                        .into_iter()
                        .map(|change| [change.path.as_str(), " (", &change.removed.join(", "), ")"].concat());
                    let changes = changes.collect();
                    (arguments, changes)
                });
                self.handle(Input::Sanitised(call, outcome));
            }
            Effect::Prepare { call, tool, arguments } => {
                let running = self.calls.borrow().iter().find(|it| it.key == call).map(|it| it.call.clone());
                let Some(running) = running else { return };
                let judgement = tool.prepared(&arguments, &running);
                self.handle(Input::Prepared { key: call, judgement, question_id: question_id() });
            }
            Effect::Ask(question) => self.ask(&question),
            Effect::Withdraw { id } => {
                answer_confirmation(&id, false);
                self.observers.notify(&());
            }
            Effect::Run { call, arguments } => self.run(call, arguments),
            Effect::Answer { call, outcome } => {
                let mut calls = self.calls.borrow_mut();
                let at = calls.iter().position(|running| running.key == call);
                let running = at.map(|at| calls.remove(at));
                drop(calls);
                if let Some(running) = running {
                    // Whoever called may have stopped waiting.
                    let _ = running.answer.send(outcome);
                }
                self.observers.notify(&());
                self.start_waiting();
            }
        }
    }

    fn ask(self: &Rc<Self>, question: &Confirmation) {
        if self.responses.borrow().is_none() {
            let weak = Rc::downgrade(self);
            let listener = listen_for_answers(move |id, confirmed| {
                if let Some(this) = weak.upgrade() {
                    this.handle(Input::Decided { id, confirmed });
                }
            });
            *self.responses.borrow_mut() = Some(listener);
        }
        ask_confirmation(question);
        self.observers.notify(&());
    }

    fn run(self: &Rc<Self>, key: CallKey, arguments: Value) {
        let found = self.calls.borrow().iter().find(|running| running.key == key).map(|running| {
            (running.handler.clone(), running.registration, running.call.clone(), running.tool.clone())
        });
        let Some((Some(handler), registration, call, tool)) = found else { return };
        if registration.is_some_and(|registration| !self.registry.is_live(registration)) {
            let error = [call.name(), " is not on this page any more"].concat();
            return self.handle(Input::Finished(key, Err(error)));
        }
        let summary = tool.and_then(|tool| tool.summarised(&arguments));
        let outcome = handler.call(arguments, call);
        // Strong: a handler that runs when the page's tools go still answers.
        let this = self.clone();
        spawn_local(async move {
            let mut outcome = outcome.await;
            if let (Some(summary), Ok(value)) = (summary, &mut outcome) {
                value.summarise(summary);
            }
            this.handle(Input::Finished(key, outcome));
        });
    }

    fn set_timer(self: &Rc<Self>) {
        let deadline = self.engine.borrow().deadline();
        let timer = deadline.map(|deadline| {
            let weak = Rc::downgrade(self);
            let rest = deadline.since(now()).as_millis().min(i32::MAX as u128) as u32;
            Timeout::new(rest, move || {
                if let Some(this) = weak.upgrade() {
                    this.handle(Input::Time);
                }
            })
        });
        drop(self.timer.replace(timer));
    }
}

impl Drop for Shared {
    /// The page's tools go: open questions close, and whoever waits is told.
    fn drop(&mut self) {
        let engine = self.engine.get_mut();
        for call in engine.open_calls() {
            engine.handle(Input::Aborted(call), Timestamp::default());
        }
        while let Some(effect) = engine.poll() {
            if let Effect::Withdraw { id } = effect {
                answer_confirmation(&id, false);
            }
        }
    }
}

/// No other question on the page has it, not even one of another copy of this code.
fn question_id() -> Rc<str> {
    let random = js_sys::Math::random() * (1_u64 << 53) as f64;
    ["confirmation-", &(random as u64).to_string()].concat().into()
}

/// Where a browser does not say when it is idle, now is as good as any other time.
fn when_idle(shared: Weak<Shared>) {
    let warm_up = Closure::once_into_js(move || {
        if let Some(shared) = shared.upgrade() {
            shared.schemas.warm_up();
        }
    });
    if gloo::utils::window().request_idle_callback(warm_up.unchecked_ref()).is_err() {
        let _ = warm_up.unchecked_ref::<js_sys::Function>().apply(&JsValue::UNDEFINED, &Array::new());
    }
}

/// What time it is. Goes on while the machine sleeps, and never back.
fn now() -> Timestamp {
    thread_local!(static CLOCK: Cell<Option<Clock>> = const { Cell::new(None) });
    let wall = Timestamp::from_millis(js_sys::Date::now() as u64);
    let performance = gloo::utils::window().performance();
    let monotonic = Duration::from_millis(performance.map_or(0.0, |performance| performance.now()) as u64);
    let mut clock = CLOCK.get().unwrap_or_else(|| Clock::new(wall, monotonic));
    let now = clock.read(wall, monotonic);
    CLOCK.set(Some(clock));
    now
}
