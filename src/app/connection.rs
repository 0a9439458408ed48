//! The connection that the person has chosen on this device, in place of `config.json`'s.
//!
//! How one is chosen and tested stands in `static/connection`, which the page of settings loads: the lesson's page does
//! not wait for it. It keeps what is chosen under [`KEY`], and tells the window of each change, with the key that is
//! not kept.

use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::CustomEvent;
use yew::prelude::*;

use crate::binding::EventListener;

/// The key in the browser's storage, and the event's name.
const KEY: &str = "lesson-player.connection";

/// The connection that is chosen, in the form of `config.json`; `None`: the file's own.
#[hook]
pub fn use_connection() -> Option<Rc<str>> {
    let chosen = use_state_eq(|| {
        let storage = gloo::utils::window().local_storage().ok().flatten();
        storage.and_then(|storage| storage.get_item(KEY).ok()?).map(Rc::<str>::from)
    });
    use_effect_with((), {
        let set = chosen.setter();
        move |()| {
            let listener = EventListener::new(&gloo::utils::window(), KEY, move |event| {
                let detail = event.dyn_ref::<CustomEvent>().and_then(|event| event.detail().as_string());
                set.set(detail.map(Rc::from));
            });
            move || drop(listener)
        }
    });
    (*chosen).clone()
}
