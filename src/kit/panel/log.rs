//! The conversation: its newest entries, the way to earlier ones, and how the view follows the end.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{HtmlElement, MouseEvent, ResizeObserver};
use yew::{
    Callback, Html, Properties, UseForceUpdateHandle, component, html, use_effect, use_effect_with,
    use_force_update, use_mut_ref, use_node_ref,
};

use super::composer::focus_after_keyboard;
use super::entry::EntryView;
use super::follow::{Follow, Position};
use super::icon::{Symbol, icon};
use super::words::Words;
use crate::kit::transcript::{Entry, EntryKind, ToolCallStatus, Transcript};

/// Properties of [`Log`].
#[derive(Clone, Properties)]
pub struct LogProps {
    /// The conversation.
    pub transcript: Rc<Transcript>,
    /// The panel's words.
    pub words: &'static Words,
}

impl PartialEq for LogProps {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words && Rc::ptr_eq(&self.transcript, &other.transcript)
    }
}

/// How many entries are shown at first, and how many more each time the person asks.
const PAGE: usize = 60;

/// More than this are not kept on the page while the view follows the end.
const MOST: usize = 2 * PAGE;

/// What the button at the lower edge says.
#[derive(Clone, Copy, Default, PartialEq)]
enum Jump {
    #[default]
    Hidden,
    ToLatest,
    NewMessages,
}

/// What the view remembers between renderings.
#[derive(Default)]
struct View {
    follow: Follow,
    /// The first entry that is shown.
    first: usize,
    /// The conversation's first entry, by which one knows it.
    conversation: Option<Rc<str>>,
    /// The newest message of the person.
    asked: Option<Rc<str>>,
    /// What was rendered last.
    shown: Option<Rc<Transcript>>,
    /// How far from the end the view was when earlier entries were asked for.
    keep_to_end: Option<i32>,
    jump: Jump,
}

impl View {
    fn show_jump(&mut self, jump: Jump, rerender: &UseForceUpdateHandle) {
        if std::mem::replace(&mut self.jump, jump) != jump {
            rerender.force_update();
        }
    }
}

