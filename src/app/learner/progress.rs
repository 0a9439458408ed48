//! How far the learner has come in a lesson.

use serde_json::{Value, json};

use crate::protocol::json_place::{Place, PlaceError};

/// How far the learner has come in one lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct LessonProgress {
    /// The lesson's number.
    pub lesson: u32,
    /// Where they stopped, in seconds.
    pub position: f64,
    /// How long the lesson is, in seconds.
    pub duration: f64,
    /// Whether they have seen it to its end, once.
    pub completed: bool,
    /// When they watched last, in milliseconds since 1970.
    pub studied_at: f64,
}

/// What a lesson is to the learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Not begun.
    New,
    /// Begun.
    Begun,
    /// Seen to its end.
    Completed,
}

/// Seconds at the beginning that do not count as begun.
const BEGINNING: f64 = 3.0;
/// The part of a lesson after which it counts as seen: closing words are often skipped.
const SEEN: f64 = 0.97;

impl LessonProgress {
    /// Whether a watched `position` completes a lesson of this length.
    #[must_use]
    pub fn completes(position: f64, duration: f64) -> bool {
        duration > 0.0 && position >= duration * SEEN
    }

    /// What the lesson is to the learner.
    #[must_use]
    pub fn standing(&self) -> Standing {
        if self.completed {
            Standing::Completed
        } else if self.position > BEGINNING {
            Standing::Begun
        } else {
            Standing::New
        }
    }

    /// How much of the lesson is behind them, from 0 to 1.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        if self.completed { 1.0 } else { (self.position / self.duration).clamp(0.0, 1.0) }
    }

    /// Where to go on, in seconds; `None` when the lesson begins at its beginning.
    #[must_use]
    pub fn resume_at(&self) -> Option<f64> {
        let at_the_end = Self::completes(self.position, self.duration);
        (self.position > BEGINNING && !at_the_end).then_some(self.position)
    }

    /// Reads what was kept; refuses what cannot be true.
    pub(super) fn read(progress: &Place<'_>) -> Result<Self, PlaceError> {
        let read = Self {
            lesson: progress.member("lesson").count_u32()?,
            position: progress.member("position").number()?,
            duration: progress.member("duration").number()?,
            completed: progress.member("completed").flag()?,
            studied_at: progress.member("studied_at").number()?,
        };
        if read.is_sound() { Ok(read) } else { progress.error("must have times from 0 on and a length") }
    }

    /// Whether it can be true.
    pub(super) fn is_sound(&self) -> bool {
        self.position >= 0.0 && self.duration > 0.0 && self.studied_at >= 0.0
    }

    /// The progress as it is kept.
    pub(super) fn to_json(&self) -> Value {
        json!({
            "lesson": self.lesson,
            "position": self.position,
            "duration": self.duration,
            "completed": self.completed,
            "studied_at": self.studied_at,
        })
    }
}
