//! One session as the service keeps it: a state machine without I/O.
//!
//! In: client events, a model's output, time, a restored log. Out: [`Effect`]s, in the order in which the
//! driver must carry them out. The machine must not know stores, sockets, browsers or clocks.
//!
//! A turn is one message of the person and all that follows from it: the model is asked, its response is
//! recorded in one piece, its calls are answered by the page, the model is asked again, until it answers without a
//! call or [`ROUND_LIMIT`] responses are over. Messages that come meanwhile wait, and each gets its own turn.

mod effect;
mod history;
mod post;
mod record;
mod response;
mod restore;
mod turn;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use super::built_in::BuiltInTool;
use super::words;
use crate::protocol::{
    AgentDefinition, AgentName, Content, Event, EventBody, EventId, IdleReason, MessageStop, RetryStatus,
    SessionError, SessionId, SessionStatus, Timestamp,
};
use turn::{Pending, Phase, Response, Turn, Waiting};

pub use effect::{Effect, Input, RequestId};
pub use record::{Private, Record, RunNumber};

/// How many responses of the model a turn has at most (E15).
pub const ROUND_LIMIT: u32 = 5;
/// How long a client tool may take at most (K21).
pub const TOOL_TIMEOUT: Duration = Duration::from_secs(120);
/// How many characters of the first message make the title.
const TITLE_LENGTH: usize = 60;

/// How a service runs its sessions.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How long a client tool may take; can shorten [`TOOL_TIMEOUT`], never lengthen it.
    pub tool_timeout: Duration,
    /// The tools that the service runs itself.
    pub built_in: &'static [BuiltInTool],
}

impl Default for Settings {
    /// [`TOOL_TIMEOUT`], and no built-in tools.
    fn default() -> Self {
        Self { tool_timeout: TOOL_TIMEOUT, built_in: &[] }
    }
}

/// One session as the service keeps it.
#[derive(Clone, Debug)]
pub struct Session {
    description: crate::protocol::Session,
    agent: Arc<AgentDefinition>,
    settings: Settings,
    now: Timestamp,
    /// All records, and how many of them the driver has been told to store.
    records: Vec<Record>,
    told: usize,
    /// How many event ids have been given away.
    ids: u64,
    run: RunNumber,
    turn: Option<Turn>,
    /// Messages whose turn has not begun.
    waiting: VecDeque<EventId>,
    /// Every client tool call, with the place of its result among the records.
    calls: BTreeMap<EventId, Option<usize>>,
    wake: Option<Timestamp>,
}

impl Session {
    /// A new session; nothing has happened in it. The end of `id` should be hard to guess: event ids are made
    /// from it.
    #[must_use]
    pub fn new(id: SessionId, agent: Arc<AgentDefinition>, settings: Settings, now: Timestamp) -> Self {
        let description = crate::protocol::Session {
            id,
            status: SessionStatus::Idle,
            title: None,
            agent: AgentName { name: agent.name.clone() },
            created_at: now,
            updated_at: now,
        };
        Self::bare(description, agent, settings, now)
    }

    fn bare(
        description: crate::protocol::Session,
        agent: Arc<AgentDefinition>,
        settings: Settings,
        now: Timestamp,
    ) -> Self {
        Self {
            now: now.max(description.updated_at),
            description,
            agent,
            settings: Settings { tool_timeout: settings.tool_timeout.min(TOOL_TIMEOUT), ..settings },
            records: Vec::new(),
            told: 0,
            ids: 0,
            run: RunNumber::default(),
            turn: None,
            waiting: VecDeque::new(),
            calls: BTreeMap::new(),
            wake: None,
        }
    }

    /// The session as clients see it.
    #[must_use]
    pub fn describe(&self) -> &crate::protocol::Session {
        &self.description
    }

    /// Its whole log, oldest first.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Whether a turn goes on, one that waits for results included: whether the session must be taken up again as
    /// soon as the service is started again.
    #[must_use]
    pub fn has_turn(&self) -> bool {
        self.turn.is_some()
    }

    /// Changes the agent; takes effect at the next model request.
    pub fn set_agent(&mut self, agent: Arc<AgentDefinition>) {
        self.agent = agent;
    }

