//! The list of conversations.

use std::rc::Rc;

use praxis::kit::panel::{History, PanelView};
use praxis::protocol::{AgentName, Session, SessionStatus, Timestamp};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::stage::{Stage, press, view};

fn session(id: &str, title: Option<&str>) -> Session {
    Session {
        id: id.into(),
        status: SessionStatus::Idle,
        title: title.map(Into::into),
        agent: AgentName::default(),
        created_at: Timestamp::from_millis(0),
        updated_at: Timestamp::from_millis(1_796_000_000_000),
    }
}

fn with_history() -> PanelView {
    let sessions = Some(vec![session("sesn_1", Some("Where am I?")), session("sesn_2", None)]);
    let mut view = view(&[]);
    view.history = Some(Rc::new(History { sessions, more: true, ..History::default() }));
    view
}

const TOGGLE: &str = "header button[aria-expanded]";

#[wasm_bindgen_test]
async fn it_is_read_when_it_is_opened() {
    let stage = Stage::new(with_history()).await;
    assert!(stage.find("[part=history]").is_none());
    stage.click(TOGGLE).await;
    assert_eq!(stage.reported(), ["load more=false"]);
    assert_eq!(stage.texts(".session-title"), ["Where am I?", "Untitled conversation"]);
    stage.click(".history-state button").await;
    assert_eq!(stage.reported(), ["load more=true"]);
}

#[wasm_bindgen_test]
async fn a_conversation_is_opened() {
    let stage = Stage::new(with_history()).await;
    stage.click(TOGGLE).await;
    stage.click("li:nth-child(2) .session-open").await;
    assert_eq!(stage.reported(), ["load more=false", "open sesn_2"]);
    assert!(stage.find("[part=history]").is_none());
}

#[wasm_bindgen_test]
async fn a_conversation_is_deleted_only_after_a_question() {
    let stage = Stage::new(with_history()).await;
    stage.click(TOGGLE).await;
    stage.reported();
    stage.click("li:nth-child(2) .icon-button").await;
    assert!(stage.reported().is_empty());
    assert_eq!(stage.focused().unwrap().text_content().as_deref(), Some("Cancel"));
    stage.click(".question-buttons button:first-child").await;
    assert!(stage.reported().is_empty());
    assert!(stage.focused().unwrap().matches("li:nth-child(2) .icon-button").unwrap());
    stage.click("li:nth-child(2) .icon-button").await;
    stage.click(".question .danger").await;
    assert_eq!(stage.reported(), ["delete sesn_2"]);
    assert_eq!(stage.focused().unwrap().get_attribute("aria-label").as_deref(), Some("Close"));
}

#[wasm_bindgen_test]
async fn escape_closes_it_and_the_focus_goes_back() {
    let stage = Stage::new(with_history()).await;
    stage.one(TOGGLE).focus().unwrap();
    stage.click(TOGGLE).await;
    let close = stage.focused().unwrap();
    assert_eq!(close.get_attribute("aria-label").as_deref(), Some("Close"));
    press(&stage.one("[part=history] .bar button"), "Escape", |_| {});
    stage.settle().await;
    assert!(stage.find("[part=history]").is_none());
    assert!(stage.focused().unwrap().matches(TOGGLE).unwrap());
}

#[wasm_bindgen_test]
async fn without_history_there_is_no_button() {
    let stage = Stage::open().await;
    assert!(stage.find(TOGGLE).is_none());
    stage.click("[part=new-conversation]").await;
    assert_eq!(stage.reported(), ["new"]);
}
