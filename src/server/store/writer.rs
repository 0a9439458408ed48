//! The one thread that writes: it takes whatever waits into one transaction, so that many sessions share one
//! flush to the disk.

use std::sync::mpsc;

use rusqlite::{Connection, Savepoint, TransactionBehavior, params};
use tokio::sync::oneshot;

use super::{Append, StoreError};
use crate::protocol::{Session, SessionId};

/// How many writes go into one transaction at most.
const BATCH: usize = 512;

/// Something to store, whole or not at all.
pub(super) enum Change {
    Create {
        user: String,
        session: Session,
    },
    Append(Append),
    Delete(SessionId),
    /// Goes to the disk like the others, and changes nothing: shows that they could.
    Nothing,
}

pub(super) struct Write {
    pub change: Change,
    pub stored: oneshot::Sender<Result<(), StoreError>>,
}

/// Writes until nobody can ask any more.
pub(super) fn run(mut connection: Connection, writes: &mpsc::Receiver<Write>) {
    while let Ok(first) = writes.recv() {
        let batch: Vec<_> = [first].into_iter().chain(writes.try_iter().take(BATCH - 1)).collect();
        match store(&mut connection, &batch) {
            Ok(outcomes) => {
                for (write, outcome) in batch.into_iter().zip(outcomes) {
                    let _ = write.stored.send(outcome);
                }
            }
            Err(error) => {
                tracing::error!(%error, writes = batch.len(), "nothing of a transaction was stored");
                for write in batch {
                    let _ = write.stored.send(Err(StoreError::unavailable(&error)));
                }
            }
        }
    }
    if let Err(error) = connection.pragma_update(None, "wal_checkpoint", "TRUNCATE") {
        tracing::debug!(%error, "the log was not folded into the data file");
    }
}

/// Stores a batch; each of its writes has its own outcome. Where this fails, nothing of the batch is stored.
fn store(connection: &mut Connection, batch: &[Write]) -> rusqlite::Result<Vec<Result<(), StoreError>>> {
    let mut transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut outcomes = Vec::with_capacity(batch.len());
    for write in batch {
        // Rolled back where it is dropped without a commit.
        let savepoint = transaction.savepoint()?;
        let outcome = apply(&savepoint, &write.change);
        if outcome.is_ok() {
            savepoint.commit()?;
        }
        outcomes.push(outcome);
    }
    transaction.commit()?;
    Ok(outcomes)
}

fn apply(savepoint: &Savepoint<'_>, change: &Change) -> Result<(), StoreError> {
    match change {
        Change::Create { user, session } => {
            savepoint
                .prepare_cached(
                    "INSERT INTO sessions (id, user, created_at, description, unfinished) VALUES (?, ?, ?, ?, 0)",
                )?
                .execute(params![
                    session.id.as_str(),
                    user,
                    millis(session),
                    session.to_json().to_string()
                ])?;
        }
        Change::Append(Append { session, unfinished, first, records }) => {
            let changed = savepoint
                .prepare_cached("UPDATE sessions SET description = ?, unfinished = ? WHERE id = ?")?
                .execute(params![session.to_json().to_string(), unfinished, session.id.as_str()])?;
            if changed == 0 {
                return Err(StoreError::Gone);
            }
            let mut insert = savepoint.prepare_cached(
                "INSERT INTO records (session, number, id, event, private) VALUES (?, ?, ?, ?, ?)",
            )?;
            for (number, record) in (*first..).zip(records) {
                insert.execute(params![
                    session.id.as_str(),
                    number,
                    record.id.as_str(),
                    &*record.event,
                    record.private
                ])?;
            }
        }
        Change::Delete(id) => {
            let deleted =
                savepoint.prepare_cached("DELETE FROM sessions WHERE id = ?")?.execute([id.as_str()])?;
            if deleted == 0 {
                return Err(StoreError::Gone);
            }
        }
        Change::Nothing => {
            savepoint
                .prepare_cached(
                    "INSERT INTO settings VALUES ('checked', x'') ON CONFLICT DO UPDATE SET value = x''",
                )?
                .execute([])?;
        }
    }
    Ok(())
}

fn millis(session: &Session) -> i64 {
    i64::try_from(session.created_at.as_millis()).unwrap_or(i64::MAX)
}
