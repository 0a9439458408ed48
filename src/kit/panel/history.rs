//! The list of the person's conversations: open one, or delete one after a question.

use std::rc::Rc;

use js_sys::{Array, Date, Object, Reflect};
use wasm_bindgen::JsValue;
use web_sys::{KeyboardEvent, MouseEvent};
use yew::{
    Callback, Html, NodeRef, Properties, component, html, use_effect_with, use_node_ref, use_state_eq,
};

use super::History;
use super::actions::Actions;
use super::composer::focus;
use super::icon::Symbol;
use super::icon_button::{IconButton, icon_button};
use super::words::Words;
use crate::protocol::{SessionId, Timestamp};

/// Properties of [`HistoryList`].
#[derive(Clone, PartialEq, Properties)]
pub struct HistoryListProps {
    /// The conversations.
    pub history: Rc<History>,
    /// The one that is open.
    pub current: Option<SessionId>,
    /// Closes the list.
    pub on_close: Callback<()>,
    /// What opening, deleting and reading on do.
    pub actions: Actions,
    /// The panel's words.
    pub words: &'static Words,
}

/// What the person does in the list.
#[derive(Clone)]
enum Step {
    Close,
    Load {
        more: bool,
    },
    Open(SessionId),
    /// Asks whether this one should go.
    Ask(SessionId),
    Keep(SessionId),
    Delete(SessionId),
}

/// A row that is asked about, or was until the person chose to keep it.
#[derive(Clone, PartialEq)]
struct Question {
    session: SessionId,
    open: bool,
}

/// The list of conversations. The person asked for it, so it takes the focus.
#[component]
pub fn HistoryList(props: &HistoryListProps) -> Html {
    let HistoryListProps { history, current, on_close, actions, words } = props;
    let words = *words;
    let (close, in_row) = (use_node_ref(), use_node_ref());
    let question = use_state_eq(|| None::<Question>);
    // The question takes the place of the button that was pressed, and keeping the conversation gives it back. A
    // row that goes away must not take the focus with it.
    use_effect_with((*question).clone(), {
        let (close, in_row) = (close.clone(), in_row.clone());
        move |question| focus(if question.is_some() { &in_row } else { &close })
    });
    let on = |step: Step| {
        let (actions, on_close, question) = (actions.clone(), on_close.clone(), question.setter());
        Callback::from(move |_: MouseEvent| match step.clone() {
            Step::Close => on_close.emit(()),
            Step::Load { more } => actions.load_history(more),
            Step::Open(session) => {
                actions.open_session(&session);
                on_close.emit(());
            }
            Step::Ask(session) => question.set(Some(Question { session, open: true })),
            Step::Keep(session) => question.set(Some(Question { session, open: false })),
            Step::Delete(session) => {
                question.set(None);
                actions.delete_session(&session);
            }
        })
    };
    let onkeydown = {
        let on_close = on_close.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" && !event.is_composing() {
                event.stop_propagation();
                on_close.emit(());
            }
        })
    };
    let sessions = history.sessions.as_deref().unwrap_or_default();
    let rows = sessions.iter().map(|session| {
        let title = session.title.as_deref().filter(|title| !title.trim().is_empty()).unwrap_or(words.untitled);
        let current = current.as_ref() == Some(&session.id);
        let question = question.as_ref().filter(|question| question.session == session.id);
        let about = words.about(words.delete, title);
        let row = if question.is_some_and(|question| question.open) {
            html! {
                <div class="question" role="group" aria-label={about}>
                    <p><span class="strong">{ title }</span><br />{ words.delete_question }</p>
                    <div class="question-buttons">
                        <button ref={in_row.clone()} type="button" class="button" onclick={on(Step::Keep(session.id.clone()))}>
                            { words.cancel }
                        </button>
                        <button type="button" class="button danger" onclick={on(Step::Delete(session.id.clone()))}>
                            { words.delete }
                        </button>
                    </div>
                </div>
            }
        } else {
            let node = if question.is_some() { in_row.clone() } else { NodeRef::default() };
            let delete = IconButton { label: Some(about), node, ..IconButton::default() };
            html! {
                <div class="session-row">
                    <button type="button" class="session-open" aria-current={current.then_some("true")}
                        onclick={on(Step::Open(session.id.clone()))}>
                        <span class="session-title">{ title }</span>
                        <span class="session-time">
                            if current { { words.current }{ " · " } }
                            { moment(session.updated_at, words) }
                        </span>
                    </button>
                    { icon_button(Symbol::Trash, words.delete, on(Step::Ask(session.id.clone())), delete) }
                </div>
            }
        };
        html! { <li key={session.id.as_str()} class="session">{ row }</li> }
    });
    let load = |label: &'static str, more: bool| {
        html! { <button type="button" class="button" onclick={on(Step::Load { more })}>{ label }</button> }
    };
    html! {
        <div class="history" part="history" role="dialog" aria-label={words.history} {onkeydown}>
            <div class="bar">
                <p class="title" role="heading" aria-level="2">{ words.history }</p>
                {
                    icon_button(Symbol::Close, words.close, on(Step::Close), IconButton { node: close, ..IconButton::default() })
                }
            </div>
            <div class="history-body">
                <ul class="sessions">{ for rows }</ul>
                <div class="history-state" role="status">
                    if let Some(error) = &history.error {
                        <p class="strong">{ words.history_failed }</p>
                        <p>{ error }</p>
                        { load(words.retry, !sessions.is_empty()) }
                    } else if history.loading {
                        <p><span class="spinner" />{ words.history_loading }</p>
                    } else if history.more {
                        { load(words.more, true) }
                    } else if sessions.is_empty() {
                        <p>{ words.history_empty }</p>
                    }
                </div>
            </div>
        </div>
    }
}

/// A moment as the person's language writes it; the time alone when it is today.
fn moment(moment: Timestamp, words: &Words) -> String {
    #[allow(
        clippy::cast_precision_loss,
        reason = "milliseconds since 1970 are exact in a double for 285,000 years"
    )]
    let date = Date::new(&JsValue::from_f64(moment.as_millis() as f64));
    let today = Date::new_0().to_date_string() == date.to_date_string();
    let options = Object::new();
    let parts: &[&str] = if today { &["hour", "minute"] } else { &["month", "day", "hour", "minute"] };
    for part in parts {
        let value = if *part == "month" || *part == "day" { "numeric" } else { "2-digit" };
        // A plain object takes every member.
        drop(Reflect::set(&options, &JsValue::from_str(part), &JsValue::from_str(value)));
    }
    let languages = Array::of1(&JsValue::from_str(words.language()));
    let format = js_sys::Intl::DateTimeFormat::new(&languages, &options).format();
    format.call1(&JsValue::UNDEFINED, &date).ok().and_then(|text| text.as_string()).unwrap_or_default()
}
