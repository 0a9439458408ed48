//! The service in the page: what it stores, who owns a session, what a reload finds.
#![cfg(target_arch = "wasm32")]

mod page;

use std::rc::Rc;

use futures_util::StreamExt;
use js_sys::JSON;
use page::{define_with, run};
use praxis::kit::backend::{Backend, BackendError, OpenStream, StreamItem};
use praxis::kit::options::Options;
use praxis::local;
use praxis::protocol::{Content, Event, EventBody, EventId, IdleReason, Session, SessionId};
use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

fn options() -> Value {
    let both = |text: &str| json!({ "zh-CN": text, "en": text });
    json!({
        "api": { "protocol": "demo", "script": { "fallback": both("what?"), "intents": [
            { "patterns": ["say {text}"], "answer": both("{text}") },
            { "patterns": ["call it"], "calls": [{ "tool": "it", "input": { "n": 1 } }], "answer": both("it gave {it}") },
        ] } },
        "agent": { "name": "local tests", "tools": [
            { "type": "custom", "name": "it", "description": "A tool.", "input_schema": { "type": "object" } },
        ] },
    })
}

fn backend() -> Rc<dyn Backend> {
    let options = Options::read(&JSON::parse(&options().to_string()).unwrap()).unwrap().options;
    local::backend(&options)
}

fn message(text: &str) -> Vec<EventBody> {
    vec![EventBody::UserMessage { content: Content::of(text), page_context: None, client_message_id: None }]
}

fn result(call: &EventId, text: &str) -> Vec<EventBody> {
    let content = Content::of(text);
    vec![EventBody::CustomToolResult { custom_tool_use_id: call.clone(), content, is_error: false }]
}

async fn history(backend: &Rc<dyn Backend>, session: &SessionId) -> Vec<Event> {
    backend.history_page(session, None).await.unwrap().data
}

/// The next stored event that `fits`.
async fn next(stream: &mut OpenStream, fits: impl Fn(&EventBody) -> bool) -> Event {
    loop {
        match stream.items.next().await.expect("the stream goes on").expect("the stream is whole") {
            StreamItem::Event(event) if fits(&event.body) => return event,
            _ => {}
        }
    }
}

/// Waits until the turn has ended.
async fn turn_end(stream: &mut OpenStream) {
    next(stream, |body| matches!(body, EventBody::StatusIdle { stop_reason: IdleReason::EndTurn })).await;
}

async fn a_turn(backend: &Rc<dyn Backend>, text: &str) -> Session {
    let session = backend.create_session().await.unwrap();
    let mut stream = backend.open_stream(&session.id).await.unwrap();
    backend.post_events(&session.id, message(text)).await.unwrap();
    turn_end(&mut stream).await;
    session
}

/// Leaves no room in the browser's storage.
async fn fill_storage() {
    run(
        &JsValue::NULL,
        "let size = 4_000_000;
         for (let i = 0; size > 0; i += 1) {
             try { localStorage.setItem(`filler ${i}`, 'x'.repeat(size)) } catch { size = Math.floor(size / 2) }
         }",
    )
    .await;
}

async fn free_storage() {
    run(&JsValue::NULL, "for (const key of Object.keys(localStorage)) if (key.startsWith('filler')) localStorage.removeItem(key)")
        .await;
}

fn refusal<T>(outcome: Result<T, BackendError>) -> (u16, String) {
    match outcome {
        Err(BackendError::Refused { status, error }) => (status, error.message),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was not refused"),
    }
}

#[wasm_bindgen_test]
async fn the_element_answers_through_the_local_service() {
    define_with(praxis::backends::backend);
    let body = format!(
        "const agent = document.createElement('praxis-agent');
         document.body.append(agent);
         agent.onClientTool = ({{ name, input }}) => [name, input.n];
         agent.setOptions({});
         await agent.sendUserMessage('please call it');
         if (agent.status !== 'idle') await next(agent, 'praxis.response.end');
         const session = agent.sessionId;
         agent.remove();
         return session",
        options()
    );
    let session = SessionId::from(run(&JsValue::NULL, &body).await.as_str().unwrap());
    let said = history(&backend(), &session).await.into_iter().rev().find_map(|event| match event.body {
        EventBody::AgentMessage { content, .. } => Some(Content::text(&content)),
        _ => None,
    });
    assert_eq!(said.as_deref(), Some("it gave [\"it\",1]"));
}

