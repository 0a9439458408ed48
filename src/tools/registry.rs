//! The one registry of the tools that a page offers, plain and front-end ones.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::Value;

use super::{FrontendTool, LastRegistered, Observation, Observers, RegistrationKey, ToolHandler};
use crate::protocol::{DeclarationError, ToolDeclaration, ToolName};

/// The tools that are registered now. Of several registrations of a name the last one counts; when it ends,
/// the one before counts again (K9). Clones share it.
#[derive(Clone, Default)]
pub struct ToolRegistry(Rc<Shared>);

#[derive(Default)]
struct Shared {
    tools: RefCell<LastRegistered<ToolEntry>>,
    observers: Observers<()>,
}

/// What is registered under a name: a handler and, of a front-end tool, its declaration.
#[derive(Clone)]
pub(super) struct ToolEntry {
    pub handler: ToolHandler,
    pub frontend: Option<Rc<FrontendTool>>,
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
    /// Registers a plain tool.
    pub fn register(&self, name: &ToolName, handler: ToolHandler) -> ToolRegistration {
        self.add(name.as_str(), ToolEntry { handler, frontend: None })
    }

    /// Registers a front-end tool.
    ///
    /// # Errors
    /// When its declaration breaks K1: no model could call it.
    pub fn register_frontend(
        &self,
        tool: Rc<FrontendTool>,
        handler: ToolHandler,
    ) -> Result<ToolRegistration, DeclarationError> {
        let declaration = tool.declaration()?;
        Ok(self.add(declaration.name.as_str(), ToolEntry { handler, frontend: Some(tool) }))
    }

    fn add(&self, name: &str, entry: ToolEntry) -> ToolRegistration {
        let key = self.0.tools.borrow_mut().register(name, entry);
        self.0.observers.notify(&());
        ToolRegistration { registry: self.clone(), key }
    }

    /// The registration that counts for `name`.
    pub(super) fn counting(&self, name: &str) -> Option<(RegistrationKey, ToolEntry)> {
        self.0.tools.borrow().counting(name).map(|(key, entry)| (key, entry.clone()))
    }

    /// Whether a registration is live, counting or not.
    pub(super) fn is_live(&self, key: RegistrationKey) -> bool {
        self.0.tools.borrow().is_live(key)
    }

    /// What is registered under `name`, where it is a front-end tool.
    #[must_use]
    pub fn frontend_tool(&self, name: &str) -> Option<Rc<FrontendTool>> {
        self.0.tools.borrow().get(name)?.frontend.clone()
    }

    /// The front-end tools that count, as an agent's definition lists them (K1), in the order of registration.
    #[must_use]
    pub fn declarations(&self) -> Vec<ToolDeclaration> {
        let tools = self.0.tools.borrow();
        let frontend = tools.iter().filter_map(|(_, entry, _)| entry.frontend.clone());
        // Declarations are checked when they are registered.
        frontend.filter_map(|tool| tool.declaration().ok()).collect()
    }

    /// The front-end tools that count, in the OpenAI function-calling form (E11).
    #[must_use]
    pub fn tool_definitions(&self) -> Vec<Value> {
        self.declarations().iter().map(ToolDeclaration::definition).collect()
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
