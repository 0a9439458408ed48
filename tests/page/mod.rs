//! A page for tests: JavaScript as an author writes it, and a service that plays what a test tells it.
#![allow(dead_code, missing_docs)]

use std::rc::Rc;

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Runs the body of an async JavaScript function and gives what it returns; panics with what it throws.
pub async fn eval(body: &str) -> JsValue {
    let source = ["return (async () => {", body, "})()"].concat();
    let promise = js_sys::Function::new_no_args(&source).call0(&JsValue::UNDEFINED).unwrap();
    match JsFuture::from(js_sys::Promise::from(promise)).await {
        Ok(value) => value,
        Err(error) => panic!("{error:?}"),
    }
}

pub fn page_with(_script: Vec<u8>) {
    praxis::kit::element::define_element(|options| Err(options.api.protocol.name().to_owned()));
    let _ = Rc::new(());
}
