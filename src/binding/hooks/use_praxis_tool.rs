use serde::de::DeserializeOwned;
use yew::prelude::*;

use super::use_latest::use_latest;
use super::use_praxis_context::use_provided_context;
use crate::tools::{ToolCall, ToolHandler, ToolOutput};

/// Runs the agent's calls of the client tool `name` with `handler`, as long as the component is mounted.
///
/// - The handler takes the call's arguments as any `Deserialize` type, and the [`ToolCall`] with its id, its name
///   and its abort signal. It gives a value, nothing, a `Result`, or a future of one: [`ToolOutput`] says what the
///   agent gets. Arguments that do not fit are answered with an error that names the path and what was expected.
/// - The handler of the newest render is the one used, without registering again (K8).
/// - Of two components that register one name, the last one mounted counts, with a warning in debug builds; when
///   it goes, the one before counts again (K9).
/// - The agent's definition must declare the tool (K1), else no model knows of it.
///
/// # Panics
/// In debug builds, outside of a `<PraxisProvider>` and a `<PraxisAgent>` (K11). In release builds it logs an
/// error and does nothing.
///
/// # Example
/// ```
/// use praxis::binding::use_praxis_tool;
/// use serde::{Deserialize, Serialize};
/// use serde_json::Value;
/// use yew::prelude::*;
///
/// #[derive(Deserialize)]
/// struct SeekTo {
///     position_seconds: f64,
/// }
///
/// #[derive(Serialize)]
/// #[serde(rename_all = "camelCase")]
/// struct Progress {
///     position_seconds: f64,
/// }
///
/// #[component]
/// fn PlayerTools() -> Html {
///     let position = use_state(|| 83.0);
///     use_praxis_tool("read_playback_progress", {
///         let position_seconds = *position;
///         move |_input: Value, _call| Progress { position_seconds }
///     });
///     use_praxis_tool("seek_to", {
///         let position = position.setter();
///         move |input: SeekTo, call| {
///             let position = position.clone();
///             async move {
///                 if call.signal().aborted() {
///                     return Err("stopped before the player moved");
///                 }
///                 position.set(input.position_seconds);
///                 Ok(())
///             }
///         }
///     });
///     html! { <span hidden=true /> }
/// }
/// ```
#[hook]
pub fn use_praxis_tool<N, I, O, Kind, F>(name: N, handler: F)
where
    N: Into<AttrValue>,
    I: DeserializeOwned + 'static,
    O: ToolOutput<Kind>,
    F: Fn(I, ToolCall) -> O + 'static,
{
    use_tool_handler(name.into(), ToolHandler::new(handler));
}

#[hook]
fn use_tool_handler(name: AttrValue, handler: ToolHandler) {
    let context = use_provided_context("use_praxis_tool");
    let latest = use_latest(handler);
    use_effect_with((context, name), move |(context, name)| {
        let handler = ToolHandler::forwarding(move || (*latest.get()).clone());
        let registration = context.as_ref().and_then(|context| context.register_tool(name, handler));
        move || drop(registration)
    });
}
