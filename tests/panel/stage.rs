//! A panel inside an open shadow root, as the element mounts it, and a record of what it reports.

use std::cell::RefCell;
use std::rc::Rc;

use praxis::kit::panel::{Origin, Panel, PanelActions, PanelProps, PanelView, STYLES, StartScreen};
use praxis::kit::transcript::{Connection, Entry, EntryKind, ToolCallStatus, Transcript};
use praxis::protocol::SessionId;
use wasm_bindgen::JsCast;
use web_sys::{
    Element, Event, EventInit, HtmlElement, HtmlTextAreaElement, KeyboardEvent, KeyboardEventInit,
    ShadowRoot, ShadowRootInit, ShadowRootMode,
};
use yew::AppHandle;

/// What the panel reported, in order.
#[derive(Default)]
pub struct Record(RefCell<Vec<String>>);

impl Record {
    fn add(&self, what: String) {
        self.0.borrow_mut().push(what);
    }
}

impl PanelActions for Record {
    fn send(&self, text: String, origin: Origin) {
        self.add(format!("send {origin:?} {text}"));
    }
    fn settle_draft(&self, serial: u64) {
        self.add(format!("settle {serial}"));
    }
    fn interrupt(&self) {
        self.add("interrupt".to_owned());
    }
    fn new_conversation(&self) {
        self.add("new".to_owned());
    }
    fn retry(&self) {
        self.add("retry".to_owned());
    }
    fn load_history(&self, more: bool) {
        self.add(format!("load more={more}"));
    }
    fn open_session(&self, session: &SessionId) {
        self.add(format!("open {session}"));
    }
    fn delete_session(&self, session: &SessionId) {
        self.add(format!("delete {session}"));
    }
}

pub struct Stage {
    pub host: HtmlElement,
    pub root: ShadowRoot,
    pub view: PanelView,
    record: Rc<Record>,
    app: Option<AppHandle<Panel>>,
}

impl Stage {
    /// Mounts a panel that shows `view`.
    pub async fn new(view: PanelView) -> Self {
        let document = gloo::utils::document();
        let host: HtmlElement = document.create_element("div").unwrap().unchecked_into();
        host.set_attribute("style", "position: fixed; inset: 0 auto auto 0; width: 400px; height: 600px")
            .unwrap();
        gloo::utils::body().append_child(&host).unwrap();
        let root = host.attach_shadow(&ShadowRootInit::new(ShadowRootMode::Open)).unwrap();
        let style = document.create_element("style").unwrap();
        style.set_text_content(Some(STYLES));
        let mount = document.create_element("div").unwrap();
        root.append_child(&style).unwrap();
        root.append_child(&mount).unwrap();
        let record = Rc::new(Record::default());
        let props = PanelProps { view: Rc::new(view.clone()), actions: record.clone() };
        let app = Some(yew::Renderer::<Panel>::with_root_and_props(mount, props).render());
        let stage = Self { host, root, view, record, app };
        stage.settle().await;
        stage
    }

    /// A panel with an open, empty session.
    pub async fn open() -> Self {
        Self::new(view(&[])).await
    }

    /// Changes the view and shows it.
    pub async fn show(&mut self, change: impl FnOnce(&mut PanelView)) {
        change(&mut self.view);
        let props = PanelProps { view: Rc::new(self.view.clone()), actions: self.record.clone() };
        self.app.as_mut().unwrap().update(props);
        self.settle().await;
    }

    /// Shows these entries.
    pub async fn show_entries(&mut self, entries: &[Rc<Entry>]) {
        self.show(|view| change_transcript(view, |transcript| transcript.entries = entries.to_vec())).await;
    }

    /// Waits until everything is rendered and the browser has laid it out.
    pub async fn settle(&self) {
        yew::scheduler::flush().await;
        next_frame().await;
        yew::scheduler::flush().await;
    }

    pub fn all(&self, selector: &str) -> Vec<HtmlElement> {
        let found = self.root.query_selector_all(selector).unwrap();
        (0..found.length()).map(|at| found.get(at).unwrap().unchecked_into()).collect()
    }

