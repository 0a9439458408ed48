//! A driver of the service's state machine with everything in memory: the smallest service that WIRE.md allows.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use praxis::protocol::{AgentDefinition, ApiError, ErrorKind, Event, SessionId, Timestamp, TutorScript};
use praxis::service::api::{self, Caller};
use praxis::service::model::tutor;
use praxis::service::session::{Effect, Input, Record, RequestId, RunNumber, Session, Settings};
use serde_json::{Value, json};

use crate::suite::{Answer, EventStream, Frame, Service};

/// The service.
pub struct InMemory {
    agent: Arc<AgentDefinition>,
    now: Cell<Timestamp>,
    made: Cell<u32>,
    sessions: RefCell<BTreeMap<SessionId, Kept>>,
}

/// A session, and what a store keeps of it.
struct Kept {
    session: Session,
    stored: Vec<Record>,
    wake: Option<Timestamp>,
    streams: Vec<Rc<RefCell<VecDeque<Frame>>>>,
}

/// A stream's frames that were not read yet.
pub struct Frames(Rc<RefCell<VecDeque<Frame>>>);

impl EventStream for Frames {
    async fn next(&mut self) -> Frame {
        self.0.borrow_mut().pop_front().expect("nothing more comes")
    }
}

impl Kept {
    fn new(session: Session) -> Self {
        Self { session, stored: Vec::new(), wake: None, streams: Vec::new() }
    }

    fn publish(&self, frame: &Frame) {
        for stream in &self.streams {
            stream.borrow_mut().push_back(frame.clone());
        }
    }

    /// Carries out `effects`, and what follows from them; gives the reply among them.
    fn carry_out(
        &mut self,
        now: Timestamp,
        script: &TutorScript,
        effects: Vec<Effect>,
    ) -> Option<Result<Vec<Event>, ApiError>> {
        let mut reply = None;
        let mut model: VecDeque<(RunNumber, _)> = VecDeque::new();
        let mut effects = VecDeque::from(effects);
        loop {
            match effects.pop_front() {
                Some(Effect::Append(records)) => {
                    for Record { event, .. } in &records {
                        let data = serde_json::to_value(event).expect("an event is JSON");
                        let kind = data["type"].as_str().unwrap_or_default().to_owned();
                        self.publish(&Frame { id: Some(event.id.to_string()), event: kind, data });
                    }
                    self.stored.extend(records);
                }
                Some(Effect::Preview(preview)) => {
                    let data = serde_json::to_value(preview).expect("a preview is JSON");
                    let kind = data["type"].as_str().unwrap_or_default().to_owned();
                    self.publish(&Frame { id: None, event: kind, data });
                }
                Some(Effect::Reply { reply: Ok(events), .. })
                    if !events
                        .iter()
                        .all(|event| self.stored.iter().any(|record| record.event == *event)) =>
                {
                    panic!("answered before it was stored");
                }
                Some(Effect::Reply { reply: answer, .. }) => reply = Some(answer),
                Some(Effect::AskModel { run, request }) => {
                    model.extend(tutor::respond(script, &request).into_iter().map(|output| (run, output)));
                }
                Some(Effect::CancelModel(run)) => model.retain(|(of, _)| *of != run),
                Some(Effect::RunBuiltIn { .. }) => unreachable!("this service offers no built-in tools"),
                Some(Effect::WakeAt(wake)) => self.wake = wake,
                None => match model.pop_front() {
                    Some((run, output)) => {
                        effects.extend(self.session.handle(now, Input::Model { run, output }))
                    }
                    None => return reply,
                },
            }
        }
    }
}

impl InMemory {
    /// A service with this agent, and no sessions.
    pub fn new(agent: AgentDefinition) -> Self {
        Self {
            agent: Arc::new(agent),
            now: Cell::new(Timestamp::from_millis(1_800_000_000_000)),
            made: Cell::new(0),
            sessions: RefCell::default(),
        }
    }

    fn script(&self) -> TutorScript {
        self.agent.script.clone().unwrap_or_default()
    }

