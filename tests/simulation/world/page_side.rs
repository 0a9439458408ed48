//! What the page does for its conversations.

use std::time::Duration;

use praxis::kit::backend::StreamItem;
use praxis::kit::conversation::{AttemptId, Effect, Input, Notice, ToolCall, ToolOutcome};
use praxis::protocol::{EventBody, EventPage};

use super::{Delivery, World};
use crate::faults::Fault;
use crate::network::{Asker, Request};
use crate::page::Opening;
use crate::rules::{Kept, Rules};

impl World<'_> {
    /// A conversation takes an input, and the page does what it says.
    pub(super) fn give(&mut self, slot: usize, input: Input) -> Kept {
        let life = self.page.life;
        let held = self.page.conversation(slot);
        let opening = &mut held.opening;
        let shown = match &input {
            Input::HistoryRead(page, Ok(EventPage { data, next_page })) if opening.page == Some(*page) => {
                opening.page = None;
                opening.complete = next_page.is_none();
                data.clone()
            }
            Input::StreamItem(stream, StreamItem::Event(event))
                if opening.complete && opening.stream == Some(*stream) =>
            {
                vec![event.clone()]
            }
            _ => Vec::new(),
        };
        let now = self.now;
        let taken = self.trace.then(|| format!("{now} {life}.{slot} {input:?}"));
        let effects = held.machine.handle(now, input);
        if let Some(taken) = taken {
            println!("{taken}\n    {effects:?}");
        }
        let transcript = held.machine.transcript();
        // What came after a silence that was too long came on a connection that counts as broken.
        if !effects.iter().any(|effect| matches!(effect, Effect::CloseStream(_))) {
            shown.iter().for_each(|event| self.rules.shown(life, event));
        }
        for effect in effects {
            self.carry_out(slot, effect)?;
        }
        Rules::transcript(&transcript)
    }

    fn carry_out(&mut self, slot: usize, effect: Effect) -> Kept {
        let life = self.page.life;
        let asker = |attempt: AttemptId| Asker { life, slot, attempt };
        let held = self.page.conversation(slot);
        let session = held.machine.machine.session().cloned();
        let log = session.as_ref().map(|session| self.service.log(session)).unwrap_or_default();
        let opening = &mut held.opening;
        match effect {
            Effect::CreateSession(attempt) => self.request(asker(attempt), Request::CreateSession),
            Effect::OpenStream(attempt) => {
                opening.stream = Some(attempt);
                opening.complete = false;
                self.network.close_all(|open| (open.life, open.slot) == (life, slot));
                let session = session.ok_or("a stream is opened without a session")?;
                self.request(asker(attempt), Request::OpenStream(session));
            }
            Effect::CloseStream(attempt) => {
                *opening = Opening::default();
                self.network.closed(asker(attempt));
            }
            Effect::ReadHistory(attempt, page) => {
                opening.page = Some(attempt);
                let session = session.ok_or("a history is read without a session")?;
                self.request(asker(attempt), Request::ReadHistory(session, page));
            }
            Effect::Post(attempt, events) => {
                let mut session = session.ok_or("events are posted without a session")?;
                if let [EventBody::CustomToolResult { custom_tool_use_id, .. }] = events.as_slice() {
                    self.rules.posts(self.now, life, custom_tool_use_id)?;
                    let shown = self.page.sessions[self.page.slot].clone();
                    if let (Some(Fault::ResultToShownSession), Some(shown)) = (self.fault, shown) {
                        session = shown;
                    }
                }
                self.request(asker(attempt), Request::Post(session, events));
            }
            Effect::RunHandler(call) => {
                let complete = opening.complete;
                self.rules.runs(self.now, life, &call.id, complete, log)?;
                self.run_handler(slot, &call);
            }
            Effect::AbortHandler(call) => {
                // A handler that would never have ended hears it.
                let outcome = ToolOutcome { text: "aborted".to_owned(), is_error: true };
                self.after(Duration::from_millis(5), Delivery::Handler(life, slot, call, outcome));
            }
            Effect::Tell(notice) => {
                if let Notice::SessionMade(session) = &notice {
                    self.page.sessions[slot] = Some(session.clone());
                }
                self.rules.told(life, slot, &notice, log)?;
            }
            Effect::Answer(ask, answer) => self.rules.answered(ask, answer.is_ok(), log)?,
            Effect::Draft(ask, text) => self.rules.draft(ask, text.is_some()),
            Effect::WakeAt(at) => {
                let held = self.page.conversation(slot);
                held.alarm += 1;
                let alarm = held.alarm;
                if let Some(at) = at {
                    // Timers of a page are late.
                    let late = self.network.chance.moment(10, 1000);
                    self.at(at + late, Delivery::Alarm(life, slot, alarm));
                }
            }
        }
        Ok(())
    }

    fn run_handler(&mut self, slot: usize, call: &ToolCall) {
        let life = self.page.life;
        let chance = &mut self.network.chance;
        let takes = match call.name.as_str() {
            "never" => return,
            "slow" => chance.millis(150_000),
            _ => chance.moment(50, 2000),
        };
        // Another run would give another result.
        let text = format!("{} in life {life} at {}", call.id, self.now);
        let outcome = ToolOutcome { text, is_error: call.name == "failing" };
        self.after(takes, Delivery::Handler(life, slot, call.id.clone(), outcome));
    }
}
