//! The agent's place in the app: beside the page where there is room, else a sheet from below.
//!
//! The element is mounted once and stays so, open or closed, wide or narrow.

use std::rc::Rc;

use serde_json::Value;
use wasm_bindgen::JsCast as _;
use web_sys::{Event, HtmlElement, KeyboardEvent};
use yew::prelude::*;
use yew_router::prelude::*;

use super::kit::use_kit;
use super::options::{TUTOR_SCRIPT, get_token, options};
use super::page_tools::{page_tools_of, use_page_tools};
use crate::app::components::{IconName, failure, icon, way_back};
use crate::app::config::Api;
use crate::app::context::use_app_context;
use crate::app::fetch::{Loading, use_file};
use crate::app::learner::{Change, use_learner, use_learner_store};
use crate::app::media_query::use_media_query;
use crate::app::routes::Route;
use crate::app::site::use_site;
use crate::app::words::use_words;
use crate::binding::{EventListener, GetToken, PraxisAgent, PraxisOptions, use_praxis_agent};
use crate::tools::ToolHandler;

/// From this width on the agent stands beside the page; the styles say the same.
const WIDE: &str = "(min-width: 1100px)";

/// Opens and closes the agent's panel, and asks in the learner's name.
#[derive(Clone, PartialEq)]
pub struct AgentPanelControl {
    /// Whether it is in sight.
    pub is_open: bool,
    /// Whether it stands beside the page.
    pub is_wide: bool,
    /// Opens or closes it.
    pub set_open: Callback<bool>,
    /// Opens it and sends a message of the learner, as soon as the agent is there.
    pub ask: Callback<AttrValue>,
    /// What is asked and not yet sent.
    question: UseStateHandle<Option<AttrValue>>,
}

/// The control that the app provides.
///
/// # Panics
/// Outside of the app.
#[hook]
pub fn use_agent_panel() -> AgentPanelControl {
    use_app_context().agent_panel
}

/// Makes the control; for the app, which provides it.
#[hook]
pub fn use_agent_panel_control() -> AgentPanelControl {
    let is_wide = use_media_query(WIDE);
    let sheet_open = use_state_eq(|| false);
    let beside = use_learner().preferences.agent_open;
    let store = use_learner_store();
    let question = use_state_eq(|| None);
    let set_open = use_callback((is_wide, store), {
        let set_sheet = sheet_open.setter();
        move |open: bool, (is_wide, store)| {
            if *is_wide {
                let mut preferences = (*store.get().preferences).clone();
                preferences.agent_open = open;
                store.apply(Change::Preferences(preferences));
            } else {
                set_sheet.set(open);
            }
        }
    });
    let ask = use_callback(set_open.clone(), {
        let set_question = question.setter();
        move |text: AttrValue, set_open| {
            set_open.emit(true);
            set_question.set(Some(text));
        }
    });
    AgentPanelControl {
        is_open: if is_wide { beside } else { *sheet_open },
        is_wide,
        set_open,
        ask,
        question,
    }
}

