//! The calls of client tools: claimed once, run once, their results delivered (K20–K24).
//!
//! A call is claimed, synchronously, by leaving [`State::Waiting`], which it never enters again. What is
//! retried is only ever the posting of a result.

use std::time::Duration;

use serde_json::json;

use super::output::Output;
use super::{AttemptId, Effect, LogLevel, Notice, ToolCall, ToolOutcome};
use crate::kit::backend::BackendError;
use crate::kit::transcript::ToolCallStatus;
use crate::protocol::{Content, Event, EventBody, EventId, JsonObject, Timestamp};

/// How long a call may take from when it was seen, its result's delivery included (K21).
const CALL_LIMIT: Duration = Duration::from_secs(120);
/// How often a result is posted at most.
const MOST_TRIES: u32 = 4;
/// How long a posting may go unanswered before it counts as lost: four of them fill the call's time.
const POST_LIMIT: Duration = Duration::from_secs(30);
/// How long a conflict may wait for the stream to explain it.
const CONFLICT_GRACE: Duration = Duration::from_secs(2);

/// How far a call is.
#[derive(Debug)]
enum State {
    /// Nobody has claimed it.
    Waiting(JsonObject),
    /// Its handler runs.
    Running,
    /// Its result is being posted.
    Posting { attempt: AttemptId, since: Timestamp, outcome: ToolOutcome },
    /// Its result could not be posted and is posted again at this time.
    Retrying { at: Timestamp, outcome: ToolOutcome },
    /// The service has another result; the stream should say which.
    Conflict { until: Timestamp, outcome: ToolOutcome, error: String },
    /// Its result could not be written back, or never came (K22). The service may have stored it all the same.
    Lost(Option<ToolOutcome>),
    /// It is over: our result is stored, or another one, or the turn ended without it.
    Over,
}

#[derive(Debug)]
struct Call {
    id: EventId,
    name: String,
    seen: Timestamp,
    tries: u32,
    state: State,
}

/// All calls of a session, in the order of the log.
#[derive(Debug, Default)]
pub(super) struct Calls {
    calls: Vec<Call>,
    /// Postings without an answer, also those that nobody waits for any more: a late yes is still a yes.
    postings: Vec<(AttemptId, EventId)>,
    /// Results of calls that were not seen. A log has none; an answered call must not run whatever a log has.
    early: Vec<(EventId, ToolOutcome)>,
}

impl Call {
    fn deadline(&self) -> Timestamp {
        self.seen + CALL_LIMIT
    }

    fn data(&self) -> serde_json::Value {
        json!({ "id": self.id, "name": self.name })
    }

    fn show(&self, status: ToolCallStatus, result: Option<&str>, out: &mut Output) {
        out.transcript.call_status(&self.id, status, result);
    }

    fn accepted(&mut self, outcome: &ToolOutcome, out: &mut Output) {
        self.state = State::Over;
        let status = if outcome.is_error { ToolCallStatus::Error } else { ToolCallStatus::End };
        self.show(status, Some(&outcome.text), out);
        out.tell(Notice::ToolEnd {
            id: self.id.clone(),
            name: self.name.clone(),
            is_error: outcome.is_error,
        });
    }

    /// K22: logged, not run again, no `end`.
    fn lost(&mut self, outcome: Option<ToolOutcome>, why: &str, out: &mut Output) {
        let message = ["the result of tool ", &self.name, " could not be written back: ", why].concat();
        out.log(LogLevel::Error, message, self.data());
        self.show(ToolCallStatus::Error, None, out);
        self.state = State::Lost(outcome);
    }

    /// Posts the result; the attempt's number is to be kept with the call's id.
    fn post(&mut self, now: Timestamp, outcome: ToolOutcome, out: &mut Output) -> (AttemptId, EventId) {
        let attempt = out.attempt();
        self.tries += 1;
        let body = EventBody::CustomToolResult {
            custom_tool_use_id: self.id.clone(),
            content: Content::of(outcome.text.as_str()),
            is_error: outcome.is_error,
        };
        out.push(Effect::Post(attempt, vec![body]));
        self.state = State::Posting { attempt, since: now, outcome };
        (attempt, self.id.clone())
    }

