//! One rule a test.

use super::*;
use crate::protocol::{ContextItem, ErrorKind, SessionStatus};
use crate::service::words;

fn with_context(text: &str, value: &str) -> EventBody {
    let page_context = Some(vec![ContextItem { name: "lesson".into(), value: value.into() }]);
    EventBody::UserMessage { content: Content::of(text), page_context, client_message_id: Some("m1".into()) }
}

fn texts(request: &ModelRequest) -> Vec<&str> {
    request.messages.iter().map(ModelMessage::text).collect()
}

/// A driver whose model has made these calls.
fn with_calls(calls: &[(&str, &str)]) -> Driver {
    let mut driver = Driver::new();
    driver.post(vec![message("hi")]).unwrap();
    let calls: Vec<_> = calls
        .iter()
        .enumerate()
        .map(|(i, (name, arguments))| call(&format!("c{i}"), name, arguments))
        .collect();
    driver.model(calls);
    driver.model([ModelOutput::Done]);
    driver
}

fn two_calls() -> Driver {
    with_calls(&[("seek_to", "{\"t\":1}"), ("note", "{}")])
}

#[test]
fn a_turn_without_calls() {
    let mut driver = Driver::new();
    let reply = driver.post(vec![with_context("我看到哪了？", "第 3 课")]).unwrap();
    assert_eq!(reply.len(), 1);
    assert_eq!(reply[0], driver.stored[0].event);
    assert_eq!(driver.session.describe().status, SessionStatus::Running);
    driver.model([ModelOutput::Text("你".into()), ModelOutput::Text("好".into())]);
    assert_eq!(driver.log(), ["user.message", "session.status_running"]);
    driver.model([ModelOutput::Done]);
    assert_eq!(driver.log()[2..], ["agent.message".to_owned(), "session.status_idle(end_turn)".to_owned()]);
    assert_eq!(driver.bodies()[2]["content"][0]["text"], "你好");
    assert_eq!(driver.session.describe().status, SessionStatus::Idle);
}

#[test]
fn previews_carry_the_id_of_the_stored_message() {
    let mut driver = Driver::new();
    driver.post(vec![message("hi")]).unwrap();
    driver.model([
        ModelOutput::Text("a".into()),
        ModelOutput::Text(String::new()),
        ModelOutput::Text("b".into()),
    ]);
    driver.post(vec![message("meanwhile")]).unwrap();
    driver.model([ModelOutput::Done]);
    let stored =
        driver.stored.iter().find(|r| matches!(r.event.body, EventBody::AgentMessage { .. })).unwrap();
    let id = stored.event.id.clone();
    assert_eq!(
        driver.previews[..3],
        [
            Preview::Start { id: id.clone() },
            Preview::Delta { id: id.clone(), text: "a".into() },
            Preview::Delta { id, text: "b".into() }
        ]
    );
}

#[test]
fn a_response_is_recorded_in_one_batch_when_it_is_complete() {
    let mut driver = Driver::new();
    driver.post(vec![message("hi")]).unwrap();
    driver.model([ModelOutput::Text("x".into()), call("c0", "seek_to", "{\"t\":1}")]);
    let run = driver.asked[0].0;
    let effects = driver.session.handle(driver.now, Input::Model { run, output: ModelOutput::Done });
    let Effect::Append(records) = &effects[0] else { panic!("{effects:?}") };
    let batch: Vec<_> = records.iter().map(|record| short(&record.event)).collect();
    assert_eq!(batch, ["agent.message", "agent.custom_tool_use", "session.status_idle(requires_action)"]);
    assert_eq!(effects[1], Effect::WakeAt(Some(driver.now + TOOL_TIMEOUT)));
    assert_eq!(effects.len(), 2);
}

#[test]
fn requires_action_names_exactly_the_calls_without_a_result() {
    let mut driver = two_calls();
    let calls = driver.calls();
    assert_eq!(driver.bodies()[4]["stop_reason"]["event_ids"], json!([calls[0].as_str(), calls[1].as_str()]));
    driver.post(vec![result(&calls[1], "b")]).unwrap();
    assert_eq!(driver.bodies().last().unwrap()["stop_reason"]["event_ids"], json!([calls[0].as_str()]));
    assert_eq!(driver.asked.len(), 1, "B18: asked before all results were there");
    driver.post(vec![result(&calls[0], "a")]).unwrap();
    assert_eq!(driver.log().last().unwrap(), "session.status_running");
    // In the order of the calls, whatever the order of the results (B18).
    assert_eq!(texts(driver.last_request())[2..], ["a", "b"]);
}

