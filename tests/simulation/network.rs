//! The network between page and service: it loses, delays, doubles and reorders.

use std::collections::BTreeMap;
use std::time::Duration;

use praxis::kit::backend::{BackendError, StreamItem};
use praxis::kit::conversation::{AttemptId, Input};
use praxis::protocol::{ApiError, ErrorKind, EventBody, SessionId, Timestamp};

use super::schedule::Weather;

/// Chance that a seed repeats (splitmix64).
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end.max(1)
    }

    pub fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    /// A moment; with this chance a longer one.
    pub fn moment(&mut self, chance: u64, longer: u64) -> Duration {
        let end = if self.percent(chance) { longer } else { 5 };
        self.millis(end)
    }

    pub fn millis(&mut self, end: u64) -> Duration {
        Duration::from_millis(self.below(end))
    }
}

/// Who asked: a conversation of one life of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Asker {
    pub life: u32,
    pub slot: usize,
    pub attempt: AttemptId,
}

#[derive(Clone, Debug)]
pub enum Request {
    CreateSession,
    OpenStream(SessionId),
    ReadHistory(SessionId, Option<String>),
    Post(SessionId, Vec<EventBody>),
}

impl Request {
    /// The input that says how it ended, without an answer of the service.
    pub fn failed(&self, attempt: AttemptId, error: BackendError) -> Input {
        match self {
            Self::CreateSession => Input::Created(attempt, Err(error)),
            Self::OpenStream(_) => Input::StreamOpened(attempt, Err(error)),
            Self::ReadHistory(..) => Input::HistoryRead(attempt, Err(error)),
            Self::Post(..) => Input::Posted(attempt, Err(error)),
        }
    }

    /// Whether doing it twice does what doing it once does.
    pub fn is_idempotent(&self) -> bool {
        match self {
            Self::CreateSession | Self::OpenStream(_) => false,
            Self::ReadHistory(..) => true,
            Self::Post(_, events) => {
                events.iter().all(|event| matches!(event, EventBody::CustomToolResult { .. }))
            }
        }
    }
}

/// What becomes of a message on its way.
pub enum Fate {
    Arrives(Duration),
    /// The sender of the request is told after this time, or never.
    Lost(Option<Duration>),
}

/// A stream's way to the page: in order, and after all that came before.
struct Stream {
    session: SessionId,
    last_arrival: Timestamp,
    /// What was sent on it, for sending some of it again.
    sent: Vec<StreamItem>,
}

pub struct Network {
    pub weather: Weather,
    pub chance: Chance,
    streams: BTreeMap<Asker, Stream>,
}

impl Network {
    pub fn new(seed: u64) -> Self {
        Self { weather: Weather::CALM, chance: Chance::new(seed), streams: BTreeMap::new() }
    }

    pub fn delay(&mut self) -> Duration {
        self.chance.millis(self.weather.delay_millis)
    }

    pub fn fate(&mut self) -> Fate {
        if self.chance.percent(self.weather.loss) {
            let told = !self.chance.percent(self.weather.hang);
            Fate::Lost(told.then(|| self.delay()))
        } else {
            Fate::Arrives(self.delay())
        }
    }

    pub fn doubles(&mut self) -> bool {
        self.chance.percent(self.weather.double)
    }

    /// Whether something before the service refuses a request, and how.
    pub fn refusal(&mut self) -> Option<BackendError> {
        if !self.chance.percent(self.weather.refuse) {
            return None;
        }
        let status = [408, 429, 500, 503].into_iter().nth(self.chance.below(4) as usize).unwrap_or(503);
        Some(BackendError::Refused { status, error: ApiError::new(ErrorKind::ApiError, "not now") })
    }

    pub fn lost() -> BackendError {
        BackendError::Network("the network lost it".to_owned())
    }

    /// A stream is open from here on. Its conversation's others are closed.
    pub fn opened(&mut self, stream: Asker, session: SessionId, arrival: Timestamp) {
        self.streams.insert(stream, Stream { session, last_arrival: arrival, sent: Vec::new() });
    }

    pub fn closed(&mut self, stream: Asker) {
        self.streams.remove(&stream);
    }

    pub fn close_all(&mut self, which: impl Fn(&Asker) -> bool) -> Vec<(Asker, Timestamp)> {
        let closed = self.streams.extract_if(.., |asker, _| which(asker));
        closed.map(|(asker, stream)| (asker, stream.last_arrival)).collect()
    }

    pub fn is_open(&self, stream: Asker) -> bool {
        self.streams.contains_key(&stream)
    }

    pub fn open_streams(&self) -> impl Iterator<Item = &Asker> {
        self.streams.keys()
    }

    pub fn streams_of(&self, session: &SessionId) -> Vec<Asker> {
        self.streams
            .iter()
            .filter(|(_, stream)| stream.session == *session)
            .map(|(asker, _)| *asker)
            .collect()
    }

    /// Sends an item: when it arrives, and what arrives then. `None`: it breaks the stream.
    pub fn send(
        &mut self,
        now: Timestamp,
        stream: Asker,
        item: StreamItem,
    ) -> Option<(Timestamp, Vec<StreamItem>)> {
        if self.chance.percent(self.weather.loss / 3) {
            return None;
        }
        let delay = self.delay();
        let doubled = self.doubles();
        let stream = self.streams.get_mut(&stream)?;
        stream.last_arrival = stream.last_arrival.max(now + delay);
        let mut items = vec![item.clone()];
        if matches!(item, StreamItem::Event(_)) {
            stream.sent.push(item);
            if doubled {
                let from = self.chance.below(stream.sent.len() as u64) as usize;
                items.extend(stream.sent.get(from..).unwrap_or_default().iter().cloned());
            }
        }
        Some((stream.last_arrival, items))
    }
}
