//! What the session's log says, event by event and each event once: whether a turn goes on, what is shown,
//! which calls there are and which have results.

use std::collections::BTreeSet;

use super::Notice;
use super::calls::Calls;
use super::outbox::Outbox;
use super::output::Output;
use crate::protocol::{Content, Event, EventBody, EventId, IdleReason, RetryStatus, Timestamp};

/// What is known of the log.
#[derive(Debug, Default)]
pub(super) struct Record {
    seen: BTreeSet<EventId>,
    /// Whether a turn goes on; waiting for results is part of it.
    turn: bool,
    /// Whether the last turn failed.
    failed: bool,
    terminated: bool,
}

impl Record {
    pub(super) fn has(&self, id: &EventId) -> bool {
        self.seen.contains(id)
    }

    pub(super) fn turn_goes_on(&self) -> bool {
        self.turn
    }

    pub(super) fn turn_failed(&self) -> bool {
        self.failed && !self.turn
    }

    pub(super) fn terminated(&self) -> bool {
        self.terminated
    }

    /// Takes an event, unless it was taken before. `announce`: whether it is news, and not how the session was
    /// found.
    pub(super) fn apply(
        &mut self,
        now: Timestamp,
        event: Event,
        announce: bool,
        (calls, outbox, out): (&mut Calls, &mut Outbox, &mut Output),
    ) {
        if !self.seen.insert(event.id.clone()) {
            return;
        }
        let id = event.id;
        match event.body {
            EventBody::UserMessage { content, client_message_id, .. } => {
                let sent = client_message_id.as_deref();
                out.transcript.user_message(&id, sent, &Content::text(&content));
                if let Some(sent) = sent {
                    outbox.stored(sent, out);
                }
            }
            EventBody::CustomToolResult { custom_tool_use_id, content, is_error } => {
                calls.answered(&custom_tool_use_id, &Content::text(&content), is_error, out);
            }
            EventBody::Interrupt {} | EventBody::SystemMessage { .. } => {}
            EventBody::StatusRunning {} => self.turn_goes_on_now(announce, out),
            EventBody::StatusIdle { stop_reason: IdleReason::RequiresAction { .. } } => {
                out.transcript.drop_preview();
                self.turn_goes_on_now(announce, out);
            }
            EventBody::StatusIdle { stop_reason: IdleReason::EndTurn } => {
                self.failed = false;
                self.turn_ends(announce, calls, out);
            }
            EventBody::StatusIdle { stop_reason: IdleReason::RetriesExhausted {} } => {
                self.failed = true;
                self.turn_ends(announce, calls, out);
            }
            EventBody::StatusTerminated {} => {
                self.terminated = true;
                self.turn_ends(announce, calls, out);
            }
            EventBody::Error { error } => {
                out.transcript.drop_preview();
                let retrying = error.retry_status == RetryStatus::Retrying;
                out.transcript.retries(retrying.then_some(&*error.message));
                if !retrying {
                    self.failed = true;
                    out.transcript.error(&id, &error.message);
                    if announce {
                        out.tell(Notice::Error { message: error.message });
                    }
                }
            }
            EventBody::AgentMessage { content, stop_reason } => {
                self.turn_goes_on_now(announce, out);
                out.transcript.agent_message(&id, &Content::text(&content), stop_reason);
            }
            EventBody::CustomToolUse { name, input } => {
                self.turn_goes_on_now(announce, out);
                out.transcript.call(&id, &name, &input);
                calls.seen(now, id, name, input, out);
            }
            EventBody::ToolUse { name, .. } => {
                self.turn_goes_on_now(announce, out);
                out.transcript.service_tool(&id, &name);
            }
            EventBody::ToolResult { tool_use_id, content, is_error } => {
                out.transcript.service_tool_ended(&tool_use_id, &Content::text(&content), is_error);
            }
        }
    }

    fn turn_goes_on_now(&mut self, announce: bool, out: &mut Output) {
        out.transcript.retries(None);
        if !self.turn {
            self.turn = true;
            out.transcript.turn_begins();
            if announce {
                out.tell(Notice::ResponseStart);
            }
        }
    }

    fn turn_ends(&mut self, announce: bool, calls: &mut Calls, out: &mut Output) {
        out.transcript.drop_preview();
        out.transcript.retries(None);
        calls.turn_ended(out);
        if std::mem::replace(&mut self.turn, false) && announce {
            out.tell(Notice::ResponseEnd);
        }
    }
}
