//! Time as the state machines see it: a reading that they are given, never one that they take.

use std::fmt;
use std::ops::Add;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::Value;

use super::json_place::{Place, PlaceError, serde_by_value};

/// A moment, in whole milliseconds since the Unix epoch. Travels as RFC 3339 text in UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The moment `millis` milliseconds after the Unix epoch.
    #[must_use]
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the Unix epoch.
    #[must_use]
    pub const fn as_millis(self) -> u64 {
        self.0
    }

    /// How long after `earlier` this is; zero when it is not after it.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for Timestamp {
    type Output = Self;

    fn add(self, rest: Duration) -> Self {
        Self(self.0.saturating_add(u64::try_from(rest.as_millis()).unwrap_or(u64::MAX)))
    }
}

/// The last moment that RFC 3339's four-digit years can write.
const LAST_WRITABLE: u64 = 253_402_300_799_999;

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moment = UNIX_EPOCH + Duration::from_millis(self.0.min(LAST_WRITABLE));
        humantime::format_rfc3339_millis(moment).fmt(f)
    }
}

impl Timestamp {
    /// Reads RFC 3339 text.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn from_json(value: &Value) -> Result<Self, PlaceError> {
        Self::read(&Place::root("timestamp", value))
    }

    pub(crate) fn read(moment: &Place<'_>) -> Result<Self, PlaceError> {
        let read = humantime::parse_rfc3339_weak(moment.text()?).ok();
        match read.and_then(|time| time.duration_since(UNIX_EPOCH).ok()) {
            Some(since) => Ok(Self(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))),
            None => moment.error("must be a moment since 1970 in RFC 3339"),
        }
    }

    pub(crate) fn to_json(self) -> Value {
        self.to_string().into()
    }
}

serde_by_value!(Serialize for Timestamp);
serde_by_value!(Deserialize for Timestamp);

/// Makes one clock out of two that each fail in their own way.
///
/// A monotonic clock stops while a machine sleeps; a wall clock can be set back. A [`Clock`] goes on by
/// the larger of the two, and never back.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    now: Timestamp,
    wall: Timestamp,
    monotonic: Duration,
}

impl Clock {
    /// A clock that shows `wall` now, while the monotonic clock shows `monotonic`.
    #[must_use]
    pub const fn new(wall: Timestamp, monotonic: Duration) -> Self {
        Self { now: wall, wall, monotonic }
    }

    /// Takes a reading of both clocks and says what time it is.
    pub fn read(&mut self, wall: Timestamp, monotonic: Duration) -> Timestamp {
        let progress = wall.since(self.wall).max(monotonic.saturating_sub(self.monotonic));
        (self.wall, self.monotonic) = (wall, monotonic);
        self.now = self.now + progress;
        self.now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn travels_as_rfc_3339() {
        let moment = Timestamp::from_millis(1_796_000_000_123);
        let text = serde_json::to_string(&moment).unwrap();
        assert_eq!(text, "\"2026-11-30T00:53:20.123Z\"");
        assert_eq!(serde_json::from_str::<Timestamp>(&text).unwrap(), moment);
        assert!(Timestamp::from_millis(u64::MAX).to_string().starts_with("9999-12-31"));
    }

    #[test]
    fn clock_goes_on_while_the_machine_sleeps_and_never_back() {
        let start = Timestamp::from_millis(1_000_000);
        let mut clock = Clock::new(start, Duration::ZERO);
        assert_eq!(
            clock.read(start + Duration::from_secs(1), Duration::from_secs(1)).since(start).as_secs(),
            1
        );
        // Asleep: only the wall clock moved.
        assert_eq!(
            clock.read(start + Duration::from_secs(61), Duration::from_secs(1)).since(start).as_secs(),
            61
        );
        // Set back by an hour: only the monotonic clock counts.
        assert_eq!(clock.read(Timestamp::from_millis(0), Duration::from_secs(3)).since(start).as_secs(), 63);
    }
}