/// The panel with the agent.
#[component]
pub fn AgentPanel() -> Html {
    let words = use_words();
    let site = use_site();
    let theme = use_learner().preferences.theme;
    let control = use_agent_panel();
    let close = use_node_ref();
    let opener = use_node_ref();
    let was_open = use_mut_ref(|| false);

    // The focus goes along with the sheet, and back.
    use_effect_with((control.is_open, control.is_wide), {
        let (close, opener) = (close.clone(), opener.clone());
        move |(open, wide)| {
            let before = was_open.replace(*open && !*wide);
            let target = match (*wide, before, *open) {
                (false, false, true) => close,
                (false, true, false) => opener,
                _ => return,
            };
            if let Some(target) = target.cast::<HtmlElement>() {
                let _ = target.focus();
            }
        }
    });
    use_effect_with(
        (control.is_open && !control.is_wide, control.set_open.clone()),
        |(sheet_open, set_open)| {
            let listener = sheet_open.then(|| {
                let set_open = set_open.clone();
                EventListener::new(&gloo::utils::document(), "keydown", move |event| {
                    if is_escape(&event) {
                        set_open.emit(false);
                    }
                })
            });
            move || drop(listener)
        },
    );

    let config = match &site.config {
        Loading::Ready(config) => Some(config),
        Loading::Pending | Loading::Failed(_) => None,
    };
    let route = use_route::<Route>();
    let in_lesson = matches!(route, Some(Route::Lesson { .. }));
    let is_demo = config.is_some_and(|config| config.api == Api::Demo);
    let (script, read_script) = use_file(is_demo.then_some(TUTOR_SCRIPT), parse_script);
    let options = match (&site.config, &script) {
        (Loading::Ready(config), Loading::Ready(script)) => {
            Loading::Ready(options(config, Some(script.clone()), words, theme, in_lesson))
        }
        (Loading::Ready(config), _) if !is_demo => {
            Loading::Ready(options(config, None, words, theme, in_lesson))
        }
        (Loading::Failed(reason), _) | (_, Loading::Failed(reason)) => Loading::Failed(reason.clone()),
        (Loading::Pending, _) | (_, Loading::Pending) => Loading::Pending,
    };
    let get_token = config.and_then(|config| get_token(config, words));
    let read_again = match config {
        Some(_) => read_script,
        None => site.reload_config.clone(),
    };
    let read_again = read_again.reform(|_: MouseEvent| ());

    let open = |value: bool| control.set_open.reform(move |_: MouseEvent| value);
    html! { <>
        <aside id="assistant" class="agent" aria-label={words.assistant} data-open={if control.is_open { "true" } else { "false" }}
            inert={!control.is_open}>
            <div class="agent-top">
                <h2 class="visually-hidden">{ words.assistant }</h2>
                <button ref={close} type="button" class="icon-button" aria-label={words.assistant_close} title={words.assistant_close} onclick={open(false)}>
                    { icon(IconName::Close) }
                </button>
            </div>
            <div class="agent-body">
                {
                    match &options {
                        Loading::Ready(options) => html! {
                            <Agent options={options.clone()} {get_token} question={control.question.clone()} course_settled={!matches!(site.course, Loading::Pending)} />
                        },
                        Loading::Pending => waiting(words.assistant_loading),
                        Loading::Failed(reason) => failure(words.config_failed, words.config_failed_hint, reason, way_back(words.retry, read_again)),
                    }
                }
            </div>
        </aside>
        <button ref={opener} type="button" class="agent-opener" aria-controls="assistant" aria-expanded={if control.is_open { "true" } else { "false" }}
            hidden={control.is_open} onclick={open(true)}>
            { icon(IconName::Assistant) }<span>{ words.assistant }</span>
        </button>
    </> }
}

#[derive(Properties, PartialEq)]
struct AgentProps {
    options: Rc<PraxisOptions>,
    get_token: Option<GetToken>,
    question: UseStateHandle<Option<AttrValue>>,
    course_settled: bool,
}

/// The element. It comes when the kit is there, and the page's and the lesson's tools can be there too: a call that a
/// reload has interrupted runs at once when its session opens (K23).
#[component]
fn Agent(props: &AgentProps) -> Html {
    let words = use_words();
    let kit = use_kit();
    let page_tools = use_page_tools();
    let started = use_mut_ref(|| false);
    if props.course_settled && kit == Loading::Ready(()) && page_tools != Loading::Pending {
        started.replace(true);
    }
    let has_started = *started.borrow();
    let agent = use_praxis_agent();
    use_effect_with((props.question.clone(), has_started), move |(question, has_started)| {
        if let (Some(text), true) = (&**question, has_started) {
            let sent = agent.send_user_message(text);
            question.set(None);
            wasm_bindgen_futures::spawn_local(async move {
                // The panel shows what went wrong.
                let _ = sent.await;
            });
        }
    });
    let elsewhere = use_memo((), |()| {
        ToolHandler::new(|_input: serde_json::Value, call: crate::tools::ToolCall| {
            let lesson_tool = super::tools().iter().any(|tool| tool.name.as_str() == call.name());
            Err::<(), _>(if lesson_tool {
                "no lesson is open on this page; open one with open_lesson first".to_owned()
            } else {
                ["unknown tool ", call.name()].concat()
            })
        })
    });
    html! {
        <div class="agent-element">
            if has_started {
                <span hidden=true>{ page_tools_of(&page_tools) }</span>
                <PraxisAgent options={props.options.clone()} get_token={props.get_token.clone()} on_client_tool={(*elsewhere).clone()} />
            } else if let Loading::Failed(reason) = kit {
                { failure(words.assistant_failed, words.assistant_failed_hint, &reason, way_back(words.reload, Callback::from(|_| reload()))) }
            } else {
                { waiting(words.assistant_loading) }
            }
        </div>
    }
}

/// Stands where the agent will be.
fn waiting(text: &'static str) -> Html {
    html! {
        <div class="agent-waiting" role="status">
            <span class="visually-hidden">{ text }</span>
            <span class="skeleton skeleton-line" /><span class="skeleton skeleton-line" />
        </div>
    }
}

fn reload() {
    // It fails only in documents that nobody sees.
    let _ = gloo::utils::window().location().reload();
}

fn parse_script(text: &str) -> Result<Rc<Value>, serde_json::Error> {
    serde_json::from_str(text).map(Rc::new)
}

fn is_escape(event: &Event) -> bool {
    event
        .dyn_ref::<KeyboardEvent>()
        .is_some_and(|key| key.key() == "Escape" && !key.is_composing() && !key.default_prevented())
}
