//! Requests and answers, one attempt at a time.

use praxis::kit::backend::{BackendError, StreamItem};
use praxis::kit::options::Options;
use praxis::protocol::{ApiError, Content, ErrorKind, EventBody, Preview, SessionId};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::network::{Network, all};

const SESSION: &str = r#"
    const session = {id:"sesn_1",type:"session",status:"idle",title:null,agent:{name:"tutor"},created_at:"2026-11-30T00:00:00Z",updated_at:"2026-11-30T00:00:00Z"};
"#;

fn session() -> SessionId {
    "sesn_1".into()
}

fn message(text: &str) -> Vec<EventBody> {
    vec![EventBody::UserMessage { content: Content::of(text), page_context: None, client_message_id: None }]
}

#[wasm_bindgen_test]
async fn each_request_is_as_the_wire_has_it() {
    let answers = "
        if (request.method === 'DELETE') return json(200, { id: 'sesn_1', type: 'session_deleted' });
        if (request.path.endsWith('/stream')) return streamed();
        if (request.method === 'POST' && request.path.endsWith('/sessions')) return json(201, session);
        return json(200, { data: [], next_page: null });
    ";
    let network = Network::new(&[SESSION, answers].concat());
    let backend = network.backend("headers: { 'X-Tenant': 'seven' }");
    let made = backend.create_session().await.unwrap();
    assert_eq!(made.id, session());
    backend.list_sessions(None).await.unwrap();
    backend.list_sessions(Some("a&b=c/ü".to_owned())).await.unwrap();
    backend.post_events(&session(), message("视\"")).await.unwrap();
    backend.history_page(&session(), None).await.unwrap();
    backend.history_page(&session(), Some("+ %".to_owned())).await.unwrap();
    assert!(backend.open_stream(&"a/b?c".into()).await.unwrap().writable);
    backend.delete_session(&session()).await.unwrap();

    let paths = [
        "/tenant/7/v1/sessions",
        "/tenant/7/v1/sessions?limit=20",
        "/tenant/7/v1/sessions?limit=20&page=a%26b%3Dc%2F%C3%BC",
        "/tenant/7/v1/sessions/sesn_1/events",
        "/tenant/7/v1/sessions/sesn_1/events?limit=1000",
        "/tenant/7/v1/sessions/sesn_1/events?limit=1000&page=%2B%20%25",
        "/tenant/7/v1/sessions/a%2Fb%3Fc/events/stream",
        "/tenant/7/v1/sessions/sesn_1",
    ];
    assert_eq!(network.requests(".path").await, json!(paths));
    let methods = ["POST", "GET", "GET", "POST", "GET", "GET", "GET", "DELETE"];
    assert_eq!(network.requests(".method").await, json!(methods));
    let posted = r#"{"events":[{"type":"user.message","content":[{"type":"text","text":"视\""}]}]}"#;
    let made = r#"{"agent":{"name":"tutor"}}"#;
    assert_eq!(network.requests(".body").await, json!([made, null, null, posted, null, null, null, null]));
    assert_eq!(network.requests(".headers.authorization").await, json!(vec![None::<String>; 8]));
    assert_eq!(network.requests(".headers['x-tenant']").await, json!(vec!["seven"; 8]));
    let accepted = network.requests(".headers.accept").await;
    assert_eq!((&accepted[0], &accepted[6]), (&json!("application/json"), &json!("text/event-stream")));
    assert_eq!(network.requests(".cache").await, json!(vec!["no-store"; 8]));
}

#[wasm_bindgen_test]
async fn a_session_that_no_address_can_name_is_not_asked_for() {
    let network = Network::new("");
    for id in ["", ".", ".."] {
        let refused = network.backend("").delete_session(&id.into()).await.unwrap_err();
        assert!(matches!(refused, BackendError::Refused { status: 404, .. }), "{refused:?}");
    }
    assert_eq!(network.requests("").await, json!([]));
}

#[wasm_bindgen_test]
async fn a_refusal_says_its_kind_and_message() {
    let network = Network::new("return refusal(409, 'conflict_error', 'answered already')");
    let refused = network.backend("").post_events(&session(), message("x")).await.unwrap_err();
    let error = ApiError::new(ErrorKind::ConflictError, "answered already");
    assert_eq!(refused, BackendError::Refused { status: 409, error });
}

