//! A page for tests: JavaScript as an author writes it, and a service that does what a test tells it.
#![allow(dead_code, reason = "each test file uses its part")]

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures_util::future::{FutureExt, ready};
use futures_util::stream::StreamExt;
use js_sys::{Function, JSON, Promise};
use praxis::kit::backend::{Attempt, Backend, BackendError, OpenStream, StreamItem};
use praxis::kit::options::Options;
use praxis::protocol::{
    ApiError, Content, ContextItem, ErrorKind, Event, EventBody, EventId, EventPage, IdleReason, Session,
    SessionId, SessionPage, Timestamp,
};
use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// What test code written in JavaScript may use.
const PRELUDE: &str = "
    const next = (target, name, fits = () => true) => new Promise((resolve) => {
        const hear = (event) => fits(event.detail) && (target.removeEventListener(name, hear), resolve(event.detail));
        target.addEventListener(name, hear);
    });
    const thrown = (act) => { try { act(); return 'nothing'; } catch (error) { return `${error.name}: ${error.message}`; } };
    const rejected = (promise) => promise.then(() => 'nothing', (error) => `${error.name}: ${error.message}`);
    const settled = (count = 20) => count && Promise.resolve().then(() => settled(count - 1));
";

/// Runs the body of an async JavaScript function, whose `agent` is `agent`, and gives what it returns as JSON.
///
/// # Panics
/// With what it throws.
pub async fn run(agent: &JsValue, body: &str) -> Value {
    let promise = begin(agent, body);
    finish(promise).await
}

/// Begins what [`run`] does.
pub fn begin(agent: &JsValue, body: &str) -> Promise {
    let source = ["return (async () => {", PRELUDE, body, "\n})()"].concat();
    let function = Function::new_with_args("agent", &source);
    Promise::from(function.call1(&JsValue::UNDEFINED, agent).expect("an async function does not throw"))
}

/// Waits for what [`begin`] began.
pub async fn finish(promise: Promise) -> Value {
    let value = match JsFuture::from(promise).await {
        Ok(value) => value,
        Err(error) => panic!("{error:?}"),
    };
    let text = JSON::stringify(&value).ok().and_then(|text| text.as_string());
    text.map_or(Value::Null, |text| serde_json::from_str(&text).expect("JSON.stringify writes JSON"))
}

/// An element on the page, and the service that it speaks to.
pub struct Page {
    pub agent: JsValue,
    pub service: Rc<Service>,
    pub url: String,
}

thread_local! {
    static SERVICES: RefCell<HashMap<String, Rc<Service>>> = RefCell::default();
    static PAGES: Cell<u32> = const { Cell::new(0) };
}

/// Defines the element with other backends.
pub fn define_with(backends: impl Fn(&Options) -> Result<Rc<dyn Backend>, String> + 'static) {
    praxis::kit::element::define_element(backends);
}

/// Defines the element, whose backends are the services of this module.
pub fn define() {
    define_with(|options| {
        let service = SERVICES.with_borrow(|services| services.get(&options.api.url).cloned());
        let service = service.ok_or_else(|| "api.url: no such service".to_owned())?;
        Ok(Rc::new(Client(service)) as Rc<dyn Backend>)
    });
}

impl Page {
    /// An element without options, in the document.
    pub fn bare() -> Self {
        define();
        let number = PAGES.get() + 1;
        PAGES.set(number);
        let url = format!("https://service.test/{number}");
        let service = Rc::new(Service::default());
        SERVICES.with_borrow_mut(|services| services.insert(url.clone(), service.clone()));
        let create = Function::new_no_args(
            "const agent = document.createElement('praxis-agent'); document.body.append(agent); return agent",
        );
        let agent = create.call0(&JsValue::UNDEFINED).expect("the element is defined");
        Self { agent, service, url }
    }

