//! An element, and a service of the test's own behind a network that does what the test says.

use serde_json::Value;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::network::new_address;
use crate::page::{define_with, run};

#[wasm_bindgen(module = "/tests/http_backend/service.js")]
extern "C" {
    fn load_service();
}

/// Runs JavaScript with a service and an element of the test's own.
pub async fn with_stage(api: &str, body: &str) -> Value {
    load_service();
    define_with(praxis::backends::backend);
    let url = new_address();
    let begin = format!(
        "const {{ json, refusal, streamed }} = http;
         const {{ until, moment, pass, turn }} = http.service;
         const stage = http.service.stage('{url}', {api});
         const {{ service, seen }} = stage;
         const element = stage.agent;
         try {{"
    );
    run(&JsValue::NULL, &[&begin, body, "} finally { element.remove() }"].concat()).await
}
