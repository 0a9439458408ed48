//! What a server does at its start with what the one before left.

use std::time::Duration;

use serde_json::Value;

use crate::rig::{Rig, Visitor};
use crate::suite::{message, result, short};

fn kinds(events: &[Value]) -> Vec<String> {
    events.iter().map(short).collect()
}

#[tokio::test]
async fn a_model_turn_that_was_interrupted_ends_in_an_error_before_the_server_listens() {
    let mut rig = Rig::with(|options| options.pace = Duration::from_secs(3600)).await;
    let visitor = rig.visitor().await;
    let session = visitor.session().await;
    visitor.post(&session, &[message("say x"), message("say y")]).await;
    rig.options.pace = Duration::ZERO;
    rig.restart().await;
    let visitor = Visitor { address: rig.address(), ..visitor };
    let expected = ["user.message", "session.status_running", "user.message", "session.error"];
    assert_eq!(kinds(&visitor.history(&session).await)[..4], expected);
    // The message that waited has its turn.
    let mut stream = visitor.stream(&session, &[]).await;
    while visitor.request("GET", &session, None).await.json()["status"] != "idle" {
        stream.until("session.status_idle").await;
    }
    let log = kinds(&visitor.history(&session).await);
    let expected = [
        "session.status_idle(retries_exhausted)",
        "session.status_running",
        "agent.message",
        "session.status_idle(end_turn)",
    ];
    assert_eq!(log[4..], expected);
}

#[tokio::test]
async fn k21_the_clock_of_a_call_goes_on_while_the_server_is_down_and_nobody_asks() {
    let mut rig = Rig::with(|options| options.client_tool_timeout = Duration::from_secs(30)).await;
    let visitor = rig.visitor().await;
    let (late, answered) = (visitor.session().await, visitor.session().await);
    let mut calls = Vec::new();
    for session in [&late, &answered] {
        let mut stream = visitor.stream(session, &[]).await;
        visitor.post(session, &[message("call one")]).await;
        calls.push(stream.until("agent.custom_tool_use").await.id.unwrap());
        stream.until("session.status_idle").await;
    }
    rig.stop().await;
    rig.options.clock.advance(Duration::from_secs(20));
    rig.restart().await;
    let visitor = Visitor { address: rig.address(), ..visitor };
    // Only streams are opened: the server itself has taken the sessions up.
    let mut stream = visitor.stream(&late, &[]).await;
    assert_eq!(visitor.post(&answered, &[result(&calls[1], "A")]).await.status, 200);
    rig.options.clock.advance(Duration::from_secs(11));
    let timed_out = stream.until("user.custom_tool_result").await;
    assert_eq!(timed_out.data["content"][0]["text"], "client tool timed out");
    stream.until("session.status_idle").await;
}

#[tokio::test]
async fn k21_a_call_whose_time_ran_out_while_the_server_was_down_is_answered_at_the_start() {
    let mut rig = Rig::new().await;
    let visitor = rig.visitor().await;
    let session = visitor.session().await;
    let mut stream = visitor.stream(&session, &[]).await;
    visitor.post(&session, &[message("call one")]).await;
    stream.until("session.status_idle").await;
    rig.stop().await;
    rig.options.clock.advance(Duration::from_secs(3600));
    rig.restart().await;
    let visitor = Visitor { address: rig.address(), ..visitor };
    let log = kinds(&visitor.history(&session).await);
    assert_eq!(log[4..6], ["user.custom_tool_result", "session.status_running"]);
}
