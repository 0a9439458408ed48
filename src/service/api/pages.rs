//! Pages of sessions and events, with opaque cursors that stay good while things come and go.

use super::invalid;
use crate::protocol::{ApiError, EventId, EventPage, Session, SessionId, SessionPage, Timestamp};
use crate::service::session::Record;

/// How many elements a page has at most.
const LARGEST_PAGE: usize = 1000;

/// The value of a query's `limit`.
///
/// # Errors
/// 400 for anything but a whole number from 1 to 1000.
pub fn limit(text: Option<&str>, default: usize) -> Result<usize, ApiError> {
    let Some(text) = text else { return Ok(default) };
    text.parse()
        .ok()
        .filter(|limit| (1..=LARGEST_PAGE).contains(limit))
        .ok_or_else(|| invalid("limit", "must be a whole number from 1 to 1000"))
}

/// The cursor of the page of events after the one that ends with `last`.
#[must_use]
pub fn event_cursor(last: &str) -> String {
    [AFTER, last].concat()
}

/// The id of the event that the page before this cursor's ended with.
///
/// # Errors
/// 400 for a cursor that is not one of ours.
pub fn read_event_cursor(page: &str) -> Result<EventId, ApiError> {
    page.strip_prefix(AFTER).map(EventId::from).ok_or_else(unknown_cursor)
}

/// The cursor of the page of sessions after the one that ends with `last`.
#[must_use]
pub fn session_cursor(last: &Session) -> String {
    format!("{AFTER}{}.{}", last.created_at.as_millis(), last.id)
}

/// When the session was made that the page before this cursor's ended with, and its id.
///
/// # Errors
/// 400 for a cursor that is not one of ours.
pub fn read_session_cursor(page: &str) -> Result<(Timestamp, SessionId), ApiError> {
    let last = page.strip_prefix(AFTER).and_then(|page| page.split_once('.'));
    let read = last.and_then(|(millis, id)| Some((Timestamp::from_millis(millis.parse().ok()?), id.into())));
    read.ok_or_else(unknown_cursor)
}

/// A page of a session's events, oldest first: the first one, or the one that the cursor `page` names.
///
/// # Errors
/// 400 for a cursor that no page of this session gave.
pub fn event_page(records: &[Record], page: Option<&str>, limit: usize) -> Result<EventPage, ApiError> {
    let rest = match page {
        None => records,
        Some(page) => {
            let last = read_event_cursor(page)?;
            let place = records.iter().position(|record| record.event.id == last);
            place.and_then(|place| records.get(place + 1..)).ok_or_else(unknown_cursor)?
        }
    };
    let data: Vec<_> = rest.iter().take(limit).map(|record| record.event.clone()).collect();
    let last = data.last().filter(|_| rest.len() > data.len());
    let next_page = last.map(|event| event_cursor(event.id.as_str()));
    Ok(EventPage { data, next_page })
}

/// A page of sessions, newest first.
///
/// # Errors
/// 400 for a cursor that is not one of ours.
pub fn session_page(
    sessions: impl IntoIterator<Item = Session>,
    page: Option<&str>,
    limit: usize,
) -> Result<SessionPage, ApiError> {
    let key = |session: &Session| (session.created_at, session.id.clone());
    let mut data: Vec<_> = sessions.into_iter().collect();
    data.sort_by_cached_key(|session| std::cmp::Reverse(key(session)));
    if let Some(page) = page {
        let last = read_session_cursor(page)?;
        data.retain(|session| key(session) < last);
    }
    let more = data.len() > limit;
    data.truncate(limit);
    let next_page = data.last().filter(|_| more).map(session_cursor);
    Ok(SessionPage { data, next_page })
}

/// What our cursors begin with: they name the last element of the page before.
const AFTER: &str = "after:";

/// 400: no page gave this cursor.
#[must_use]
pub fn unknown_cursor() -> ApiError {
    invalid("page", "is not a cursor that this service gave")
}
