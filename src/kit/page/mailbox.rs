//! Inputs that wait while one is being handled.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

/// Hands items over one at a time, in order, without holding a borrow: who delivers an item while one is
/// being handled (a listener that calls back, a handler that ends at once) finds it handled after that one.
#[derive(Debug)]
pub struct Mailbox<T> {
    waiting: RefCell<VecDeque<T>>,
    busy: Cell<bool>,
}

impl<T> Default for Mailbox<T> {
    fn default() -> Self {
        Self { waiting: RefCell::default(), busy: Cell::new(false) }
    }
}

impl<T> Mailbox<T> {
    /// Has `item` handled by `handle`, now or after the items before it.
    pub fn deliver(&self, item: T, mut handle: impl FnMut(T)) {
        self.waiting.borrow_mut().push_back(item);
        if self.busy.replace(true) {
            return;
        }
        loop {
            let next = self.waiting.borrow_mut().pop_front();
            let Some(item) = next else { break };
            handle(item);
        }
        self.busy.set(false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_j11_what_is_delivered_meanwhile_is_handled_after() {
        let mailbox = Mailbox::default();
        let seen = RefCell::new(Vec::new());
        mailbox.deliver(1, |item| {
            if item == 1 {
                mailbox.deliver(2, |_| unreachable!("the outer delivery handles it"));
            }
            seen.borrow_mut().push(item);
        });
        assert_eq!(*seen.borrow(), [1, 2]);
    }
}
