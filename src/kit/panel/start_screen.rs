//! What the panel shows before the first message: a greeting and suggested questions.

use std::rc::Rc;

use web_sys::MouseEvent;
use yew::{Callback, Html, NodeRef, Properties, component, html};

use super::actions::Actions;
use super::composer::focus_after_keyboard;
use super::icon::{Icon, Symbol};
use super::words::Words;
use super::{Origin, StartScreen};

/// Properties of [`Start`].
#[derive(Clone, PartialEq, Properties)]
pub struct StartProps {
    /// What it says.
    pub screen: Rc<StartScreen>,
    /// Where the focus goes when a suggestion is taken by keyboard.
    pub field: NodeRef,
    /// What taking a suggestion does.
    pub actions: Actions,
    /// The panel's words.
    pub words: &'static Words,
}

/// The start screen.
#[component]
pub fn Start(props: &StartProps) -> Html {
    let StartProps { screen, field, actions, words } = props;
    let prompts = screen.prompts.iter().map(|prompt| {
        let onclick = {
            let (field, actions, text) = (field.clone(), actions.clone(), prompt.prompt.clone());
            Callback::from(move |event: MouseEvent| {
                focus_after_keyboard(&event, &field);
                actions.send(text.clone(), Origin::Suggestion);
            })
        };
        html! {
            <li>
                <button type="button" part="prompt" class="prompt" {onclick}>
                    <span>{ &prompt.label }</span>
                    <Icon symbol={Symbol::Chevron} />
                </button>
            </li>
        }
    });
    html! {
        <div class="start">
            <div class="start-mark"><Icon symbol={Symbol::Spark} /></div>
            <p class="greeting">{ screen.greeting.as_deref().unwrap_or(words.greeting) }</p>
            if !screen.prompts.is_empty() {
                <ul class="prompts" aria-label={words.suggestions}>{ for prompts }</ul>
            }
        </div>
    }
}