    pub fn find(&self, selector: &str) -> Option<HtmlElement> {
        self.all(selector).into_iter().next()
    }

    pub fn one(&self, selector: &str) -> HtmlElement {
        let found = self.all(selector);
        assert_eq!(found.len(), 1, "{selector}");
        found.into_iter().next().unwrap()
    }

    pub fn field(&self) -> HtmlTextAreaElement {
        self.one("textarea").unchecked_into()
    }

    pub async fn click(&self, selector: &str) {
        self.one(selector).click();
        self.settle().await;
    }

    /// Types into the composer as a person does: the focus is there, and the value comes with an event.
    pub async fn type_text(&self, text: &str) {
        let field = self.field();
        field.focus().unwrap();
        field.set_value(text);
        dispatch(&field, "input");
        self.settle().await;
    }

    /// Presses a key in the composer; says whether the panel kept it from its usual effect.
    pub async fn press(&self, key: &str, describe: impl FnOnce(&KeyboardEventInit)) -> bool {
        let kept = press(&self.field(), key, describe);
        self.settle().await;
        kept
    }

    /// What was reported since the last time this was asked.
    pub fn reported(&self) -> Vec<String> {
        self.record.0.take()
    }

    /// The element inside the panel that has the focus.
    pub fn focused(&self) -> Option<Element> {
        self.root.active_element()
    }

    pub fn texts(&self, selector: &str) -> Vec<String> {
        self.all(selector).iter().map(|element| element.text_content().unwrap()).collect()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Some(app) = self.app.take() {
            app.destroy();
        }
        self.host.remove();
    }
}

pub fn dispatch(target: &HtmlElement, kind: &str) {
    let options = EventInit::new();
    options.set_bubbles(true);
    options.set_composed(true);
    target.dispatch_event(&Event::new_with_event_init_dict(kind, &options).unwrap()).unwrap();
}

pub fn press(target: &HtmlElement, key: &str, describe: impl FnOnce(&KeyboardEventInit)) -> bool {
    let options = KeyboardEventInit::new();
    options.set_key(key);
    options.set_bubbles(true);
    options.set_cancelable(true);
    options.set_composed(true);
    describe(&options);
    let event = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &options).unwrap();
    !target.dispatch_event(&event).unwrap()
}

pub async fn next_frame() {
    let (sender, receiver) = futures_channel::oneshot::channel();
    let frame = gloo::render::request_animation_frame(move |_| sender.send(()).unwrap());
    receiver.await.unwrap();
    drop(frame);
    // Observers and scroll events of a frame come after its callbacks.
    gloo::timers::future::TimeoutFuture::new(0).await;
}

pub fn view(entries: &[Rc<Entry>]) -> PanelView {
    PanelView {
        transcript: Rc::new(Transcript {
            entries: entries.to_vec(),
            connection: Connection::Open,
            running: false,
            writable: true,
            retrying: None,
        }),
        session: Some("sesn_1".into()),
        locale: praxis::kit::panel::Locale::En,
        start_screen: Rc::new(StartScreen::default()),
        placeholder: None,
        drafts: Rc::default(),
        history: None,
        configured: true,
    }
}

pub fn change_transcript(view: &mut PanelView, change: impl FnOnce(&mut Transcript)) {
    let mut transcript = (*view.transcript).clone();
    change(&mut transcript);
    view.transcript = Rc::new(transcript);
}

pub fn user(key: &str, text: &str) -> Rc<Entry> {
    Rc::new(Entry { key: key.into(), kind: EntryKind::User { text: text.into(), stored: true } })
}

pub fn agent(key: &str, text: &str, streaming: bool) -> Rc<Entry> {
    Rc::new(Entry { key: key.into(), kind: EntryKind::Agent { text: text.into(), streaming, stop: None } })
}

pub fn call(key: &str, status: ToolCallStatus, result: Option<&str>) -> Rc<Entry> {
    let kind = EntryKind::ToolCall {
        id: key.into(),
        name: "seek_to".into(),
        input: "{\"position_seconds\":83}".into(),
        status,
        result: result.map(Into::into),
    };
    Rc::new(Entry { key: key.into(), kind })
}
