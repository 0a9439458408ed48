//! WIRE.md, "The stream", as bytes.

use serde_json::json;

use crate::rig::{Rig, Visitor};
use crate::suite::message;

#[tokio::test]
async fn a_stream_is_open_at_its_headers_and_says_so_at_once() {
    let rig = Rig::new().await;
    let visitor = rig.visitor().await;
    let session = visitor.session().await;
    let mut stream = visitor.stream(&session, &[]).await;
    let header = |name: &str| stream.response.headers().get(name).unwrap().to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "text/event-stream");
    assert_eq!(header("cache-control"), "no-store");
    // Posted after the headers, so it comes; the comment came before anything was posted.
    assert_eq!(stream.block().await.as_deref(), Some(": open"));
    visitor.post(&session, &[message("say x")]).await;
    let block = stream.block().await.unwrap();
    let lines: Vec<_> = block.lines().collect();
    let stored = &visitor.history(&session).await[0];
    assert_eq!(lines[0], format!("id: {}", stored["id"].as_str().unwrap()));
    assert_eq!(lines[1], "event: user.message");
    assert_eq!(lines[2], format!("data: {stored}"));
    assert_eq!(lines.len(), 3);
}

#[tokio::test]
async fn last_event_id_replays_what_came_after_and_nothing_twice() {
    let rig = Rig::new().await;
    let visitor = rig.visitor().await;
    let session = visitor.session().await;
    let mut stream = visitor.stream(&session, &[]).await;
    for text in ["say one", "say two"] {
        visitor.post(&session, &[message(text)]).await;
        stream.until("session.status_idle").await;
    }
    drop(stream);
    let history = visitor.history(&session).await;
    for missed in 0..history.len() {
        let last = history[missed]["id"].as_str().unwrap();
        let mut stream = visitor.stream(&session, &[("last-event-id", last)]).await;
        for event in &history[missed + 1..] {
            assert_eq!(&stream.frame().await.unwrap().data, event);
        }
        visitor.post(&session, &[json!({"type":"user.interrupt"})]).await;
        assert_eq!(stream.frame().await.unwrap().event, "user.interrupt");
        if missed + 1 < history.len() {
            // What is live while the replay goes on comes once.
            let history = visitor.history(&session).await;
            let mut stream = visitor.stream(&session, &[("last-event-id", last)]).await;
            visitor.post(&session, &[json!({"type":"user.interrupt"})]).await;
            let new = visitor.history(&session).await;
            assert_eq!(new.len(), history.len() + 1);
            for event in &new[missed + 1..] {
                assert_eq!(&stream.frame().await.unwrap().data, event);
            }
            let next = visitor.post(&session, &[json!({"type":"user.interrupt"})]).await.json();
            assert_eq!(stream.frame().await.unwrap().data, next["data"][0], "one came twice");
        }
    }
    // One that is not known is ignored.
    let mut stream = visitor.stream(&session, &[("last-event-id", "sevt_none")]).await;
    visitor.post(&session, &[message("say new")]).await;
    assert_eq!(stream.frame().await.unwrap().data["content"][0]["text"], "say new");
}

#[tokio::test]
async fn a_stream_ends_when_its_session_is_deleted() {
    let rig = Rig::new().await;
    let visitor = rig.visitor().await;
    let session = visitor.session().await;
    let mut stream = visitor.stream(&session, &[]).await;
    assert_eq!(visitor.request("DELETE", &session, None).await.status, 200);
    assert!(stream.frame().await.is_none());
}

#[tokio::test]
async fn a_session_that_is_deleted_in_the_middle_of_a_turn_is_gone() {
    let rig = Rig::with(|options| options.pace = std::time::Duration::from_millis(50)).await;
    let visitor = rig.visitor().await;
    let session = visitor.session().await;
    let mut stream = visitor.stream(&session, &[]).await;
    visitor.post(&session, &[message("say a b c d e f g h")]).await;
    stream.until("event_delta").await;
    assert_eq!(visitor.request("DELETE", &session, None).await.status, 200);
    while stream.frame().await.is_some() {}
    visitor.post(&session, &[message("say x")]).await.refused(404, "not_found_error");
    visitor.request("GET", &session, None).await.refused(404, "not_found_error");
}

#[tokio::test]
async fn stopping_ends_the_streams_and_lets_requests_end() {
    let mut rig = Rig::new().await;
    let visitor = rig.visitor().await;
    let session = visitor.session().await;
    let mut streams = Vec::new();
    for _ in 0..3 {
        streams.push(visitor.stream(&session, &[]).await);
    }
    visitor.post(&session, &[message("say x")]).await;
    rig.stop().await;
    for stream in &mut streams {
        assert_eq!(stream.frame().await.unwrap().event, "user.message");
        while stream.frame().await.is_some() {}
    }
    assert!(visitor.client.get(&visitor.address).send().await.is_err(), "nobody listens any more");
    rig.restart().await;
    let again = Visitor { address: rig.address(), ..visitor };
    assert_eq!(again.history(&session).await[0]["content"][0]["text"], "say x");
}