    /// An element that has its options and is ready.
    pub async fn ready() -> Self {
        let page = Self::bare();
        page.run("const ready = next(agent, 'praxis.ready'); agent.setOptions(OPTIONS); await ready").await;
        page
    }

    /// An element whose session is made and open; its first message is stored.
    pub async fn in_session() -> (Self, SessionId) {
        let page = Self::ready().await;
        let session = page.run("await agent.sendUserMessage('hello'); return agent.sessionId").await;
        let session = SessionId::from(session.as_str().expect("a session"));
        page.service.next_post().await;
        (page, session)
    }

    /// Waits until the panel is drawn as it stands.
    pub async fn drawn(&self) {
        self.run("await new Promise(requestAnimationFrame)").await;
        yew::scheduler::flush().await;
    }

    /// Runs JavaScript; `OPTIONS` stands for options with this page's service.
    pub async fn run(&self, body: &str) -> Value {
        run(&self.agent, &self.with_options(body)).await
    }

    /// Begins to run JavaScript.
    pub fn begin(&self, body: &str) -> Promise {
        begin(&self.agent, &self.with_options(body))
    }

    fn with_options(&self, body: &str) -> String {
        let options = json!({ "api": { "url": self.url }, "agent": { "name": "test" } });
        body.replace("OPTIONS", &options.to_string())
    }
}

/// A service that keeps sessions and does nothing by itself.
#[derive(Default)]
pub struct Service {
    sessions: RefCell<Vec<Kept>>,
    events: Cell<u32>,
    posts: Posts,
    /// While it is set, results are refused so.
    pub refusal: RefCell<Option<BackendError>>,
}

struct Posts {
    sender: UnboundedSender<(SessionId, EventBody)>,
    receiver: RefCell<UnboundedReceiver<(SessionId, EventBody)>>,
}

impl Default for Posts {
    fn default() -> Self {
        let (sender, receiver) = unbounded();
        Self { sender, receiver: RefCell::new(receiver) }
    }
}

struct Kept {
    session: Session,
    events: Vec<Event>,
    streams: Vec<UnboundedSender<Result<StreamItem, BackendError>>>,
}

struct Client(Rc<Service>);

impl Service {
    /// Makes a session that has these events.
    pub fn keep_session(&self, id: &str, events: Vec<EventBody>) -> SessionId {
        let session = json!({
            "id": id, "type": "session", "status": "idle", "title": null, "agent": { "name": "test" },
            "created_at": "2026-11-30T00:00:00Z", "updated_at": "2026-11-30T00:00:00Z",
        });
        let session: Session = serde_json::from_value(session).expect("a session");
        let id = session.id.clone();
        self.sessions.borrow_mut().push(Kept { session, events: Vec::new(), streams: Vec::new() });
        for event in events {
            self.record(&id, event);
        }
        id
    }

    /// Records an event and publishes it.
    pub fn record(&self, session: &SessionId, body: EventBody) -> EventId {
        self.events.set(self.events.get() + 1);
        let id = EventId::from(format!("sevt_{}", self.events.get()));
        let event = Event { id: id.clone(), body, processed_at: Timestamp::from_millis(1_796_000_000_000) };
        let mut sessions = self.sessions.borrow_mut();
        let kept = sessions.iter_mut().find(|kept| kept.session.id == *session).expect("a session");
        kept.events.push(event.clone());
        kept.streams.retain(|stream| stream.unbounded_send(Ok(StreamItem::Event(event.clone()))).is_ok());
        id
    }

    /// The agent calls a tool, and waits.
    pub fn call(&self, session: &SessionId, name: &str, input: Value) -> EventId {
        let input = input.as_object().expect("arguments are an object").clone();
        let call = self.record(session, EventBody::CustomToolUse { name: name.to_owned(), input });
        let stop_reason = IdleReason::RequiresAction { event_ids: vec![call.clone()] };
        self.record(session, EventBody::StatusIdle { stop_reason });
        call
    }

