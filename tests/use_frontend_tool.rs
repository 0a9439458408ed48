//! `use_frontend_tool` (E1, E7, E8, K8–K11), on a page whose element is not ours.
#![cfg(target_arch = "wasm32")]

mod foreign;
mod tools;

use std::cell::RefCell;
use std::rc::Rc;

use foreign::{ForeignAgent, Watch, mount};
use praxis::binding::{
    ApiOptions, PraxisAgent, PraxisContext, PraxisOptions, PraxisProvider, Protocol, use_frontend_tool,
    use_praxis_context, use_praxis_tool,
};
use praxis::tools::{Category, FrontendTool, RiskLevel, ToolOptions, ToolResult};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tools::{Events, answer};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use yew::prelude::*;

wasm_bindgen_test_configure!(run_in_browser);

/// Moves the lesson video to a position.
#[derive(Deserialize, JsonSchema)]
struct SeekTo {
    /// Seconds from the start of the lesson.
    #[serde(default)]
    position_seconds: f64,
}

thread_local! {
    static CONTEXT: RefCell<Option<PraxisContext>> = const { RefCell::new(None) };
    static OPTIONS: ToolOptions = tools::options();
}

fn context() -> PraxisContext {
    CONTEXT.with_borrow(Clone::clone).unwrap()
}

#[derive(Clone, PartialEq, Properties)]
struct StageProps {
    children: Html,
}

/// A provider with a stub worker, an agent whose loop the page runs, and what is on the page.
#[component]
fn Stage(props: &StageProps) -> Html {
    let api = ApiOptions { protocol: Some(Protocol::Demo), ..ApiOptions::default() };
    html! {
        <PraxisProvider tools={OPTIONS.with(Clone::clone)}>
            <Spy />
            { props.children.clone() }
            <PraxisAgent options={PraxisOptions { api, ..PraxisOptions::default() }} />
        </PraxisProvider>
    }
}

/// Hands out the context that it is in.
#[component]
fn Spy() -> Html {
    CONTEXT.set(use_praxis_context());
    html! { <span hidden=true /> }
}

/// Runs a call and gives the result without its duration; whether it was a success must be said twice.
async fn run(agent: &ForeignAgent, name: &str, input: &str) -> Value {
    let text = agent.run(name, input).await;
    let (kind, json) = text.split_once(' ').unwrap();
    let mut result: Value = serde_json::from_str(json).unwrap_or_else(|_| panic!("{text}"));
    assert!(result["duration"].is_u64(), "{text}");
    result.as_object_mut().unwrap().remove("duration");
    assert_eq!(kind == "result", result["success"] == true, "{text}");
    result
}

/// The tools that the agent was told of in its options.
fn declared_to(agent: &ForeignAgent) -> Vec<Value> {
    let options = String::from(js_sys::JSON::stringify(&agent.options()).unwrap());
    let options: Value = serde_json::from_str(&options).unwrap();
    options["agent"]["tools"].as_array().unwrap().clone()
}

#[component]
fn EachKind() -> Html {
    let tool =
        |name: &str| FrontendTool::new::<SeekTo>(name).category(Category::Ui).risk_level(RiskLevel::Safe);
    use_frontend_tool(tool("seek_to"), |input: SeekTo, _call| async move { input.position_seconds });
    use_frontend_tool(tool("whole"), |input: SeekTo, _call| {
        ToolResult::done(json!({"at": input.position_seconds}), "已跳转")
    });
    use_frontend_tool(tool("refuses"), |_: SeekTo, _call| ToolResult::failed("no video", "没有视频"));
    use_frontend_tool(tool("fails"), |_: SeekTo, _call| async { Err::<(), _>("no player") });
    use_frontend_tool(tool("summed").summary(|_| "做好了".to_owned()), |_: Value, _call| ());
    use_frontend_tool(tool("denied").category(Category::Network), |_: Value, _call| ());
    use_praxis_tool("plain", |_: Value, _call| "plain text");
    html! { <span hidden=true /> }
}

#[component]
fn WithEachKind() -> Html {
    html! { <Stage><EachKind /></Stage> }
}

