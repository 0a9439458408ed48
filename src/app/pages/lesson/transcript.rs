//! What is said, line by line: the lines follow the video, and a click goes to a line.

use std::rc::Rc;

use web_sys::HtmlElement;
use yew::prelude::*;

use crate::app::clock::clock;
use crate::app::components::{Choice, IconName, empty_state, failure, icon, segmented, way_back};
use crate::app::fetch::Loading;
use crate::app::language::Language;
use crate::app::player::Cue;
use crate::app::words::use_words;

/// Properties of [`Transcript`].
#[derive(Properties, PartialEq)]
pub struct TranscriptProps {
    /// The lines.
    pub cues: Loading<Rc<[Cue]>>,
    /// The line that is said.
    pub current: Option<usize>,
    /// Whether the transcript is in sight.
    pub visible: bool,
    /// The language of the lines.
    pub language: Language,
    /// Read another language.
    pub onlanguage: Callback<Language>,
    /// Go to this second.
    pub onseek: Callback<f64>,
    /// Read the file again.
    pub onretry: Callback<()>,
}

/// The transcript. It scrolls its own box only, and not while the reader scrolls it.
#[component]
pub fn Transcript(props: &TranscriptProps) -> Html {
    let words = use_words();
    let lines = use_node_ref();
    let current = use_node_ref();
    let following = use_state_eq(|| true);
    let ready = matches!(props.cues, Loading::Ready(_));
    use_effect_with((props.current, *following, props.visible, ready, props.language), {
        let (lines, current) = (lines.clone(), current.clone());
        move |(_, following, visible, _, _)| {
            if *following && *visible {
                bring_into_sight(&lines, &current);
            }
        }
    });
    let choices = Language::ALL.map(|language| Choice {
        value: language.tag(),
        label: language.own_name(),
        lang: Some(language.tag()),
    });
    let onchoose = props.onlanguage.reform(|tag: String| Language::from_tag(&tag).unwrap_or_default());
    html! {
        <div class="transcript">
            <div class="transcript-top">
                { segmented("transcript-language", words.transcript_language, &choices, props.language.tag(), onchoose) }
                <button type="button" class="button button-small" hidden={*following || props.current.is_none()}
                    onclick={set(&following, true)}>
                    { icon(IconName::Follow) }{ words.transcript_follow }
                </button>
            </div>
            {
                match &props.cues {
                    Loading::Pending => html! {
                        <div class="transcript-lines" role="status" aria-label={words.loading}>
                            for _ in 0..6 { <span class="skeleton skeleton-line" /> }
                        </div>
                    },
                    Loading::Failed(reason) => failure(words.transcript_failed, words.transcript_failed_hint, reason, way_back(words.retry, props.onretry.reform(|_| ()))),
                    Loading::Ready(cues) if cues.is_empty() => empty_state(IconName::Note, words.transcript_empty, Html::default()),
                    Loading::Ready(cues) => {
                        let stop = || set_on::<WheelEvent>(&following);
                        html! {
                            <ol class="transcript-lines" ref={lines.clone()} lang={props.language.tag()} onwheel={stop()}
                                ontouchmove={set_on::<TouchEvent>(&following)} onkeydown={stop_on_scroll_keys(&following)} onpointerdown={stop_on_scroll_bar(&following, &lines)}>
                                for (index, cue) in cues.iter().enumerate() {
                                    { line(cue, props.current == Some(index), &current, &props.onseek, &following) }
                                }
                            </ol>
                        }
                    }
                }
            }
        </div>
    }
}

fn line(
    cue: &Cue,
    is_current: bool,
    current: &NodeRef,
    onseek: &Callback<f64>,
    following: &UseStateHandle<bool>,
) -> Html {
    let start = cue.start;
    let onclick = {
        let (onseek, set_following) = (onseek.clone(), following.setter());
        Callback::from(move |_: MouseEvent| {
            set_following.set(true);
            onseek.emit(start);
        })
    };
    let node = if is_current { current.clone() } else { NodeRef::default() };
    html! {
        <li ref={node}>
            <button type="button" class="line" aria-current={is_current.then_some("true")} {onclick}>
                <span class="moment">{ clock(start) }</span>
                <span class="line-text">{ &*cue.text }</span>
            </button>
        </li>
    }
}

fn set(following: &UseStateHandle<bool>, value: bool) -> Callback<MouseEvent> {
    let set_following = following.setter();
    Callback::from(move |_| set_following.set(value))
}

fn set_on<E>(following: &UseStateHandle<bool>) -> Callback<E> {
    let set_following = following.setter();
    Callback::from(move |_| set_following.set(false))
}

fn stop_on_scroll_keys(following: &UseStateHandle<bool>) -> Callback<KeyboardEvent> {
    let set_following = following.setter();
    Callback::from(move |event: KeyboardEvent| {
        // Tab moves the focus, and the box with it.
        if matches!(
            event.key().as_str(),
            "ArrowUp" | "ArrowDown" | "PageUp" | "PageDown" | "Home" | "End" | "Tab"
        ) {
            set_following.set(false);
        }
    })
}

/// A press on the box itself, and not on a line, is a press on its scroll bar.
fn stop_on_scroll_bar(following: &UseStateHandle<bool>, lines: &NodeRef) -> Callback<PointerEvent> {
    let (set_following, lines) = (following.setter(), lines.clone());
    Callback::from(move |event: PointerEvent| {
        if lines.get().is_some_and(|lines| event.target().as_ref() == Some(lines.as_ref())) {
            set_following.set(false);
        }
    })
}

/// Scrolls the box, and nothing else, so that the line stands in its middle. Whether that glides is up to the styles.
fn bring_into_sight(lines: &NodeRef, line: &NodeRef) {
    if let (Some(lines), Some(line)) = (lines.cast::<HtmlElement>(), line.cast::<HtmlElement>()) {
        lines.set_scroll_top(line.offset_top() + line.offset_height() / 2 - lines.client_height() / 2);
    }
}
