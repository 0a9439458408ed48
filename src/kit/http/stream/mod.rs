//! A session's live stream: server-sent events, read with `fetch` because an `EventSource` cannot send the token.

use std::collections::VecDeque;
use std::num::NonZeroUsize;

use futures_util::StreamExt;
use futures_util::stream::unfold;
use serde_json::Value;
use sse_core::{SseDecoder, SseEvent};

use super::client::{Body, Client, Request};
use super::{answer, words};
use crate::kit::backend::{BackendError, EventStream, StreamItem};
use crate::protocol::event::EventError;
use crate::protocol::{Event, Preview};

/// More than the JSON text of any event that a service takes, with every character escaped.
const LONGEST_EVENT: NonZeroUsize = NonZeroUsize::new(32 << 20).unwrap();

/// Opens the stream; it is open when the answer's headers have come.
pub(super) async fn open(client: &Client, request: &Request) -> Result<EventStream, BackendError> {
    let answer = client.send(request, "text/event-stream").await?;
    let kind = answer.header("content-type");
    if !kind.trim_start().to_ascii_lowercase().starts_with("text/event-stream") {
        let problem = ["expected text/event-stream, got ", &kind].concat();
        return Err(answer::malformed(&request.place(), &problem));
    }
    let body = answer.body().ok_or_else(|| answer::malformed(&request.place(), &"no body"))?;
    let reading = Reading { body, decoder: Decoder::new(), items: VecDeque::new() };
    let items = unfold(Some(reading), |reading| async {
        let mut reading = reading?;
        match reading.next().await? {
            Ok(item) => Some((Ok(item), Some(reading))),
            // After an error nothing comes.
            Err(error) => Some((Err(error), None)),
        }
    });
    Ok(items.boxed_local())
}

/// A body that is being read.
struct Reading {
    body: Body,
    decoder: Decoder,
    items: VecDeque<StreamItem>,
}

impl Reading {
    async fn next(&mut self) -> Option<Result<StreamItem, BackendError>> {
        loop {
            if let Some(item) = self.items.pop_front() {
                return Some(Ok(item));
            }
            let bytes = match self.body.read().await {
                Ok(bytes) => bytes?,
                Err(_) => return Some(Err(BackendError::Network(words::BROKE.to_owned()))),
            };
            if let Err(error) = self.decoder.decode(&bytes, &mut self.items) {
                return Some(Err(error));
            }
        }
    }
}

/// Makes items of bytes, wherever the reads end.
///
/// `sse-core` passes every check below, as of six parsers only `sse-parse` does besides, which has had one release.
/// (`eventsource-stream` panics at a BOM and merges events that end in CR CR, `eventsrc` loses those, and they,
/// `sseer` and `sse-stream` give up at a byte that is not UTF-8.)
struct Decoder(SseDecoder);

impl Decoder {
    fn new() -> Self {
        Self(SseDecoder::with_limit(LONGEST_EVENT))
    }

    /// Adds what `bytes` bring to `items`: at least a sign of life.
    ///
    /// An event that cannot be read ends the stream. Leaving it out could lose a result; opened anew, the history
    /// has it or says what is wrong with it.
    fn decode(&mut self, mut bytes: &[u8], items: &mut VecDeque<StreamItem>) -> Result<(), BackendError> {
        let before = items.len();
        while let Some(event) = self.0.next(&mut bytes) {
            match event {
                Ok(SseEvent::Message(message)) => items.push_back(read_item(&message.data)?),
                // When to open it again is the conversation's to decide.
                Ok(SseEvent::Retry(_)) => {}
                Err(error) => return Err(answer::malformed("the stream", &error)),
            }
        }
        if items.len() == before {
            items.push_back(StreamItem::Heartbeat);
        }
        Ok(())
    }
}

/// The item that an event's data is. What is no object with a known type, a proxy's sign of life for one, shows
/// that the connection lives, and no more.
fn read_item(data: &str) -> Result<StreamItem, BackendError> {
    let value: Value = serde_json::from_str(data).unwrap_or_default();
    if let Some(preview) = Preview::from_json(&value) {
        return Ok(StreamItem::Preview(preview));
    }
    if value.get("type").is_none() {
        return Ok(StreamItem::Heartbeat);
    }
    match Event::from_json(&value) {
        Ok(event) => Ok(StreamItem::Event(event)),
        Err(EventError::UnknownType(_)) => Ok(StreamItem::Heartbeat),
        Err(EventError::Malformed(error)) => Err(answer::malformed("the stream", &error)),
    }
}

#[cfg(test)]
mod tests;
