//! The parts and attributes that people outside rely on, and every state the panel can be in.

use praxis::kit::panel::{Locale, StartPrompt, StartScreen};
use praxis::kit::transcript::{Connection, ToolCallStatus};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::stage::{Stage, agent, call, change_transcript, user, view};

#[wasm_bindgen_test]
async fn messages_and_calls_carry_their_parts_and_data() {
    let stage = Stage::new(view(&[
        user("u", "Where am I?"),
        call("sevt_1", ToolCallStatus::Start, None),
        call("sevt_2", ToolCallStatus::End, Some("ok")),
        call("sevt_3", ToolCallStatus::Error, Some("no")),
        agent("a", "At **1:23**.", false),
    ]))
    .await;
    let of = |selector: &str, name: &str| -> Vec<String> {
        stage.all(selector).iter().map(|element| element.get_attribute(name).unwrap()).collect()
    };
    assert_eq!(of("[part=message]", "data-role"), ["user", "agent"]);
    assert_eq!(of("[part=tool-call]", "data-id"), ["sevt_1", "sevt_2", "sevt_3"]);
    assert_eq!(of("[part=tool-call]", "data-name"), ["seek_to"; 3]);
    assert_eq!(of("[part=tool-call]", "data-status"), ["start", "end", "error"]);
    assert_eq!(stage.all("textarea").len(), 1);
    assert_eq!(stage.all("[part=send]").len(), 1);
    assert_eq!(stage.all("[part=stop]").len(), 0);
    assert_eq!(stage.texts("[part=message][data-role=agent] strong"), ["1:23"]);
}

#[wasm_bindgen_test]
async fn the_stop_button_is_there_while_a_turn_runs_and_stops_it_once() {
    let mut stage = Stage::new(view(&[user("u", "go")])).await;
    stage.show(|view| change_transcript(view, |transcript| transcript.running = true)).await;
    stage.click("[part=stop]").await;
    stage.click("[part=stop]").await;
    assert_eq!(stage.reported(), ["interrupt"]);
    stage.show(|view| change_transcript(view, |transcript| transcript.running = false)).await;
    assert!(stage.find("[part=stop]").is_none());
}

#[wasm_bindgen_test]
async fn suggested_questions_are_sent_as_they_are() {
    let mut start = view(&[]);
    start.session = None;
    let prompt = StartPrompt { label: "Where am I?".to_owned(), prompt: "我看到哪了？".to_owned() };
    start.start_screen = StartScreen { greeting: Some("Welcome".to_owned()), prompts: vec![prompt] }.into();
    let stage = Stage::new(start).await;
    assert_eq!(stage.texts(".greeting"), ["Welcome"]);
    stage.click("[part=prompt]").await;
    assert_eq!(stage.reported(), ["send Suggestion 我看到哪了？"]);
}

#[wasm_bindgen_test]
async fn each_state_of_the_connection_says_what_it_is_and_the_way_on() {
    let mut stage = Stage::open().await;
    let mut notice = async |connection: Connection| {
        stage.show(|view| change_transcript(view, |transcript| transcript.connection = connection)).await;
        [stage.texts("[role=status]"), stage.texts("[part=notice]")].concat().concat()
    };
    assert!(notice(Connection::Opening).await.contains("Opening"));
    assert!(notice(Connection::Reconnecting).await.contains("Reconnecting"));
    assert!(notice(Connection::Offline).await.contains("You are offline"));
    assert!(notice(Connection::Unreachable("why".to_owned())).await.contains("cannot be reached"));
    assert_eq!(notice(Connection::Open).await, "");
    assert!(notice(Connection::Failed("No such session.".to_owned())).await.contains("No such session."));
    for connection in [
        Connection::Failed("No such session.".to_owned()),
        Connection::Offline,
        Connection::Unreachable("why".to_owned()),
    ] {
        stage.show(|view| change_transcript(view, |transcript| transcript.connection = connection)).await;
        stage.click("[part=notice] button").await;
    }
    assert_eq!(stage.reported(), ["retry"; 3]);
}

#[wasm_bindgen_test]
async fn a_session_of_another_tab_can_only_be_read() {
    let mut stage = Stage::new(view(&[user("u", "hello")])).await;
    stage.show(|view| change_transcript(view, |transcript| transcript.writable = false)).await;
    assert!(stage.field().disabled());
    assert!(stage.texts("[part=notice]").concat().contains("another tab"));
    assert_eq!(stage.texts("[part=message]"), ["hello"]);
}

#[wasm_bindgen_test]
async fn without_options_nothing_can_be_sent() {
    let mut unset = view(&[]);
    unset.configured = false;
    let stage = Stage::new(unset).await;
    assert!(stage.field().disabled());
    assert!(stage.texts(".state").concat().contains("not set up"));
}

#[wasm_bindgen_test]
async fn the_words_are_in_the_persons_language() {
    let mut stage = Stage::open().await;
    let send = |stage: &Stage| stage.one("[part=send]").get_attribute("aria-label").unwrap();
    assert_eq!(send(&stage), "Send");
    stage.show(|view| view.locale = Locale::ZhCn).await;
    assert_eq!(send(&stage), "发送");
    assert_eq!(stage.one(".panel").get_attribute("lang").as_deref(), Some("zh-CN"));
}

#[wasm_bindgen_test]
async fn a_call_opens_to_its_arguments_and_its_result() {
    let long = "x".repeat(5_000);
    let stage = Stage::new(view(&[call("sevt_1", ToolCallStatus::End, Some(&long))])).await;
    assert!(stage.find(".tool pre").is_none());
    stage.click(".tool-row").await;
    let texts = stage.texts(".tool pre");
    assert_eq!(texts[0], "{\n  \"position_seconds\": 83\n}");
    assert!(texts[1].ends_with('…') && texts[1].len() < 2_000);
    stage.click(".excerpt .quiet").await;
    assert_eq!(stage.texts(".tool pre")[1], long);
}