#[wasm_bindgen_test]
async fn answers_stream_in_pieces_before_they_are_stored() {
    let backend = backend();
    let session = backend.create_session().await.unwrap();
    let mut stream = backend.open_stream(&session.id).await.unwrap();
    assert!(stream.writable);
    backend.post_events(&session.id, message("say one two three four five six")).await.unwrap();
    let mut pieces = 0;
    loop {
        match stream.items.next().await.unwrap().unwrap() {
            StreamItem::Preview(_) => pieces += 1,
            StreamItem::Event(Event { body: EventBody::AgentMessage { content, .. }, .. }) => {
                assert_eq!(Content::text(&content), "one two three four five six");
                break;
            }
            _ => {}
        }
    }
    assert!(pieces > 3, "{pieces} pieces");
}

#[wasm_bindgen_test]
async fn k21_k23_a_call_that_waits_is_still_waiting_after_a_reload() {
    let backend = backend();
    let session = backend.create_session().await.unwrap().id;
    let mut stream = backend.open_stream(&session).await.unwrap();
    backend.post_events(&session, message("call it")).await.unwrap();
    let call = next(&mut stream, |body| matches!(body, EventBody::CustomToolUse { .. })).await.id;
    local::leave();
    assert!(stream.items.collect::<Vec<_>>().await.iter().all(Result::is_ok), "the stream ends");

    let before = history(&backend, &session).await;
    let mut stream = backend.open_stream(&session).await.unwrap();
    assert!(stream.writable);
    assert_eq!(history(&backend, &session).await, before, "nothing was recorded by taking it up");
    backend.post_events(&session, result(&call, "here")).await.unwrap();
    turn_end(&mut stream).await;
}

#[wasm_bindgen_test]
async fn no_model_run_survives_a_reload() {
    let backend = backend();
    let session = backend.create_session().await.unwrap().id;
    let mut stream = backend.open_stream(&session).await.unwrap();
    backend.post_events(&session, message("say something long enough to be cut off")).await.unwrap();
    while !matches!(stream.items.next().await.unwrap().unwrap(), StreamItem::Preview(_)) {}
    local::leave();
    drop(backend.open_stream(&session).await.unwrap());
    let last = history(&backend, &session).await.pop().unwrap().body;
    assert_eq!(last, EventBody::StatusIdle { stop_reason: IdleReason::RetriesExhausted {} });
}

#[wasm_bindgen_test]
async fn a_session_that_another_tab_owns_is_read_only_until_that_tab_frees_it() {
    let backend = backend();
    let session = a_turn(&backend, "say hello").await.id;
    local::leave();
    let hold = format!(
        "await new Promise((held) => navigator.locks.request('praxis.local {session}', () => {{
             held();
             return new Promise((free) => {{ globalThis.free = free }});
         }}))"
    );
    run(&JsValue::NULL, &hold).await;

    let stream = backend.open_stream(&session).await.unwrap();
    assert!(!stream.writable);
    let (status, problem) = refusal(backend.post_events(&session, message("say no")).await);
    assert!(status == 403 && problem.contains("another tab"), "{status} {problem}");
    assert_eq!(refusal(backend.delete_session(&session).await).0, 403);

    // The other tab writes: the browser tells this one.
    let key = format!("praxis.local {session} 0");
    let write = format!(
        "const batch = JSON.parse(localStorage.getItem('{key}'));
         const event = {{ id: 'sevt_x', type: 'agent.message', content: [{{ type: 'text', text: 'from there' }}], processed_at: '2026-11-30T00:00:00Z' }};
         const text = JSON.stringify({{ session: batch.session, records: [{{ event }}] }});
         dispatchEvent(new StorageEvent('storage', {{ key: 'praxis.local {session} 99', newValue: text, storageArea: localStorage }}));
         dispatchEvent(new StorageEvent('storage', {{ key: 'praxis.local {session} 98', newValue: 'no JSON', storageArea: localStorage }}));
         dispatchEvent(new StorageEvent('storage', {{ key: 'praxis.local sesn_other 99', newValue: text, storageArea: localStorage }}));
         dispatchEvent(new StorageEvent('storage', {{ key: null }}));"
    );
    run(&JsValue::NULL, &write).await;
    run(&JsValue::NULL, "free()").await;
    let items: Vec<_> = stream.items.map(Result::unwrap).collect().await;
    assert!(
        matches!(items.as_slice(), [StreamItem::Event(event)] if event.id.as_str() == "sevt_x"),
        "{items:?}"
    );

    assert!(backend.open_stream(&session).await.unwrap().writable);
    backend.post_events(&session, message("say yes")).await.unwrap();
}

