//! The dialog that asks the person whether a call of the agent may run (E9).
//!
//! It knows the two events on `window` and nothing of the engine: whoever asks there is asked about here. Questions
//! wait in a queue; each is answered once, by its own id.

use js_sys::{JSON, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{CustomEvent, FocusOptions, HtmlDialogElement, HtmlElement};
use yew::prelude::*;

use crate::app::clock::now;
use crate::app::components::{IconName, icon};
use crate::app::words::{Words, use_words};
use crate::protocol::page_context::make_visible;
use crate::tools::{CONFIRMATION_REQUIRED, CONFIRMATION_RESPONSE, EventListener, answer_confirmation};

/// So long a question is in sight before it can be agreed to, in milliseconds: a click that was meant for the one before,
/// or for what lay there, is none for it (J05).
const SEEN_AFTER: u32 = 400;
/// How often the seconds that are left are counted, in milliseconds.
const COUNT_EVERY: u32 = 500;

/// A question, as the event tells it.
struct Question {
    id: String,
    tool: String,
    /// What will happen, in the person's language.
    description: String,
    /// The exact arguments, as people may read them.
    arguments: String,
    risk: String,
    /// When it counts as refused, in milliseconds since 1970.
    expires_at: f64,
    /// The same on the page's own clock, which nobody sets back.
    ends: f64,
}

impl Question {
    fn of(detail: &JsValue) -> Option<Self> {
        let member = |name| Reflect::get(detail, &JsValue::from_str(name)).unwrap_or_default();
        let text = |name| member(name).as_string().unwrap_or_default();
        let arguments =
            JSON::stringify_with_replacer_and_space(&member("args"), &JsValue::NULL, &JsValue::from(2));
        let expires_at = member("expiresAt").as_f64()?;
        Some(Self {
            id: member("id").as_string()?,
            tool: text("toolName"),
            description: text("description"),
            arguments: make_visible(&arguments.map_or_else(|_| String::new(), String::from)),
            risk: text("riskLevel"),
            expires_at,
            ends: page_time() + expires_at - now(),
        })
    }

    fn seconds_left(&self) -> f64 {
        // The page's clock may stand while the computer sleeps, and the other may be set back.
        (self.expires_at - now()).min(self.ends - page_time()) / 1000.0
    }
}

/// Milliseconds since the page began.
fn page_time() -> f64 {
    gloo::utils::window().performance().map_or(0.0, |performance| performance.now())
}

/// The dialog. It is modal: the browser keeps the focus inside and gives it back.
#[component]
pub fn ConfirmationDialog() -> Html {
    let words = use_words();
    let dialog = use_node_ref();
    let refuse = use_node_ref();
    let questions = use_mut_ref(Vec::<Question>::new);
    let seen = use_state_eq(|| None::<String>);
    let update = use_force_update();

    // Both events change the queue, and nothing else does: also the dialog's own answers come back here.
    use_effect_with((), {
        let (questions, update) = (questions.clone(), update.clone());
        move |()| {
            let window = gloo::utils::window();
            let asked = EventListener::new(&window, CONFIRMATION_REQUIRED, {
                let (questions, update) = (questions.clone(), update.clone());
                move |event| {
                    if let Some(question) = detail(event).as_ref().and_then(Question::of) {
                        questions.borrow_mut().push(question);
                        update.force_update();
                    }
                }
            });
            let answered = EventListener::new(&window, CONFIRMATION_RESPONSE, move |event| {
                let id =
                    detail(event).and_then(|detail| Reflect::get(&detail, &"id".into()).ok()?.as_string());
                questions.borrow_mut().retain(|question| Some(&question.id) != id.as_ref());
                update.force_update();
            });
            move || drop((asked, answered))
        }
    });
    let current = questions.borrow().first().map(|question| question.id.clone());
    use_effect_with(current.clone(), {
        let (dialog, refuse) = (dialog.clone(), refuse.clone());
        move |current| {
            let Some(dialog) = dialog.cast::<HtmlDialogElement>() else { return };
            if current.is_none() {
                return dialog.close();
            }
            if !dialog.open() {
                // It fails for an element that is not in the document.
                let _ = dialog.show_modal();
            }
            if let Some(refuse) = refuse.cast::<HtmlElement>() {
                let stay = FocusOptions::new();
                stay.set_prevent_scroll(true);
                let _ = refuse.focus_with_options(&stay);
            }
            // What is asked is read from its beginning; opening scrolls to what it focuses.
            dialog.set_scroll_top(0);
        }
    });
    use_effect_with(current.clone(), {
        let seen = seen.setter();
        move |current| {
            let current = current.clone();
            let timer = gloo::timers::callback::Timeout::new(SEEN_AFTER, move || seen.set(current));
            move || drop(timer)
        }
    });
    use_effect_with(current.is_some(), {
        let questions = questions.clone();
        move |is_open| {
            let counting = is_open.then(|| {
                gloo::timers::callback::Interval::new(COUNT_EVERY, move || {
                    let questions = questions.borrow();
                    let over = questions.iter().filter(|question| question.seconds_left() <= 0.0);
                    let over: Vec<String> = over.map(|question| question.id.clone()).collect();
                    drop(questions);
                    // Whoever asked may be gone.
                    over.iter().for_each(|id| answer_confirmation(id, false));
                    update.force_update();
                })
            });
            move || drop(counting)
        }
    });

    let onrefuse = {
        let current = current.clone();
        move || {
            if let Some(id) = &current {
                answer_confirmation(id, false);
            }
        }
    };
    let onkeydown = {
        let onrefuse = onrefuse.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" && !event.is_composing() {
                // The sheet with the agent stays open.
                event.prevent_default();
                onrefuse();
            }
        })
    };
    let oncancel = {
        let onrefuse = onrefuse.clone();
        Callback::from(move |event: Event| {
            event.prevent_default();
            onrefuse();
        })
    };
    // The browser may close it without asking.
    let onclose = {
        let (dialog, onrefuse) = (dialog.clone(), onrefuse.clone());
        Callback::from(move |_: Event| {
            if dialog.cast::<HtmlDialogElement>().is_some_and(|dialog| !dialog.open()) {
                onrefuse();
            }
        })
    };
    let onallow = {
        let questions = questions.clone();
        Callback::from(move |event: MouseEvent| {
            let asked =
                questions.borrow().first().map(|question| (question.id.clone(), question.seconds_left()));
            // The second click of a double click is not meant for the next question.
            if let Some((id, left)) = asked.filter(|_| event.detail() < 2) {
                // Too late is refused, whatever timers have done (J06).
                answer_confirmation(&id, left > 0.0);
            }
        })
    };
    let onrefuse = Callback::from(move |_: MouseEvent| onrefuse());
    let questions = questions.borrow();
    html! {
        <dialog ref={dialog} class="confirmation" role="alertdialog" aria-labelledby="confirmation-title" aria-describedby="confirmation-what"
            {onkeydown} {oncancel} {onclose}>
            if let Some(question) = questions.first() {
                <div key={question.id.clone()} class="confirmation-question">
                    { described(words, question, questions.len() - 1) }
                    <div class="confirmation-actions">
                        <button ref={refuse} type="button" class="button" data-action="refuse" onclick={onrefuse}>{ words.confirmation_refuse }</button>
                        <button type="button" class="button button-primary" data-action="allow" disabled={*seen != current} onclick={onallow}>{ words.confirmation_allow }</button>
                    </div>
                </div>
            }
        </dialog>
    }
}

