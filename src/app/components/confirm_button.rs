//! A button that asks before it does what cannot be undone.

use web_sys::HtmlElement;
use yew::prelude::*;

use crate::app::words::use_words;

/// Properties of [`ConfirmButton`].
#[derive(Properties, PartialEq)]
pub struct ConfirmButtonProps {
    /// What the button says.
    pub label: AttrValue,
    /// What is asked.
    pub question: AttrValue,
    /// What the button says that does it.
    pub confirm: AttrValue,
    /// It is to be done.
    pub onconfirm: Callback<()>,
}

/// A button that asks, in its own place, before it acts.
#[component]
pub fn ConfirmButton(props: &ConfirmButtonProps) -> Html {
    let words = use_words();
    let asking = use_state(|| false);
    let first = use_node_ref();
    let cancel = use_node_ref();
    // Focus follows the question and comes back after it, but does not move when the page opens.
    let was_asked = use_mut_ref(|| false);
    use_effect_with(*asking, {
        let (first, cancel) = (first.clone(), cancel.clone());
        move |asking| {
            let target = if *asking { Some(cancel) } else { was_asked.borrow().then_some(first) };
            was_asked.replace(*asking);
            if let Some(element) = target.and_then(|node| node.cast::<HtmlElement>()) {
                let _ = element.focus();
            }
        }
    });
    let ask = |value: bool| {
        let set_asking = asking.setter();
        Callback::from(move |_: MouseEvent| set_asking.set(value))
    };
    let onconfirm = {
        let (set_asking, onconfirm) = (asking.setter(), props.onconfirm.clone());
        Callback::from(move |_: MouseEvent| {
            set_asking.set(false);
            onconfirm.emit(());
        })
    };
    let onkeydown = {
        let set_asking = asking.setter();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                set_asking.set(false);
            }
        })
    };
    html! {
        <div class="confirm" {onkeydown}>
            if *asking {
                <div class="confirm-question" role="group" aria-label={props.question.clone()}>
                    <p>{ &props.question }</p>
                    <button ref={cancel} type="button" class="button" onclick={ask(false)}>{ words.cancel }</button>
                    <button type="button" class="button button-danger" onclick={onconfirm}>{ &props.confirm }</button>
                </div>
            } else {
                <button ref={first} type="button" class="button button-danger-quiet" onclick={ask(true)}>{ &props.label }</button>
            }
        </div>
    }
}
