//! One session as the service keeps it: a state machine without I/O.
//!
//! In: client events, a model's output, time, a restored log. Out: [`Effect`]s, in the order in which the
//! driver must carry them out. The machine must not know stores, sockets, browsers or clocks.
//!
//! A turn is one message of the person and all that follows from it: the model is asked, its response is
//! recorded in one piece, its calls are answered by the page, the model is asked again, until it answers without a
//! call or [`ROUND_LIMIT`] responses are over. Messages that come meanwhile wait, and each gets its own turn.

mod history;
mod post;
mod record;
mod response;
mod restore;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use super::model::{ModelOutput, ModelRequest};
use super::words;
use crate::protocol::{
    AgentDefinition, AgentName, ApiError, Content, Event, EventBody, EventId, IdleReason, MessageStop,
    Preview, RetryStatus, SessionError, SessionId, SessionStatus, Timestamp, tutor_script::Language,
};

pub use record::{Private, Record, RunNumber};

/// How many responses of the model a turn has at most (E15).
pub const ROUND_LIMIT: u32 = 5;
/// How long a client tool may take at most (K21).
pub const TOOL_TIMEOUT: Duration = Duration::from_secs(120);
/// How many characters of the first message make the title.
const TITLE_LENGTH: usize = 60;

/// Names a request whose answer is waited for; the driver chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestId(pub u64);

/// What happens to a session.
#[derive(Debug)]
pub enum Input {
    /// A client posts events: all are stored or none.
    Post {
        /// Whom to answer.
        request: RequestId,
        /// The events, checked by [`api`](super::api).
        events: Vec<EventBody>,
    },
    /// A piece of a model run's output.
    Model {
        /// The run.
        run: RunNumber,
        /// The piece.
        output: ModelOutput,
    },
    /// The time that [`Effect::WakeAt`] named has come.
    Wake,
}

/// What the driver must do, in order.
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Store these records durably, all or none, before anything that follows, and with them the session as
    /// [`Session::describe`] shows it now; then publish their events to the session's streams.
    Append(Vec<Record>),
    /// Answer a request.
    Reply {
        /// The request.
        request: RequestId,
        /// The stored events, one for each that was posted, or why they were refused.
        reply: Result<Vec<Event>, ApiError>,
    },
    /// Publish a preview to the session's streams.
    Preview(Preview),
    /// Ask the model; its output comes back as [`Input::Model`] with this number.
    AskModel {
        /// The run's number.
        run: RunNumber,
        /// What to ask.
        request: ModelRequest,
    },
    /// Stop a model run; what still comes of it is dropped.
    CancelModel(RunNumber),
    /// Give [`Input::Wake`] at this time; replaces the time named before. `None`: not at all.
    WakeAt(Option<Timestamp>),
}

/// One session as the service keeps it.
#[derive(Debug)]
pub struct Session {
    description: crate::protocol::Session,
    agent: Arc<AgentDefinition>,
    tool_timeout: Duration,
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

#[derive(Debug)]
struct Turn {
    /// The message that it answers.
    message: EventId,
    /// How many responses of the model it has had.
    rounds: u32,
    phase: Phase,
}

#[derive(Debug)]
enum Phase {
    /// The model is to be asked as soon as the input at hand is dealt with.
    Due,
    /// The model has been asked.
    Asked(Response),
    /// Results are waited for.
    Waiting(Waiting),
}

#[derive(Debug)]
struct Waiting {
    /// The calls that have no result yet, in the order of the calls.
    pending: Vec<Pending>,
    /// How many of them the last `requires_action` named.
    announced: usize,
}

/// What has come of a response so far.
#[derive(Debug, Default)]
struct Response {
    run: RunNumber,
    /// The id that its message will have; given away with the first preview.
    message: Option<EventId>,
    text: String,
    calls: Vec<super::model::ModelCall>,
}

#[derive(Debug)]
struct Pending {
    call: EventId,
    deadline: Timestamp,
}

impl Session {
    /// A new session; nothing has happened in it. The end of `id` should be hard to guess: event ids are made
    /// from it. `tool_timeout` can shorten [`TOOL_TIMEOUT`], never lengthen it.
    #[must_use]
    pub fn new(id: SessionId, agent: Arc<AgentDefinition>, tool_timeout: Duration, now: Timestamp) -> Self {
        let description = crate::protocol::Session {
            id,
            status: SessionStatus::Idle,
            title: None,
            agent: AgentName { name: agent.name.clone() },
            created_at: now,
            updated_at: now,
        };
        Self::bare(description, agent, tool_timeout, now)
    }

