//! The service: real sessions, a store that outlives it, and a model that does as it likes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use praxis::kit::backend::{BackendError, StreamItem};
use praxis::protocol::{
    AgentDefinition, ApiError, Event, EventBody, EventPage, JsonObject, SessionId, Timestamp,
    ToolDeclaration, ToolName,
};
use praxis::service::api::{self, Caller};
use praxis::service::model::{ModelCall, ModelMessage, ModelOutput, ModelRequest};
use praxis::service::session::{Effect, Input, Record, RequestId, RunNumber, Session, Settings};

use super::network::Chance;

/// The client tools; what a handler does is in its name.
pub const TOOLS: [&str; 4] = ["quick", "slow", "never", "failing"];

/// What the service asks of the world around it.
pub enum Order {
    /// These go out on the session's streams.
    Publish(StreamItem),
    Wake(Option<Timestamp>),
    /// The model's output comes so much later.
    Model(RunNumber, Vec<(Duration, ModelOutput)>),
}

struct Hosted {
    machine: Session,
    /// What is stored; the machine's memory is lost when the service ends.
    store: Vec<Record>,
    /// Its events alone.
    log: Vec<Event>,
    /// Moves on when the service is started again: what was meant for the one before does not arrive.
    generation: u32,
}

#[derive(Default)]
pub struct Service {
    sessions: BTreeMap<SessionId, Hosted>,
    requests: u64,
    late_results_taken: bool,
}

pub fn refused(error: ApiError) -> BackendError {
    BackendError::Refused { status: error.kind.status(), error }
}

fn agent() -> Arc<AgentDefinition> {
    let tool = |name: &str| {
        let mut input_schema = JsonObject::new();
        input_schema.insert("type".to_owned(), "object".into());
        ToolName::new(name).map(|name| ToolDeclaration {
            name,
            description: "a tool".to_owned(),
            input_schema,
        })
    };
    let tools = TOOLS.into_iter().filter_map(|name| tool(name).ok()).collect();
    Arc::new(AgentDefinition { name: "tutor".to_owned(), tools, ..AgentDefinition::default() })
}

impl Service {
    pub fn new(late_results_taken: bool) -> Self {
        Self { late_results_taken, ..Self::default() }
    }

    pub fn create(&mut self, now: Timestamp) -> praxis::protocol::Session {
        let id = SessionId::from(format!("sesn_{}", self.sessions.len()));
        let machine = Session::new(id.clone(), agent(), Settings::default(), now);
        let description = machine.describe().clone();
        self.sessions.insert(id, Hosted { machine, store: Vec::new(), log: Vec::new(), generation: 0 });
        description
    }

    pub fn sessions(&self) -> Vec<SessionId> {
        self.sessions.keys().cloned().collect()
    }

    /// What is stored of a session.
    pub fn log(&self, session: &SessionId) -> &[Event] {
        self.sessions.get(session).map(|hosted| hosted.log.as_slice()).unwrap_or_default()
    }

    pub fn page(
        &self,
        session: &SessionId,
        page: Option<&str>,
        limit: usize,
    ) -> Result<EventPage, BackendError> {
        let hosted = self.sessions.get(session).ok_or_else(|| refused(api::no_such_session(session)))?;
        api::event_page(&hosted.store, page, limit).map_err(refused)
    }

    pub fn generation(&self, session: &SessionId) -> u32 {
        self.sessions.get(session).map_or(0, |hosted| hosted.generation)
    }

    /// Posts events and gives their answer.
    pub fn post(
        &mut self,
        now: Timestamp,
        session: &SessionId,
        events: Vec<EventBody>,
        chance: &mut Chance,
    ) -> (Result<Vec<Event>, BackendError>, Vec<Order>) {
        if let Err(error) = api::check_events(&events, Caller::Browser) {
            return (Err(refused(error)), Vec::new());
        }
        self.requests += 1;
        let request = RequestId(self.requests);
        let late = self.late_results_taken.then(|| events.clone());
        let (mut reply, mut orders) = self.handle(now, session, Input::Post { request, events }, chance);
        if let (Some(events), Some(Err(error))) = (late, &reply)
            && error.kind == praxis::protocol::ErrorKind::ConflictError
        {
            reply = Some(Ok(self.take_all_the_same(now, session, events, &mut orders)));
        }
        (reply.unwrap_or_else(|| Err(api::no_such_session(session))).map_err(refused), orders)
    }

