//! Sessions and the elements that show them: removal, moves, switches, what is remembered.
#![cfg(target_arch = "wasm32")]

mod page;

use page::{Page, finish};
use praxis::protocol::{Content, EventBody, IdleReason};
use serde_json::{Value, json};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// A handler that counts its runs and ends when the test says `answer(…)`.
const SLOW: &str = "
    globalThis.runs = 0;
    globalThis.slow = () => { runs += 1; return new Promise((resolve) => { globalThis.answer = resolve }) };
    agent.onClientTool = slow;
";

#[wasm_bindgen_test]
async fn case_b02_k23_an_element_that_is_removed_and_comes_back_does_not_run_a_call_again() {
    let (page, session) = Page::in_session().await;
    page.run(SLOW).await;
    let call = page.service.call(&session, "t", json!({}));
    page.run("await next(agent, 'praxis.tool.change')").await;
    let seen = page
        .run(
            "agent.remove();
             await settled();
             document.body.append(agent);
             await settled();
             return [agent.sessionId, agent.status, agent.onClientTool === slow]",
        )
        .await;
    assert_eq!(seen, json!([session, "running", true]));
    page.run("answer('done')").await;
    assert_eq!(page.service.next_result().await, (session, call, "done".to_owned(), false));
    assert_eq!(page.run("await settled(); return runs").await, 1);
    assert_eq!(page.service.posts_left(), 0);
}

#[wasm_bindgen_test]
async fn k23_a_new_element_shows_the_same_session_and_does_not_run_its_call_again() {
    let (page, session) = Page::in_session().await;
    page.run(SLOW).await;
    page.service.call(&session, "t", json!({}));
    page.run("await next(agent, 'praxis.tool.change')").await;
    let seen = page
        .run(
            "const second = document.createElement('praxis-agent');
             second.onClientTool = slow;
             const ready = next(second, 'praxis.ready');
             const ended = next(second, 'praxis.tool.change');
             agent.replaceWith(second);
             second.setOptions(OPTIONS);
             await ready;
             await settled();
             answer('from the first');
             return [second.sessionId, runs, (await ended).status]",
        )
        .await;
    assert_eq!(seen, json!([session, 1, "end"]));
    assert_eq!(page.service.next_result().await.2, "from the first");
}

#[wasm_bindgen_test]
async fn case_b17_an_element_that_is_moved_keeps_its_panel_and_its_running_call() {
    let (page, session) = Page::in_session().await;
    page.run(SLOW).await;
    page.service.call(&session, "t", json!({}));
    page.run("await next(agent, 'praxis.tool.change')").await;
    page.drawn().await;
    let seen = page
        .run(
            "const field = agent.shadowRoot.querySelector('textarea');
             const place = document.createElement('section');
             document.body.append(place);
             agent.remove();
             place.append(agent);
             await settled();
             answer('moved');
             return [field !== null && agent.shadowRoot.querySelector('textarea') === field, runs, agent.sessionId]",
        )
        .await;
    assert_eq!(seen, json!([true, 1, session]));
    assert_eq!(page.service.next_result().await.2, "moved");
}

#[wasm_bindgen_test]
async fn case_b17_a_removed_element_still_delivers_the_result_of_a_running_handler() {
    let (page, session) = Page::in_session().await;
    page.run(SLOW).await;
    let call = page.service.call(&session, "t", json!({}));
    page.run("await next(agent, 'praxis.tool.change'); agent.remove(); await settled()").await;
    page.run("answer('late')").await;
    assert_eq!(page.service.next_result().await, (session, call, "late".to_owned(), false));
}

#[wasm_bindgen_test]
async fn k24_a_result_goes_to_the_session_that_made_the_call() {
    let (page, session) = Page::in_session().await;
    page.run(SLOW).await;
    let call = page.service.call(&session, "t", json!({}));
    let other = page.service.keep_session("sesn_other", Vec::new());
    let switched = page
        .run(
            "await next(agent, 'praxis.tool.change');
             const changed = next(agent, 'praxis.session.change');
             await agent.setSession('sesn_other');
             return [(await changed).sessionId, agent.sessionId]",
        )
        .await;
    assert_eq!(switched, json!([other, other]));
    let ended = page.begin("return await next(agent, 'praxis.tool.change')");
    page.run("answer('for the first')").await;
    assert_eq!(page.service.next_result().await, (session, call.clone(), "for the first".to_owned(), false));
    assert_eq!(finish(ended).await, json!({ "id": call, "name": "t", "status": "end", "isError": false }));
}

