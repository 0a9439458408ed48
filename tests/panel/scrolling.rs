//! The view follows the end only for a reader who is there, and long conversations stay usable.

use std::rc::Rc;

use praxis::kit::transcript::{Entry, ToolCallStatus};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::stage::{Stage, agent, call, next_frame, user, view};

fn conversation(count: usize) -> Vec<Rc<Entry>> {
    (0..count)
        .map(|at| agent(&format!("a{at}"), &format!("Message {at}\n\nwith two paragraphs"), false))
        .collect()
}

fn to_end(log: &HtmlElement) -> i32 {
    log.scroll_height() - log.scroll_top() - log.client_height()
}

async fn scroll_to(stage: &Stage, top: i32) {
    stage.one(".log").set_scroll_top(top);
    next_frame().await;
    stage.settle().await;
}

#[wasm_bindgen_test]
async fn it_opens_at_the_end_and_follows_it() {
    let mut entries = conversation(30);
    let mut stage = Stage::new(view(&entries)).await;
    let log = stage.one(".log");
    assert!(log.scroll_height() > 1_000);
    assert!(to_end(&log) <= 1);
    for at in 0..5 {
        entries.push(agent(&format!("more{at}"), "One\n\nmore", true));
        stage.show_entries(&entries).await;
        assert!(to_end(&log) <= 1);
    }
    assert_eq!(stage.one(".jump").get_attribute("class").as_deref(), Some("jump away"));
}

#[wasm_bindgen_test]
async fn a_reader_who_went_back_a_step_stays_there() {
    let mut entries = conversation(30);
    let mut stage = Stage::new(view(&entries)).await;
    let log = stage.one(".log");
    let top = log.scroll_top() - 10;
    scroll_to(&stage, top).await;
    entries.push(agent("new", "New", true));
    stage.show_entries(&entries).await;
    assert_eq!(log.scroll_top(), top);
    assert_eq!(stage.one(".jump").text_content().as_deref(), Some("New messages"));

    stage.click(".jump").await;
    assert!(to_end(&log) <= 1);
    entries.push(agent("newer", "Newer", true));
    stage.show_entries(&entries).await;
    assert!(to_end(&log) <= 1);
}

#[wasm_bindgen_test]
async fn going_to_the_end_takes_it_up_again() {
    let mut entries = conversation(30);
    let mut stage = Stage::new(view(&entries)).await;
    let log = stage.one(".log");
    scroll_to(&stage, 100).await;
    scroll_to(&stage, log.scroll_height()).await;
    entries.push(agent("new", "New", true));
    stage.show_entries(&entries).await;
    assert!(to_end(&log) <= 1);
}

#[wasm_bindgen_test]
async fn what_the_person_writes_is_shown() {
    let mut entries = conversation(30);
    let mut stage = Stage::new(view(&entries)).await;
    scroll_to(&stage, 100).await;
    entries.push(user("mine", "And now?"));
    stage.show_entries(&entries).await;
    assert!(to_end(&stage.one(".log")) <= 1);
}

#[wasm_bindgen_test]
async fn a_call_that_is_opened_does_not_run_away() {
    let mut entries = conversation(30);
    entries.push(call("sevt_1", ToolCallStatus::End, Some("ok")));
    let mut stage = Stage::new(view(&entries)).await;
    let log = stage.one(".log");
    let top = log.scroll_top();
    stage.click(".tool-row").await;
    assert!(to_end(&log) > 1);
    entries.push(agent("new", "New", true));
    stage.show_entries(&entries).await;
    assert_eq!(log.scroll_top(), top);
}

#[wasm_bindgen_test]
async fn a_growing_composer_keeps_the_end_in_view() {
    let stage = Stage::new(view(&conversation(30))).await;
    stage.type_text("1\n2\n3\n4").await;
    next_frame().await;
    assert!(to_end(&stage.one(".log")) <= 1);
}

#[wasm_bindgen_test]
async fn of_ten_thousand_entries_the_newest_are_shown_and_earlier_ones_on_request() {
    let entries = conversation(10_000);
    let stage = Stage::new(view(&entries)).await;
    let shown = || stage.texts("[part=message] p:first-child");
    assert_eq!(shown().len(), 60);
    assert_eq!(shown().last().map(String::as_str), Some("Message 9999"));

    scroll_to(&stage, 0).await;
    let first = stage.all("[part=message]").remove(0);
    let before = first.get_bounding_client_rect().top();
    stage.click(".earlier button").await;
    assert_eq!(shown().len(), 120);
    assert!(
        (first.get_bounding_client_rect().top() - before).abs() <= 1.0,
        "what was read stays where it was"
    );
}

#[wasm_bindgen_test]
async fn another_conversation_starts_at_its_own_end() {
    let mut stage = Stage::new(view(&conversation(30))).await;
    scroll_to(&stage, 0).await;
    let other: Vec<_> = (0..40).map(|at| agent(&format!("b{at}"), "Other\n\nwords", false)).collect();
    stage.show(|view| view.session = Some("sesn_2".into())).await;
    stage.show_entries(&other).await;
    assert!(to_end(&stage.one(".log")) <= 1);
}
