//! What the learner writes down while watching.

use serde_json::{Value, json};

use crate::protocol::json_place::{Place, PlaceError};

/// Names a note among the learner's notes.
pub type NoteId = u64;

/// The longest note, in characters.
pub const LONGEST_NOTE: usize = 2000;

/// A note at a moment of a lesson.
#[derive(Clone, Debug, PartialEq)]
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
    /// Reads what was kept; refuses what cannot be true.
    pub(super) fn read(note: &Place<'_>) -> Result<Self, PlaceError> {
        let read = Self {
            id: note.member("id").count()?,
            lesson: note.member("lesson").count_u32()?,
            position: note.member("position").number()?,
            text: note.member("text").text()?.to_owned(),
            written_at: note.member("written_at").number()?,
        };
        if read.position >= 0.0 && !read.text.trim().is_empty() {
            Ok(read)
        } else {
            note.error("must have a moment from 0 on and a text")
        }
    }

    /// The note as it is kept.
    pub(super) fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "lesson": self.lesson,
            "position": self.position,
            "text": self.text.as_str(),
            "written_at": self.written_at,
        })
    }
}
