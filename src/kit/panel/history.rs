//! The list of the person's conversations: open one, or delete one after a question.

use std::rc::Rc;

use js_sys::{Array, Date, Object, Reflect};
use wasm_bindgen::JsValue;
use web_sys::{HtmlElement, KeyboardEvent, MouseEvent};
use yew::{
    Callback, Html, Properties, component, html, use_effect_with, use_mut_ref, use_node_ref, use_state_eq,
};

use super::History;
use super::actions::Actions;
use super::icon::{Icon, Symbol};
use super::words::Words;
use crate::protocol::{Session, SessionId, Timestamp};

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

/// The list of conversations. The person asked for it, so it takes the focus.
#[component]
pub fn HistoryList(props: &HistoryListProps) -> Html {
    let HistoryListProps { history, current, on_close, actions, words } = props;
    let words = *words;
    let close = use_node_ref();
    let asked = use_state_eq(|| None::<SessionId>);
    use_effect_with(close.clone(), |close| {
        if let Some(close) = close.cast::<HtmlElement>() {
            drop(close.focus());
        }
    });
    let onkeydown = {
        let on_close = on_close.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" && !event.is_composing() {
                event.stop_propagation();
                on_close.emit(());
            }
        })
    };
    let load = |more: bool| {
        let actions = actions.clone();
        Callback::from(move |_: MouseEvent| actions.load_history(more))
    };
    let sessions = history.sessions.as_deref().unwrap_or_default();
    let rows = sessions.iter().map(|session| {
        let on_open = {
            let (actions, on_close, id) = (actions.clone(), on_close.clone(), session.id.clone());
            Callback::from(move |()| {
                actions.open_session(&id);
                on_close.emit(());
            })
        };
        let on_ask = {
            let (asked, id) = (asked.clone(), session.id.clone());
            Callback::from(move |yes: bool| asked.set(yes.then(|| id.clone())))
        };
        let on_delete = {
            let (actions, asked, id, close) = (actions.clone(), asked.clone(), session.id.clone(), close.clone());
            Callback::from(move |()| {
                asked.set(None);
                // The row goes away, and the focus must not go with it.
                if let Some(close) = close.cast::<HtmlElement>() {
                    drop(close.focus());
                }
                actions.delete_session(&id);
            })
        };
        html! {
            <Row key={session.id.as_str()} session={session.clone()} current={current.as_ref() == Some(&session.id)}
                asked={asked.as_ref() == Some(&session.id)} {on_open} {on_ask} {on_delete} {words} />
        }
    });
    html! {
        <div class="history" part="history" role="dialog" aria-label={words.history} {onkeydown}>
            <div class="bar">
                <p class="title" role="heading" aria-level="2">{ words.history }</p>
                <button ref={close.clone()} type="button" class="icon-button" aria-label={words.close} title={words.close}
                    onclick={on_close.reform(|_: MouseEvent| ())}>
                    <Icon symbol={Symbol::Close} />
                </button>
            </div>
            <div class="history-body">
                <ul class="sessions">{ for rows }</ul>
                <div class="history-state" role="status">
                    if let Some(error) = &history.error {
                        <p class="strong">{ words.history_failed }</p>
                        <p>{ error }</p>
                        <button type="button" class="button" onclick={load(!sessions.is_empty())}>{ words.retry }</button>
                    } else if history.loading {
                        <p><span class="spinner" />{ words.history_loading }</p>
                    } else if history.more {
                        <button type="button" class="button" onclick={load(true)}>{ words.more }</button>
                    } else if sessions.is_empty() {
                        <p>{ words.history_empty }</p>
                    }
                </div>
            </div>
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct RowProps {
    session: Session,
    current: bool,
    asked: bool,
    on_open: Callback<()>,
    on_ask: Callback<bool>,
    on_delete: Callback<()>,
    words: &'static Words,
}

#[component]
fn Row(props: &RowProps) -> Html {
    let RowProps { session, current, asked, on_open, on_ask, on_delete, words } = props;
    let title = session.title.as_deref().filter(|title| !title.trim().is_empty()).unwrap_or(words.untitled);
    let cancel = use_node_ref();
    let delete = use_node_ref();
    // The question takes the place of the button that was pressed; cancelling gives it back.
    let cancelled = use_mut_ref(|| false);
    use_effect_with(*asked, {
        let (cancel, delete, cancelled) = (cancel.clone(), delete.clone(), cancelled.clone());
        move |asked| {
            let to = if *asked { Some(cancel) } else { cancelled.replace(false).then_some(delete) };
            if let Some(element) = to.and_then(|to| to.cast::<HtmlElement>()) {
                drop(element.focus());
            }
        }
    });
    let on_cancel = {
        let on_ask = on_ask.clone();
        Callback::from(move |_: MouseEvent| {
            cancelled.replace(true);
            on_ask.emit(false);
        })
    };
    html! {
        <li class="session">
            if *asked {
                <div class="question" role="group" aria-label={words.about(words.delete, title)}>
                    <p><span class="strong">{ title }</span><br />{ words.delete_question }</p>
                    <div class="question-buttons">
                        <button ref={cancel} type="button" class="button" onclick={on_cancel}>
                            { words.cancel }
                        </button>
                        <button type="button" class="button danger" onclick={on_delete.reform(|_: MouseEvent| ())}>
                            { words.delete }
                        </button>
                    </div>
                </div>
            } else {
                <div class="session-row">
                    <button type="button" class="session-open" aria-current={current.then_some("true")}
                        onclick={on_open.reform(|_: MouseEvent| ())}>
                        <span class="session-title">{ title }</span>
                        <span class="session-time">
                            if *current { { words.current }{ " · " } }
                            { moment(session.updated_at, words) }
                        </span>
                    </button>
                    <button ref={delete} type="button" class="icon-button" title={words.delete}
                        aria-label={words.about(words.delete, title)} onclick={on_ask.reform(|_: MouseEvent| true)}>
                        <Icon symbol={Symbol::Trash} />
                    </button>
                </div>
            }
        </li>
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
