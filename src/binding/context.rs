//! What the tools and readables below one provider share.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use web_sys::EventTarget;

use super::attachment::Attachment;
use super::{AgentStatus, LogLevel, log};
use crate::protocol::{ReadableName, Readables, SessionId, ToolName};
use crate::tools::{
    FrontendTool, LastRegistered, Observation, Observers, RegistrationKey, ToolHandler, ToolOptions,
    ToolRegistration, ToolRegistry, ToolRunner,
};

/// The tools and readables below one [`PraxisProvider`](super::PraxisProvider), or below one
/// [`PraxisAgent`](super::PraxisAgent) without a provider, and the agents that have them. Clones share them.
///
/// Components use the hooks; this is for what looks at all of it, such as a debug panel.
#[derive(Clone)]
pub struct PraxisContext {
    shared: Rc<Shared>,
    /// The agent that the components below it mean, when there is one around them.
    nearest: Option<AgentSlot>,
}

/// Where a [`PraxisAgent`](super::PraxisAgent) keeps its element once it is there.
pub(super) type AgentSlot = Rc<RefCell<Option<Rc<Attachment>>>>;

struct Shared {
    tools: ToolRegistry,
    runner: ToolRunner,
    readables: RefCell<LastRegistered<Rc<str>>>,
    agents: RefCell<Vec<Rc<Attachment>>>,
    observers: Observers<ContextChange>,
    _tools_observed: Observation<()>,
}

/// What has changed below a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContextChange {
    /// A tool was registered or unregistered.
    Tools,
    /// The readable of this name has another value, is new or is gone.
    Readable(Rc<str>),
    /// An agent came or went, or its session or status has changed.
    Agents,
}

/// What an agent shows to the components around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentState {
    /// The open session.
    pub session_id: Option<SessionId>,
    /// What the agent is doing.
    pub status: AgentStatus,
}

/// A readable that is registered as long as this lives.
#[must_use = "the readable is removed when this is dropped"]
pub struct ReadableRegistration {
    context: PraxisContext,
    name: Rc<str>,
    key: RegistrationKey,
}

impl Default for PraxisContext {
    fn default() -> Self {
        Self::new(&ToolOptions::default())
    }
}

impl PraxisContext {
    /// A context without tools, readables and agents.
    #[must_use]
    pub fn new(options: &ToolOptions) -> Self {
        let (tools, observers) = (ToolRegistry::default(), Observers::default());
        let runner = ToolRunner::new(tools.clone(), options);
        let _tools_observed = tools.observe({
            let observers = observers.clone();
            move || observers.notify(&ContextChange::Tools)
        });
        let shared = Shared {
            tools,
            runner,
            readables: RefCell::default(),
            agents: RefCell::default(),
            observers,
            _tools_observed,
        };
        Self { shared: Rc::new(shared), nearest: None }
    }

    /// The registered tools.
    #[must_use]
    pub fn tools(&self) -> &ToolRegistry {
        &self.shared.tools
    }

    /// Runs their calls; it knows the open questions and what was called.
    #[must_use]
    pub fn runner(&self) -> &ToolRunner {
        &self.shared.runner
    }

    /// Registers a tool (K8, K9). A name that breaks K1 is logged, and nothing is registered: no agent could call it.
    pub fn register_tool(&self, name: &str, handler: ToolHandler) -> Option<ToolRegistration> {
        let name = match ToolName::new(name) {
            Ok(name) => name,
            Err(error) => {
                self.log(LogLevel::Error, &error.to_string());
                return None;
            }
        };
        let registration = self.shared.tools.register(&name, handler);
        self.warn_of_second_tool(name.as_str());
        Some(registration)
    }

    /// Registers a front-end tool (E1, K9). A declaration that breaks K1 is logged, and nothing is registered.
    pub fn register_frontend_tool(
        &self,
        tool: Rc<FrontendTool>,
        handler: ToolHandler,
    ) -> Option<ToolRegistration> {
        let name = tool.clone();
        match self.shared.tools.register_frontend(tool, handler) {
            Ok(registration) => {
                self.warn_of_second_tool(name.name());
                self.shared.runner.warm_up_when_idle();
                Some(registration)
            }
            Err(error) => {
                self.log(LogLevel::Error, &error.to_string());
                None
            }
        }
    }

