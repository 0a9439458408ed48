//! The binding and our own element together, against a service that a test plays (K8, K10, K12, K16, K23, K25).
#![cfg(target_arch = "wasm32")]

mod foreign;
mod page;

use std::cell::RefCell;
use std::rc::Rc;

use foreign::{Mounted, mount};
use futures_channel::oneshot;
use page::{Page, Service};
use praxis::binding::{
    AgentOptions, AgentStatus, ApiOptions, PraxisAgent, PraxisAgentHandle, PraxisOptions, use_praxis_agent,
    use_praxis_readable, use_praxis_tool,
};
use praxis::protocol::{Content, ContextItem, EventBody, IdleReason, SessionId};
use serde_json::{Value, json};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use yew::prelude::*;

wasm_bindgen_test_configure!(run_in_browser);

thread_local! {
    static HANDLE: RefCell<Option<PraxisAgentHandle>> = const { RefCell::new(None) };
    /// Hears when the handler of `wait` was told to stop.
    static STOPPED: RefCell<Option<oneshot::Sender<bool>>> = const { RefCell::new(None) };
}

fn handle() -> PraxisAgentHandle {
    HANDLE.with_borrow(Clone::clone).unwrap()
}

#[derive(PartialEq, Properties)]
struct BridgeProps {
    position: f64,
}

#[component]
fn Bridge(&BridgeProps { position }: &BridgeProps) -> Html {
    let agent = use_praxis_agent();
    let status = agent.status();
    HANDLE.set(Some(agent));
    use_praxis_readable("lesson", "正在看第 3 课");
    use_praxis_readable("playback", json!({ "positionSeconds": position }));
    use_praxis_tool("read_playback_progress", move |_: Value, _call| json!({ "positionSeconds": position }));
    use_praxis_tool("wait", |_: Value, call| async move {
        call.signal().cancelled().await;
        if let Some(sender) = STOPPED.take() {
            let _ = sender.send(call.signal().aborted());
        }
    });
    html! { <output>{ if status == AgentStatus::Running { "running" } else { "not running" } }</output> }
}

#[derive(Clone, PartialEq, Properties)]
struct LessonProps {
    url: String,
    position: f64,
}

#[component]
fn Lesson(LessonProps { url, position }: &LessonProps) -> Html {
    let options = use_memo(url.clone(), |url| PraxisOptions {
        api: ApiOptions { url: Some(url.clone()), ..ApiOptions::default() },
        agent: AgentOptions { name: Some("test".into()), ..AgentOptions::default() },
        ..PraxisOptions::default()
    });
    html! { <PraxisAgent {options}><Bridge position={*position} /></PraxisAgent> }
}

/// A lesson whose agent has a session; its first message has been stored.
async fn in_session() -> (Mounted<Lesson>, Rc<Service>, LessonProps, SessionId) {
    let page = Page::bare();
    let props = LessonProps { url: page.url.clone(), position: 83.0 };
    let lesson = mount::<Lesson>(props.clone()).await;
    handle().send_user_message("我看到哪了？").await.unwrap();
    yew::scheduler::flush().await;
    let session = handle().session_id().cloned().expect("a session");
    (lesson, page.service, props, session)
}

fn item(name: &str, value: &str) -> ContextItem {
    ContextItem { name: name.into(), value: value.into() }
}

#[wasm_bindgen_test]
async fn k10_k16_each_message_carries_the_readables_of_that_moment() {
    let (mut lesson, service, props, _) = in_session().await;
    let lesson_item = item("lesson", "正在看第 3 课");
    let first = service.next_message().await;
    let at = |position: &str| item("playback", position);
    assert_eq!(
        first,
        ("我看到哪了？".into(), Some(vec![lesson_item.clone(), at(r#"{"positionSeconds":83}"#)]))
    );
    lesson.update(LessonProps { position: 84.5, ..props }).await;
    handle().send_user_message("现在呢？").await.unwrap();
    let second = service.next_message().await;
    assert_eq!(second, ("现在呢？".into(), Some(vec![lesson_item, at(r#"{"positionSeconds":84.5}"#)])));
}

#[wasm_bindgen_test]
async fn k8_k12_k13_calls_run_in_hooks_and_their_text_reaches_the_service() {
    let (mut lesson, service, props, session) = in_session().await;
    let call = service.call(&session, "read_playback_progress", json!({}));
    assert_eq!(
        service.next_result().await,
        (session.clone(), call, r#"{"positionSeconds":83}"#.into(), false)
    );
    lesson.update(LessonProps { position: 84.0, ..props }).await;
    let call = service.call(&session, "read_playback_progress", json!({}));
    assert_eq!(
        service.next_result().await,
        (session.clone(), call, r#"{"positionSeconds":84}"#.into(), false)
    );
    let call = service.call(&session, "toString", json!({}));
    assert_eq!(service.next_result().await, (session, call, "unknown tool toString".into(), true));
}

#[wasm_bindgen_test]
async fn k3_k25_an_interrupt_fires_the_signal_of_a_handler_that_runs() {
    let (lesson, service, _, session) = in_session().await;
    let (sender, stopped) = oneshot::channel();
    STOPPED.set(Some(sender));
    let started = page::begin(&lesson.agent(), "await next(agent, 'praxis.tool.change')");
    let call = service.call(&session, "wait", json!({}));
    page::finish(started).await;
    handle().interrupt().await.unwrap();
    // What a service does on an interrupt.
    let content = Content::of("interrupted by the user");
    service
        .record(&session, EventBody::CustomToolResult { custom_tool_use_id: call, content, is_error: true });
    assert_eq!(stopped.await, Ok(true));
}

#[wasm_bindgen_test]
async fn k12_k23_a_call_that_waits_at_opening_is_run_by_the_hook_that_is_mounted_then() {
    let (lesson, service, props, session) = in_session().await;
    lesson.unmount().await;
    let call = service.call(&session, "read_playback_progress", json!({}));
    let lesson = mount::<Lesson>(LessonProps { position: 85.0, ..props }).await;
    assert_eq!(service.next_result().await, (session, call, r#"{"positionSeconds":85}"#.into(), false));
    drop(lesson);
}

#[wasm_bindgen_test]
async fn k25_the_status_follows_the_turn() {
    let (lesson, service, _, session) = in_session().await;
    yew::scheduler::flush().await;
    assert_eq!(lesson.text("output"), "running");
    let ended = page::begin(&lesson.agent(), "await next(agent, 'praxis.response.end')");
    service.record(&session, EventBody::StatusRunning {});
    service.record(&session, EventBody::StatusIdle { stop_reason: IdleReason::EndTurn });
    page::finish(ended).await;
    yew::scheduler::flush().await;
    assert_eq!(lesson.text("output"), "not running");
}