#[wasm_bindgen_test]
async fn k23_an_answered_call_is_not_run_and_one_without_a_result_is() {
    let page = Page::ready().await;
    let session = page.service.keep_session("sesn_before", Vec::new());
    let answered = page.service.call(&session, "answered", json!({}));
    let result = EventBody::CustomToolResult {
        custom_tool_use_id: answered,
        content: Content::of("by somebody"),
        is_error: false,
    };
    page.service.record(&session, result);
    let pending = page.service.call(&session, "pending", json!({}));
    page.run("agent.onClientTool = ({ name }) => name; await agent.setSession('sesn_before')").await;
    assert_eq!(page.service.next_result().await, (session, pending, "pending".to_owned(), false));
    assert_eq!(page.service.posts_left(), 0);
}

#[wasm_bindgen_test]
async fn a_session_that_does_not_exist_is_rejected_and_told() {
    let page = Page::ready().await;
    let seen = page
        .run(
            "const told = next(agent, 'praxis.error');
             const error = await rejected(agent.setSession('sesn_nowhere'));
             return [error, (await told).message, agent.status]",
        )
        .await;
    assert_eq!(seen, json!(["Error: no such session", "no such session", "error"]));
    let bad = page.run("return rejected(agent.setSession(5))").await;
    assert!(bad.as_str().is_some_and(|error| error.starts_with("TypeError: setSession: ")));
}

#[wasm_bindgen_test]
async fn k23_the_session_that_was_open_last_is_opened_again() {
    let (page, session) = Page::in_session().await;
    let again = page
        .run(
            "agent.remove();
             await settled();
             const second = document.createElement('praxis-agent');
             document.body.append(second);
             const changed = next(second, 'praxis.session.change');
             second.setOptions(OPTIONS);
             const first = [(await changed).sessionId, second.sessionId];
             await second.setSession(null);
             second.remove();
             const third = document.createElement('praxis-agent');
             document.body.append(third);
             third.setOptions(OPTIONS);
             return [first, third.sessionId]",
        )
        .await;
    assert_eq!(again, json!([[session, session], null]));
}

#[wasm_bindgen_test]
async fn a_remembered_session_that_is_gone_makes_room_for_a_new_conversation() {
    let page = Page::bare();
    let seen = page
        .run(
            "localStorage.setItem(`praxis.session praxis ${OPTIONS.api.url} test`, 'sesn_gone');
             const ready = next(agent, 'praxis.ready');
             agent.setOptions(OPTIONS);
             const before = agent.sessionId;
             await ready;
             return [before, agent.sessionId, agent.status]",
        )
        .await;
    assert_eq!(seen, json!(["sesn_gone", null, "idle"]));
}

#[wasm_bindgen_test]
async fn response_start_and_end_frame_the_turn_and_not_its_tools() {
    let (page, session) = Page::in_session().await;
    let seen = page.begin(
        "const seen = [];
         const note = (event) => seen.push([event.type, event.detail.sessionId ?? event.detail.status, agent.status]);
         for (const name of ['praxis.response.start', 'praxis.response.end', 'praxis.tool.change']) agent.addEventListener(name, note);
         agent.onClientTool = () => 1;
         await next(agent, 'praxis.response.end');
         return seen",
    );
    page.service.record(&session, EventBody::StatusRunning {});
    page.service.call(&session, "t", json!({}));
    page.service.next_result().await;
    page.service.record(&session, EventBody::StatusRunning {});
    page.service
        .record(&session, EventBody::AgentMessage { content: Content::of("done"), stop_reason: None });
    page.service.record(&session, EventBody::StatusIdle { stop_reason: IdleReason::EndTurn });
    let expected = json!([
        ["praxis.response.start", session, "running"],
        ["praxis.tool.change", "start", "running"],
        ["praxis.tool.change", "end", "running"],
        ["praxis.response.end", session, "idle"],
    ]);
    assert_eq!(finish(seen).await, expected);
}

#[wasm_bindgen_test]
async fn a_message_that_is_refused_leaves_the_open_session() {
    let (page, session) = Page::in_session().await;
    let body = "await agent.sendUserMessage({ text: '  ', newSession: true }).catch(() => {}); return agent.sessionId";
    assert_eq!(page.run(body).await, session.as_str());
}

#[wasm_bindgen_test]
async fn a_new_session_can_be_asked_for_with_a_message() {
    let (page, session) = Page::in_session().await;
    let second = page
        .run("await agent.sendUserMessage({ text: 'anew', newSession: true }); return agent.sessionId")
        .await;
    assert_ne!(second, Value::from(session.as_str()));
    assert_eq!(page.service.next_message().await.0, "anew");
}
