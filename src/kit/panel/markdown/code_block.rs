//! A block of code with a button that copies it.

use gloo::timers::callback::Timeout;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::{
    AttrValue, Callback, Html, Properties, UseStateHandle, component, html, use_effect_with, use_state_eq,
};

use crate::kit::panel::icon::{Icon, Symbol};
use crate::kit::panel::words::Words;

/// Properties of [`CodeBlock`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct CodeBlockProps {
    /// What the fence says after its marks.
    pub language: AttrValue,
    /// The code.
    pub text: AttrValue,
    /// The panel's words.
    pub words: &'static Words,
}

/// A block of code with its language and a button that copies it.
#[component]
pub fn CodeBlock(props: &CodeBlockProps) -> Html {
    let CodeBlockProps { language, text, words } = props;
    html! {
        <div class="code-block">
            <div class="code-head">
                <span>{ language }</span>
                <CopyButton text={text} {words} />
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
    use_effect_with(*copying, {
        let setter = copying.setter();
        move |copying| {
            let timeout = (*copying != Copying::Ready)
                .then(|| Timeout::new(SAY_FOR, move || setter.set(Copying::Ready)));
            move || drop(timeout)
        }
    });
    let onclick = {
        let text = props.text.clone();
        let setter = UseStateHandle::setter(&copying);
        Callback::from(move |_| {
            let (text, setter) = (text.clone(), setter.clone());
            spawn_local(async move {
                setter.set(if copy(&text).await { Copying::Done } else { Copying::Failed });
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
            <Icon {symbol} />
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
