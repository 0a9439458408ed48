use js_sys::Date;
use web_sys::Event;
use yew::prelude::*;

use super::journal::{Journal, JournalAction, JournalEvent};
use crate::binding::{EventListener, LogEntry, ToolChange};

/// Writes down the events of all agents on the page: they are composed, so they reach the document from inside of
/// shadow roots too.
#[hook]
pub(super) fn use_journal() -> UseReducerHandle<Journal> {
    let journal = use_reducer(Journal::default);
    use_effect_with((), {
        let dispatcher = journal.dispatcher();
        move |()| {
            let document = gloo::utils::document();
            let listen = |kind, read: fn(&Event) -> Option<JournalEvent>| {
                let dispatcher = dispatcher.clone();
                EventListener::new(&document, kind, move |event| {
                    if let Some(event) = read(&event) {
                        dispatcher.dispatch(JournalAction::Record(time(), event));
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
    let now = Date::new_0();
    let (hours, minutes, seconds) = (now.get_hours(), now.get_minutes(), now.get_seconds());
    format!("{hours:02}:{minutes:02}:{seconds:02}.{:03}", now.get_milliseconds())
}
