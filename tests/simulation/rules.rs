//! The rules that every schedule keeps: checked while it runs, and once all is quiet.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use praxis::kit::conversation::{AskId, Notice, ToolOutcome};
use praxis::kit::transcript::{Connection, EntryKind, Transcript};
use praxis::protocol::{ContextItem, Event, EventBody, EventId, Timestamp};

use super::log;

/// A rule is broken; which, and how.
pub type Kept = Result<(), String>;

macro_rules! keep {
    ($kept:expr, $($broken:tt)*) => {
        if !$kept {
            return Err(format!($($broken)*));
        }
    };
}
pub(crate) use keep;

/// A call in one life of the page.
type CallOfLife = (u32, EventId);

struct Said {
    ask: AskId,
    life: u32,
    slot: usize,
    context: Option<Vec<ContextItem>>,
}

#[derive(Default)]
pub struct Rules {
    /// What was said, in order; the texts are all different.
    said: Vec<(String, Said)>,
    /// Of all asks, who waits for an answer: in which life.
    waiting: BTreeMap<AskId, u32>,
    answers: BTreeMap<AskId, bool>,
    /// Whether an ask's draft came back and is still there.
    drafts: BTreeMap<AskId, bool>,
    started: BTreeSet<CallOfLife>,
    run: BTreeMap<CallOfLife, Timestamp>,
    outcomes: BTreeMap<CallOfLife, ToolOutcome>,
    posts: BTreeMap<CallOfLife, u32>,
    ended: BTreeSet<CallOfLife>,
    /// Results that a life of the page was shown.
    known: BTreeSet<CallOfLife>,
    /// Conversations in which a response has started and not ended.
    responding: BTreeSet<(u32, usize)>,
    opened: BTreeSet<(u32, usize)>,
}

impl Rules {
    pub fn say(&mut self, life: u32, slot: usize, ask: AskId, text: &str, context: Option<Vec<ContextItem>>) {
        self.said.push((text.to_owned(), Said { ask, life, slot, context }));
        self.asked(life, ask);
    }

    pub fn asked(&mut self, life: u32, ask: AskId) {
        self.waiting.insert(ask, life);
    }

    /// Whether somebody on this page still waits for an answer.
    pub fn somebody_waits(&self, life: u32) -> bool {
        self.waiting.values().any(|asked| *asked == life)
    }

    pub fn answered(&mut self, ask: AskId, accepted: bool, log: &[Event]) -> Kept {
        keep!(self.waiting.remove(&ask).is_some(), "{ask:?} was answered twice");
        self.answers.insert(ask, accepted);
        let text = self.said.iter().find(|(_, said)| said.ask == ask).map(|(text, _)| text);
        let stored = text.is_none_or(|text| log::said(log).contains(text));
        keep!(!accepted || stored, "{text:?} was said to be stored, and is not");
        Ok(())
    }

    pub fn draft(&mut self, ask: AskId, is_back: bool) {
        self.drafts.insert(ask, is_back);
    }

    /// The page was shown an event by an opening that counts.
    pub fn shown(&mut self, life: u32, event: &Event) {
        if let EventBody::CustomToolResult { custom_tool_use_id, .. } = &event.body {
            self.known.insert((life, custom_tool_use_id.clone()));
        }
    }

    /// K23: what must be true when a handler is run.
    pub fn runs(&mut self, now: Timestamp, life: u32, call: &EventId, complete: bool, log: &[Event]) -> Kept {
        let of_life = (life, call.clone());
        keep!(log::calls(log).contains(call), "{call} ran in a session that never issued it");
        keep!(!self.run.contains_key(&of_life), "{call} ran twice");
        keep!(complete, "{call} ran before the history was read to its end");
        keep!(!self.known.contains(&of_life), "{call} ran although it was answered");
        keep!(self.started.contains(&of_life), "{call} ran without a start");
        self.run.insert(of_life, now);
        Ok(())
    }

    pub fn handler_ended(&mut self, life: u32, call: &EventId, outcome: &ToolOutcome) {
        self.outcomes.entry((life, call.clone())).or_insert_with(|| outcome.clone());
    }

    /// What must be true when a result is posted.
    pub fn posts(&mut self, now: Timestamp, life: u32, call: &EventId) -> Kept {
        let of_life = (life, call.clone());
        let tries = self.posts.entry(of_life.clone()).or_default();
        *tries += 1;
        keep!(*tries <= 4, "the result of {call} was posted more than four times");
        keep!(!self.known.contains(&of_life), "the result of {call} was posted after another was known");
        let run = self.run.get(&of_life).copied().unwrap_or_default();
        keep!(
            now.since(run) < Duration::from_secs(120),
            "the result of {call} was posted after its 120 seconds"
        );
        Ok(())
    }

