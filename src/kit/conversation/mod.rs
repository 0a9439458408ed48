//! One session as the page sees it: a state machine without I/O.
//!
//! It owns order, retries, back-off, silence and claims (K20–K24, WIRE.md). In: [`Input`]s and a clock
//! reading. Out: [`Effect`]s. It must not know the browser, the element, the backend's protocol or a clock.

mod backoff;
mod calls;
mod connection;
mod effect;
mod input;
mod notice;
mod outbox;
mod output;
mod record;
mod tool_call;
mod transcript_builder;
mod words;

#[cfg(test)]
mod tests;

use std::rc::Rc;
use std::time::Duration;

pub use effect::Effect;
pub use input::{AskId, AttemptId, Input};
pub use notice::{LogLevel, Notice, Status};
pub use tool_call::{ToolCall, ToolOutcome};

use super::backend::{BackendError, StreamItem};
use super::transcript::{Connection as Shown, Transcript};
use crate::protocol::{Event, EventPage, Preview, Session, SessionId, Timestamp};
use calls::Calls;
use connection::{Connection, Phase};
use outbox::Outbox;
use output::Output;
use record::Record;

/// How long the making of a session may go unanswered.
const CREATE_LIMIT: Duration = Duration::from_secs(30);

/// One session as the page sees it.
///
/// It outlives the elements that show it: its claims hold for the life of the page (K23), and a handler that
/// runs when the last element goes still delivers its result (K24).
#[derive(Debug)]
pub struct Conversation {
    session: Option<SessionId>,
    /// The time of the last input: a reading that goes back is taken for this one.
    now: Timestamp,
    /// Whether an element shows it.
    attached: bool,
    /// Whether the service lets this page write, as of the last opening.
    writable: bool,
    /// Whether the first opening is over.
    opened: bool,
    /// Whether the last opening failed.
    opening_failed: bool,
    creating: Option<(AttemptId, Timestamp)>,
    connection: Connection,
    record: Record,
    calls: Calls,
    outbox: Outbox,
    /// The time that the page was last told to wake us at.
    wake: Option<Timestamp>,
    out: Output,
}

impl Conversation {
    /// The conversation of `session`; of a session that the first message makes, where that is `None`.
    /// `seed` makes its jitter and its message ids: random in a page, fixed in a test.
    #[must_use]
    pub fn new(session: Option<SessionId>, seed: u64) -> Self {
        Self {
            session,
            now: Timestamp::default(),
            attached: false,
            writable: true,
            opened: false,
            opening_failed: false,
            creating: None,
            connection: Connection::default(),
            record: Record::default(),
            calls: Calls::default(),
            outbox: Outbox::default(),
            wake: None,
            out: Output::new(seed),
        }
    }

    /// The session, once there is one. All that this conversation posts goes there (K24).
    #[must_use]
    pub fn session(&self) -> Option<&SessionId> {
        self.session.as_ref()
    }

    /// What to show.
    #[must_use]
    pub fn transcript(&self) -> Rc<Transcript> {
        self.out.transcript.current()
    }

    /// `status` of the element.
    #[must_use]
    pub fn status(&self) -> Status {
        if self.is_running() {
            Status::Running
        } else if self.opening_failed || self.record.turn_failed() {
            Status::Error
        } else {
            Status::Idle
        }
    }

    /// From the message to the turn's real end; not where half a history is all that is known of turns, and not
    /// where nobody will see that end.
    fn is_running(&self) -> bool {
        let turn = self.opened && (self.record.turn_goes_on() || self.out.transcript.has_pending());
        (turn || !self.outbox.is_empty()) && !matches!(self.connection.phase, Phase::Failed(_))
    }

    /// Takes an input at the time `now` and says what to do. Deadlines that are due fire before the input.
    #[must_use]
    pub fn handle(&mut self, now: Timestamp, input: Input) -> Vec<Effect> {
        self.now = self.now.max(now);
        if matches!(input, Input::Wake) {
            self.wake = None;
        }
        self.fire_due();
        self.take(input);
        self.settle();
        std::mem::take(&mut self.out.effects)
    }