#[test]
fn a_result_with_a_message_behind_it_still_says_what_is_left() {
    let mut driver = two_calls();
    let calls = driver.calls();
    driver.post(vec![result(&calls[0], "a"), message("and then?")]).unwrap();
    assert_eq!(driver.bodies().last().unwrap()["stop_reason"]["event_ids"], json!([calls[1].as_str()]));
}

#[test]
fn the_first_result_wins() {
    let mut driver = two_calls();
    let calls = driver.calls();
    let stored = driver.post(vec![result(&calls[0], "a")]).unwrap();
    let log = driver.log();
    assert_eq!(driver.post(vec![result(&calls[0], "a")]).unwrap(), stored, "the same again is no new event");
    let error = driver.post(vec![result(&calls[0], "b")]).unwrap_err();
    assert_eq!(error.kind, ErrorKind::ConflictError);
    let as_error = EventBody::CustomToolResult {
        custom_tool_use_id: calls[0].clone(),
        content: Content::of("a"),
        is_error: true,
    };
    assert_eq!(driver.post(vec![as_error]).unwrap_err().kind, ErrorKind::ConflictError);
    let unknown = driver.post(vec![result(&"sevt_abc_1".into(), "a")]).unwrap_err();
    assert_eq!(unknown.kind, ErrorKind::InvalidRequestError);
    assert_eq!(unknown.message, "events[0].custom_tool_use_id: there is no call \"sevt_abc_1\"");
    assert_eq!(driver.log(), log);
}

#[test]
fn the_same_result_twice_in_a_batch_is_one() {
    let mut driver = two_calls();
    let calls = driver.calls();
    let reply = driver.post(vec![result(&calls[0], "a"), result(&calls[0], "a")]).unwrap();
    assert_eq!(reply[0], reply[1]);
    let conflict = driver.post(vec![result(&calls[1], "a"), result(&calls[1], "b")]).unwrap_err();
    assert_eq!(conflict.kind, ErrorKind::ConflictError);
    assert!(conflict.message.starts_with("events[1]: "), "{conflict}");
}

#[test]
fn a_batch_is_stored_whole_or_not_at_all() {
    let mut driver = two_calls();
    let calls = driver.calls();
    let log = driver.log();
    let error =
        driver.post(vec![message("x"), result(&calls[0], "a"), result(&"sevt_9".into(), "a")]).unwrap_err();
    assert!(error.message.starts_with("events[2].custom_tool_use_id: "), "{error}");
    let error = driver.post(vec![message("x"), EventBody::StatusRunning {}]).unwrap_err();
    assert!(error.message.starts_with("events[1].type: "), "{error}");
    assert_eq!(driver.log(), log);
}

#[test]
fn k21_no_result_for_120_s_is_an_error_and_the_turn_goes_on() {
    let mut driver = two_calls();
    let calls = driver.calls();
    driver.post(vec![result(&calls[0], "a")]).unwrap();
    driver.pass(Duration::from_millis(119_999));
    assert_eq!(driver.asked.len(), 1);
    driver.pass(Duration::from_millis(1));
    let last = &driver.bodies()[driver.stored.len() - 2];
    assert_eq!(
        last,
        &json!({"type":"user.custom_tool_result","custom_tool_use_id":calls[1].as_str(),
                "content":[{"type":"text","text":"client tool timed out"}],"is_error":true})
    );
    assert_eq!(texts(driver.last_request())[2..], ["a", "Error: client tool timed out"]);
    assert_eq!(driver.post(vec![result(&calls[1], "late")]).unwrap_err().kind, ErrorKind::ConflictError);
}

#[test]
fn k21_a_deadline_that_is_due_fires_before_the_input_at_hand() {
    let mut driver = two_calls();
    let calls = driver.calls();
    // The alarm is late: the machine slept.
    driver.now = driver.now + Duration::from_secs(500);
    let error = driver.post(vec![result(&calls[0], "late")]).unwrap_err();
    assert_eq!(error.kind, ErrorKind::ConflictError);
    assert_eq!(driver.asked.len(), 2);
    assert_eq!(driver.wake, None);
}

