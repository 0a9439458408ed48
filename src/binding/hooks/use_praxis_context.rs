use yew::prelude::*;

use crate::binding::{LogLevel, PraxisContext, log};

/// What is registered around this component: for what looks at all of it, such as a debug panel. It does not
/// render again by itself; [`PraxisContext::observe`] tells of changes.
///
/// # Panics
/// In debug builds, outside of a `<PraxisProvider>` and a `<PraxisAgent>` (K11). In release builds it logs an
/// error and gives `None`.
///
/// # Example
/// ```
/// use praxis::binding::use_praxis_context;
/// use yew::prelude::*;
///
/// #[component]
/// fn ToolCount() -> Html {
///     let tools = use_praxis_context().map_or(0, |context| context.tools().tools().len());
///     html! { <output>{ tools }</output> }
/// }
/// ```
#[hook]
pub fn use_praxis_context() -> Option<PraxisContext> {
    use_provided_context("use_praxis_context")
}

/// The context, for the hook of this name.
#[hook]
pub(super) fn use_provided_context(hook: &'static str) -> Option<PraxisContext> {
    let context = use_context::<PraxisContext>();
    use_memo(context.is_none(), |missing| {
        if *missing {
            report_missing(hook, cfg!(debug_assertions));
        }
    });
    context
}

fn report_missing(hook: &str, debug: bool) {
    let message = [hook, " must be used inside of <PraxisAgent> or <PraxisProvider>"].concat();
    if debug {
        panic!("{message}");
    }
    log::log(None, LogLevel::Error, &message);
}

#[cfg(all(test, debug_assertions, not(target_arch = "wasm32")))]
mod tests {
    use futures_util::FutureExt;
    use serde_json::Value;
    use yew::LocalServerRenderer;
    use yew::html::BaseComponent;
    use yew::prelude::*;

    use crate::binding::{use_frontend_tool, use_praxis_agent, use_praxis_readable, use_praxis_tool};
    use crate::tools::FrontendTool;

    #[component]
    fn Tool() -> Html {
        use_praxis_tool("tool", |_: Value, _call| ());
        html! { <span /> }
    }

    #[component]
    fn Frontend() -> Html {
        use_frontend_tool(FrontendTool::from_schema("tool", Value::Null), |_: Value, _call| ());
        html! { <span /> }
    }

    #[component]
    fn Readable() -> Html {
        use_praxis_readable("readable", 1);
        html! { <span /> }
    }

    #[component]
    fn Agent() -> Html {
        use_praxis_agent();
        html! { <span /> }
    }

    /// Renders a component that is below no provider.
    fn render<C: BaseComponent<Properties = ()>>() {
        let rendered = LocalServerRenderer::<C>::new().render().now_or_never();
        panic!("nothing panicked: {rendered:?}");
    }

    #[test]
    #[should_panic(expected = "use_praxis_tool must be used inside of <PraxisAgent> or <PraxisProvider>")]
    fn k11_a_tool_used_elsewhere_panics_in_debug_builds() {
        render::<Tool>();
    }

    #[test]
    #[should_panic(expected = "use_frontend_tool must be used inside of <PraxisAgent> or <PraxisProvider>")]
    fn k11_e1_a_front_end_tool_used_elsewhere_panics_in_debug_builds() {
        render::<Frontend>();
    }

    #[test]
    #[should_panic(expected = "use_praxis_readable must be used inside of <PraxisAgent> or <PraxisProvider>")]
    fn k11_a_readable_used_elsewhere_panics_in_debug_builds() {
        render::<Readable>();
    }

    #[test]
    #[should_panic(expected = "use_praxis_agent must be used inside of <PraxisAgent> or <PraxisProvider>")]
    fn k11_k25_the_agent_used_elsewhere_panics_in_debug_builds() {
        render::<Agent>();
    }
}
