//! WIRE.md, "The stream", and its previews.

use serde_json::{Value, json};

use super::{Client, EventStream, Frame, Service, message};

/// Frames up to the first idle, previews included.
async fn frames(stream: &mut impl EventStream) -> Vec<Frame> {
    let mut frames = Vec::new();
    while frames.last().is_none_or(|frame: &Frame| frame.event != "session.status_idle") {
        frames.push(stream.next().await);
    }
    frames
}

fn stored(frames: &[Frame]) -> Vec<Value> {
    frames.iter().filter(|frame| frame.id.is_some()).map(|frame| frame.data.clone()).collect()
}

/// "live events from now on".
pub async fn a_stream_brings_what_is_stored_from_its_opening_on(service: &impl Service) {
    let client = Client::new(service).await;
    client.say("say before").await;
    let before = client.history().await.len();
    let mut stream = client.stream().await;
    client.post(&[message("say after")]).await;
    let frames = frames(&mut stream).await;
    assert_eq!(stored(&frames), client.history().await[before..]);
}

/// "`id:` is the event's id (none on previews), `event:` its type, `data:` its JSON".
pub async fn each_frame_carries_id_type_and_the_stored_event(service: &impl Service) {
    let client = Client::new(service).await;
    let mut stream = client.stream().await;
    client.post(&[message("call both")]).await;
    for frame in frames(&mut stream).await {
        assert_eq!(frame.data["type"], frame.event.as_str());
        let preview = frame.event.starts_with("event_");
        assert_eq!(frame.id.is_none(), preview, "{frame:?}");
        assert_eq!(frame.id.as_deref(), frame.data["id"].as_str());
        assert!(preview || frame.data["processed_at"].is_string());
    }
}

/// "The stored `agent.message` with the same id replaces the preview"; previews are "never stored, never replayed".
pub async fn previews_show_the_message_before_it_is_stored(service: &impl Service) {
    let client = Client::new(service).await;
    let mut stream = client.stream().await;
    client.post(&[message("say 你好 and **hello**, 3 times")]).await;
    let frames = frames(&mut stream).await;
    let message = frames.iter().find(|frame| frame.event == "agent.message").expect("a message");
    let id = message.id.as_deref().expect("an id");
    let previews: Vec<_> =
        frames.iter().filter(|frame| frame.id.is_none()).map(|frame| &frame.data).collect();
    assert_eq!(previews[0], &json!({"type":"event_start","event":{"type":"agent.message","id":id}}));
    let mut text = String::new();
    for preview in &previews[1..] {
        let piece = preview["delta"]["content"]["text"].as_str().expect("a text");
        assert_eq!(
            *preview,
            &json!({"type":"event_delta","event_id":id,
                    "delta":{"type":"content_delta","index":0,"content":{"type":"text","text":piece}}})
        );
        text.push_str(piece);
    }
    assert!(previews.len() > 3, "it does not stream");
    assert_eq!(json!(text), message.data["content"][0]["text"]);
    let last_preview = frames.iter().rposition(|frame| frame.id.is_none());
    assert!(last_preview < frames.iter().position(|frame| frame.event == "agent.message"));
    assert!(client.history().await.iter().all(|event| event["id"].is_string()));
}

/// Every open stream of a session brings its events, and no other session's.
pub async fn all_streams_bring_the_same_events(service: &impl Service) {
    let (client, other) = (Client::new(service).await, Client::new(service).await);
    let (mut first, mut second) = (client.stream().await, client.stream().await);
    let mut foreign = other.stream().await;
    client.post(&[message("say x")]).await;
    let events = stored(&frames(&mut first).await);
    assert_eq!(stored(&frames(&mut second).await), events);
    other.post(&[message("say y")]).await;
    assert_eq!(stored(&frames(&mut foreign).await), other.history().await);
}