    /// The fault of a service that does not let the first result win.
    fn take_all_the_same(
        &mut self,
        now: Timestamp,
        session: &SessionId,
        events: Vec<EventBody>,
        orders: &mut Vec<Order>,
    ) -> Vec<Event> {
        let Some(hosted) = self.sessions.get_mut(session) else { return Vec::new() };
        let mut stored = Vec::new();
        for body in events {
            let id = format!("late_{}", hosted.store.len()).into();
            let event = Event { id, body, processed_at: now };
            hosted.store.push(Record { event: event.clone(), private: None });
            hosted.log.push(event.clone());
            orders.push(Order::Publish(StreamItem::Event(event.clone())));
            stored.push(event);
        }
        stored
    }

    pub fn wake(&mut self, now: Timestamp, session: &SessionId, chance: &mut Chance) -> Vec<Order> {
        self.handle(now, session, Input::Wake, chance).1
    }

    pub fn model(
        &mut self,
        now: Timestamp,
        session: &SessionId,
        (run, output): (RunNumber, ModelOutput),
        chance: &mut Chance,
    ) -> Vec<Order> {
        self.handle(now, session, Input::Model { run, output }, chance).1
    }

    fn handle(
        &mut self,
        now: Timestamp,
        session: &SessionId,
        input: Input,
        chance: &mut Chance,
    ) -> (Option<Result<Vec<Event>, ApiError>>, Vec<Order>) {
        let Some(hosted) = self.sessions.get_mut(session) else { return (None, Vec::new()) };
        let effects = hosted.machine.handle(now, input);
        hosted.carry_out(effects, chance)
    }

    /// Ends the service and starts it again: what is not stored is lost.
    pub fn restart(&mut self, now: Timestamp, chance: &mut Chance) -> Vec<(SessionId, Vec<Order>)> {
        let mut all = Vec::new();
        for (id, hosted) in &mut self.sessions {
            let description = hosted.machine.describe().clone();
            let (machine, effects) =
                Session::restore(description, hosted.store.clone(), agent(), Settings::default(), now);
            hosted.machine = machine;
            hosted.generation += 1;
            all.push((id.clone(), hosted.carry_out(effects, chance).1));
        }
        all
    }
}

impl Hosted {
    fn carry_out(
        &mut self,
        effects: Vec<Effect>,
        chance: &mut Chance,
    ) -> (Option<Result<Vec<Event>, ApiError>>, Vec<Order>) {
        let mut reply_given = None;
        let mut orders = Vec::new();
        for effect in effects {
            match effect {
                Effect::Append(records) => {
                    orders.extend(
                        records.iter().map(|record| Order::Publish(StreamItem::Event(record.event.clone()))),
                    );
                    self.log.extend(records.iter().map(|record| record.event.clone()));
                    self.store.extend(records);
                }
                Effect::Reply { reply, .. } => reply_given = Some(reply),
                Effect::Preview(preview) => orders.push(Order::Publish(StreamItem::Preview(preview))),
                Effect::AskModel { run, request } => orders.push(Order::Model(run, answer(&request, chance))),
                // What still comes of it, the session drops.
                Effect::CancelModel(_) => {}
                Effect::RunBuiltIn { .. } => unreachable!("this service offers no built-in tools"),
                Effect::WakeAt(at) => orders.push(Order::Wake(at)),
            }
        }
        (reply_given, orders)
    }
}

/// What the model gives back: some text, some calls, and sometimes a break. Each piece comes so much after the one
/// before.
fn answer(request: &ModelRequest, chance: &mut Chance) -> Vec<(Duration, ModelOutput)> {
    let asked =
        request.messages.iter().rev().take_while(|message| !matches!(message, ModelMessage::User { .. }));
    let rounds = asked.filter(|message| matches!(message, ModelMessage::Assistant { .. })).count();
    let mut output = Vec::new();
    let calls = if rounds < 3 { chance.below(4) } else { 0 };
    for piece in 0..chance.below(4) + u64::from(calls == 0) {
        output.push(ModelOutput::Text(format!("piece {piece} ")));
    }
    for call in 0..calls {
        let name = match chance.below(12) {
            0 => "undeclared",
            1 => "never",
            2 | 3 => "slow",
            4 => "failing",
            _ => "quick",
        };
        let arguments = if chance.percent(5) { "[1]" } else { "{\"a\":1}" };
        let id = format!("call_{call}");
        output.push(ModelOutput::Call(ModelCall::new(id, name, arguments)));
    }
    output.push(if chance.percent(6) {
        ModelOutput::Failed("no model".to_owned())
    } else {
        ModelOutput::Done
    });
    let pace = if chance.percent(20) { 4000 } else { 200 };
    output.into_iter().map(|piece| (chance.millis(pace), piece)).collect()
}
