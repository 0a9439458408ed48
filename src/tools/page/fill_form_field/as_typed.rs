//! Sets what a person would type or click: pages hear of it as they would of them.

use js_sys::{Function, Object, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Element, Event, EventInit, HtmlElement, InputEvent, InputEventInit};

use super::element::is_checked;
use crate::tools::page::dom::property;

/// Sets a property by the setter of the element's own prototype (C01, C03).
pub(super) fn set_property(element: &JsValue, name: &str, value: &JsValue) -> Result<(), String> {
    let name: JsValue = name.into();
    let mut prototype = Object::get_prototype_of(element);
    while prototype.is_object() {
        let descriptor = Reflect::get_own_property_descriptor(&prototype, &name);
        let setter = descriptor.map_or(JsValue::UNDEFINED, |descriptor| property(&descriptor, "set"));
        if let Ok(setter) = setter.dyn_into::<Function>() {
            return setter
                .call1(element, value)
                .map(drop)
                .map_err(|_| "the browser refuses this value".to_owned());
        }
        prototype = Object::get_prototype_of(&prototype);
    }
    Err("it cannot be filled".to_owned())
}

pub(super) fn click_to(element: &Element, checked: bool) {
    if is_checked(element) != checked {
        element.unchecked_ref::<HtmlElement>().click();
    }
}

pub(super) fn tell(element: &Element, kind: &str) {
    let init = EventInit::new();
    init.set_bubbles(true);
    init.set_composed(true);
    if let Ok(event) = Event::new_with_event_init_dict(kind, &init) {
        let _ = element.dispatch_event(&event);
    }
}

/// Sends an event of somebody's typing; whether nobody cancelled it.
pub(super) fn tell_input(element: &Element, event: &str, kind: &str, text: &str) -> bool {
    let init = InputEventInit::new();
    init.set_bubbles(true);
    init.set_composed(true);
    init.set_cancelable(event == "beforeinput");
    init.set_input_type(kind);
    init.set_data(Some(text).filter(|text| !text.is_empty()));
    let event = InputEvent::new_with_event_init_dict(event, &init);
    event.is_ok_and(|event| element.dispatch_event(&event).unwrap_or_default())
}
