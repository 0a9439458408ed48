//! Where the connection stands, and the way from one state to the next: open the stream, read the history
//! to its last page, be live; when it breaks or is silent, wait and do it again.
//!
//! It says what to open and when. What comes over it is for others.

use std::time::Duration;

use super::output::Output;
use super::{AttemptId, Effect};
use crate::kit::backend::StreamItem;
use crate::kit::transcript::Connection as Shown;
use crate::protocol::Timestamp;

/// How long a connection may be silent.
const SILENCE: Duration = Duration::from_secs(45);
/// From so many failures in a row on it is said that the service cannot be reached.
const MANY_FAILURES: u32 = 3;
/// A connection that lived shorter counts as one more failure in a row.
const LASTING: Duration = Duration::from_secs(3);

#[derive(Debug)]
pub(super) enum Phase {
    /// Nothing is open, nothing is wanted.
    Closed,
    /// The stream is being opened.
    Opening { stream: AttemptId },
    /// The stream is open, the history is being read; what comes on the stream is held until that is done.
    Reading { stream: AttemptId, page: AttemptId, cursor: Option<String>, held: Vec<StreamItem> },
    /// All is read; events come as they happen.
    Live { stream: AttemptId, since: Timestamp },
    /// It broke and is opened again at this time.
    Waiting { until: Timestamp },
    /// It cannot be opened; the message is for people.
    Failed(String),
}

#[derive(Debug)]
pub(super) struct Connection {
    pub(super) phase: Phase,
    /// Failures in a row.
    failures: u32,
    /// Why the last one was, for people.
    why: String,
    /// Whether the browser has a network, as far as it says so.
    online: bool,
    /// When something last came.
    heard: Timestamp,
    /// What an opening that is under way looks like.
    opening_looks: Shown,
}

impl Default for Connection {
    fn default() -> Self {
        Self {
            phase: Phase::Closed,
            failures: 0,
            why: String::new(),
            online: true,
            heard: Timestamp::default(),
            opening_looks: Shown::Opening,
        }
    }
}

impl Connection {
    fn stream(&self) -> Option<AttemptId> {
        match self.phase {
            Phase::Opening { stream } | Phase::Reading { stream, .. } | Phase::Live { stream, .. } => {
                Some(stream)
            }
            Phase::Closed | Phase::Waiting { .. } | Phase::Failed(_) => None,
        }
    }

    /// Whether what comes on this stream counts.
    pub(super) fn is_on(&self, stream: AttemptId) -> bool {
        self.stream() == Some(stream)
    }

    pub(super) fn is_live(&self) -> bool {
        matches!(self.phase, Phase::Live { .. })
    }

    /// Whether an opening fails while it is under way, and not a connection that was whole.
    pub(super) fn is_opening(&self) -> bool {
        matches!(self.phase, Phase::Opening { .. } | Phase::Reading { .. })
    }

    /// Something came.
    pub(super) fn heard(&mut self, now: Timestamp) {
        self.heard = now;
    }

    pub(super) fn open(&mut self, now: Timestamp, out: &mut Output) {
        let stream = out.attempt();
        out.push(Effect::OpenStream(stream));
        self.heard = now;
        self.phase = Phase::Opening { stream };
    }

    /// The stream is open, or a page was read that is not the last: reads the next one.
    pub(super) fn read(&mut self, cursor: Option<String>, out: &mut Output) {
        let Some(stream) = self.stream() else { return };
        let page = out.attempt();
        out.push(Effect::ReadHistory(page, cursor.clone()));
        let held = match &mut self.phase {
            Phase::Reading { held, .. } => std::mem::take(held),
            _ => Vec::new(),
        };
        self.phase = Phase::Reading { stream, page, cursor, held };
    }

    /// The last page was read; gives what was held meanwhile.
    pub(super) fn opened(&mut self, now: Timestamp) -> Vec<StreamItem> {
        self.proves_online();
        match std::mem::replace(&mut self.phase, Phase::Closed) {
            Phase::Reading { stream, held, .. } => {
                self.phase = Phase::Live { stream, since: now };
                held
            }
            other => {
                self.phase = other;
                Vec::new()
            }
        }
    }

    /// Closes it; it may be opened again.
    pub(super) fn close(&mut self, out: &mut Output) {
        self.drop_stream(out);
        self.phase = Phase::Closed;
        self.failures = 0;
        self.opening_looks = Shown::Opening;
    }

    /// It broke: opens it again later.
    pub(super) fn broke(&mut self, now: Timestamp, why: &str, out: &mut Output) {
        self.drop_stream(out);
        why.clone_into(&mut self.why);
        if matches!(self.phase, Phase::Live { since, .. } if now.since(since) >= LASTING) {
            self.failures = 0;
        }
        self.failures = self.failures.saturating_add(1);
        self.opening_looks = Shown::Reconnecting;
        self.phase = Phase::Waiting { until: out.later(now, self.failures) };
    }

    /// It cannot be opened, and trying again does not help.
    pub(super) fn fail(&mut self, message: &str, out: &mut Output) {
        self.drop_stream(out);
        self.phase = Phase::Failed(message.to_owned());
    }

    fn drop_stream(&self, out: &mut Output) {
        if let Some(stream) = self.stream() {
            out.push(Effect::CloseStream(stream));
        }
    }

    /// Somebody wants it now: ends a wait.
    pub(super) fn hurry(&mut self, now: Timestamp, out: &mut Output) {
        if matches!(self.phase, Phase::Waiting { .. }) {
            self.open(now, out);
        }
    }

    /// The browser says whether it has a network.
    pub(super) fn online(&mut self, online: bool, now: Timestamp, out: &mut Output) {
        self.online = online;
        if online {
            self.hurry(now, out);
        }
    }

    /// The service was reached, whatever the browser says: it may be on the same machine.
    pub(super) fn proves_online(&mut self) {
        self.online = true;
    }

    /// Somebody asks for it anew: ends a wait and forgets a failure.
    pub(super) fn insist(&mut self, now: Timestamp, out: &mut Output) {
        if matches!(self.phase, Phase::Failed(_)) {
            self.close(out);
        }
        self.hurry(now, out);
    }

    /// Whether it has been silent for too long.
    pub(super) fn is_silent(&self, now: Timestamp) -> bool {
        self.stream().is_some() && now >= self.heard + SILENCE
    }

    /// Opens it again when the wait is over.
    pub(super) fn due(&mut self, now: Timestamp, out: &mut Output) {
        if matches!(self.phase, Phase::Waiting { until } if now >= until) {
            self.open(now, out);
        }
    }

    /// When silence is too long, or a wait over.
    pub(super) fn next_deadline(&self) -> Option<Timestamp> {
        match self.phase {
            Phase::Waiting { until } => Some(until),
            _ => self.stream().map(|_| self.heard + SILENCE),
        }
    }

    /// How it looks.
    pub(super) fn shown(&self) -> Shown {
        match &self.phase {
            Phase::Failed(message) => Shown::Failed(message.clone()),
            _ if !self.online => Shown::Offline,
            Phase::Live { .. } => Shown::Open,
            _ if self.failures >= MANY_FAILURES => Shown::Unreachable(self.why.clone()),
            Phase::Closed | Phase::Opening { .. } | Phase::Reading { .. } | Phase::Waiting { .. } => {
                self.opening_looks.clone()
            }
        }
    }
}
