//! An origin that a test answers for, and a backend that speaks to it.
#![allow(dead_code, reason = "each test file uses its part")]

use std::cell::Cell;
use std::rc::Rc;

use futures_util::StreamExt;
use js_sys::Function;
use praxis::kit::backend::{Backend, BackendError, StreamItem};
use praxis::kit::http;
use praxis::kit::options::Options;
use serde_json::Value;
use wasm_bindgen::prelude::*;

use crate::page::run;

#[wasm_bindgen(module = "/tests/http_backend/fetch.js")]
extern "C" {
    fn load();
}

/// An origin of the test's own.
pub struct Network {
    origin: JsValue,
    pub url: String,
}

thread_local! {
    static ORIGINS: Cell<u32> = const { Cell::new(0) };
}

/// An address that no other test has.
pub fn new_address() -> String {
    ORIGINS.set(ORIGINS.get() + 1);
    format!("https://http-{}.test", ORIGINS.get())
}

const NAMES: &str = "const origin = agent; const { json, refusal, streamed } = http;";

impl Network {
    /// A new origin, which answers as `answer`, the body of a JavaScript function of `request`.
    pub fn new(answer: &str) -> Self {
        load();
        let url = new_address();
        let make = Function::new_with_args("url", "return new http.Origin(url)");
        let origin = make.call1(&JsValue::UNDEFINED, &url.as_str().into()).expect("an origin");
        let network = Self { origin, url };
        let answer = format!("const {{ json, refusal, streamed }} = http; {answer}");
        let answer = Function::new_with_args("request", &answer);
        js_sys::Reflect::set(&network.origin, &"answer".into(), &answer).expect("an object takes a member");
        network
    }

    /// Runs JavaScript that knows `origin`, `json`, `refusal` and `streamed`.
    pub async fn run(&self, body: &str) -> Value {
        run(&self.origin, &[NAMES, body].concat()).await
    }

    /// Options for a backend of this origin; `api` is JavaScript's, with what stands beside the address.
    pub fn options(&self, api: &str) -> JsValue {
        let source = format!(
            "return {{ api: {{ url: '{}/tenant/7/', {api} }}, agent: {{ name: 'tutor' }} }}",
            self.url
        );
        Function::new_no_args(&source).call0(&JsValue::UNDEFINED).expect("options")
    }

    /// A backend that speaks to it.
    pub fn backend(&self, api: &str) -> Rc<dyn Backend> {
        let reading = Options::read(&self.options(api)).expect("good options");
        http::backend(&reading.options)
    }

    /// What `member` of each request was, in order.
    pub async fn requests(&self, member: &str) -> Value {
        self.run(&format!("return origin.requests.map((request) => request{member} ?? null)")).await
    }
}

/// What comes on a stream until it ends, signs of life left out.
pub async fn all(mut items: praxis::kit::backend::EventStream) -> (Vec<StreamItem>, Option<BackendError>) {
    let mut read = Vec::new();
    while let Some(item) = items.next().await {
        match item {
            Ok(StreamItem::Heartbeat) => {}
            Ok(item) => read.push(item),
            Err(error) => return (read, Some(error)),
        }
    }
    (read, None)
}
