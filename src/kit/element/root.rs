//! The Yew app inside the shadow root: the panel, given what the element shows now.

use std::rc::Rc;

use yew::prelude::*;

use super::agent::Agent;
use crate::kit::panel::{Origin, PanelActions, PanelView};
use crate::kit::transcript::EntryKind;

/// The sheet of the shadow root.
pub(super) const STYLES: &str = ":host{display:block}";

#[derive(Clone, Properties)]
pub(super) struct RootProps {
    pub agent: Rc<Agent>,
}

impl PartialEq for RootProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.agent, &other.agent)
    }
}

/// Renders again when it is sent a message; what changed, the agent knows.
pub(super) struct Root;

#[derive(Properties)]
struct PanelProps {
    view: PanelView,
    actions: Rc<dyn PanelActions>,
}

impl PartialEq for PanelProps {
    fn eq(&self, other: &Self) -> bool {
        self.view == other.view
    }
}

/// Stands in until the panel is there.
#[component]
fn Panel(props: &PanelProps) -> Html {
    let field = use_node_ref();
    let send = {
        let (field, actions) = (field.clone(), props.actions.clone());
        move |_: MouseEvent| {
            if let Some(field) = field.cast::<web_sys::HtmlTextAreaElement>() {
                actions.send(field.value(), Origin::Composer);
                field.set_value("");
            }
        }
    };
    let entries = props.view.transcript.entries.iter().map(|entry| {
        let key = entry.key.to_string();
        match &entry.kind {
            EntryKind::User { text, .. } => {
                html! { <p {key} part="message" data-role="user">{text.to_string()}</p> }
            }
            EntryKind::Agent { text, .. } => {
                html! { <p {key} part="message" data-role="agent">{text.to_string()}</p> }
            }
            other => html! { <p {key}>{format!("{other:?}")}</p> },
        }
    });
    html! { <div><div>{for entries}</div><textarea ref={field} /><button part="send" onclick={send}>{"send"}</button></div> }
}

impl Component for Root {
    type Message = ();
    type Properties = RootProps;

    fn create(_: &Context<Self>) -> Self {
        Self
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let agent = &ctx.props().agent;
        let actions: Rc<dyn PanelActions> = agent.clone();
        html! { <Panel view={agent.view()} {actions} /> }
    }
}
