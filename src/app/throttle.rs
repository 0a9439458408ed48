//! A value that changes at most so often.

use std::cell::RefCell;
use std::rc::Rc;

use gloo::timers::callback::Timeout;
use yew::prelude::*;

use super::clock::now;

/// Follows `value`, but changes at most every `milliseconds`; the last value always comes through.
#[hook]
pub fn use_throttled<T: Clone + PartialEq + 'static>(value: T, milliseconds: u32) -> T {
    let shown = use_state_eq(|| value.clone());
    let changed_at = use_mut_ref(|| f64::NEG_INFINITY);
    let newest = use_mut_ref(|| value.clone());
    let timer: Rc<RefCell<Option<Timeout>>> = use_mut_ref(|| None);
    use_effect_with(value, {
        let set_shown = shown.setter();
        move |value| {
            newest.replace(value.clone());
            let since = now() - *changed_at.borrow();
            let waiting = timer.borrow().is_some();
            if since >= f64::from(milliseconds) || since < 0.0 {
                changed_at.replace(now());
                set_shown.set(value.clone());
            } else if !waiting {
                let rest = milliseconds.saturating_sub(since as u32);
                let timeout = Timeout::new(rest, {
                    let timer = timer.clone();
                    move || {
                        timer.replace(None);
                        changed_at.replace(now());
                        let value = newest.borrow().clone();
                        set_shown.set(value);
                    }
                });
                timer.replace(Some(timeout));
            }
        }
    });
    (*shown).clone()
}
