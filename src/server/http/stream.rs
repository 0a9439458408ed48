//! `GET /v1/sessions/{id}/events/stream`: server-sent events.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use super::App;
use super::answer::Refusal;
use super::endpoints::Id;
use crate::protocol::{EventId, SessionId};
use crate::server::sessions::{Frame, Subscription};
use crate::server::store::StoreError;
use crate::server::tokens::Caller;

/// How often a comment shows that the connection is alive.
const ALIVE: Duration = Duration::from_secs(15);
/// How many events are read at a time for a reader that has missed some.
const REPLAY: usize = 200;

/// Opens a stream. It counts as open at its headers: it is subscribed before they go out.
pub(super) async fn open(
    State(app): State<Arc<App>>,
    caller: Caller,
    id: Id,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let (id, _) = app.visible(&caller, id).await?;
    let subscription = app.sessions.subscribe(&id);
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()).filter(|id| !id.is_empty());
    let mut alive = interval_at(Instant::now() + ALIVE, ALIVE);
    alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let reader = Reader {
        subscription,
        alive,
        opened: false,
        missed: last.map(|last| Missed { app, id, last: last.into(), rows: VecDeque::new() }),
        seen: None,
    };
    let body = stream::unfold(reader, |mut reader| async move {
        reader.next().await.map(|text| (Ok::<_, Infallible>(text), reader))
    });
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        // Proxies must pass each event on as it comes.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Body::from_stream(body)).into_response())
}

struct Reader {
    subscription: Subscription,
    alive: Interval,
    opened: bool,
    missed: Option<Missed>,
    /// The place of the last event that was replayed.
    seen: Option<u64>,
}

/// What came after the event that `Last-Event-ID` names.
struct Missed {
    app: Arc<App>,
    id: SessionId,
    last: EventId,
    rows: VecDeque<Frame>,
}

impl Reader {
    async fn next(&mut self) -> Option<Bytes> {
        if !self.opened {
            self.opened = true;
            return Some(Bytes::from_static(b": open\n\n"));
        }
        if let Some(missed) = &mut self.missed {
            match missed.next().await {
                Ok(Some(frame)) => {
                    self.seen = frame.number;
                    return Some(bytes(&frame));
                }
                // An id that is not known is ignored: the reader has the history for that.
                Ok(None) | Err(StoreError::UnknownCursor) => self.missed = None,
                Err(_) => return None,
            }
        }
        loop {
            tokio::select! {
                frame = self.subscription.next() => {
                    let frame = frame?;
                    if frame.number.is_none() || frame.number > self.seen {
                        return Some(bytes(&frame));
                    }
                }
                _ = self.alive.tick() => return Some(Bytes::from_static(b": alive\n\n")),
            }
        }
    }
}

impl Missed {
    async fn next(&mut self) -> Result<Option<Frame>, StoreError> {
        if self.rows.is_empty() {
            let page = self.app.store.events(&self.id, Some(self.last.clone()), REPLAY).await?;
            for row in page.data {
                let kind = kind(&row.event);
                self.rows.push_back(Frame::event(row.number, &row.id, &kind, &row.event));
                self.last = row.id;
            }
        }
        Ok(self.rows.pop_front())
    }
}

fn kind(event: &str) -> String {
    let event: serde_json::Value = serde_json::from_str(event).unwrap_or_default();
    event.get("type").and_then(serde_json::Value::as_str).unwrap_or_default().to_owned()
}

fn bytes(frame: &Frame) -> Bytes {
    Bytes::copy_from_slice(frame.text.as_bytes())
}
