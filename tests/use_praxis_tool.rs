//! `use_praxis_tool`: what a handler gets and gives, who runs a call, and for how long (K8, K9, K12).
#![cfg(target_arch = "wasm32")]

mod foreign;

use std::cell::RefCell;
use std::rc::Rc;

use foreign::{Watch, mount, options};
use futures_channel::oneshot;
use praxis::binding::{PraxisAgent, PraxisContext, PraxisProvider, use_praxis_context, use_praxis_tool};
use praxis::tools::{ToolCall, ToolHandler};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use yew::prelude::*;

wasm_bindgen_test_configure!(run_in_browser);

#[derive(Deserialize)]
struct SeekTo {
    position_seconds: f64,
    #[serde(default)]
    chapters: Vec<Chapter>,
}

#[derive(Deserialize)]
struct Chapter {
    number: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Progress {
    position_seconds: f64,
    duration_seconds: Option<f64>,
}

#[derive(Debug, thiserror::Error)]
#[error("the player said {0}")]
struct PlayerError(&'static str);

#[derive(Serialize)]
struct Refusal {
    code: u8,
    message: &'static str,
}

/// Registers a handler of each kind; that this compiles without annotations is half of the test.
#[component]
fn EachKind() -> Html {
    use_praxis_tool("struct", |_: Value, _call| Progress { position_seconds: 83.0, duration_seconds: None });
    use_praxis_tool("string", |_: Value, _call| "第 3 课");
    use_praxis_tool("owned", |_: Value, call| call.name().to_owned());
    use_praxis_tool("unit", |_: Value, _call| ());
    use_praxis_tool("none", |_: Value, _call| None::<String>);
    use_praxis_tool("number", |_: Value, _call| -0.0);
    use_praxis_tool("ok", |_: Value, _call| Ok::<_, String>(vec![1.5, f64::NAN]));
    use_praxis_tool("ok_unit", |_: Value, _call| Ok::<_, String>(()));
    use_praxis_tool("ok_map", |_: Value, _call| json!({ "Ok": 1 }));
    use_praxis_tool("ok_ok", |_: Value, _call| Ok::<_, String>(Ok::<_, String>("")));
    use_praxis_tool("err", |_: Value, _call| Err::<(), _>("no video"));
    use_praxis_tool("err_empty", |_: Value, _call| Err::<(), _>(""));
    use_praxis_tool("err_display", |_: Value, _call| Err::<(), _>(PlayerError("no")));
    use_praxis_tool("err_message", |_: Value, _call| Err::<(), _>(Refusal { code: 4, message: "not now" }));
    use_praxis_tool("err_json", |_: Value, _call| Err::<(), _>([4.0]));
    use_praxis_tool("err_js", |_: Value, _call| Err::<(), JsValue>(js_sys::Error::new("from JS").into()));
    use_praxis_tool("err_boxed", |_: Value, _call| -> Result<(), Box<dyn std::error::Error>> {
        Err(PlayerError("boxed"))?;
        Ok(())
    });
    use_praxis_tool("future", |_: Value, _call| async { 83.5 });
    use_praxis_tool("future_unit", |_: Value, _call| async {});
    use_praxis_tool("future_err", |_: Value, _call| async { Err::<u8, _>(PlayerError("later")) });
    use_praxis_tool("boxed", |_: Value, _call| -> std::pin::Pin<Box<dyn Future<Output = u8>>> {
        Box::pin(async { 7 })
    });
    use_praxis_tool("unserialisable", |_: Value, _call| std::collections::BTreeMap::from([([1, 2], 3)]));
    use_praxis_tool("seek_to", |input: SeekTo, _call| {
        input.position_seconds + f64::from(input.chapters.iter().map(|chapter| chapter.number).sum::<u32>())
    });
    use_praxis_tool("echo", |input: Value, _call| async move { input });
    html! { <span hidden=true /> }
}

#[component]
fn WithEachKind() -> Html {
    html! { <PraxisAgent options={options()}><EachKind /></PraxisAgent> }
}

#[wasm_bindgen_test]
async fn k4_k8_k12_each_kind_of_handler_gives_its_text() {
    let page = mount::<WithEachKind>(()).await;
    let agent = page.agent();
    for (name, answer) in [
        ("struct", r#"result {"positionSeconds":83,"durationSeconds":null}"#),
        ("string", "result 第 3 课"),
        ("owned", "result owned"),
        ("unit", "result "),
        ("none", "result null"),
        ("number", "result 0"),
        ("ok", "result [1.5,null]"),
        ("ok_unit", "result "),
        ("ok_map", r#"result {"Ok":1}"#),
        ("ok_ok", r#"result {"Ok":""}"#),
        ("err", "error no video"),
        ("err_empty", "error tool failed"),
        ("err_display", "error the player said no"),
        ("err_message", "error not now"),
        ("err_json", "error [4]"),
        ("err_js", "error from JS"),
        ("err_boxed", "error the player said boxed"),
        ("future", "result 83.5"),
        ("future_unit", "result "),
        ("future_err", "error the player said later"),
        ("boxed", "result 7"),
        ("unserialisable", "error key must be a string"),
    ] {
        assert_eq!(agent.run(name, "{}").await, answer, "{name}");
    }
}

#[wasm_bindgen_test]
async fn k8_input_that_does_not_fit_is_answered_with_path_and_expectation() {
    let page = mount::<WithEachKind>(()).await;
    let agent = page.agent();
    for (input, answer) in [
        (r#"{"position_seconds":83}"#, "result 83"),
        (
            r#"{"position_seconds":"83"}"#,
            r#"error invalid input at position_seconds: invalid type: string "83", expected f64"#,
        ),
        (r#"{}"#, "error invalid input: missing field `position_seconds`"),
        (r#"[]"#, "error invalid input: invalid length 0, expected struct SeekTo with 2 elements"),
        (
            r#"{"position_seconds":1,"chapters":[{"number":1},{"number":-1}]}"#,
            "error invalid input at chapters[1].number: invalid value: integer `-1`, expected u32",
        ),
    ] {
        assert_eq!(agent.run("seek_to", input).await, answer, "{input}");
    }
}

#[wasm_bindgen_test]
async fn k12_case_i02_case_j08_input_is_plain_data() {
    let page = mount::<WithEachKind>(()).await;
    let agent = page.agent();
    for input in [
        r#"{"__proto__":{"polluted":1},"constructor":2}"#,
        r#"{"b":[1.5,1e+21,null],"a":"é😀\\ud83d\u0007"}"#,
    ] {
        assert_eq!(agent.run("echo", input).await, ["result ", input].concat());
    }
    assert_eq!(agent.run("echo", r#"{"a":"x\ud83d"}"#).await, "result {\"a\":\"x\u{fffd}\"}");
    for name in ["constructor", "toString", "__proto__", "hasOwnProperty"] {
        assert_eq!(agent.run(name, "{}").await, ["error unknown tool ", name].concat());
    }
}

#[derive(Clone, PartialEq, Properties)]
struct OneToolProps {
    #[prop_or("answer".into())]
    name: AttrValue,
    handler: ToolHandler,
    #[prop_or(true)]
    mounted: bool,
}

fn giving(answer: &'static str) -> ToolHandler {
    ToolHandler::new(move |_: Value, _call| answer)
}

#[component]
fn OneTool(props: &OneToolProps) -> Html {
    let handler = props.handler.clone();
    use_praxis_tool(props.name.clone(), move |input: Value, call: ToolCall| handler.call(input, call));
    html! { <span hidden=true /> }
}

#[derive(Clone, PartialEq, Properties)]
struct SpyProps {
    context: Callback<PraxisContext>,
}

/// Hands out the context that it is in.
#[component]
fn Spy(props: &SpyProps) -> Html {
    if let Some(context) = use_praxis_context() {
        props.context.emit(context);
    }
    html! { <span hidden=true /> }
}

thread_local!(static CONTEXT: RefCell<Option<PraxisContext>> = const { RefCell::new(None) });

fn context() -> PraxisContext {
    CONTEXT.with_borrow(Clone::clone).unwrap()
}

#[component]
fn WithOneTool(props: &OneToolProps) -> Html {
    html! {
        <PraxisAgent options={options()}>
            <Spy context={|context| { CONTEXT.set(Some(context)); }} />
            if props.mounted {
                <OneTool name={props.name.clone()} handler={props.handler.clone()} />
            }
        </PraxisAgent>
    }
}

#[wasm_bindgen_test]
async fn k8_the_newest_handler_is_used_without_registering_again() {
    let props = |answer| OneToolProps { name: "answer".into(), handler: giving(answer), mounted: true };
    let mut page = mount::<WithOneTool>(props("first")).await;
    let agent = page.agent();
    assert_eq!(agent.run("answer", "{}").await, "result first");
    agent.take_done();
    let changes = Rc::new(RefCell::new(0));
    let observation = context().observe({
        let changes = changes.clone();
        move |_| *changes.borrow_mut() += 1
    });
    page.update(props("second")).await;
    assert_eq!(agent.run("answer", "{}").await, "result second");
    assert_eq!((*changes.borrow(), agent.take_done()), (0, vec![]), "registered again");
    drop(observation);
}

#[wasm_bindgen_test]
async fn k8_the_name_can_change_and_the_tool_goes_with_its_component() {
    let props =
        |name: &'static str, mounted| OneToolProps { name: name.into(), handler: giving("here"), mounted };
    let mut page = mount::<WithOneTool>(props("answer", true)).await;
    let agent = page.agent();
    page.update(props("renamed", true)).await;
    assert_eq!(agent.run("answer", "{}").await, "error unknown tool answer");
    assert_eq!(agent.run("renamed", "{}").await, "result here");
    page.update(props("renamed", false)).await;
    assert_eq!(agent.run("renamed", "{}").await, "error unknown tool renamed");
    assert!(context().tools().tools().is_empty());
}

#[wasm_bindgen_test]
async fn k1_a_name_that_no_agent_could_call_is_logged_and_not_registered() {
    let log = Watch::events(&["praxis.log"]);
    let mut page =
        mount::<WithOneTool>(OneToolProps { name: "answer".into(), handler: giving("x"), mounted: true })
            .await;
    page.update(OneToolProps { name: "no spaces".into(), handler: giving("x"), mounted: true }).await;
    assert!(context().tools().tools().is_empty());
    assert_eq!(
        log.take(),
        [
            r#"praxis.log {"level":"error","message":"tool \"no spaces\": name: must match ^[a-zA-Z0-9_-]{1,64}$"}"#
        ]
    );
}

#[derive(Clone, Copy, PartialEq, Properties)]
struct TwoProps {
    first: bool,
    second: bool,
}

#[component]
fn Two(props: &TwoProps) -> Html {
    html! {
        <PraxisAgent options={options()}>
            if props.first { <OneTool handler={giving("first")} /> }
            if props.second { <OneTool handler={giving("second")} /> }
        </PraxisAgent>
    }
}

#[wasm_bindgen_test]
async fn k9_the_last_mounted_wins_and_restores_in_both_orders_of_unmounting() {
    // One after the other, the later one goes first.
    let mut page = mount::<Two>(TwoProps { first: true, second: false }).await;
    let agent = page.agent();
    let log = Watch::events(&["praxis.log"]);
    page.update(TwoProps { first: true, second: true }).await;
    assert_eq!(agent.run("answer", "{}").await, "result second");
    assert_eq!(
        log.take(),
        [
            r#"praxis.log {"level":"warn","message":"the tool answer is registered more than once; the last one mounted counts"}"#
        ]
    );
    page.update(TwoProps { first: true, second: false }).await;
    assert_eq!(agent.run("answer", "{}").await, "result first");
    // The earlier one goes first, and comes back as the later one.
    page.update(TwoProps { first: true, second: true }).await;
    page.update(TwoProps { first: false, second: true }).await;
    assert_eq!(agent.run("answer", "{}").await, "result second");
    page.update(TwoProps { first: true, second: true }).await;
    assert_eq!(agent.run("answer", "{}").await, "result first");
    page.update(TwoProps { first: false, second: false }).await;
    assert_eq!(agent.run("answer", "{}").await, "error unknown tool answer");
}

#[wasm_bindgen_test]
async fn k9_mounted_at_once_the_later_in_the_document_wins() {
    let page = mount::<Two>(TwoProps { first: true, second: true }).await;
    assert_eq!(page.agent().run("answer", "{}").await, "result second");
}

#[wasm_bindgen_test]
async fn k3_the_call_carries_its_id_and_its_signal() {
    let seen = Rc::new(RefCell::new(Vec::new()));
    let handler = ToolHandler::new({
        let seen = seen.clone();
        move |_: Value, call| {
            seen.borrow_mut().push((
                call.id().starts_with("sevt_"),
                call.signal().aborted(),
                call.signal().as_js().is_some(),
            ));
            async move {
                call.signal().cancelled().await;
                [call.signal().aborted().to_string(), call.name().to_owned()].join(" ")
            }
        }
    });
    let page = mount::<WithOneTool>(OneToolProps { name: "answer".into(), handler, mounted: true }).await;
    let agent = page.agent();
    let controller = web_sys::AbortController::new().unwrap();
    let call = js_sys::Object::new();
    js_sys::Reflect::set(&call, &"signal".into(), &controller.signal()).unwrap();
    let answer = agent.start("answer", "{}", &call);
    controller.abort();
    assert_eq!(answer.await, "result true answer");
    // One that has fired before, and the foreign element's own calls, which have none.
    assert_eq!(agent.start("answer", "{}", &call).await, "result true answer");
    drop(agent.start("answer", "{}", &JsValue::UNDEFINED));
    assert_eq!(*seen.borrow(), [(true, false, true), (true, true, true), (true, false, false)]);
}

/// Unmounts itself, and registers another tool, while its handler runs.
#[component]
fn Restless() -> Html {
    let gone = use_state(|| false);
    let set_gone = gone.setter();
    let handler = ToolHandler::new(move |_: Value, _call| {
        let set_gone = set_gone.clone();
        async move {
            let registration = context().register_tool("meanwhile", giving("registered in a handler"));
            set_gone.set(true);
            yew::scheduler::flush().await;
            LEFT.set(registration);
            "done"
        }
    });
    html! {
        <PraxisAgent options={options()}>
            <Spy context={|context| { CONTEXT.set(Some(context)); }} />
            if !*gone { <OneTool {handler} /> }
        </PraxisAgent>
    }
}

thread_local!(static LEFT: RefCell<Option<praxis::tools::ToolRegistration>> = const { RefCell::new(None) });

#[wasm_bindgen_test]
async fn case_j11_a_handler_may_unmount_itself_and_register_another_tool() {
    let page = mount::<Restless>(()).await;
    let agent = page.agent();
    assert_eq!(agent.run("answer", "{}").await, "result done");
    assert_eq!(agent.run("answer", "{}").await, "error unknown tool answer");
    assert_eq!(agent.run("meanwhile", "{}").await, "result registered in a handler");
    LEFT.set(None);
    assert_eq!(agent.run("meanwhile", "{}").await, "error unknown tool meanwhile");
}

#[wasm_bindgen_test]
async fn k8_a_handler_that_runs_when_the_agent_goes_still_answers() {
    let (sender, receiver) = oneshot::channel::<()>();
    let receiver = RefCell::new(Some(receiver));
    let handler = ToolHandler::new(move |_: Value, _call| {
        let receiver = receiver.borrow_mut().take().unwrap();
        async move { receiver.await.map(|()| "late") }
    });
    let page = mount::<WithOneTool>(OneToolProps { name: "answer".into(), handler, mounted: true }).await;
    let agent = page.agent();
    let kept = js_sys::Reflect::get(&agent, &"onClientTool".into()).unwrap();
    let answer = agent.start("answer", "{}", &JsValue::UNDEFINED);
    page.unmount().await;
    assert_eq!(agent.take_done().pop().as_deref(), Some("onClientTool undefined"));
    sender.send(()).unwrap();
    assert_eq!(answer.await, "result late");
    // An element may have kept the function: it answers, and nothing breaks.
    js_sys::Reflect::set(&agent, &"onClientTool".into(), &kept).unwrap();
    assert_eq!(agent.run("answer", "{}").await, "error unknown tool answer");
}

#[component]
fn Provided() -> Html {
    html! {
        <PraxisProvider>
            <OneTool handler={giving("from outside")} />
            <PraxisAgent options={options()} />
        </PraxisProvider>
    }
}

#[wasm_bindgen_test]
async fn k11_the_hook_works_outside_of_the_agent_below_a_provider() {
    let page = mount::<Provided>(()).await;
    assert_eq!(page.agent().run("answer", "{}").await, "result from outside");
}
