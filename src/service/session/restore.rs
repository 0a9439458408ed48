//! A session taken up again from its log, after a restart of the service or a reload of the page.

use std::sync::Arc;

use super::{Effect, Pending, Phase, Record, Response, RunNumber, Session, Settings, Turn, Waiting, words};
use crate::protocol::{
    AgentDefinition, EventBody, EventId, IdleReason, RetryStatus, SessionStatus, Timestamp,
};

impl Session {
    /// Takes up the session that `description` and `records` (all of them, oldest first) were stored of.
    ///
    /// A turn that was in the model's hands ends with a `session.error`; one that waits for results goes on
    /// waiting, by the deadlines that were stored (K21), and those that are due fire at once. A built-in tool that was
    /// running is not run again: its call is answered with an error. Ids and run numbers go on where they were. The effects are to be carried out like those of [`handle`](Self::handle).
    #[must_use]
    pub fn restore(
        description: crate::protocol::Session,
        records: Vec<Record>,
        agent: Arc<AgentDefinition>,
        settings: Settings,
        now: Timestamp,
    ) -> (Self, Vec<Effect>) {
        let mut session = Self::bare(description, agent, settings, now);
        session.records = records;
        let newest = session.records.iter().rposition(Record::has_state).unwrap_or_default();
        session.records.iter_mut().take(newest).for_each(Record::drop_state);
        session.told = session.records.len();
        let mut counted = RunNumber::default();
        for place in 0..session.records.len() {
            session.replay(place, &mut counted);
        }
        // One id may have been given away without a record: a preview's.
        session.ids += 1;

        session.end_built_in_tools();
        session.fire_deadlines();
        if session.turn.as_ref().is_some_and(|turn| matches!(turn.phase, Phase::Asked(_))) {
            let cut_off = words::cut_off(session.language()).to_owned();
            session.push_error("interrupted", cut_off, RetryStatus::Exhausted);
            session.end_turn(IdleReason::RetriesExhausted {});
        }
        let effects = session.go_on(Vec::new());
        (session, effects)
    }

    /// Answers the built-in tools that ended with the service.
    fn end_built_in_tools(&mut self) {
        let Some(Turn { phase: Phase::Waiting(waiting), .. }) = &mut self.turn else { return };
        let running = std::mem::take(&mut waiting.built_in);
        for Pending { call, .. } in running {
            self.push_built_in_result(call, Err(words::TOOL_CUT_OFF.to_owned()));
        }
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
                    match &mut turn.phase {
                        Phase::Waiting(waiting) if !waiting.built_in.is_empty() => waiting.announced = 0,
                        _ => turn.phase = phase,
                    }
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
                let deadline = private.deadline.unwrap_or(event.processed_at + self.settings.tool_timeout);
                if let Some(waiting) = self.replay_call(private.run, counted) {
                    waiting.pending.push(Pending { call: id, deadline });
                    waiting.announced += 1;
                }
            }
            EventBody::ToolUse { .. } => {
                let deadline = event.processed_at + self.settings.tool_timeout;
                if let Some(waiting) = self.replay_call(private.run, counted) {
                    waiting.built_in.push(Pending { call: id, deadline });
                }
            }
            EventBody::ToolResult { tool_use_id, .. } => {
                if let Some(Turn { phase, .. }) = &mut self.turn
                    && let Phase::Waiting(waiting) = phase
                {
                    waiting.built_in.retain(|pending| pending.call != *tool_use_id);
                    if waiting.built_in.is_empty() && waiting.announced == 0 {
                        // The model was asked next, or the same response's next call follows.
                        *phase = Phase::Asked(Response::default());
                    }
                }
            }
            EventBody::CustomToolResult { custom_tool_use_id: call, .. } => {
                let call = call.clone();
                self.no_longer_pending(&call);
                self.calls.insert(call, Some(place));
            }
            _ => {}
        }
    }

    /// Counts the response that a call belongs to; gives what its turn waits for.
    fn replay_call(&mut self, run: RunNumber, counted: &mut RunNumber) -> Option<&mut Waiting> {
        let turn = self.turn.as_mut()?;
        if *counted != run {
            *counted = run;
            turn.rounds += 1;
        }
        if !matches!(turn.phase, Phase::Waiting(_)) {
            turn.phase = Phase::Waiting(Waiting::default());
        }
        match &mut turn.phase {
            Phase::Waiting(waiting) => Some(waiting),
            _ => None,
        }
    }
}

/// The number at the end of an event's id.
fn number(id: &EventId) -> u64 {
    id.as_str().rsplit('_').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}
