//! What a step of the conversation gives back while it is being made.

use serde_json::Value;

use super::backoff::{Random, backoff};
use super::transcript_builder::TranscriptBuilder;
use super::{AttemptId, Effect, LogLevel, Notice};
use crate::protocol::Timestamp;

/// Effects in their order, the transcript, and what their making needs: numbers and chance.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) effects: Vec<Effect>,
    pub(super) transcript: TranscriptBuilder,
    pub(super) random: Random,
    attempts: u64,
}

impl Output {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            effects: Vec::new(),
            transcript: TranscriptBuilder::default(),
            random: Random::new(seed),
            attempts: 0,
        }
    }

    /// A number that no attempt had before.
    pub(super) fn attempt(&mut self) -> AttemptId {
        self.attempts += 1;
        AttemptId(self.attempts)
    }

    pub(super) fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(super) fn tell(&mut self, notice: Notice) {
        self.effects.push(Effect::Tell(notice));
    }

    pub(super) fn log(&mut self, level: LogLevel, message: String, data: Value) {
        self.tell(Notice::Log { level, message, data: Some(data) });
    }

    /// When to try again, `failures` failures in a row behind us.
    pub(super) fn later(&mut self, now: Timestamp, failures: u32) -> Timestamp {
        now + backoff(failures, &mut self.random)
    }
}
