//! The lesson player: a course of videos with an agent beside them.
//!
//! It joins everything below it: the binding's hooks give the agent tools and page context, the browser's storage
//! keeps what the learner does. Nobody below knows it.
//!
//! - `shell` stands around `pages`; `components` are what pages are made of.
//! - `player` is the video; `learner` is what is kept about the person; `course` and `config` are the site's files.
//! - `agent` is what the agent is told and can do on every page; what it can do with a lesson stands with its page.
//! - `debug` shows developers what the agent does.

mod agent;
mod clock;
mod components;
mod config;
mod connection;
mod context;
mod conversations;
pub mod course;
pub mod debug;
mod fetch;
mod in_order;
pub mod language;
pub mod learner;
mod links;
mod media_query;
mod pages;
pub mod player;
mod routes;
mod shell;
mod site;
mod throttle;
mod words;

use yew::prelude::*;
use yew_router::prelude::*;

use self::agent::use_agent_panel_control;
use self::components::Visit;
use self::context::AppContext;
use self::debug::DebugPanel;
use self::fetch::{Loading, site_url};
use self::language::Language;
use self::learner::{LearnerProvider, LearnerStore, Theme, use_learner};
use self::shell::Shell;
use self::site::use_site_files;
use crate::binding::PraxisProvider;
use crate::tools::{Category, EngineWords, Permission, PermissionPolicy, ToolOptions};

/// The whole app. Where the page has not defined `<praxis-agent>`, it fetches the kit that does.
#[component]
pub fn App() -> Html {
    let store = use_memo((), |()| LearnerStore::open());
    html! {
        <LearnerProvider store={(*store).clone()}>
            <BrowserRouter><Application /></BrowserRouter>
        </LearnerProvider>
    }
}

/// The app with its learner and its router: reads the site's files and provides what pages share.
#[component]
fn Application() -> Html {
    let preferences = use_learner().preferences;
    let site = use_site_files();
    let visit = use_memo((), |()| Visit::default());
    let agent_panel = use_agent_panel_control();
    let config = match &site.config {
        Loading::Ready(config) => Some(config),
        Loading::Pending | Loading::Failed(_) => None,
    };
    let configured = config.and_then(|config| config.locale);
    let has_debug_panel = debug::is_offered(config.and_then(|config| config.debug));
    let web_mcp = config.is_some_and(|config| config.web_mcp);
    let of_browser = use_memo((), |()| Language::of_browser());
    let language = preferences.language.or(configured).unwrap_or(*of_browser);
    use_document(language, preferences.theme);
    let tools = ToolOptions {
        schema_worker: site_url("schema-worker_loader.js").into(),
        policy: policy(),
        words: match language {
            Language::ZhCn => &EngineWords::ZH_CN,
            Language::En => &EngineWords::EN,
        },
    };
    let context = AppContext { language, site, visit: (*visit).clone(), agent_panel };
    html! {
        <ContextProvider<AppContext> {context}>
            <PraxisProvider {tools} {web_mcp}>
                <Shell />
                if has_debug_panel { <DebugPanel lang={language.tag()} /> }
            </PraxisProvider>
        </ContextProvider<AppContext>>
    }
}

/// What the agent may do here (E18): whatever touches forms or what is kept asks the person, requests to the network
/// are none of its business.
fn policy() -> PermissionPolicy {
    PermissionPolicy::default()
        .category(Category::Form, Permission::Ask)
        .category(Category::Storage, Permission::Ask)
        .category(Category::Network, Permission::Deny)
}

/// Tells the document its language and its colours.
#[hook]
fn use_document(language: Language, theme: Theme) {
    use_effect_with((language, theme), |(language, theme)| {
        if let Some(root) = gloo::utils::document().document_element() {
            for (name, value) in [("lang", language.tag()), ("data-theme", theme.name())] {
                // It fails for names that no attribute can have.
                let _ = root.set_attribute(name, value);
            }
        }
    });
}
