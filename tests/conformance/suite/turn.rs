//! WIRE.md, "A turn".

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Client, EventStream as _, Service, message, refused, result, said, short};

fn kinds(events: &[Value]) -> Vec<String> {
    events.iter().map(short).collect()
}

/// "`user.message` → `session.status_running` → … → `agent.message` → `session.status_idle{end_turn}`".
pub async fn a_turn_without_calls(service: &impl Service) {
    let client = Client::new(service).await;
    let events = client.say("say hello there").await;
    let expected =
        ["user.message", "session.status_running", "agent.message", "session.status_idle(end_turn)"];
    assert_eq!(kinds(&events), expected);
    assert_eq!(said(&events), "hello there");
    assert_eq!(client.history().await, events);
}

/// "`agent.custom_tool_use` (one or more) → `session.status_idle{requires_action}` → one
/// `user.custom_tool_result` for each id, in any order → `session.status_running`".
pub async fn a_turn_with_two_calls(service: &impl Service) {
    let client = Client::new(service).await;
    let mut stream = client.stream().await;
    client.post(&[message("call both")]).await;
    let events = client.settle(&mut stream).await;
    assert_eq!(
        kinds(&events),
        [
            "user.message",
            "session.status_running",
            "agent.custom_tool_use",
            "agent.custom_tool_use",
            "session.status_idle(requires_action)"
        ]
    );
    assert_eq!((&events[2]["name"], &events[2]["input"]), (&json!("one"), &json!({"n": 1})));
    assert_eq!((&events[3]["name"], &events[3]["input"]), (&json!("two"), &json!({})));
    assert_eq!(events[4]["stop_reason"]["event_ids"], json!([events[2]["id"], events[3]["id"]]));

    let ids = [&events[2]["id"], &events[3]["id"]].map(|id| id.as_str().expect("an id"));
    client.post(&[result(ids[1], "B"), result(ids[0], "A")]).await;
    let events = client.settle(&mut stream).await;
    assert_eq!(kinds(&events).last().map(String::as_str), Some("session.status_idle(end_turn)"));
    assert_eq!(said(&events), "one gave A, two gave B");
    assert!(kinds(&events).contains(&"session.status_running".to_owned()));
}

/// "Results answered in part: `session.status_idle{requires_action}` again, with the ids that are left."
pub async fn results_in_part_name_what_is_left(service: &impl Service) {
    let client = Client::new(service).await;
    let calls = client.calls("call both").await;
    let mut stream = client.stream().await;
    client.post(&[result(&calls[0], "A")]).await;
    let events = client.settle(&mut stream).await;
    assert_eq!(kinds(&events), ["user.custom_tool_result", "session.status_idle(requires_action)"]);
    assert_eq!(events[1]["stop_reason"]["event_ids"], json!([calls[1]]));
    client.post(&[result(&calls[1], "B")]).await;
    assert_eq!(said(&client.settle(&mut stream).await), "one gave A, two gave B");
}

/// "The **first result wins**. The same result again: 200 with the stored event. A different … one: 409".
pub async fn the_first_result_wins(service: &impl Service) {
    let client = Client::new(service).await;
    let calls = client.calls("call both").await;
    let stored = client.post(&[result(&calls[0], "A")]).await;
    let history = client.history().await;
    assert_eq!(client.post(&[result(&calls[0], "A")]).await, stored);
    let mut as_error = result(&calls[0], "A");
    as_error["is_error"] = json!(true);
    for different in [result(&calls[0], "B"), as_error] {
        refused(&client.try_post(&[different]).await, 409, "conflict_error");
    }
    refused(&client.try_post(&[result(&calls[1], "A"), result(&calls[0], "B")]).await, 409, "conflict_error");
    assert_eq!(client.history().await, history, "nothing is stored");
    // Also when the turn is over.
    let mut stream = client.stream().await;
    client.post(&[result(&calls[1], "B")]).await;
    client.settle(&mut stream).await;
    assert_eq!(client.post(&[result(&calls[0], "A")]).await, stored);
}