#[test]
fn k21_deadlines_survive_a_restart() {
    let mut driver = two_calls();
    driver.pass(Duration::from_secs(100));
    driver.restart();
    assert_eq!(driver.asked.len(), 1);
    driver.pass(Duration::from_secs(19));
    assert_eq!(driver.asked.len(), 1);
    driver.pass(Duration::from_secs(1));
    assert_eq!(driver.asked.len(), 2);
}

#[test]
fn k21_a_restart_changes_nothing_of_a_turn_that_waits() {
    let mut driver = two_calls();
    let calls = driver.calls();
    driver.post(vec![result(&calls[0], "a")]).unwrap();
    let log = driver.log();
    // Even with another time limit: the deadline was stored with the call.
    let records = driver.stored.clone();
    let description = driver.description.clone();
    let (session, effects) = Session::restore(
        description,
        records,
        agent(),
        Settings { tool_timeout: Duration::from_secs(5), ..SETTINGS },
        driver.now,
    );
    driver.session = session;
    driver.carry_out(effects);
    assert_eq!(driver.log(), log);
    assert_eq!(driver.wake, Some(driver.now + TOOL_TIMEOUT));
    driver.pass(TOOL_TIMEOUT);
    assert_eq!(texts(driver.last_request())[2..], ["a", "Error: client tool timed out"]);
    let results = driver.log().iter().filter(|kind| *kind == "user.custom_tool_result").count();
    assert_eq!(results, 2);
}

#[test]
fn k21_a_deadline_that_passed_while_the_service_was_down_fires_at_the_start() {
    let mut driver = two_calls();
    driver.now = driver.now + Duration::from_secs(121);
    driver.restart();
    assert_eq!(driver.asked.len(), 2);
}

#[test]
fn the_tool_timeout_can_be_shortened_and_not_lengthened() {
    for (asked, holds) in [(5, 5), (500, 120)] {
        let mut driver = Driver::new();
        driver.session = Session::new(
            "sesn_x".into(),
            agent(),
            Settings { tool_timeout: Duration::from_secs(asked), ..SETTINGS },
            driver.now,
        );
        driver.post(vec![message("hi")]).unwrap();
        driver.model([call("c", "note", "{}"), ModelOutput::Done]);
        assert_eq!(driver.wake, Some(driver.now + Duration::from_secs(holds)));
    }
}

#[test]
fn k18_page_context_stands_at_the_end_of_the_current_message_only() {
    let mut driver = Driver::new();
    driver.post(vec![with_context("我看到哪了？", "正在看第 3 课")]).unwrap();
    let expected = "我看到哪了？\n\n<page_context untrusted=\"true\">\n<item name=\"lesson\">正在看第 3 课</item>\n</page_context>";
    assert_eq!(texts(driver.last_request()), [expected]);
    driver.model([call("c", "note", "{}"), ModelOutput::Done]);
    driver.post(vec![result(&driver.calls()[0].clone(), "ok")]).unwrap();
    assert_eq!(texts(driver.last_request()), [expected, "", "ok"], "in every request of the turn");
    driver.model([ModelOutput::Text("answer".into()), ModelOutput::Done]);
    driver.post(vec![message("and now?")]).unwrap();
    assert_eq!(texts(driver.last_request()), ["我看到哪了？", "", "ok", "answer", "and now?"]);
    assert!(!driver.last_request().instructions.contains("第 3 课"));
}

#[test]
fn k19_trusted_facts_reach_the_model_with_the_instructions() {
    let mut driver = Driver::new();
    driver
        .post(vec![EventBody::SystemMessage { content: Content::of("The learner is called 张三.") }])
        .unwrap();
    assert_eq!(driver.log(), ["system.message"]);
    driver.post(vec![message("hi")]).unwrap();
    assert!(driver.last_request().instructions.ends_with("\n\nThe learner is called 张三."));
    assert_eq!(texts(driver.last_request()), ["hi"]);
}

#[test]
fn messages_that_wait_each_get_their_own_turn_in_order() {
    let mut driver = Driver::new();
    driver.post(vec![message("one"), message("two")]).unwrap();
    driver.post(vec![message("three")]).unwrap();
    for (answer, history) in
        [("1", vec!["one"]), ("2", vec!["one", "1", "two"]), ("3", vec!["one", "1", "two", "2", "three"])]
    {
        assert_eq!(texts(driver.last_request()), history);
        driver.model([ModelOutput::Text(answer.into()), ModelOutput::Done]);
    }
    assert_eq!(driver.asked.len(), 3);
}

