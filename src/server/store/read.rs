//! Reading the data file, beside the writer.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};

use super::{StoreError, StoredRecord, read_session};
use crate::protocol::{EventId, Session, SessionId, Timestamp};
use crate::service::session::Record;

/// How many connections are kept for the next reader.
const KEPT: usize = 8;

/// A session, and whose it is.
#[derive(Debug)]
pub(in crate::server) struct Owned {
    pub user: String,
    pub session: Session,
}

/// A part of a list.
#[derive(Debug)]
pub(in crate::server) struct Page<T> {
    pub data: Vec<T>,
    /// Whether the list goes on.
    pub more: bool,
}

impl<T> Page<T> {
    /// The first `limit` of `data`.
    fn new(mut data: Vec<T>, limit: usize) -> Self {
        let more = data.len() > limit;
        data.truncate(limit);
        Self { data, more }
    }
}

/// An event as it is stored.
#[derive(Debug)]
pub(in crate::server) struct EventRow {
    /// Its place in the log.
    pub number: u64,
    pub id: EventId,
    /// Its JSON text.
    pub event: String,
}

/// Connections for reading.
#[derive(Debug)]
pub(super) struct Readers {
    path: PathBuf,
    kept: Mutex<Vec<Connection>>,
}

impl Readers {
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), kept: Mutex::default() }
    }

    pub fn open(&self) -> rusqlite::Result<Connection> {
        let connection = Connection::open(&self.path)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    }

    /// Reads on a thread that may wait for the disk.
    pub async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let readers = self.clone();
        let reading = tokio::task::spawn_blocking(move || {
            let kept = readers.kept.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let connection = kept.map_or_else(|| readers.open(), Ok)?;
            let outcome = read(&connection);
            let mut kept = readers.kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() < KEPT {
                kept.push(connection);
            }
            outcome
        });
        reading.await.unwrap_or_else(|error| Err(StoreError::unavailable(&error)))
    }
}

pub(super) fn session(connection: &Connection, id: &SessionId) -> Result<Owned, StoreError> {
    let mut find = connection.prepare_cached("SELECT user, description FROM sessions WHERE id = ?")?;
    let row = find
        .query_row([id.as_str()], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))
        .optional()?
        .ok_or(StoreError::Gone)?;
    Ok(Owned { user: row.0, session: read_session(&row.1)? })
}

pub(super) fn sessions(
    connection: &Connection,
    user: Option<&str>,
    after: Option<(Timestamp, SessionId)>,
    limit: usize,
) -> Result<Page<Session>, StoreError> {
    let whose = if user.is_some() { "user = ?1" } else { "?1 IS NULL" };
    let mut find = connection.prepare_cached(&format!(
        "SELECT description FROM sessions WHERE {whose} AND (created_at, id) < (?2, ?3)
         ORDER BY created_at DESC, id DESC LIMIT ?4"
    ))?;
    // Nothing is made after the end of time.
    let (made, id) = match &after {
        Some((made, id)) => (i64::try_from(made.as_millis()).unwrap_or(i64::MAX), id.as_str()),
        None => (i64::MAX, ""),
    };
    let rows = find.query_map(params![user, made, id, more_than(limit)], |row| row.get::<_, String>(0))?;
    let data = rows.map(|row| read_session(&row?)).collect::<Result<_, _>>()?;
    Ok(Page::new(data, limit))
}

pub(super) fn events(
    connection: &Connection,
    session: &SessionId,
    after: Option<&EventId>,
    limit: usize,
) -> Result<Page<EventRow>, StoreError> {
    let first = match after {
        None => 0,
        Some(after) => {
            let mut find =
                connection.prepare_cached("SELECT number FROM records WHERE session = ? AND id = ?")?;
            let number: Option<u64> =
                find.query_row([session.as_str(), after.as_str()], |row| row.get(0)).optional()?;
            number.ok_or(StoreError::UnknownCursor)? + 1
        }
    };
    let mut find = connection.prepare_cached(
        "SELECT number, id, event FROM records WHERE session = ? AND number >= ? ORDER BY number LIMIT ?",
    )?;
    let rows = find.query_map(params![session.as_str(), first, more_than(limit)], |row| {
        let id: String = row.get(1)?;
        Ok(EventRow { number: row.get(0)?, id: id.into(), event: row.get(2)? })
    })?;
    Ok(Page::new(rows.collect::<Result<_, _>>()?, limit))
}

pub(super) fn log(connection: &Connection, id: &SessionId) -> Result<(Session, Vec<Record>), StoreError> {
    // One moment's view of both tables.
    let transaction = connection.unchecked_transaction()?;
    let Owned { session, .. } = self::session(&transaction, id)?;
    let mut find =
        transaction.prepare_cached("SELECT event, private FROM records WHERE session = ? ORDER BY number")?;
    let rows = find
        .query_map([id.as_str()], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?)))?;
    let record = |row: rusqlite::Result<(String, Option<String>)>| {
        let (event, private) = row?;
        StoredRecord::read(&event, private.as_deref())
    };
    let records = rows.map(record).collect::<Result<_, _>>()?;
    Ok((session, records))
}

pub(super) fn unfinished(connection: &Connection) -> Result<Vec<SessionId>, StoreError> {
    let mut find = connection.prepare_cached("SELECT id FROM sessions WHERE unfinished")?;
    let rows = find.query_map([], |row| row.get::<_, String>(0))?;
    Ok(rows.map(|id| id.map(SessionId::from)).collect::<Result<_, _>>()?)
}

/// One more than asked for tells whether there is more.
fn more_than(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1)
}
