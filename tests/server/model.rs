//! A model behind HTTP: a server of the test's own that streams, cuts, refuses, and sees its connection closed.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Router, body};
use futures_util::stream::unfold;
use praxis::service::model::ag_ui;
use praxis::service::model::run::{Endpoint, SILENCE};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};

use crate::program::{self, Program};
use crate::rig::{Folder, Rig, Stream, Visitor};
use crate::suite::{message, result, short};

const KEY: &str = "sk-the-tests-own";

/// What comes, or the test gives up.
async fn soon<T>(coming: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(30), coming).await.expect("it comes")
}

/// A model's server, which answers as the test says.
struct Peer {
    url: String,
    asked: mpsc::UnboundedReceiver<Asked>,
}

/// A request that waits for its answer.
struct Asked {
    headers: HeaderMap,
    body: Value,
    reply: oneshot::Sender<Response>,
}

/// An answer that is being written.
struct Writing(mpsc::Sender<Result<Bytes, Infallible>>);

impl Peer {
    async fn start() -> Self {
        let (sender, asked) = mpsc::unbounded_channel();
        let answer = move |request: Request| {
            let sender = sender.clone();
            async move {
                let (parts, text) = request.into_parts();
                let text = body::to_bytes(text, usize::MAX).await.unwrap();
                let (reply, answer) = oneshot::channel();
                let body = serde_json::from_slice(&text).unwrap();
                sender.send(Asked { headers: parts.headers, body, reply }).unwrap();
                answer.await.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
            }
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/run", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
        Self { url, asked }
    }

    /// A server whose model this is, and somebody who has a session there.
    async fn rig(&self) -> (Rig, Visitor, String, Stream) {
        let headers = vec![("authorization".to_owned(), format!("Bearer {KEY}"))];
        let endpoint = Endpoint::AgUi(ag_ui::Settings { url: self.url.clone(), headers });
        let rig = Rig::with(|options| options.model = Some(endpoint)).await;
        let visitor = rig.visitor().await;
        let session = visitor.session().await;
        let stream = visitor.stream(&session, &[]).await;
        (rig, visitor, session, stream)
    }

    async fn asked(&mut self) -> Asked {
        soon(self.asked.recv()).await.expect("the peer runs")
    }
}

impl Asked {
    fn answer(self, response: impl IntoResponse) {
        self.reply.send(response.into_response()).expect("the answer is waited for");
    }

    fn refuse(self, status: u16, body: Value) {
        let status = StatusCode::from_u16(status).unwrap();
        self.answer((status, [(header::CONTENT_TYPE, "application/json")], body.to_string()));
    }

    /// Begins a stream, with the run's first event.
    async fn stream(self) -> Writing {
        let (sender, receiver) = mpsc::channel(1);
        let pieces = unfold(receiver, |mut pieces| async { Some((pieces.recv().await?, pieces)) });
        let start = json!({"type":"RUN_STARTED","threadId":self.body["threadId"],"runId":self.body["runId"]});
        self.answer(([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(pieces)));
        let writing = Writing(sender);
        writing.event(start).await;
        writing
    }
}

impl Writing {
    async fn raw(&self, text: &str) {
        self.0.send(Ok(Bytes::copy_from_slice(text.as_bytes()))).await.expect("somebody reads");
    }

    async fn event(&self, event: Value) {
        self.raw(&format!("data: {event}\n\n")).await;
    }

    async fn text(&self, text: &str) {
        self.event(json!({"type":"TEXT_MESSAGE_CHUNK","messageId":"m","role":"assistant","delta":text}))
            .await;
    }

    async fn end(self) {
        self.event(json!({"type":"RUN_FINISHED"})).await;
    }
}

/// What happened in a session, in short.
async fn log(visitor: &Visitor, session: &str) -> Vec<String> {
    visitor.history(session).await.iter().map(short).collect()
}

fn find<'a>(history: &'a [Value], kind: &str) -> &'a Value {
    history.iter().find(|event| event["type"] == kind).unwrap_or_else(|| panic!("no {kind}: {history:#?}"))
}

