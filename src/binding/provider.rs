//! The component under which tools, readables and agents find each other.

use yew::prelude::*;

use super::PraxisContext;
use super::web_mcp::WebMcp;
use crate::tools::ToolOptions;

/// What a [`PraxisProvider`] takes.
#[derive(Clone, PartialEq, Properties)]
pub struct PraxisProviderProps {
    /// What the app decides about its tools: what the agent may do, and in which words people are spoken to. (The
    /// address of the schema worker counts when the provider is mounted.)
    #[prop_or_default]
    pub tools: ToolOptions,
    /// Whether the browser's own agents may call the front-end tools too, where it has WebMCP.
    #[prop_or(true)]
    pub web_mcp: bool,
    /// What is below it.
    #[prop_or_default]
    pub children: Html,
}

/// Serves all agents below it with the tools and readables that are registered anywhere below it (K11). A new
/// agent gets the readables in their order.
///
/// # Example
/// ```
/// use praxis::binding::{PraxisAgent, PraxisOptions, PraxisProvider, use_praxis_readable};
/// use yew::prelude::*;
///
/// #[component]
/// fn Lesson() -> Html {
///     use_praxis_readable("lesson", "正在看第 3 课");
///     html! { <h1>{ "前端工具" }</h1> }
/// }
///
/// #[component]
/// fn App() -> Html {
///     html! {
///         <PraxisProvider>
///             <Lesson />
///             <PraxisAgent options={PraxisOptions::default()} />
///         </PraxisProvider>
///     }
/// }
/// ```
#[component]
pub fn PraxisProvider(props: &PraxisProviderProps) -> Html {
    let context = use_memo((), |()| PraxisContext::new(&props.tools));
    use_memo(props.tools.clone(), |tools| {
        context.runner().set_policy(tools.policy.clone());
        context.runner().set_words(tools.words);
    });
    use_effect_with(props.web_mcp, {
        let context = context.clone();
        move |wanted| {
            let offered = wanted.then(|| WebMcp::new(context.tools(), context.runner()));
            move || drop(offered)
        }
    });
    html! {
        <ContextProvider<PraxisContext> context={(*context).clone()}>
            { props.children.clone() }
        </ContextProvider<PraxisContext>>
    }
}
