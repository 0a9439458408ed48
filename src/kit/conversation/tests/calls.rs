//! Client tool calls: claim, run, deliver (K20–K24).

use super::rig::*;
use super::*;
use crate::protocol::{Content, EventBody};

/// A live conversation in which the call `c1` runs.
fn with_running_call() -> Rig {
    let mut rig = Rig::live(vec![user("e1", "a"), running("e2")]);
    rig.event(call("c1"));
    rig.event(waits_for("e3", &["c1"]));
    rig
}

fn posted_result(text: &str, is_error: bool) -> EventBody {
    EventBody::CustomToolResult { custom_tool_use_id: "c1".into(), content: Content::of(text), is_error }
}

#[test]
fn a_live_call_runs_as_soon_as_it_is_seen_and_start_comes_before() {
    let mut rig = Rig::live(vec![user("e1", "a"), running("e2")]);
    rig.look();
    rig.event(call("c1"));
    let effects = rig.look();
    let start = Notice::ToolStart { id: "c1".into(), name: "seek".to_owned() };
    assert_eq!(effects[0], Effect::Tell(start));
    assert!(
        matches!(&effects[1], Effect::RunHandler(call) if call.id.as_str() == "c1" && call.name == "seek")
    );
    assert_eq!(effects.len(), 2);
}

#[test]
fn end_comes_once_and_only_after_the_service_has_accepted_the_result() {
    let mut rig = with_running_call();
    rig.handler_gives("c1", "83");
    assert_eq!(rig.posts().last().unwrap().1, posted_result("83", false));
    assert_eq!(rig.tool_ends(), 0);
    rig.answer(Ok(vec![]));
    let end = Notice::ToolEnd { id: "c1".into(), name: "seek".to_owned(), is_error: false };
    assert_eq!(rig.count(&end), 1);
    rig.event(result("e4", "c1", "83", false));
    assert_eq!(rig.tool_ends(), 1);
    assert_eq!(rig.lines()[1], "call c1 End Some(\"83\")");
    assert_eq!(rig.logs(LogLevel::Info).len() + rig.logs(LogLevel::Error).len(), 0);
}

#[test]
fn case_b03_one_call_runs_once_however_often_it_is_seen() {
    let mut rig = with_running_call();
    rig.event(call("c1"));
    rig.end_stream();
    rig.wait(1000);
    rig.open(vec![user("e1", "a"), running("e2"), call("c1"), waits_for("e3", &["c1"])]);
    rig.give(Input::Detach);
    rig.give(Input::Attach);
    assert_eq!(rig.runs(), ["c1"]);
}

#[test]
fn case_b02_case_b17_showing_it_again_does_not_run_claimed_or_answered_calls() {
    let mut rig = with_running_call();
    rig.give(Input::Detach);
    assert!(rig.stream().is_some(), "a handler runs");
    rig.give(Input::Attach);
    rig.handler_gives("c1", "83");
    rig.give(Input::Detach);
    rig.give(Input::Attach);
    rig.answer(Ok(vec![]));
    rig.give(Input::Detach);
    rig.give(Input::Attach);
    rig.open(vec![user("e1", "a"), running("e2"), call("c1"), result("e4", "c1", "83", false)]);
    assert_eq!(rig.runs(), ["c1"]);
}

#[test]
fn k23_nothing_runs_during_opening_before_the_last_page_is_read() {
    let mut rig = Rig::new(Some("sesn_1"));
    rig.give(Input::Attach);
    rig.open_stream(Ok(true));
    rig.event(call("c3"));
    rig.read(vec![running("e1"), call("c1"), call("c2")], Some("p2"));
    assert!(rig.runs().is_empty());
    rig.read(vec![result("e2", "c1", "83", false)], None);
    assert_eq!(rig.runs(), ["c2", "c3"], "answered calls do not run; the others do, in their order");
}

