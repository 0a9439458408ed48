//! `use_praxis_agent`: commands, session and status for components (K25).
#![cfg(target_arch = "wasm32")]

mod foreign;

use std::cell::{Cell, RefCell};

use foreign::{mount, options};
use js_sys::Reflect;
use praxis::binding::{
    AgentStatus, CommandError, PraxisAgent, PraxisAgentHandle, PraxisProvider, use_praxis_agent,
};
use praxis::protocol::SessionId;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use yew::prelude::*;

wasm_bindgen_test_configure!(run_in_browser);

thread_local! {
    static HANDLE: RefCell<Option<PraxisAgentHandle>> = const { RefCell::new(None) };
    static RENDERS: Cell<u32> = const { Cell::new(0) };
}

fn handle() -> PraxisAgentHandle {
    HANDLE.with_borrow(Clone::clone).unwrap()
}

/// Shows the session and the status, and hands out the handle.
#[component]
fn Status() -> Html {
    let agent = use_praxis_agent();
    HANDLE.set(Some(agent.clone()));
    RENDERS.set(RENDERS.get() + 1);
    let session = agent.session_id().map(ToString::to_string).unwrap_or_default();
    html! { <output>{ format!("{:?} {session}", agent.status()) }</output> }
}

#[component]
fn Inside() -> Html {
    html! { <PraxisAgent options={options()}><Status /></PraxisAgent> }
}

#[wasm_bindgen_test]
async fn k25_it_renders_again_when_session_or_status_change_and_only_then() {
    let page = mount::<Inside>(()).await;
    let agent = page.agent();
    assert_eq!(page.text("output"), "Idle ");
    let sent = handle().send_user_message("我看到哪了？");
    // The element says nothing before the turn begins, and it has a status all the same.
    yew::scheduler::flush().await;
    assert_eq!(page.text("output"), "Running ");
    agent.begin_turn("sesn_1");
    assert_eq!(sent.await, Ok(()));
    yew::scheduler::flush().await;
    assert_eq!(page.text("output"), "Running sesn_1");
    let renders = RENDERS.get();
    agent.emit("praxis.session.change", &JsValue::NULL);
    agent.emit("praxis.ready", &JsValue::UNDEFINED);
    yew::scheduler::flush().await;
    assert_eq!(RENDERS.get(), renders);
    agent.end_turn();
    yew::scheduler::flush().await;
    assert_eq!(page.text("output"), "Idle sesn_1");
    agent.fail("没有网络");
    yew::scheduler::flush().await;
    assert_eq!(page.text("output"), "Error sesn_1");
}

#[wasm_bindgen_test]
async fn k25_commands_reach_the_element_at_once() {
    let page = mount::<Inside>(()).await;
    let agent = page.agent();
    agent.take_done();
    drop(handle().send_user_message("不等"));
    let session = SessionId::from("sesn_7");
    let opened = handle().set_session(Some(&session));
    let stopped = handle().interrupt();
    assert_eq!(agent.take_done(), ["sendUserMessage 不等", "setSession sesn_7", "interrupt"]);
    assert_eq!((opened.await, stopped.await), (Ok(()), Ok(())));
    assert_eq!(handle().set_session(None).await, Ok(()));
    assert_eq!(agent.take_done(), ["setSession null"]);
    yew::scheduler::flush().await;
    assert_eq!(page.text("output"), "Idle ");
}

#[wasm_bindgen_test]
async fn k25_commands_say_why_they_did_not_work() {
    let page = mount::<Inside>(()).await;
    let agent = page.agent();
    let failed = handle().send_user_message("refused").await;
    assert_eq!(failed, Err(CommandError::Failed("nobody listens".into())));
    Reflect::set(&agent, &"interrupt".into(), &JsValue::UNDEFINED).unwrap();
    let missing = handle().interrupt().await.unwrap_err();
    assert_eq!(missing.to_string(), "this page's <praxis-agent> has no interrupt()");
    page.unmount().await;
    assert_eq!(handle().send_user_message("zu spät").await, Err(CommandError::NoAgent("sendUserMessage")));
}

#[derive(PartialEq, Properties)]
struct ProvidedProps {
    first: bool,
    second: bool,
}

#[component]
fn Provided(props: &ProvidedProps) -> Html {
    html! {
        <PraxisProvider>
            <Status />
            if props.first { <PraxisAgent options={options()} /> }
            if props.second { <PraxisAgent options={options()} /> }
        </PraxisProvider>
    }
}

#[wasm_bindgen_test]
async fn k25_below_a_provider_it_means_the_agent_that_was_mounted_last() {
    let mut page = mount::<Provided>(ProvidedProps { first: false, second: false }).await;
    let before = handle().send_user_message("zu früh").await.unwrap_err();
    assert_eq!(
        before.to_string(),
        "there is no <praxis-agent> yet: sendUserMessage works when a <PraxisAgent> is mounted"
    );
    page.update(ProvidedProps { first: true, second: false }).await;
    let first = page.agent();
    first.begin_turn("sesn_1");
    page.update(ProvidedProps { first: true, second: true }).await;
    let second = page.agent();
    assert_eq!(page.text("output"), "Idle ");
    drop(handle().send_user_message("an die zweite"));
    assert_eq!(second.take_done().pop().as_deref(), Some("sendUserMessage an die zweite"));
    page.update(ProvidedProps { first: true, second: false }).await;
    assert_eq!(page.text("output"), "Idle sesn_1");
    assert_eq!(handle().status(), AgentStatus::Idle);
    page.update(ProvidedProps { first: false, second: false }).await;
    assert_eq!(page.text("output"), "Idle ");
}
