use std::rc::Rc;

use futures_util::future::LocalBoxFuture;
use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use yew::prelude::*;

use super::use_praxis_context::use_provided_context;
use crate::binding::attachment::Attachment;
use crate::binding::element::PraxisAgentElement;
use crate::binding::{AgentState, AgentStatus, ContextChange, PraxisContext};
use crate::protocol::SessionId;
use crate::tools::js_error_text;

/// The agent, for a component (K25): commands, and what it shows.
#[derive(Clone, Debug, PartialEq)]
pub struct PraxisAgentHandle {
    context: Option<PraxisContext>,
    state: AgentState,
}

/// A command under way; it goes on when this is dropped.
pub type Command = LocalBoxFuture<'static, Result<(), CommandError>>;

/// Why a command did not work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// No `<PraxisAgent>` is mounted (yet).
    #[error("there is no <praxis-agent> yet: {0} works when a <PraxisAgent> is mounted")]
    NoAgent(&'static str),
    /// The page's `<praxis-agent>` cannot do this, or is not defined yet.
    #[error("this page's <praxis-agent> has no {0}()")]
    NotOffered(&'static str),
    /// The element refused, or the service did.
    #[error("{0}")]
    Failed(String),
}

impl PraxisAgentHandle {
    /// Sends a message of the person, with the page context of this moment. The message goes out at once,
    /// whether the future is awaited or not; it resolves when the service has stored the message.
    pub fn send_user_message(&self, text: &str) -> Command {
        self.command("sendUserMessage", |element| element.send_user_message(text))
    }

    /// Opens a session; `None` begins a new one. As with [`send_user_message`](Self::send_user_message), this
    /// happens at once.
    pub fn set_session(&self, session: Option<&SessionId>) -> Command {
        self.command("setSession", |element| element.set_session(session.map(SessionId::as_str)))
    }

    /// Stops the turn that runs. As with [`send_user_message`](Self::send_user_message), this happens at once.
    pub fn interrupt(&self) -> Command {
        self.command("interrupt", PraxisAgentElement::interrupt)
    }

    /// The open session, at the time of this render.
    #[must_use]
    pub fn session_id(&self) -> Option<&SessionId> {
        self.state.session_id.as_ref()
    }

    /// What the agent was doing, at the time of this render.
    #[must_use]
    pub fn status(&self) -> AgentStatus {
        self.state.status
    }

    fn command(
        &self,
        method: &'static str,
        run: impl FnOnce(&PraxisAgentElement) -> Result<Promise, JsValue>,
    ) -> Command {
        let agent = self.context.as_ref().and_then(PraxisContext::agent);
        let started = match &agent {
            None => Err(CommandError::NoAgent(method)),
            Some(agent) if !agent.element().has_method(method) => Err(CommandError::NotOffered(method)),
            Some(agent) => run(agent.element()).map_err(failed),
        };
        let agent = agent.as_ref().map(Rc::downgrade);
        let refresh = move || {
            if let Some(agent) = agent.as_ref().and_then(std::rc::Weak::<Attachment>::upgrade) {
                agent.refresh(None);
            }
        };
        refresh();
        Box::pin(async move {
            let outcome = JsFuture::from(started?).await;
            refresh();
            outcome.map(drop).map_err(failed)
        })
    }
}

fn failed(error: JsValue) -> CommandError {
    CommandError::Failed(js_error_text(&error))
}

/// The agent around this component, else the one below the provider that was mounted last (K25). The component
/// renders again when the session or the status changes.
///
/// # Panics
/// In debug builds, outside of a `<PraxisProvider>` and a `<PraxisAgent>` (K11). In release builds it logs an
/// error, and commands say that there is no agent.
///
/// # Example
/// ```
/// use praxis::binding::{AgentStatus, use_praxis_agent};
/// use wasm_bindgen_futures::spawn_local;
/// use yew::prelude::*;
///
/// #[component]
/// fn AskButton() -> Html {
///     let agent = use_praxis_agent();
///     let disabled = agent.status() == AgentStatus::Running;
///     let onclick = move |_| {
///         let sent = agent.send_user_message("我看到哪了？");
///         spawn_local(async move {
///             if let Err(error) = sent.await {
///                 gloo::console::warn!(error.to_string());
///             }
///         });
///     };
///     html! { <button {onclick} {disabled}>{ "我看到哪了？" }</button> }
/// }
/// ```
#[hook]
pub fn use_praxis_agent() -> PraxisAgentHandle {
    let context = use_provided_context("use_praxis_agent");
    let current = |context: &Option<PraxisContext>| {
        context.as_ref().map(PraxisContext::agent_state).unwrap_or_default()
    };
    let state = use_state_eq(|| current(&context));
    use_effect_with(context.clone(), {
        let state = state.setter();
        move |context| {
            // What changed between the render and this moment.
            state.set(current(context));
            let observation = context.as_ref().map(|context| {
                let watched = context.clone();
                context.observe(move |change| {
                    if *change == ContextChange::Agents {
                        state.set(watched.agent_state());
                    }
                })
            });
            move || drop(observation)
        }
    });
    PraxisAgentHandle { context, state: (*state).clone() }
}
