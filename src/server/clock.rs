//! The time, for sessions and their deadlines.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::Notify;

use crate::protocol::{self, Timestamp};

/// How often somebody who waits for a moment looks at the clock: timers stand still while the machine sleeps, the
/// clock does not.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// A clock that goes on while the machine sleeps, and never back.
#[derive(Debug)]
pub struct Clock {
    started: Instant,
    state: Mutex<State>,
    moved: Notify,
}

#[derive(Debug)]
struct State {
    clock: protocol::Clock,
    ahead: Duration,
}

impl Default for Clock {
    fn default() -> Self {
        let state = State { clock: protocol::Clock::new(wall(), Duration::ZERO), ahead: Duration::ZERO };
        Self { started: Instant::now(), state: Mutex::new(state), moved: Notify::new() }
    }
}

impl Clock {
    /// What time it is.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = state.clock.read(wall(), self.started.elapsed());
        now + state.ahead
    }

    /// Puts the clock forward: tests let time pass with it.
    pub fn advance(&self, time: Duration) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).ahead += time;
        self.moved.notify_waiters();
    }

    /// Waits until it is `moment`.
    pub async fn reach(&self, moment: Timestamp) {
        loop {
            let moved = self.moved.notified();
            let left = moment.since(self.now());
            if left.is_zero() {
                return;
            }
            tokio::select! {
                () = moved => {}
                () = tokio::time::sleep(left.min(LOOK_AGAIN)) => {}
            }
        }
    }

    /// The same; for ever where there is no moment.
    pub async fn reach_if(&self, moment: Option<Timestamp>) {
        match moment {
            Some(moment) => self.reach(moment).await,
            None => std::future::pending().await,
        }
    }
}

fn wall() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
