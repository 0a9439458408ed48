//! How long to wait before the next attempt, and the chance in it.

use std::time::Duration;

/// The shortest wait.
const FIRST: Duration = Duration::from_millis(500);
/// Half of the longest wait: jitter adds up to as much again.
const LAST: Duration = Duration::from_secs(15);

/// A source of chance that a seed repeats (splitmix64).
#[derive(Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// The wait after the `failures`th failure in a row: it doubles from 0.5 s, ends at 30 s, and has jitter, so
/// that pages which lost one service do not come back all at once.
pub(super) fn backoff(failures: u32, random: &mut Random) -> Duration {
    let least = FIRST.saturating_mul(1 << failures.saturating_sub(1).min(16)).min(LAST);
    let least = u64::try_from(least.as_millis()).unwrap_or(u64::MAX);
    Duration::from_millis(least + random.next() % (least + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backoff_doubles_from_half_a_second_to_half_a_minute_with_jitter() {
        let mut random = Random::new(7);
        for (failures, least) in
            [(1, 500), (2, 1000), (3, 2000), (6, 15_000), (7, 15_000), (u32::MAX, 15_000)]
        {
            let waits: Vec<_> = (0..200).map(|_| backoff(failures, &mut random).as_millis()).collect();
            assert!(waits.iter().all(|wait| (least..=2 * least).contains(wait)), "{failures}: {waits:?}");
            let spread = waits.iter().max().unwrap() - waits.iter().min().unwrap();
            assert!(spread > least / 2, "{failures}: hardly any jitter");
        }
    }
}
