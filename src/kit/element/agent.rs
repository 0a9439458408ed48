//! What stands behind one element: its options, its readables, and the conversation that it shows.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use futures_util::future::LocalBoxFuture;
use gloo::render::{AnimationFrame, request_animation_frame};
use js_sys::{Function, Promise, Reflect, WeakRef};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{AbortSignal, Element, HtmlElement};
use yew::AppHandle;

use super::history::Sessions;
use super::root::{Root, RootProps};
use super::{event, handler};
use crate::kit::backend::Backend;
use crate::kit::conversation::{AskId, LogLevel, Notice, Status, ToolCall, ToolOutcome};
use crate::kit::options::{Options, Reading, Theme, type_error};
use crate::kit::page::{self, LiveConversation, Viewer};
use crate::kit::panel::{Draft, Locale, Origin, PanelActions, PanelView};
use crate::kit::transcript::Connection;
use crate::protocol::json_text::to_json_text;
use crate::protocol::page_context::ReadableName;
use crate::protocol::{Readables, SessionId};

/// An element's agent, as the element's class knows it.
#[wasm_bindgen]
pub struct AgentHandle {
    agent: Rc<Agent>,
}

/// What stands behind one element. It holds the element weakly: what the page has let go of may be collected.
pub(super) struct Agent {
    element: WeakRef<HtmlElement>,
    this: Weak<Agent>,
    readables: RefCell<Readables>,
    configured: RefCell<Option<Configured>>,
    app: RefCell<Option<AppHandle<Root>>>,
    frame: RefCell<Option<AnimationFrame>>,
    sessions: RefCell<Sessions>,
    drafts: RefCell<Vec<Draft>>,
    told_session: RefCell<Option<SessionId>>,
    told_ready: Cell<bool>,
}

/// What `setOptions` brought.
#[derive(Clone)]
struct Configured {
    reading: Rc<Reading>,
    backend: Rc<dyn Backend>,
    conversation: Rc<LiveConversation>,
    /// Whether the session was opened because it was open last, not because somebody asked for it.
    restored: bool,
}

const NO_OPTIONS: &str = "the element has no options yet: call setOptions first";

#[wasm_bindgen]
impl AgentHandle {
    /// The element is in a document; its panel belongs into `mount`.
    pub fn connect(&self, mount: Element) {
        self.agent.connect(mount);
    }

    /// The element was removed.
    pub fn disconnect(&self) {
        self.agent.disconnect();
    }

    /// See the element.
    #[wasm_bindgen(getter, js_name = sessionId)]
    pub fn session_id(&self) -> Option<String> {
        Some(self.agent.conversation()?.session()?.as_str().to_owned())
    }

    /// See the element.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> String {
        let status = self.agent.conversation().map_or(Status::Idle, |conversation| conversation.status());
        match status {
            Status::Idle => "idle",
            Status::Running => "running",
            Status::Error => "error",
        }
        .to_owned()
    }

    /// The readables as JSON text.
    #[wasm_bindgen(getter)]
    pub fn readables(&self) -> String {
        to_json_text(self.agent.readables.borrow().entries()).unwrap_or_else(|_| "[]".to_owned())
    }

    /// K5.
    #[wasm_bindgen(js_name = setOptions)]
    pub fn set_options(&self, options: &JsValue) -> Result<(), JsValue> {
        self.agent.set_options(options)
    }

    /// K6, K14.
    #[wasm_bindgen(js_name = setReadable)]
    pub fn set_readable(&self, name: &JsValue, value: &JsValue) -> Result<(), JsValue> {
        let name = name.as_string().ok_or_else(|| type_error(&"setReadable: the name must be a string"))?;
        let name = ReadableName::new(name).map_err(|error| type_error(&format!("setReadable: {error}")))?;
        let text = super::serialise(value).map_err(|error| {
            type_error(&format!(
                "setReadable: {name}: expected a string or a value that JSON can hold: {}",
                super::error_text(&error)
            ))
        })?;
        self.agent.readables.borrow_mut().set(&name, text);
        Ok(())
    }

    /// K6; says whether it was there.
    #[wasm_bindgen(js_name = removeReadable)]
    pub fn remove_readable(&self, name: &JsValue) -> bool {
        name.as_string().is_some_and(|name| self.agent.readables.borrow_mut().remove(&name))
    }

    /// K6: a text, or `{text, newSession?}`.
    #[wasm_bindgen(js_name = sendUserMessage)]
    pub fn send_user_message(&self, message: &JsValue) -> Promise {
        promise(|settle| match read_message(message) {
            Ok((text, new_session)) => {
                // A message that will be refused leaves the open conversation where it is.
                if new_session && self.agent.recipient(&text).is_ok() {
                    self.agent.show_session(None);
                }
                self.agent.send(text, page::Origin::Elsewhere, settle.reply());
            }
            Err(error) => settle.reject(&error),
        })
    }

    /// Opens a session; `null`: a new conversation.
    #[wasm_bindgen(js_name = setSession)]
    pub fn set_session(&self, id: &JsValue) -> Promise {
        promise(|settle| {
            let session = match id.as_string() {
                Some(id) if !id.is_empty() => Some(SessionId::from(id)),
                None if id.is_null() || id.is_undefined() => None,
                _ => return settle.reject(&type_error(&"setSession: expected a session's id or null")),
            };
            match self.agent.show_session(session) {
                Some(conversation) => conversation.when_open(settle.reply()),
                None => settle.reject(&js_sys::Error::new(NO_OPTIONS)),
            }
        })
    }

    /// Stops the turn that runs.
    pub fn interrupt(&self) -> Promise {
        promise(|settle| match self.agent.conversation() {
            Some(conversation) => conversation.interrupt(settle.reply()),
            None => settle.reject(&js_sys::Error::new(NO_OPTIONS)),
        })
    }
}

