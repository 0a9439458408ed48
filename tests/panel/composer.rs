//! The composer: what sends, what does not, and that nothing typed is lost.

use std::rc::Rc;

use js_sys::{JsString, Reflect};
use praxis::kit::panel::Draft;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{HtmlButtonElement, InputEvent, InputEventInit};

use crate::stage::{Stage, change_transcript, dispatch, user, view};

fn failed(serial: u64, text: &str) -> Rc<[Draft]> {
    Rc::new([Draft { serial, text: text.into(), error: "You are offline.".into() }])
}

#[wasm_bindgen_test]
async fn enter_sends_and_the_focus_stays() {
    let stage = Stage::open().await;
    stage.type_text("  Where am I?\n").await;
    assert!(stage.press("Enter", |_| {}).await);
    assert_eq!(stage.reported(), ["send Composer Where am I?"]);
    assert_eq!(stage.field().value(), "");
    assert_eq!(stage.focused().unwrap().local_name(), "textarea");
}

#[wasm_bindgen_test]
async fn shift_enter_breaks_the_line() {
    let stage = Stage::open().await;
    stage.type_text("one").await;
    assert!(!stage.press("Enter", |key| key.set_shift_key(true)).await, "the browser breaks the line");
    assert!(stage.reported().is_empty());
    assert_eq!(stage.field().value(), "one");
}

#[wasm_bindgen_test]
async fn case_c21_enter_that_confirms_a_candidate_does_not_send() {
    let stage = Stage::open().await;
    stage.type_text("nihao").await;
    assert!(!stage.press("Enter", |key| key.set_is_composing(true)).await);
    // Safari has ended the composition by then.
    assert!(!stage.press("Enter", |key| key.set_key_code(229)).await);
    assert!(stage.reported().is_empty());

    // The event that commits the candidate still says that it composes; its text counts.
    let field = stage.field();
    field.set_value("你好");
    let options = InputEventInit::new();
    options.set_bubbles(true);
    options.set_composed(true);
    options.set_is_composing(true);
    field.dispatch_event(&InputEvent::new_with_event_init_dict("input", &options).unwrap()).unwrap();
    stage.settle().await;
    assert_eq!(stage.one(".grow").get_attribute("data-text").as_deref(), Some("你好"));
    stage.press("Enter", |_| {}).await;
    assert_eq!(stage.reported(), ["send Composer 你好"]);
}

#[wasm_bindgen_test]
async fn blank_text_is_not_sent() {
    let stage = Stage::open().await;
    let send: HtmlButtonElement = stage.one("[part=send]").unchecked_into();
    assert!(send.disabled());
    stage.type_text(" \n\u{3000}").await;
    assert!(send.disabled());
    stage.press("Enter", |_| {}).await;
    assert!(stage.reported().is_empty());
    stage.type_text("a").await;
    assert!(!send.disabled());
}

#[wasm_bindgen_test]
async fn the_send_button_sends_and_gives_the_focus_back() {
    let stage = Stage::open().await;
    stage.type_text("hello").await;
    stage.one("[part=send]").focus().unwrap();
    stage.click("[part=send]").await;
    assert_eq!(stage.reported(), ["send Composer hello"]);
    assert_eq!(stage.focused().unwrap().local_name(), "textarea");
}

#[wasm_bindgen_test]
async fn a_message_can_be_sent_while_a_turn_runs() {
    let mut stage = Stage::new(view(&[user("u", "go")])).await;
    stage.show(|view| change_transcript(view, |transcript| transcript.running = true)).await;
    let stop = stage.one("[part=stop]").get_bounding_client_rect();
    let composer = stage.one(".composer").get_bounding_client_rect();
    stage.show(|view| change_transcript(view, |transcript| transcript.running = false)).await;
    let send = stage.one("[part=send]").get_bounding_client_rect();
    assert_eq!((stop.left(), stop.top()), (send.left(), send.top()), "the same place");
    assert_eq!(composer.height(), stage.one(".composer").get_bounding_client_rect().height());

    stage.show(|view| change_transcript(view, |transcript| transcript.running = true)).await;
    stage.type_text("and then").await;
    stage.press("Enter", |_| {}).await;
    assert_eq!(stage.reported(), ["send Composer and then"]);
}

#[wasm_bindgen_test]
async fn case_i03_half_an_emoji_is_not_written_back() {
    let stage = Stage::open().await;
    let field = stage.field();
    let type_units = |units: &[u16]| {
        let text = JsString::from_char_code(units);
        Reflect::set(&field, &"value".into(), &text).unwrap();
        dispatch(&field, "input");
    };
    type_units(&[0x61, 0xD83D]);
    stage.settle().await;
    let value: JsString = Reflect::get(&field, &JsValue::from("value")).unwrap().unchecked_into();
    assert_eq!(value.char_code_at(1), f64::from(0xD83D));
    type_units(&[0x61, 0xD83D, 0xDE00]);
    stage.settle().await;
    stage.press("Enter", |_| {}).await;
    assert_eq!(stage.reported(), ["send Composer a😀"]);
}

#[wasm_bindgen_test]
async fn the_field_grows_with_its_text_up_to_a_limit() {
    let stage = Stage::open().await;
    let height = || stage.field().get_bounding_client_rect().height();
    let one = height();
    stage.type_text("1\n2\n3").await;
    let three = height();
    assert!(three > one * 1.5, "{one} {three}");
    stage.type_text(&"line\n".repeat(100)).await;
    assert!(height() < 300.0);
    assert!(stage.field().scroll_height() > 1_000, "the rest is scrolled to");
}

#[wasm_bindgen_test]
async fn a_failed_text_comes_back_with_its_error() {
    let mut stage = Stage::open().await;
    stage.type_text("hello").await;
    stage.press("Enter", |_| {}).await;
    stage.show(|view| view.drafts = failed(1, "hello")).await;
    assert_eq!(stage.field().value(), "hello");
    assert!(stage.texts("[role=alert]").concat().contains("You are offline."));

    stage.press("Enter", |_| {}).await;
    assert_eq!(stage.reported(), ["send Composer hello", "send Composer hello", "settle 1"]);
    assert!(stage.find("[role=alert]").is_none());
    assert_eq!(stage.field().value(), "", "the same draft does not come back twice");
}

#[wasm_bindgen_test]
async fn a_failed_text_never_overwrites_what_was_typed_meanwhile() {
    let mut stage = Stage::open().await;
    stage.type_text("next").await;
    stage.show(|view| view.drafts = failed(1, "first")).await;
    assert_eq!(stage.field().value(), "next");
    stage.click("[role=alert] .quiet").await;
    assert_eq!(stage.field().value(), "first\nnext");
    assert!(stage.find("[role=alert] .quiet").is_none());
}

#[wasm_bindgen_test]
async fn a_draft_goes_away_when_its_message_arrived_after_all() {
    let mut stage = Stage::open().await;
    stage.show(|view| view.drafts = failed(1, "hello")).await;
    stage.show(|view| view.drafts = Rc::default()).await;
    assert_eq!(stage.field().value(), "");
    assert!(stage.find("[role=alert]").is_none());

    stage.show(|view| view.drafts = failed(2, "hello")).await;
    stage.type_text("hello, and more").await;
    stage.show(|view| view.drafts = Rc::default()).await;
    assert_eq!(stage.field().value(), "hello, and more");
}
