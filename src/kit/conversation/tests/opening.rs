//! Opening, reopening, silence, failure (WIRE.md, "The stream" and "In the page").

use super::rig::*;
use super::*;

#[test]
fn opens_the_stream_then_reads_the_history_to_its_last_page() {
    let mut rig = Rig::new(Some("sesn_1"));
    rig.give(Input::Attach);
    assert!(matches!(rig.look()[..], [Effect::OpenStream(_)]));
    assert_eq!(rig.conversation.transcript().connection, Shown::Opening);
    rig.open_stream(Ok(true));
    assert!(matches!(rig.effects[..], [Effect::ReadHistory(_, None), ..]));
    rig.read(vec![user("e1", "a")], Some("p2"));
    assert_eq!(rig.wanted_page().1.as_deref(), Some("p2"));
    assert_eq!(rig.count(&Notice::Opened), 0);
    rig.read(vec![user("e2", "b")], None);
    assert_eq!(rig.count(&Notice::Opened), 1);
    assert_eq!(rig.conversation.transcript().connection, Shown::Open);
    assert_eq!(rig.lines(), ["user a", "user b"]);
}

#[test]
fn what_the_stream_brings_while_the_history_is_read_comes_after_it_and_once() {
    let mut rig = Rig::new(Some("sesn_1"));
    rig.give(Input::Attach);
    rig.open_stream(Ok(true));
    rig.event(user("e3", "c"));
    rig.event(user("e4", "d"));
    rig.read(vec![user("e1", "a")], Some("p2"));
    rig.read(vec![user("e2", "b"), user("e3", "c")], None);
    rig.event(user("e4", "d"));
    assert_eq!(rig.lines(), ["user a", "user b", "user c", "user d"]);
}

#[test]
fn a_history_page_that_fails_is_retried_with_the_whole_opening() {
    let mut rig = Rig::new(Some("sesn_1"));
    rig.give(Input::Attach);
    rig.open_stream(Ok(true));
    rig.read(vec![user("e1", "a")], Some("p2"));
    let (page, _) = rig.wanted_page();
    rig.look();
    rig.give(Input::HistoryRead(page, Err(refused(503))));
    assert!(matches!(rig.effects[..], [Effect::Tell(Notice::Error { .. }), Effect::CloseStream(_), ..]));
    assert_eq!(rig.conversation.status(), Status::Error);
    rig.wait(1000);
    rig.open_stream(Ok(true));
    assert_eq!(rig.wanted_page().1, None);
    rig.read(vec![user("e1", "a"), user("e2", "b")], None);
    assert_eq!(rig.lines(), ["user a", "user b"]);
    assert_eq!(rig.conversation.status(), Status::Running, "the second message waits for its turn");
}

#[test]
fn a_history_whose_cursor_leads_to_itself_is_not_followed_for_ever() {
    let mut rig = Rig::new(Some("sesn_1"));
    rig.give(Input::Attach);
    rig.open_stream(Ok(true));
    rig.read(vec![], Some("p2"));
    rig.look();
    let before = rig.now;
    // The same page again and again.
    let page = AttemptId(3);
    let answer = EventPage { data: vec![], next_page: Some("p2".to_owned()) };
    rig.give(Input::HistoryRead(page, Ok(answer)));
    assert!(rig.stream().is_none(), "{:?}", rig.effects);
    assert_eq!(rig.now, before);
}

#[test]
fn backs_off_from_half_a_second_to_half_a_minute_and_starts_over_after_a_lasting_connection() {
    let mut rig = Rig::live(vec![]);
    rig.wait(10_000);
    rig.end_stream();
    assert_eq!(rig.conversation.transcript().connection, Shown::Reconnecting);
    let mut waits = Vec::new();
    for _ in 0..8 {
        let before = rig.now;
        while rig.stream().is_none() {
            rig.wait(10);
        }
        waits.push(rig.now.since(before).as_millis());
        rig.open_stream(Err(network()));
    }
    let least = [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000];
    for (wait, least) in waits.iter().zip(least) {
        assert!((least..=2 * least + 10).contains(wait), "{waits:?}");
    }
    rig.wait(30_010);
    rig.open(vec![]);
    rig.wait(10_000);
    rig.end_stream();
    rig.wait(1010);
    assert!(rig.stream().is_some());
}

#[test]
fn forty_five_seconds_of_silence_open_the_stream_again() {
    let mut rig = Rig::live(vec![]);
    let first = rig.stream();
    rig.wait(44_999);
    rig.item(StreamItem::Heartbeat);
    rig.wait(44_999);
    assert_eq!(rig.stream(), first);
    rig.wait(1);
    assert_eq!(rig.stream(), None);
    rig.wait(1000);
    assert!(rig.stream().is_some_and(|again| Some(again) != first));
}

#[test]
fn an_opening_that_hangs_is_given_up_like_a_silent_stream() {
    let mut rig = Rig::new(Some("sesn_1"));
    rig.give(Input::Attach);
    let first = rig.stream();
    rig.wait(46_000);
    assert!(rig.stream().is_some_and(|again| Some(again) != first));
}

