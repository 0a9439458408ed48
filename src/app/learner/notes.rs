//! What the learner writes down while watching.

use serde::{Deserialize, Serialize};

/// Names a note among the learner's notes.
pub type NoteId = u64;

/// The longest note, in characters.
pub const LONGEST_NOTE: usize = 2000;

/// A note at a moment of a lesson.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// Its name.
    pub id: NoteId,
    /// The lesson's number.
    pub lesson: u32,
    /// The moment, in seconds from the start of the lesson.
    pub position: f64,
    /// What it says.
    pub text: String,
    /// When it was written or last changed, in milliseconds since 1970.
    pub written_at: f64,
}

impl Note {
    /// Whether a stored entry can be true.
    pub(super) fn is_sound(&self) -> bool {
        self.position >= 0.0 && !self.text.trim().is_empty()
    }
}
