//! The two events on `window` by which a question is asked and answered (E9). Any script of the page may listen and
//! answer.
//!
//! It must not know which questions are open.

use js_sys::{JSON, Object, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{CustomEvent, CustomEventInit};

use super::{CONFIRMATION_REQUIRED, CONFIRMATION_RESPONSE, Confirmation, EventListener};
use crate::protocol::json_text::value_to_json_text;

/// Asks.
pub(super) fn ask_confirmation(question: &Confirmation) {
    // A copy: what a listener does to it changes nothing here.
    let detail = JSON::parse(&value_to_json_text(&question.to_json())).unwrap_or_default();
    dispatch(CONFIRMATION_REQUIRED, &detail);
}

/// Answers a question, by the event that any page script may send (E9). An id that is not open does nothing.
pub fn answer_confirmation(id: &str, confirmed: bool) {
    let detail = Object::new();
    for (name, value) in [("id", JsValue::from_str(id)), ("confirmed", confirmed.into())] {
        // Setting a member of a fresh object does not fail.
        let _ = Reflect::set(&detail, &JsValue::from_str(name), &value);
    }
    dispatch(CONFIRMATION_RESPONSE, &detail);
}

/// Calls `hear` with the id and the decision of each answer, until the listener is dropped.
pub(super) fn listen_for_answers(hear: impl Fn(String, bool) + 'static) -> EventListener {
    EventListener::new(&gloo::utils::window(), CONFIRMATION_RESPONSE, move |event| {
        let Ok(event) = event.dyn_into::<CustomEvent>() else { return };
        let member = |name| Reflect::get(&event.detail(), &JsValue::from_str(name)).unwrap_or_default();
        if let Some(id) = member("id").as_string() {
            hear(id, member("confirmed") == JsValue::TRUE);
        }
    })
}

fn dispatch(kind: &str, detail: &JsValue) {
    let init = CustomEventInit::new();
    init.set_detail(detail);
    if let Ok(event) = CustomEvent::new_with_event_init_dict(kind, &init) {
        // Whether a listener called `preventDefault` does not matter.
        let _ = gloo::utils::window().dispatch_event(&event);
    }
}
