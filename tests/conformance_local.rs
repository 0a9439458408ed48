//! The conformance suite of WIRE.md, run against the service in the page, in a browser whose clock the checks move.
#![cfg(target_arch = "wasm32")]

#[path = "conformance/suite/mod.rs"]
#[macro_use]
mod suite;

use std::rc::Rc;
use std::time::Duration;

use futures_util::StreamExt;
use js_sys::{Function, JSON, Promise};
use praxis::kit::backend::{Backend, BackendError, EventStream as Items, StreamItem};
use praxis::kit::options::Options;
use praxis::local;
use praxis::protocol::{ApiError, ErrorKind, Event, EventBody, Preview, SessionId};
use praxis::service::api::{self, Caller};
use praxis::service::session::Record;
use serde_json::{Value, json};
use suite::{Answer, EventStream, Frame, Service};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

macro_rules! tests {
    ($($group:ident::$check:ident,)*) => {
        $(
            #[wasm_bindgen_test]
            async fn $check() {
                suite::$group::$check(&LocalService::new()).await;
            }
        )*
    };
}

every_check!(tests);

/// The page's service, behind the requests that WIRE.md names.
struct LocalService(Rc<dyn Backend>);

/// A session's stream.
struct Frames(Items);

impl LocalService {
    fn new() -> Self {
        // Delays of a second and more are over when a check says so.
        run("if (globalThis.pass) return;
             const [now, later, never] = [Date.now, setTimeout, clearTimeout];
             const waiting = new Map();
             let [offset, id] = [0, -1];
             Date.now = () => now() + offset;
             globalThis.setTimeout = (act, delay = 0, ...rest) => {
                 if (delay < 1000) return later(act, delay, ...rest);
                 waiting.set(--id, [Date.now() + delay, act]);
                 return id;
             };
             globalThis.clearTimeout = (id) => waiting.delete(id) || never(id);
             globalThis.pass = (time) => {
                 offset += time;
                 for (const [id, [at, act]] of [...waiting]) if (at <= Date.now() && waiting.delete(id)) act();
             };");
        let agent = suite::agent();
        let options = json!({
            "api": { "protocol": "demo", "script": agent.script },
            "agent": { "name": agent.name, "tools": agent.tools },
        });
        let options = Options::read(&JSON::parse(&options.to_string()).unwrap()).unwrap().options;
        Self(local::backend(&options))
    }

    async fn answer(&self, method: &str, path: &str, body: &str) -> Result<(u16, Value), BackendError> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let parameter = |name: &str| {
            let value =
                query.split('&').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name);
            value.and_then(|(_, value)| js_sys::decode_uri_component(value).ok()?.as_string())
        };
        let page = parameter("page");
        let limit = |default| api::limit(parameter("limit").as_deref(), default);
        let steps: Vec<_> = path.trim_start_matches('/').split('/').collect();
        let (id, rest) = match steps.as_slice() {
            ["v1", "sessions"] if method == "POST" => {
                let name = api::parse_new_session(body.as_bytes()).map_err(refused)?;
                api::check_agent(name.as_deref(), &suite::agent()).map_err(refused)?;
                return Ok((201, json!(self.0.create_session().await?)));
            }
            ["v1", "sessions"] if method == "GET" => {
                let limit = limit(20).map_err(refused)?;
                let (mut all, mut next) = (Vec::new(), None);
                loop {
                    let read = self.0.list_sessions(next).await?;
                    all.extend(read.data);
                    next = read.next_page;
                    if next.is_none() {
                        break;
                    }
                }
                return Ok((200, json!(api::session_page(all, page.as_deref(), limit).map_err(refused)?)));
            }
            ["v1", "sessions"] => return Ok((405, Value::Null)),
            ["v1", "sessions", id] => (SessionId::from(*id), ""),
            ["v1", "sessions", id, rest] => (SessionId::from(*id), *rest),
            _ => return Err(refused(ApiError::new(ErrorKind::NotFoundError, "there is nothing here"))),
        };
        match (method, rest) {
            ("GET", "") => {
                let mut next = None;
                loop {
                    let read = self.0.list_sessions(next).await?;
                    if let Some(session) = read.data.iter().find(|session| session.id == id) {
                        return Ok((200, json!(session)));
                    }
                    next = read.next_page;
                    if next.is_none() {
                        return Err(refused(api::no_such_session(&id)));
                    }
                }
            }
            ("DELETE", "") => {
                self.0.delete_session(&id).await?;
                Ok((200, json!({ "id": id, "type": "session_deleted" })))
            }
            ("GET", "events") => {
                let limit = limit(1000).map_err(refused)?;
                let events = self.0.history_page(&id, None).await?.data;
                let records: Vec<_> =
                    events.into_iter().map(|event| Record { event, private: None }).collect();
                let page = api::event_page(&records, page.as_deref(), limit).map_err(refused)?;
                Ok((200, json!({ "data": page.data, "next_page": page.next_page })))
            }
            ("POST", "events") => {
                let events = api::parse_events(body.as_bytes(), Caller::Browser).map_err(refused)?;
                Ok((200, json!({ "data": self.0.post_events(&id, events).await? })))
            }
            _ => Ok((405, Value::Null)),
        }
    }
}

impl Service for LocalService {
    type Stream = Frames;

    async fn request(&self, method: &str, path: &str, body: Option<&str>) -> Answer {
        let body = body.unwrap_or_default();
        if let Err(error) = api::check_body(body.len()) {
            return Answer { status: 413, body: json!({ "type": "error", "error": error }) };
        }
        self.answer(method, path, body).await.map_or_else(
            |error| match error {
                BackendError::Refused { status, error } => {
                    Answer { status, body: json!({ "type": "error", "error": error }) }
                }
                other => panic!("{other}"),
            },
            |(status, body)| Answer { status, body },
        )
    }

    async fn open_stream(&self, session: &str) -> Frames {
        let open = self.0.open_stream(&session.into()).await.unwrap();
        assert!(open.writable);
        Frames(open.items)
    }

    async fn pass(&self, time: Duration) {
        run(&format!("pass({})", time.as_millis()));
        // What is due is recorded; the stream brings it when its reader is next.
        let _ = JsFuture::from(Promise::resolve(&JsValue::UNDEFINED)).await;
    }

    async fn restart(&self) -> bool {
        local::leave();
        true
    }
}

impl EventStream for Frames {
    async fn next(&mut self) -> Frame {
        loop {
            match self.0.next().await.expect("the stream goes on").expect("the stream is whole") {
                StreamItem::Event(event) => return stored(&event),
                StreamItem::Preview(preview) => return glimpse(&preview),
                StreamItem::Heartbeat => {}
            }
        }
    }
}

fn stored(event: &Event) -> Frame {
    let data = json!(event);
    let kind = data["type"].as_str().expect("a type").to_owned();
    debug_assert!(EventBody::TYPES.contains(&kind.as_str()));
    Frame { id: Some(event.id.to_string()), event: kind, data }
}

fn glimpse(preview: &Preview) -> Frame {
    let data = json!(preview);
    Frame { id: None, event: data["type"].as_str().expect("a type").to_owned(), data }
}

fn refused(error: ApiError) -> BackendError {
    BackendError::Refused { status: error.kind.status(), error }
}

fn run(source: &str) {
    Function::new_no_args(source).call0(&JsValue::UNDEFINED).expect("the test's script is right");
}
