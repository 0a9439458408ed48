//! Calls of client tools, as a page's handler sees them.
#![cfg(target_arch = "wasm32")]

mod page;

use page::{Page, finish};
use praxis::kit::backend::BackendError;
use praxis::protocol::{ApiError, Content, ErrorKind, EventBody, IdleReason};
use serde_json::{Value, json};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// What the agent gets when the handler is `handler`: the text, and whether it is an error.
async fn result_of(page: &Page, session: &praxis::protocol::SessionId, handler: &str) -> (String, bool) {
    page.run(&["agent.onClientTool = ", handler].concat()).await;
    let call = page.service.call(session, "tool", json!({}));
    let (_, answered, text, is_error) = page.service.next_result().await;
    assert_eq!(answered, call);
    (text, is_error)
}

#[wasm_bindgen_test]
async fn case_b12_b13_i08_k4_values_become_text_as_json_stringify_writes_them() {
    let (page, session) = Page::in_session().await;
    let cases = [
        ("() => 'text'", "text"),
        ("async () => 'text'", "text"),
        ("() => ''", ""),
        ("() => undefined", ""),
        ("async () => {}", ""),
        ("() => null", "null"),
        ("() => 83.0", "83"),
        ("() => NaN", "null"),
        ("() => true", "true"),
        ("() => ({ a: undefined, b: Infinity })", "{\"b\":null}"),
        ("() => [undefined, () => 1]", "[null,null]"),
        ("() => new Map([[1, 2]])", "{}"),
        ("() => new Date(NaN)", "null"),
        ("() => new Uint8Array([7])", "{\"0\":7}"),
        ("() => ({ then(resolve) { resolve('thenable') } })", "thenable"),
        ("() => ({ toJSON: () => 'own' })", "\"own\""),
        ("() => 'a\\ud83d'", "a\u{fffd}"),
        ("() => ({ '\\ud83d': '\\udc00' })", "{\"\u{fffd}\":\"\u{fffd}\"}"),
        ("() => ({ path: 'C:\\\\ud83d' })", "{\"path\":\"C:\\\\ud83d\"}"),
    ];
    for (handler, text) in cases {
        assert_eq!(result_of(&page, &session, handler).await, (text.to_owned(), false), "{handler}");
    }
}

#[wasm_bindgen_test]
async fn case_b12_b13_b14_k4_what_is_thrown_or_cannot_be_serialised_becomes_an_error() {
    let (page, session) = Page::in_session().await;
    let cases = [
        ("() => { throw new Error('boom') }", "boom"),
        ("async () => { throw new TypeError('late') }", "late"),
        ("() => Promise.reject('text')", "text"),
        ("() => { throw { code: 7 } }", "{\"code\":7}"),
        ("() => { throw { message: 'mine', code: 7 } }", "mine"),
        ("() => { throw { message: '', code: 7 } }", "{\"message\":\"\",\"code\":7}"),
        ("() => { throw 42 }", "42"),
        ("() => { throw null }", "tool failed"),
        ("() => { throw undefined }", "tool failed"),
        ("() => { throw '' }", "tool failed"),
        ("() => Promise.reject()", "tool failed"),
        ("() => { throw Symbol('s') }", "tool failed"),
        ("() => { throw 10n }", "tool failed"),
        ("() => { throw { get message() { throw 1 } } }", "tool failed"),
        ("() => () => 1", "a function cannot be serialised"),
        ("() => Symbol('s')", "a symbol cannot be serialised"),
        ("() => ({ toJSON() {} })", "a object cannot be serialised"),
        ("() => ({ toJSON() { throw new Error('no JSON') } })", "no JSON"),
    ];
    for (handler, text) in cases {
        assert_eq!(result_of(&page, &session, handler).await, (text.to_owned(), true), "{handler}");
    }
    for handler in ["() => ({ count: 10n })", "() => { const a = {}; a.a = a; return a }"] {
        let (text, is_error) = result_of(&page, &session, handler).await;
        assert!(is_error && text.len() > 10, "{handler}: {text}");
    }
}

#[wasm_bindgen_test]
async fn case_b15_k4_a_text_above_one_mebibyte_becomes_an_error_that_names_size_and_limit() {
    let (page, session) = Page::in_session().await;
    let (text, is_error) = result_of(&page, &session, "() => 'x'.repeat(1048576)").await;
    assert_eq!((text.len(), is_error), (1_048_576, false));
    let too_large = [
        ("() => 'x'.repeat(1048577)", "1048577"),
        ("() => '课'.repeat(400000)", "1200000"),
        ("() => { throw new Error('x'.repeat(2000000)) }", "2000000"),
    ];
    for (handler, size) in too_large {
        let (text, is_error) = result_of(&page, &session, handler).await;
        assert!(is_error && text.contains(size) && text.contains("1048576"), "{handler}: {text:.80}");
    }
}

#[wasm_bindgen_test]
async fn case_j08_k3_the_handler_gets_a_plain_object_and_a_signal() {
    let (page, session) = Page::in_session().await;
    let handler = "async ({ id, name, input, signal, ...rest }) => ({
        id, name, plain: Object.getPrototypeOf(input) === Object.prototype, keys: Object.keys(input),
        polluted: ({}).polluted === undefined, nested: input.list[1].a, signal: signal instanceof AbortSignal && !signal.aborted,
        rest: Object.keys(rest),
    })";
    page.run(&["agent.onClientTool = ", handler].concat()).await;
    let input =
        r#"{"list": [1, {"a": 9007199254740993}], "__proto__": {"polluted": true}, "constructor": 1}"#;
    let call = page.service.call(&session, "look", serde_json::from_str(input).unwrap());
    let (_, _, text, is_error) = page.service.next_result().await;
    assert!(!is_error, "{text}");
    let seen: Value = serde_json::from_str(&text).unwrap();
    let expected = json!({
        "id": call, "name": "look", "plain": true, "keys": ["list", "__proto__", "constructor"], "polluted": true,
        "nested": 9_007_199_254_740_992_u64, "signal": true, "rest": [],
    });
    assert_eq!(seen, expected);
}

