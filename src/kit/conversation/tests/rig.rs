//! A conversation with hands: what it was given, what it gave.

use std::time::Duration;

use super::super::*;
use crate::protocol::{
    ApiError, Content, ErrorKind, EventBody, EventId, IdleReason, JsonObject, RetryStatus, SessionError,
};

/// A conversation, its clock, and the effects that nobody has looked at.
pub struct Rig {
    pub conversation: Conversation,
    pub now: Timestamp,
    pub effects: Vec<Effect>,
    stream: Option<AttemptId>,
}

impl Rig {
    pub fn new(session: Option<&str>) -> Self {
        Self {
            conversation: Conversation::new(session.map(SessionId::from), 1),
            now: Timestamp::from_millis(1_000_000),
            effects: Vec::new(),
            stream: None,
        }
    }

    /// A live conversation whose history is `history`.
    pub fn live(history: Vec<Event>) -> Self {
        let mut rig = Self::new(Some("sesn_1"));
        rig.give(Input::Attach);
        rig.open(history);
        rig
    }

    pub fn give(&mut self, input: Input) {
        for effect in self.conversation.handle(self.now, input) {
            match effect {
                Effect::OpenStream(stream) => self.stream = Some(stream),
                Effect::CloseStream(stream) if self.stream == Some(stream) => self.stream = None,
                _ => {}
            }
            self.effects.push(effect);
        }
    }

    /// Answers an opening that was asked for, with one page.
    pub fn open(&mut self, history: Vec<Event>) {
        self.open_stream(Ok(true));
        self.read(history, None);
    }

    pub fn open_stream(&mut self, outcome: Result<bool, BackendError>) {
        let stream = self.stream.expect("a stream is asked for");
        self.give(Input::StreamOpened(stream, outcome));
    }

    pub fn read(&mut self, data: Vec<Event>, next_page: Option<&str>) {
        let page = self.wanted_page().0;
        self.give(Input::HistoryRead(page, Ok(EventPage { data, next_page: next_page.map(String::from) })));
    }

    /// The last page that was asked for.
    pub fn wanted_page(&self) -> (AttemptId, Option<String>) {
        let wanted = self.effects.iter().rev().find_map(|effect| match effect {
            Effect::ReadHistory(attempt, cursor) => Some((*attempt, cursor.clone())),
            _ => None,
        });
        wanted.expect("a page is asked for")
    }

    pub fn event(&mut self, event: Event) {
        self.item(StreamItem::Event(event));
    }

    pub fn item(&mut self, item: StreamItem) {
        let stream = self.stream.expect("a stream is open");
        self.give(Input::StreamItem(stream, item));
    }

    pub fn end_stream(&mut self) {
        let stream = self.stream.expect("a stream is open");
        self.give(Input::StreamEnded(stream, Some(network())));
    }

    pub fn stream(&self) -> Option<AttemptId> {
        self.stream
    }

    pub fn say(&mut self, ask: u64, text: &str) {
        self.give(Input::Send { ask: AskId(ask), text: text.to_owned(), page_context: None });
    }

    pub fn handler_gives(&mut self, call: &str, text: &str) {
        let outcome = ToolOutcome { text: text.to_owned(), is_error: false };
        self.give(Input::HandlerEnded { call: call.into(), outcome });
    }

    /// Time passes, with a wake whenever one was asked for.
    pub fn wait(&mut self, millis: u64) {
        let end = self.now + Duration::from_millis(millis);
        while let Some(wake) = self.conversation.wake.filter(|wake| *wake <= end) {
            self.now = self.now.max(wake);
            self.give(Input::Wake);
        }
        self.now = end;
    }

    /// The clock jumps: no timer fired meanwhile.
    pub fn sleep(&mut self, seconds: u64) {
        self.now = self.now + Duration::from_secs(seconds);
    }

    /// All effects since the last look, without wakes.
    pub fn look(&mut self) -> Vec<Effect> {
        self.effects.drain(..).filter(|effect| !matches!(effect, Effect::WakeAt(_))).collect()
    }

    pub fn posts(&self) -> Vec<(AttemptId, EventBody)> {
        let posts = self.effects.iter().filter_map(|effect| match effect {
            Effect::Post(attempt, events) => Some(events.iter().map(|event| (*attempt, event.clone()))),
            _ => None,
        });
        posts.flatten().collect()
    }