impl AgentHandle {
    pub(super) fn new(element: &HtmlElement) -> Self {
        let agent = Rc::new_cyclic(|this: &Weak<Agent>| Agent {
            element: WeakRef::new(element),
            this: this.clone(),
            readables: RefCell::default(),
            configured: RefCell::default(),
            app: RefCell::default(),
            frame: RefCell::default(),
            sessions: RefCell::default(),
            drafts: RefCell::default(),
            told_session: RefCell::default(),
            told_ready: Cell::new(false),
        });
        Self { agent }
    }
}

impl Agent {
    fn element(&self) -> Option<HtmlElement> {
        self.element.deref()
    }

    fn is_connected(&self) -> bool {
        self.app.borrow().is_some()
    }

    fn configured(&self) -> Option<Configured> {
        self.configured.borrow().clone()
    }

    fn conversation(&self) -> Option<Rc<LiveConversation>> {
        Some(self.configured()?.conversation)
    }

    fn dispatch(&self, name: &str, detail: &Value) {
        if let Some(element) = self.element() {
            event::dispatch(&element, name, detail);
        }
    }

    fn warn(&self, message: &str, data: Value) {
        self.dispatch("praxis.log", &event::log(LogLevel::Warn, message, Some(data)));
    }

    fn connect(&self, mount: Element) {
        let Some(agent) = self.this.upgrade().filter(|_| !self.is_connected()) else { return };
        let app = yew::Renderer::<Root>::with_root_and_props(mount, RootProps { agent }).render();
        *self.app.borrow_mut() = Some(app);
        if let Some(conversation) = self.conversation() {
            conversation.attach(&self.viewer());
        }
        self.look();
    }

    fn disconnect(&self) {
        let app = self.app.take();
        self.frame.take();
        if let Some(app) = app {
            app.destroy();
        }
        if let Some(conversation) = self.conversation() {
            conversation.detach(&self.viewer());
        }
    }

    fn set_options(&self, options: &JsValue) -> Result<(), JsValue> {
        let reading = Rc::new(Options::read(options)?);
        let before = self.configured();
        if before.as_ref().is_some_and(|before| before.reading == reading) {
            return Ok(());
        }
        let options = &reading.options;
        let backend =
            page::backend(options).map_err(|problem| type_error(&format!("setOptions: {problem}")))?;
        backend.configure(options);

        let address = options.address();
        let same_place = before.filter(|before| before.reading.options.address() == address);
        if let Some(before) = same_place {
            *self.configured.borrow_mut() = Some(Configured { reading: reading.clone(), backend, ..before });
        } else {
            let session = page::last_session(&address);
            let conversation = page::conversation(&address, session.as_ref(), &backend);
            let configured =
                Configured { reading: reading.clone(), backend, conversation, restored: session.is_some() };
            self.sessions.take();
            self.show(configured);
        }
        self.apply_theme();
        self.look();

        if reading.misplaced_handler {
            let advice = "onClientTool is a property of the element, not an option: set element.onClientTool";
            self.warn(advice, json!({ "keys": ["onClientTool"] }));
        }
        if !reading.unknown.is_empty() {
            let message = format!("setOptions does not know {}", reading.unknown.join(", "));
            self.warn(&message, json!({ "keys": reading.unknown }));
        }
        Ok(())
    }

