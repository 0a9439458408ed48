//! What WIRE.md promises, as checks against any service that answers as the tutor ([`agent`]).
//!
//! The checks see what a client sees: statuses, JSON bodies, frames of the stream. Each names its rule. They make
//! sessions of their own, so that they can run against a service that others use at the same time.

pub mod endpoints;
pub mod events;
pub mod stream;
pub mod turn;

use std::time::Duration;

use praxis::protocol::tutor_script::TutorScript;
use praxis::protocol::{AgentDefinition, ToolDeclaration};
use serde_json::{Value, json};

/// An agent service, as a client reaches it.
#[allow(async_fn_in_trait, reason = "checks run on one thread")]
pub trait Service {
    /// An open stream.
    type Stream: EventStream;

    /// A request without a stream: `POST /v1/sessions`, say, with its query.
    async fn request(&self, method: &str, path: &str, body: Option<&str>) -> Answer;
    /// `GET /v1/sessions/{id}/events/stream`; returns when it is open.
    async fn open_stream(&self, session: &str) -> Self::Stream;
    /// Lets so much time pass for the service: by its clock, or by waiting.
    async fn pass(&self, time: Duration);
    /// Ends the service and starts it again with what it stored; says whether it can.
    async fn restart(&self) -> bool;
}

/// A session's live events.
#[allow(async_fn_in_trait, reason = "checks run on one thread")]
pub trait EventStream {
    /// The next frame; comments are left out. Fails the check when none comes.
    async fn next(&mut self) -> Frame;
}

/// What a request is answered with.
#[derive(Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Value,
}

/// One server-sent event.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// `id:`
    pub id: Option<String>,
    /// `event:`
    pub event: String,
    /// `data:`, which is JSON.
    pub data: Value,
}

/// Gives the macro `$run` the list of all checks.
macro_rules! every_check {
    ($run:ident) => {
        $run! {
            endpoints::a_new_session_is_idle_and_has_no_title,
            endpoints::an_agent_that_is_not_known_is_404,
            endpoints::sessions_are_listed_newest_first_page_by_page,
            endpoints::an_unknown_session_is_404,
            endpoints::a_deleted_session_is_gone,
            endpoints::a_limit_outside_1_to_1000_is_400,
            endpoints::events_are_paged_oldest_first,
            endpoints::an_unknown_cursor_is_400,
            endpoints::an_unknown_path_is_404_and_a_wrong_method_405,
            events::a_post_is_answered_with_the_stored_events,
            events::unknown_fields_are_ignored,
            events::a_batch_is_all_or_nothing,
            events::only_the_service_writes_its_events,
            events::malformed_events_are_400_and_name_the_field,
            events::k19_a_browser_may_not_post_trusted_facts,
            events::k17_page_context_above_its_limits_is_400,
            events::a_result_has_at_most_1_mib,
            events::a_body_is_nested_at_most_128_deep,
            events::a_body_above_4_mib_is_413,
            turn::a_turn_without_calls,
            turn::a_turn_with_two_calls,
            turn::results_in_part_name_what_is_left,
            turn::the_first_result_wins,
            turn::a_result_for_no_call_is_400,
            turn::k21_a_call_times_out_after_120_s_and_the_turn_goes_on,
            turn::k21_a_deadline_survives_a_restart,
            turn::a_message_that_waits_gets_its_own_turn,
            turn::an_interrupt_answers_what_waits_and_ends_the_turn,
            turn::an_interrupt_ends_only_the_turn_that_runs,
            turn::an_interrupt_without_a_turn_does_nothing,
            turn::k18_page_context_never_reaches_a_later_turn,
            turn::the_title_is_the_first_message,
            turn::an_error_result_reaches_the_model,
            turn::a_restart_loses_nothing_and_repeats_no_id,
            stream::a_stream_brings_what_is_stored_from_its_opening_on,
            stream::each_frame_carries_id_type_and_the_stored_event,
            stream::previews_show_the_message_before_it_is_stored,
            stream::all_streams_bring_the_same_events,
        }
    };
}

/// The agent that the service must have: its tools do nothing, its script says and calls what the checks want.
pub fn agent() -> AgentDefinition {
    let tool = |name: &str| json!({"type":"custom","name":name,"description":"A tool of the suite.","input_schema":{"type":"object"}});
    let both = |text: &str| json!({"zh-CN": text, "en": text});
    let script = json!({
        "intents": [
            {"patterns": ["say {text}"], "answer": both("{text}")},
            {"patterns": ["call one"], "calls": [{"tool": "one", "input": {"n": 1}}],
             "answer": both("one gave {one}"), "missing": both("one gave nothing")},
            {"patterns": ["call both"], "calls": [{"tool": "one", "input": {"n": 1}}, {"tool": "two"}],
             "answer": both("one gave {one}, two gave {two}")},
            {"patterns": ["call quietly"], "calls": [{"tool": "one"}], "answer": both("done")},
            {"patterns": ["which page"], "answer": both("the page is {page.page}"), "missing": both("no page")},
        ],
        "failed": both("{tool} failed: {error}"),
        "fallback": both("what?"),
    });
    AgentDefinition {
        name: "conformance".to_owned(),
        instructions: None,
        tools: ToolDeclaration::list_from_json(&[tool("one"), tool("two")], &[]).expect("the suite's tools"),
        script: Some(TutorScript::from_json(&script).expect("the suite's script")),
    }
}