#[tokio::test]
async fn e15_an_answer_streams_and_a_call_goes_to_the_page_and_back() {
    let mut peer = Peer::start().await;
    let (_rig, visitor, session, mut stream) = peer.rig().await;
    visitor.post(&session, &[message("hello")]).await;

    let asked = peer.asked().await;
    assert_eq!(asked.headers[header::AUTHORIZATION], format!("Bearer {KEY}"));
    assert!(asked.headers[header::CONTENT_TYPE].to_str().unwrap().starts_with("application/json"));
    assert_eq!(asked.body["messages"].as_array().unwrap().last().unwrap()["content"], "hello");
    let writing = asked.stream().await;
    writing.text("I will ").await;
    // A piece is shown before the next is written, wherever the reads end.
    let piece = stream.until("event_delta").await.data;
    assert_eq!(piece["delta"]["content"]["text"], "I will ");
    writing.text("look.").await;
    let name = "one";
    writing.event(json!({"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":name})).await;
    writing.event(json!({"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{\"n\":1}"})).await;
    writing.event(json!({"type":"TOOL_CALL_END","toolCallId":"c1"})).await;
    writing.end().await;

    let call = stream.until("agent.custom_tool_use").await;
    assert_eq!((&call.data["name"], &call.data["input"]), (&json!(name), &json!({"n":1})));
    let id = call.data["id"].as_str().unwrap();
    assert_eq!(visitor.post(&session, &[result(id, "seen")]).await.status, 200);
    let asked = peer.asked().await;
    let last = asked.body["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&last["role"], &last["content"], &last["toolCallId"]),
        (&json!("tool"), &json!("seen"), &json!("c1"))
    );
    let writing = asked.stream().await;
    writing.text("Done.").await;
    writing.end().await;
    stream.until("agent.message").await;
    stream.until("session.status_idle").await;
    assert_eq!(log(&visitor, &session).await.last().unwrap(), "session.status_idle(end_turn)");
}

#[tokio::test]
async fn e15_what_passes_is_asked_again() {
    let mut peer = Peer::start().await;
    let (_rig, visitor, session, mut stream) = peer.rig().await;
    visitor.post(&session, &[message("hello")]).await;
    let asked = peer.asked().await;
    let body = asked.body.clone();
    let again = || [(header::RETRY_AFTER, "0")];
    asked.answer((StatusCode::TOO_MANY_REQUESTS, again(), "later"));
    let asked = peer.asked().await;
    assert_eq!(asked.body, body, "it is the same request");
    asked.answer((StatusCode::SERVICE_UNAVAILABLE, again(), "later"));
    let writing = peer.asked().await.stream().await;
    writing.text("Here I am.").await;
    writing.end().await;
    let said = stream.until("agent.message").await;
    assert_eq!(said.data["content"][0]["text"], "Here I am.");
}

#[tokio::test]
async fn e15_a_retry_after_is_waited_for() {
    let mut peer = Peer::start().await;
    let (rig, visitor, session, mut stream) = peer.rig().await;
    visitor.post(&session, &[message("hello")]).await;
    let soon = [(header::RETRY_AFTER, "30")];
    peer.asked().await.answer((StatusCode::TOO_MANY_REQUESTS, soon, "later"));
    let told = stream.until("session.error").await.data["error"].clone();
    assert_eq!(told["retry_status"], json!({"type":"retrying"}));
    assert!(told["message"].as_str().unwrap().contains("too busy"), "{told}");
    // The clock of the test goes on until it has come.
    let asked = loop {
        tokio::select! {
            asked = peer.asked() => break asked,
            () = tokio::task::yield_now() => rig.options.clock.advance(Duration::from_millis(1)),
        }
    };
    // It has got through, and that is told as well.
    let writing = asked.stream().await;
    stream.until("session.status_running").await;
    writing.text("Here I am.").await;
    writing.end().await;
    assert_eq!(stream.until("agent.message").await.data["content"][0]["text"], "Here I am.");
}

