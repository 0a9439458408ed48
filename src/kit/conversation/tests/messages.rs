//! What the person says: order, drafts, one session (K16, WIRE.md "In the page").

use super::rig::*;
use super::*;
use crate::protocol::{AgentName, ContextItem, EventBody, SessionStatus};

fn session() -> Session {
    let now = Timestamp::default();
    Session {
        id: "sesn_1".into(),
        status: SessionStatus::Idle,
        title: None,
        agent: AgentName::default(),
        created_at: now,
        updated_at: now,
    }
}

fn creations(rig: &Rig) -> Vec<AttemptId> {
    let creation = |effect: &Effect| if let Effect::CreateSession(id) = effect { Some(*id) } else { None };
    rig.effects.iter().filter_map(creation).collect()
}

fn answers(rig: &Rig) -> Vec<(u64, Result<(), String>)> {
    let answer = |effect: &Effect| match effect {
        Effect::Answer(ask, outcome) => Some((ask.0, outcome.clone())),
        _ => None,
    };
    rig.effects.iter().filter_map(answer).collect()
}

fn drafts(rig: &Rig) -> Vec<(u64, Option<String>)> {
    let draft = |effect: &Effect| match effect {
        Effect::Draft(ask, text) => Some((ask.0, text.clone())),
        _ => None,
    };
    rig.effects.iter().filter_map(draft).collect()
}

fn texts(rig: &Rig) -> Vec<String> {
    let text = |(_, body)| match body {
        EventBody::UserMessage { content, .. } => Some(crate::protocol::Content::text(&content)),
        _ => None,
    };
    rig.posts().into_iter().filter_map(text).collect()
}

#[test]
fn two_messages_at_once_without_a_session_make_one_session_and_keep_their_order() {
    let mut rig = Rig::new(None);
    rig.give(Input::Attach);
    rig.say(1, "one");
    rig.say(2, "two");
    assert_eq!(rig.conversation.status(), Status::Running);
    let attempts = creations(&rig);
    assert_eq!(attempts.len(), 1);
    rig.give(Input::Created(attempts[0], Ok(session())));
    assert_eq!(rig.count(&Notice::SessionMade("sesn_1".into())), 1);
    rig.open(vec![]);
    assert_eq!(texts(&rig), ["one"], "a network may reorder two");
    let first = rig.posts()[0].1.clone();
    rig.answer(Ok(vec![stored("e1", &first)]));
    assert_eq!(texts(&rig), ["one", "two"]);
    rig.answer(Ok(vec![]));
    assert_eq!(answers(&rig), [(1, Ok(())), (2, Ok(()))]);
    assert_eq!(rig.lines(), ["user one", "user two"]);
}

#[test]
fn k16_the_snapshot_goes_along_as_it_was_given() {
    let mut rig = Rig::live(vec![]);
    let page_context = Some(vec![ContextItem { name: "lesson".to_owned(), value: "3".to_owned() }]);
    rig.give(Input::Send { ask: AskId(1), text: "a".to_owned(), page_context: page_context.clone() });
    assert!(
        matches!(&rig.posts()[0].1, EventBody::UserMessage { page_context: sent, .. } if *sent == page_context)
    );
}

#[test]
fn a_session_that_cannot_be_made_gives_the_drafts_back() {
    for hangs in [false, true] {
        let mut rig = Rig::new(None);
        rig.give(Input::Attach);
        rig.say(1, "one");
        rig.say(2, "two");
        let attempt = creations(&rig)[0];
        if hangs {
            rig.wait(30_000);
        } else {
            rig.give(Input::Created(attempt, Err(network())));
        }
        assert_eq!(drafts(&rig), [(1, Some("one".to_owned())), (2, Some("two".to_owned()))]);
        assert!(answers(&rig).iter().all(|(_, outcome)| outcome.is_err()));
        assert_eq!(rig.conversation.status(), Status::Error);
        assert!(rig.lines().is_empty());
        rig.wait(60_000);
        assert_eq!(creations(&rig).len(), 1, "it is not repeated by itself");
        rig.say(3, "three");
        assert_eq!(creations(&rig).len(), 2);
        rig.give(Input::Created(attempt, Ok(session())));
        assert_eq!(rig.conversation.session(), None, "nobody waits for the first any more");
    }
}

#[test]
fn a_message_is_never_repeated_by_itself_and_its_draft_comes_back_at_once() {
    for error in [network(), refused(400), refused(500), refused(429)] {
        let mut rig = Rig::live(vec![]);
        rig.say(1, "one");
        assert_eq!(rig.lines(), ["user one …"]);
        rig.answer(Err(error.clone()));
        assert_eq!(drafts(&rig), [(1, Some("one".to_owned()))]);
        assert_eq!(answers(&rig), [(1, Err(error.to_string()))]);
        assert!(rig.lines().is_empty());
        rig.end_stream();
        rig.wait(1000);
        rig.open(vec![]);
        rig.wait(40_000);
        assert_eq!(texts(&rig), ["one"], "{error}");
    }
}

