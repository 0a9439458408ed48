//! The schema worker: a module worker that checks arguments against schemas, away from the page's thread.
//!
//! What is posted before the module runs is lost, so it posts `"ready"` once it listens. From then on it takes
//! `[id, schema, instance]`, schema and instance as JSON texts, and answers `[id, verdict]`, a
//! [`Verdict`](praxis::tools::Verdict) as JSON text. One check at a time; the page ends it when one takes
//! too long.

use std::cell::RefCell;

use js_sys::{Array, JsString, TypeError};
use praxis::tools::schema::SchemaChecker;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

fn main() -> Result<(), JsValue> {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let answering = scope.clone();
    let checker = RefCell::new(SchemaChecker::default());
    let on_message =
        Closure::<dyn Fn(MessageEvent) -> Result<(), JsValue>>::new(move |event: MessageEvent| {
            answering.post_message(&answer(&checker, event.data())?.into())
        });
    scope.set_onmessage(Some(on_message.into_js_value().unchecked_ref()));
    scope.post_message(&"ready".into())
}

/// What goes back is `[id, verdict]`; anything but a question is an error that the page sees as the worker's.
fn answer(checker: &RefCell<SchemaChecker>, message: JsValue) -> Result<Array, JsValue> {
    let question = message.dyn_into::<Array>().ok();
    let texts = question
        .as_ref()
        .and_then(|question| Some((question.get(1).as_string()?, question.get(2).as_string()?)));
    let (Some(question), Some((schema, instance))) = (question, texts) else {
        return Err(TypeError::new("schema worker: expected [id, schema, instance] with JSON texts").into());
    };
    let verdict = checker.borrow_mut().check(&schema, &instance).to_json().to_string();
    Ok(Array::of2(&question.get(0), &JsString::from(verdict)))
}
