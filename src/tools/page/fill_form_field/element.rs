//! What an element that may be filled is by itself, and why it may not.

use wasm_bindgen::JsCast as _;
use web_sys::Element;

use super::password::is_password_like;
use crate::tools::page::dom::{is_rendered, property};

/// Whether an element is one of HTML's own controls.
pub(super) fn is_native(element: &Element) -> bool {
    matches!(element.local_name().as_str(), "input" | "select" | "textarea" | "button")
}

/// Whether it is `<input type=hidden>`.
pub(super) fn is_hidden_input(element: &Element) -> bool {
    element.local_name() == "input" && kind(element) == "hidden"
}

pub(super) fn kind(element: &Element) -> String {
    property(element, "type").as_string().unwrap_or_default()
}

pub(super) fn text_of(element: &Element, name: &str) -> String {
    property(element, name).as_string().unwrap_or_default()
}

/// Why an element that is no choice cannot be filled.
pub(super) fn refusal(element: &Element) -> Option<&'static str> {
    let (name, kind) = (element.local_name(), kind(element));
    Some(match name.as_str() {
        "button" => "it is a button, which is not filled",
        "input" if matches!(kind.as_str(), "submit" | "button" | "reset" | "image") => {
            "it is a button, which is not filled"
        }
        _ if matches(element, ":disabled") => "it is disabled",
        "select" => return None,
        "input" if kind == "hidden" => "hidden fields are not filled",
        "input" if kind == "file" => "only the person can choose a file",
        "input" | "textarea" if is_password_like(element) => "passwords and codes are left to the person",
        "input" | "textarea" if property(element, "readOnly").is_truthy() => "it is read-only",
        "input" | "textarea" => return None,
        _ if property(element, "isContentEditable").is_truthy() => return None,
        _ => "it cannot be filled",
    })
}

/// Whether people see a field and can get at it. Many a page shows the label alone and draws the control itself.
pub(super) fn is_within_reach(element: &Element) -> bool {
    let labels = property(element, "labels");
    let labels = (0..property(&labels, "length").as_f64().unwrap_or_default() as u32)
        .filter_map(|at| property(&labels, &at.to_string()).dyn_into::<Element>().ok());
    element.closest("[inert]").is_ok_and(|inert| inert.is_none())
        && std::iter::once(element.clone()).chain(labels).any(|shown| is_rendered(&shown))
}

pub(super) fn is_checked(element: &Element) -> bool {
    property(element, "checked").is_truthy()
}

pub(super) fn matches(element: &Element, selector: &str) -> bool {
    element.matches(selector).unwrap_or_default()
}

/// Whether a control is for passwords or codes.
pub(super) fn is_for_secrets(element: &Element) -> bool {
    matches!(element.local_name().as_str(), "input" | "textarea")
        && !matches!(kind(element).as_str(), "checkbox" | "radio" | "hidden")
        && is_password_like(element)
}
