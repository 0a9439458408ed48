//! The Yew app inside the shadow root: the panel, given what the element shows now.

use std::rc::Rc;

use yew::prelude::*;

use super::agent::Agent;
use crate::kit::panel::{Panel, PanelActions};

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

impl Component for Root {
    type Message = ();
    type Properties = RootProps;

    fn create(_: &Context<Self>) -> Self {
        Self
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let agent = &ctx.props().agent;
        let actions: Rc<dyn PanelActions> = agent.clone();
        html! { <Panel view={Rc::new(agent.view())} {actions} /> }
    }
}
