use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Date;
use wasm_bindgen::JsValue;
use web_sys::Event;
use yew::prelude::*;

use super::journal::{Journal, JournalEvent};
use crate::binding::{EventListener, LogEntry, ToolChange};

/// Writes down the events of all agents on the page: they are composed, so they reach the document from inside of
/// shadow roots too.
#[hook]
pub(super) fn use_journal() -> Rc<RefCell<Journal>> {
    let journal = use_mut_ref(Journal::default);
    let update = use_force_update();
    use_effect_with((), {
        let journal = journal.clone();
        move |()| {
            let document = gloo::utils::document();
            let listen = |kind, read: fn(&Event) -> Option<JournalEvent>| {
                let (journal, update) = (journal.clone(), update.clone());
                EventListener::new(&document, kind, move |event| {
                    if let Some(event) = read(&event) {
                        journal.borrow_mut().record(time(), event);
                        update.force_update();
                    }
                })
            };
            let listeners = [
                listen("praxis.tool.change", |event| ToolChange::from_event(event).map(JournalEvent::Call)),
                listen("praxis.log", |event| LogEntry::from_event(event).map(JournalEvent::Log)),
            ];
            move || drop(listeners)
        }
    });
    journal
}

/// `14:05:09.007`
fn time() -> String {
    const MINUTE: f64 = 60_000.0;
    let now = Date::new_0();
    // ISO texts are in UTC: this one is of the moment at which UTC's clocks show what the local ones show now.
    let local = Date::new(&JsValue::from_f64(now.get_time() - now.get_timezone_offset() * MINUTE));
    String::from(local.to_iso_string()).get(11..23).unwrap_or_default().to_owned()
}
