//! A turn's start and end, and `status`.

use super::rig::*;
use super::*;
use crate::protocol::RetryStatus;

fn starts_and_ends(rig: &Rig) -> Vec<&'static str> {
    let name = |notice: &&Notice| match notice {
        Notice::ResponseStart => Some("start"),
        Notice::ResponseEnd => Some("end"),
        _ => None,
    };
    rig.notices().iter().filter_map(name).collect()
}

#[test]
fn a_response_starts_once_and_ends_at_the_turns_real_end() {
    let mut rig = Rig::live(vec![]);
    rig.say(1, "one");
    assert_eq!(rig.conversation.status(), Status::Running);
    let sent = rig.posts()[0].1.clone();
    rig.answer(Ok(vec![]));
    assert_eq!(rig.conversation.status(), Status::Running);
    rig.event(stored("e1", &sent));
    assert_eq!(starts_and_ends(&rig), [""; 0]);
    rig.event(running("e2"));
    rig.event(call("c1"));
    rig.event(waits_for("e3", &["c1"]));
    assert_eq!(rig.conversation.status(), Status::Running, "requires_action is part of the turn");
    rig.event(result("e4", "c1", "x", false));
    rig.event(running("e5"));
    rig.event(agent("e6", "two"));
    assert_eq!(starts_and_ends(&rig), ["start"]);
    rig.event(ended("e7"));
    assert_eq!(starts_and_ends(&rig), ["start", "end"]);
    assert_eq!(rig.conversation.status(), Status::Idle);
}

#[test]
fn how_a_session_was_found_is_no_news_but_a_turn_that_goes_on_is_started() {
    let rig = Rig::live(vec![user("e1", "a"), running("e2"), agent("e3", "b"), ended("e4")]);
    assert_eq!(starts_and_ends(&rig), [""; 0]);
    let mut rig = Rig::live(vec![user("e1", "a"), running("e2")]);
    assert_eq!(starts_and_ends(&rig), ["start"]);
    rig.end_stream();
    rig.wait(1000);
    rig.open(vec![agent("e3", "b"), ended("e4"), user("e5", "c"), running("e6")]);
    assert_eq!(starts_and_ends(&rig), ["start", "end", "start"], "what was missed is told in its order");
}

#[test]
fn a_failed_turn_is_an_error_until_the_next_success() {
    let mut rig = Rig::live(vec![user("e1", "a"), running("e2")]);
    rig.event(error("e3", RetryStatus::Retrying));
    assert_eq!(rig.conversation.status(), Status::Running);
    assert_eq!(rig.lines(), ["user a"]);
    assert_eq!(rig.count(&Notice::Error { message: "no model".to_owned() }), 0);
    rig.event(error("e4", RetryStatus::Exhausted));
    rig.event(exhausted("e5"));
    assert_eq!(rig.conversation.status(), Status::Error);
    assert_eq!(rig.lines(), ["user a", "error no model"]);
    assert_eq!(rig.count(&Notice::Error { message: "no model".to_owned() }), 1);
    rig.event(user("e6", "b"));
    rig.event(running("e7"));
    assert_eq!(rig.conversation.status(), Status::Running);
    rig.event(ended("e8"));
    assert_eq!(rig.conversation.status(), Status::Idle);
}

#[test]
fn that_an_answer_is_tried_for_again_is_shown_until_something_comes_of_it() {
    for over in
        [running("e4"), agent("e4", "b"), ended("e4"), exhausted("e4"), error("e4", RetryStatus::Exhausted)]
    {
        let mut rig = Rig::live(vec![user("e1", "a"), running("e2")]);
        assert_eq!(rig.conversation.transcript().retrying, None);
        rig.event(error("e3", RetryStatus::Retrying));
        assert_eq!(rig.conversation.transcript().retrying.as_deref(), Some("no model"));
        assert_eq!(starts_and_ends(&rig), ["start"]);
        rig.event(user("e5", "b"));
        assert_eq!(rig.conversation.transcript().retrying.as_deref(), Some("no model"));
        let kind = over.body.clone();
        rig.event(over);
        assert_eq!(rig.conversation.transcript().retrying, None, "{kind:?}");
        assert_eq!(starts_and_ends(&rig).iter().filter(|told| **told == "start").count(), 1);
    }
    // What a history says of it is over, unless it is the last word.
    let log = vec![user("e1", "a"), running("e2"), error("e3", RetryStatus::Retrying)];
    let rig = Rig::live(log.iter().cloned().chain([agent("e4", "b"), ended("e5")]).collect());
    assert_eq!(rig.conversation.transcript().retrying, None);
    assert!(Rig::live(log).conversation.transcript().retrying.is_some());
}

#[test]
fn a_failed_opening_is_an_error_until_the_next_success_and_is_told_once() {
    let mut rig = Rig::new(Some("sesn_1"));
    rig.give(Input::Attach);
    for _ in 0..3 {
        rig.open_stream(Err(network()));
        assert_eq!(rig.conversation.status(), Status::Error);
        while rig.stream().is_none() {
            rig.wait(100);
        }
    }
    assert_eq!(rig.count(&Notice::Error { message: "the network is down".to_owned() }), 1);
    rig.open(vec![]);
    assert_eq!(rig.conversation.status(), Status::Idle);
}

#[test]
fn a_broken_connection_does_not_end_a_turn() {
    let mut rig = Rig::live(vec![user("e1", "a"), running("e2")]);
    rig.end_stream();
    rig.wait(1000);
    rig.open_stream(Err(network()));
    assert_eq!(rig.conversation.status(), Status::Running);
    assert_eq!(starts_and_ends(&rig), ["start"]);
}
