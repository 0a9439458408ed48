//! WebMCP: the page's front-end tools, offered to the browser's own agents too (`document.modelContext`).
//!
//! Their calls go through the same [`ToolRunner`](crate::tools::ToolRunner) as the element's, so limits, checks,
//! confirmation and log apply. A browser without WebMCP is left alone.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{JSON, Object, Promise, Reflect};
use serde_json::json;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise, spawn_local};
use web_sys::{AbortController, AbortSignal};

use super::detail::member;
use super::{LogLevel, json, log};
use crate::protocol::json_text::value_to_json_text;
use crate::tools::{FrontendTool, Observation, RiskLevel, ToolCall, ToolRegistry, ToolRunner};

#[wasm_bindgen]
extern "C" {
    type ModelContext;
    #[wasm_bindgen(method, catch, js_name = registerTool)]
    fn register_tool(this: &ModelContext, tool: &JsValue, options: &JsValue) -> Result<Promise, JsValue>;
}

/// Keeps the browser's list of tools in step with a registry, as long as it lives.
pub(super) struct WebMcp {
    offered: Rc<RefCell<Vec<Offered>>>,
    _observation: Observation<()>,
}

/// A tool that the browser's agents see; it goes away with its controller.
struct Offered {
    tool: Rc<FrontendTool>,
    controller: AbortController,
}

impl WebMcp {
    /// `None` where the browser has no WebMCP.
    pub(super) fn new(registry: &ToolRegistry, runner: &ToolRunner) -> Option<Self> {
        let context = member(&gloo::utils::document(), "modelContext");
        let is_there = member(&context, "registerTool").is_function();
        let context: ModelContext = is_there.then(|| context.unchecked_into())?;
        let offered = Rc::new(RefCell::new(Vec::new()));
        let update = {
            let (offered, registry, runner) = (offered.clone(), registry.clone(), runner.clone());
            move || update(&context, &mut offered.borrow_mut(), &registry, &runner)
        };
        update();
        Some(Self { offered, _observation: registry.observe(update) })
    }
}

impl Drop for WebMcp {
    fn drop(&mut self) {
        self.offered.borrow().iter().for_each(|offered| offered.controller.abort());
    }
}

/// Takes back what is not registered any more and offers what is new. The browser tells its listeners of both later,
/// so nothing of the page's runs while the list is borrowed.
fn update(context: &ModelContext, offered: &mut Vec<Offered>, registry: &ToolRegistry, runner: &ToolRunner) {
    let tools: Vec<_> =
        registry.tools().iter().filter_map(|tool| registry.frontend_tool(&tool.name)).collect();
    offered.retain(|offered| {
        let stays = tools.contains(&offered.tool);
        if !stays {
            offered.controller.abort();
        }
        stays
    });
    for tool in tools {
        if offered.iter().all(|offered| offered.tool != tool)
            && let Ok(controller) = AbortController::new()
        {
            offer(context, &tool, &controller.signal(), runner);
            offered.push(Offered { tool, controller });
        }
    }
}

fn offer(context: &ModelContext, tool: &FrontendTool, signal: &AbortSignal, runner: &ToolRunner) {
    let (_, risk, _) = tool.risk();
    let described = json!({
        "name": tool.name(),
        "description": tool.description_text(),
        "inputSchema": tool.parameters(),
        "annotations": {
            "readOnlyHint": risk == RiskLevel::Safe,
            "consequentialHint": risk == RiskLevel::Dangerous,
            "untrustedContentHint": true,
        },
    });
    let Ok(described) = JSON::parse(&value_to_json_text(&described)) else { return };
    set(&described, "execute", &execute(tool.name().to_owned(), runner.clone()));
    let options = Object::new();
    set(&options, "signal", signal);
    let registered = context.register_tool(&described, &options);
    let (name, signal) = (tool.name().to_owned(), signal.clone());
    spawn_local(async move {
        let outcome = match registered {
            Ok(promise) => JsFuture::from(promise).await,
            Err(error) => Err(error),
        };
        if let Err(error) = outcome
            && !signal.aborted()
        {
            let message = ["WebMCP: ", &name, ": ", &crate::tools::js_error_text(&error)].concat();
            log::log(None, LogLevel::Warn, &message);
        }
    });
}

/// What the browser calls: with the arguments and, in newer ones, a signal. It resolves to the result's JSON whether
/// the call succeeded or not: of a rejection the browser tells its agents nothing.
fn execute(name: String, runner: ToolRunner) -> JsValue {
    let function = move |input: JsValue, options: JsValue| -> Promise {
        let signal = member(&options, "signal").dyn_into().ok();
        let outcome = json::from_js(&input)
            .map(|input| runner.run(ToolCall::new("webmcp".to_owned(), name.clone(), signal), input, None));
        future_to_promise(async move {
            let text = match outcome {
                Ok(outcome) => outcome.await.unwrap_or_else(|error| error),
                Err(error) => error,
            };
            Ok(JSON::parse(&text).unwrap_or_else(|_| text.into()))
        })
    };
    Closure::<dyn Fn(JsValue, JsValue) -> Promise>::new(function).into_js_value()
}

fn set(object: &JsValue, name: &str, value: &JsValue) {
    // Setting a property of a fresh object cannot fail.
    let _ = Reflect::set(object, &JsValue::from_str(name), value);
}
