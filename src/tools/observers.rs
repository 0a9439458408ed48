//! Who is told when something changes.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

type Observer<E> = dyn Fn(&E);

/// A list of observers of events `E`. Clones share it.
pub struct Observers<E: 'static>(Rc<RefCell<Vec<Rc<Slot<E>>>>>);

struct Slot<E> {
    live: Cell<bool>,
    observer: Box<Observer<E>>,
}

/// Ends when it is dropped: the observer is not called any more, not even for an event that is going out.
#[must_use = "the observation ends when it is dropped"]
pub struct Observation<E: 'static> {
    list: Weak<RefCell<Vec<Rc<Slot<E>>>>>,
    slot: Rc<Slot<E>>,
}

impl<E> Default for Observers<E> {
    fn default() -> Self {
        Self(Rc::default())
    }
}

impl<E> Clone for Observers<E> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<E> Observers<E> {
    /// Adds an observer.
    pub fn observe(&self, observer: impl Fn(&E) + 'static) -> Observation<E> {
        let slot = Rc::new(Slot { live: Cell::new(true), observer: Box::new(observer) });
        self.0.borrow_mut().push(slot.clone());
        Observation { list: Rc::downgrade(&self.0), slot }
    }

    /// Tells all observers. They may add and end observations, and cause further events.
    pub fn notify(&self, event: &E) {
        let slots = self.0.borrow().clone();
        for slot in slots.iter().filter(|slot| slot.live.get()) {
            (slot.observer)(event);
        }
    }
}

impl<E> Drop for Observation<E> {
    fn drop(&mut self) {
        self.slot.live.set(false);
        if let Some(list) = self.list.upgrade() {
            // `self.slot` still holds the observer, so nothing of the host's is dropped in this borrow.
            list.borrow_mut().retain(|slot| !Rc::ptr_eq(slot, &self.slot));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn j11_an_observer_may_end_others_and_notify_again() {
        let observers = Observers::<u8>::default();
        let seen = Rc::new(RefCell::new(Vec::new()));
        let second = Rc::new(RefCell::new(None));
        let first = observers.observe({
            let (observers, seen, second) = (observers.clone(), seen.clone(), second.clone());
            move |event| {
                seen.borrow_mut().push(*event);
                let ended: Option<Observation<u8>> = second.borrow_mut().take();
                drop(ended);
                if *event == 1 {
                    observers.notify(&2);
                }
            }
        });
        *second.borrow_mut() = Some(observers.observe({
            let seen = seen.clone();
            move |event| seen.borrow_mut().push(100 + event)
        }));
        observers.notify(&1);
        assert_eq!(*seen.borrow(), [1, 2]);
        drop(first);
        observers.notify(&3);
        assert_eq!(*seen.borrow(), [1, 2]);
    }
}
