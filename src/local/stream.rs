//! Streams of a session, each with its sign of life.

use futures_channel::mpsc::{UnboundedSender, unbounded};
use futures_util::StreamExt;
use gloo::timers::callback::Interval;

use crate::kit::backend::{BackendError, EventStream, StreamItem};

/// How often a stream shows that it lives, in milliseconds.
const HEARTBEAT: u32 = 15_000;

/// The end of a stream that items go into.
#[derive(Clone, Debug)]
pub(super) struct StreamSender(UnboundedSender<Result<StreamItem, BackendError>>);

/// A new stream, which keeps `kept` until it is dropped.
pub(super) fn stream<T: 'static>(kept: impl FnOnce(&StreamSender) -> T) -> (StreamSender, EventStream) {
    let (sender, items) = unbounded();
    let sender = StreamSender(sender);
    let heartbeat = {
        let sender = sender.clone();
        Interval::new(HEARTBEAT, move || {
            sender.send(StreamItem::Heartbeat);
        })
    };
    let kept = (heartbeat, kept(&sender));
    let items = items.map(move |item| {
        let _ = &kept;
        item
    });
    (sender, items.boxed_local())
}

impl StreamSender {
    /// Sends an item; says whether anybody still reads.
    pub fn send(&self, item: StreamItem) -> bool {
        self.0.unbounded_send(Ok(item)).is_ok()
    }

    /// Ends the stream, with the reason where there is one.
    pub fn end(self, reason: Option<BackendError>) {
        if let Some(reason) = reason {
            let _ = self.0.unbounded_send(Err(reason));
        }
        self.0.close_channel();
    }

    /// Whether anybody still reads.
    pub fn is_read(&self) -> bool {
        !self.0.is_closed()
    }
}
