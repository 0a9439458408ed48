//! One `<praxis-agent>` on the page, joined to a context: calls go in, readables and options go out.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use futures_util::future::ready;
use js_sys::{Error, JSON, Promise, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{future_to_promise, spawn_local};
use web_sys::{AbortSignal, Event, EventTarget};

use super::detail::member;
use super::element::{self, PraxisAgentElement};
use super::hooks::Latest;
use super::options;
use super::{
    AgentError, AgentState, AgentStatus, ContextChange, EventListener, GetToken, LogEntry, LogLevel,
    PraxisAgentProps, PraxisContext, ToolChange, detail, json,
};
use crate::protocol::{SessionId, ToolDeclaration};
use crate::tools::{CallOutcome, Observation, ToolCall, js_error_text};

/// Joins an element to a context as long as it lives.
pub(super) struct Attachment {
    element: PraxisAgentElement,
    context: PraxisContext,
    props: Latest<PraxisAgentProps>,
    /// The options' JSON text, as the element has them or will get them.
    options: RefCell<Option<Rc<str>>>,
    /// The registered front-end tools, as the element was told of them.
    declared: RefCell<Vec<ToolDeclaration>>,
    /// Whether the element will be told of others in a moment: components mount together.
    declaring: Cell<bool>,
    get_token: JsValue,
    on_client_tool: JsValue,
    /// Whether the element is defined and has been given its handler and readables.
    started: Cell<bool>,
    state: RefCell<AgentState>,
    _observation: Observation<ContextChange>,
    _listeners: [EventListener; 7],
}

impl Attachment {
    /// Joins `element` to `context`: handler first, then readables (K12); options follow with
    /// [`set_options`](Self::set_options). Where the page defines `<praxis-agent>` only later, all of it waits.
    pub(super) fn new(
        element: PraxisAgentElement,
        context: PraxisContext,
        props: Latest<PraxisAgentProps>,
        get_token: Latest<Option<GetToken>>,
    ) -> Rc<Self> {
        let this = Rc::new_cyclic(|weak: &Weak<Self>| Self {
            _observation: context.observe({
                let weak = weak.clone();
                move |change| {
                    let Some(this) = weak.upgrade() else { return };
                    match change {
                        ContextChange::Readable(name) => this.update_readable(name),
                        ContextChange::Tools => this.update_declared(),
                        ContextChange::Agents => {}
                    }
                }
            }),
            _listeners: listeners(&element, weak),
            on_client_tool: client_tool_function(weak.clone()),
            get_token: get_token_function(get_token),
            element,
            context,
            props,
            options: RefCell::default(),
            declared: RefCell::default(),
            declaring: Cell::new(false),
            started: Cell::new(false),
            state: RefCell::default(),
        });
        if element::agent_is_defined() {
            this.start();
        } else {
            let weak = Rc::downgrade(&this);
            spawn_local(async move {
                element::defined().await;
                if let Some(this) = weak.upgrade() {
                    this.start();
                }
            });
        }
        this
    }

    /// The element.
    pub(super) fn element(&self) -> &PraxisAgentElement {
        &self.element
    }

    /// Its session and status.
    pub(super) fn state(&self) -> AgentState {
        self.state.borrow().clone()
    }

    /// Gives the element its options: their JSON text, and `getToken` where there is one.
    pub(super) fn set_options(&self, options: Rc<str>) {
        *self.options.borrow_mut() = Some(options);
        if self.started.get() {
            self.push_options();
        }
    }

    /// Reads the element's session and status again; `fallback` is for elements that do not say.
    pub(super) fn refresh(&self, fallback: Option<AgentState>) {
        let known = self.state();
        let fallback = fallback.unwrap_or_else(|| known.clone());
        let session = self.element.property("sessionId");
        let session_id = match session.as_string() {
            Some(id) => Some(SessionId::from(id)),
            None if session.is_undefined() => fallback.session_id,
            None => None,
        };
        let status = AgentStatus::from_js(&self.element.property("status")).unwrap_or(fallback.status);
        let state = AgentState { session_id, status };
        if state != known {
            self.state.replace(state);
            self.context.agents_changed();
        }
    }

    fn start(&self) {
        if let Err(error) = self.element.set_on_client_tool(&self.on_client_tool) {
            self.report_refusal("onClientTool", &error);
        }
        for entry in self.context.readables().entries() {
            self.report_failure("setReadable", self.element.set_readable(&entry.name, &entry.value));
        }
        self.started.set(true);
        self.push_options();
        self.refresh(None);
    }

    fn update_readable(&self, name: &str) {
        if !self.started.get() {
            return;
        }
        match self.context.readable(name) {
            Some(text) => self.report_failure("setReadable", self.element.set_readable(name, &text)),
            None => self.report_failure("removeReadable", self.element.remove_readable(name)),
        }
    }

    fn update_declared(self: &Rc<Self>) {
        if self.declaring.replace(true) {
            return;
        }
        let weak = Rc::downgrade(self);
        spawn_local(async move {
            let Some(this) = weak.upgrade() else { return };
            this.declaring.set(false);
            let changed = *this.declared.borrow() != this.context.tools().declarations();
            if changed && this.started.get() {
                this.push_options();
            }
        });
    }

    /// An element of another make may refuse the options that the source document does not have: it gets those that
    /// the document has (K5, K12).
    fn push_options(&self) {
        let Some(text) = self.options.borrow().clone() else { return };
        let declared = self.context.tools().declarations();
        let text = options::with_tools(&text, &declared).map_or(text, Rc::from);
        *self.declared.borrow_mut() = declared;
        let outcome = self.offer(&text);
        let Err(error) = outcome else { return };
        let plain = options::plain(&text).filter(|_| self.element.has_method("setOptions"));
        if plain.is_some_and(|plain| self.offer(&plain).is_ok()) {
            let refusal = ["<praxis-agent> refused some options: ", &js_error_text(&error)].concat();
            let message = [&refusal, "; it has got api.url, api.getToken and agent.name alone"].concat();
            super::log::log(Some(self.element.as_ref()), LogLevel::Warn, &message);
        } else {
            self.report_failure("setOptions", Err(error));
        }
    }

    fn offer(&self, options: &str) -> Result<JsValue, JsValue> {
        let options = JSON::parse(options)?;
        if self.props.get().get_token.is_some() {
            let api = Reflect::get(&options, &JsValue::from_str("api"))?;
            Reflect::set(&api, &JsValue::from_str("getToken"), &self.get_token)?;
        }
        self.element.set_options(&options)
    }

    fn report_failure(&self, member: &str, outcome: Result<JsValue, JsValue>) {
        match outcome {
            Ok(_) => {}
            Err(_) if !self.element.has_method(member) => {
                self.report(&["this page's <praxis-agent> has no ", member, "()"].concat());
            }
            Err(error) => self.report_refusal(member, &error),
        }
    }

    fn report_refusal(&self, member: &str, error: &JsValue) {
        self.report(&["<praxis-agent> refused ", member, ": ", &js_error_text(error)].concat());
    }

    fn report(&self, message: &str) {
        super::log::log(Some(self.element.as_ref()), LogLevel::Error, message);
    }

    /// Runs a call: the registered tool, else `on_client_tool`, else the error of K13.
    fn run(&self, call: &JsValue) -> CallOutcome {
        let text = |name| member(call, name).as_string().unwrap_or_default();
        let signal = member(call, "signal").dyn_into::<AbortSignal>().ok();
        match json::from_js(&member(call, "input")) {
            Ok(input) => {
                let call = ToolCall::new(text("id"), text("name"), signal);
                self.context.runner().run(call, input, self.props.get().on_client_tool.clone())
            }
            Err(error) => Box::pin(ready(Err(["the input is no JSON: ", &error].concat()))),
        }
    }
}

impl Drop for Attachment {
    fn drop(&mut self) {
        // An element that refuses this has been removed from the page all the same.
        let _ = self.element.set_on_client_tool(&JsValue::UNDEFINED);
    }
}

fn unknown_tool(name: &str) -> String {
    ["unknown tool ", name].concat()
}

/// The one function that the element calls for all tools. It may outlive the attachment: then it knows no tool.
fn client_tool_function(attachment: Weak<Attachment>) -> JsValue {
    let function = move |call: JsValue| -> JsValue {
        let outcome = match attachment.upgrade() {
            Some(attachment) => attachment.run(&call),
            None => {
                let name =
                    Reflect::get(&call, &JsValue::from_str("name")).ok().and_then(|name| name.as_string());
                Box::pin(ready(Err(unknown_tool(&name.unwrap_or_default()))))
            }
        };
        text_promise(outcome).into()
    };
    Closure::<dyn Fn(JsValue) -> JsValue>::new(function).into_js_value()
}

/// The element's `getToken`. It works on when the element was removed: a result may still be on its way.
fn get_token_function(get_token: Latest<Option<GetToken>>) -> JsValue {
    let function = move || -> JsValue {
        let outcome: CallOutcome = match &*get_token.get() {
            Some(get_token) => get_token.call(),
            None => Box::pin(ready(Err("get_token is not set any more".to_owned()))),
        };
        text_promise(outcome).into()
    };
    Closure::<dyn Fn() -> JsValue>::new(function).into_js_value()
}

fn text_promise(outcome: CallOutcome) -> Promise {
    future_to_promise(async move {
        match outcome.await {
            Ok(text) => Ok(JsValue::from_str(&text)),
            Err(text) => Err(Error::new(&text).into()),
        }
    })
}

fn listeners(element: &PraxisAgentElement, attachment: &Weak<Attachment>) -> [EventListener; 7] {
    let listen = |kind, react: fn(&Attachment, &PraxisAgentProps, &Event)| {
        let attachment = attachment.clone();
        let target: &EventTarget = element.as_ref();
        EventListener::new(target, kind, move |event| {
            if let Some(attachment) = attachment.upgrade() {
                react(&attachment, &attachment.props.get(), &event);
            }
        })
    };
    [
        listen("praxis.tool.change", |_, props, event| {
            if let Some(change) = ToolChange::from_event(event) {
                props.on_tool_change.emit(change);
            }
        }),
        listen("praxis.log", |_, props, event| {
            if let Some(entry) = LogEntry::from_event(event) {
                props.on_log.emit(entry);
            }
        }),
        listen("praxis.ready", |attachment, props, _| {
            attachment.refresh(None);
            props.on_ready.emit(());
        }),
        listen("praxis.session.change", |attachment, props, event| {
            let session_id = detail::session_id(event);
            let known = attachment.state();
            attachment.refresh(Some(AgentState { session_id: session_id.clone(), ..known }));
            props.on_session_change.emit(session_id);
        }),
        listen("praxis.response.start", |attachment, props, event| {
            attachment.refresh_status(AgentStatus::Running);
            props.on_response_start.emit(detail::session_id(event));
        }),
        listen("praxis.response.end", |attachment, props, event| {
            attachment.refresh_status(AgentStatus::Idle);
            props.on_response_end.emit(detail::session_id(event));
        }),
        listen("praxis.error", |attachment, props, event| {
            attachment.refresh_status(AgentStatus::Error);
            props.on_error.emit(AgentError::from_event(event));
        }),
    ]
}

impl Attachment {
    fn refresh_status(&self, status: AgentStatus) {
        self.refresh(Some(AgentState { status, ..self.state() }));
    }
}