    fn take(&mut self, input: Input) {
        match input {
            Input::Attach => {
                self.attached = true;
                self.connection.insist(self.now, &mut self.out);
                // Without a session there is nothing to open.
                if self.session.is_none() {
                    self.first_opening_is_over();
                }
            }
            Input::Detach => self.attached = false,
            Input::Send { ask, text, page_context } => {
                self.outbox.message(ask, text, page_context, &mut self.out);
                self.connection.insist(self.now, &mut self.out);
            }
            Input::Interrupt { ask } => {
                if self.session.is_none() && self.outbox.is_empty() {
                    self.out.push(Effect::Answer(ask, Ok(())));
                } else {
                    self.outbox.interrupt(ask);
                    self.connection.insist(self.now, &mut self.out);
                }
            }
            Input::HandlerEnded { call, outcome } => {
                self.calls.handler_ended(self.now, &call, outcome, &mut self.out);
            }
            Input::Created(attempt, outcome) => self.created(attempt, outcome),
            Input::StreamOpened(attempt, outcome) => self.stream_opened(attempt, outcome),
            Input::StreamItem(attempt, item) => self.stream_item(attempt, item),
            Input::StreamEnded(attempt, error) if self.connection.is_on(attempt) => {
                self.broke(&error.map_or_else(|| words::ENDED.to_owned(), |error| error.to_string()));
            }
            Input::StreamEnded(..) => {}
            Input::HistoryRead(attempt, outcome) => self.history_read(attempt, outcome),
            Input::Posted(attempt, answer) => {
                if let Some(answer) = self.calls.posted(self.now, attempt, answer, &mut self.out) {
                    self.outbox.posted(attempt, answer, &mut self.out);
                }
            }
            Input::Hurry => self.connection.hurry(self.now, &mut self.out),
            Input::Online(online) => self.connection.online(online, self.now, &mut self.out),
            Input::Wake => {}
        }
    }

    /// Ends what is past its time.
    fn fire_due(&mut self) {
        self.calls.expire(self.now, &mut self.out);
        if self.connection.is_silent(self.now) {
            self.broke(words::SILENT);
        }
        self.connection.due(self.now, &mut self.out);
    }

    /// Does what has become possible, or due.
    fn settle(&mut self) {
        self.calls.due(self.now, self.may_retry(), &mut self.out);
        self.outbox.due(self.now, &mut self.out);
        if self.creating.is_some_and(|(_, since)| self.now >= since + CREATE_LIMIT) {
            self.not_created(words::SILENT);
        }
        let busy = self.calls.busy() || !self.outbox.is_empty();
        if self.session.is_none() {
            if !self.outbox.is_empty() && self.creating.is_none() {
                let attempt = self.out.attempt();
                self.creating = Some((attempt, self.now));
                self.out.push(Effect::CreateSession(attempt));
            }
        } else if !self.attached && !busy {
            if !matches!(self.connection.phase, Phase::Closed | Phase::Failed(_)) {
                self.out.transcript.drop_preview();
                self.connection.close(&mut self.out);
            }
        } else if matches!(self.connection.phase, Phase::Closed) {
            self.connection.open(self.now, &mut self.out);
        }
        if self.connection.is_live() {
            if !self.writable() {
                let why = if self.writable { words::TERMINATED } else { words::READ_ONLY };
                self.outbox.give_back_waiting(why, &mut self.out);
            } else if self.attached {
                self.calls.run(self.now, &mut self.out);
            }
            self.outbox.post_next(self.now, &mut self.out);
        }
        let shown = if self.session.is_some() { self.connection.shown() } else { Shown::None };
        let (running, writable) = (self.is_running(), self.writable());
        self.out.transcript.stand(shown, running, writable);
        let deadlines = [
            self.calls.next_deadline(self.may_retry()),
            self.outbox.next_deadline(),
            self.creating.map(|(_, since)| since + CREATE_LIMIT),
            self.connection.next_deadline(),
        ];
        let wake = deadlines.into_iter().flatten().min();
        // A timer that fires too early does no harm; setting it anew with each event would.
        if wake.is_none() != self.wake.is_none() || wake < self.wake {
            self.wake = wake;
            self.out.push(Effect::WakeAt(wake));
        }
    }

    fn writable(&self) -> bool {
        self.writable && !self.record.terminated()
    }

    /// Whether a result that could not be posted may be posted again: while the connection is being opened it
    /// would only use up a try.
    fn may_retry(&self) -> bool {
        matches!(self.connection.phase, Phase::Live { .. } | Phase::Failed(_))
    }

    fn created(&mut self, attempt: AttemptId, outcome: Result<Session, BackendError>) {
        if self.creating.is_none_or(|(creating, _)| creating != attempt) {
            return;
        }
        match outcome {
            Ok(session) => {
                self.creating = None;
                self.out.tell(Notice::SessionMade(session.id.clone()));
                self.session = Some(session.id);
            }
            Err(error) => self.not_created(&error.to_string()),
        }
    }

