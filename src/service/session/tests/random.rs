//! Random interleavings of posts, duplicates, model output, stale runs, time and restarts.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::protocol::{ContextItem, IdleReason, SessionStatus};

#[derive(Clone, Debug)]
enum Posted {
    Message {
        context: bool,
    },
    /// A result for one of the calls so far, one of two texts.
    Result {
        call: usize,
        other_text: bool,
        is_error: bool,
    },
    ResultOfNoCall,
    Interrupt,
    Fact,
}

#[derive(Clone, Debug)]
enum Said {
    Text,
    /// One of the agent's tools, one that it has not, or arguments that cannot be read; with an id of its own,
    /// an empty one or one that is used again and again.
    Call {
        tool: u8,
        id: u8,
    },
    /// It is tried again, or has got through.
    Retrying(bool),
    Done,
    Failed,
}

#[derive(Clone, Debug)]
enum Step {
    Post(Vec<Posted>),
    PostAgain,
    Model(Vec<Said>),
    /// Output of an older run.
    Stale(Said),
    /// The outcome of a built-in tool, of the newest that was run or of one before.
    BuiltIn(usize),
    Pass(u64),
    Restart,
    /// The service ends while it deals with a post: nothing of it was stored or answered.
    LostPost(Vec<Posted>),
}

fn posted() -> impl Strategy<Value = Posted> {
    prop_oneof![
        4 => any::<bool>().prop_map(|context| Posted::Message { context }),
        6 => (0..8_usize, prop::bool::weighted(0.2), prop::bool::weighted(0.2))
            .prop_map(|(call, other_text, is_error)| Posted::Result { call, other_text, is_error }),
        1 => Just(Posted::ResultOfNoCall),
        2 => Just(Posted::Interrupt),
        1 => Just(Posted::Fact),
    ]
}

