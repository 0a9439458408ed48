//! Running the page's handler (K2–K4). What it gives is made into text by the JavaScript beside this file.

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use js_sys::Array;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, HtmlElement};

use crate::kit::conversation::{ToolCall, ToolOutcome};
use crate::protocol::json_text::to_json_text;

/// Calls the handler that `element` has now, before this returns, and gives what it comes to; `None` where
/// it has none.
pub(super) fn run(
    element: &HtmlElement,
    call: &ToolCall,
    signal: &AbortSignal,
) -> Option<LocalBoxFuture<'static, ToolOutcome>> {
    let input = to_json_text(&call.input).unwrap_or_else(|_| "{}".to_owned());
    let outcome = super::run_handler(element, call.id.as_str(), &call.name, &input, signal)?;
    let outcome = JsFuture::from(outcome).map(|outcome| {
        let outcome: Array = outcome.unwrap_or_default().dyn_into().unwrap_or_default();
        let text = outcome.get(0).as_string();
        ToolOutcome {
            is_error: text.is_none() || outcome.get(1).is_truthy(),
            text: text.unwrap_or_else(|| "tool failed".to_owned()),
        }
    });
    Some(outcome.boxed_local())
}
