//! A listener on an event target, for as long as the value lives.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, EventTarget};

/// Listens until it is dropped.
///
/// Unlike gloo's, it may be called again while it runs: a listener of `praxis.log` may do what causes the next
/// `praxis.log`.
#[must_use = "the listener is removed when this is dropped"]
pub struct EventListener {
    target: EventTarget,
    kind: &'static str,
    closure: Closure<dyn Fn(Event)>,
}

impl EventListener {
    /// Adds a listener for events of type `kind`.
    pub fn new(target: &EventTarget, kind: &'static str, listener: impl Fn(Event) + 'static) -> Self {
        let closure = Closure::<dyn Fn(Event)>::new(listener);
        // It fails only for a listener that is neither a function nor an object.
        let _ = target.add_event_listener_with_callback(kind, closure.as_ref().unchecked_ref());
        Self { target: target.clone(), kind, closure }
    }
}

impl Drop for EventListener {
    fn drop(&mut self) {
        let function = self.closure.as_ref().unchecked_ref();
        let _ = self.target.remove_event_listener_with_callback(self.kind, function);
    }
}