    /// The posting failed in a way that another try may mend.
    fn try_again(&mut self, now: Timestamp, outcome: ToolOutcome, why: &str, out: &mut Output) {
        let at = out.later(now, self.tries);
        if self.tries < MOST_TRIES && at < self.deadline() {
            self.state = State::Retrying { at, outcome };
        } else {
            self.lost(Some(outcome), why, out);
        }
    }

    /// Gives up what is past its time.
    fn expire(&mut self, now: Timestamp, out: &mut Output) {
        let expired = now >= self.deadline();
        match std::mem::replace(&mut self.state, State::Over) {
            State::Running if expired => {
                out.push(Effect::AbortHandler(self.id.clone()));
                self.lost(None, "the handler gave none within 120 s", out);
            }
            State::Posting { outcome, .. } | State::Retrying { outcome, .. } if expired => {
                self.lost(Some(outcome), "120 s are over", out);
            }
            State::Posting { since, outcome, .. } if now >= since + POST_LIMIT => {
                self.try_again(now, outcome, "the service does not answer", out);
            }
            other => self.state = other,
        }
    }

    /// Does what has waited long enough, now that nothing came that would settle it.
    fn due(&mut self, now: Timestamp, connected: bool, out: &mut Output) -> Option<(AttemptId, EventId)> {
        match std::mem::replace(&mut self.state, State::Over) {
            State::Retrying { at, outcome } if connected && now >= at => {
                return Some(self.post(now, outcome, out));
            }
            State::Conflict { until, outcome, error } if now >= until => {
                self.lost(Some(outcome), &error, out);
            }
            other => self.state = other,
        }
        None
    }

    fn next_deadline(&self, connected: bool) -> Option<Timestamp> {
        match self.state {
            State::Running => Some(self.deadline()),
            State::Posting { since, .. } => Some(self.deadline().min(since + POST_LIMIT)),
            State::Retrying { at, .. } if connected => Some(self.deadline().min(at)),
            State::Retrying { .. } => Some(self.deadline()),
            State::Conflict { until, .. } => Some(until),
            State::Waiting(_) | State::Lost(_) | State::Over => None,
        }
    }
}

impl Calls {
    fn find(&mut self, id: &EventId) -> Option<&mut Call> {
        self.calls.iter_mut().rev().find(|call| call.id == *id)
    }

    /// The log has a call.
    pub(super) fn seen(
        &mut self,
        now: Timestamp,
        id: EventId,
        name: String,
        input: JsonObject,
        out: &mut Output,
    ) {
        let early = self.early.iter().position(|(call, _)| *call == id);
        self.calls.push(Call { id: id.clone(), name, seen: now, tries: 0, state: State::Waiting(input) });
        if let Some(at) = early {
            let (_, result) = self.early.swap_remove(at);
            self.answered(&id, &result.text, result.is_error, out);
        }
    }

    /// The log has a call's result: ours, if it is equal to ours, or somebody else's.
    pub(super) fn answered(&mut self, id: &EventId, text: &str, is_error: bool, out: &mut Output) {
        let Some(call) = self.find(id) else {
            self.early.push((id.clone(), ToolOutcome { text: text.to_owned(), is_error }));
            return;
        };
        let status = |claimed| {
            if claimed || is_error { ToolCallStatus::Error } else { ToolCallStatus::End }
        };
        match std::mem::replace(&mut call.state, State::Over) {
            State::Over => {}
            State::Waiting(_) => call.show(status(false), Some(text), out),
            State::Posting { outcome, .. }
            | State::Retrying { outcome, .. }
            | State::Conflict { outcome, .. }
            | State::Lost(Some(outcome))
                if outcome.text == text && outcome.is_error == is_error =>
            {
                call.accepted(&outcome, out);
            }
            // That it was lost was said when it was.
            State::Lost(_) => call.show(status(true), Some(text), out),
            running_or_posting => {
                if matches!(running_or_posting, State::Running) {
                    out.push(Effect::AbortHandler(call.id.clone()));
                }
                let message = ["tool ", &call.name, " was answered without this page: ", text].concat();
                out.log(LogLevel::Info, message, call.data());
                call.show(status(true), Some(text), out);
            }
        }
    }