    /// Answers the last posting.
    pub fn answer(&mut self, answer: Result<Vec<Event>, BackendError>) {
        let attempt = self.posts().last().expect("something is posted").0;
        self.give(Input::Posted(attempt, answer));
    }

    pub fn runs(&self) -> Vec<String> {
        let run = |effect: &Effect| match effect {
            Effect::RunHandler(call) => Some(call.id.to_string()),
            _ => None,
        };
        self.effects.iter().filter_map(run).collect()
    }

    pub fn notices(&self) -> Vec<&Notice> {
        let mut told = Vec::new();
        for effect in &self.effects {
            if let Effect::Tell(notice) = effect {
                told.push(notice);
            }
        }
        told
    }

    pub fn logs(&self, level: LogLevel) -> Vec<String> {
        let log = |notice: &&Notice| match notice {
            Notice::Log { level: at, message, .. } if *at == level => Some(message.clone()),
            _ => None,
        };
        self.notices().iter().filter_map(log).collect()
    }

    pub fn tool_ends(&self) -> usize {
        self.notices().iter().filter(|notice| matches!(notice, Notice::ToolEnd { .. })).count()
    }

    pub fn aborts(&self) -> usize {
        self.effects.iter().filter(|effect| matches!(effect, Effect::AbortHandler(_))).count()
    }

    pub fn count(&self, wanted: &Notice) -> usize {
        self.notices().iter().filter(|notice| **notice == wanted).count()
    }

    /// The transcript, one short line an entry.
    pub fn lines(&self) -> Vec<String> {
        use crate::kit::transcript::EntryKind::*;
        let line = |kind: &_| match kind {
            User { text, stored } => format!("user {text}{}", if *stored { "" } else { " …" }),
            Agent { text, streaming, .. } => format!("agent {text}{}", if *streaming { " …" } else { "" }),
            ToolCall { id, status, result, .. } => format!("call {id} {status:?} {result:?}"),
            ServiceTool { name, is_error, .. } => format!("service {name} {is_error:?}"),
            Error { message } => format!("error {message}"),
        };
        self.conversation.transcript().entries.iter().map(|entry| line(&entry.kind)).collect()
    }
}

pub fn network() -> BackendError {
    BackendError::Network("the network is down".to_owned())
}

pub fn refused(status: u16) -> BackendError {
    BackendError::Refused { status, error: ApiError::new(ErrorKind::ApiError, format!("refused {status}")) }
}

pub fn event(id: &str, body: EventBody) -> Event {
    Event { id: id.into(), body, processed_at: Timestamp::default() }
}

pub fn user(id: &str, text: &str) -> Event {
    let body =
        EventBody::UserMessage { content: Content::of(text), page_context: None, client_message_id: None };
    event(id, body)
}

/// What the service stores of a message that was posted.
pub fn stored(id: &str, body: &EventBody) -> Event {
    event(id, body.clone())
}

pub fn running(id: &str) -> Event {
    event(id, EventBody::StatusRunning {})
}

pub fn ended(id: &str) -> Event {
    event(id, EventBody::StatusIdle { stop_reason: IdleReason::EndTurn })
}

pub fn exhausted(id: &str) -> Event {
    event(id, EventBody::StatusIdle { stop_reason: IdleReason::RetriesExhausted {} })
}

pub fn waits_for(id: &str, calls: &[&str]) -> Event {
    let event_ids = calls.iter().map(|call| EventId::from(*call)).collect();
    event(id, EventBody::StatusIdle { stop_reason: IdleReason::RequiresAction { event_ids } })
}

pub fn call(id: &str) -> Event {
    event(id, EventBody::CustomToolUse { name: "seek".to_owned(), input: JsonObject::new() })
}

pub fn result(id: &str, call: &str, text: &str, is_error: bool) -> Event {
    let content = Content::of(text);
    event(id, EventBody::CustomToolResult { custom_tool_use_id: call.into(), content, is_error })
}

pub fn agent(id: &str, text: &str) -> Event {
    event(id, EventBody::AgentMessage { content: Content::of(text), stop_reason: None })
}

pub fn error(id: &str, retry_status: RetryStatus) -> Event {
    let error = SessionError { kind: "model_error".to_owned(), message: "no model".to_owned(), retry_status };
    event(id, EventBody::Error { error })
}
