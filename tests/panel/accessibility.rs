//! What is announced, where the focus is, and that it can be used without a pointer.

use praxis::kit::transcript::{Connection, ToolCallStatus};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::stage::{Stage, agent, call, change_transcript, user, view};

#[wasm_bindgen_test]
async fn finished_messages_and_calls_are_announced_once() {
    let mut stage = Stage::new(view(&[user("u0", "old"), agent("a0", "Old answer", false)])).await;
    let history = [user("u0", "old"), agent("a0", "Old answer", false), user("u", "go")];
    let with = |more: &[std::rc::Rc<praxis::kit::transcript::Entry>]| [&history[..], more].concat();
    stage.show_entries(&with(&[call("c", ToolCallStatus::Start, None)])).await;
    let done = call("c", ToolCallStatus::End, None);
    stage.show_entries(&with(std::slice::from_ref(&done))).await;
    for text in ["You", "You are at **1:", "You are at **1:23**"] {
        stage.show_entries(&with(&[done.clone(), agent("a", text, true)])).await;
    }
    for _ in 0..2 {
        stage.show_entries(&with(&[done.clone(), agent("a", "You are at **1:23**.", false)])).await;
    }
    assert_eq!(stage.texts("[role=log] p"), ["Calling: seek_to", "Called: seek_to", "You are at 1:23."]);
    assert_eq!(stage.one("[role=log]").get_attribute("aria-live").as_deref(), Some("polite"));
}

#[wasm_bindgen_test]
async fn a_conversation_that_is_opened_is_not_read_out() {
    let mut opening = view(&[]);
    change_transcript(&mut opening, |transcript| transcript.connection = Connection::Opening);
    let mut stage = Stage::new(opening).await;
    stage.show_entries(&[agent("a", "Old", false)]).await;
    stage.show(|view| change_transcript(view, |transcript| transcript.connection = Connection::Open)).await;
    assert!(stage.texts("[role=log] p").is_empty());
}

#[wasm_bindgen_test]
async fn the_focus_is_never_stolen() {
    let document = gloo::utils::document();
    let outside: HtmlElement = document.create_element("input").unwrap().unchecked_into();
    gloo::utils::body().append_child(&outside).unwrap();
    outside.focus().unwrap();
    let mut stage = Stage::open().await;
    stage.show_entries(&[user("u", "go"), agent("a", "An", true)]).await;
    stage.show(|view| change_transcript(view, |transcript| transcript.running = true)).await;
    stage.show_entries(&[user("u", "go"), agent("a", "An answer", false)]).await;
    stage.show(|view| change_transcript(view, |transcript| transcript.running = false)).await;
    assert_eq!(document.active_element().as_ref(), Some(outside.as_ref()));
    assert!(stage.focused().is_none());
    outside.remove();
}

#[wasm_bindgen_test]
async fn every_control_has_a_name_and_is_large_enough() {
    let mut shown =
        view(&[user("u", "go"), call("c", ToolCallStatus::End, None), agent("a", "```\nx\n```", false)]);
    shown.history = Some(std::rc::Rc::default());
    let stage = Stage::new(shown).await;
    for control in stage.all("button, textarea") {
        let name = control.get_attribute("aria-label").or_else(|| control.text_content()).unwrap_or_default();
        assert!(!name.trim().is_empty(), "{}", control.outer_html());
        let size = control.get_bounding_client_rect();
        let hidden = control.offset_parent().is_none();
        assert!(hidden || (size.width() >= 24.0 && size.height() >= 24.0), "{name}");
    }
}
