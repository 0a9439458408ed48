//! How a turn begins, waits and ends.

use super::{Effect, Private, ROUND_LIMIT, RunNumber, Session, words};
use crate::protocol::tutor_script::Language;
use crate::protocol::{
    Content, EventBody, EventId, IdleReason, JsonObject, MessageStop, RetryStatus, Timestamp,
};
use crate::service::model::ModelCall;

/// A turn that is not over.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    /// The message that it answers.
    pub(super) message: EventId,
    /// How many responses of the model it has had.
    pub(super) rounds: u32,
    pub(super) phase: Phase,
}

#[derive(Clone, Debug)]
pub(super) enum Phase {
    /// The model is to be asked as soon as the input at hand is dealt with.
    Due,
    /// The model has been asked.
    Asked(Response),
    /// Results are waited for.
    Waiting(Waiting),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    /// The calls that have no result yet, in the order of the calls.
    pub(super) pending: Vec<Pending>,
    /// How many of them the last `requires_action` named.
    pub(super) announced: usize,
    /// The calls of built-in tools that have no result yet.
    pub(super) built_in: Vec<Pending>,
}

/// What has come of a response so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Response {
    pub(super) run: RunNumber,
    /// The id that its message will have; given away with the first preview.
    pub(super) message: Option<EventId>,
    pub(super) text: String,
    pub(super) reasoning: String,
    pub(super) kept: Option<JsonObject>,
    pub(super) calls: Vec<ModelCall>,
}

impl Response {
    /// What is kept beside its first event.
    pub(super) fn private(&mut self) -> Private {
        let reasoning = std::mem::take(&mut self.reasoning);
        Private {
            run: self.run,
            reasoning: (!reasoning.is_empty()).then_some(reasoning),
            kept: self.kept.take(),
            ..Private::default()
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) call: EventId,
    pub(super) deadline: Timestamp,
}

impl Session {
    /// Answers the calls whose time is over (K21).
    pub(super) fn fire_deadlines(&mut self) {
        let now = self.now;
        self.end_calls([words::TIMED_OUT, words::BUILT_IN_TIMED_OUT], |pending| pending.deadline <= now);
        self.after_results();
    }

    /// Records an error as the result of each pending call that `ends`: the first text for client tools, the second
    /// for built-in ones.
    pub(super) fn end_calls(&mut self, texts: [&str; 2], ends: impl Fn(&Pending) -> bool) {
        let Some(Turn { phase: Phase::Waiting(waiting), .. }) = &mut self.turn else { return };
        let ended: Vec<_> = waiting.pending.extract_if(.., |pending| ends(pending)).collect();
        let ended_built_in: Vec<_> = waiting.built_in.extract_if(.., |pending| ends(pending)).collect();
        for Pending { call, .. } in ended_built_in {
            self.push_built_in_result(call, Err(texts[1].to_owned()));
        }
        for Pending { call, .. } in ended {
            self.calls.insert(call.clone(), Some(self.records.len()));
            let content = Content::of(texts[0]);
            self.push(
                EventBody::CustomToolResult { custom_tool_use_id: call, content, is_error: true },
                None,
            );
        }
    }

    /// Says where a turn that waits stands, when results have come since this was last said.
    pub(super) fn after_results(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        let Phase::Waiting(waiting) = &mut turn.phase else { return };
        if waiting.pending.is_empty() {
            // Said once, when the page has nothing more to do; built-in tools may still run.
            let page_is_done = std::mem::take(&mut waiting.announced) > 0;
            if waiting.built_in.is_empty() {
                turn.phase = Phase::Due;
            }
            if page_is_done {
                self.push(EventBody::StatusRunning {}, None);
            }
        } else if waiting.pending.len() < waiting.announced {
            waiting.announced = waiting.pending.len();
            let event_ids = waiting.pending.iter().map(|pending| pending.call.clone()).collect();
            self.push_idle(IdleReason::RequiresAction { event_ids });
        }
    }

    /// Records what a built-in tool gave back, where that is waited for.
    pub(super) fn built_in_result(&mut self, call: &EventId, result: Result<String, String>) {
        if let Some(Turn { phase: Phase::Waiting(waiting), .. }) = &mut self.turn
            && let Some(place) = waiting.built_in.iter().position(|pending| pending.call == *call)
        {
            let Pending { call, .. } = waiting.built_in.remove(place);
            self.push_built_in_result(call, result);
            self.after_results();
        }
    }

    pub(super) fn push_built_in_result(&mut self, tool_use_id: EventId, result: Result<String, String>) {
        let is_error = result.is_err();
        let content = Content::of(result.unwrap_or_else(|error| error));
        self.push(EventBody::ToolResult { tool_use_id, content, is_error }, None);
    }

    /// The turn, when the model is to be asked.
    pub(super) fn due(&self) -> Option<&Turn> {
        self.turn.as_ref().filter(|turn| matches!(turn.phase, Phase::Due))
    }

    pub(super) fn begin_next_turn(&mut self) {
        if let Some(message) = self.waiting.pop_front() {
            let private = Private { turn: Some(message.clone()), ..Private::default() };
            self.push(EventBody::StatusRunning {}, Some(private));
            self.turn = Some(Turn { message, rounds: 0, phase: Phase::Due });
        }
    }

    pub(super) fn end_turn(&mut self, reason: IdleReason) {
        self.turn = None;
        self.push_idle(reason);
        self.begin_next_turn();
    }

    /// E15: the calls of the last round have been answered; no further request.
    pub(super) fn end_turn_at_round_limit(&mut self) {
        let language = self.language();
        // A run of its own, so that the history does not take it for the last response's text.
        self.run = self.run.next();
        let content = Content::of(words::round_limit(language, ROUND_LIMIT));
        let private = Private { run: self.run, ..Private::default() };
        self.push(EventBody::AgentMessage { content, stop_reason: None }, Some(private));
        self.end_turn(IdleReason::EndTurn);
    }

    /// The language of the message that the turn answers.
    pub(super) fn language(&self) -> Language {
        let message = self.turn.as_ref().map(|turn| &turn.message);
        let asked = self.records.iter().find(|record| Some(&record.event.id) == message);
        match asked.map(|record| &record.event.body) {
            Some(EventBody::UserMessage { content, .. }) => Language::of(&Content::text(content)),
            _ => Language::English,
        }
    }

    /// Ends all turns because what comes of them cannot be stored: what the model said so far stays.
    pub(super) fn not_stored(
        &mut self,
        stop: Option<MessageStop>,
        why: fn(Language) -> String,
    ) -> Vec<Effect> {
        self.end_calls([words::NOT_STORED; 2], |_| true);
        let mut cancelled = None;
        while self.turn.is_some() {
            let why = why(self.language());
            if let Some(Turn { phase: Phase::Asked(response), .. }) = self.turn.take() {
                cancelled = Some(Effect::CancelModel(response.run));
                self.push_message(response, stop);
            }
            self.push_error("storage_error", why, RetryStatus::Exhausted);
            self.end_turn(IdleReason::RetriesExhausted {});
        }
        cancelled.into_iter().collect()
    }

    /// Ends the turn because the model could not be had: what it said so far stays and is marked.
    pub(super) fn fail_turn(&mut self, response: Response, message: String) {
        self.push_message(response, Some(MessageStop::Incomplete));
        self.push_error("model_error", message, RetryStatus::Exhausted);
        self.end_turn(IdleReason::RetriesExhausted {});
    }
}
