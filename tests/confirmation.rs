//! The person is asked (E9), through events on `window`.
#![cfg(target_arch = "wasm32")]

mod tools;

use std::cell::Cell;
use std::rc::Rc;

use praxis::tools::{
    CONFIRMATION_REQUIRED, CONFIRMATION_RESPONSE, Category, FrontendTool, RiskLevel, ToolCall, ToolHandler,
};
use serde_json::{Value, json};
use tools::{Events, OneTool, agree_at_once, answer, sleep_for, tamper, turn};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

fn asking() -> OneTool {
    OneTool::new(
        FrontendTool::from_schema("t", json!({"type": "object"}))
            .description("d")
            .requires_confirmation()
            .confirmation(|arguments| ["将处理 ", &arguments["n"].to_string()].concat()),
    )
}

fn id(question: &Value) -> &str {
    question["id"].as_str().unwrap()
}

fn refused(error: &str, summary: &str) -> Value {
    json!({"success": false, "error": error, "toolName": "t", "summary": summary})
}

#[wasm_bindgen_test]
async fn e9_the_question_is_an_event_and_its_answer_is_one() {
    let page = asking();
    let asked = Events::of(CONFIRMATION_REQUIRED);
    let before = js_sys::Date::now();
    let outcome = page.call(json!({"n": 1}));
    let mut question = asked.next().await;
    let expires_at = question["expiresAt"].as_f64().unwrap();
    assert!((before + 29_000.0..before + 60_000.0).contains(&expires_at), "{expires_at}");
    let id = id(&question).to_owned();
    for member in ["id", "expiresAt"] {
        question.as_object_mut().unwrap().remove(member);
    }
    assert_eq!(
        question,
        json!({"toolName": "t", "description": "将处理 1", "args": {"n": 1}, "riskLevel": "moderate"})
    );
    assert!(page.ran.borrow().is_empty());
    answer(&id, true);
    let expected = json!({"success": true, "data": "done", "toolName": "t", "summary": "“t”已完成"});
    assert_eq!(outcome.await, expected);
    assert_eq!(*page.ran.borrow(), [json!({"n": 1})]);
    answer(&id, true);
    turn().await;
    assert_eq!(page.ran.borrow().len(), 1, "each answer is used once");
}

#[wasm_bindgen_test]
async fn e9_what_a_listener_does_to_the_arguments_changes_nothing() {
    let page = asking();
    tamper(true);
    let outcome = page.call(json!({"n": 1}));
    while page.runner.confirmations().is_empty() {
        turn().await;
    }
    tamper(false);
    page.runner.decide(&page.runner.confirmations()[0].id, true);
    outcome.await;
    assert_eq!(*page.ran.borrow(), [json!({"n": 1})]);
}

/// A tool that navigates, beside the one of `page`; it notes that it ran.
fn navigation(page: &OneTool) -> (praxis::tools::ToolRegistration, impl Fn() + use<>) {
    let tool = FrontendTool::from_schema("go", json!({"type": "object"}))
        .description("d")
        .category(Category::Navigation)
        .risk_level(RiskLevel::Safe);
    let ran = page.ran.clone();
    let handler = ToolHandler::new(move |_input: Value, _call| ran.borrow_mut().push(json!("go")));
    let registration = page.registry.register_frontend(Rc::new(tool), handler).unwrap();
    let runner = page.runner.clone();
    (registration, move || drop(runner.run(ToolCall::new("id", "go", None), json!({}), None)))
}

#[wasm_bindgen_test]
async fn e15_a_navigation_waits_for_the_front_end_tools_called_before_it() {
    let page = asking();
    let (_registration, go) = navigation(&page);
    let asked = Events::of(CONFIRMATION_REQUIRED);
    let [before, after] = [json!({"n": 1}), json!({"n": 2})];
    let first = page.call(before.clone());
    go();
    let second = page.call(after.clone());
    answer(id(&asked.next().await), true);
    first.await;
    answer(id(&asked.next().await), true);
    second.await;
    assert_eq!(*page.ran.borrow(), [before, json!("go"), after]);
}

#[wasm_bindgen_test]
async fn e15_e16_a_navigation_does_not_wait_for_what_was_stopped() {
    let tool = FrontendTool::from_schema("t", json!({"type": "object"})).description("d");
    let page = OneTool::new(tool.clone());
    let (_registration, go) = navigation(&page);
    let started = Rc::new(Cell::new(false));
    let endless = ToolHandler::new({
        let started = started.clone();
        move |_input: Value, _call| {
            started.set(true);
            std::future::pending::<()>()
        }
    });
    let _endless = page.registry.register_frontend(Rc::new(tool), endless).unwrap();
    let controller = web_sys::AbortController::new().unwrap();
    drop(page.call_until(json!({}), Some(controller.signal())));
    go();
    while !started.get() {
        turn().await;
    }
    turn().await;
    assert!(page.ran.borrow().is_empty());
    controller.abort();
    while page.ran.borrow().is_empty() {
        turn().await;
    }
    assert_eq!(*page.ran.borrow(), [json!("go")]);
}