/// "An id that the session never issued: 400."
pub async fn a_result_for_no_call_is_400(service: &impl Service) {
    let client = Client::new(service).await;
    let other = Client::new(service).await;
    let foreign = other.calls("call one").await;
    let events = client.say("say x").await;
    let no_call = events[0]["id"].as_str().expect("an id");
    for id in ["sevt_none", no_call, foreign[0].as_str()] {
        refused(&client.try_post(&[result(id, "x")]).await, 400, "invalid_request_error");
    }
}

/// K21: "the service itself records `user.custom_tool_result` with `is_error` and `client tool timed out`, and the
/// turn goes on"; "A … late one (after the time-out): 409".
pub async fn k21_a_call_times_out_after_120_s_and_the_turn_goes_on(service: &impl Service) {
    let client = Client::new(service).await;
    let calls = client.calls("call both").await;
    client.post(&[result(&calls[0], "A")]).await;
    let history = client.history().await;
    service.pass(Duration::from_secs(115)).await;
    assert_eq!(client.history().await, history, "not before its time");
    let mut stream = client.stream().await;
    service.pass(Duration::from_secs(6)).await;
    let events = client.settle(&mut stream).await;
    assert_eq!(kinds(&events)[0], "user.custom_tool_result");
    assert_eq!(events[0]["custom_tool_use_id"], json!(calls[1]));
    assert_eq!(events[0]["content"], json!([{"type":"text","text":"client tool timed out"}]));
    assert_eq!(events[0]["is_error"], true);
    assert_eq!(kinds(&events).last().map(String::as_str), Some("session.status_idle(end_turn)"));
    assert!(said(&events).contains("two failed: client tool timed out"), "{}", said(&events));
    refused(&client.try_post(&[result(&calls[1], "B")]).await, 409, "conflict_error");
}

/// "a 120 s clock that survives a restart of the service".
pub async fn k21_a_deadline_survives_a_restart(service: &impl Service) {
    let client = Client::new(service).await;
    client.calls("call one").await;
    service.pass(Duration::from_secs(60)).await;
    if !service.restart().await {
        return;
    }
    service.pass(Duration::from_secs(55)).await;
    assert_eq!(client.log().await.last().map(String::as_str), Some("session.status_idle(requires_action)"));
    let mut stream = client.stream().await;
    service.pass(Duration::from_secs(6)).await;
    assert!(said(&client.settle(&mut stream).await).contains("client tool timed out"));
}

/// "A `user.message` while a turn runs, or waits for results, is stored at once and starts the next turn when this
/// one has ended"; "Messages that wait each get their own turn, in order."
pub async fn a_message_that_waits_gets_its_own_turn(service: &impl Service) {
    let client = Client::new(service).await;
    let calls = client.calls("call one").await;
    client.post(&[message("say second")]).await;
    client.post(&[message("say third")]).await;
    assert_eq!(kinds(&client.history().await)[4..], ["user.message", "user.message"]);
    let mut stream = client.stream().await;
    client.post(&[result(&calls[0], "A")]).await;
    for answer in ["one gave A", "second", "third"] {
        let events = client.settle(&mut stream).await;
        assert_eq!(said(&events), answer);
        assert!(kinds(&events).contains(&"session.status_running".to_owned()));
    }
    assert_eq!(client.describe().await["status"], "idle");
}

