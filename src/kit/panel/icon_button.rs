//! A button that is a symbol; its words are for readers of the screen and for those who point at it and wait.

use web_sys::MouseEvent;
use yew::{Callback, Html, NodeRef, html};

use super::icon::{Symbol, icon};

/// What an [`icon_button`] may have beside its words and what it does.
#[derive(Default)]
pub struct IconButton {
    /// Its classes; `None`: one of the quiet buttons in a bar.
    pub class: Option<&'static str>,
    /// `part`.
    pub part: Option<&'static str>,
    /// What it says to readers of the screen, where that is more than its words.
    pub label: Option<String>,
    /// `aria-expanded`.
    pub expanded: Option<bool>,
    /// `aria-disabled`: it says that it was pressed, and keeps the focus.
    pub pressed: Option<bool>,
    /// Whether it does nothing now.
    pub disabled: bool,
    /// Whether a press with the mouse or finger leaves the focus where it is.
    pub leaves_focus: bool,
    /// Where its element is to be found.
    pub node: NodeRef,
}

/// Shows a button.
pub fn icon_button(
    symbol: Symbol,
    words: &'static str,
    onclick: Callback<MouseEvent>,
    button: IconButton,
) -> Html {
    let IconButton { class, part, label, expanded, pressed, disabled, leaves_focus, node } = button;
    let onmousedown = leaves_focus.then(|| Callback::from(|event: MouseEvent| event.prevent_default()));
    let said = |state: Option<bool>| state.map(|state| if state { "true" } else { "false" });
    html! {
        <button ref={node} type="button" {part} class={class.unwrap_or("icon-button")} title={words}
            aria-label={label.map_or(words.into(), yew::AttrValue::from)} aria-expanded={said(expanded)}
            aria-disabled={said(pressed)} {disabled} {onmousedown} {onclick}>
            { icon(symbol) }
        </button>
    }
}