#[tokio::test]
async fn a_server_that_says_nothing_for_five_minutes_is_waited_for_no_longer() {
    let mut peer = Peer::start().await;
    let (rig, visitor, session, mut stream) = peer.rig().await;
    visitor.post(&session, &[message("hello")]).await;
    let writing = peer.asked().await.stream().await;
    writing.text("Once").await;
    stream.until("event_delta").await;
    rig.options.clock.advance(SILENCE);
    let error = stream.until("session.error").await.data["error"].clone();
    assert!(error["message"].as_str().unwrap().contains("five minutes"), "{error}");
    stream.until("session.status_idle").await;
    soon(writing.0.closed()).await;
    let said = find(&visitor.history(&session).await, "agent.message").clone();
    assert_eq!((&said["content"][0]["text"], &said["stop_reason"]), (&json!("Once"), &json!("incomplete")));
    assert!(peer.asked.is_empty(), "it was asked again");
}

#[tokio::test]
async fn a_refusal_is_said_without_the_key_and_not_asked_again() {
    let mut peer = Peer::start().await;
    let (_rig, visitor, session, mut stream) = peer.rig().await;
    visitor.post(&session, &[message("hello")]).await;
    let said = json!({"error":{"message":format!("Incorrect key: {KEY}")}});
    peer.asked().await.refuse(401, said);
    stream.until("session.status_idle").await;
    let history = visitor.history(&session).await;
    let error = find(&history, "session.error")["error"]["message"].as_str().unwrap().to_owned();
    assert!(error.contains("(401): Incorrect key: …"), "{error}");
    assert!(!serde_json::to_string(&history).unwrap().contains(KEY));
    assert!(peer.asked.is_empty(), "it was asked again");
}