    fn answer(&self, method: &str, path: &str, body: &str) -> Result<(u16, Value), ApiError> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let parameter = |name: &str| {
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs.find(|(key, _)| *key == name).map(|(_, value)| decode(value))
        };
        let page = parameter("page");
        let limit = |default| api::limit(parameter("limit").as_deref(), default);
        let mut sessions = self.sessions.borrow_mut();
        let steps: Vec<_> = path.trim_start_matches('/').split('/').collect();
        let (id, rest) = match steps.as_slice() {
            ["v1", "sessions"] if method == "POST" => {
                api::check_agent(api::parse_new_session(body.as_bytes())?.as_deref(), &self.agent)?;
                self.made.set(self.made.get() + 1);
                let id = SessionId::from(format!("sesn_{}", self.made.get()));
                let session =
                    Session::new(id.clone(), self.agent.clone(), Settings::default(), self.now.get());
                let answer = json!(session.describe());
                sessions.insert(id, Kept::new(session));
                return Ok((201, answer));
            }
            ["v1", "sessions"] if method == "GET" => {
                let all = sessions.values().map(|kept| kept.session.describe().clone());
                return Ok((200, json!(api::session_page(all, page.as_deref(), limit(20)?)?)));
            }
            ["v1", "sessions"] => return Ok((405, Value::Null)),
            ["v1", "sessions", id] => (SessionId::from(*id), ""),
            ["v1", "sessions", id, rest] => (SessionId::from(*id), *rest),
            _ => return Err(ApiError::new(ErrorKind::NotFoundError, "there is nothing here")),
        };
        let kept = sessions.get_mut(&id).ok_or_else(|| api::no_such_session(&id))?;
        match (method, rest) {
            ("GET", "") => Ok((200, json!(kept.session.describe()))),
            ("DELETE", "") => {
                sessions.remove(&id);
                Ok((200, json!({"id":id,"type":"session_deleted"})))
            }
            ("GET", "events") => {
                let page = api::event_page(&kept.stored, page.as_deref(), limit(1000)?)?;
                Ok((200, json!({"data":page.data,"next_page":page.next_page})))
            }
            ("POST", "events") => {
                let events = api::parse_events(body.as_bytes(), Caller::Browser)?;
                let effects =
                    kept.session.handle(self.now.get(), Input::Post { request: RequestId(0), events });
                let reply = kept.carry_out(self.now.get(), &self.script(), effects);
                Ok((200, json!({"data":reply.expect("a reply")?})))
            }
            _ => Ok((405, Value::Null)),
        }
    }
}

impl Service for InMemory {
    type Stream = Frames;

    async fn request(&self, method: &str, path: &str, body: Option<&str>) -> Answer {
        let refusal = |status, error| Answer { status, body: json!({"type":"error","error":error}) };
        let body = body.unwrap_or_default();
        if let Err(error) = api::check_body(body.len()) {
            return refusal(413, error);
        }
        match self.answer(method, path, body) {
            Ok((status, body)) => Answer { status, body },
            Err(error) => refusal(error.kind.status(), error),
        }
    }

    async fn open_stream(&self, session: &str) -> Frames {
        let frames = Rc::default();
        let mut sessions = self.sessions.borrow_mut();
        sessions.get_mut(&session.into()).expect("a session").streams.push(Rc::clone(&frames));
        Frames(frames)
    }

    async fn pass(&self, time: Duration) {
        self.now.set(self.now.get() + time);
        for kept in self.sessions.borrow_mut().values_mut() {
            if kept.wake.is_some_and(|wake| wake <= self.now.get()) {
                let effects = kept.session.handle(self.now.get(), Input::Wake);
                kept.carry_out(self.now.get(), &self.script(), effects);
            }
        }
    }

    async fn restart(&self) -> bool {
        for kept in self.sessions.borrow_mut().values_mut() {
            let stored =
                serde_json::to_string(&(kept.session.describe(), &kept.stored)).expect("records are JSON");
            let (description, records): (praxis::protocol::Session, Vec<Record>) =
                serde_json::from_str(&stored).expect("records can be read again");
            let (session, effects) = Session::restore(
                description,
                records.clone(),
                self.agent.clone(),
                Settings::default(),
                self.now.get(),
            );
            *kept = Kept { stored: records, ..Kept::new(session) };
            kept.carry_out(self.now.get(), &self.script(), effects);
        }
        true
    }
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let digits = [rest.clone().next(), rest.clone().nth(1)];
        let value = match (byte, digits) {
            (b'%', [Some(high), Some(low)]) => {
                u8::from_str_radix(&String::from_utf8_lossy(&[high, low]), 16).ok()
            }
            _ => None,
        };
        if value.is_some() {
            rest.nth(1);
        }
        bytes.push(value.unwrap_or(byte));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