#[wasm_bindgen_test]
async fn a_full_storage_refuses_clearly_and_stores_nothing_in_part() {
    let backend = backend();
    let session = a_turn(&backend, "say hello").await.id;
    let stream = backend.open_stream(&session).await.unwrap();
    let before = history(&backend, &session).await;
    fill_storage().await;
    let posted = backend.post_events(&session, message(&format!("say {}", "long ".repeat(200)))).await;
    let made = backend.create_session().await;
    free_storage().await;
    for (status, problem) in [refusal(posted), refusal(made)] {
        assert!(status == 400 && problem.contains("storage is full"), "{status} {problem}");
    }
    assert_eq!(history(&backend, &session).await, before);
    let mut stream = stream;
    backend.post_events(&session, message("say again")).await.unwrap();
    turn_end(&mut stream).await;
}

/// What comes until the turn has ended with an error; the error's message is the last.
async fn until_not_stored(stream: &mut OpenStream) -> (Vec<EventBody>, String) {
    let mut bodies = Vec::new();
    loop {
        match next(stream, |_| true).await.body {
            EventBody::StatusIdle { stop_reason: IdleReason::RetriesExhausted {} } => break,
            body => bodies.push(body),
        }
    }
    match bodies.pop() {
        Some(EventBody::Error { error }) => (bodies, error.message),
        other => panic!("{other:?}"),
    }
}

#[wasm_bindgen_test]
async fn an_answer_that_does_not_fit_is_read_and_is_stored_when_there_is_room() {
    let backend = backend();
    let session = backend.create_session().await.unwrap().id;
    let mut stream = backend.open_stream(&session).await.unwrap();
    backend.post_events(&session, message("say 你好这里是一个回答")).await.unwrap();
    fill_storage().await;
    let (bodies, problem) = until_not_stored(&mut stream).await;
    let answer = |body: &EventBody| matches!(body, EventBody::AgentMessage { content, stop_reason: None } if Content::text(content) == "你好这里是一个回答");
    assert!(bodies.iter().any(answer), "{bodies:?}");
    assert!(problem.starts_with("浏览器的存储空间已满") && !problem.contains("full"), "{problem}");

    let shown = history(&backend, &session).await;
    assert!(shown.iter().any(|event| answer(&event.body)));
    let (status, problem) = refusal(backend.post_events(&session, message("say no more")).await);
    assert!(status == 400 && problem.starts_with("The browser's storage is full"), "{problem}");

    free_storage().await;
    backend.post_events(&session, message("say again")).await.unwrap();
    turn_end(&mut stream).await;
    let told = history(&backend, &session).await;
    assert_eq!(told[..shown.len()], shown);
    local::leave();
    assert_eq!(history(&backend, &session).await, told, "it is stored");
}

#[wasm_bindgen_test]
async fn a_message_that_does_not_fit_leaves_the_turn_alone_that_runs() {
    let backend = backend();
    let session = backend.create_session().await.unwrap().id;
    let mut stream = backend.open_stream(&session).await.unwrap();
    backend.post_events(&session, message("call it")).await.unwrap();
    let call = next(&mut stream, |body| matches!(body, EventBody::CustomToolUse { .. })).await.id;
    fill_storage().await;
    let (status, problem) = refusal(backend.post_events(&session, message("say 不行")).await);
    assert!(status == 400 && problem.starts_with("浏览器的存储空间已满"), "{problem}");
    free_storage().await;
    backend.post_events(&session, result(&call, "here")).await.unwrap();
    turn_end(&mut stream).await;
}

