//! What the panel shows before the first message: a greeting and suggested questions.

use web_sys::MouseEvent;
use yew::{Callback, Html, NodeRef, html};

use super::actions::Actions;
use super::composer::focus_after_keyboard;
use super::icon::{Symbol, icon};
use super::words::Words;
use super::{Origin, StartScreen};

/// The start screen. When a suggestion is taken by keyboard, the focus goes to `field`.
pub fn start_screen(screen: &StartScreen, field: &NodeRef, actions: &Actions, words: &Words) -> Html {
    let prompts = screen.prompts.iter().map(|prompt| {
        let onclick = {
            let (field, actions, text) = (field.clone(), actions.clone(), prompt.prompt.clone());
            Callback::from(move |event: MouseEvent| {
                focus_after_keyboard(&event, &field);
                // The second click of a double click asks nothing new.
                if event.detail() < 2 {
                    actions.send(text.clone(), Origin::Suggestion);
                }
            })
        };
        html! {
            <li>
                <button type="button" part="prompt" class="prompt" {onclick}>
                    <span>{ &prompt.label }</span>
                    { icon(Symbol::Chevron) }
                </button>
            </li>
        }
    });
    html! {
        <div class="start">
            <div class="start-mark">{ icon(Symbol::Spark) }</div>
            <p class="greeting">{ screen.greeting.as_deref().unwrap_or(words.greeting) }</p>
            if !screen.prompts.is_empty() {
                <ul class="prompts" aria-label={words.suggestions}>{ for prompts }</ul>
            }
        </div>
    }
}
