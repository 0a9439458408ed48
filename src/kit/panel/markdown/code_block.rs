//! A block of code with a button that copies it.

use gloo::timers::callback::Timeout;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::virtual_dom::Key;
use yew::{AttrValue, Callback, Html, Properties, component, html, use_mut_ref, use_state_eq};

use crate::kit::panel::icon::{Symbol, icon};
use crate::kit::panel::words::Words;

/// A block of code with its language, which is what the fence says after its marks.
pub fn code_block(key: Key, language: String, text: String, words: &'static Words) -> Html {
    let text = AttrValue::from(text);
    html! {
        <div {key} class="code-block">
            <div class="code-head">
                <span>{ language }</span>
                <CopyButton text={text.clone()} {words} />
            </div>
            // It scrolls sideways, so the keyboard must reach it.
            <pre tabindex="0" role="region" aria-label={words.code}><code>{ text }</code></pre>
        </div>
    }
}

/// Properties of [`CopyButton`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct CopyButtonProps {
    /// What is copied.
    pub text: AttrValue,
    /// The panel's words.
    pub words: &'static Words,
}

#[derive(Clone, Copy, PartialEq)]
enum Copying {
    Ready,
    Done,
    Failed,
}

/// How long a copy button says what it did, in milliseconds.
const SAY_FOR: u32 = 2_000;

/// A button that copies a text, and says whether it could.
#[component]
pub fn CopyButton(props: &CopyButtonProps) -> Html {
    let words = props.words;
    let copying = use_state_eq(|| Copying::Ready);
    let back = use_mut_ref(|| None::<Timeout>);
    let onclick = {
        let (text, setter) = (props.text.clone(), copying.setter());
        Callback::from(move |_| {
            let (text, setter, back) = (text.clone(), setter.clone(), back.clone());
            spawn_local(async move {
                setter.set(if copy(&text).await { Copying::Done } else { Copying::Failed });
                *back.borrow_mut() = Some(Timeout::new(SAY_FOR, move || setter.set(Copying::Ready)));
            });
        })
    };
    let (symbol, said) = match *copying {
        Copying::Ready => (Symbol::Copy, words.copy),
        Copying::Done => (Symbol::Check, words.copied),
        Copying::Failed => (Symbol::Warning, words.copy_failed),
    };
    html! {
        <button type="button" class="quiet copy" {onclick}>
            { icon(symbol) }
            <span aria-live="polite">{ said }</span>
        </button>
    }
}

async fn copy(text: &str) -> bool {
    let Some(window) = web_sys::window() else { return false };
    let clipboard = window.navigator().clipboard();
    // Pages that were not loaded over a secure connection have none, whatever the type says.
    if clipboard.is_undefined() {
        return false;
    }
    JsFuture::from(clipboard.write_text(text)).await.is_ok()
}
