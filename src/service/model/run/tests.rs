//! E15: when a request is sent again, and what is said when it is not.

use super::*;
use crate::protocol::{EventId, SessionId};
use crate::service::model::ModelMessage;
use crate::service::session::RunNumber;

const KEY: &str = "sk-very-secret";
const START: Timestamp = Timestamp::from_millis(1_796_083_170_000);

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn run(text: &str) -> ModelRun {
    run_with_key(text, KEY)
}

fn run_with_key(text: &str, key: &str) -> ModelRun {
    let request = ModelRequest {
        session: SessionId::from("sesn_1".to_owned()),
        run: RunNumber::default(),
        instructions: String::new(),
        messages: vec![ModelMessage::User { id: EventId::from("sevt_1".to_owned()), text: text.to_owned() }],
        tools: Vec::new(),
    };
    let headers = vec![("authorization".to_owned(), ["Bearer ", key].concat())];
    let endpoint = Endpoint::AgUi(ag_ui::Settings { url: "http://agent.test/".to_owned(), headers });
    ModelRun::new(&endpoint, &request, START)
}

/// A run whose request was sent at its start.
fn sent() -> ModelRun {
    let mut run = run("hello");
    assert_eq!(sends(&run.handle(START, RunInput::Wake)), Some(START + SILENCE));
    run
}

/// Until when an answer is waited for, where these effects send the request.
fn sends(effects: &[RunEffect]) -> Option<Timestamp> {
    match effects {
        [RunEffect::Send(_), RunEffect::WakeAt(at)] => Some(*at),
        _ => None,
    }
}

/// When the request is sent again.
fn again(effects: &[RunEffect]) -> Timestamp {
    match effects {
        [RunEffect::WakeAt(at)]
        | [RunEffect::WakeAt(at), RunEffect::Output(ModelOutput::Retrying(Some(_)))] => *at,
        other => panic!("{other:?}"),
    }
}

fn retrying(effects: &[RunEffect]) -> Option<Option<&str>> {
    effects.iter().find_map(|effect| match effect {
        RunEffect::Output(ModelOutput::Retrying(why)) => Some(why.as_deref()),
        _ => None,
    })
}

fn head(status: u16) -> RunInput<'static> {
    RunInput::Head { status, content_type: Some("text/event-stream"), retry_after: None }
}

fn told(status: u16, retry_after: &str) -> RunInput<'_> {
    RunInput::Head { status, content_type: None, retry_after: Some(retry_after) }
}

fn failure(effects: &[RunEffect]) -> &str {
    match effects {
        [RunEffect::Output(ModelOutput::Failed(why)), RunEffect::Finished] => why,
        other => panic!("{other:?}"),
    }
}

