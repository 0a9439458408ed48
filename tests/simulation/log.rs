//! Looks at a session's stored events.

use praxis::protocol::{Content, Event, EventBody, EventId, IdleReason};

/// The results of a call, as text and whether it is an error.
pub fn results_of(log: &[Event], call: &EventId) -> Vec<(String, bool)> {
    let result = |event: &Event| match &event.body {
        EventBody::CustomToolResult { custom_tool_use_id, content, is_error }
            if custom_tool_use_id == call =>
        {
            Some((Content::text(content), *is_error))
        }
        _ => None,
    };
    log.iter().filter_map(result).collect()
}

/// The ids of the client tool calls.
pub fn calls(log: &[Event]) -> Vec<EventId> {
    let call = |event: &Event| match &event.body {
        EventBody::CustomToolUse { .. } => Some(event.id.clone()),
        _ => None,
    };
    log.iter().filter_map(call).collect()
}

/// The texts of the person's messages.
pub fn said(log: &[Event]) -> Vec<String> {
    let text = |event: &Event| match &event.body {
        EventBody::UserMessage { content, .. } => Some(Content::text(content)),
        _ => None,
    };
    log.iter().filter_map(text).collect()
}

/// Whether a turn goes on; waiting for results is part of it.
pub fn turn_goes_on(log: &[Event]) -> bool {
    let goes_on = |event: &Event| match &event.body {
        EventBody::StatusRunning {} => Some(true),
        EventBody::StatusIdle { stop_reason } => {
            Some(matches!(stop_reason, IdleReason::RequiresAction { .. }))
        }
        _ => None,
    };
    log.iter().rev().find_map(goes_on).unwrap_or(false)
}