#[test]
fn b06_a_message_never_stands_between_calls_and_their_results() {
    let mut driver = two_calls();
    let calls = driver.calls();
    driver.post(vec![result(&calls[0], "a")]).unwrap();
    driver.post(vec![message("typed meanwhile")]).unwrap();
    driver.post(vec![result(&calls[1], "b")]).unwrap();
    assert_eq!(texts(driver.last_request()), ["hi", "", "a", "b"]);
    driver.model([ModelOutput::Text("done".into()), ModelOutput::Done]);
    assert_eq!(texts(driver.last_request()), ["hi", "", "a", "b", "done", "typed meanwhile"]);
}

#[test]
fn an_interrupt_answers_the_calls_that_wait() {
    let mut driver = two_calls();
    let calls = driver.calls();
    driver.post(vec![result(&calls[0], "a"), message("next")]).unwrap();
    let from = driver.stored.len();
    driver.post(vec![EventBody::Interrupt {}]).unwrap();
    assert_eq!(
        driver.log()[from..],
        [
            "user.interrupt",
            "user.custom_tool_result",
            "session.status_idle(end_turn)",
            "session.status_running"
        ]
        .map(str::to_owned)
    );
    assert_eq!(driver.bodies()[from + 1]["content"][0]["text"], "interrupted by the user");
    assert_eq!(
        texts(driver.last_request())[2..],
        ["a", "Error: interrupted by the user", words::NOTHING_SAID_STOPPED, "next"]
    );
    assert_eq!(driver.post(vec![result(&calls[1], "b")]).unwrap_err().kind, ErrorKind::ConflictError);
    assert_eq!(driver.wake, None);
}

#[test]
fn an_interrupt_keeps_the_text_so_far_and_stops_the_model() {
    let mut driver = Driver::new();
    driver.post(vec![message("hi")]).unwrap();
    driver.model([ModelOutput::Text("half".into()), call("c", "note", "{}")]);
    driver.post(vec![EventBody::Interrupt {}]).unwrap();
    assert_eq!(
        driver.log()[2..],
        ["user.interrupt", "agent.message(interrupted)", "session.status_idle(end_turn)"].map(str::to_owned)
    );
    assert_eq!(driver.cancelled, [driver.asked[0].0]);
    let log = driver.log();
    driver.model([ModelOutput::Text("late".into()), ModelOutput::Done]);
    assert_eq!(driver.log(), log, "output of an older run is dropped");
    driver.post(vec![EventBody::Interrupt {}]).unwrap();
    assert_eq!(driver.log().len(), log.len() + 1, "with no turn it is stored and does nothing");
}

#[test]
fn an_interrupt_in_a_batch_ends_the_turn_of_the_message_before_it() {
    let mut driver = Driver::new();
    driver.post(vec![message("one"), EventBody::Interrupt {}, message("two")]).unwrap();
    assert_eq!(driver.asked.len(), 1);
    assert_eq!(texts(driver.last_request()), ["one", words::NOTHING_SAID_STOPPED, "two"]);
}

#[test]
fn a_result_behind_an_interrupt_in_a_batch_comes_too_late() {
    let mut driver = two_calls();
    let calls = driver.calls();
    let log = driver.log();
    let error = driver.post(vec![EventBody::Interrupt {}, result(&calls[0], "a")]).unwrap_err();
    assert_eq!(error.kind, ErrorKind::ConflictError);
    assert!(error.message.starts_with("events[1]: "), "{error}");
    assert_eq!(driver.log(), log);
    driver.post(vec![result(&calls[0], "a"), EventBody::Interrupt {}]).unwrap();
    assert_eq!(driver.log().last().unwrap(), "session.status_idle(end_turn)");
}

#[test]
fn time_never_goes_back() {
    let mut driver = Driver::new();
    driver.post(vec![message("hi")]).unwrap();
    driver.now = Timestamp::from_millis(5);
    driver.model([ModelOutput::Text("a".into()), ModelOutput::Done]);
    driver.restart();
    driver.post(vec![message("again")]).unwrap();
    assert!(driver.stored.iter().is_sorted_by_key(|record| record.event.processed_at));
    assert!(driver.session.describe().updated_at > driver.now);
}