#[wasm_bindgen_test]
async fn a_result_that_does_not_fit_ends_its_turn_at_once() {
    let backend = backend();
    let session = backend.create_session().await.unwrap().id;
    let mut stream = backend.open_stream(&session).await.unwrap();
    backend.post_events(&session, message("call it")).await.unwrap();
    let call = next(&mut stream, |body| matches!(body, EventBody::CustomToolUse { .. })).await.id;
    fill_storage().await;
    let (status, _) = refusal(backend.post_events(&session, result(&call, "here")).await);
    assert_eq!(status, 400);
    let (bodies, problem) = until_not_stored(&mut stream).await;
    assert!(problem.starts_with("The browser's storage is full"), "{problem}");
    let of_call = |body: &EventBody| matches!(body, EventBody::CustomToolResult { custom_tool_use_id, is_error: true, .. } if *custom_tool_use_id == call);
    assert_eq!(bodies.iter().filter(|body| of_call(body)).count(), 1, "{bodies:?}");
    // What is waited for no longer is refused as late, and nothing asks again.
    assert_eq!(refusal(backend.post_events(&session, result(&call, "here")).await).0, 409);

    // A reload while there is no room: nothing runs, and what was told can be read.
    local::leave();
    let mut stream = backend.open_stream(&session).await.unwrap();
    assert!(stream.writable);
    let (status, _) = refusal(backend.post_events(&session, message("say no")).await);
    assert_eq!(status, 400);
    free_storage().await;
    let calls = history(&backend, &session).await.into_iter();
    assert_eq!(calls.filter(|event| matches!(event.body, EventBody::CustomToolUse { .. })).count(), 1);
    backend.post_events(&session, message("say again")).await.unwrap();
    next(&mut stream, |body| matches!(body, EventBody::UserMessage { .. })).await;
}

#[wasm_bindgen_test]
async fn what_cannot_be_read_is_left_out() {
    let backend = backend();
    let session = a_turn(&backend, "say hello").await;
    local::leave();
    let events = history(&backend, &session.id).await.len();
    let spoil = format!(
        "const keys = Object.keys(localStorage).filter((key) => key.startsWith('praxis.local {}'));
         keys.sort((a, b) => a.split(' ')[2] - b.split(' ')[2]);
         localStorage.setItem(keys.at(-1), '{{\"session\":');
         localStorage.setItem('praxis.local sesn_spoilt 0', 'x');
         localStorage.setItem('praxis.local', 'x');
         localStorage.setItem('praxis.local sesn_odd nine', 'x')",
        session.id
    );
    run(&JsValue::NULL, &spoil).await;
    let left = history(&backend, &session.id).await.len();
    assert!(0 < left && left < events, "{left} of {events}");
    let listed = backend.list_sessions(None).await.unwrap().data;
    assert!(listed.iter().any(|other| other.id == session.id));
    assert!(listed.iter().all(|other| !["sesn_spoilt", "sesn_odd"].contains(&other.id.as_str())));
    assert_eq!(refusal(backend.open_stream(&SessionId::from("sesn_spoilt")).await).0, 404);
    assert!(backend.open_stream(&session.id).await.unwrap().writable);
}

#[wasm_bindgen_test]
async fn sessions_are_listed_and_deleted() {
    let backend = backend();
    let session = a_turn(&backend, "say my name").await.id;
    let listed = |sessions: Vec<Session>| sessions.into_iter().find(|other| other.id == session);
    let found = listed(backend.list_sessions(None).await.unwrap().data).unwrap();
    assert_eq!((found.title.as_deref(), found.agent.name.as_str()), (Some("say my name"), "local tests"));
    let stream = backend.open_stream(&session).await.unwrap();
    backend.delete_session(&session).await.unwrap();
    assert!(stream.items.collect::<Vec<_>>().await.iter().all(Result::is_ok));
    assert!(listed(backend.list_sessions(None).await.unwrap().data).is_none());
    assert_eq!(refusal(backend.history_page(&session, None).await).0, 404);
    assert_eq!(refusal(backend.open_stream(&session).await).0, 404);
    assert_eq!(refusal(backend.delete_session(&session).await).0, 404);
}
