use std::cell::RefCell;
use std::rc::Rc;

use yew::prelude::*;

/// The value of the newest render, wherever this was captured.
pub(in crate::binding) struct Latest<T>(Rc<RefCell<Rc<T>>>);

impl<T> Latest<T> {
    /// The value; nothing stays borrowed.
    pub(in crate::binding) fn get(&self) -> Rc<T> {
        self.0.borrow().clone()
    }
}

impl<T> Clone for Latest<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// Keeps the value of the newest render within reach of what was captured in an older one.
#[hook]
pub(in crate::binding) fn use_latest<T: 'static>(value: T) -> Latest<T> {
    let value = Rc::new(value);
    let cell = use_mut_ref({
        let value = value.clone();
        || value
    });
    // The old value is dropped after the borrow: it may be a host's closure.
    let old = cell.replace(value);
    drop(old);
    Latest(cell)
}