#[test]
fn case_a31_a32_undeclared_names_and_bad_arguments_never_reach_the_page() {
    let driver = with_calls(&[("nope nope", "{}"), ("note", "[1]"), ("note", "{\"a\":")]);
    assert!(driver.calls().is_empty());
    let expected = ["agent.tool_use", "agent.tool_result"].repeat(3);
    assert_eq!(driver.log()[2..], expected, "and the turn goes on");
    assert_eq!(driver.bodies()[3]["content"][0]["text"], "unknown tool nope nope");
    assert_eq!(driver.bodies()[3]["is_error"], true);
    let texts = texts(driver.last_request());
    assert_eq!(texts[3], "Error: the arguments must be a JSON object; they were not a JSON object: [1]");
    assert_eq!(texts[4], "Error: the arguments must be a JSON object; they were not JSON: {\"a\":");
    let ModelMessage::Assistant { calls, .. } = &driver.last_request().messages[1] else { panic!() };
    assert_eq!(calls.iter().map(|call| call.arguments.as_str()).collect::<Vec<_>>(), ["{}"; 3], "A31");
}

#[test]
fn case_a31_what_is_no_json_is_shown_in_part_and_goes_back_as_an_empty_object() {
    let long = ["{\"path\":\"", &"视".repeat(1000)].concat();
    for written in ["{\"path\": \"/a\",}", "{\"a\":\"\n\"}", "{\\n\"a\":1}", "{\"a\":1}{\"a\":2}", &long] {
        let mut driver = with_calls(&[("note", written)]);
        let shown: String = written.chars().take(200).collect();
        for again in ["as answered", "after a restart"] {
            let request = driver.last_request();
            let ModelMessage::Assistant { calls, .. } = &request.messages[1] else { panic!() };
            assert_eq!(calls[0].arguments, "{}", "{again}: {written}");
            let said = texts(request)[2];
            assert!(said.starts_with("Error: ") && said.contains(&shown), "{said}");
            assert!(said.chars().count() < 300, "{said}");
            driver.restart();
            driver.post(vec![message("go on")]).unwrap();
        }
    }
}

#[test]
fn case_a32_arguments_that_are_no_object_are_refused_and_one_written_as_a_string_is_unwrapped_once() {
    for written in ["[]", "\"text\"", "42", "true", "\"[]\"", "\"\\\"{}\\\"\""] {
        let driver = with_calls(&[("note", written)]);
        assert!(driver.calls().is_empty(), "{written}");
        assert_eq!(driver.bodies()[3]["is_error"], true, "{written}");
    }
    for (written, read) in [("null", json!({})), ("\"{\\\"a\\\":1}\"", json!({"a": 1}))] {
        let driver = with_calls(&[("note", written)]);
        assert_eq!(driver.calls().len(), 1, "{written}");
        assert_eq!(driver.bodies()[2]["input"], read, "{written}");
    }
}

#[test]
fn a_name_that_is_known_without_prefix_or_number_means_that_tool() {
    let mut driver = with_calls(&[
        ("functions.note", "{}"),
        ("note:0", ""),
        ("functions.seek_to:12", "null"),
        ("note", "\"{\\\"a\\\":1}\""),
    ]);
    let names: Vec<_> =
        driver.bodies().iter().filter_map(|body| body["name"].as_str().map(str::to_owned)).collect();
    assert_eq!(names, ["note", "note", "seek_to", "note"]);
    assert_eq!(driver.bodies()[5]["input"], json!({"a": 1}));
    let results = driver.calls().iter().map(|call| result(call, "ok")).collect();
    driver.post(results).unwrap();
    let ModelMessage::Assistant { calls, .. } = &driver.last_request().messages[1] else { panic!() };
    assert_eq!(calls[0].name, "note");
}

