//! How often a tool may be called (E12).

use std::time::Duration;

use crate::protocol::Timestamp;

/// So many calls of a tool are admitted in a [`WINDOW`].
pub const MOST_CALLS: usize = 10;
/// The window slides: a call counts for so long.
pub const WINDOW: Duration = Duration::from_secs(60);

/// Admits at most [`MOST_CALLS`] calls of each tool in a [`WINDOW`] (E12).
///
/// A call counts from the moment it is admitted, whatever becomes of it; one that is refused does not count. Time
/// comes from the caller, and a reading that is earlier than one before counts as that one.
#[derive(Debug, Default)]
pub struct ToolSecurityGuard {
    /// Oldest first; at most [`MOST_CALLS`] each.
    admitted: Vec<(String, Vec<Timestamp>)>,
    now: Timestamp,
}

impl ToolSecurityGuard {
    /// Admits a call of `tool`, or says how long to wait until one is admitted.
    ///
    /// # Errors
    /// The time to wait; more than zero.
    pub fn admit(&mut self, tool: &str, now: Timestamp) -> Result<(), Duration> {
        self.now = self.now.max(now);
        let at = self.admitted.iter().position(|(name, _)| name == tool).unwrap_or_else(|| {
            self.admitted.push((tool.to_owned(), Vec::new()));
            self.admitted.len() - 1
        });
        let Some((_, calls)) = self.admitted.get_mut(at) else { return Ok(()) };
        calls.retain(|call| self.now.since(*call) < WINDOW);
        match calls.first() {
            Some(oldest) if calls.len() >= MOST_CALLS => Err((*oldest + WINDOW).since(self.now)),
            _ => {
                calls.push(self.now);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_millis(1_000_000 + millis)
    }

    #[test]
    fn e12_exactly_ten_are_admitted_however_many_come_at_once() {
        let mut guard = ToolSecurityGuard::default();
        let admitted = (0..50).filter(|_| guard.admit("a", at(0)).is_ok()).count();
        assert_eq!(admitted, 10);
        assert!(guard.admit("b", at(0)).is_ok(), "each tool has a window of its own");
    }

    #[test]
    fn e12_the_window_slides_and_a_refusal_says_when_to_try_again() {
        let mut guard = ToolSecurityGuard::default();
        for call in 0..10 {
            assert!(guard.admit("a", at(call * 1000)).is_ok());
        }
        assert_eq!(guard.admit("a", at(10_000)), Err(Duration::from_millis(50_000)));
        assert_eq!(guard.admit("a", at(59_999)), Err(Duration::from_millis(1)));
        // The refused ones did not count: exactly one place is free.
        assert_eq!(guard.admit("a", at(60_000)), Ok(()));
        assert_eq!(guard.admit("a", at(60_000)), Err(Duration::from_millis(1000)));
    }

    #[test]
    fn e12_a_clock_that_runs_back_frees_no_place() {
        let mut guard = ToolSecurityGuard::default();
        for _ in 0..10 {
            assert!(guard.admit("a", at(5000)).is_ok());
        }
        assert_eq!(guard.admit("a", at(0)), Err(WINDOW));
        assert_eq!(guard.admit("a", at(65_000)), Ok(()));
    }

    proptest! {
        /// No window of a minute ever holds more than ten, and nobody is refused without need.
        #[test]
        fn e12_no_minute_holds_more_than_ten(steps in prop::collection::vec((0..3_u8, 0..20_000_u64), 0..200)) {
            let mut guard = ToolSecurityGuard::default();
            let mut admitted: Vec<(u8, u64)> = Vec::new();
            let mut now = 0;
            for (tool, pause) in steps {
                now += pause;
                let recent = admitted.iter().filter(|(of, when)| *of == tool && now - when < 60_000);
                let (count, oldest) = (recent.clone().count(), recent.map(|(_, when)| *when).min());
                match guard.admit(&tool.to_string(), at(now)) {
                    Ok(()) => {
                        prop_assert!(count < 10);
                        admitted.push((tool, now));
                    }
                    Err(wait) => {
                        prop_assert_eq!(count, 10);
                        prop_assert_eq!(Some(now + wait.as_millis() as u64), oldest.map(|oldest| oldest + 60_000));
                    }
                }
            }
        }
    }
}