#[wasm_bindgen_test]
async fn what_is_not_the_services_answer_is_named() {
    let said = async |answer: &str| {
        let network = Network::new(answer);
        network.backend("").history_page(&session(), None).await.unwrap_err()
    };
    let page = "GET /v1/sessions/sesn_1/events?limit=1000: ";
    for (answer, problem) in [
        (
            "return new Response('<!doctype html><title>App</title>')",
            "expected JSON, got a page: is api.url the address of an agent service?",
        ),
        ("return new Response('{\"data\":[')", "EOF while parsing a list at line 1 column 9"),
        ("return new Response('')", "EOF while parsing a value at line 1 column 0"),
        ("return json(200, { items: [] })", "data: must be a list"),
        (
            "return json(200, { data: [{ id: 'a', type: 'agent.message', processed_at: '2026-11-30T00:00:00Z' }] })",
            "data[0].content: must be a list",
        ),
    ] {
        assert_eq!(said(answer).await, BackendError::Malformed([page, problem].concat()), "{answer}");
    }
    let error = ApiError::new(ErrorKind::ApiError, "HTTP 502");
    let gateway = said("return new Response('<h1>Bad gateway</h1>', { status: 502 })").await;
    assert_eq!(gateway, BackendError::Refused { status: 502, error });
    let down = said("throw new TypeError('Failed to fetch')").await;
    assert!(matches!(down, BackendError::Network(_)), "{down:?}");
    let broken =
        "const s = streamed('application/json'); s.send('{\"data\":'); setTimeout(s.break); return s";
    let broken = said(broken).await;
    assert!(matches!(broken, BackendError::Network(_)), "{broken:?}");
}

#[wasm_bindgen_test]
async fn a_stream_that_is_none_is_not_opened() {
    let network =
        Network::new("return new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })");
    let error = network.backend("").open_stream(&session()).await.err();
    let said = "GET /v1/sessions/sesn_1/events/stream: expected text/event-stream, got text/html";
    assert_eq!(error, Some(BackendError::Malformed(said.to_owned())));
    assert_eq!(network.requests(".aborted").await, json!([true]));
}

#[wasm_bindgen_test]
async fn dropping_a_request_aborts_it() {
    let network = Network::new("return new Promise(() => {})");
    let mut attempt = network.backend("").history_page(&session(), None);
    assert!(futures_util::poll!(&mut attempt).is_pending());
    network.run("await settled()").await;
    assert_eq!(network.requests(".aborted").await, json!([false]));
    drop(attempt);
    assert_eq!(network.requests(".aborted").await, json!([true]));
}

#[wasm_bindgen_test]
async fn dropping_a_stream_aborts_it() {
    let network = Network::new("return streamed()");
    let mut stream = network.backend("").open_stream(&session()).await.unwrap();
    assert!(futures_util::poll!(futures_util::StreamExt::next(&mut stream.items)).is_pending());
    assert_eq!(network.requests(".aborted").await, json!([false]));
    drop(stream);
    assert_eq!(network.requests(".aborted").await, json!([true]));
}

#[wasm_bindgen_test]
async fn a_stream_brings_events_previews_and_signs_of_life_until_it_ends_or_breaks() {
    let frames = r#"
        const s = streamed('Text/Event-Stream; charset=utf-8');
        s.send(':\n\n');
        s.send('data: {"type":"event_start","event":{"type":"agent.message","id":"m"}}\n\n');
        s.send('id: a\nevent: user.interrupt\ndata: {"id":"a","type":"user.interrupt","processed_at":"2026-11-30T00:00:00Z"}\n\n');
        s.send('data: {"type":"agent.dream"}\n\ndata: {"id":');
    "#;
    for (end, breaks) in [("s.end();", false), ("setTimeout(s.break);", true)] {
        let network = Network::new(&[frames, end, "return s"].concat());
        let stream = network.backend("").open_stream(&session()).await.unwrap();
        let (items, error) = all(stream.items).await;
        assert_eq!(items.len(), 2);
        assert_eq!(items[0], StreamItem::Preview(Preview::Start { id: "m".into() }));
        assert!(matches!(&items[1], StreamItem::Event(event) if event.body == EventBody::Interrupt {}));
        assert_eq!(error.is_some(), breaks, "{error:?}");
    }
}

#[wasm_bindgen_test]
fn k5_a_header_that_cannot_be_sent_is_named() {
    let network = Network::new("");
    let said = |api: &str| {
        let error = Options::read(&network.options(api)).expect_err("refused");
        js_sys::Error::from(error).message().as_string().unwrap()
    };
    for (api, problem) in [
        ("headers: { 'X A': '1' }", "api.headers.X A: expected the name of a header"),
        ("headers: { '': '1' }", "api.headers.: expected the name of a header"),
        ("headers: { 'X-A': 'secret\\nx' }", "api.headers.X-A: expected a string that a header can carry"),
        ("headers: { 'X-A': '密' }", "api.headers.X-A: expected a string that a header can carry"),
        ("headers: { 'X-A': 1 }", "api.headers.X-A: expected a string, got number"),
        (
            "headers: { 'Content-Type': 'text/plain' }",
            "api.headers.Content-Type: expected a header that the element does not set itself",
        ),
        (
            "getToken: async () => 't', headers: { Authorization: 'Basic eA==' }",
            "api.headers.Authorization: expected no other authorization beside getToken",
        ),
    ] {
        assert_eq!(said(api), ["setOptions: ", problem].concat(), "{api}");
    }
}

#[wasm_bindgen_test]
async fn a_fixed_authorization_goes_with_each_request() {
    let network = Network::new("return json(200, { data: [], next_page: null })");
    network.backend("headers: { Authorization: 'Basic eA==' }").list_sessions(None).await.unwrap();
    assert_eq!(network.requests(".headers.authorization").await, json!(["Basic eA=="]));
}