fn said() -> impl Strategy<Value = Said> {
    prop_oneof![
        3 => Just(Said::Text),
        4 => (0..8_u8, 0..3_u8).prop_map(|(tool, id)| Said::Call { tool, id }),
        1 => any::<bool>().prop_map(Said::Retrying),
        4 => Just(Said::Done),
        1 => Just(Said::Failed),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let batch = || prop::collection::vec(posted(), 1..4);
    prop_oneof![
        6 => batch().prop_map(Step::Post),
        1 => Just(Step::PostAgain),
        8 => prop::collection::vec(said(), 1..5).prop_map(Step::Model),
        1 => said().prop_map(Step::Stale),
        3 => (0..3_usize).prop_map(Step::BuiltIn),
        2 => prop_oneof![0..1_000_u64, 0..130_000_u64].prop_map(Step::Pass),
        1 => Just(Step::Restart),
        1 => batch().prop_map(Step::LostPost),
    ]
}

struct World {
    driver: Driver,
    said: usize,
    last_post: Vec<EventBody>,
    posts: usize,
}

impl World {
    fn new() -> Self {
        Self { driver: Driver::new(), said: 0, last_post: Vec::new(), posts: 0 }
    }

    fn events(&mut self, posted: &[Posted]) -> Vec<EventBody> {
        let calls = self.driver.calls();
        let event = |posted: &Posted| {
            self.said += 1;
            match posted {
                Posted::Message { context } => {
                    let item = ContextItem { name: "page".into(), value: format!("<{}>", self.said) };
                    EventBody::UserMessage {
                        content: Content::of(format!("m{}.", self.said)),
                        page_context: context.then(|| vec![item]),
                        client_message_id: None,
                    }
                }
                // The newest calls first: they are the ones that wait.
                Posted::Result { call, other_text, is_error } if *call < calls.len() => {
                    EventBody::CustomToolResult {
                        custom_tool_use_id: calls[calls.len() - 1 - call].clone(),
                        content: Content::of(if *other_text { "b" } else { "a" }),
                        is_error: *is_error,
                    }
                }
                Posted::Result { .. } | Posted::ResultOfNoCall => result(&"sevt_abc_0".into(), "a"),
                Posted::Interrupt => EventBody::Interrupt {},
                Posted::Fact => EventBody::SystemMessage { content: Content::of("fact") },
            }
        };
        posted.iter().map(event).collect()
    }

    fn post(&mut self, events: Vec<EventBody>) {
        let stored = self.driver.stored.len();
        self.last_post = events.clone();
        self.posts += 1;
        match self.driver.post(events.clone()) {
            Ok(reply) => {
                let bodies: Vec<_> = reply.iter().map(|event| event.body.clone()).collect();
                assert_eq!(bodies, events, "the answer is not what was posted");
            }
            Err(_) => {
                let by_clients = self.driver.stored[stored..].iter().any(|record| match &record.event.body {
                    EventBody::UserMessage { .. }
                    | EventBody::Interrupt {}
                    | EventBody::SystemMessage { .. } => true,
                    EventBody::CustomToolResult { content, .. } => {
                        Content::text(content) != "client tool timed out"
                    }
                    _ => false,
                });
                assert!(!by_clients, "a part of a refused batch was stored");
            }
        }
        assert_eq!(self.driver.replies.len(), self.posts, "each post is answered once");
    }

    fn output(&mut self, said: &Said) -> ModelOutput {
        self.said += 1;
        match said {
            Said::Text => ModelOutput::Text(format!("t{} ", self.said)),
            Said::Call { tool, id } => {
                let (name, arguments) = [
                    ("seek_to", "{\"t\":1}"),
                    ("note", ""),
                    ("functions.note", "{ }"),
                    ("read_playback_progress:0", "null"),
                    ("no such tool", "{}"),
                    ("note", "[1"),
                    ("current_time", "{}"),
                    ("functions.current_time:1", ""),
                ][usize::from(*tool)];
                let id = [format!("call{}", self.said), String::new(), "call_0".to_owned()][usize::from(*id)]
                    .clone();
                call(&id, name, arguments)
            }
            Said::Retrying(again) => ModelOutput::Retrying(again.then(|| "too busy".to_owned())),
            Said::Done => ModelOutput::Done,
            Said::Failed => ModelOutput::Failed("broken".to_owned()),
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Post(posted) => {
                let events = self.events(posted);
                self.post(events);
            }
            Step::PostAgain if self.last_post.is_empty() => {}
            Step::PostAgain => self.post(self.last_post.clone()),
            Step::Model(said) => {
                for said in said {
                    let output = self.output(said);
                    if !self.driver.asked.is_empty() {
                        self.driver.model([output]);
                    }
                }
            }
            Step::Stale(said) => {
                let output = self.output(said);
                if let [older @ .., _] = self.driver.asked.as_slice()
                    && let Some((run, _)) = older.last()
                {
                    let (run, stored, previews) =
                        (*run, self.driver.stored.len(), self.driver.previews.len());
                    let due = self.driver.wake.is_some_and(|wake| wake <= self.driver.now);
                    self.driver.input(Input::Model { run, output });
                    assert!(due || self.driver.stored.len() == stored, "an older run's output was recorded");
                    assert_eq!(self.driver.previews.len(), previews);
                }
            }
            Step::BuiltIn(back) => {
                let run = &self.driver.built_in;
                if let Some((call, ..)) = run.len().checked_sub(back + 1).and_then(|at| run.get(at)) {
                    let call = call.clone();
                    self.driver.input(Input::BuiltIn { call, result: Ok("noon".to_owned()) });
                }
            }
            Step::Pass(millis) => self.driver.pass(Duration::from_millis(*millis)),
            Step::Restart => self.driver.restart(),
            Step::LostPost(posted) => {
                let events = self.events(posted);
                let now = self.driver.now;
                let _lost = self.driver.session.handle(now, Input::Post { request: RequestId(0), events });
                self.driver.restart();
            }
        }
        self.check();
    }

    /// What holds of every log at any time.
    fn check(&self) {
        let driver = &self.driver;
        let mut ids = BTreeSet::new();
        let mut open: BTreeSet<&EventId> = BTreeSet::new();
        let mut calls: BTreeMap<&EventId, usize> = BTreeMap::new();
        // Calls that never reach the page, with how many results they have.
        let mut inner: BTreeMap<&EventId, usize> = BTreeMap::new();
        let (mut messages, mut turns) = (Vec::new(), Vec::new());
        let mut last = Timestamp::default();
        for Record { event, private } in &driver.stored {
            assert!(ids.insert(&event.id), "the id {} is used twice", event.id);
            assert!(event.processed_at >= last);
            last = event.processed_at;
            match &event.body {
                EventBody::UserMessage { .. } => messages.push(&event.id),
                EventBody::CustomToolUse { .. } => {
                    open.insert(&event.id);
                    calls.insert(&event.id, 0);
                }
                EventBody::CustomToolResult { custom_tool_use_id, .. } => {
                    open.remove(custom_tool_use_id);
                    *calls.get_mut(custom_tool_use_id).expect("a result of no call") += 1;
                }
                EventBody::ToolUse { .. } => drop(inner.insert(&event.id, 0)),
                EventBody::ToolResult { tool_use_id, .. } => {
                    *inner.get_mut(tool_use_id).expect("a result of no call") += 1;
                }
                EventBody::StatusRunning {} => {
                    assert!(open.is_empty(), "it runs on without the results of {open:?}");
                    turns.extend(private.as_ref().and_then(|private| private.turn.as_ref()));
                }
                EventBody::StatusIdle { stop_reason: IdleReason::RequiresAction { event_ids } } => {
                    assert_eq!(event_ids.iter().collect::<BTreeSet<_>>(), open);
                    assert!(!event_ids.is_empty());
                }
                EventBody::StatusIdle { .. } => {
                    assert!(open.is_empty(), "the turn ended without {open:?}");
                    assert!(inner.values().all(|results| *results == 1), "the turn ended without {inner:?}");
                }
                _ => {}
            }
        }
        let at_most_one = |results: &usize| *results <= 1;
        assert!(calls.values().chain(inner.values()).all(at_most_one), "a call has more than one result");
        let run: BTreeSet<_> = driver.built_in.iter().map(|(call, ..)| call).collect();
        assert_eq!(run.len(), driver.built_in.len(), "a built-in tool was run twice");
        assert_eq!(turns, messages[..turns.len()], "turns are not in the order of their messages");
        for preview in &driver.previews {
            let (Preview::Start { id } | Preview::Delta { id, .. }) = preview;
            let stored = driver.stored.iter().find(|record| record.event.id == *id);
            let message = |record: &Record| matches!(record.event.body, EventBody::AgentMessage { .. });
            assert!(stored.is_none_or(message), "the previewed id {id} is no message's");
        }
        assert!(
            driver.asked.is_sorted_by(|earlier, later| earlier.0 < later.0),
            "a run number is used twice"
        );
        self.check_state(&open, inner.values().any(|results| *results == 0));
        self.check_page_context(&turns);
    }

    /// The session says what its log says, and a turn that is not over has something that will end it.
    fn check_state(&self, open: &BTreeSet<&EventId>, built_in_runs: bool) {
        let running = self.driver.session.describe().status == SessionStatus::Running;
        let is_status = |record: &&Record| {
            matches!(record.event.body, EventBody::StatusRunning {} | EventBody::StatusIdle { .. })
        };
        let last = self.driver.stored.iter().rev().find(is_status).map(|record| &record.event.body);
        assert_eq!(running, matches!(last, Some(EventBody::StatusRunning {})));
        assert!(!running || open.is_empty());
        assert_eq!(
            self.driver.wake.is_some(),
            !open.is_empty() || built_in_runs,
            "the alarm is set when calls wait, and only then"
        );
    }

    /// K18: what a request shows of the page is what the turn's own message carried.
    fn check_page_context(&self, turns: &[&EventId]) {
        let Some((_, request)) = self.driver.asked.last() else { return };
        let Some(turn) = turns.last() else { return };
        if !matches!(
            self.driver.session.turn,
            Some(super::super::Turn { phase: super::super::Phase::Asked(_), .. })
        ) {
            return;
        }
        let asked = self
            .driver
            .stored
            .iter()
            .find(|record| record.event.id == **turn)
            .map(|record| &record.event.body);
        let Some(EventBody::UserMessage { content, page_context, .. }) = asked else {
            panic!("no message {turn}")
        };
        let user = |message: &&ModelMessage| matches!(message, ModelMessage::User { .. });
        let text = request.messages.iter().rev().find(user).unwrap().text();
        let expected = match page_context {
            Some(items) => {
                [&Content::text(content), "\n\n", &crate::protocol::page_context::render(items)].concat()
            }
            None => Content::text(content),
        };
        assert_eq!(text, expected);
    }

    /// Lets every turn end: calls run into their time-out, the model breaks.
    fn drain(&mut self) {
        for _ in 0..1000 {
            self.driver.pass(TOOL_TIMEOUT);
            if self.driver.session.turn.is_none() {
                break;
            }
            self.driver.model([ModelOutput::Failed("end".to_owned())]);
        }
        self.check();
        assert!(self.driver.session.turn.is_none(), "a turn does not end");
        let messages = self.driver.log().iter().filter(|kind| *kind == "user.message").count();
        let turns = self
            .driver
            .stored
            .iter()
            .filter(|r| r.private.as_ref().is_some_and(|p| p.turn.is_some()))
            .count();
        assert_eq!(turns, messages, "each message has its own turn");
        let results = self.driver.log().iter().filter(|kind| *kind == "user.custom_tool_result").count();
        assert_eq!(results, self.driver.calls().len(), "each call has a result");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_interleaving_keeps_the_rules(steps in prop::collection::vec(step(), 1..60)) {
        let mut world = World::new();
        for step in &steps {
            world.step(step);
        }
        world.drain();
    }
}