/// The conversation.
#[component]
pub fn Log(props: &LogProps) -> Html {
    let LogProps { transcript, words } = props;
    let words = *words;
    let scroller = use_node_ref();
    let view = use_mut_ref(View::default);
    let rerender = use_force_update();

    let (first, jump) = {
        let mut view = view.borrow_mut();
        let conversation = transcript.entries.first().map(|entry| entry.key.clone());
        let count = transcript.entries.len();
        if view.conversation != conversation {
            *view = View { conversation, first: count.saturating_sub(PAGE), ..View::default() };
        } else if view.follow.follows() && count.saturating_sub(view.first) > MOST {
            view.first = count - PAGE;
        }
        view.first = view.first.min(count);
        (view.first, view.jump)
    };

    // After each rendering: keep the place, or go to the end.
    use_effect({
        let (scroller, view, transcript, rerender) =
            (scroller.clone(), view.clone(), transcript.clone(), rerender.clone());
        move || {
            let Some(scroller) = scroller.cast::<HtmlElement>() else { return };
            let mut view = view.borrow_mut();
            let changed = view.shown.as_ref().is_none_or(|shown| !Rc::ptr_eq(shown, &transcript));
            view.shown = Some(transcript.clone());
            if let Some(to_end) = view.keep_to_end.take() {
                scroller.set_scroll_top(scroller.scroll_height() - to_end);
                let position = position(&scroller);
                view.follow.read(position);
                return;
            }
            if !changed {
                return;
            }
            view.follow.read(position(&scroller));
            let asked = newest_question(&transcript.entries);
            if asked.is_some() && asked != view.asked {
                view.asked = asked;
                view.follow.go_to_end();
            }
            if view.follow.follows() {
                scroller.set_scroll_top(scroller.scroll_height());
                let position = position(&scroller);
                view.follow.read(position);
                view.show_jump(Jump::Hidden, &rerender);
            } else if view.follow.is_away() {
                view.show_jump(Jump::NewMessages, &rerender);
            }
        }
    });

    // A smaller view, by a growing composer or a keyboard, still shows the end.
    use_effect_with(scroller.clone(), {
        let view = view.clone();
        move |scroller| {
            let element = scroller.cast::<HtmlElement>();
            let on_resize = Closure::<dyn Fn()>::new({
                let element = element.clone();
                move || {
                    if let Some(element) = element.as_ref().filter(|_| view.borrow().follow.follows()) {
                        element.set_scroll_top(element.scroll_height());
                    }
                }
            });
            let observer = ResizeObserver::new(on_resize.as_ref().unchecked_ref()).ok();
            if let (Some(observer), Some(element)) = (&observer, &element) {
                observer.observe(element);
            }
            move || {
                if let Some(observer) = observer {
                    observer.disconnect();
                }
                drop(on_resize);
            }
        }
    });

    let onscroll = {
        let (scroller, view, rerender) = (scroller.clone(), view.clone(), rerender.clone());
        Callback::from(move |_| {
            let Some(scroller) = scroller.cast::<HtmlElement>() else { return };
            let mut view = view.borrow_mut();
            view.follow.read(position(&scroller));
            let jump = match (view.follow.is_away(), view.jump) {
                (false, _) => Jump::Hidden,
                (true, Jump::Hidden) => Jump::ToLatest,
                (true, shown) => shown,
            };
            view.show_jump(jump, &rerender);
        })
    };
    let hold = |held: bool| {
        let view = view.clone();
        Callback::from(move |_| view.borrow_mut().follow.hold(held))
    };
    let on_toggle = {
        let view = view.clone();
        Callback::from(move |()| view.borrow_mut().follow.stay())
    };
    let on_jump = {
        let (scroller, view, rerender) = (scroller.clone(), view.clone(), rerender.clone());
        Callback::from(move |event: MouseEvent| {
            view.borrow_mut().follow.go_to_end();
            if let Some(scroller) = scroller.cast::<HtmlElement>() {
                scroller.set_scroll_top(scroller.scroll_height());
            }
            focus_after_keyboard(&event, &scroller);
            view.borrow_mut().show_jump(Jump::Hidden, &rerender);
        })
    };
    let on_earlier = {
        let (scroller, view) = (scroller.clone(), view.clone());
        Callback::from(move |event: MouseEvent| {
            let mut view = view.borrow_mut();
            view.first = view.first.saturating_sub(PAGE);
            view.follow.stay();
            if view.first == 0 {
                focus_after_keyboard(&event, &scroller);
            }
            view.keep_to_end = scroller
                .cast::<HtmlElement>()
                .map(|scroller| scroller.scroll_height() - scroller.scroll_top());
            drop(view);
            rerender.force_update();
        })
    };

    let entries = transcript.entries.iter().skip(first).map(|entry| {
        html! { <EntryView key={&*entry.key} entry={entry.clone()} on_toggle={on_toggle.clone()} {words} /> }
    });
    let (jump_class, jump_words) = match jump {
        Jump::Hidden => ("jump away", words.to_latest),
        Jump::ToLatest => ("jump", words.to_latest),
        Jump::NewMessages => ("jump new", words.new_messages),
    };
    html! {
        <div class="log-area">
            <div ref={scroller} class="log" part="log" role="region" aria-label={words.conversation} tabindex="0" {onscroll}
                ontouchstart={hold(true)} ontouchend={hold(false)} ontouchcancel={hold(false)}>
                <div class="earlier">
                    if first > 0 {
                        <button type="button" class="quiet" onclick={on_earlier}>{ words.earlier }</button>
                    }
                </div>
                <div class="entries">{ for entries }</div>
                <div class="thinking">
                    if is_thinking(transcript) {
                        <span class="dots" aria-hidden="true"><i /><i /><i /></span>
                        if let Some(why) = &transcript.retrying {
                            <span class="hint">{ words.about(words.retrying, why) }</span>
                        } else {
                            <span class="unseen">{ words.thinking }</span>
                        }
                    }
                </div>
            </div>
            <button type="button" class={jump_class} onclick={on_jump}>
                { jump_words }{ icon(Symbol::ArrowDown) }
            </button>
        </div>
    }
}

fn position(element: &HtmlElement) -> Position {
    Position { top: element.scroll_top(), height: element.scroll_height(), visible: element.client_height() }
}

fn newest_question(entries: &[Rc<Entry>]) -> Option<Rc<str>> {
    entries
        .iter()
        .rev()
        .find(|entry| matches!(entry.kind, EntryKind::User { .. }))
        .map(|entry| entry.key.clone())
}

/// A turn goes on, and nothing that is shown says so.
fn is_thinking(transcript: &Transcript) -> bool {
    let shows = transcript.entries.last().is_some_and(|entry| match &entry.kind {
        EntryKind::Agent { text, streaming, .. } => *streaming && !text.trim().is_empty(),
        EntryKind::ToolCall { status, .. } => *status == ToolCallStatus::Start,
        EntryKind::ServiceTool { is_error, .. } => is_error.is_none(),
        EntryKind::User { .. } | EntryKind::Error { .. } => false,
    });
    transcript.running && !shows
}