#[test]
fn a_message_that_shows_up_after_its_draft_came_back_drops_the_draft_again() {
    for by_history in [false, true] {
        let mut rig = Rig::live(vec![]);
        rig.say(1, "one");
        let sent = rig.posts()[0].1.clone();
        rig.answer(Err(network()));
        if by_history {
            rig.end_stream();
            rig.wait(1000);
            rig.open(vec![stored("e1", &sent)]);
        } else {
            rig.event(stored("e1", &sent));
        }
        assert_eq!(drafts(&rig), [(1, Some("one".to_owned())), (1, None)]);
        assert_eq!(rig.lines(), ["user one"]);
    }
}

#[test]
fn a_message_that_the_stream_shows_is_stored_whatever_its_answer_says() {
    let mut rig = Rig::live(vec![]);
    rig.say(1, "one");
    let sent = rig.posts()[0].1.clone();
    rig.event(stored("e1", &sent));
    assert_eq!(answers(&rig), [(1, Ok(()))]);
    rig.answer(Err(network()));
    assert_eq!(answers(&rig).len(), 1);
    assert_eq!(drafts(&rig), []);
    assert_eq!(rig.lines(), ["user one"]);
}

#[test]
fn a_message_that_nobody_answers_for_comes_back() {
    let mut rig = Rig::live(vec![]);
    rig.say(1, "one");
    rig.wait(30_000);
    assert_eq!(drafts(&rig), [(1, Some("one".to_owned()))]);
    // Somebody does, at last.
    rig.answer(Ok(vec![]));
    assert_eq!(drafts(&rig), [(1, Some("one".to_owned())), (1, None)]);
}

#[test]
fn an_answer_that_comes_with_the_end_of_a_sleep_counts() {
    let mut rig = Rig::live(vec![]);
    rig.say(1, "one");
    rig.sleep(3600);
    rig.answer(Ok(vec![]));
    assert_eq!((answers(&rig), drafts(&rig)), (vec![(1, Ok(()))], vec![]));
}

#[test]
fn a_message_waits_for_the_opening_and_comes_back_when_that_fails() {
    let mut rig = Rig::new(Some("sesn_1"));
    rig.give(Input::Attach);
    rig.say(1, "one");
    assert!(texts(&rig).is_empty());
    rig.open(vec![]);
    assert_eq!(texts(&rig), ["one"]);

    let mut rig = Rig::new(Some("sesn_1"));
    rig.give(Input::Attach);
    rig.say(1, "one");
    rig.open_stream(Err(network()));
    assert_eq!(drafts(&rig), [(1, Some("one".to_owned()))]);
    assert_eq!(answers(&rig), [(1, Err("the network is down".to_owned()))]);
    // While the connection is broken, a message opens it at once.
    rig.say(2, "two");
    rig.open(vec![]);
    assert_eq!(texts(&rig), ["two"]);
}

#[test]
fn a_read_only_session_refuses_messages_and_interrupts() {
    let mut rig = Rig::new(Some("sesn_1"));
    rig.give(Input::Attach);
    rig.say(1, "one");
    rig.open_stream(Ok(false));
    rig.read(vec![], None);
    rig.say(2, "two");
    rig.give(Input::Interrupt { ask: AskId(3) });
    assert!(rig.posts().is_empty());
    assert!(
        matches!(&answers(&rig)[..], [(1, Err(a)), (2, Err(b)), (3, Err(c))] if a == words::READ_ONLY && b == a && c == a)
    );
    assert_eq!(drafts(&rig).len(), 2);
}

#[test]
fn a_session_that_was_terminated_refuses_messages() {
    let mut rig = Rig::live(vec![event("e1", EventBody::StatusTerminated {})]);
    rig.say(1, "one");
    assert!(rig.posts().is_empty());
    assert_eq!(answers(&rig), [(1, Err(words::TERMINATED.to_owned()))]);
    assert!(!rig.conversation.transcript().writable);
}

#[test]
fn an_interrupt_follows_what_was_said_before_it_and_is_not_repeated() {
    let mut rig = Rig::live(vec![]);
    rig.say(1, "one");
    rig.give(Input::Interrupt { ask: AskId(2) });
    assert_eq!(rig.posts().len(), 1);
    rig.answer(Ok(vec![]));
    assert_eq!(rig.posts().last().unwrap().1, EventBody::Interrupt {});
    rig.answer(Err(network()));
    rig.wait(40_000);
    assert_eq!(rig.posts().len(), 2);
    assert_eq!(answers(&rig), [(1, Ok(())), (2, Err("the network is down".to_owned()))]);

    let mut rig = Rig::new(None);
    rig.give(Input::Interrupt { ask: AskId(1) });
    assert_eq!(rig.look(), [Effect::Answer(AskId(1), Ok(()))], "without a session there is no turn");
}

#[test]
fn a_detached_conversation_still_delivers_a_message() {
    let mut rig = Rig::new(None);
    rig.give(Input::Attach);
    rig.say(1, "one");
    rig.give(Input::Detach);
    let attempt = creations(&rig)[0];
    rig.give(Input::Created(attempt, Ok(session())));
    rig.open(vec![]);
    rig.answer(Ok(vec![]));
    assert_eq!(answers(&rig), [(1, Ok(()))]);
    assert_eq!(rig.stream(), None);
}
