//! A session taken up again from its log, after a restart of the service or a reload of the page.

use std::sync::Arc;
use std::time::Duration;

use super::{Effect, Pending, Phase, Record, Response, RunNumber, Session, Turn, Waiting, words};
use crate::protocol::{AgentDefinition, EventBody, EventId, IdleReason, SessionStatus, Timestamp};

impl Session {
    /// Takes up the session that `description` and `records` (all of them, oldest first) were stored of.
    ///
    /// A turn that was in the model's hands ends with a `session.error`; one that waits for results goes on
    /// waiting, by the deadlines that were stored (K21), and those that are due fire at once. Ids and run numbers go on where they
    /// were. The effects are to be carried out like those of [`handle`](Self::handle).
    #[must_use]
    pub fn restore(
        description: crate::protocol::Session,
        records: Vec<Record>,
        agent: Arc<AgentDefinition>,
        tool_timeout: Duration,
        now: Timestamp,
    ) -> (Self, Vec<Effect>) {
        let mut session = Self::bare(description, agent, tool_timeout, now);
        session.records = records;
        session.told = session.records.len();
        let mut counted = RunNumber::default();
        for place in 0..session.records.len() {
            session.replay(place, &mut counted);
        }
        // One id may have been given away without a record: a preview's.
        session.ids += 1;

        session.fire_deadlines();
        if session.turn.as_ref().is_some_and(|turn| matches!(turn.phase, Phase::Asked(_))) {
            session.push_error("interrupted", words::CUT_OFF.to_owned());
            session.end_turn(IdleReason::RetriesExhausted {});
        }
        let effects = session.go_on(Vec::new());
        (session, effects)
    }

    /// Takes in the record at `place`. `counted` is the last run that was counted as a round.
    fn replay(&mut self, place: usize, counted: &mut RunNumber) {
        let Some(Record { event, private }) = self.records.get(place) else { return };
        let private = private.clone().unwrap_or_default();
        let id = event.id.clone();
        self.now = self.now.max(event.processed_at);
        self.ids = self.ids.max(number(&id));
        self.run = self.run.max(private.run).max(private.asks.unwrap_or_default());
        match &event.body {
            EventBody::UserMessage { .. } => self.waiting.push_back(id),
            EventBody::StatusRunning {} => {
                self.description.status = SessionStatus::Running;
                // The model is asked next, whatever this begins; a log that ends here ends in the model's hands.
                let phase = Phase::Asked(Response::default());
                if let Some(message) = private.turn {
                    self.waiting.retain(|waiting| *waiting != message);
                    self.turn = Some(Turn { message, rounds: 0, phase });
                } else if let Some(turn) = &mut self.turn {
                    turn.phase = phase;
                }
            }
            EventBody::StatusIdle { stop_reason } => {
                self.description.status = SessionStatus::Idle;
                match (stop_reason, &mut self.turn) {
                    (
                        IdleReason::RequiresAction { event_ids },
                        Some(Turn { phase: Phase::Waiting(waiting), .. }),
                    ) => {
                        waiting.announced = event_ids.len();
                    }
                    (IdleReason::RequiresAction { .. }, _) => {}
                    _ => self.turn = None,
                }
            }
            EventBody::CustomToolUse { .. } => {
                self.calls.insert(id.clone(), None);
                let deadline = private.deadline.unwrap_or(event.processed_at + self.tool_timeout);
                self.replay_call(private.run, counted, Some(Pending { call: id, deadline }));
            }
            EventBody::ToolUse { .. } => self.replay_call(private.run, counted, None),
            EventBody::CustomToolResult { custom_tool_use_id: call, .. } => {
                let call = call.clone();
                self.no_longer_pending(&call);
                self.calls.insert(call, Some(place));
            }
            _ => {}
        }
    }

    fn replay_call(&mut self, run: RunNumber, counted: &mut RunNumber, call: Option<Pending>) {
        let Some(turn) = &mut self.turn else { return };
        if *counted != run {
            *counted = run;
            turn.rounds += 1;
        }
        match (&mut turn.phase, call) {
            (Phase::Waiting(waiting), Some(call)) => {
                waiting.pending.push(call);
                waiting.announced += 1;
            }
            (phase, Some(call)) => *phase = Phase::Waiting(Waiting { pending: vec![call], announced: 1 }),
            (_, None) => {}
        }
    }
}

/// The number at the end of an event's id.
fn number(id: &EventId) -> u64 {
    id.as_str().rsplit('_').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}