/// A whole answer.
fn stream(run: &str) -> String {
    let event = |json: &str| ["data: ", json, "\n\n"].concat();
    [
        event(&[r#"{"type":"RUN_STARTED","threadId":"sesn_1","runId":""#, run, r#""}"#].concat()),
        event(r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#),
        event(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"hi"}"#),
        event(r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#),
        event(&[r#"{"type":"RUN_FINISHED","threadId":"sesn_1","runId":""#, run, r#""}"#].concat()),
    ]
    .concat()
}

fn texts(effects: &[RunEffect]) -> Vec<&str> {
    let texts = effects.iter().filter_map(|effect| match effect {
        RunEffect::Output(ModelOutput::Text(text)) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

fn run_id(run: &ModelRun) -> String {
    let body: serde_json::Value = serde_json::from_str(&run.request.body).unwrap();
    body["runId"].as_str().unwrap().to_owned()
}

#[test]
fn an_answer_is_read_to_its_end_and_nothing_is_wanted_after_it() {
    let mut run = sent();
    let stream = stream(&run_id(&run));
    assert_eq!(run.handle(START, head(200)), []);
    let effects = run.handle(START, RunInput::Bytes(stream.as_bytes()));
    assert_eq!(texts(&effects), ["hi"]);
    let last = &effects[effects.len() - 2..];
    assert_eq!(last, [RunEffect::Output(ModelOutput::Done), RunEffect::Finished]);
    let bytes = RunInput::Bytes(stream.as_bytes());
    for input in [bytes, RunInput::End, RunInput::Broken("x"), RunInput::Wake, head(200)] {
        assert_eq!(run.handle(START, input), [], "{input:?}");
    }
}

#[test]
fn e15_what_passes_is_sent_again_after_longer_and_longer_waits_five_times_at_most() {
    for failing in [head(408), head(429), head(500), head(503), RunInput::Broken("no network")] {
        let mut run = sent();
        let (mut now, mut waits) = (START, Vec::new());
        let last = loop {
            let effects = run.handle(now, failing);
            if !matches!(effects[..], [RunEffect::WakeAt(_), ..]) {
                break effects;
            }
            let at = again(&effects);
            waits.push(at.since(now));
            // Too early: nothing is sent.
            assert_eq!(run.handle(now, RunInput::Wake), [RunEffect::WakeAt(at)]);
            now = at;
            assert_eq!(sends(&run.handle(now, RunInput::Wake)), Some(now + SILENCE));
        };
        assert_eq!(waits, [500, 1000, 2000, 4000, 8000].map(millis), "{failing:?}");
        let last = if last.is_empty() { run.handle(now, RunInput::End) } else { last };
        failure(&last);
    }
}

#[test]
fn e15_what_does_not_pass_is_not_sent_again() {
    for status in [301, 400, 401, 403, 404, 405, 422] {
        let mut run = sent();
        assert_eq!(run.handle(START, head(status)), [], "{status}");
        let effects = run.handle(START, RunInput::End);
        assert!(failure(&effects).contains(&status.to_string()));
    }
}

#[test]
fn e15_a_server_says_when_to_come_again() {
    let mut run = sent();
    assert_eq!(again(&run.handle(START, told(429, "7"))), START + millis(7000));
    // What still comes of the refusal is of no more use.
    assert_eq!(run.handle(START, RunInput::Bytes(b"{}")), []);
    assert_eq!(run.handle(START, RunInput::End), []);
    let mut run = sent();
    let date = told(503, "Tue, 01 Dec 2026 00:00:00 GMT");
    assert_eq!(again(&run.handle(START, date)), START + millis(30_000));
}

#[test]
fn e15_whoever_waits_is_told_once_why_and_when_it_has_got_through() {
    let mut run = sent();
    // What heals at once is not told.
    let at = again(&run.handle(START, RunInput::Broken("no network")));
    run.handle(at, RunInput::Wake);
    let effects = run.handle(at, RunInput::Broken("no network"));
    assert_eq!(retrying(&effects), Some(Some("no network")));
    let at = again(&effects);
    assert_eq!(at, START + millis(1500));
    run.handle(at, RunInput::Wake);
    let effects = run.handle(at, head(503));
    assert_eq!(retrying(&effects), None, "it was told already");
    run.handle(again(&effects), RunInput::Wake);
    assert_eq!(run.handle(at, head(200)), [RunEffect::Output(ModelOutput::Retrying(None))]);
    // It broke before its first byte: that is news again.
    let effects = run.handle(at, RunInput::Broken("cut"));
    assert_eq!(retrying(&effects), Some(Some("cut")));

    let mut run = sent();
    let effects = run.handle(START, told(429, "7"));
    let why = "The model's server is too busy, or the quota is used up (429).";
    assert_eq!(retrying(&effects), Some(Some(why)));
    let mut run = sent();
    assert_eq!(retrying(&run.handle(START, told(429, "0"))), None);
    run.handle(START, RunInput::Wake);
    assert_eq!(run.handle(START, head(200)), [], "nobody was told");
}

#[test]
fn a_server_that_says_nothing_for_five_minutes_is_waited_for_no_longer() {
    let words = "The model's server has been silent for five minutes.";
    // It does not even answer.
    let mut run = sent();
    let last = START + SILENCE;
    assert_eq!(run.handle(START + millis(1), RunInput::Wake), [RunEffect::WakeAt(last)]);
    assert_eq!(failure(&run.handle(last, RunInput::Wake)), words);
    assert_eq!(run.handle(last, RunInput::Wake), []);

    // A request that is sent again has its own five minutes.
    let mut run = sent();
    let at = again(&run.handle(START, told(503, "30")));
    run.handle(at, RunInput::Wake);
    assert_eq!(run.handle(last, RunInput::Wake), [RunEffect::WakeAt(at + SILENCE)]);
    assert_eq!(failure(&run.handle(at + SILENCE, RunInput::Wake)), words);

    // Its answer begins, goes on with signs of life, and stops.
    let mut run = sent();
    let mut now = START;
    for input in [head(200), RunInput::Bytes(b": ping\n\n"), RunInput::Bytes(b"data: {\"ty")] {
        now = now + (SILENCE - millis(1));
        assert_eq!(run.handle(now, input), []);
        assert_eq!(run.handle(now, RunInput::Wake), [RunEffect::WakeAt(now + SILENCE)]);
    }
    assert_eq!(failure(&run.handle(now + SILENCE, RunInput::Wake)), words);

    // Its refusal does: what there is of it says why.
    let mut run = sent();
    run.handle(START, head(400));
    run.handle(START, RunInput::Bytes(b"bad model"));
    assert!(failure(&run.handle(last, RunInput::Wake)).ends_with("(400): bad model"));
}

#[test]
fn e15_nothing_is_sent_again_after_forty_seconds() {
    let mut run = sent();
    assert_eq!(run.handle(START, told(429, "41")), []);
    failure(&run.handle(START, RunInput::End));

    let mut run = sent();
    failure(&run.handle(START + millis(39_600), RunInput::Broken("no network")));
    let mut run = sent();
    again(&run.handle(START + millis(39_500), RunInput::Broken("no network")));
}

#[test]
fn case_a34_once_a_byte_has_come_nothing_is_sent_again() {
    let mut run = sent();
    run.handle(START, head(200));
    // Of an answer without a byte nothing is known.
    again(&run.handle(START, RunInput::Broken("cut")));
    let mut run = sent();
    run.handle(START, head(200));
    assert_eq!(run.handle(START, RunInput::Bytes(b"")), []);
    again(&run.handle(START, RunInput::Broken("cut")));
    let mut run = sent();
    run.handle(START, head(200));
    assert_eq!(run.handle(START, RunInput::Bytes(b"data: {\"ty")), []);
    assert_eq!(failure(&run.handle(START, RunInput::Broken("cut"))), "cut");
    let mut run = sent();
    run.handle(START, head(200));
    run.handle(START, RunInput::Bytes(b"data: {\"ty"));
    failure(&run.handle(START, RunInput::End));
}

#[test]
fn a_refusal_says_why_in_the_person_s_language_without_the_key() {
    let said = |text: &str, status: u16, body: &str| {
        let mut run = run(text);
        run.handle(START, RunInput::Wake);
        run.handle(START, head(status));
        let mut effects = Vec::new();
        for byte in body.as_bytes() {
            effects.extend(run.handle(START, RunInput::Bytes(&[*byte])));
        }
        effects.extend(run.handle(START, RunInput::End));
        failure(&effects).to_owned()
    };
    let body = r#"{"error":{"message":"bad key sk-very-secret."}}"#;
    assert_eq!(
        said("hello", 401, body),
        "The model's server refuses access: check the key (401): bad key …."
    );
    assert_eq!(said("你好", 401, ""), "模型服务拒绝访问，请检查密钥（401）。");
    assert!(said("你好", 404, r#"{"detail":"Not Found"}"#).ends_with("（404）：Not Found"));
}

#[test]
fn a_refusal_keeps_every_word_that_is_no_secret() {
    let said = |key: &str, body: &[u8]| {
        let mut run = run_with_key("hello", key);
        run.handle(START, RunInput::Wake);
        run.handle(START, head(415));
        run.handle(START, RunInput::Bytes(body));
        failure(&run.handle(START, RunInput::End)).to_owned()
    };
    // What is in every request, and what is too short to be told from other words.
    let problem = b"send application/json, take text/event-stream, all of it";
    assert!(said(KEY, problem).ends_with(": send application/json, take text/event-stream, all of it"));
    assert!(said("all", problem).ends_with("all of it"));
    assert!(said("take", problem).ends_with("application/json, … text/event-stream, all of it"));
}

#[test]
fn every_yes_is_a_yes() {
    for status in [200, 201, 206, 299] {
        let mut run = sent();
        assert_eq!(run.handle(START, head(status)), []);
        let id = run_id(&run);
        let effects = run.handle(START, RunInput::Bytes(stream(&id).as_bytes()));
        assert_eq!(texts(&effects), ["hi"], "{status}");
    }
}

#[test]
fn an_error_in_an_answer_is_passed_on_short_and_without_the_key() {
    let mut run = sent();
    run.handle(START, head(200));
    // The key stands where the words are cut.
    let problem = ["x".repeat(296), KEY.to_owned(), "y".repeat(1000)].concat();
    let error = format!("data: {{\"type\":\"RUN_ERROR\",\"message\":\"{problem}\"}}\n\n");
    let effects = run.handle(START, RunInput::Bytes(error.as_bytes()));
    assert_eq!(failure(&effects), ["x".repeat(296), "…yyy…".to_owned()].concat());
}

#[test]
fn a_refusal_without_an_end_is_read_so_far_and_no_further() {
    let mut run = sent();
    run.handle(START, head(400));
    let piece = vec![b'a'; 40 << 10];
    assert_eq!(run.handle(START, RunInput::Bytes(&piece)), []);
    let effects = run.handle(START, RunInput::Bytes(&piece));
    assert!(failure(&effects).contains("aaa"));
}

#[test]
fn a_web_page_is_no_answer() {
    let mut run = sent();
    for content_type in ["Text/HTML; charset=utf-8", " text/html"] {
        let page = RunInput::Head { status: 200, content_type: Some(content_type), retry_after: None };
        assert!(failure(&run.handle(START, page)).contains("web page"));
        run = sent();
    }
}
