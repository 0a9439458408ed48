//! A session's open streams.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::mpsc;

use super::Sessions;
use crate::protocol::{EventId, Preview, SessionId};
use crate::server::store::StoredRecord;

/// How many frames wait for a reader at most. One that is slower than that loses its connection, and reads the
/// history when it comes again.
const WAITING: usize = 1024;

/// A server-sent event, ready to be sent.
#[derive(Clone, Debug)]
pub(in crate::server) struct Frame {
    /// The event's place in the log; previews have none.
    pub number: Option<u64>,
    pub text: Arc<str>,
}

impl Frame {
    /// A stored event's.
    pub fn stored(number: u64, record: &StoredRecord) -> Self {
        Self::event(number, &record.id, &record.kind, &record.event)
    }

    /// A stored event's, from its parts.
    pub fn event(number: u64, id: &EventId, kind: &str, json: &str) -> Self {
        // JSON text has no line ends of its own.
        let text = ["id: ", id.as_str(), "\nevent: ", kind, "\ndata: ", json, "\n\n"].concat();
        Self { number: Some(number), text: text.into() }
    }

    /// A preview's.
    pub fn preview(preview: &Preview) -> Self {
        let kind = match preview {
            Preview::Start { .. } => "event_start",
            Preview::Delta { .. } => "event_delta",
        };
        let json = serde_json::to_string(preview).unwrap_or_default();
        Self { number: None, text: ["event: ", kind, "\ndata: ", &json, "\n\n"].concat().into() }
    }
}

/// Who reads a session's stream.
#[derive(Debug, Default)]
pub(super) struct Streams {
    readers: Mutex<Vec<mpsc::Sender<Frame>>>,
}

impl Streams {
    pub fn subscribe(&self, sessions: &Arc<Sessions>, id: &SessionId) -> Subscription {
        let (sender, frames) = mpsc::channel(WAITING);
        self.lock().push(sender);
        Subscription { frames, session: Some((Arc::downgrade(sessions), id.clone())) }
    }

    /// Sends a frame to every reader; those that are gone or too slow are dropped.
    pub fn publish(&self, frame: &Frame) {
        self.lock().retain(|reader| reader.try_send(frame.clone()).is_ok());
    }

    /// Ends every stream, when what waits has been read.
    pub fn end(&self) {
        self.lock().clear();
    }

    pub fn is_empty(&self) -> bool {
        let mut readers = self.lock();
        readers.retain(|reader| !reader.is_closed());
        readers.is_empty()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<mpsc::Sender<Frame>>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A reader's end of a stream; dropping it closes the stream.
#[derive(Debug)]
pub(in crate::server) struct Subscription {
    frames: mpsc::Receiver<Frame>,
    session: Option<(Weak<Sessions>, SessionId)>,
}

impl Subscription {
    /// A stream that has ended.
    pub fn over() -> Self {
        Self { frames: mpsc::channel(1).1, session: None }
    }

    /// The next frame; `None` at the stream's end.
    pub async fn next(&mut self) -> Option<Frame> {
        self.frames.recv().await
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.frames.close();
        if let Some((sessions, id)) = self.session.take()
            && let Some(sessions) = sessions.upgrade()
        {
            sessions.tidy(&id);
        }
    }
}