    /// The readables as the agents have them, in order (K15).
    #[must_use]
    pub fn readables(&self) -> Readables {
        let mut readables = Readables::default();
        for (name, value, _) in self.shared.readables.borrow().iter() {
            // Names are checked when they are registered.
            if let Ok(name) = ReadableName::new(name) {
                readables.set(&name, &**value);
            }
        }
        readables
    }

    /// Registers a readable's text (K10); of two with one name, the last one counts, as with tools.
    pub fn register_readable(&self, name: &ReadableName, text: impl Into<Rc<str>>) -> ReadableRegistration {
        let name: Rc<str> = name.as_str().into();
        let key = self.change_readable(&name, |readables| readables.register(&name, text.into()));
        if self.shared.readables.borrow().count(&name) > 1 {
            self.warn_of_duplicate("readable", &name);
        }
        ReadableRegistration { context: self.clone(), name, key }
    }

    /// Calls `observer` after each change.
    pub fn observe(&self, observer: impl Fn(&ContextChange) + 'static) -> Observation<ContextChange> {
        self.shared.observers.observe(observer)
    }

    /// The session and the status of the agent around the component, else of the one that was mounted last.
    #[must_use]
    pub fn agent_state(&self) -> AgentState {
        self.agent().map(|agent| agent.state()).unwrap_or_default()
    }

    /// The text of one readable.
    pub(super) fn readable(&self, name: &str) -> Option<Rc<str>> {
        self.shared.readables.borrow().get(name).cloned()
    }

    /// The agent around the component, else the one that was mounted last.
    pub(super) fn agent(&self) -> Option<Rc<Attachment>> {
        match &self.nearest {
            Some(slot) => slot.borrow().clone(),
            None => self.shared.agents.borrow().last().cloned(),
        }
    }

    /// The same, for the components below an agent.
    pub(super) fn below(&self, slot: AgentSlot) -> Self {
        Self { shared: self.shared.clone(), nearest: Some(slot) }
    }

    pub(super) fn add_agent(&self, agent: Rc<Attachment>) {
        self.shared.agents.borrow_mut().push(agent);
        self.agents_changed();
    }

    pub(super) fn remove_agent(&self, agent: &Rc<Attachment>) {
        self.shared.agents.borrow_mut().retain(|other| !Rc::ptr_eq(other, agent));
        self.agents_changed();
    }

    pub(super) fn agents_changed(&self) {
        self.shared.observers.notify(&ContextChange::Agents);
    }

    /// Says something to developers, through the agent's element where there is one.
    pub(super) fn log(&self, level: LogLevel, message: &str) {
        let agent = self.agent();
        let element: Option<&EventTarget> = agent.as_ref().map(|agent| agent.element().as_ref());
        log::log(element, level, message);
    }

    fn warn_of_second_tool(&self, name: &str) {
        if self.shared.tools.registrations(name) > 1 {
            self.warn_of_duplicate("tool", name);
        }
    }

    fn warn_of_duplicate(&self, kind: &str, name: &str) {
        if cfg!(debug_assertions) {
            let message =
                ["the ", kind, " ", name, " is registered more than once; the last one mounted counts"];
            self.log(LogLevel::Warn, &message.concat());
        }
    }

    /// Edits the readables and tells of it when the value that counts for `name` has changed.
    fn change_readable<R>(&self, name: &Rc<str>, edit: impl FnOnce(&mut LastRegistered<Rc<str>>) -> R) -> R {
        let before = self.readable(name);
        let result = edit(&mut self.shared.readables.borrow_mut());
        if before != self.readable(name) {
            self.shared.observers.notify(&ContextChange::Readable(name.clone()));
        }
        result
    }
}

impl ReadableRegistration {
    /// Gives it another text; it keeps its place (K15), and an equal text changes nothing (K10).
    pub fn set(&self, text: impl Into<Rc<str>>) {
        self.context.change_readable(&self.name, |readables| readables.replace(self.key, text.into()));
    }
}

impl Drop for ReadableRegistration {
    fn drop(&mut self) {
        self.context.change_readable(&self.name, |readables| readables.remove(self.key));
    }
}

impl PartialEq for PraxisContext {
    fn eq(&self, other: &Self) -> bool {
        let same_slot = match (&self.nearest, &other.nearest) {
            (Some(slot), Some(other)) => Rc::ptr_eq(slot, other),
            (None, None) => true,
            _ => false,
        };
        same_slot && Rc::ptr_eq(&self.shared, &other.shared)
    }
}

impl fmt::Debug for PraxisContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PraxisContext")
    }
}