/// "`user.interrupt` ends the turn: waiting calls are answered with the error result `interrupted by the user`, …
/// then `session.status_idle{end_turn}`".
pub async fn an_interrupt_answers_what_waits_and_ends_the_turn(service: &impl Service) {
    let client = Client::new(service).await;
    let calls = client.calls("call both").await;
    client.post(&[result(&calls[0], "A")]).await;
    let mut stream = client.stream().await;
    client.post(&[json!({"type":"user.interrupt"})]).await;
    let events = client.settle(&mut stream).await;
    assert_eq!(
        kinds(&events),
        ["user.interrupt", "user.custom_tool_result", "session.status_idle(end_turn)"]
    );
    assert_eq!(events[1]["custom_tool_use_id"], json!(calls[1]));
    assert_eq!(events[1]["content"][0]["text"], "interrupted by the user");
    assert_eq!(events[1]["is_error"], true);
    refused(&client.try_post(&[result(&calls[1], "B")]).await, 409, "conflict_error");
    assert_eq!(said(&client.say("say on we go").await), "on we go");
}

/// "It ends only the turn that runs; messages that wait then start theirs".
pub async fn an_interrupt_ends_only_the_turn_that_runs(service: &impl Service) {
    let client = Client::new(service).await;
    client.calls("call one").await;
    client.post(&[message("say waited")]).await;
    let mut stream = client.stream().await;
    client.post(&[json!({"type":"user.interrupt"})]).await;
    client.settle(&mut stream).await;
    assert_eq!(said(&client.settle(&mut stream).await), "waited");
}

/// "with no turn it is stored and does nothing".
pub async fn an_interrupt_without_a_turn_does_nothing(service: &impl Service) {
    let client = Client::new(service).await;
    client.post(&[json!({"type":"user.interrupt"})]).await;
    assert_eq!(client.log().await, ["user.interrupt"]);
    assert_eq!(client.describe().await["status"], "idle");
}

/// K18: "never reaches a later turn: only the current turn's message has it".
pub async fn k18_page_context_never_reaches_a_later_turn(service: &impl Service) {
    let client = Client::new(service).await;
    let mut stream = client.stream().await;
    let mut asked = message("which page is it?");
    asked["page_context"] = json!([{"name":"page","value":"<3> & \"four\""}]);
    client.post(&[asked]).await;
    assert_eq!(said(&client.settle(&mut stream).await), "the page is <3> & \"four\"");
    client.post(&[message("which page is it?")]).await;
    assert_eq!(said(&client.settle(&mut stream).await), "no page");
}

/// "`title` is set once, from the first message (60 characters)."
pub async fn the_title_is_the_first_message(service: &impl Service) {
    let client = Client::new(service).await;
    client.say(&["say ", &"课".repeat(80)].concat()).await;
    let title = ["say ", &"课".repeat(56)].concat();
    assert_eq!(client.describe().await["title"], title);
    client.say("say something else").await;
    assert_eq!(client.describe().await["title"], title);
}

/// A result with `is_error` is an error for the model.
pub async fn an_error_result_reaches_the_model(service: &impl Service) {
    let client = Client::new(service).await;
    let calls = client.calls("call one").await;
    let mut stream = client.stream().await;
    let mut error = result(&calls[0], "no such thing");
    error["is_error"] = json!(true);
    client.post(&[error]).await;
    assert_eq!(said(&client.settle(&mut stream).await), "one failed: no such thing");
}

/// Sessions survive a restart of the service; ids are never used again.
pub async fn a_restart_loses_nothing_and_repeats_no_id(service: &impl Service) {
    let client = Client::new(service).await;
    client.say("say x").await;
    let calls = client.calls("call one").await;
    let (session, history) = (client.describe().await, client.history().await);
    if !service.restart().await {
        return;
    }
    assert_eq!(client.describe().await, session);
    assert_eq!(client.history().await, history);
    let mut stream = client.stream().await;
    client.post(&[result(&calls[0], "A")]).await;
    assert_eq!(said(&client.settle(&mut stream).await), "one gave A");
    client.post(&[message("say y")]).await;
    // From the stream, up to the message's own turn.
    while short(&stream.next().await.data) != "session.status_idle(end_turn)" {}
    let history = client.history().await;
    let ids: BTreeSet<_> = history.iter().map(|event| event["id"].as_str().expect("an id")).collect();
    assert_eq!(ids.len(), history.len());
}
