//! What is shown: keys, order, previews, and that what did not change is not made anew.

use super::rig::*;
use super::*;
use crate::protocol::EventBody;

fn start(id: &str) -> StreamItem {
    StreamItem::Preview(Preview::Start { id: id.into() })
}

fn delta(id: &str, text: &str) -> StreamItem {
    StreamItem::Preview(Preview::Delta { id: id.into(), text: text.to_owned() })
}

fn keys(rig: &Rig) -> Vec<Rc<str>> {
    rig.conversation.transcript().entries.iter().map(|entry| Rc::clone(&entry.key)).collect()
}

#[test]
fn a_message_keeps_its_key_from_sending_to_stored_and_from_preview_to_stored() {
    let mut rig = Rig::live(vec![]);
    rig.say(1, "one");
    let sent = keys(&rig);
    let body = rig.posts()[0].1.clone();
    rig.answer(Ok(vec![]));
    assert_eq!(rig.lines(), ["user one"]);
    rig.event(stored("e1", &body));
    assert_eq!(keys(&rig), sent);
    rig.event(running("e2"));
    rig.item(start("e3"));
    rig.item(delta("e3", "tw"));
    rig.item(delta("e3", "o"));
    assert_eq!(rig.lines(), ["user one", "agent two …"]);
    let preview = keys(&rig);
    rig.event(agent("e3", "two!"));
    assert_eq!(rig.lines(), ["user one", "agent two!"]);
    assert_eq!(keys(&rig), preview);
}

#[test]
fn previews_die_with_their_connection_and_with_a_session_error() {
    let mut rig = Rig::live(vec![running("e1")]);
    rig.item(start("e2"));
    rig.item(delta("e2", "tw"));
    rig.end_stream();
    assert!(rig.lines().is_empty());
    rig.wait(1000);
    rig.open(vec![running("e1")]);
    rig.item(delta("e2", "o"));
    assert!(rig.lines().is_empty(), "a delta whose start was not seen is ignored");
    rig.item(start("e3"));
    rig.event(error("e4", crate::protocol::RetryStatus::Retrying));
    assert!(rig.lines().is_empty());
    rig.item(start("e5"));
    rig.item(start("e6"));
    assert_eq!(rig.lines(), ["agent  …"], "a new attempt of the model ends the one before");
    rig.event(ended("e7"));
    assert!(rig.lines().is_empty());
}

#[test]
fn a_preview_of_a_message_that_is_stored_already_is_ignored() {
    let mut rig = Rig::new(Some("sesn_1"));
    rig.give(Input::Attach);
    rig.open_stream(Ok(true));
    rig.item(start("e2"));
    rig.item(delta("e2", "tw"));
    rig.read(vec![running("e1"), agent("e2", "two")], None);
    assert_eq!(rig.lines(), ["agent two"]);
}

#[test]
fn a_message_that_waits_for_its_turn_stays_below_the_turn_that_runs() {
    let log = [
        user("e1", "a"),
        running("e2"),
        user("e3", "b"),
        agent("e4", "to a"),
        ended("e5"),
        running("e6"),
        agent("e7", "to b"),
        ended("e8"),
    ];
    let mut watched = Rig::live(vec![]);
    for event in log.clone() {
        watched.event(event);
    }
    let read = Rig::live(log.to_vec());
    assert_eq!(watched.lines(), ["user a", "agent to a", "user b", "agent to b"]);
    assert_eq!(read.lines(), watched.lines());
}

#[test]
fn only_what_changed_is_made_anew() {
    let mut rig = Rig::live(vec![user("e1", "a"), running("e2"), call("c1")]);
    let before = rig.conversation.transcript();
    rig.item(StreamItem::Heartbeat);
    assert!(Rc::ptr_eq(&before, &rig.conversation.transcript()));
    rig.item(start("e3"));
    rig.item(delta("e3", "x"));
    let after = rig.conversation.transcript();
    for (old, new) in before.entries.iter().zip(&after.entries) {
        assert!(Rc::ptr_eq(old, new));
    }
    rig.event(result("e4", "c1", "x", true));
    let last = rig.conversation.transcript();
    assert!(Rc::ptr_eq(&last.entries[0], &after.entries[0]));
    assert!(!Rc::ptr_eq(&last.entries[1], &after.entries[1]));
}

#[test]
fn tools_of_the_service_are_shown() {
    let mut rig = Rig::live(vec![running("e1")]);
    rig.event(event("e2", EventBody::ToolUse { name: "clock".to_owned(), input: Default::default() }));
    assert_eq!(rig.lines(), ["service clock None"]);
    let content = crate::protocol::Content::of("12:00");
    rig.event(event("e3", EventBody::ToolResult { tool_use_id: "e2".into(), content, is_error: false }));
    assert_eq!(rig.lines(), ["service clock Some(false)"]);
}
