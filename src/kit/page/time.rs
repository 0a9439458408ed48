//! The page's clock, and one timer that can be set again.

use std::cell::RefCell;
use std::time::Duration;

use futures_channel::oneshot;
use gloo::timers::callback::Timeout;

use crate::protocol::{Clock, Timestamp};

thread_local! {
    static CLOCK: RefCell<Option<Clock>> = const { RefCell::new(None) };
}

/// What time it is. Goes on while the machine sleeps, and never back.
#[must_use]
pub fn now() -> Timestamp {
    let wall = Timestamp::from_millis(js_sys::Date::now() as u64);
    let performance = web_sys::window().and_then(|window| window.performance());
    let monotonic = Duration::from_millis(performance.map_or(0.0, |performance| performance.now()) as u64);
    CLOCK.with_borrow_mut(|clock| {
        clock.get_or_insert_with(|| Clock::new(wall, monotonic)).read(wall, monotonic)
    })
}

/// Waits `millis` milliseconds, longer in a hidden tab. Dropping the future stops the timer.
pub async fn sleep(millis: u32) {
    let (ring, bell) = oneshot::channel();
    let _timeout = Timeout::new(millis, move || {
        let _ = ring.send(());
    });
    let _ = bell.await;
}

/// A timer that is set to one moment at a time. Dropping it stops it.
#[derive(Debug, Default)]
pub struct Alarm {
    timeout: RefCell<Option<Timeout>>,
}

impl Alarm {
    /// Calls `ring` at `at`, or soon after (a hidden tab's timers are late: who is woken asks the clock);
    /// replaces the moment set before. `None`: not at all.
    pub fn set(&self, at: Option<Timestamp>, ring: impl FnOnce() + 'static) {
        let timeout = at.map(|at| {
            // Browsers keep a delay in 31 bits; who is woken too early sets the alarm again.
            let delay = at.since(now()).as_millis().min(i32::MAX as u128);
            Timeout::new(delay as u32, ring)
        });
        drop(self.timeout.replace(timeout));
    }
}