#[test]
fn k23_nothing_runs_during_reopening_before_the_last_page_is_read() {
    let mut rig = Rig::live(vec![running("e1")]);
    rig.end_stream();
    rig.wait(1000);
    rig.open_stream(Ok(true));
    rig.event(call("c1"));
    rig.event(result("e3", "c1", "83", false));
    assert!(rig.runs().is_empty());
    rig.read(vec![running("e1")], None);
    assert!(rig.runs().is_empty(), "replayed together with its result");
}

#[test]
fn k23_a_result_that_is_seen_before_its_call_keeps_the_call_from_running() {
    let mut rig = Rig::live(vec![running("e1")]);
    rig.event(result("e3", "c1", "83", false));
    rig.event(call("c1"));
    assert!(rig.runs().is_empty());
    assert_eq!(rig.lines(), ["call c1 End Some(\"83\")"]);
}

#[test]
fn a_call_that_was_left_by_a_turn_that_ended_does_not_run() {
    let rig = Rig::live(vec![running("e1"), call("c1"), ended("e2")]);
    assert!(rig.runs().is_empty());
    assert_eq!(rig.lines(), ["call c1 Error None"]);
}

#[test]
fn k22_a_result_that_cannot_be_written_back_is_logged_and_not_run_again() {
    for status in [400, 401, 403, 404, 413] {
        let mut rig = with_running_call();
        rig.handler_gives("c1", "83");
        rig.answer(Err(refused(status)));
        let logs = rig.logs(LogLevel::Error);
        assert!(matches!(&logs[..], [one] if one.contains("seek") && one.contains(&status.to_string())));
        assert_eq!(rig.lines()[1], "call c1 Error None");
        rig.end_stream();
        rig.wait(1000);
        rig.open(vec![user("e1", "a"), running("e2"), call("c1"), waits_for("e3", &["c1"])]);
        rig.wait(20_000);
        assert_eq!((rig.runs().len(), rig.posts().len(), rig.tool_ends()), (1, 1, 0), "{status}");
    }
}

#[test]
fn a_result_is_posted_at_most_four_times_with_backoff_and_the_handler_never_again() {
    for error in [network(), refused(408), refused(429), refused(500), refused(503)] {
        let mut rig = with_running_call();
        rig.handler_gives("c1", "83");
        for tries in 1..=4 {
            assert_eq!(rig.posts().len(), tries);
            rig.answer(Err(error.clone()));
            assert_eq!(rig.posts().len(), tries, "there is a wait between");
            rig.wait(4100);
        }
        assert_eq!(rig.posts().len(), 4);
        assert_eq!(rig.logs(LogLevel::Error).len(), 1, "{error}");
        assert_eq!((rig.runs().len(), rig.tool_ends()), (1, 0));
    }
}

#[test]
fn a_posting_that_is_never_answered_is_tried_again() {
    let mut rig = with_running_call();
    rig.handler_gives("c1", "83");
    for _ in 0..4 {
        rig.item(StreamItem::Heartbeat);
        rig.wait(10_000);
    }
    assert_eq!(rig.posts().len(), 2);
    // The first one's yes arrives at last.
    let first = rig.posts()[0].0;
    rig.give(Input::Posted(first, Ok(vec![])));
    assert_eq!(rig.tool_ends(), 1);
    rig.answer(Err(network()));
    rig.wait(20_000);
    assert_eq!((rig.posts().len(), rig.tool_ends()), (2, 1));
}

#[test]
fn a_retry_waits_for_a_broken_connection_and_does_not_use_up_a_try() {
    let mut rig = with_running_call();
    rig.handler_gives("c1", "83");
    rig.end_stream();
    rig.answer(Err(network()));
    for _ in 0..3 {
        while rig.stream().is_none() {
            rig.wait(100);
        }
        rig.open_stream(Err(network()));
    }
    assert_eq!(rig.posts().len(), 1);
    while rig.stream().is_none() {
        rig.wait(100);
    }
    rig.open(vec![user("e1", "a"), running("e2"), call("c1")]);
    rig.wait(1);
    assert_eq!(rig.posts().len(), 2);
}

