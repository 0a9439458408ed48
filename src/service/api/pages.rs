//! Pages of sessions and events, with opaque cursors that stay good while things come and go.

use super::invalid;
use crate::protocol::{ApiError, EventPage, Session, SessionPage, Timestamp};
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

/// A page of a session's events, oldest first: the first one, or the one that the cursor `page` names.
///
/// # Errors
/// 400 for a cursor that no page of this session gave.
pub fn event_page(records: &[Record], page: Option<&str>, limit: usize) -> Result<EventPage, ApiError> {
    let rest = match page {
        None => records,
        Some(page) => {
            let last = page.strip_prefix(AFTER);
            let place = records.iter().position(|record| Some(record.event.id.as_str()) == last);
            place.and_then(|place| records.get(place + 1..)).ok_or_else(unknown_cursor)?
        }
    };
    let data: Vec<_> = rest.iter().take(limit).map(|record| record.event.clone()).collect();
    let last = data.last().filter(|_| rest.len() > data.len());
    let next_page = last.map(|event| [AFTER, event.id.as_str()].concat());
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
        let last = page.strip_prefix(AFTER).and_then(|page| page.split_once('.'));
        let millis = last.and_then(|(millis, _)| millis.parse().ok()).map(Timestamp::from_millis);
        let (Some(millis), Some((_, id))) = (millis, last) else { return Err(unknown_cursor()) };
        data.retain(|session| key(session) < (millis, id.into()));
    }
    let more = data.len() > limit;
    data.truncate(limit);
    let last = data.last().filter(|_| more);
    let next_page = last.map(|session| format!("{AFTER}{}.{}", session.created_at.as_millis(), session.id));
    Ok(SessionPage { data, next_page })
}

/// What our cursors begin with: they name the last element of the page before.
const AFTER: &str = "after:";

fn unknown_cursor() -> ApiError {
    invalid("page", "is not a cursor that this service gave")
}
