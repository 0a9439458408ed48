//! Tests of the data file alone.

use super::*;
use crate::protocol::{AgentDefinition, Content, Event, EventBody};
use crate::service::session::{self, Private, RunNumber, Settings};

/// A folder that goes away with the test.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new() -> Self {
        let mut random = [0; 8];
        getrandom::fill(&mut random).unwrap();
        let path = std::env::temp_dir().join(format!("praxis-store-{:x}", u64::from_ne_bytes(random)));
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    fn file(&self) -> std::path::PathBuf {
        self.0.join("data.sqlite")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn session(id: &str) -> Session {
    let agent = Arc::new(AgentDefinition { name: "tutor".into(), ..AgentDefinition::default() });
    let now = Timestamp::from_millis(1_800_000_000_000);
    session::Session::new(id.into(), agent, Settings::default(), now).describe().clone()
}

fn record(id: &str) -> Record {
    let body = EventBody::UserMessage {
        content: Content::of("课\u{2028}\n"),
        page_context: None,
        client_message_id: None,
    };
    let event = Event { id: id.into(), body, processed_at: Timestamp::from_millis(1_800_000_000_001) };
    Record { event, private: Some(Private { run: RunNumber(3), ..Private::default() }) }
}

fn append(session: &Session, first: u64, ids: &[&str]) -> Append {
    let records = ids.iter().map(|id| StoredRecord::new(&record(id))).collect();
    Append { session: session.clone(), unfinished: true, first, records }
}

#[tokio::test]
async fn what_is_stored_is_read_again_after_the_file_was_closed() {
    let folder = Folder::new();
    let store = Store::open(&folder.file()).unwrap();
    let one = session("sesn_one");
    store.create("ann".into(), one.clone()).await.unwrap();
    store.append(append(&one, 0, &["a", "b"])).await.unwrap();
    let secret = store.token_secret().unwrap();
    store.close().await;
    assert!(matches!(store.delete(one.id.clone()).await, Err(StoreError::Unavailable(_))));
    drop(store);

    let store = Store::open(&folder.file()).unwrap();
    assert_eq!(store.load(&one.id).await.unwrap(), (one.clone(), vec![record("a"), record("b")]));
    assert_eq!(store.session(&one.id).await.unwrap().user, "ann");
    assert_eq!(store.unfinished().await.unwrap(), std::slice::from_ref(&one.id));
    assert_eq!(store.token_secret().unwrap(), secret);
    store.delete(one.id.clone()).await.unwrap();
    assert!(matches!(store.load(&one.id).await, Err(StoreError::Gone)));
    assert!(matches!(store.append(append(&one, 2, &["c"])).await, Err(StoreError::Gone)));
}

#[tokio::test]
async fn no_place_and_no_id_is_taken_twice_and_a_refused_append_leaves_nothing() {
    let folder = Folder::new();
    let store = Store::open(&folder.file()).unwrap();
    let one = session("sesn_one");
    store.create("ann".into(), one.clone()).await.unwrap();
    store.append(append(&one, 0, &["a"])).await.unwrap();
    // Beside one that is right, in one transaction.
    let (again, place, right) = tokio::join!(
        store.append(append(&one, 1, &["b", "a"])),
        store.append(append(&one, 0, &["c"])),
        store.append(append(&one, 1, &["d"])),
    );
    assert!(again.is_err() && place.is_err() && right.is_ok());
    let (_, records) = store.load(&one.id).await.unwrap();
    assert_eq!(records, [record("a"), record("d")]);
}

#[tokio::test]
async fn a_data_file_has_one_server() {
    let folder = Folder::new();
    let store = Store::open(&folder.file()).unwrap();
    assert!(matches!(Store::open(&folder.file()), Err(OpenError::InUse)));
    #[cfg(unix)]
    {
        let link = folder.0.join("link.sqlite");
        std::os::unix::fs::symlink(folder.file(), &link).unwrap();
        assert!(matches!(Store::open(&link), Err(OpenError::InUse)), "by another name");
    }
    drop(store);
    assert!(Store::open(&folder.file()).is_ok());
}