#[wasm_bindgen_test]
async fn e1_the_agent_gets_the_result_as_json_and_a_failure_is_rejected_with_just_that() {
    let page = mount::<WithEachKind>(()).await;
    let agent = page.agent();
    for (name, expected) in [
        (
            "seek_to",
            json!({"success": true, "data": 83.5, "toolName": "seek_to", "summary": "“seek_to”已完成"}),
        ),
        ("whole", json!({"success": true, "data": {"at": 83.5}, "toolName": "whole", "summary": "已跳转"})),
        (
            "refuses",
            json!({"success": false, "error": "no video", "toolName": "refuses", "summary": "没有视频"}),
        ),
        (
            "fails",
            json!({"success": false, "error": "no player", "toolName": "fails", "summary": "“fails”没有完成"}),
        ),
        ("summed", json!({"success": true, "toolName": "summed", "summary": "做好了"})),
        (
            "denied",
            json!({
                "success": false,
                "error": "permission: this app does not allow safe tools of the category network",
                "toolName": "denied",
                "summary": "这个应用不允许“denied”",
            }),
        ),
    ] {
        assert_eq!(run(&agent, name, r#"{"position_seconds":83.5}"#).await, expected);
    }
    assert_eq!(agent.run("plain", "{}").await, "result plain text");
}

#[wasm_bindgen_test]
async fn e8_arguments_that_do_not_fit_are_refused_with_path_expectation_and_what_came() {
    let page = mount::<WithEachKind>(()).await;
    let result = run(&page.agent(), "seek_to", r#"{"wrong":2}"#).await;
    assert_eq!(result["error"], "arguments: /0: expected nothing, came 1; /1: expected nothing, came 1");
}

#[wasm_bindgen_test]
async fn e13_active_markup_is_removed_and_reported() {
    let page = mount::<WithEachKind>(()).await;
    let result = run(&page.agent(), "whole", r#"{"note":"<b>a</b><script>x</script>"}"#).await;
    assert_eq!(result["success"], true);
    let summary = result["summary"].as_str().unwrap();
    assert!(summary.contains("/note") && summary.contains("script"), "{summary}");
    let record = context().runner().execution_log(1).remove(0);
    assert_eq!(record.arguments, json!({"note": "<b>a</b>"}));
}

#[wasm_bindgen_test]
async fn e12_the_eleventh_call_in_a_minute_is_refused() {
    let page = mount::<WithEachKind>(()).await;
    let agent = page.agent();
    for _ in 0..10 {
        assert_eq!(run(&agent, "whole", "{}").await["success"], true);
    }
    let error = run(&agent, "whole", "{}").await["error"].clone();
    assert!(error.as_str().unwrap().starts_with("rate limit: "), "{error}");
    assert_eq!(run(&agent, "summed", "{}").await["success"], true);
    for _ in 0..11 {
        assert_eq!(agent.run("plain", "{}").await, "result plain text");
    }
}

#[wasm_bindgen_test]
async fn e1_e10_one_log_holds_the_calls_of_both_kinds_and_of_unknown_tools() {
    let page = mount::<WithEachKind>(()).await;
    let agent = page.agent();
    agent.run("plain", r#"{"password":"hunter22"}"#).await;
    agent.run("nothing", "{}").await;
    run(&agent, "whole", "{}").await;
    let log = context().runner().execution_log(50);
    let seen: Vec<(&str, bool)> = log.iter().map(|record| (&*record.tool, record.result.success)).collect();
    assert_eq!(seen, [("whole", true), ("nothing", false), ("plain", true)]);
    assert_eq!(log[2].arguments, json!({"password": "***"}));
}

#[wasm_bindgen_test]
async fn e1_k1_the_agent_is_told_of_the_tools_that_are_on_the_page() {
    let page = mount::<WithEachKind>(()).await;
    tools::turn().await;
    let tools = declared_to(&page.agent());
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["seek_to", "whole", "refuses", "fails", "summed", "denied"]);
    assert_eq!(tools[0]["description"], "Moves the lesson video to a position.");
    let definitions = context().tools().tool_definitions();
    assert_eq!(definitions[0]["function"]["parameters"]["properties"]["position_seconds"]["type"], "number");
}

#[derive(Clone, Copy, PartialEq, Properties)]
struct TwoProps {
    frontend: Option<&'static str>,
    plain: bool,
}

#[derive(Clone, PartialEq, Properties)]
struct AnswerProps {
    answer: &'static str,
}

#[component]
fn Frontend(props: &AnswerProps) -> Html {
    let answer = props.answer;
    use_frontend_tool(
        FrontendTool::from_schema("answer", json!({"type": "object"}))
            .description("d")
            .requires_confirmation()
            .confirmation(move |_| answer.to_owned()),
        move |_: Value, _call| ToolResult::done(None, answer),
    );
    html! { <span hidden=true /> }
}

#[component]
fn Plain() -> Html {
    use_praxis_tool("answer", |_: Value, _call| "plain");
    html! { <span hidden=true /> }
}

#[component]
fn Two(props: &TwoProps) -> Html {
    html! {
        <Stage>
            if let Some(answer) = props.frontend { <Frontend {answer} /> }
            if props.plain { <Plain /> }
        </Stage>
    }
}

#[wasm_bindgen_test]
async fn k9_the_last_mounted_wins_across_both_hooks() {
    let mut page = mount::<Two>(TwoProps { frontend: Some("frontend"), plain: false }).await;
    let agent = page.agent();
    let log = Watch::events(&["praxis.log"]);
    page.update(TwoProps { frontend: Some("frontend"), plain: true }).await;
    assert_eq!(agent.run("answer", "{}").await, "result plain");
    assert_eq!(log.take().len(), 1, "a warning");
    assert!(context().tools().declarations().is_empty(), "the one that counts is no front-end tool");
    page.update(TwoProps { frontend: Some("frontend"), plain: false }).await;
    let asked = Events::of("agent-confirmation-required");
    let outcome = agent.start("answer", "{}", &wasm_bindgen::JsValue::UNDEFINED);
    let question = asked.next().await;
    // A plain tool that is mounted meanwhile is not what the person is asked about.
    page.update(TwoProps { frontend: Some("frontend"), plain: true }).await;
    answer(question["id"].as_str().unwrap(), true);
    assert!(outcome.await.contains("\"summary\":\"frontend\""));
    assert_eq!(agent.run("answer", "{}").await, "result plain");
    page.update(TwoProps { frontend: None, plain: true }).await;
    assert_eq!(agent.run("answer", "{}").await, "result plain");
    page.update(TwoProps { frontend: None, plain: false }).await;
    assert_eq!(agent.run("answer", "{}").await, "error unknown tool answer");
}

#[wasm_bindgen_test]
async fn k8_the_newest_handler_and_words_are_used_without_registering_again() {
    let mut page = mount::<Two>(TwoProps { frontend: Some("old"), plain: false }).await;
    let agent = page.agent();
    let changes = Rc::new(RefCell::new(0));
    let _observation = context().observe({
        let changes = changes.clone();
        move |_| *changes.borrow_mut() += 1
    });
    agent.take_done();
    page.update(TwoProps { frontend: Some("new"), plain: false }).await;
    assert_eq!(*changes.borrow(), 0, "registered again");
    let asked = Events::of("agent-confirmation-required");
    let outcome = agent.start("answer", "{}", &wasm_bindgen::JsValue::UNDEFINED);
    let question = asked.next().await;
    assert_eq!(question["description"], "new");
    answer(question["id"].as_str().unwrap(), true);
    assert!(outcome.await.contains("\"summary\":\"new\""));
}

#[derive(Clone, PartialEq, Properties)]
struct DeclaredProps {
    description: &'static str,
}

#[component]
fn Declared(props: &DeclaredProps) -> Html {
    html! { <Stage><Describing description={props.description} /></Stage> }
}

#[component]
fn Describing(props: &DeclaredProps) -> Html {
    let tool = FrontendTool::from_schema("t", json!({"type": "object"})).description(props.description);
    use_frontend_tool(tool, |_: Value, _call| ());
    html! { <span hidden=true /> }
}

#[wasm_bindgen_test]
async fn k1_a_declaration_without_description_is_logged_and_a_new_one_registers() {
    let log = Watch::events(&["praxis.log"]);
    let mut page = mount::<Declared>(DeclaredProps { description: "d" }).await;
    page.update(DeclaredProps { description: " " }).await;
    assert!(context().tools().tools().is_empty());
    assert_eq!(
        log.take(),
        [
            r#"praxis.log {"level":"error","message":"tool \"t\": description: must be a text that says when to call the tool"}"#
        ]
    );
    page.update(DeclaredProps { description: "other" }).await;
    assert_eq!(context().tools().declarations()[0].description, "other");
    tools::turn().await;
    assert_eq!(declared_to(&page.agent())[0]["description"], "other");
}

/// Unmounts itself while its handler runs.
#[component]
fn Restless() -> Html {
    let gone = use_state(|| false);
    html! { <Stage>if !*gone { <Leaving leave={{ let gone = gone.setter(); move |()| gone.set(true) }} /> }</Stage> }
}

#[derive(Clone, PartialEq, Properties)]
struct LeavingProps {
    leave: Callback<()>,
}

#[component]
fn Leaving(props: &LeavingProps) -> Html {
    let leave = props.leave.clone();
    let tool = FrontendTool::from_schema("leave", json!({"type": "object"})).description("d");
    use_frontend_tool(tool, move |_: Value, _call| {
        let leave = leave.clone();
        async move {
            leave.emit(());
            yew::scheduler::flush().await;
            "left"
        }
    });
    html! { <span hidden=true /> }
}

#[wasm_bindgen_test]
async fn case_j11_a_handler_may_unmount_its_component() {
    let page = mount::<Restless>(()).await;
    let agent = page.agent();
    assert_eq!(run(&agent, "leave", "{}").await["data"], "left");
    assert_eq!(agent.run("leave", "{}").await, "error unknown tool leave");
}

#[wasm_bindgen_test]
async fn case_j08_special_names_are_names_like_any_other() {
    let page = mount::<WithEachKind>(()).await;
    let agent = page.agent();
    for name in ["constructor", "toString", "__proto__", "hasOwnProperty"] {
        assert_eq!(agent.run(name, "{}").await, ["error unknown tool ", name].concat());
    }
    let input = r#"{"__proto__":{"polluted":1},"constructor":2}"#;
    assert_eq!(run(&agent, "summed", input).await["success"], true);
    let record = context().runner().execution_log(1).remove(0);
    assert_eq!(record.arguments.to_string(), input);
}
