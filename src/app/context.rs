//! What the app tells all its pages, in one context: each kind of context costs the page's weight anew.

use yew::prelude::*;

use super::agent::AgentPanelControl;
use super::components::Visit;
use super::language::Language;
use super::site::Site;

/// What [`use_words`](super::words::use_words), [`use_site`](super::site::use_site) and headings look at.
#[derive(Clone, PartialEq)]
pub struct AppContext {
    /// The language of what people read.
    pub language: Language,
    /// The files that the app has read.
    pub site: Site,
    /// The visit to the app.
    pub visit: Visit,
    /// Opens the agent's panel.
    pub agent_panel: AgentPanelControl,
}

/// What the app tells.
///
/// # Panics
/// Outside of the app.
#[hook]
pub fn use_app_context() -> AppContext {
    use_context().expect("this must be used inside <App>")
}