    /// K24: a result reaches the service in the session of its call.
    pub fn result_arrives(call: &EventId, log: &[Event]) -> Kept {
        keep!(log::calls(log).contains(call), "a result of {call} came to a session that never issued it");
        Ok(())
    }

    pub fn told(&mut self, life: u32, slot: usize, notice: &Notice, log: &[Event]) -> Kept {
        match notice {
            Notice::ToolStart { id, .. } => {
                keep!(self.started.insert((life, id.clone())), "{id} started twice");
            }
            Notice::ToolEnd { id, is_error, .. } => {
                let of_life = (life, id.clone());
                keep!(self.started.contains(&of_life), "{id} ended without a start");
                let ours = self.outcomes.get(&of_life);
                let results = log::results_of(log, id);
                let accepted = ours.is_some_and(|ours| {
                    results.contains(&(ours.text.clone(), ours.is_error)) && ours.is_error == *is_error
                });
                keep!(
                    accepted,
                    "{id} ended with a result that was not accepted: {ours:?}, stored {results:?}"
                );
                keep!(self.ended.insert(of_life), "{id} ended twice");
            }
            Notice::ResponseStart => {
                keep!(self.responding.insert((life, slot)), "a response started twice");
            }
            Notice::ResponseEnd => {
                keep!(self.responding.remove(&(life, slot)), "a response ended that had not started");
            }
            Notice::Opened => {
                keep!(self.opened.insert((life, slot)), "a conversation was opened for the first time twice");
            }
            Notice::SessionMade(_) | Notice::Log { .. } | Notice::Error { .. } => {}
        }
        Ok(())
    }

    /// What is true of a transcript at any time.
    pub fn transcript(transcript: &Transcript) -> Kept {
        let mut keys = BTreeSet::new();
        for entry in &transcript.entries {
            keep!(keys.insert(&entry.key), "the transcript has the key {} twice", entry.key);
            let half = matches!(entry.kind, EntryKind::Agent { streaming: true, .. });
            keep!(
                !half || matches!(transcript.connection, Connection::Open | Connection::Offline),
                "a preview outlives its connection: {:?}",
                transcript.connection
            );
        }
        Ok(())
    }

    /// What is true of a session's log at any time.
    pub fn log(&self, log: &[Event]) -> Kept {
        let mut texts = BTreeSet::new();
        for event in log {
            if let EventBody::UserMessage { content, page_context, .. } = &event.body {
                let text = praxis::protocol::Content::text(content);
                let said = self.said.iter().find(|(said, _)| *said == text);
                keep!(
                    said.is_some_and(|(_, said)| said.context == *page_context),
                    "{text:?} was stored with another page context than it was said with: {page_context:?}"
                );
                keep!(texts.insert(text.clone()), "{text:?} was stored twice");
            }
        }
        for call in log::calls(log) {
            let results = log::results_of(log, &call);
            keep!(results.len() <= 1, "{call} has the results {results:?}");
        }
        Ok(())
    }

    /// What is true of a session's log when all is quiet.
    pub fn quiet_log(&self, life: u32, log: &[Event]) -> Kept {
        for call in log::calls(log) {
            let results = log::results_of(log, &call);
            keep!(results.len() == 1, "{call} has the results {results:?}");
            let of_life = (life, call.clone());
            let ours = self.outcomes.get(&of_life).map(|ours| (ours.text.clone(), ours.is_error));
            keep!(
                ours.is_none()
                    || self.ended.contains(&of_life) == results.contains(&ours.clone().unwrap_or_default()),
                "{call} has the result {results:?}, ours is {ours:?}, and its end was {}told",
                if self.ended.contains(&of_life) { "" } else { "not " }
            );
        }
        Ok(())
    }

    /// What is true of all that was said on a page when all is quiet.
    pub fn quiet_messages<'a>(&self, life: u32, log_of: impl Fn(usize) -> &'a [Event]) -> Kept {
        keep!(!self.somebody_waits(life), "somebody waits for an answer");
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        for (text, Said { ask, slot, .. }) in self.said.iter().filter(|(_, said)| said.life == life) {
            let place = log::said(log_of(*slot)).iter().position(|stored| stored == text);
            let accepted = self.answers.get(ask) == Some(&true);
            let draft = self.drafts.get(ask) == Some(&true);
            keep!(
                place.is_some() != draft && (place.is_some() || !accepted),
                "{text:?} was lost or came back: stored {place:?}, accepted {accepted}, draft {draft}"
            );
            if let Some(place) = place.filter(|_| accepted) {
                let before = places.insert(*slot, place);
                keep!(
                    before.is_none_or(|before| before < place),
                    "{text:?} was stored before what was said before"
                );
            }
        }
        Ok(())
    }
}
