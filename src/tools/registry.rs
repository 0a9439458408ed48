//! The one registry of the tools that a page offers.

use std::cell::RefCell;
use std::rc::Rc;

use super::{LastRegistered, Observation, Observers, RegistrationKey, ToolHandler};
use crate::protocol::ToolName;

/// The tools that are registered now. Of several registrations of a name the last one counts; when it ends,
/// the one before counts again (K9). Clones share it.
#[derive(Clone, Default)]
pub struct ToolRegistry(Rc<Shared>);

#[derive(Default)]
struct Shared {
    tools: RefCell<LastRegistered<ToolHandler>>,
    observers: Observers<()>,
}

/// A tool that is registered as long as this lives.
#[must_use = "the tool is unregistered when this is dropped"]
pub struct ToolRegistration {
    registry: ToolRegistry,
    key: RegistrationKey,
}

/// A registered name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisteredTool {
    /// The name.
    pub name: String,
    /// How many registrations of it are live; more than one is a mistake, most of the time.
    pub registrations: usize,
}

impl ToolRegistry {
    /// Registers a handler for a name.
    pub fn register(&self, name: &ToolName, handler: ToolHandler) -> ToolRegistration {
        let key = self.0.tools.borrow_mut().register(name.as_str(), handler);
        self.0.observers.notify(&());
        ToolRegistration { registry: self.clone(), key }
    }

    /// The handler that counts for `name`.
    #[must_use]
    pub fn handler(&self, name: &str) -> Option<ToolHandler> {
        self.0.tools.borrow().get(name).cloned()
    }

    /// How many registrations of `name` are live.
    #[must_use]
    pub fn registrations(&self, name: &str) -> usize {
        self.0.tools.borrow().count(name)
    }

    /// What is registered, in the order of registration.
    #[must_use]
    pub fn tools(&self) -> Vec<RegisteredTool> {
        let tools = self.0.tools.borrow();
        tools
            .iter()
            .map(|(name, _, registrations)| RegisteredTool { name: name.to_owned(), registrations })
            .collect()
    }

    /// Calls `observer` after each change.
    pub fn observe(&self, observer: impl Fn() + 'static) -> Observation<()> {
        self.0.observers.observe(move |()| observer())
    }
}

impl Drop for ToolRegistration {
    fn drop(&mut self) {
        // The handler is dropped after the borrow: it may own whatever the host put into it.
        let ended = self.registry.0.tools.borrow_mut().remove(self.key);
        drop(ended);
        self.registry.0.observers.notify(&());
    }
}
