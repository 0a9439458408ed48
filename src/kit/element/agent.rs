//! What stands behind one element: its options, its readables, and the conversation that it shows.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use futures_util::future::LocalBoxFuture;
use gloo::render::{AnimationFrame, request_animation_frame};
use js_sys::WeakRef;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{AbortSignal, Element, HtmlElement};
use yew::AppHandle;

use super::history::Sessions;
use super::root::{Root, RootProps};
use super::{event, handler};
use crate::kit::backend::Backend;
use crate::kit::conversation::{AskId, LogLevel, Notice, ToolCall, ToolOutcome};
use crate::kit::options::{Options, Reading, Theme, type_error};
use crate::kit::page::{self, LiveConversation, Viewer};
use crate::kit::panel::{Draft, Locale, Origin, PanelActions, PanelView};
use crate::kit::transcript::Connection;
use crate::protocol::{Readables, SessionId};

/// What stands behind one element. It holds the element weakly: what the page has let go of may be collected.
pub(super) struct Agent {
    element: WeakRef<HtmlElement>,
    this: Weak<Agent>,
    pub(super) readables: RefCell<Readables>,
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

pub(super) const NO_OPTIONS: &str = "the element has no options yet: call setOptions first";

impl Agent {
    pub(super) fn new(element: &HtmlElement) -> Rc<Self> {
        Rc::new_cyclic(|this: &Weak<Agent>| Self {
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
        })
    }

    fn element(&self) -> Option<HtmlElement> {
        self.element.deref()
    }

    fn is_connected(&self) -> bool {
        self.app.borrow().is_some()
    }

    fn configured(&self) -> Option<Configured> {
        self.configured.borrow().clone()
    }

    pub(super) fn conversation(&self) -> Option<Rc<LiveConversation>> {
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

    pub(super) fn connect(&self, mount: Element) {
        let Some(agent) = self.this.upgrade().filter(|_| !self.is_connected()) else { return };
        let app = yew::Renderer::<Root>::with_root_and_props(mount, RootProps { agent }).render();
        *self.app.borrow_mut() = Some(app);
        if let Some(conversation) = self.conversation() {
            conversation.attach(&self.viewer());
        }
        self.look();
    }

    pub(super) fn disconnect(&self) {
        let app = self.app.take();
        self.frame.take();
        if let Some(app) = app {
            app.destroy();
        }
        if let Some(conversation) = self.conversation() {
            conversation.detach(&self.viewer());
        }
    }

    pub(super) fn set_options(&self, options: &JsValue) -> Result<(), JsValue> {
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
    pub(super) fn show_session(&self, session: Option<SessionId>) -> Option<Rc<LiveConversation>> {
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

    pub(super) fn send(
        &self,
        text: String,
        origin: page::Origin,
        reply: Box<dyn FnOnce(Result<(), String>)>,
    ) {
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
    pub(super) fn recipient(&self, text: &str) -> Result<Rc<LiveConversation>, &'static str> {
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
