//! The component that shows an agent.

use std::rc::Rc;

use yew::prelude::*;

use super::attachment::Attachment;
use super::context::AgentSlot;
use super::element::PraxisAgentElement;
use super::hooks::use_latest;
use super::{AgentError, GetToken, LogEntry, LogLevel, PraxisContext, PraxisOptions, ToolChange};
use crate::protocol::SessionId;
use crate::protocol::json_text::to_json_text;
use crate::tools::ToolHandler;

/// What a [`PraxisAgent`] takes. New callbacks on a later render are the ones used from then on.
#[derive(Clone, PartialEq, Properties)]
pub struct PraxisAgentProps {
    /// The options. Those that serialise alike are the same; keep them with `use_memo` to save the work.
    pub options: Rc<PraxisOptions>,
    /// Where bearer tokens come from.
    #[prop_or_default]
    pub get_token: Option<GetToken>,
    /// Runs the calls of tools that no hook has registered (K13).
    #[prop_or_default]
    pub on_client_tool: Option<ToolHandler>,
    /// A call starts, or its result was accepted.
    #[prop_or_default]
    pub on_tool_change: Callback<ToolChange>,
    /// Something that a developer should know.
    #[prop_or_default]
    pub on_log: Callback<LogEntry>,
    /// The agent is open for the first time.
    #[prop_or_default]
    pub on_ready: Callback<()>,
    /// Another session is open; `None` when it is a new one.
    #[prop_or_default]
    pub on_session_change: Callback<Option<SessionId>>,
    /// A turn has begun in this session.
    #[prop_or_default]
    pub on_response_start: Callback<Option<SessionId>>,
    /// A turn has ended in this session.
    #[prop_or_default]
    pub on_response_end: Callback<Option<SessionId>>,
    /// An opening or a turn failed.
    #[prop_or_default]
    pub on_error: Callback<AgentError>,
    /// The element's classes.
    #[prop_or_default]
    pub class: Classes,
    /// Components that use the hooks; they come after the element.
    #[prop_or_default]
    pub children: Html,
}

/// Shows `<praxis-agent>` and joins it to the tools and readables around it (K12).
///
/// Inside a [`PraxisProvider`](super::PraxisProvider) the agent has the provider's tools and readables; without
/// one it has those of its own children.
///
/// # Example
/// ```
/// use praxis::binding::{GetToken, PraxisAgent, PraxisOptions, ToolChange};
/// use praxis::tools::ToolHandler;
/// use serde_json::Value;
/// use yew::prelude::*;
///
/// #[component]
/// fn Beside() -> Html {
///     let options = use_memo((), |()| PraxisOptions::default());
///     html! {
///         <PraxisAgent
///             {options}
///             get_token={GetToken::new(|| async { Ok::<_, String>("a token") })}
///             on_client_tool={ToolHandler::new(|_input: Value, call| {
///                 Err::<(), _>(format!("这里没有 {}", call.name()))
///             })}
///             on_tool_change={|change: ToolChange| gloo::console::log!(change.name)}
///         />
///     }
/// }
/// ```
#[component]
pub fn PraxisAgent(props: &PraxisAgentProps) -> Html {
    let outer = use_context::<PraxisContext>();
    let slot = use_memo((), |()| AgentSlot::default());
    let own = use_memo(outer, |outer| outer.clone().unwrap_or_default().below((*slot).clone()));
    let node = use_node_ref();
    let latest = use_latest(props.clone());
    let get_token = use_latest(props.get_token.clone());

    // Children's effects come first: their readables are there when the element gets its own.
    use_effect_with(own.clone(), {
        let node = node.clone();
        let slot = slot.clone();
        move |context| {
            let attachment = node
                .cast::<PraxisAgentElement>()
                .map(|element| Attachment::new(element, (**context).clone(), latest, get_token));
            slot.replace(attachment.clone());
            if let Some(attachment) = &attachment {
                context.add_agent(attachment.clone());
            }
            let context = context.clone();
            move || {
                slot.replace(None);
                if let Some(attachment) = attachment {
                    context.remove_agent(&attachment);
                }
            }
        }
    });

    let options = use_memo(props.options.clone(), |options| to_json_text(&**options).map(Rc::<str>::from));
    let serialised = options.as_ref().as_ref().map(Rc::clone).map_err(ToString::to_string);
    use_effect_with((own.clone(), serialised, props.get_token.is_some()), move |(context, serialised, _)| {
        match (serialised, &*slot.borrow()) {
            (Ok(options), Some(attachment)) => attachment.set_options(options.clone()),
            (Err(error), _) => {
                context.log(LogLevel::Error, &["the options cannot be serialised: ", error].concat())
            }
            (Ok(_), None) => {}
        }
    });

    html! {
        <>
            <praxis-agent ref={node} class={props.class.clone()} />
            <ContextProvider<PraxisContext> context={(*own).clone()}>
                { props.children.clone() }
            </ContextProvider<PraxisContext>>
        </>
    }
}
