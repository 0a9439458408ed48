//! Which fields are for passwords and codes, whatever they look like now (C14).

use std::cell::RefCell;

use js_sys::{Array, WeakSet};
use wasm_bindgen::prelude::*;
use web_sys::{Element, MutationObserver, MutationObserverInit, MutationRecord, Node};

use super::choices::label;
use crate::tools::page::dom::{all, document, property};
use crate::tools::secret::is_secret_name;

const PURPOSES: [&str; 4] = ["current-password", "new-password", "one-time-code", "cc-csc"];

thread_local! {
    /// Fields that were for passwords once: a button to show the password makes them plain text.
    static SEEN: RefCell<Option<WeakSet>> = const { RefCell::new(None) };
}

/// Whether a field is, or ever was, for a password or a code: by its type, its purpose, or its name.
pub(super) fn is_password_like(field: &Element) -> bool {
    let text = |name: &str| field.get_attribute(name).unwrap_or_default();
    property(field, "type").as_string().as_deref() == Some("password")
        || seen().has(field)
        || text("autocomplete")
            .split_ascii_whitespace()
            .any(|purpose| PURPOSES.iter().any(|secret| purpose.eq_ignore_ascii_case(secret)))
        || ["name", "id", "data-field", "aria-label"].iter().any(|name| is_secret_name(&text(name)))
        || is_secret_name(&label(field))
}

/// Remembers the password fields that are below `root` now.
pub(super) fn remember(root: &Node) {
    let seen = seen();
    for field in all(root, "input[type=password]") {
        seen.add(&field);
    }
}

fn seen() -> WeakSet {
    SEEN.with(|seen| seen.borrow_mut().get_or_insert_with(WeakSet::new).clone())
}

/// Notices from now on when a page shows what is in a password field, so that the field is still left to the person.
///
/// Call it when the app starts; it goes on for the life of the page.
pub fn watch_password_fields() {
    let Some(document) = document() else { return };
    remember(&document);
    let changed = Closure::<dyn Fn(Array)>::new(|records: Array| {
        for record in records.iter().map(JsCast::unchecked_into::<MutationRecord>) {
            if let (Some(field), Some("password")) = (record.target(), record.old_value().as_deref()) {
                seen().add(&field);
            }
        }
    });
    if let Ok(observer) = MutationObserver::new(&changed.into_js_value().unchecked_into()) {
        let init = MutationObserverInit::new();
        init.set_subtree(true);
        init.set_attribute_filter(&Array::of1(&"type".into()));
        init.set_attribute_old_value(true);
        let _ = observer.observe_with_options(&document, &init);
    }
}
