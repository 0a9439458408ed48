//! What the binding itself has to say to developers.

use js_sys::{Object, Reflect};
use wasm_bindgen::JsValue;
use web_sys::{CustomEvent, CustomEventInit, EventTarget};

use super::LogLevel;

/// Says it on the console and, where there is an element, as a `praxis.log` event that comes from it.
pub(super) fn log(element: Option<&EventTarget>, level: LogLevel, message: &str) {
    match level {
        LogLevel::Info => gloo::console::info!(message),
        LogLevel::Warn => gloo::console::warn!(message),
        LogLevel::Error => gloo::console::error!(message),
    }
    let Some(element) = element else { return };
    let detail = Object::new();
    for (name, value) in [("level", level.as_str()), ("message", message)] {
        // Setting a member of a fresh object does not fail.
        let _ = Reflect::set(&detail, &JsValue::from_str(name), &JsValue::from_str(value));
    }
    let init = CustomEventInit::new();
    init.set_bubbles(true);
    init.set_composed(true);
    init.set_detail(&detail);
    if let Ok(event) = CustomEvent::new_with_event_init_dict("praxis.log", &init) {
        // Whether a listener called `preventDefault` does not matter.
        let _ = element.dispatch_event(&event);
    }
}