    /// The turn is over: what nobody has claimed by now will never be asked for again.
    pub(super) fn turn_ended(&mut self, out: &mut Output) {
        for call in &mut self.calls {
            if matches!(call.state, State::Waiting(_)) {
                call.state = State::Over;
                call.show(ToolCallStatus::Error, None, out);
            }
        }
    }

    /// Runs what waits, in the order of the calls. The claim comes before anything else (K23).
    pub(super) fn run(&mut self, now: Timestamp, out: &mut Output) {
        for call in &mut self.calls {
            // One that is past its time is the service's to answer.
            if now >= call.deadline() {
                continue;
            }
            let State::Waiting(input) = &mut call.state else { continue };
            let input = std::mem::take(input);
            call.state = State::Running;
            let (id, name) = (call.id.clone(), call.name.clone());
            out.tell(Notice::ToolStart { id: id.clone(), name: name.clone() });
            out.push(Effect::RunHandler(ToolCall { id, name, input }));
        }
    }

    /// A handler ended. One that was aborted comes too late and is not heard.
    pub(super) fn handler_ended(
        &mut self,
        now: Timestamp,
        id: &EventId,
        outcome: ToolOutcome,
        out: &mut Output,
    ) {
        let Some(call) = self.find(id) else { return };
        if matches!(call.state, State::Running) {
            let posting = call.post(now, outcome, out);
            self.postings.push(posting);
        }
    }

    /// A posting was answered; gives the answer back when it was not about a result.
    pub(super) fn posted(
        &mut self,
        now: Timestamp,
        attempt: AttemptId,
        answer: Result<Vec<Event>, BackendError>,
        out: &mut Output,
    ) -> Option<Result<Vec<Event>, BackendError>> {
        let Some(at) = self.postings.iter().position(|(posting, _)| *posting == attempt) else {
            return Some(answer);
        };
        let (_, id) = self.postings.swap_remove(at);
        let call = self.find(&id)?;
        match (std::mem::replace(&mut call.state, State::Over), answer) {
            (
                State::Posting { outcome, .. }
                | State::Retrying { outcome, .. }
                | State::Conflict { outcome, .. }
                | State::Lost(Some(outcome)),
                Ok(_),
            ) => call.accepted(&outcome, out),
            (State::Posting { attempt: current, outcome, .. }, Err(error)) if current == attempt => {
                let why = error.to_string();
                match error {
                    BackendError::Refused { status: 408 | 429 | 500.., .. }
                    | BackendError::Network(_)
                    | BackendError::Token(_)
                    | BackendError::Malformed(_) => call.try_again(now, outcome, &why, out),
                    BackendError::Refused { status: 409, .. } => {
                        call.state = State::Conflict { until: now + CONFLICT_GRACE, outcome, error: why };
                    }
                    BackendError::Refused { .. } => call.lost(Some(outcome), &why, out),
                }
            }
            (other, _) => call.state = other,
        }
        None
    }

    /// Gives up what is past its time; before anything else is looked at, so that nothing is posted for it.
    pub(super) fn expire(&mut self, now: Timestamp, out: &mut Output) {
        self.calls.iter_mut().for_each(|call| call.expire(now, out));
    }

    /// Does what has waited long enough. While the connection is broken, a retry would only use up a try: it
    /// waits.
    pub(super) fn due(&mut self, now: Timestamp, connected: bool, out: &mut Output) {
        for call in &mut self.calls {
            self.postings.extend(call.due(now, connected, out));
        }
    }

    /// When [`Self::expire`] or [`Self::due`] has something to do.
    pub(super) fn next_deadline(&self, connected: bool) -> Option<Timestamp> {
        self.calls.iter().filter_map(|call| call.next_deadline(connected)).min()
    }

    /// Whether a handler runs or a result is on its way.
    pub(super) fn busy(&self) -> bool {
        self.calls.iter().any(|call| !matches!(call.state, State::Waiting(_) | State::Lost(_) | State::Over))
    }
}
