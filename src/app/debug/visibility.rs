//! Whether the panel is in sight, and where the focus goes when that changes.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent};
use yew::prelude::*;

use crate::binding::EventListener;

/// Whether the panel is in sight.
#[derive(Clone)]
pub(super) struct Visibility {
    open: Rc<Cell<bool>>,
    update: UseForceUpdateHandle,
}

impl Visibility {
    /// Whether it is in sight.
    pub(super) fn is_open(&self) -> bool {
        self.open.get()
    }

    /// Shows it, or not.
    pub(super) fn set(&self, open: bool) {
        if self.open.replace(open) != open {
            self.update.force_update();
        }
    }
}

/// Opens with `?debug` in the address, without touching the focus, or with Ctrl+Shift+D: then the focus goes to
/// `heading`, and back to where it was when the panel closes. `panel` is what holds the panel.
#[hook]
pub(super) fn use_visibility(panel: NodeRef, heading: NodeRef) -> Visibility {
    let visibility = Visibility { open: use_ref(|| Cell::new(is_asked_for())), update: use_force_update() };
    let return_to = use_mut_ref(|| None::<HtmlElement>);

    use_effect_with((), {
        let (visibility, return_to) = (visibility.clone(), return_to.clone());
        move |()| {
            let listener = EventListener::new(&gloo::utils::document(), "keydown", move |event| {
                let Some(key) = event.dyn_ref::<KeyboardEvent>() else { return };
                if !(key.ctrl_key() && key.shift_key() && key.key().eq_ignore_ascii_case("d")) {
                    return;
                }
                event.prevent_default();
                let focused = gloo::utils::document().active_element();
                let inside = panel.get().is_some_and(|panel| panel.contains(focused.as_deref()));
                if !inside {
                    return_to.replace(focused.and_then(|element| element.dyn_into().ok()));
                }
                visibility.set(!visibility.is_open());
            });
            move || drop(listener)
        }
    });

    use_effect_with(visibility.is_open(), move |open| {
        let element = if *open && return_to.borrow().is_some() {
            heading.cast::<HtmlElement>()
        } else {
            return_to.take()
        };
        if let Some(element) = element {
            // An element that went away meanwhile cannot take the focus; it stays where it is.
            let _ = element.focus();
        }
    });

    visibility
}

fn is_asked_for() -> bool {
    let query = gloo::utils::window().location().search().unwrap_or_default();
    query.trim_start_matches('?').split('&').any(|part| part == "debug" || part.starts_with("debug="))
}
