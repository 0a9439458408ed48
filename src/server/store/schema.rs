//! The data file's schema: its steps, from an empty file on, and bringing a file up to date.

use rusqlite::{Connection, TransactionBehavior};

/// Marks the file as ours: `PRXS`.
const APPLICATION_ID: i32 = 0x5052_5853;

/// The steps; a file's `user_version` says how many of them it has gone. A step that has been released never changes.
const STEPS: [&str; 2] = [
    // Sessions with their owners, and their logs. A record's number is its place in the log: no two events can
    // take one place.
    "
    CREATE TABLE settings (
        name  TEXT PRIMARY KEY,
        value BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sessions (
        id          TEXT PRIMARY KEY,
        user        TEXT NOT NULL,
        created_at  INTEGER NOT NULL,
        description TEXT NOT NULL,
        unfinished  INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE records (
        session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        number  INTEGER NOT NULL,
        id      TEXT NOT NULL,
        event   TEXT NOT NULL,
        private TEXT,
        PRIMARY KEY (session, number),
        UNIQUE (session, id)
    ) STRICT, WITHOUT ROWID;
    ",
    // Lists of a user's sessions, newest first, and the sessions to take up at the start, without reading them all.
    "
    CREATE INDEX sessions_of_user ON sessions (user, created_at DESC, id DESC);
    CREATE INDEX sessions_by_age ON sessions (created_at DESC, id DESC);
    CREATE INDEX unfinished_sessions ON sessions (id) WHERE unfinished;
    ",
];

/// Why a data file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It cannot be read or written.
    #[error("{0}")]
    Sqlite(#[from] rusqlite::Error),
    /// Its lock cannot be had.
    #[error("{0}")]
    Lock(#[from] std::io::Error),
    /// Another server has it open.
    #[error("another praxis-server uses it")]
    InUse,
    /// It holds something else.
    #[error("it is not a data file of praxis-server")]
    Foreign,
    /// A later version wrote it.
    #[error("its schema is version {0}; this praxis-server knows up to {known}", known = STEPS.len())]
    Newer(usize),
    /// No randomness for the token secret.
    #[error("the system gives no random numbers: {0}")]
    Random(#[from] getrandom::Error),
}

/// Makes the file ours, or brings it up to date: each step whole or not at all.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), OpenError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let application: i32 = transaction.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let tables: u32 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if application != APPLICATION_ID && (application != 0 || tables != 0) {
        return Err(OpenError::Foreign);
    }
    let version: usize = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let steps = STEPS.get(version..).ok_or(OpenError::Newer(version))?;
    for step in steps {
        transaction.execute_batch(step)?;
    }
    if !steps.is_empty() {
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", STEPS.len())?;
    }
    transaction.commit()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(connection: &Connection) -> usize {
        connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
    }

    /// What the first released version made of an empty file, with a session in it.
    fn first_version() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(STEPS[0]).unwrap();
        connection.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
        connection.pragma_update(None, "user_version", 1).unwrap();
        connection
            .execute_batch(
                "INSERT INTO sessions VALUES ('sesn_1', 'visitor', 7, '{}', 1);
                 INSERT INTO records VALUES ('sesn_1', 0, 'sevt_1', '{}', NULL);",
            )
            .unwrap();
        connection
    }

    #[test]
    fn an_older_file_is_brought_up_to_date_and_keeps_what_it_has() {
        let mut old = first_version();
        migrate(&mut old).unwrap();
        assert_eq!(version(&old), STEPS.len());
        let kept: (String, i64) = old
            .query_row(
                "SELECT records.id, sessions.unfinished FROM records JOIN sessions ON sessions.id = session",
                [],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .unwrap();
        assert_eq!(kept, ("sevt_1".to_owned(), 1));
        let schema = |connection: &Connection| {
            let mut read = connection.prepare("SELECT sql FROM sqlite_schema ORDER BY name").unwrap();
            let rows = read.query_map([], |row| row.get::<_, Option<String>>(0)).unwrap();
            rows.map(Result::unwrap).collect::<Vec<_>>()
        };
        let mut new = Connection::open_in_memory().unwrap();
        migrate(&mut new).unwrap();
        assert_eq!(schema(&old), schema(&new));
        migrate(&mut old).unwrap();
        assert_eq!(version(&old), STEPS.len());
    }

    #[test]
    fn a_file_of_a_later_version_is_left_alone() {
        let mut later = first_version();
        later.pragma_update(None, "user_version", 99).unwrap();
        let error = migrate(&mut later).unwrap_err();
        assert!(error.to_string().contains("version 99"), "{error}");
        assert_eq!(version(&later), 99);
    }

    #[test]
    fn a_file_that_is_somebody_elses_is_left_alone() {
        let mut foreign = Connection::open_in_memory().unwrap();
        foreign.execute_batch("CREATE TABLE sessions (id TEXT)").unwrap();
        assert!(matches!(migrate(&mut foreign), Err(OpenError::Foreign)));
    }
}
