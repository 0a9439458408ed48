//! Who the learner is, as far as they tell.

use serde::{Deserialize, Serialize};

/// Who the learner is, as far as they tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    /// What they want to be called.
    pub name: String,
    /// Where they can be reached.
    pub email: String,
    /// What they do.
    pub role: String,
    /// How many minutes a day they mean to study.
    pub daily_minutes: Option<u32>,
    /// What they want to learn.
    pub aim: String,
}

impl Profile {
    /// The minutes a day that can be set.
    pub const DAILY_MINUTES: std::ops::RangeInclusive<u32> = 1..=600;

    /// Puts right what a stored text can say wrongly.
    pub(super) fn mend(&mut self) {
        self.daily_minutes = self.daily_minutes.filter(|minutes| Self::DAILY_MINUTES.contains(minutes));
    }
}
