//! Elements that are edited in place: plain `contenteditable` ones and editors with a model of their own (C17).

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlDocument, HtmlElement};

use super::as_typed::tell_input;
use crate::tools::page::dom::{document, focus, property};

/// Replaces what is in it, as typing over a selection would: editors follow `beforeinput` and `input`, and the browser
/// only ever inserts text. Whether the editor kept it is seen afterwards.
pub(super) fn set(element: &HtmlElement, text: &str) {
    let Some(document) = document() else { return };
    let before = focused(document.active_element());
    focus(element);
    if let Ok(Some(selection)) = document.get_selection() {
        let _ = selection.select_all_children(element);
    }
    // The command below sends no `beforeinput` of its own. An editor that cancels it has done the work, or refuses.
    let kind = if text.is_empty() { "deleteContentBackward" } else { "insertText" };
    if tell_input(element, "beforeinput", kind, text) {
        // There is no other way to edit as a person does, and no browser is without it.
        let document: &HtmlDocument = document.unchecked_ref();
        let _ = if text.is_empty() {
            document.exec_command("delete")
        } else {
            document.exec_command_with_show_ui_and_value("insertText", false, text)
        };
    }
    match before {
        Some(before) => focus(before.unchecked_ref()),
        None => drop(element.blur()),
    }
}

/// The element that has the focus, in open shadow roots too.
fn focused(active: Option<Element>) -> Option<Element> {
    let mut active = active.filter(|element| element.local_name() != "body")?;
    while let Ok(inner) = property(&property(&active, "shadowRoot"), "activeElement").dyn_into::<Element>() {
        active = inner;
    }
    Some(active)
}