#[test]
fn a_history_page_that_hangs_is_given_up_although_the_stream_lives() {
    let mut rig = Rig::new(Some("sesn_1"));
    rig.give(Input::Attach);
    rig.open_stream(Ok(true));
    let first = rig.stream();
    for _ in 0..3 {
        rig.wait(14_900);
        rig.item(StreamItem::Heartbeat);
    }
    rig.wait(2000);
    assert!(rig.stream().is_some_and(|again| Some(again) != first));
}

#[test]
fn after_a_sleep_the_first_input_finds_the_silent_connection_closed() {
    let mut rig = Rig::live(vec![]);
    let first = rig.stream().unwrap();
    rig.sleep(3600);
    rig.give(Input::StreamItem(first, StreamItem::Event(call("c1"))));
    assert!(rig.runs().is_empty(), "what comes on a connection that counts as broken is not taken");
    assert!(rig.lines().is_empty());
}

#[test]
fn hurry_opens_at_once() {
    let mut rig = Rig::live(vec![]);
    rig.end_stream();
    assert_eq!(rig.stream(), None);
    rig.give(Input::Hurry);
    assert!(rig.stream().is_some());
}

#[test]
fn being_online_again_opens_at_once() {
    let mut rig = Rig::live(Vec::new());
    rig.give(Input::Online(false));
    rig.end_stream();
    assert_eq!(rig.stream(), None);
    rig.give(Input::Online(false));
    assert_eq!(rig.stream(), None);
    rig.give(Input::Online(true));
    assert!(rig.stream().is_some());
}

#[test]
fn the_page_shows_how_the_connection_stands() {
    let mut rig = Rig::live(Vec::new());
    let shown = |rig: &Rig| rig.conversation.transcript().connection.clone();
    assert_eq!(shown(&rig), Shown::Open);
    // What still comes does not come over a network that is gone.
    rig.give(Input::Online(false));
    assert_eq!(shown(&rig), Shown::Offline);
    rig.item(StreamItem::Heartbeat);
    assert_eq!(shown(&rig), Shown::Open);

    rig.give(Input::Online(false));
    rig.end_stream();
    assert_eq!(shown(&rig), Shown::Offline);
    rig.give(Input::Online(true));
    assert_eq!(shown(&rig), Shown::Reconnecting);
    for expected in [Shown::Reconnecting, Shown::Unreachable(network().to_string())] {
        rig.open_stream(Err(network()));
        assert_eq!(shown(&rig), expected);
        rig.wait(60_000);
    }
    rig.open(Vec::new());
    assert_eq!(shown(&rig), Shown::Open);
}

#[test]
fn a_session_that_does_not_exist_fails_and_does_not_loop() {
    for history_says_so in [false, true] {
        let mut rig = Rig::new(Some("sesn_1"));
        rig.give(Input::Attach);
        if history_says_so {
            rig.open_stream(Ok(true));
            let (page, _) = rig.wanted_page();
            rig.give(Input::HistoryRead(page, Err(refused(404))));
        } else {
            rig.open_stream(Err(refused(404)));
        }
        let told = Notice::Error { message: "refused 404".to_owned() };
        assert_eq!(rig.count(&told), 1);
        assert_eq!(rig.conversation.transcript().connection, Shown::Failed("refused 404".to_owned()));
        assert_eq!(rig.conversation.status(), Status::Error);
        rig.look();
        rig.wait(3_600_000);
        rig.give(Input::Hurry);
        assert_eq!(rig.look(), []);
        // A way back: shown again, it is opened again.
        rig.give(Input::Attach);
        assert!(rig.stream().is_some());
    }
}

#[test]
fn opened_is_told_once_and_without_a_session_at_once() {
    let mut rig = Rig::live(vec![]);
    rig.end_stream();
    rig.wait(1000);
    rig.open(vec![]);
    rig.give(Input::Detach);
    rig.give(Input::Attach);
    rig.open(vec![]);
    assert_eq!(rig.count(&Notice::Opened), 1);

    let mut rig = Rig::new(None);
    rig.give(Input::Attach);
    assert_eq!(rig.look(), [Effect::Tell(Notice::Opened)]);
    assert_eq!(rig.conversation.transcript().connection, Shown::None);
}

#[test]
fn a_detached_conversation_closes_its_stream_and_opens_it_again_when_shown() {
    let mut rig = Rig::live(vec![user("e1", "a"), running("e2"), agent("e3", "b"), ended("e4")]);
    rig.give(Input::Detach);
    assert_eq!(rig.stream(), None);
    rig.look();
    rig.wait(600_000);
    assert_eq!(rig.look(), []);
    rig.give(Input::Attach);
    rig.open(vec![user("e1", "a"), running("e2"), agent("e3", "b"), ended("e4"), user("e5", "c")]);
    assert_eq!(rig.lines(), ["user a", "agent b", "user c"]);
}

#[test]
fn what_old_attempts_bring_is_dropped() {
    let mut rig = Rig::live(vec![]);
    let old = rig.stream().unwrap();
    rig.end_stream();
    rig.give(Input::Hurry);
    rig.give(Input::StreamItem(old, StreamItem::Event(user("e1", "a"))));
    rig.give(Input::StreamOpened(old, Ok(true)));
    rig.give(Input::StreamEnded(old, None));
    assert!(rig.stream().is_some());
    rig.open(vec![]);
    assert!(rig.lines().is_empty());
}