#[tokio::test]
async fn e15_an_answer_that_breaks_off_issues_no_call_and_is_not_asked_again() {
    let mut peer = Peer::start().await;
    let (_rig, visitor, session, mut stream) = peer.rig().await;
    visitor.post(&session, &[message("hello")]).await;
    let writing = peer.asked().await.stream().await;
    writing.text("I was about to").await;
    writing.event(json!({"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"one"})).await;
    writing.raw("data: {\"type\":\"TOOL_CALL_AR").await;
    drop(writing);
    stream.until("session.status_idle").await;
    let expected = [
        "user.message",
        "session.status_running",
        "agent.message(incomplete)",
        "session.error",
        "session.status_idle(retries_exhausted)",
    ];
    assert_eq!(log(&visitor, &session).await, expected);
    assert!(peer.asked.is_empty(), "it was asked again");
}

#[tokio::test]
async fn an_answer_that_is_no_stream_is_an_error() {
    let mut peer = Peer::start().await;
    let (_rig, visitor, session, mut stream) = peer.rig().await;
    for (kind, text) in [("application/json", r#"{"hello":1}"#), ("text/html", "<!doctype html>")] {
        visitor.post(&session, &[message("hello")]).await;
        peer.asked().await.answer(([(header::CONTENT_TYPE, kind)], text));
        stream.until("session.error").await;
        stream.until("session.status_idle").await;
    }
}

#[tokio::test]
async fn e16_an_interrupt_closes_the_connection_and_keeps_what_was_said() {
    let mut peer = Peer::start().await;
    let (_rig, visitor, session, mut stream) = peer.rig().await;
    visitor.post(&session, &[message("hello")]).await;
    let writing = peer.asked().await.stream().await;
    writing.text("Once upon a time").await;
    stream.until("event_delta").await;
    visitor.post(&session, &[json!({"type":"user.interrupt"})]).await;
    soon(writing.0.closed()).await;
    let history = visitor.history(&session).await;
    let said = find(&history, "agent.message");
    assert_eq!(
        (&said["content"][0]["text"], &said["stop_reason"]),
        (&json!("Once upon a time"), &json!("interrupted"))
    );
    assert_eq!(short(history.last().unwrap()), "session.status_idle(end_turn)");

    // And the next message gets its own answer.
    visitor.post(&session, &[message("again")]).await;
    let writing = peer.asked().await.stream().await;
    writing.text("Yes?").await;
    writing.end().await;
    stream.until("session.status_idle").await;
}

#[tokio::test]
async fn e16_an_interrupt_before_the_first_byte_closes_the_connection() {
    let mut peer = Peer::start().await;
    let (_rig, visitor, session, _stream) = peer.rig().await;
    visitor.post(&session, &[message("hello")]).await;
    let Asked { mut reply, .. } = peer.asked().await;
    visitor.post(&session, &[json!({"type":"user.interrupt"})]).await;
    soon(reply.closed()).await;
}

#[tokio::test]
async fn e15_the_program_asks_the_model_of_its_flags_with_the_key_of_its_environment() {
    let mut peer = Peer::start().await;
    let folder = Folder::new();
    let mut command = program::command(&folder, &program::agent());
    command.args(["--model-url", &peer.url, "--model", "qwen3"]).env("PRAXIS_MODEL_KEY", KEY);
    let program = Program::start(command);
    let visitor = Visitor::new(&program.address).await;
    let session = visitor.session().await;
    let mut stream = visitor.stream(&session, &[]).await;
    visitor.post(&session, &[message("hello")]).await;

    let asked = peer.asked().await;
    assert_eq!(asked.headers[header::AUTHORIZATION], format!("Bearer {KEY}"));
    assert_eq!((&asked.body["model"], &asked.body["stream"]), (&json!("qwen3"), &json!(true)));
    // Sent only where a flag says so.
    assert_eq!((asked.body.get("temperature"), asked.body.get("tool_choice")), (None, None));
    let text =
        |text: &str| format!("data: {}\n\n", json!({"choices":[{"index":0,"delta":{"content":text}}]}));
    let body = [&text("Hello, "), &text("you."), "data: [DONE]\n\n"].concat();
    asked.answer(([(header::CONTENT_TYPE, "text/event-stream")], body));
    assert_eq!(stream.until("agent.message").await.data["content"][0]["text"], "Hello, you.");

    // One that does not stream is understood as well.
    visitor.post(&session, &[message("again")]).await;
    let whole = json!({"choices":[{"message":{"role":"assistant","content":"In one piece."}}]});
    let json = [(header::CONTENT_TYPE, "application/json")];
    peer.asked().await.answer((json, whole.to_string()));
    assert_eq!(stream.until("agent.message").await.data["content"][0]["text"], "In one piece.");
}

#[tokio::test]
async fn the_program_asks_the_agent_of_its_flag_and_a_run_without_a_word_ends_well() {
    let mut peer = Peer::start().await;
    let folder = Folder::new();
    let mut command = program::command(&folder, &program::agent());
    command.args(["--agent-url", &peer.url]).env("PRAXIS_MODEL_KEY", KEY);
    let program = Program::start(command);
    let visitor = Visitor::new(&program.address).await;
    let session = visitor.session().await;
    let mut stream = visitor.stream(&session, &[]).await;
    visitor.post(&session, &[message("hello")]).await;

    let asked = peer.asked().await;
    assert_eq!(asked.headers[header::AUTHORIZATION], format!("Bearer {KEY}"));
    assert!(session.ends_with(asked.body["threadId"].as_str().unwrap()));
    assert_eq!(asked.body["state"], json!({}));
    let writing = asked.stream().await;
    writing.event(json!({"type":"STATE_SNAPSHOT","snapshot":{"seen":1}})).await;
    writing.end().await;
    assert_eq!(stream.until("session.status_idle").await.data["stop_reason"]["type"], "end_turn");
    let said = find(&visitor.history(&session).await, "agent.message").clone();
    assert_eq!(said["content"][0]["text"], "The agent has finished, and had nothing to say.");

    visitor.post(&session, &[message("again")]).await;
    let asked = peer.asked().await;
    assert_eq!(asked.body["state"], json!({"seen":1}));
    assert_eq!(asked.body["messages"].as_array().unwrap().len(), 2);
    let writing = asked.stream().await;
    writing.text("Welcome back.").await;
    writing.end().await;
    assert_eq!(stream.until("agent.message").await.data["content"][0]["text"], "Welcome back.");
}
