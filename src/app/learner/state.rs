//! The learner's state and what can change it: pure.

use std::rc::Rc;

use super::{LessonProgress, Note, NoteId, Preferences, Profile, StorageProblem};

/// A part of the state, kept under its own key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// How the learner wants the app.
    Preferences,
    /// How far they have come.
    Progress,
    /// What they wrote down.
    Notes,
    /// Who they are.
    Profile,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 4] = [Self::Preferences, Self::Progress, Self::Notes, Self::Profile];
}

/// All that the app keeps about its learner.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Learner {
    /// How they want the app.
    pub preferences: Rc<Preferences>,
    /// One entry for each lesson that was opened.
    pub progress: Rc<Vec<LessonProgress>>,
    /// By lesson, then by moment.
    pub notes: Rc<Vec<Note>>,
    /// Who they are.
    pub profile: Rc<Profile>,
    /// What went wrong with the browser's storage, until it was read.
    pub problem: Option<StorageProblem>,
}

/// Something that happens to the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The learner wants the app otherwise.
    Preferences(Preferences),
    /// The learner watched up to a moment.
    Watched {
        /// The lesson's number.
        lesson: u32,
        /// Seconds from its start.
        position: f64,
        /// Its length in seconds.
        duration: f64,
        /// The time, in milliseconds since 1970.
        now: f64,
    },
    /// A note is new, or an old one says something else.
    Note(Note),
    /// A note goes away.
    RemoveNote(NoteId),
    /// The learner says who they are.
    Profile(Profile),
    /// A part is emptied.
    Reset(Part),
    /// The notice about the storage was read.
    ProblemRead,
}

impl Learner {
    /// Applies a change and names the part that is to be kept anew.
    pub fn apply(&mut self, change: Change) -> Option<Part> {
        match change {
            Change::Preferences(preferences) => {
                self.preferences = Rc::new(preferences);
                Some(Part::Preferences)
            }
            Change::Watched { lesson, position, duration, now } => {
                let entry = LessonProgress {
                    lesson,
                    position,
                    duration,
                    completed: LessonProgress::completes(position, duration)
                        || self.lesson_progress(lesson).is_some_and(|before| before.completed),
                    studied_at: now,
                };
                if !entry.is_sound() {
                    return None;
                }
                let entries = Rc::make_mut(&mut self.progress);
                match entries.iter_mut().find(|entry| entry.lesson == lesson) {
                    Some(before) => *before = entry,
                    None => entries.push(entry),
                }
                Some(Part::Progress)
            }
            Change::Note(note) => {
                let notes = Rc::make_mut(&mut self.notes);
                notes.retain(|other| other.id != note.id);
                let place = notes
                    .partition_point(|other| (other.lesson, other.position) <= (note.lesson, note.position));
                notes.insert(place, note);
                Some(Part::Notes)
            }
            Change::RemoveNote(id) => {
                Rc::make_mut(&mut self.notes).retain(|note| note.id != id);
                Some(Part::Notes)
            }
            Change::Profile(profile) => {
                self.profile = Rc::new(profile);
                Some(Part::Profile)
            }
            Change::Reset(part) => {
                match part {
                    Part::Preferences => self.preferences = Rc::default(),
                    Part::Progress => self.progress = Rc::default(),
                    Part::Notes => self.notes = Rc::default(),
                    Part::Profile => self.profile = Rc::default(),
                }
                Some(part)
            }
            Change::ProblemRead => {
                self.problem = None;
                None
            }
        }
    }

    /// How far they have come in a lesson.
    #[must_use]
    pub fn lesson_progress(&self, lesson: u32) -> Option<&LessonProgress> {
        self.progress.iter().find(|entry| entry.lesson == lesson)
    }

    /// The notes of a lesson, by moment.
    pub fn lesson_notes(&self, lesson: u32) -> impl Iterator<Item = &Note> {
        self.notes.iter().filter(move |note| note.lesson == lesson)
    }

    /// The lesson that was watched last.
    #[must_use]
    pub fn last_watched(&self) -> Option<&LessonProgress> {
        self.progress.iter().max_by(|a, b| a.studied_at.total_cmp(&b.studied_at))
    }

    /// A name for a new note.
    #[must_use]
    pub fn next_note_id(&self) -> NoteId {
        self.notes.iter().map(|note| note.id).max().map_or(1, |largest| largest.saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Standing;
    use super::*;

    fn watched(lesson: u32, position: f64, now: f64) -> Change {
        Change::Watched { lesson, position, duration: 100.0, now }
    }

    fn note(id: NoteId, lesson: u32, position: f64) -> Note {
        Note { id, lesson, position, text: "记一笔".into(), written_at: 1.0 }
    }

    #[test]
    fn a_lesson_once_completed_stays_completed_and_begins_anew() {
        let mut learner = Learner::default();
        assert_eq!(learner.apply(watched(2, 98.0, 1.0)), Some(Part::Progress));
        assert_eq!(learner.apply(watched(2, 40.0, 2.0)), Some(Part::Progress));
        let progress = learner.lesson_progress(2).expect("an entry");
        assert_eq!((progress.standing(), progress.fraction()), (Standing::Completed, 1.0));
        assert_eq!(progress.resume_at(), Some(40.0));
        learner.apply(watched(2, 99.0, 3.0));
        assert_eq!(learner.lesson_progress(2).and_then(LessonProgress::resume_at), None);
        assert_eq!(learner.progress.len(), 1);
    }

    #[test]
    fn case_h01_positions_and_lengths_that_are_no_numbers_change_nothing() {
        let mut learner = Learner::default();
        for (position, duration) in [(f64::NAN, 90.0), (1.0, f64::NAN), (-1.0, 90.0), (1.0, 0.0)] {
            let change = Change::Watched { lesson: 1, position, duration, now: 1.0 };
            assert_eq!(learner.apply(change), None, "{position} of {duration}");
        }
        assert_eq!(learner, Learner::default());
    }

    #[test]
    fn notes_stand_by_lesson_and_moment_and_an_edit_replaces() {
        let mut learner = Learner::default();
        for entry in [note(1, 2, 5.0), note(2, 1, 80.0), note(3, 1, 8.0)] {
            learner.apply(Change::Note(entry));
        }
        learner.apply(Change::Note(Note { text: "改过".into(), ..note(3, 1, 8.0) }));
        let ids: Vec<NoteId> = learner.notes.iter().map(|note| note.id).collect();
        assert_eq!(ids, [3, 2, 1]);
        assert_eq!(learner.notes[0].text, "改过");
        assert_eq!(learner.lesson_notes(1).count(), 2);
        assert_eq!(learner.next_note_id(), 4);
        learner.apply(Change::RemoveNote(3));
        assert_eq!(learner.next_note_id(), 3);
    }

    #[test]
    fn the_lesson_watched_last_is_the_one_to_go_on_with() {
        let mut learner = Learner::default();
        learner.apply(watched(3, 10.0, 5.0));
        learner.apply(watched(1, 20.0, 9.0));
        learner.apply(watched(2, 30.0, 7.0));
        assert_eq!(learner.last_watched().map(|entry| entry.lesson), Some(1));
    }
}
