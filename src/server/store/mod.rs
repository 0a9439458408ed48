//! Sessions in SQLite (WAL): one thread writes, many read.
//!
//! Events and their private records are one row each, stored in one transaction; what was acknowledged is on the disk.
//! It must not know what a session does with its records.

mod read;
mod schema;
mod writer;

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::protocol::json_place::Place;
use crate::protocol::{EventId, Session, SessionId, Timestamp};
use crate::service::session::Record;

use read::Readers;
use writer::{Change, Write};

pub(super) use read::{EventRow, Owned, Page};
pub use schema::OpenError;

/// Why something was not stored or could not be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum StoreError {
    /// There is no such session, or no longer.
    #[error("there is no such session")]
    Gone,
    /// A cursor that no page gave.
    #[error("there is no such cursor")]
    UnknownCursor,
    /// The data file or the disk.
    #[error("the data file cannot be used now: {0}")]
    Unavailable(String),
}

impl StoreError {
    fn unavailable(error: &impl ToString) -> Self {
        Self::Unavailable(error.to_string())
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::unavailable(&error)
    }
}

/// A record as it is stored: its event as JSON text, once for the data file and the streams.
#[derive(Clone, Debug)]
pub(super) struct StoredRecord {
    pub id: EventId,
    /// The event's type.
    pub kind: String,
    pub event: Arc<str>,
    pub private: Option<String>,
}

impl StoredRecord {
    pub fn new(record: &Record) -> Self {
        let mut json = record.to_json();
        let event = json.get_mut("event").map(serde_json::Value::take).unwrap_or_default();
        Self {
            id: record.event.id.clone(),
            kind: event.get("type").and_then(serde_json::Value::as_str).unwrap_or_default().to_owned(),
            event: event.to_string().into(),
            private: json.get("private").map(ToString::to_string),
        }
    }

    fn read(event: &str, private: Option<&str>) -> Result<Record, StoreError> {
        let parse = |text: &str| serde_json::from_str(text).map_err(|error| StoreError::unavailable(&error));
        let mut json = crate::protocol::JsonObject::new();
        json.insert("event".to_owned(), parse(event)?);
        if let Some(private) = private {
            json.insert("private".to_owned(), parse(private)?);
        }
        Record::from_json(&json.into()).map_err(|error| StoreError::unavailable(&error))
    }
}

/// What one step of a session stores.
#[derive(Debug)]
pub(super) struct Append {
    /// The session as it stands then.
    pub session: Session,
    /// Whether it must be taken up again when the service is started again.
    pub unfinished: bool,
    /// The place of the first record in the log, from 0 on.
    pub first: u64,
    pub records: Vec<StoredRecord>,
}

/// The data file.
#[derive(Debug)]
pub(super) struct Store {
    writes: Mutex<Option<mpsc::Sender<Write>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    readers: Arc<Readers>,
    /// Held as long as the server runs.
    _lock: File,
}

impl Store {
    /// Opens a data file, makes it where there is none, and brings it up to date.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        // Of the file that a link leads to: whoever opens that must find the lock.
        let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
        // Not the file itself: closing it would free SQLite's own locks.
        let lock = File::create(path.with_added_extension("lock"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => return Err(OpenError::InUse),
            Err(std::fs::TryLockError::Error(error)) => return Err(error.into()),
        }
        let mut connection = Connection::open(path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // What was acknowledged survives a power cut too; group commit pays for it.
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        schema::migrate(&mut connection)?;
        let (writes, waiting) = mpsc::channel();
        let writer = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || writer::run(connection, &waiting))?;
        Ok(Self {
            writes: Mutex::new(Some(writes)),
            writer: Mutex::new(Some(writer)),
            readers: Arc::new(Readers::new(path)),
            _lock: lock,
        })
    }

    /// Stores a new session.
    pub async fn create(&self, user: String, session: Session) -> Result<(), StoreError> {
        self.write(Change::Create { user, session }).await
    }

    /// Stores what happened in a session; returns when it is on the disk.
    pub async fn append(&self, append: Append) -> Result<(), StoreError> {
        self.write(Change::Append(append)).await
    }

    /// Removes a session with its log.
    pub async fn delete(&self, id: SessionId) -> Result<(), StoreError> {
        self.write(Change::Delete(id)).await
    }

    /// Whether something can be stored now.
    pub async fn check(&self) -> Result<(), StoreError> {
        self.write(Change::Nothing).await
    }

    async fn write(&self, change: Change) -> Result<(), StoreError> {
        let closed = || StoreError::unavailable(&"the server is stopping");
        let (stored, outcome) = oneshot::channel();
        {
            let writes = self.writes.lock().unwrap_or_else(PoisonError::into_inner);
            writes.as_ref().ok_or_else(closed)?.send(Write { change, stored }).map_err(|_| closed())?;
        }
        outcome.await.unwrap_or_else(|_| Err(closed()))
    }

    /// Lets the writer end with what it has, and waits for it.
    pub async fn close(&self) {
        drop(self.writes.lock().unwrap_or_else(PoisonError::into_inner).take());
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer {
            let _ = tokio::task::spawn_blocking(move || writer.join()).await;
        }
    }

    /// A session and whose it is.
    pub async fn session(&self, id: &SessionId) -> Result<Owned, StoreError> {
        let id = id.clone();
        self.readers.read(move |connection| read::session(connection, &id)).await
    }

    /// A page of sessions as JSON texts, newest first: a user's, or everybody's. `after` is the last session of the page
    /// before.
    pub async fn sessions(
        &self,
        user: Option<String>,
        after: Option<(Timestamp, SessionId)>,
        limit: usize,
    ) -> Result<Page<Session>, StoreError> {
        self.readers.read(move |connection| read::sessions(connection, user.as_deref(), after, limit)).await
    }

    /// A page of a session's events, oldest first, after the event `after`.
    pub async fn events(
        &self,
        id: &SessionId,
        after: Option<EventId>,
        limit: usize,
    ) -> Result<Page<EventRow>, StoreError> {
        let id = id.clone();
        self.readers.read(move |connection| read::events(connection, &id, after.as_ref(), limit)).await
    }

    /// A session with its whole log.
    pub async fn load(&self, id: &SessionId) -> Result<(Session, Vec<Record>), StoreError> {
        let id = id.clone();
        self.readers.read(move |connection| read::log(connection, &id)).await
    }

    /// The sessions that must be taken up when the service starts.
    pub async fn unfinished(&self) -> Result<Vec<SessionId>, StoreError> {
        self.readers.read(read::unfinished).await
    }

    /// The secret that this data file's tokens are signed with; made where there is none.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn token_secret(&self) -> Result<Vec<u8>, OpenError> {
        let connection = self.readers.open()?;
        connection.pragma_update(None, "query_only", false)?;
        let mut secret = vec![0; 32];
        getrandom::fill(&mut secret)?;
        connection
            .execute("INSERT INTO settings VALUES ('token_secret', ?) ON CONFLICT DO NOTHING", [&secret])?;
        let kept = "SELECT value FROM settings WHERE name = 'token_secret'";
        Ok(connection.query_row(kept, [], |row| row.get(0))?)
    }
}

/// Reads a session from its JSON text.
fn read_session(text: &str) -> Result<Session, StoreError> {
    let json = serde_json::from_str(text).map_err(|error| StoreError::unavailable(&error))?;
    Session::read(&Place::root("session", &json)).map_err(|error| StoreError::unavailable(&error))
}

#[cfg(test)]
mod tests;