#[test]
fn k21_a_result_is_never_posted_past_the_calls_120_seconds() {
    let mut rig = with_running_call();
    for _ in 0..12 {
        rig.wait(9970);
        rig.item(StreamItem::Heartbeat);
    }
    rig.handler_gives("c1", "83");
    rig.answer(Err(network()));
    assert_eq!(rig.logs(LogLevel::Error).len(), 1, "there is no time for another try");
    rig.wait(60_000);
    assert_eq!((rig.posts().len(), rig.logs(LogLevel::Error).len()), (1, 1));

    // A retry that waits for the connection does not wait longer than that.
    let mut rig = with_running_call();
    rig.wait(20_000);
    rig.handler_gives("c1", "83");
    rig.end_stream();
    rig.answer(Err(network()));
    rig.sleep(101);
    rig.give(Input::Hurry);
    rig.open(vec![]);
    assert_eq!((rig.posts().len(), rig.logs(LogLevel::Error).len()), (1, 1));
}

#[test]
fn k21_the_120_seconds_count_by_the_clock_also_when_the_timer_is_late() {
    let mut rig = with_running_call();
    rig.sleep(3600);
    rig.handler_gives("c1", "83");
    assert_eq!((rig.posts().len(), rig.aborts()), (0, 1));
    assert_eq!(rig.logs(LogLevel::Error).len(), 1);
}

#[test]
fn case_b08_a_handler_that_never_settles_is_aborted_and_logged_and_the_others_are_delivered() {
    let mut rig = with_running_call();
    rig.event(call("c2"));
    rig.handler_gives("c2", "2");
    rig.answer(Ok(vec![]));
    assert_eq!(rig.tool_ends(), 1);
    for _ in 0..12 {
        rig.item(StreamItem::Heartbeat);
        rig.wait(10_000);
    }
    assert!(rig.effects.contains(&Effect::AbortHandler("c1".into())));
    assert_eq!(rig.logs(LogLevel::Error).len(), 1);
    let posts = rig.posts().len();
    rig.handler_gives("c1", "late");
    rig.event(result("e4", "c1", "client tool timed out", true));
    assert_eq!((rig.posts().len(), rig.tool_ends(), rig.aborts()), (posts, 1, 1));
    assert_eq!(rig.lines()[1], "call c1 Error Some(\"client tool timed out\")");
}

#[test]
fn a_result_of_somebody_else_aborts_the_handler_and_ours_is_not_posted() {
    for text in ["client tool timed out", "interrupted by the user"] {
        let mut rig = with_running_call();
        rig.event(result("e4", "c1", text, true));
        assert!(rig.effects.contains(&Effect::AbortHandler("c1".into())));
        assert_eq!(rig.logs(LogLevel::Info).len(), 1);
        rig.handler_gives("c1", "83");
        rig.wait(20_000);
        assert_eq!((rig.posts().len(), rig.tool_ends()), (0, 0));
        assert_eq!((rig.logs(LogLevel::Info).len(), rig.logs(LogLevel::Error).len()), (1, 0));
    }
}

#[test]
fn a_result_of_somebody_else_ends_the_retries_of_ours() {
    let mut rig = with_running_call();
    rig.handler_gives("c1", "83");
    rig.answer(Err(refused(503)));
    rig.event(result("e4", "c1", "client tool timed out", true));
    rig.wait(20_000);
    assert_eq!((rig.posts().len(), rig.tool_ends(), rig.aborts()), (1, 0, 0));
    assert_eq!((rig.logs(LogLevel::Info).len(), rig.logs(LogLevel::Error).len()), (1, 0));
}