    /// Shows the conversation of `session`, or a new one; `None` without options.
    fn show_session(&self, session: Option<SessionId>) -> Option<Rc<LiveConversation>> {
        let before = self.configured()?;
        let open = before.conversation.session();
        if session.is_some() && session == open {
            if matches!(before.conversation.transcript().connection, Connection::Failed(_)) {
                before.conversation.reopen();
            }
            return Some(before.conversation);
        }
        let address = before.reading.options.address();
        let conversation = page::conversation(&address, session.as_ref(), &before.backend);
        page::remember_session(&address, session.as_ref());
        self.show(Configured { conversation: conversation.clone(), restored: false, ..before });
        self.look();
        Some(conversation)
    }

    fn show(&self, configured: Configured) {
        let conversation = configured.conversation.clone();
        let before = self.configured.replace(Some(configured));
        if self.is_connected() {
            // First the new one: an element that only changes its options never leaves its conversation.
            conversation.attach(&self.viewer());
            if let Some(before) = before.filter(|before| !Rc::ptr_eq(&before.conversation, &conversation)) {
                before.conversation.detach(&self.viewer());
            }
        }
    }

    /// The panel's sheet follows the host's `data-theme`; without it, the reader's system.
    fn apply_theme(&self) {
        if let (Some(element), Some(configured)) = (self.element(), self.configured()) {
            let _ = match configured.reading.options.theme {
                Theme::System => element.remove_attribute("data-theme"),
                theme => element.set_attribute("data-theme", theme.name()),
            };
        }
    }

    fn send(&self, text: String, origin: page::Origin, reply: Box<dyn FnOnce(Result<(), String>)>) {
        let conversation = match self.recipient(&text) {
            Ok(conversation) => conversation,
            Err(refusal) => return reply(Err(refusal.to_owned())),
        };
        let snapshot = self.readables.borrow().snapshot();
        conversation.send(text, snapshot.items, origin, reply);
        if !snapshot.dropped.is_empty() {
            let message =
                format!("page context left out to keep its limits: {}", snapshot.dropped.join(", "));
            self.warn(&message, json!({ "names": snapshot.dropped }));
        }
    }

    /// Where a message with this text goes, or why it goes nowhere.
    fn recipient(&self, text: &str) -> Result<Rc<LiveConversation>, &'static str> {
        let conversation = self.conversation().ok_or(NO_OPTIONS)?;
        if text.trim().is_empty() {
            Err("a message of blanks is not sent")
        } else if !self.is_connected() {
            Err("the element is not in a document")
        } else {
            Ok(conversation)
        }
    }

    /// Tells the page of what has changed in the conversation that is shown, and has the panel drawn again.
    fn look(&self) {
        self.draw_again();
        let Some(configured) = self.configured() else { return };
        let conversation = &configured.conversation;
        let session = conversation.session();
        if configured.restored && conversation.is_missing() {
            // The session that was open last is gone: begin anew.
            self.show_session(None);
            return;
        }
        if *self.told_session.borrow() != session {
            *self.told_session.borrow_mut() = session.clone();
            page::remember_session(&configured.reading.options.address(), session.as_ref());
            self.dispatch("praxis.session.change", &json!({ "sessionId": session }));
        }
        let opened = match conversation.transcript().connection {
            Connection::Open => true,
            Connection::None => session.is_none(),
            _ => false,
        };
        if opened && self.is_connected() && !self.told_ready.replace(true) {
            let this = self.this.clone();
            spawn_local(async move {
                if let Some(this) = this.upgrade() {
                    this.dispatch("praxis.ready", &Value::Null);
                }
            });
        }
    }

    /// At most once a frame: an answer streams in many small pieces.
    fn draw_again(&self) {
        if self.frame.borrow().is_some() || !self.is_connected() {
            return;
        }
        let this = self.this.clone();
        let frame = request_animation_frame(move |_| {
            let Some(this) = this.upgrade() else { return };
            this.frame.take();
            let root = this.app.borrow().as_ref().map(|app| (**app).clone());
            if let Some(root) = root {
                root.send_message(());
            }
        });
        *self.frame.borrow_mut() = Some(frame);
    }

    /// What the panel shows now.
    pub fn view(&self) -> PanelView {
        let drafts = Rc::from(&**self.drafts.borrow());
        let Some(configured) = self.configured() else {
            return PanelView {
                transcript: Rc::default(),
                session: None,
                locale: Locale::default(),
                start_screen: Rc::default(),
                placeholder: None,
                drafts,
                history: None,
                configured: false,
            };
        };
        let options = &configured.reading.options;
        PanelView {
            transcript: configured.conversation.transcript(),
            session: configured.conversation.session(),
            locale: options.locale,
            start_screen: options.start_screen.clone(),
            placeholder: options.placeholder.clone(),
            drafts,
            history: options.history.then(|| self.sessions.borrow().shown()),
            configured: true,
        }
    }

    fn viewer(&self) -> Weak<dyn Viewer> {
        self.this.clone()
    }
}