    fn not_created(&mut self, why: &str) {
        self.creating = None;
        self.out.tell(Notice::Error { message: why.to_owned() });
        self.opening_went_wrong(why);
    }

    fn stream_opened(&mut self, attempt: AttemptId, outcome: Result<bool, BackendError>) {
        if !matches!(self.connection.phase, Phase::Opening { stream } if stream == attempt) {
            return;
        }
        self.connection.heard(self.now);
        match outcome {
            Ok(writable) => {
                self.writable = writable;
                self.connection.read(None, &mut self.out);
            }
            Err(error) => self.not_opened(&error),
        }
    }

    fn history_read(&mut self, attempt: AttemptId, outcome: Result<EventPage, BackendError>) {
        let Phase::Reading { page, cursor, .. } = &self.connection.phase else { return };
        if *page != attempt {
            return;
        }
        let cursor = cursor.clone();
        self.connection.heard(self.now);
        match outcome {
            // A cursor that leads to itself would be followed for ever.
            Ok(page) if page.next_page.is_some() && page.next_page == cursor => {
                self.not_opened(&BackendError::Malformed("the history's pages do not end".to_owned()));
            }
            Ok(page) => {
                for event in page.data {
                    self.apply(event);
                }
                if page.next_page.is_some() {
                    self.connection.read(page.next_page, &mut self.out);
                } else {
                    self.is_open();
                }
            }
            Err(error) => self.not_opened(&error),
        }
    }

    /// The history's last page is read.
    fn is_open(&mut self) {
        self.opening_failed = false;
        self.first_opening_is_over();
        for item in self.connection.opened(self.now) {
            self.apply_item(item);
        }
    }

    fn first_opening_is_over(&mut self) {
        if !self.opened {
            self.opened = true;
            self.out.tell(Notice::Opened);
            // Its end will be told, so its start is.
            if self.record.turn_goes_on() {
                self.out.tell(Notice::ResponseStart);
            }
        }
    }

    fn stream_item(&mut self, attempt: AttemptId, item: StreamItem) {
        if !self.connection.is_on(attempt) {
            return;
        }
        match &mut self.connection.phase {
            // A stream that lives says nothing of a page that does not come.
            Phase::Reading { held, .. } => held.push(item),
            Phase::Live { .. } => {
                self.connection.heard(self.now);
                self.connection.proves_online();
                self.apply_item(item);
            }
            // Nothing comes before the stream is open.
            _ => {}
        }
    }

    fn apply_item(&mut self, item: StreamItem) {
        match item {
            StreamItem::Event(event) => self.apply(event),
            StreamItem::Preview(Preview::Start { id }) if !self.record.has(&id) => {
                self.out.transcript.preview_begins(id);
            }
            StreamItem::Preview(Preview::Delta { id, text }) => {
                self.out.transcript.preview_grows(&id, &text);
            }
            StreamItem::Preview(Preview::Start { .. }) | StreamItem::Heartbeat => {}
        }
    }

    fn apply(&mut self, event: Event) {
        let parts = (&mut self.calls, &mut self.outbox, &mut self.out);
        self.record.apply(self.now, event, self.opened, parts);
    }

    /// The connection broke, or its opening did; it is opened again after a while. A failed opening is told once
    /// for all failures in a row.
    fn broke(&mut self, why: &str) {
        if self.connection.is_opening() {
            if !self.opening_failed {
                self.out.tell(Notice::Error { message: why.to_owned() });
            }
            self.opening_went_wrong(why);
        }
        self.out.transcript.drop_preview();
        self.connection.broke(self.now, why, &mut self.out);
    }

    /// An opening failed, for good where the service says so.
    fn not_opened(&mut self, error: &BackendError) {
        let why = error.to_string();
        match error {
            BackendError::Refused { status: 400..=407 | 409..=428 | 430..=499, .. } => {
                self.connection.fail(&why, &mut self.out);
                self.out.tell(Notice::Error { message: why.clone() });
                self.opening_went_wrong(&why);
            }
            _ => self.broke(&why),
        }
    }

    /// Gives back what waited for the opening.
    fn opening_went_wrong(&mut self, why: &str) {
        self.opening_failed = true;
        self.outbox.give_back_waiting(why, &mut self.out);
    }
}
