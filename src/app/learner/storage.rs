//! The learner's state in the browser's storage: what is read is not trusted, and what cannot be kept is said.
//!
//! What cannot be read is set aside under `KEY.unreadable` before anything is written in its place.

use std::rc::Rc;

use serde_json::Value;
use web_sys::Storage;

use super::{Learner, LessonProgress, Note, Part, Preferences, Profile};
use crate::protocol::json_place::{Place, PlaceError};
use crate::protocol::json_text::value_to_json_text;

/// What went wrong with the browser's storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageProblem {
    /// The browser keeps nothing for this page.
    Disabled,
    /// There is no room left, or the browser refused.
    Full,
    /// What was kept could not be read, all or in part; it was set aside.
    Unreadable,
}

/// The key of a part.
#[must_use]
pub(super) const fn key(part: Part) -> &'static str {
    match part {
        Part::Preferences => "lesson-player.preferences",
        Part::Progress => "lesson-player.progress",
        Part::Notes => "lesson-player.notes",
        Part::Profile => "lesson-player.profile",
    }
}

/// The storage, where the browser allows one.
fn open() -> Option<Storage> {
    gloo::utils::window().local_storage().ok().flatten()
}

/// Reads everything. Never fails: what cannot be read begins anew, and the problem is noted.
pub(super) fn read_all() -> Learner {
    let mut learner = Learner::default();
    let Some(storage) = open() else {
        learner.problem = Some(StorageProblem::Disabled);
        return learner;
    };
    for part in Part::ALL {
        let Some(text) = storage.get_item(key(part)).ok().flatten() else { continue };
        if !read(&mut learner, part, &text) {
            learner.problem = Some(StorageProblem::Unreadable);
            // Where even this fails there is no room, which the next write will say.
            let _ = storage.set_item(&[key(part), ".unreadable"].concat(), &text);
        }
    }
    learner
}

/// Reads one part's text into the state; whether all of it could be read.
pub(super) fn read(learner: &mut Learner, part: Part, text: &str) -> bool {
    let kept: Value = serde_json::from_str(text).unwrap_or_default();
    let kept = Place::root(key(part), &kept);
    match part {
        Part::Preferences => {
            Preferences::read(&kept).map(|preferences| learner.preferences = Rc::new(preferences)).is_ok()
        }
        Part::Profile => Profile::read(&kept).map(|profile| learner.profile = Rc::new(profile)).is_ok(),
        Part::Progress => {
            let (entries, whole) = read_list(&kept, LessonProgress::read);
            learner.progress = Rc::new(entries);
            whole
        }
        Part::Notes => {
            let (entries, whole) = read_list(&kept, Note::read);
            learner.notes = Rc::new(entries);
            whole
        }
    }
}

/// Keeps one part.
pub(super) fn write(learner: &Learner, part: Part) -> Result<(), StorageProblem> {
    let storage = open().ok_or(StorageProblem::Disabled)?;
    let kept = match part {
        Part::Preferences => learner.preferences.to_json(),
        Part::Progress => learner.progress.iter().map(LessonProgress::to_json).collect(),
        Part::Notes => learner.notes.iter().map(Note::to_json).collect(),
        Part::Profile => learner.profile.to_json(),
    };
    let text = value_to_json_text(&kept);
    storage.set_item(key(part), &text).map_err(|_| StorageProblem::Full)
}

/// The entries that can be read and be true, and whether that is all of them.
fn read_list<T>(kept: &Place<'_>, read: fn(&Place<'_>) -> Result<T, PlaceError>) -> (Vec<T>, bool) {
    let Ok(entries) = kept.elements() else { return (Vec::new(), false) };
    let read: Vec<T> = entries.iter().filter_map(|entry| read(entry).ok()).collect();
    let whole = read.len() == entries.len();
    (read, whole)
}

#[cfg(test)]
mod tests {
    use super::super::{CaptionsChoice, Theme};
    use super::*;

    fn read_part(part: Part, text: &str) -> (Learner, bool) {
        let mut learner = Learner::default();
        let whole = read(&mut learner, part, text);
        (learner, whole)
    }

    #[test]
    fn what_was_written_is_read_again() {
        let preferences = Preferences {
            theme: Theme::Dark,
            captions: CaptionsChoice::Off,
            speed: 1.5,
            ..Preferences::default()
        };
        let (learner, whole) = read_part(Part::Preferences, &preferences.to_json().to_string());
        assert!(whole);
        assert_eq!(*learner.preferences, preferences);
    }

    #[test]
    fn an_older_shape_is_filled_up_and_what_cannot_be_true_is_mended() {
        let (learner, whole) = read_part(Part::Preferences, r#"{"theme":"dark","speed":-3,"gone":true}"#);
        assert!(whole);
        assert_eq!(*learner.preferences, Preferences { theme: Theme::Dark, ..Preferences::default() });
        let (learner, whole) = read_part(Part::Profile, r#"{"name":"张三","daily_minutes":100000}"#);
        assert!(whole);
        assert_eq!(*learner.profile, Profile { name: "张三".into(), ..Profile::default() });
    }

    #[test]
    fn what_is_broken_begins_anew_and_is_said() {
        for part in Part::ALL {
            for text in ["", "{", "7", "null", "\"x\""] {
                let (learner, whole) = read_part(part, text);
                assert!(!whole, "{part:?} {text}");
                assert_eq!(learner, Learner::default(), "{part:?} {text}");
            }
        }
    }

    #[test]
    fn a_broken_entry_costs_only_itself() {
        let text = r#"[{"lesson":1,"position":5,"duration":90,"completed":false,"studied_at":1},83,
            {"lesson":2,"position":-5,"duration":90,"completed":false,"studied_at":1},{"lesson":"3"}]"#;
        let (learner, whole) = read_part(Part::Progress, text);
        assert!(!whole);
        assert_eq!(learner.progress.iter().map(|entry| entry.lesson).collect::<Vec<_>>(), [1]);
        let text = r#"[{"id":1,"lesson":1,"position":5,"text":" ","written_at":1},{"id":2,"lesson":1,"position":5,"text":"好","written_at":1}]"#;
        let (learner, whole) = read_part(Part::Notes, text);
        assert!(!whole);
        assert_eq!(learner.notes.len(), 1);
    }
}
