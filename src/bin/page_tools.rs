//! The page's own tools (E2–E6) as a module of their own: the lesson player loads it beside the kit, so that a lesson
//! does not wait for what only its agent needs. JSON texts go in and out.

use js_sys::{Function, Promise};
use praxis::protocol::json_text::value_to_json_text;
use praxis::tools::page::{
    BrowserStorage, NavigationPort, PageWords, confirm_fill_form_field, confirm_navigate_to,
    confirm_read_storage, fill_form_field, fill_form_field_tool, navigate_to, navigate_to_tool, query_data,
    query_data_tool, read_storage, read_storage_tool, scroll_to, scroll_to_tool, watch_password_fields,
};
use praxis::tools::{InAppPath, ToolResult, js_error_text};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
use wasm_bindgen_futures::JsFuture;

/// The keys that the agent may read, each time with the person's consent. Who the learner is is not among them.
const OPEN_KEYS: BrowserStorage =
    BrowserStorage(&["lesson-player.preferences", "lesson-player.progress", "lesson-player.notes"]);

/// The player's router: takes a path and a query, and keeps its promise, with the two that it shows, when the page is
/// there.
struct Router(Function);

impl NavigationPort for Router {
    async fn navigate(&self, path: InAppPath) -> Result<String, String> {
        let moved = self.0.call2(&JsValue::NULL, &path.path().into(), &path.query().into());
        let there = match moved.map(JsCast::dyn_into::<Promise>) {
            Ok(Ok(promise)) => JsFuture::from(promise).await,
            Ok(Err(other)) | Err(other) => Err(other),
        };
        there.map(|there| there.as_string().unwrap_or_default()).map_err(|error| js_error_text(&error))
    }
}

fn words(language: &str) -> &'static PageWords {
    if language == "en" { &PageWords::EN } else { &PageWords::ZH_CN }
}

/// What the tools say of themselves: the list of their [`FrontendTool::to_json`](praxis::tools::FrontendTool::to_json).
#[must_use]
#[wasm_bindgen]
pub fn declarations() -> String {
    let words = &PageWords::ZH_CN; // No part of what is told.
    let tools = [
        navigate_to_tool(words),
        fill_form_field_tool(words),
        query_data_tool(),
        scroll_to_tool(),
        read_storage_tool(OPEN_KEYS, words),
    ];
    value_to_json_text(&tools.iter().map(praxis::tools::FrontendTool::to_json).collect())
}

/// What the call of this serial number would do, in words; or the result to refuse it with.
#[must_use]
#[wasm_bindgen]
pub fn prepare(call: u32, name: &str, arguments: &str, language: &str) -> String {
    let (arguments, words) = (read(arguments), words(language));
    let judgement = match name {
        "navigate_to" => confirm_navigate_to(&arguments, words),
        "fill_form_field" => confirm_fill_form_field(&arguments, call, words),
        "read_storage" => confirm_read_storage(&arguments, &OPEN_KEYS, words),
        _ => Ok(String::new()),
    };
    value_to_json_text(&match judgement {
        Ok(text) => Value::from(text),
        Err(refusal) => refusal.to_json(name, 0),
    })
}

/// Runs the call of this serial number; what comes of it is a [`ToolResult::to_json`].
#[wasm_bindgen]
pub async fn run(call: u32, name: String, arguments: String, language: String, navigate: Function) -> String {
    let (arguments, words) = (read(&arguments), words(&language));
    let result = match name.as_str() {
        "navigate_to" => navigate_to(&arguments, &Router(navigate), words).await,
        "fill_form_field" => fill_form_field(&arguments, call, words).await,
        "query_data" => query_data(&arguments, words),
        "scroll_to" => scroll_to(&arguments, words),
        "read_storage" => read_storage(&arguments, &OPEN_KEYS, words),
        _ => ToolResult::failed(["unknown tool ", &name].concat(), ""),
    };
    value_to_json_text(&result.to_json(&name, 0))
}

/// What the player has written is JSON.
fn read(arguments: &str) -> Value {
    serde_json::from_str(arguments).unwrap_or_default()
}

/// The module is there.
fn main() {
    watch_password_fields();
}
