//! What the app keeps about its learner, in this browser: preferences, progress, notes, profile; and samples of what they
//! would hand in.
//!
//! [`Learner`] is the state and its rules, without I/O. [`LearnerStore`] keeps it in the browser's storage and tells
//! components of changes. Neither may know the video or how anything is shown.

mod notes;
mod preferences;
mod profile;
mod progress;
mod state;
mod storage;
mod store;
mod submissions;

pub use notes::{LONGEST_NOTE, Note, NoteId};
pub use preferences::{CaptionsChoice, Preferences, SPEEDS, Theme};
pub use profile::Profile;
pub use progress::{LessonProgress, Standing};
pub use state::{Change, Learner, Part};
pub use storage::StorageProblem;
pub use store::{LearnerProvider, LearnerStore, use_learner, use_learner_store};
pub use submissions::{Review, SAMPLES, Submission, SubmissionKind};
