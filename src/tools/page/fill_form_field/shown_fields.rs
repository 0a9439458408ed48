//! The fields that the person was asked about, until their call runs: a dialog may be open for long, and the page
//! behind it may change.

use std::cell::RefCell;

use web_sys::Element;

/// Of more calls nobody is asked at a time: ten a minute are admitted (E12), and a question waits for 30 s (E9). Those
/// before belong to calls that never ran.
const MOST_CALLS: usize = 32;

/// A field as the person was shown it.
pub(super) struct ShownField {
    pub(super) name: String,
    pub(super) elements: Vec<Element>,
    /// What it would hold, as [`Control::told`](super::control::Control::told) says it; nothing where it could not.
    pub(super) told: Vec<String>,
}

type Fields = Vec<ShownField>;

thread_local!(static SHOWN: RefCell<Vec<(u32, Fields)>> = const { RefCell::new(Vec::new()) });

/// The person is shown these fields before the call of this serial number runs.
pub(super) fn remember(call: u32, fields: Fields) {
    SHOWN.with_borrow_mut(|shown| {
        shown.retain(|(of, _)| *of != call);
        if shown.len() == MOST_CALLS {
            shown.remove(0);
        }
        shown.push((call, fields));
    });
}

/// What was remembered of the call, once.
pub(super) fn take(call: u32) -> Option<Fields> {
    SHOWN.with_borrow_mut(|shown| {
        let at = shown.iter().position(|(of, _)| *of == call)?;
        Some(shown.remove(at).1)
    })
}