    fn bare(
        description: crate::protocol::Session,
        agent: Arc<AgentDefinition>,
        tool_timeout: Duration,
        now: Timestamp,
    ) -> Self {
        Self {
            now: now.max(description.updated_at),
            description,
            agent,
            tool_timeout: tool_timeout.min(TOOL_TIMEOUT),
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
            Input::Wake => Vec::new(),
        };
        self.go_on(replies)
    }

    /// Answers the calls whose time is over (K21).
    fn fire_deadlines(&mut self) {
        let now = self.now;
        self.end_calls(words::TIMED_OUT, |pending| pending.deadline <= now);
        self.after_results();
    }

    /// Records the error `text` as the result of each pending call that `ends`.
    fn end_calls(&mut self, text: &str, ends: impl Fn(&Pending) -> bool) {
        let Some(Turn { phase: Phase::Waiting(waiting), .. }) = &mut self.turn else { return };
        let ended: Vec<_> = waiting.pending.extract_if(.., |pending| ends(pending)).collect();
        for Pending { call, .. } in ended {
            self.calls.insert(call.clone(), Some(self.records.len()));
            let content = Content::of(text);
            self.push(
                EventBody::CustomToolResult { custom_tool_use_id: call, content, is_error: true },
                None,
            );
        }
    }

    /// Says where a turn that waits stands, when results have come since this was last said.
    fn after_results(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        let Phase::Waiting(waiting) = &mut turn.phase else { return };
        if waiting.pending.is_empty() {
            turn.phase = Phase::Due;
            self.push(EventBody::StatusRunning {}, None);
        } else if waiting.pending.len() < waiting.announced {
            waiting.announced = waiting.pending.len();
            let event_ids = waiting.pending.iter().map(|pending| pending.call.clone()).collect();
            self.push_idle(IdleReason::RequiresAction { event_ids });
        }
    }

    /// What is to be done now: store what was recorded, then `replies`, then the model where it is its turn, and
    /// the alarm.
    fn go_on(&mut self, replies: Vec<Effect>) -> Vec<Effect> {
        if self.turn.is_none() {
            self.begin_next_turn();
        }
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
                waiting.pending.iter().map(|pending| pending.deadline).min()
            }
            _ => None,
        };
        let alarm = (wake != self.wake).then_some(Effect::WakeAt(wake));
        self.wake = wake;
        append.into_iter().chain(replies).chain(ask).chain(alarm).collect()
    }

    /// The turn, when the model is to be asked.
    fn due(&self) -> Option<&Turn> {
        self.turn.as_ref().filter(|turn| matches!(turn.phase, Phase::Due))
    }

    fn begin_next_turn(&mut self) {
        if let Some(message) = self.waiting.pop_front() {
            let private = Private { turn: Some(message.clone()), ..Private::default() };
            self.push(EventBody::StatusRunning {}, Some(private));
            self.turn = Some(Turn { message, rounds: 0, phase: Phase::Due });
        }
    }

    fn end_turn(&mut self, reason: IdleReason) {
        self.turn = None;
        self.push_idle(reason);
        self.begin_next_turn();
    }

    /// E15: the calls of the last round have been answered; no further request.
    fn end_turn_at_round_limit(&mut self) {
        let Some(turn) = &self.turn else { return };
        let asked = self.records.iter().find(|record| record.event.id == turn.message);
        let language = match asked.map(|record| &record.event.body) {
            Some(EventBody::UserMessage { content, .. }) => Language::of(&Content::text(content)),
            _ => Language::English,
        };
        // A run of its own, so that the history does not take it for the last response's text.
        self.run = self.run.next();
        let content = Content::of(words::round_limit(language, ROUND_LIMIT));
        let private = Private { run: self.run, ..Private::default() };
        self.push(EventBody::AgentMessage { content, stop_reason: None }, Some(private));
        self.end_turn(IdleReason::EndTurn);
    }

    /// Ends the turn because the model could not be had: what it said so far stays and is marked.
    fn fail_turn(&mut self, response: Response, message: String) {
        self.push_message(response, Some(MessageStop::Incomplete));
        self.push_error("model_error", message);
        self.end_turn(IdleReason::RetriesExhausted {});
    }

    fn push_error(&mut self, kind: &str, message: String) {
        let error = SessionError { kind: kind.to_owned(), message, retry_status: RetryStatus::Exhausted };
        self.push(EventBody::Error { error }, None);
    }

    /// Records a response's text, under the id that its previews had; nothing where there is none.
    fn push_message(&mut self, response: Response, stop_reason: Option<MessageStop>) {
        if let Some(id) = response.message {
            let private = Private { run: response.run, ..Private::default() };
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
