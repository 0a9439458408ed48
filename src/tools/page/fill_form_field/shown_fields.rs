//! The fields that the person was asked about, until their call runs: a dialog may be open for long, and the page
//! behind it may change.

use std::cell::RefCell;

use web_sys::Element;

/// Of more calls nobody is asked at a time: ten a minute are admitted (E12), and a question waits for 30 s (E9). Those
/// before belong to calls that never ran.
const MOST_CALLS: usize = 32;

/// A field's name and its element, or the first of them.
type Fields = Vec<(String, Element)>;

thread_local!(static SHOWN: RefCell<Vec<(String, Fields)>> = const { RefCell::new(Vec::new()) });

/// The person is shown these fields before the call of this id runs.
pub(super) fn remember(call_id: &str, fields: Fields) {
    SHOWN.with_borrow_mut(|shown| {
        shown.retain(|(id, _)| id != call_id);
        if shown.len() == MOST_CALLS {
            shown.remove(0);
        }
        shown.push((call_id.to_owned(), fields));
    });
}

/// What was remembered of the call; nothing where nobody was asked.
pub(super) fn take(call_id: &str) -> Fields {
    SHOWN.with_borrow_mut(|shown| {
        let at = shown.iter().position(|(id, _)| id == call_id);
        at.map(|at| shown.remove(at).1).unwrap_or_default()
    })
}
