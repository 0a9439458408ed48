//! Coming to rest, and what is true then.

use std::time::Duration;

use praxis::kit::backend::StreamItem;
use praxis::kit::conversation::{Conversation, Effect, Input, Status};
use praxis::kit::transcript::{Connection, Entry, EntryKind, Transcript};
use praxis::protocol::{EventPage, SessionId};

use super::{Delivery, World};
use crate::log;
use crate::rules::{Kept, keep};

/// How long a run may take to come to rest: many turns of many time-outs.
const PATIENCE: Duration = Duration::from_secs(4 * 3600);

impl World<'_> {
    /// Goes on until nothing is under way any more.
    pub(super) fn come_to_rest(&mut self) -> Kept {
        let limit = self.now + PATIENCE;
        while let Some(noise) = self.noise() {
            self.go_on_for(Duration::from_secs(20))?;
            keep!(self.now < limit, "it does not come to rest: {noise}");
        }
        Ok(())
    }

    fn go_on_for(&mut self, rest: Duration) -> Kept {
        let end = self.now + rest;
        while self.queue.first_key_value().is_some_and(|((time, _), _)| *time <= end) {
            self.next()?;
        }
        self.now = end;
        Ok(())
    }

    /// What is not quiet yet.
    fn noise(&mut self) -> Option<String> {
        let (life, slot, mounted) = (self.page.life, self.page.slot, self.page.mounted);
        let under_way = self.queue.values().any(|delivery| match delivery {
            Delivery::Handler(of, ..) => *of == life,
            Delivery::ToService(..) | Delivery::Model(..) => true,
            Delivery::ToPage(_, _, input) => !matches!(**input, Input::StreamItem(_, StreamItem::Heartbeat)),
            _ => false,
        });
        let open = match self.page.sessions[slot] {
            Some(_) => Connection::Open,
            None => Connection::None,
        };
        let shown = self.page.conversation(slot);
        let (status, connection) =
            (shown.machine.machine.status(), shown.machine.transcript().connection.clone());
        let in_a_turn =
            |session: &SessionId| log::turn_goes_on(self.service.log(session)).then(|| session.clone());
        let noise = [
            (under_way, "something is under way"),
            (self.rules.somebody_waits(life), "somebody waits for an answer"),
            (mounted && connection != open, "the connection is not open"),
            (mounted && status == Status::Running, "the page thinks that a turn goes on"),
            (self.service.sessions().iter().find_map(in_a_turn).is_some(), "a turn goes on"),
            (
                self.network.open_streams().any(|open| open.life == life && !(mounted && open.slot == slot)),
                "the stream of a conversation that nobody shows is open",
            ),
        ];
        noise.into_iter().find_map(|(is_noise, what)| is_noise.then(|| what.to_owned()))
    }

    /// What is true of a conversation that is shown while all is quiet: it shows what its session's log says, as a
    /// page that reads it for the first time does.
    pub(super) fn quiet(&mut self, slot: usize) -> Kept {
        let shown = self.page.conversation(slot).machine.transcript();
        let Some(session) = self.page.sessions[slot].clone() else { return Ok(()) };
        let mut fresh = Conversation::new(Some(session.clone()), 0);
        let mut inputs = vec![Input::Attach];
        while let Some(input) = inputs.pop() {
            for effect in fresh.handle(self.now, input) {
                match effect {
                    Effect::OpenStream(attempt) => inputs.push(Input::StreamOpened(attempt, Ok(true))),
                    Effect::ReadHistory(attempt, _) => {
                        let page = EventPage { data: self.service.log(&session).to_vec(), next_page: None };
                        inputs.push(Input::HistoryRead(attempt, Ok(page)));
                    }
                    _ => {}
                }
            }
        }
        let plain = |transcript: &Transcript| transcript.entries.iter().map(|entry| plain(entry)).collect();
        let (shown, logged): (Vec<_>, Vec<_>) = (plain(&shown), plain(&fresh.transcript()));
        keep!(shown == logged, "the transcript has {shown:#?}, the log {logged:#?}");
        Ok(())
    }

    pub(super) fn quiet_everywhere(&mut self) -> Kept {
        let life = self.page.life;
        for session in self.service.sessions() {
            self.rules.quiet_log(life, self.service.log(&session))?;
        }
        let log_of = |slot: usize| {
            let session = self.page.sessions.get(slot).and_then(Option::as_ref);
            session.map(|session| self.service.log(session)).unwrap_or_default()
        };
        self.rules.quiet_messages(life, log_of)
    }
}

/// What an entry says, without what differs between a page that was there and one that was not: keys, and whether
/// a call was answered by this page.
fn plain(entry: &Entry) -> String {
    match &entry.kind {
        EntryKind::ToolCall { id, name, input, result, .. } => format!("call {id} {name} {input} {result:?}"),
        other => format!("{other:?}"),
    }
}