#[wasm_bindgen_test]
async fn e9_case_j05_two_questions_are_answered_each_by_its_own_id() {
    let page = asking();
    let changes = Rc::new(Cell::new(0));
    let _observation = page.runner.observe({
        let changes = changes.clone();
        move || changes.set(changes.get() + 1)
    });
    let asked = Events::of(CONFIRMATION_REQUIRED);
    let (first, second) = (page.call(json!({"n": 1})), page.call(json!({"n": 2})));
    let (one, two) = (asked.next().await, asked.next().await);
    let open = page.runner.confirmations();
    let shown: Vec<&str> = open.iter().map(|open| &*open.description).collect();
    assert_eq!((shown.as_slice(), changes.get()), (["将处理 1", "将处理 2"].as_slice(), 2));
    answer("confirmation-0", true);
    answer(id(&two), false);
    answer(id(&two), true);
    assert_eq!(second.await, refused("confirmation: the person refused", "你没有同意“t”，没有执行"));
    assert_eq!(page.runner.confirmations().len(), 1);
    answer(id(&one), true);
    assert_eq!(first.await["success"], true);
    assert_eq!(*page.ran.borrow(), [json!({"n": 1})]);
    assert!(page.runner.confirmations().is_empty() && changes.get() == 4);
}

#[wasm_bindgen_test]
async fn e9_only_true_agrees() {
    let page = asking();
    let asked = Events::of(CONFIRMATION_REQUIRED);
    for almost in [JsValue::from(1), JsValue::from("true"), JsValue::UNDEFINED, JsValue::NULL] {
        let outcome = page.call(json!({}));
        answer(id(&asked.next().await), almost);
        assert_eq!(outcome.await["error"], "confirmation: the person refused");
    }
}

#[wasm_bindgen_test]
async fn e9_case_j11_a_listener_may_answer_while_it_is_asked() {
    let page = asking();
    agree_at_once(true);
    let outcome = page.call(json!({"n": 1})).await;
    agree_at_once(false);
    assert_eq!(outcome["success"], true);
}

#[wasm_bindgen_test]
async fn e9_case_j06_when_the_tab_slept_past_the_deadline_an_agreement_comes_too_late() {
    let page = asking();
    let (asked, answered) = (Events::of(CONFIRMATION_REQUIRED), Events::of(CONFIRMATION_RESPONSE));
    let outcome = page.call(json!({}));
    let question = asked.next().await;
    sleep_for(30_000.0);
    answer(id(&question), true);
    assert_eq!(
        outcome.await,
        refused("confirmation: nobody answered within 30 s", "没有等到对“t”的确认，没有执行")
    );
    assert!(page.ran.borrow().is_empty());
    // The engine's own answer closes the dialog; its listeners see it before the late one is over.
    let closed = json!({"id": id(&question), "confirmed": false});
    assert!(answered.take().contains(&closed));
}

#[wasm_bindgen_test]
async fn e9_e16_an_abort_closes_the_question() {
    let page = asking();
    let (asked, answered) = (Events::of(CONFIRMATION_REQUIRED), Events::of(CONFIRMATION_RESPONSE));
    let controller = web_sys::AbortController::new().unwrap();
    let outcome = page.call_until(json!({}), Some(controller.signal()));
    let question = asked.next().await;
    controller.abort();
    assert_eq!(answered.take(), [json!({"id": id(&question), "confirmed": false})]);
    assert_eq!(outcome.await, refused("stopped before it ran", "“t”已停止，没有执行"));
    answer(id(&question), true);
    turn().await;
    assert!(page.ran.borrow().is_empty());
    // One that was stopped before it began.
    assert_eq!(page.call_until(json!({}), Some(controller.signal())).await["error"], "stopped before it ran");
}

#[wasm_bindgen_test]
async fn e9_when_the_tools_go_the_question_closes_and_the_call_is_answered() {
    let OneTool { runner, registry, registration, ran } = asking();
    let (asked, answered) = (Events::of(CONFIRMATION_REQUIRED), Events::of(CONFIRMATION_RESPONSE));
    let outcome = runner.run(praxis::tools::ToolCall::new("id", "t", None), json!({}), None);
    let question = asked.next().await;
    drop((runner, registry, registration));
    assert_eq!(answered.take(), [json!({"id": id(&question), "confirmed": false})]);
    assert_eq!(outcome.await, Err("the tools of this page have been removed".to_owned()));
    assert!(ran.borrow().is_empty());
}

#[wasm_bindgen_test]
async fn e9_what_was_asked_about_must_still_be_there_when_it_runs() {
    let mut page = asking();
    let asked = Events::of(CONFIRMATION_REQUIRED);
    let outcome = page.call(json!({}));
    let question = asked.next().await;
    page.registration = None;
    answer(id(&question), true);
    assert_eq!(outcome.await["error"], "t is not on this page any more");
    assert!(page.ran.borrow().is_empty());
}
