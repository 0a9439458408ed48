//! A schema worker that does what its questions tell it, and a person who answers.
#![allow(dead_code, reason = "each file of tests uses its part")]
#![allow(missing_docs, reason = "each is what its name says")]

use std::cell::RefCell;
use std::rc::Rc;

use praxis::tools::{
    EventListener, FrontendTool, ToolCall, ToolHandler, ToolOptions, ToolRegistration, ToolRegistry,
    ToolRunner,
};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use web_sys::CustomEvent;

#[wasm_bindgen(module = "/tests/tools/page.js")]
extern "C" {
    #[wasm_bindgen(js_name = stubWorker)]
    fn stub_worker_js() -> String;
    #[wasm_bindgen(js_name = workersStarted)]
    pub fn workers_started() -> u32;
    #[wasm_bindgen(js_name = questionsSent)]
    pub fn questions_sent() -> u32;
    #[wasm_bindgen(js_name = answer)]
    fn answer_js(id: &str, confirmed: JsValue);
    /// The wall clock goes on by so many milliseconds.
    #[wasm_bindgen(js_name = sleepFor)]
    pub fn sleep_for(millis: f64);
    /// Answers every question at once, while it is asked.
    #[wasm_bindgen(js_name = agreeAtOnce)]
    pub fn agree_at_once(agree: bool);
    /// Writes into the arguments of every question.
    #[wasm_bindgen(js_name = tamper)]
    pub fn tamper(tamper: bool);
}

/// The address of a worker that finds what the arguments say: `{"wrong": n}` is wrong in `n` places, `{"hang": true}`
/// never ends, `{"die": true}` ends the worker with an error, all else is valid.
pub fn stub_worker() -> Rc<str> {
    stub_worker_js().into()
}

pub fn options() -> ToolOptions {
    ToolOptions { schema_worker: stub_worker(), ..ToolOptions::default() }
}

/// Answers a question as a dialog does.
pub fn answer(id: &str, confirmed: impl Into<JsValue>) {
    answer_js(id, confirmed.into());
}

/// The details of the events of one type on `window`, as JSON.
pub struct Events {
    seen: Rc<RefCell<Vec<Value>>>,
    _listener: EventListener,
}

impl Events {
    pub fn of(kind: &'static str) -> Self {
        let seen = Rc::new(RefCell::new(Vec::new()));
        let _listener = EventListener::new(&gloo::utils::window(), kind, {
            let seen = seen.clone();
            move |event| {
                let detail = event.unchecked_into::<CustomEvent>().detail();
                let text = String::from(js_sys::JSON::stringify(&detail).unwrap());
                seen.borrow_mut().push(serde_json::from_str(&text).unwrap());
            }
        });
        Self { seen, _listener }
    }

    /// Those since the last time.
    pub fn take(&self) -> Vec<Value> {
        self.seen.take()
    }

    /// The next one.
    pub async fn next(&self) -> Value {
        while self.seen.borrow().is_empty() {
            turn().await;
        }
        self.seen.borrow_mut().remove(0)
    }
}

/// A turn of the event loop.
pub async fn turn() {
    gloo::timers::future::TimeoutFuture::new(0).await;
}

/// One registered tool and its runner, without a framework.
pub struct OneTool {
    pub runner: ToolRunner,
    pub registry: ToolRegistry,
    pub registration: Option<ToolRegistration>,
    /// What the handler was called with.
    pub ran: Rc<RefCell<Vec<Value>>>,
}

impl OneTool {
    pub fn new(tool: FrontendTool) -> Self {
        let registry = ToolRegistry::default();
        let ran = Rc::new(RefCell::new(Vec::new()));
        let handler = ToolHandler::new({
            let ran = ran.clone();
            move |input: Value, _call| {
                ran.borrow_mut().push(input);
                "done"
            }
        });
        let registration = Some(registry.register_frontend(Rc::new(tool), handler).unwrap());
        Self { runner: ToolRunner::new(registry.clone(), &options()), registry, registration, ran }
    }

    /// Begins a call of the tool.
    pub fn call(&self, input: Value) -> impl Future<Output = Value> + use<> {
        self.call_until(input, None)
    }

    /// The same, with a signal.
    pub fn call_until(
        &self,
        input: Value,
        signal: Option<web_sys::AbortSignal>,
    ) -> impl Future<Output = Value> + use<> {
        let outcome = self.runner.run(ToolCall::new("id", "t", signal), input, None);
        async move {
            let (Ok(text) | Err(text)) = outcome.await;
            let mut result: Value = serde_json::from_str(&text).unwrap_or(json!(text));
            if let Some(result) = result.as_object_mut() {
                result.remove("duration");
            }
            result
        }
    }
}
