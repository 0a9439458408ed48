//! The page: the conversations of one life, which of them is shown, and what the person has typed.

use std::collections::BTreeMap;

use praxis::kit::conversation::{AttemptId, Conversation};
use praxis::protocol::SessionId;

use super::faults::{Fault, Faulty};
use super::network::Asker;
use super::schedule::SLOTS;

/// A conversation of this life.
pub struct Held {
    pub machine: Faulty,
    /// The last alarm that was set; earlier ones do not ring.
    pub alarm: u64,
    pub opening: Opening,
}

/// What the world knows of a conversation's opening.
#[derive(Default)]
pub struct Opening {
    pub stream: Option<AttemptId>,
    pub page: Option<AttemptId>,
    /// Whether the history's last page has come since the stream was opened.
    pub complete: bool,
}

pub struct Page {
    /// Moves on with each reload.
    pub life: u32,
    /// Which conversation an element shows, and whether there is an element.
    pub slot: usize,
    pub mounted: bool,
    pub held: BTreeMap<usize, Held>,
    /// What the browser remembers over a reload.
    pub sessions: [Option<SessionId>; SLOTS],
    fault: Option<Fault>,
}

impl Page {
    pub fn new(fault: Option<Fault>) -> Self {
        Self {
            life: 0,
            slot: 0,
            mounted: false,
            held: BTreeMap::new(),
            sessions: std::array::from_fn(|_| None),
            fault,
        }
    }

    /// The conversation of a slot; made when it is first asked for.
    pub fn conversation(&mut self, slot: usize) -> &mut Held {
        let session = self.sessions.get(slot).cloned().flatten();
        let seed = u64::from(self.life) * 100 + slot as u64;
        let fault = self.fault;
        self.held.entry(slot).or_insert_with(|| Held {
            machine: Faulty::new(Conversation::new(session, seed), fault),
            alarm: 0,
            opening: Opening::default(),
        })
    }

    /// Whether this page still wants the stream that it asked for.
    pub fn waits_for(&self, stream: Asker) -> bool {
        let held = self.held.get(&stream.slot).filter(|_| stream.life == self.life);
        held.is_some_and(|held| held.opening.stream == Some(stream.attempt))
    }

    pub fn reload(&mut self) {
        self.life += 1;
        self.held.clear();
        self.mounted = false;
    }
}
