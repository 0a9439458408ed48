use std::rc::Rc;

use serde::de::DeserializeOwned;
use yew::prelude::*;

use super::use_latest::use_latest;
use super::use_praxis_context::use_provided_context;
use crate::tools::{FrontendTool, ToolCall, ToolHandler, ToolOutput};

/// Offers the agent a front-end tool, as long as the component is mounted: the engine checks the arguments of each call
/// against the tool's schema, limits how often it is called, asks the person where it should, runs `handler` and
/// records the call (E7).
///
/// - The handler is as in [`use_praxis_tool`](super::use_praxis_tool). The agent gets the JSON of
///   `{success, data?, error?, toolName, summary, duration}` (E1): what the handler gives becomes `data` or `error`,
///   and a [`ToolResult`](crate::tools::ToolResult) says all of it itself.
/// - The tool is declared to the agent wherever the page itself runs the loop; a server knows its agent's tools.
/// - Handler and closures of the newest render are the ones used; another declaration registers again.
/// - It shares its name with plain tools: the last one mounted counts (K9).
/// - A declaration that breaks K1 is logged as an error, and nothing is registered.
///
/// # Panics
/// In debug builds, outside of a `<PraxisProvider>` and a `<PraxisAgent>` (K11). In release builds it logs an
/// error and does nothing.
///
/// # Example
/// ```
/// use praxis::binding::use_frontend_tool;
/// use praxis::tools::{Category, FrontendTool, RiskLevel, ToolResult};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use serde_json::{Value, json};
/// use yew::prelude::*;
///
/// /// Moves the lesson video to a position. Call it when the person wants to jump.
/// #[derive(Deserialize, JsonSchema)]
/// struct SeekTo {
///     /// Seconds from the start of the lesson.
///     position_seconds: f64,
/// }
///
/// #[component]
/// fn PlayerTools() -> Html {
///     let position = use_state(|| 0.0);
///     use_frontend_tool(
///         FrontendTool::new::<SeekTo>("seek_to").category(Category::Ui).risk_level(RiskLevel::Safe),
///         {
///             let position = position.setter();
///             move |input: SeekTo, _call| {
///                 position.set(input.position_seconds);
///                 ToolResult::done(json!({ "positionSeconds": input.position_seconds }), "已跳转")
///             }
///         },
///     );
///     use_frontend_tool(
///         FrontendTool::from_schema("clear_notes", json!({ "type": "object", "properties": {} }))
///             .description("Deletes all notes of this lesson. Call it only when the person asks for it.")
///             .category(Category::Storage)
///             .risk_level(RiskLevel::Dangerous)
///             .confirmation(|_arguments| "将删除这一课的全部笔记".to_owned()),
///         |_input: Value, _call| async { "deleted" },
///     );
///     html! { <span hidden=true /> }
/// }
/// ```
#[hook]
pub fn use_frontend_tool<I, O, Kind, F>(tool: FrontendTool, handler: F)
where
    I: DeserializeOwned + 'static,
    O: ToolOutput<Kind>,
    F: Fn(I, ToolCall) -> O + 'static,
{
    use_declared_handler(tool, ToolHandler::new(handler));
}

#[hook]
fn use_declared_handler(tool: FrontendTool, handler: ToolHandler) {
    let context = use_provided_context("use_frontend_tool");
    let latest_tool = use_latest(tool.clone());
    let latest_handler = use_latest(handler);
    use_effect_with((context, tool), move |(context, tool)| {
        let handler = ToolHandler::forwarding(move || (*latest_handler.get()).clone());
        let tool = Rc::new(tool.clone().forwarding(move || latest_tool.get()));
        let registration = context.as_ref().and_then(|context| context.register_frontend_tool(tool, handler));
        move || drop(registration)
    });
}