fn described(words: &Words, question: &Question, waiting: usize) -> Html {
    let (class, risk) = match question.risk.as_str() {
        "safe" => ("state-completed", words.risk_safe),
        "dangerous" => ("state-returned", words.risk_dangerous),
        _ => ("state-pending", words.risk_moderate),
    };
    html! { <>
        <header class="confirmation-top">
            <span class="confirmation-icon">{ icon(IconName::Assistant) }</span>
            <h2 id="confirmation-title">{ words.confirmation_title }</h2>
            <span class={classes!("state", class)}>{ risk }</span>
        </header>
        <p id="confirmation-what" class="confirmation-what">{ &question.description }</p>
        <div class="confirmation-call">
            <p class="muted">{ words.confirmation_arguments }{ " " }<code>{ &question.tool }</code></p>
            <pre tabindex="0" aria-label={words.confirmation_arguments}>{ &question.arguments }</pre>
        </div>
        <p class="confirmation-time">
            <span role="timer">{ words.confirmation_time }{ question.seconds_left().round().max(0.0) as u32 }{ words.confirmation_time_end }</span>
            if waiting > 0 { <span class="count">{ words.confirmation_waiting }{ waiting }</span> }
        </p>
    </> }
}

fn detail(event: web_sys::Event) -> Option<JsValue> {
    Some(event.dyn_into::<CustomEvent>().ok()?.detail())
}
