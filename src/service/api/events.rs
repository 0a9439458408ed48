//! Batches of events that clients post.

use serde_json::Value;

use super::{invalid, not_for_clients};
use crate::protocol::json_place::{Place, PlaceError};
use crate::protocol::page_context::{self, MAX_BYTES, MAX_ENTRIES};
use crate::protocol::{ApiError, Content, ContextItem, ErrorKind, EventBody, EventId, ReadableName};

/// How many bytes a request's body has at most; a longer one is refused with 413.
pub const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;
/// How many bytes of UTF-8 a result's text has at most.
pub const MAX_RESULT_BYTES: usize = 1_048_576;
/// How deep a body's lists and objects may stand in each other.
pub const MAX_NESTING: usize = 128;

/// Whether a body is short enough.
///
/// # Errors
/// An error that is to be answered with status 413.
pub fn check_body(bytes: usize) -> Result<(), ApiError> {
    if bytes > MAX_BODY_BYTES {
        return Err(invalid("body", &format!("has {bytes} bytes; at most {MAX_BODY_BYTES} are accepted")));
    }
    Ok(())
}

/// Who posts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// A browser, or whoever holds a browser's token.
    Browser,
    /// A host's server, with the server key: it may say trusted facts (K19).
    Server,
}

/// Reads the body of `POST /v1/sessions/{id}/events`: `{"events":[…]}`. Members that are not known are ignored.
///
/// # Errors
/// 400 that names the index and the field (`events[1].content[0].text: must be a string`), also for what
/// [`check_events`] refuses; 403 as there.
pub fn parse_events(body: &[u8], caller: Caller) -> Result<Vec<EventBody>, ApiError> {
    let body = parse_json(body)?;
    let events = Place::root("", &body).member("events").elements()?;
    let events = events.iter().enumerate().map(|(index, event)| parse_event(index, event));
    let events = events.collect::<Result<Vec<_>, _>>()?;
    check_events(&events, caller)?;
    Ok(events)
}

/// Whether a client may post these events: all of them, or none.
///
/// # Errors
/// 400 for an event that only the service may write, a blank message, a text or page context above the limits, and an
/// empty batch; 403 for a trusted fact from a browser (K19).
pub fn check_events(events: &[EventBody], caller: Caller) -> Result<(), ApiError> {
    if events.is_empty() {
        return Err(invalid("events", "must have an event"));
    }
    for (index, event) in events.iter().enumerate() {
        let at = |field: &str| format!("events[{index}].{field}");
        match event {
            EventBody::UserMessage { content, page_context, .. } => {
                if Content::text(content).trim().is_empty() {
                    return Err(invalid(&at("content"), "must not be blank"));
                }
                if let Some(items) = page_context {
                    check_page_context(&at("page_context"), items)?;
                }
            }
            EventBody::CustomToolResult { content, .. } => {
                let bytes: usize = content.iter().map(|piece| piece.text.len()).sum();
                if bytes > MAX_RESULT_BYTES {
                    let problem =
                        format!("has {bytes} bytes of text; at most {MAX_RESULT_BYTES} are accepted");
                    return Err(invalid(&at("content"), &problem));
                }
            }
            EventBody::Interrupt {} => {}
            EventBody::SystemMessage { .. } if caller == Caller::Server => {}
            EventBody::SystemMessage { .. } => {
                let problem = "events of type system.message take a server's key";
                return Err(ApiError::new(ErrorKind::PermissionError, [&at("type"), ": ", problem].concat()));
            }
            _ => return Err(not_for_clients(index)),
        }
    }
    Ok(())
}

/// The limits of K14 and K17: what a name is made of decides whether it can stand in the model's text.
fn check_page_context(path: &str, items: &[ContextItem]) -> Result<(), ApiError> {
    for (index, item) in items.iter().enumerate() {
        ReadableName::new(item.name.as_str())
            .map_err(|error| invalid(&format!("{path}[{index}].name"), &error.to_string()))?;
    }
    let bytes = page_context::snapshot_bytes(items);
    if items.len() > MAX_ENTRIES {
        let problem = format!("has {} entries; at most {MAX_ENTRIES} are accepted", items.len());
        return Err(invalid(path, &problem));
    }
    if bytes > MAX_BYTES {
        return Err(invalid(path, &format!("has {bytes} bytes; at most {MAX_BYTES} are accepted")));
    }
    Ok(())
}

fn parse_event(index: usize, event: &Place<'_>) -> Result<EventBody, ApiError> {
    event.object()?;
    let kind = event.member("type");
    let body = match kind.text()? {
        "user.message" => EventBody::UserMessage {
            content: content(event)?,
            page_context: event
                .present("page_context")
                .map(|items| page_context_items(&items))
                .transpose()?,
            client_message_id: event
                .present("client_message_id")
                .map(|id| id.text().map(str::to_owned))
                .transpose()?,
        },
        "user.custom_tool_result" => EventBody::CustomToolResult {
            custom_tool_use_id: EventId::from(event.member("custom_tool_use_id").text()?),
            content: content(event)?,
            is_error: event.present("is_error").map_or(Ok(false), |is_error| is_error.flag())?,
        },
        "user.interrupt" => EventBody::Interrupt {},
        "system.message" => EventBody::SystemMessage { content: content(event)? },
        known if EventBody::TYPES.contains(&known) => return Err(not_for_clients(index)),
        unknown => return Ok(kind.error(format!("there is no event type {unknown:?}"))?),
    };
    Ok(body)
}

fn content(event: &Place<'_>) -> Result<Vec<Content>, PlaceError> {
    let content = event.member("content");
    let pieces = content.elements()?;
    if pieces.is_empty() {
        return content.error("must have an element");
    }
    let piece = |piece: &Place<'_>| {
        piece.object()?;
        let kind = piece.member("type");
        if kind.text()? != "text" {
            return kind.error("must be \"text\"");
        }
        Ok(Content { text: piece.member("text").text()?.to_owned() })
    };
    pieces.iter().map(piece).collect()
}

fn page_context_items(items: &Place<'_>) -> Result<Vec<ContextItem>, PlaceError> {
    let item = |item: &Place<'_>| {
        item.object()?;
        ContextItem::read(item)
    };
    items.elements()?.iter().map(item).collect()
}

/// A body's JSON, with errors that say what is wrong with it.
pub(super) fn parse_json(body: &[u8]) -> Result<Value, ApiError> {
    if nesting(body) > MAX_NESTING {
        return Err(invalid("body", &format!("is nested more than {MAX_NESTING} deep")));
    }
    let mut reader = serde_json::Deserializer::from_slice(body);
    // The limit above is the protocol's; serde_json's own is one less.
    reader.disable_recursion_limit();
    let value = serde::Deserialize::deserialize(&mut reader);
    value
        .and_then(|value| reader.end().map(|()| value))
        .map_err(|error| invalid("body", &["is not JSON: ", &error.to_string()].concat()))
}

/// How deep the lists and objects of a JSON text stand in each other.
fn nesting(body: &[u8]) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in body {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}