    /// What must be stopped before the session is dropped, because it was deleted or is left to another page.
    #[must_use]
    pub fn close(self) -> Vec<Effect> {
        let mut effects = Vec::new();
        if let Some(Turn { phase: Phase::Asked(response), .. }) = self.turn {
            effects.push(Effect::CancelModel(response.run));
        }
        if self.wake.is_some() {
            effects.push(Effect::WakeAt(None));
        }
        effects
    }

    /// Takes an input at the time `now` and says what to do. Deadlines that are due fire before the input.
    #[must_use]
    pub fn handle(&mut self, now: Timestamp, input: Input) -> Vec<Effect> {
        self.now = self.now.max(now);
        self.fire_deadlines();
        let replies = match input {
            Input::Post { request, events } => self.post(request, events),
            Input::Model { run, output } => self.model_output(run, output),
            Input::BuiltIn { call, result } => {
                self.built_in_result(&call, result);
                Vec::new()
            }
            Input::Wake => Vec::new(),
            Input::NotStored { stop, why } => self.not_stored(stop, why),
        };
        self.go_on(replies)
    }

    /// What is to be done now: store what was recorded, then `replies`, then the model where it is its turn, and
    /// the alarm.
    fn go_on(&mut self, replies: Vec<Effect>) -> Vec<Effect> {
        while self.due().is_some_and(|turn| turn.rounds >= ROUND_LIMIT) {
            self.end_turn_at_round_limit();
        }
        let mut ask = None;
        if self.due().is_some() {
            self.run = self.run.next();
            if let Some(last) = self.records.last_mut() {
                last.private.get_or_insert_default().asks = Some(self.run);
            }
            ask = Some(Effect::AskModel { run: self.run, request: self.model_request() });
            if let Some(turn) = &mut self.turn {
                turn.phase = Phase::Asked(Response { run: self.run, ..Response::default() });
            }
        }

        let new = self.records.get(self.told..).unwrap_or_default();
        let append = (!new.is_empty()).then(|| Effect::Append(new.to_vec()));
        self.told = self.records.len();

        let wake = match &self.turn {
            Some(Turn { phase: Phase::Waiting(waiting), .. }) => {
                waiting.pending.iter().chain(&waiting.built_in).map(|pending| pending.deadline).min()
            }
            _ => None,
        };
        let alarm = (wake != self.wake).then_some(Effect::WakeAt(wake));
        self.wake = wake;
        append.into_iter().chain(replies).chain(ask).chain(alarm).collect()
    }

    fn push_error(&mut self, kind: &str, message: String, retry_status: RetryStatus) {
        let error = SessionError { kind: kind.to_owned(), message, retry_status };
        self.push(EventBody::Error { error }, None);
    }

    /// Records a response's text, under the id that its previews had; nothing where there is none.
    fn push_message(&mut self, mut response: Response, stop_reason: Option<MessageStop>) {
        let private = response.private();
        if let Some(id) = response.message {
            let body = EventBody::AgentMessage { content: Content::of(response.text), stop_reason };
            self.push_as(id, body, Some(private));
        }
    }

    fn push_idle(&mut self, stop_reason: IdleReason) {
        self.push(EventBody::StatusIdle { stop_reason }, None);
    }

    fn push(&mut self, body: EventBody, private: Option<Private>) -> EventId {
        let id = self.next_id();
        self.push_as(id.clone(), body, private);
        id
    }

    fn push_as(&mut self, id: EventId, body: EventBody, private: Option<Private>) {
        match &body {
            EventBody::StatusRunning {} => self.description.status = SessionStatus::Running,
            EventBody::StatusIdle { .. } => self.description.status = SessionStatus::Idle,
            _ => {}
        }
        self.description.updated_at = self.now;
        if private.as_ref().is_some_and(Private::has_state) {
            self.records.iter_mut().for_each(Record::drop_state);
        }
        self.records.push(Record { event: Event { id, body, processed_at: self.now }, private });
    }

    fn next_id(&mut self) -> EventId {
        self.ids += 1;
        let session = self.description.id.as_str();
        let tail = session.strip_prefix("sesn_").unwrap_or(session);
        EventId::from(format!("sevt_{tail}_{}", self.ids))
    }
}

#[cfg(test)]
mod tests;
