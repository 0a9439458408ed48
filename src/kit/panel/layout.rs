//! The panel as a whole: bar, conversation, composer, and what stands over them.

use std::rc::Rc;

use web_sys::MouseEvent;
use yew::{
    Callback, Html, Properties, component, html, use_effect_with, use_mut_ref, use_node_ref, use_state_eq,
};

use super::actions::Actions;
use super::announcements::Announcements;
use super::composer::{Composer, focus};
use super::history::HistoryList;
use super::icon::{Symbol, icon};
use super::icon_button::{IconButton, icon_button};
use super::log::Log;
use super::start_screen::start_screen;
use super::words::Words;
use super::{PanelActions, PanelView};
use crate::kit::transcript::{Connection, Transcript};

/// Properties of [`Panel`].
#[derive(Clone, Properties)]
pub struct PanelProps {
    /// What it shows.
    pub view: Rc<PanelView>,
    /// What it reports to.
    pub actions: Rc<dyn PanelActions>,
}

/// A view that is the same object is not looked at again.
impl PartialEq for PanelProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.view, &other.view) && Rc::ptr_eq(&self.actions, &other.actions)
    }
}

/// The chat panel. It fills the element that it is mounted into.
#[component]
pub fn Panel(props: &PanelProps) -> Html {
    let view = &*props.view;
    let actions = Actions(props.actions.clone());
    let words = Words::of(view.locale);
    let transcript = &view.transcript;
    let field = use_node_ref();
    let toggle = use_node_ref();
    let history_open = use_state_eq(|| false);
    let live = use_mut_ref(Live::default);

    let on_history = {
        let (history_open, actions) = (history_open.clone(), actions.clone());
        Callback::from(move |_: MouseEvent| {
            history_open.set(true);
            actions.load_history(false);
        })
    };
    let on_close = {
        let history_open = history_open.setter();
        Callback::from(move |()| history_open.set(false))
    };
    // Closing gives the focus back to the button that opened the list; it can take it only when the list is gone.
    let was_open = use_mut_ref(|| false);
    use_effect_with(*history_open, {
        let toggle = toggle.clone();
        move |open| {
            if was_open.replace(*open) && !*open {
                focus(&toggle);
            }
        }
    });
    let on_new = {
        let actions = actions.clone();
        Callback::from(move |_: MouseEvent| actions.new_conversation())
    };

    let history = view.history.as_ref();
    let overlay = history.filter(|_| *history_open);
    let title = view
        .session
        .as_ref()
        .and_then(|session| {
            history?.sessions.as_ref()?.iter().find(|listed| listed.id == *session)?.title.clone()
        })
        .unwrap_or_else(|| {
            if transcript.entries.is_empty() { words.new_conversation } else { words.panel }.to_owned()
        });
    let history_button = IconButton { expanded: Some(*history_open), node: toggle, ..IconButton::default() };
    let new_button =
        IconButton { part: Some("new-conversation"), disabled: !view.configured, ..IconButton::default() };
    let read_only = is_read_only(transcript);
    let placeholder = view.placeholder.clone().unwrap_or_else(|| words.placeholder.into());
    html! {
        <section class="panel" lang={words.language()} aria-label={words.panel}>
            <div class="content" inert={overlay.is_some()}>
                <header class="bar">
                    if history.is_some() {
                        { icon_button(Symbol::History, words.history, on_history, history_button) }
                    }
                    <p class="title" role="heading" aria-level="2">{ title }</p>
                    { icon_button(Symbol::Compose, words.new_conversation, on_new, new_button) }
                </header>
                { notice(transcript, &actions, words) }
                <div class="middle">
                    if !view.configured {
                        <div class="state" role="status">
                            <p class="strong">{ words.not_configured }</p>
                            <p>{ words.not_configured_hint }</p>
                        </div>
                    } else if !transcript.entries.is_empty() {
                        <Log transcript={transcript.clone()} {words} />
                    } else if transcript.connection == Connection::Opening {
                        { skeleton(words) }
                    } else if let Connection::Failed(message) = &transcript.connection {
                        { failure("state", message, &actions, words) }
                    } else {
                        { start_screen(&view.start_screen, &field, &actions, words) }
                    }
                </div>
                <Composer drafts={view.drafts.clone()} running={transcript.running} disabled={!view.configured || read_only}
                    {placeholder} {field} actions={actions.clone()} {words} />
            </div>
            <div class="overlay">
                if let Some(history) = overlay {
                    <HistoryList history={history.clone()} current={view.session.clone()} {on_close} {actions} {words} />
                }
            </div>
            { live_region(&mut live.borrow_mut(), view, words) }
        </section>
    }
}