#[wasm_bindgen_test]
async fn k3_the_signal_fires_when_the_turn_is_interrupted() {
    let (page, session) = Page::in_session().await;
    let aborted = page.begin(
        "await new Promise((resolve) => {
             agent.onClientTool = ({ signal }) => new Promise(() => signal.addEventListener('abort', resolve));
         });
         return 'aborted'",
    );
    let call = page.service.call(&session, "wait", json!({}));
    page.run("await next(agent, 'praxis.tool.change')").await;
    page.service.record(&session, EventBody::Interrupt {});
    let content = Content::of("interrupted by the user");
    page.service
        .record(&session, EventBody::CustomToolResult { custom_tool_use_id: call, content, is_error: true });
    page.service.record(&session, EventBody::StatusIdle { stop_reason: IdleReason::EndTurn });
    assert_eq!(finish(aborted).await, "aborted");
}

#[wasm_bindgen_test]
async fn k2_a_call_uses_the_handler_that_is_set_when_it_starts() {
    let (page, session) = Page::in_session().await;
    page.run("agent.onClientTool = () => new Promise((resolve) => { globalThis.answer = resolve })").await;
    let first = page.service.call(&session, "slow", json!({}));
    page.run("await next(agent, 'praxis.tool.change'); agent.onClientTool = () => 'new'").await;
    let second = page.service.call(&session, "fast", json!({}));
    let (_, answered, text, _) = page.service.next_result().await;
    assert_eq!((answered, text.as_str()), (second, "new"));
    page.run("answer('old')").await;
    let (_, answered, text, _) = page.service.next_result().await;
    assert_eq!((answered, text.as_str()), (first, "old"));
}

#[wasm_bindgen_test]
async fn k20_without_a_handler_the_call_is_answered_at_once() {
    let (page, session) = Page::in_session().await;
    page.service.call(&session, "seek_to", json!({}));
    let (_, _, text, is_error) = page.service.next_result().await;
    assert_eq!((text.as_str(), is_error), ("tool seek_to is not available on this page", true));
}

#[wasm_bindgen_test]
async fn k7_start_comes_before_the_handler_and_end_after_the_result_is_stored() {
    let (page, session) = Page::in_session().await;
    let seen = page.begin(
        "const seen = [];
         agent.addEventListener('praxis.tool.change', (event) => seen.push(event.detail));
         agent.onClientTool = () => { seen.push('handler'); throw new Error('no') };
         await next(agent, 'praxis.tool.change', (detail) => detail.status === 'end');
         return seen",
    );
    let call = page.service.call(&session, "t", json!({}));
    let (_, _, text, is_error) = page.service.next_result().await;
    assert_eq!((text.as_str(), is_error), ("no", true));
    let expected = json!([
        { "id": call, "name": "t", "status": "start" },
        "handler",
        { "id": call, "name": "t", "status": "end", "isError": true },
    ]);
    assert_eq!(finish(seen).await, expected);
}

#[wasm_bindgen_test]
async fn k22_a_result_that_cannot_be_stored_is_logged_and_the_handler_does_not_run_again() {
    let (page, session) = Page::in_session().await;
    let error = ApiError::new(ErrorKind::ConflictError, "already answered");
    *page.service.refusal.borrow_mut() = Some(BackendError::Refused { status: 409, error });
    let seen = page.begin(
        "let runs = 0;
         const ends = [];
         agent.onClientTool = () => { runs += 1; return 1 };
         agent.addEventListener('praxis.tool.change', ({ detail }) => detail.status === 'end' && ends.push(detail));
         const log = await next(agent, 'praxis.log', (detail) => detail.level === 'error');
         await settled();
         return [log.level, runs, ends]",
    );
    page.service.call(&session, "t", json!({}));
    assert_eq!(finish(seen).await, json!(["error", 1, []]));
}

#[wasm_bindgen_test]
async fn case_j11_listeners_may_call_back_throw_and_remove_the_element() {
    let (page, session) = Page::in_session().await;
    page.run(
        "globalThis.reported = 0;
         const report = (event) => { if (event.message.includes('listener broke')) { reported += 1; event.preventDefault() } };
         window.addEventListener('error', report);
         agent.addEventListener('praxis.tool.change', ({ detail }) => {
             if (detail.status !== 'start') return;
             agent.setReadable('during', 1);
             agent.onClientTool = agent.onClientTool;
             agent.setOptions({ ...OPTIONS, theme: 'dark' });
             void agent.status, agent.sessionId, agent.readables;
             globalThis.sent = agent.sendUserMessage('from a listener');
             throw new Error('listener broke');
         });
         agent.onClientTool = () => { agent.remove(); return 'removed while running' }",
    )
    .await;
    let call = page.service.call(&session, "t", json!({}));
    let (to, answered, text, is_error) = page.service.next_result().await;
    assert_eq!((to, answered, text.as_str(), is_error), (session, call, "removed while running", false));
    assert_eq!(page.run("await sent; return reported").await, 1);
}