    /// The next event that the kit posts, whether it is refused or not.
    #[allow(clippy::await_holding_refcell_ref, reason = "a test waits in one place at a time")]
    pub async fn next_post(&self) -> (SessionId, EventBody) {
        self.posts.receiver.borrow_mut().next().await.expect("the service lives as long as the test")
    }

    /// The next result that the kit posts: the session, the call, the text, whether it is an error.
    pub async fn next_result(&self) -> (SessionId, EventId, String, bool) {
        loop {
            let (session, event) = self.next_post().await;
            if let EventBody::CustomToolResult { custom_tool_use_id, content, is_error } = event {
                return (session, custom_tool_use_id, Content::text(&content), is_error);
            }
        }
    }

    /// The next message that the kit posts: its text and its page context.
    pub async fn next_message(&self) -> (String, Option<Vec<ContextItem>>) {
        loop {
            let (_, event) = self.next_post().await;
            if let EventBody::UserMessage { content, page_context, .. } = event {
                return (Content::text(&content), page_context);
            }
        }
    }

    /// How many events were posted that no test has taken.
    pub fn posts_left(&self) -> usize {
        let mut left = 0;
        while self.posts.receiver.borrow_mut().try_recv().is_ok() {
            left += 1;
        }
        left
    }
}

fn no_such_session() -> BackendError {
    let error = ApiError::new(ErrorKind::NotFoundError, "no such session");
    BackendError::Refused { status: 404, error }
}

impl Backend for Client {
    fn create_session(&self) -> Attempt<Session> {
        let id = format!("sesn_{}", js_sys::Math::random());
        self.0.keep_session(&id, Vec::new());
        let sessions = self.0.sessions.borrow();
        ready(Ok(sessions.last().expect("just made").session.clone())).boxed_local()
    }

    fn list_sessions(&self, _: Option<String>) -> Attempt<SessionPage> {
        let data = self.0.sessions.borrow().iter().map(|kept| kept.session.clone()).collect();
        ready(Ok(SessionPage { data, next_page: None })).boxed_local()
    }

    fn delete_session(&self, session: &SessionId) -> Attempt<()> {
        self.0.sessions.borrow_mut().retain(|kept| kept.session.id != *session);
        ready(Ok(())).boxed_local()
    }

    fn post_events(&self, session: &SessionId, events: Vec<EventBody>) -> Attempt<Vec<Event>> {
        let (service, session) = (self.0.clone(), session.clone());
        async move {
            let mut stored = Vec::new();
            for event in events {
                let is_result = matches!(event, EventBody::CustomToolResult { .. });
                let refusal = service.refusal.borrow().clone().filter(|_| is_result);
                let _ = service.posts.sender.unbounded_send((session.clone(), event.clone()));
                if let Some(refusal) = refusal {
                    return Err(refusal);
                }
                let id = service.record(&session, event.clone());
                stored.push(Event { id, body: event, processed_at: Timestamp::from_millis(0) });
            }
            Ok(stored)
        }
        .boxed_local()
    }

    fn history_page(&self, session: &SessionId, _: Option<String>) -> Attempt<EventPage> {
        let sessions = self.0.sessions.borrow();
        let kept = sessions.iter().find(|kept| kept.session.id == *session);
        let data = kept.map(|kept| kept.events.clone());
        let page = data.map(|data| EventPage { data, next_page: None });
        ready(page.ok_or_else(no_such_session)).boxed_local()
    }

    fn open_stream(&self, session: &SessionId) -> Attempt<OpenStream> {
        let mut sessions = self.0.sessions.borrow_mut();
        let kept = sessions.iter_mut().find(|kept| kept.session.id == *session);
        let opened = kept.map(|kept| {
            let (sender, items) = unbounded();
            kept.streams.push(sender);
            OpenStream { items: items.boxed_local(), writable: true }
        });
        ready(opened.ok_or_else(no_such_session)).boxed_local()
    }

    fn configure(&self, _: &Options) {}
}