impl Viewer for Agent {
    fn tell(&self, session: Option<&SessionId>, notice: &Notice) {
        if let Some((name, detail)) = event::of_notice(session, notice) {
            self.dispatch(name, &detail);
        }
    }

    fn changed(&self) {
        if let Some(this) = self.this.upgrade() {
            this.look();
        }
    }

    fn draft(&self, ask: AskId, text: Option<String>, reason: &str) {
        let AskId(serial) = ask;
        let mut drafts = self.drafts.borrow_mut();
        drafts.retain(|draft| draft.serial != serial);
        drafts.extend(text.map(|text| Draft { serial, text: text.into(), error: reason.into() }));
    }

    fn run(&self, call: &ToolCall, signal: &AbortSignal) -> Option<LocalBoxFuture<'static, ToolOutcome>> {
        handler::run(&self.element()?, call, signal)
    }
}

impl PanelActions for Agent {
    fn send(&self, text: String, origin: Origin) {
        let origin = match origin {
            Origin::Composer => page::Origin::Composer(self.viewer()),
            Origin::Suggestion => page::Origin::Elsewhere,
        };
        // Why it failed, the draft or the conversation's own error says.
        self.send(text, origin, Box::new(|_| {}));
    }

    fn settle_draft(&self, serial: u64) {
        self.drafts.borrow_mut().retain(|draft| draft.serial != serial);
        self.look();
    }

    fn interrupt(&self) {
        if let Some(conversation) = self.conversation() {
            conversation.interrupt(Box::new(|_| {}));
        }
    }

    fn new_conversation(&self) {
        self.show_session(None);
    }

    fn retry(&self) {
        if let Some(conversation) = self.conversation() {
            conversation.reopen();
        }
    }

    fn load_history(&self, more: bool) {
        let (Some(configured), Some(this)) = (self.configured(), self.this.upgrade()) else { return };
        let Some(page) = self.sessions.borrow_mut().begin(more) else { return };
        self.draw_again();
        spawn_local(async move {
            let page = configured.backend.list_sessions(page).await;
            this.sessions.borrow_mut().end(more, page);
            this.draw_again();
        });
    }

    fn open_session(&self, session: &SessionId) {
        self.show_session(Some(session.clone()));
    }

    fn delete_session(&self, session: &SessionId) {
        let (Some(configured), Some(this)) = (self.configured(), self.this.upgrade()) else { return };
        let session = session.clone();
        spawn_local(async move {
            let outcome = configured.backend.delete_session(&session).await;
            this.sessions.borrow_mut().deleted(&session, &outcome);
            let open = this.conversation().and_then(|conversation| conversation.session());
            if outcome.is_ok() && open == Some(session) {
                this.show_session(None);
            }
            this.draw_again();
        });
    }
}

/// A promise, and what settles it.
struct Settle {
    resolve: Function,
    reject: Function,
}

impl Settle {
    fn reject(&self, error: &JsValue) {
        let _ = self.reject.call1(&JsValue::UNDEFINED, error);
    }

    fn reply(self) -> Box<dyn FnOnce(Result<(), String>)> {
        Box::new(move |outcome| match outcome {
            Ok(()) => drop(self.resolve.call0(&JsValue::UNDEFINED)),
            Err(reason) => self.reject(&js_sys::Error::new(&reason)),
        })
    }
}

fn promise(begin: impl FnOnce(Settle)) -> Promise {
    let mut settle = None;
    let promise = Promise::new(&mut |resolve, reject| settle = Some(Settle { resolve, reject }));
    if let Some(settle) = settle {
        begin(settle);
    }
    promise
}

/// A text, or `{text, newSession?}`.
fn read_message(message: &JsValue) -> Result<(String, bool), JsValue> {
    if let Some(text) = message.as_string() {
        return Ok((text, false));
    }
    let expected = || type_error(&"sendUserMessage: expected a text or {text, newSession?}");
    if !message.is_object() {
        return Err(expected());
    }
    let text = Reflect::get(message, &"text".into())?.as_string().ok_or_else(expected)?;
    let new_session = Reflect::get(message, &"newSession".into())?;
    if !new_session.is_undefined() && new_session.as_bool().is_none() {
        return Err(type_error(&"sendUserMessage: newSession: expected true or false"));
    }
    Ok((text, new_session.is_truthy()))
}