/// Before it is open a session says nothing about writing.
fn is_read_only(transcript: &Transcript) -> bool {
    !matches!(transcript.connection, Connection::None | Connection::Opening | Connection::Failed(_))
        && !transcript.writable
}

/// Where the connection stands, when that is worth a word.
fn notice(transcript: &Transcript, actions: &Actions, words: &Words) -> Html {
    let has_entries = !transcript.entries.is_empty();
    let line = |symbol: Html, said: &'static str| html! { <div class="notice" part="notice">{ symbol }<p>{ said }</p></div> };
    let spinner = || html! { <span class="spinner" /> };
    let notice = match &transcript.connection {
        Connection::Failed(message) if has_entries => failure("notice failed", message, actions, words),
        Connection::Reconnecting => passing(spinner(), words.reconnecting, None, None, words),
        Connection::Offline => passing(icon(Symbol::Warning), words.offline, None, Some(actions), words),
        Connection::Unreachable(why) => {
            passing(spinner(), words.unreachable, Some(why), Some(actions), words)
        }
        Connection::Opening if has_entries => line(spinner(), words.opening),
        _ if is_read_only(transcript) => line(icon(Symbol::Lock), words.read_only),
        _ => Html::default(),
    };
    // What changes by itself, the live region says.
    html! { <div class="notices">{ notice }</div> }
}

/// A state that comes and goes by itself: it lies over the conversation instead of moving it.
fn passing(symbol: Html, said: &str, why: Option<&str>, actions: Option<&Actions>, words: &Words) -> Html {
    let try_now = actions.cloned().map(|actions| {
        let on_try = Callback::from(move |_: MouseEvent| actions.retry());
        html! { <button type="button" class="button" onclick={on_try}>{ words.try_now }</button> }
    });
    html! {
        <div class="notice passing" part="notice">
            { symbol }
            <p title={why.map(str::to_owned)}>{ said.to_owned() }</p>
            { for try_now }
        </div>
    }
}

/// The session could not be opened: why, and the way on.
fn failure(class: &'static str, message: &str, actions: &Actions, words: &Words) -> Html {
    let on_retry = {
        let actions = actions.clone();
        Callback::from(move |_: MouseEvent| actions.retry())
    };
    html! {
        <div {class} part="notice" role="alert">
            { icon(Symbol::Warning) }
            <div>
                <p class="strong">{ words.failed }</p>
                <p>{ message }</p>
                <button type="button" class="button" onclick={on_retry}>{ words.retry }</button>
            </div>
        </div>
    }
}

/// Stands where the conversation will stand.
fn skeleton(words: &Words) -> Html {
    html! {
        <div class="skeleton" role="status">
            <span class="unseen">{ words.opening }</span>
            <i class="mine" /><i /><i /><i class="short" /><i class="mine" /><i /><i class="short" />
        </div>
    }
}

/// How many announcements stay in the live region: enough to be read, not a second conversation.
const ANNOUNCEMENTS: usize = 8;

/// What the live region remembers between renderings.
#[derive(Default)]
struct Live {
    announcements: Announcements,
    said: Vec<(u64, String)>,
    count: u64,
}

/// Tells readers of the screen what happens. It is not seen.
fn live_region(live: &mut Live, view: &PanelView, words: &Words) -> Html {
    let Live { announcements, said, count } = live;
    for words in announcements.observe(view.session.as_ref(), &view.transcript, words) {
        *count += 1;
        said.push((*count, words));
    }
    let extra = said.len().saturating_sub(ANNOUNCEMENTS);
    said.drain(..extra);
    let said = said.iter().map(|(number, words)| html! { <p key={*number}>{ words }</p> });
    html! {
        <div class="unseen" role="log" aria-live="polite" aria-relevant="additions" part="announcements">
            { for said }
        </div>
    }
}
