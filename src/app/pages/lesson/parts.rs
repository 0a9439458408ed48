//! Tabs: one of several parts of the lesson is in sight, all stay mounted.

use wasm_bindgen::JsCast as _;
use web_sys::HtmlElement;
use yew::prelude::*;

use crate::app::words::Words;

/// A part of the lesson below the video.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What is said.
    Transcript,
    /// What it is divided into.
    Chapters,
    /// What the learner wrote down.
    Notes,
}

impl Part {
    /// All, in order.
    pub const ALL: [Self; 3] = [Self::Transcript, Self::Chapters, Self::Notes];

    /// The part's name in ids.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transcript => "transcript",
            Self::Chapters => "chapters",
            Self::Notes => "notes",
        }
    }

    const fn title(self, words: &Words) -> &'static str {
        match self {
            Self::Transcript => words.transcript,
            Self::Chapters => words.chapters,
            Self::Notes => words.notes,
        }
    }
}

/// The id of a part's tab.
pub fn tab_id(part: Part) -> String {
    ["tab-", part.name()].concat()
}

/// The id of a part's panel.
pub fn panel_id(part: Part) -> String {
    ["panel-", part.name()].concat()
}

/// The row of tabs. `count` of a part is shown beside its title.
pub fn tabs(words: &Words, open: Part, count: impl Fn(Part) -> usize, onopen: &Callback<Part>) -> Html {
    let onkeydown = {
        let onopen = onopen.clone();
        Callback::from(move |event: KeyboardEvent| {
            let last = Part::ALL.len() - 1;
            let at = Part::ALL.iter().position(|part| *part == open).unwrap_or_default();
            let next = match event.key().as_str() {
                "ArrowRight" => (at + 1) % Part::ALL.len(),
                "ArrowLeft" => at.checked_sub(1).unwrap_or(last),
                "Home" => 0,
                "End" => last,
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            let part = Part::ALL[next];
            onopen.emit(part);
            let tab = gloo::utils::document().get_element_by_id(&tab_id(part));
            if let Some(tab) = tab.and_then(|tab| tab.dyn_into::<HtmlElement>().ok()) {
                let _ = tab.focus();
            }
        })
    };
    html! {
        <div class="tabs" role="tablist" aria-label={words.lesson_parts} {onkeydown}>
            for part in Part::ALL {
                <button key={part.name()} id={tab_id(part)} type="button" role="tab" aria-controls={panel_id(part)}
                    aria-selected={if part == open { "true" } else { "false" }} tabindex={if part == open { "0" } else { "-1" }}
                    onclick={onopen.reform(move |_| part)}>
                    { part.title(words) }
                    if count(part) > 0 { <span class="count">{ count(part) }</span> }
                </button>
            }
        </div>
    }
}