#[test]
fn a_stored_result_equal_to_ours_is_the_acceptance_also_when_the_answer_was_lost() {
    let mut rig = with_running_call();
    rig.handler_gives("c1", "83");
    rig.event(result("e4", "c1", "83", false));
    assert_eq!(rig.tool_ends(), 1);
    rig.answer(Err(network()));
    rig.wait(20_000);
    assert_eq!((rig.posts().len(), rig.tool_ends()), (1, 1));
    assert!(rig.logs(LogLevel::Error).is_empty());
}

#[test]
fn a_stored_result_that_differs_in_is_error_alone_is_not_ours() {
    let mut rig = with_running_call();
    rig.handler_gives("c1", "83");
    rig.event(result("e4", "c1", "83", true));
    assert_eq!((rig.tool_ends(), rig.logs(LogLevel::Info).len()), (0, 1));
}

#[test]
fn k22_a_result_that_was_given_up_but_shows_up_stored_is_accepted_after_all() {
    let mut rig = with_running_call();
    rig.handler_gives("c1", "83");
    rig.answer(Err(refused(400)));
    assert_eq!(rig.tool_ends(), 0);
    rig.event(result("e4", "c1", "83", false));
    rig.event(result("e4", "c1", "83", false));
    assert_eq!(rig.tool_ends(), 1);
}

#[test]
fn k22_a_conflict_that_the_stream_explains_is_no_error_and_one_that_it_does_not_is() {
    let mut rig = with_running_call();
    rig.handler_gives("c1", "83");
    rig.answer(Err(refused(409)));
    rig.event(result("e4", "c1", "client tool timed out", true));
    rig.wait(10_000);
    assert_eq!((rig.logs(LogLevel::Info).len(), rig.logs(LogLevel::Error).len()), (1, 0));

    let mut rig = with_running_call();
    rig.handler_gives("c1", "83");
    rig.answer(Err(refused(409)));
    rig.wait(10_000);
    assert_eq!((rig.logs(LogLevel::Info).len(), rig.logs(LogLevel::Error).len()), (0, 1));
    assert_eq!((rig.posts().len(), rig.tool_ends()), (1, 0));
}

#[test]
fn k24_a_detached_conversation_delivers_running_handlers_runs_nothing_new_and_closes() {
    let mut rig = with_running_call();
    rig.give(Input::Detach);
    rig.event(call("c2"));
    assert_eq!(rig.runs(), ["c1"]);
    rig.handler_gives("c1", "83");
    assert_eq!(rig.posts().last().unwrap().1, posted_result("83", false));
    assert!(rig.stream().is_some());
    rig.answer(Ok(vec![]));
    assert_eq!(rig.tool_ends(), 1);
    assert_eq!(rig.stream(), None);
    rig.give(Input::Attach);
    rig.open(vec![running("e2"), call("c1"), call("c2"), result("e4", "c1", "83", false)]);
    assert_eq!(rig.runs(), ["c1", "c2"]);
}

#[test]
fn a_read_only_session_runs_nothing_until_it_becomes_writable() {
    let mut rig = Rig::new(Some("sesn_1"));
    rig.give(Input::Attach);
    rig.open_stream(Ok(false));
    rig.read(vec![running("e1"), call("c1")], None);
    rig.event(call("c2"));
    assert!(rig.runs().is_empty());
    assert!(!rig.conversation.transcript().writable);
    rig.end_stream();
    rig.wait(1000);
    rig.open(vec![running("e1"), call("c1"), call("c2"), result("e2", "c1", "83", false)]);
    assert_eq!(rig.runs(), ["c2"]);
    assert!(rig.conversation.transcript().writable);
}

#[test]
fn a_call_whose_time_is_over_is_left_to_the_service() {
    let mut rig = Rig::live(vec![running("e1")]);
    rig.give(Input::Detach);
    rig.give(Input::Attach);
    rig.open_stream(Ok(false));
    rig.read(vec![running("e1"), call("c1")], None);
    rig.sleep(121);
    rig.give(Input::Wake);
    rig.give(Input::Hurry);
    rig.open(vec![]);
    assert!(rig.runs().is_empty());
}