#[test]
fn case_a29_a30_call_ids_that_are_empty_or_used_again_are_replaced_by_nine_letters_and_digits() {
    let mut driver = Driver::new();
    driver.post(vec![message("hi")]).unwrap();
    driver.model([
        call("c0", "note", "{}"),
        call("", "note", "{}"),
        call("c0", "note", "{}"),
        ModelOutput::Done,
    ]);
    let results = driver.calls().iter().map(|call| result(call, "ok")).collect();
    driver.post(results).unwrap(); // The driver checks that all ids differ.
    assert_eq!(driver.asked.len(), 2);
    let ModelMessage::Assistant { calls, .. } = &driver.last_request().messages[1] else { panic!() };
    assert_eq!(calls[0].id, "c0");
    for made in [&calls[1].id, &calls[2].id] {
        assert!(made.len() == 9 && made.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{made}");
    }
}

#[test]
fn arguments_go_back_as_the_model_wrote_them() {
    let mut driver = with_calls(&[("note", "{ \"n\": 1.0, \"a\" : \"\\u00e9\" }")]);
    driver.restart();
    driver.post(vec![result(&driver.calls()[0].clone(), "ok")]).unwrap();
    let ModelMessage::Assistant { calls, .. } = &driver.last_request().messages[1] else { panic!() };
    assert_eq!(calls[0].arguments, "{ \"n\": 1.0, \"a\" : \"\\u00e9\" }");
}

#[test]
fn e15_after_five_rounds_the_turn_ends_and_says_so() {
    for restarts in [false, true] {
        let mut driver = Driver::new();
        driver.post(vec![message("一直来")]).unwrap();
        for round in 1..=5 {
            assert_eq!(driver.asked.len(), round);
            driver.model([ModelOutput::Text("t".into()), call("", "note", "{}"), ModelOutput::Done]);
            if restarts {
                driver.restart();
            }
            let last = driver.calls().last().unwrap().clone();
            driver.post(vec![result(&last, "ok")]).unwrap();
        }
        assert_eq!(driver.asked.len(), 5, "no sixth request");
        let log = driver.log();
        assert_eq!(log[log.len() - 2..], ["agent.message", "session.status_idle(end_turn)"]);
        let said = driver.bodies()[log.len() - 2]["content"][0]["text"].clone();
        assert!(said.as_str().unwrap().contains("上限"), "{said}");
        driver.post(vec![message("继续")]).unwrap();
        assert_eq!(driver.asked.len(), 6, "the next turn counts anew");
        assert_eq!(texts(driver.last_request())[11], said);
    }
}

#[test]
fn e15_rounds_of_refused_calls_count_too() {
    let mut driver = Driver::new();
    driver.post(vec![message("hi")]).unwrap();
    for _ in 0..5 {
        driver.model([call("", "nope", "{}"), ModelOutput::Done]);
    }
    assert_eq!(driver.asked.len(), 5);
    assert!(
        driver.bodies()[driver.stored.len() - 2]["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("limit of 5")
    );
}

#[test]
fn a_broken_stream_keeps_the_text_and_issues_no_call() {
    let mut driver = Driver::new();
    driver.post(vec![message("hi"), message("next")]).unwrap();
    driver.model([
        ModelOutput::Text("half".into()),
        call("c", "note", "{}"),
        ModelOutput::Failed("no network".into()),
    ]);
    assert_eq!(
        driver.log()[3..],
        [
            "agent.message(incomplete)",
            "session.error",
            "session.status_idle(retries_exhausted)",
            "session.status_running"
        ]
        .map(str::to_owned)
    );
    assert_eq!(
        driver.bodies()[4]["error"],
        json!({"type":"model_error","message":"no network","retry_status":{"type":"exhausted"}})
    );
    assert_eq!(texts(driver.last_request()), ["hi", "half", "next"]);
}

#[test]
fn e15_that_a_model_is_tried_again_is_recorded_and_changes_nothing_of_the_turn() {
    let mut driver = Driver::new();
    driver.post(vec![message("hi")]).unwrap();
    driver.model([ModelOutput::Retrying(Some("too busy".into()))]);
    assert_eq!(driver.log()[2..], ["session.error"]);
    assert_eq!(
        driver.bodies()[2]["error"],
        json!({"type":"model_error","message":"too busy","retry_status":{"type":"retrying"}})
    );
    driver.model([ModelOutput::Retrying(None)]);
    assert_eq!(driver.log()[3..], ["session.status_running"]);
    driver.model([call("c", "note", "{}"), ModelOutput::Done]);
    let note = driver.calls()[0].clone();
    driver.restart();
    driver.post(vec![result(&note, "noted")]).unwrap();
    driver.model([ModelOutput::Retrying(Some("no network".into())), ModelOutput::Text("hello".into())]);
    driver.model([ModelOutput::Done]);
    driver.post(vec![message("next")]).unwrap();
    assert_eq!(texts(driver.last_request()), ["hi", "", "noted", "hello", "next"]);
    // What is lost with the service is said to be cut off, whatever was tried.
    driver.model([ModelOutput::Retrying(Some("too busy".into()))]);
    driver.restart();
    let end = driver.log().len() - 2;
    assert_eq!(driver.log()[end..], ["session.error", "session.status_idle(retries_exhausted)"]);
}

#[test]
fn an_empty_answer_is_an_error() {
    let mut driver = Driver::new();
    driver.post(vec![message("hi")]).unwrap();
    driver.model([ModelOutput::Done]);
    assert_eq!(
        driver.log()[2..],
        ["session.error", "session.status_idle(retries_exhausted)"].map(str::to_owned)
    );
    driver.post(vec![message("again")]).unwrap();
    assert_eq!(texts(driver.last_request()), ["hi", words::NOTHING_SAID_BROKEN, "again"]);
}

#[test]
fn errors_are_said_in_the_language_of_the_message() {
    for (asked, empty, cut_off) in [
        ("你好", "模型给出了空的回答。", "回答中断了：页面或服务已经关闭。请再问一次。"),
        (
            "hi",
            "The model gave an empty answer.",
            "The answer was cut off: the page or the service was closed. Please ask again.",
        ),
    ] {
        let mut driver = Driver::new();
        driver.post(vec![message(asked)]).unwrap();
        driver.model([ModelOutput::Done]);
        driver.post(vec![message(asked)]).unwrap();
        driver.restart();
        let told = driver.bodies().into_iter().filter_map(|body| Some(body["error"].get("message")?.clone()));
        assert_eq!(told.collect::<Vec<_>>(), [empty, cut_off]);
    }
}

#[test]
fn what_cannot_be_stored_ends_its_turn_and_those_that_wait() {
    let not_stored = |stop| Input::NotStored { stop, why: |language| format!("{language:?}") };
    let mut driver = Driver::new();
    driver.post(vec![message("你好")]).unwrap();
    driver.post(vec![message("and then?")]).unwrap();
    driver.model([ModelOutput::Text("answer".into())]);
    driver.input(not_stored(None));
    let ended = ["session.error", "session.status_idle(retries_exhausted)"];
    assert_eq!(
        driver.log()[3..],
        [&["agent.message"], &ended[..], &["session.status_running"], &ended].concat()
    );
    assert_eq!(
        [&driver.bodies()[4]["error"]["message"], &driver.bodies()[7]["error"]["message"]],
        ["Chinese", "English"]
    );
    assert_eq!((driver.cancelled.len(), driver.asked.len()), (1, 1), "nothing more is asked");

    driver.post(vec![message("call")]).unwrap();
    driver.model([call("c", "note", "{}"), ModelOutput::Done]);
    let note = driver.calls()[0].clone();
    driver.input(not_stored(None));
    assert_eq!(driver.wake, None);
    let refused = driver.post(vec![result(&note, "noted")]).unwrap_err();
    assert_eq!(refused.kind, crate::protocol::ErrorKind::ConflictError);
    driver.input(not_stored(None));
    driver.restart();
    driver.post(vec![message("next")]).unwrap();
    let told = texts(driver.last_request());
    assert_eq!(told[..4], ["你好", "answer", "and then?", words::NOTHING_SAID_BROKEN]);
    assert_eq!(told[6..], [&["Error: ", words::NOT_STORED].concat(), words::NOTHING_SAID_BROKEN, "next"]);
}

#[test]
fn of_a_models_states_the_newest_is_kept() {
    let mut driver = Driver::new();
    for state in [1, 2] {
        driver.post(vec![message("hi")]).unwrap();
        let Value::Object(kept) = json!({ "state": state, "more": state }) else { panic!() };
        driver.model([ModelOutput::Text("hello".into()), ModelOutput::Kept(kept), ModelOutput::Done]);
    }
    // A store may have kept the older one, too.
    let mut stored = driver.stored.clone();
    let of_first = stored.iter_mut().find_map(|record| record.private.as_mut()?.kept.as_mut()).unwrap();
    of_first.insert("state".to_owned(), 1.into());
    let (session, _) = Session::restore(driver.description.clone(), stored, agent(), SETTINGS, driver.now);
    assert_eq!(session.records(), driver.stored);
    driver.restart();
    driver.post(vec![message("bye")]).unwrap();
    let kept = driver.last_request().messages.iter().filter_map(|message| match message {
        ModelMessage::Assistant { kept, .. } => Some(json!(kept)),
        _ => None,
    });
    assert_eq!(kept.collect::<Vec<_>>(), [json!({ "more": 1 }), json!({ "state": 2, "more": 2 })]);
}

#[test]
fn a_restart_ends_a_turn_that_was_in_the_models_hands() {
    let mut driver = Driver::new();
    driver.post(vec![message("one"), message("two")]).unwrap();
    driver.model([ModelOutput::Text("half".into())]);
    let Preview::Start { id: previewed } = driver.previews[0].clone() else { panic!() };
    let run = driver.asked[0].0;
    driver.restart();
    assert_eq!(
        driver.log()[3..],
        ["session.error", "session.status_idle(retries_exhausted)", "session.status_running"]
            .map(str::to_owned)
    );
    assert!(
        driver.stored.iter().all(|record| record.event.id != previewed),
        "a previewed id is used for something else"
    );
    assert_ne!(driver.asked[1].0, run);
    assert_eq!(texts(driver.last_request()), ["one", words::NOTHING_SAID_BROKEN, "two"]);
}

#[test]
fn the_title_is_the_first_messages_first_60_characters() {
    let mut driver = Driver::new();
    driver.post(vec![message(&["  第一\n行 ", &"课".repeat(100)].concat())]).unwrap();
    let title = driver.session.describe().title.clone().unwrap();
    assert_eq!(title.chars().count(), 60);
    assert!(title.starts_with("第一 行 课课"));
    driver.post(vec![message("second")]).unwrap();
    assert_eq!(driver.session.describe().title.as_ref(), Some(&title));
}

#[test]
fn a_changed_agent_takes_effect_at_the_next_model_request() {
    let mut driver = two_calls();
    let calls = driver.calls();
    let changed = AgentDefinition { instructions: Some("Be brief.".into()), ..AgentDefinition::default() };
    driver.session.set_agent(Arc::new(changed));
    driver.post(vec![result(&calls[0], "a"), result(&calls[1], "b")]).unwrap();
    assert_eq!(driver.last_request().instructions, "Be brief.");
    let left = &driver.last_request().tools;
    assert!(left.iter().all(|tool| BuiltInTool::NAMES.contains(&tool.name.as_str())), "{left:?}");
    driver.model([call("c9", "note", "{}"), ModelOutput::Done]);
    assert_eq!(driver.calls(), calls, "no longer declared");
}

#[test]
fn closing_stops_the_model_and_the_alarm() {
    let mut driver = Driver::new();
    driver.post(vec![message("hi")]).unwrap();
    assert_eq!(driver.session.close(), [Effect::CancelModel(driver.asked[0].0)]);
    assert_eq!(two_calls().session.close(), [Effect::WakeAt(None)]);
}

#[test]
fn case_a25_a26_what_must_go_back_to_the_model_survives_a_restart() {
    for text in ["", "我看看。"] {
        let mut driver = Driver::new();
        driver.post(vec![message("hi")]).unwrap();
        let object = |name: &str| JsonObject::from_iter([(name.to_owned(), json!({"a": [1]}))]);
        let calling = ModelCall { extra: object("extra_content"), ..ModelCall::new("c", "note", "{}") };
        driver.model([
            ModelOutput::Reasoning("想".into()),
            ModelOutput::Reasoning("一想".into()),
            ModelOutput::Text(text.into()),
            ModelOutput::Call(calling.clone()),
            call("d", "note", "{}"),
            ModelOutput::Kept(object("state")),
            ModelOutput::Done,
        ]);
        driver.restart();
        driver.post(driver.calls().iter().map(|call| result(call, "ok")).collect()).unwrap();
        let ModelMessage::Assistant { text: said, reasoning, calls, kept } =
            &driver.last_request().messages[1]
        else {
            panic!()
        };
        assert_eq!(
            (said.as_str(), reasoning.as_deref(), kept),
            (text, Some("想一想"), &Some(object("state")))
        );
        assert_eq!((&calls[0], &calls[1].extra), (&calling, &JsonObject::new()));
        // Nobody but the model gets it.
        assert!(!serde_json::to_string(&driver.bodies()).unwrap().contains("想一想"));
        // The next response has none of it.
        driver.model([ModelOutput::Text("好了。".into()), ModelOutput::Done]);
        driver.post(vec![message("again")]).unwrap();
        let last = &driver.last_request().messages[4];
        assert!(matches!(last, ModelMessage::Assistant { reasoning: None, kept: None, .. }), "{last:?}");
    }
}