/// A session of a check's own, and what a client does with it.
pub struct Client<'a, S> {
    service: &'a S,
    /// The session's id.
    pub session: String,
}

impl<'a, S: Service> Client<'a, S> {
    /// Makes a session.
    pub async fn new(service: &'a S) -> Self {
        let answer = service.request("POST", "/v1/sessions", Some("{}")).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        Self { service, session: answer.body["id"].as_str().expect("an id").to_owned() }
    }

    fn path(&self, rest: &str) -> String {
        format!("/v1/sessions/{}{rest}", self.session)
    }

    /// The session as it is now.
    pub async fn describe(&self) -> Value {
        let answer = self.service.request("GET", &self.path(""), None).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.body
    }

    /// Posts events, whatever comes of it.
    pub async fn try_post(&self, events: &[Value]) -> Answer {
        self.post_body(&json!({ "events": events }).to_string()).await
    }

    /// Posts a body, whatever comes of it.
    pub async fn post_body(&self, body: &str) -> Answer {
        self.service.request("POST", &self.path("/events"), Some(body)).await
    }

    /// Posts events that must be accepted; gives the stored ones.
    pub async fn post(&self, events: &[Value]) -> Vec<Value> {
        let answer = self.try_post(events).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let stored = answer.body["data"].as_array().expect("a list of events").clone();
        assert_eq!(stored.len(), events.len(), "one stored event for each posted one");
        stored
    }

    /// Opens the stream.
    pub async fn stream(&self) -> S::Stream {
        self.service.open_stream(&self.session).await
    }

    /// The whole history.
    pub async fn history(&self) -> Vec<Value> {
        pages(self.service, &self.path("/events"), 1000).await
    }

    /// The history's types, with stop reasons: `session.status_idle(end_turn)`.
    pub async fn log(&self) -> Vec<String> {
        self.history().await.iter().map(short).collect()
    }

    /// Says something and waits until the service has nothing more to do: until the session is idle.
    pub async fn say(&self, text: &str) -> Vec<Value> {
        let mut stream = self.stream().await;
        self.post(&[message(text)]).await;
        self.settle(&mut stream).await
    }

    /// Reads the stream up to the next idle; gives what was stored until then.
    pub async fn settle(&self, stream: &mut S::Stream) -> Vec<Value> {
        let mut events = Vec::new();
        loop {
            let frame = stream.next().await;
            if frame.id.is_none() {
                continue; // A preview.
            }
            let idle = frame.event == "session.status_idle";
            events.push(frame.data);
            if idle {
                return events;
            }
        }
    }

    /// Has the agent call, and gives the calls' ids.
    pub async fn calls(&self, text: &str) -> Vec<String> {
        let events = self.say(text).await;
        let calls = events.iter().filter(|event| event["type"] == "agent.custom_tool_use");
        calls.map(|call| call["id"].as_str().expect("an id").to_owned()).collect()
    }
}

/// Everything that a paged list has.
pub async fn pages<S: Service>(service: &S, path: &str, limit: usize) -> Vec<Value> {
    let (mut all, mut query) = (Vec::new(), format!("?limit={limit}"));
    loop {
        let answer = service.request("GET", &[path, &query].concat(), None).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let data = answer.body["data"].as_array().expect("a list");
        assert!(data.len() <= limit);
        all.extend(data.iter().cloned());
        match answer.body.get("next_page").expect("a next_page") {
            Value::Null => return all,
            page => {
                // Cursors are opaque: whatever is in them is encoded.
                let page = page.as_str().expect("a cursor");
                let encoded: String = page.bytes().map(|byte| format!("%{byte:02X}")).collect();
                query = format!("?limit={limit}&page={encoded}");
            }
        }
    }
}

/// A message of the person.
pub fn message(text: &str) -> Value {
    json!({"type":"user.message","content":[{"type":"text","text":text}]})
}

/// A call's result.
pub fn result(call: &str, text: &str) -> Value {
    json!({"type":"user.custom_tool_result","custom_tool_use_id":call,"content":[{"type":"text","text":text}],"is_error":false})
}

/// An event's type, with its stop reason.
pub fn short(event: &Value) -> String {
    let kind = event["type"].as_str().expect("a type").to_owned();
    let reason = &event["stop_reason"];
    match reason["type"].as_str().or(reason.as_str()) {
        Some(reason) => format!("{kind}({reason})"),
        None => kind,
    }
}

/// The text of the only message of the agent among `events`.
pub fn said(events: &[Value]) -> String {
    let mut messages = events.iter().filter(|event| event["type"] == "agent.message");
    let text =
        messages.next().expect("a message of the agent")["content"][0]["text"].as_str().expect("a text");
    assert!(messages.next().is_none(), "more than one message: {events:#?}");
    text.to_owned()
}

/// Checks that a request was refused, and gives the message.
pub fn refused(answer: &Answer, status: u16, kind: &str) -> String {
    assert_eq!(answer.status, status, "{answer:?}");
    assert_eq!(answer.body["type"], "error");
    assert_eq!(answer.body["error"]["type"], kind);
    answer.body["error"]["message"].as_str().expect("a message").to_owned()
}
