//! What the learner has handed in beside watching: quizzes and exercises.
//!
//! The player has neither yet: these are samples, the same for everyone, so that the table of records shows what a
//! course with reviews would show. Pages say that they are samples.

/// What was handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubmissionKind {
    /// Questions with a score.
    Quiz,
    /// Something to try, which a person looks at.
    Exercise,
}

/// How far the review has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Review {
    /// Nobody has looked at it yet.
    Pending,
    /// It is good.
    Passed,
    /// It is to be done again.
    Returned,
}

/// One thing that was handed in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Submission {
    /// The lesson's number.
    pub lesson: u32,
    /// What it is.
    pub kind: SubmissionKind,
    /// How far its review has come.
    pub review: Review,
    /// Points of 100, where there are any.
    pub score: Option<u8>,
    /// When it was handed in, in milliseconds since 1970.
    pub handed_in_at: f64,
}

const fn sample(
    lesson: u32,
    kind: SubmissionKind,
    review: Review,
    score: Option<u8>,
    handed_in_at: f64,
) -> Submission {
    Submission { lesson, kind, review, score, handed_in_at }
}

/// The samples, by lesson.
pub const SAMPLES: [Submission; 6] = [
    sample(1, SubmissionKind::Quiz, Review::Passed, Some(92), 1_794_910_440_000.0),
    sample(1, SubmissionKind::Exercise, Review::Pending, None, 1_795_005_720_000.0),
    sample(2, SubmissionKind::Quiz, Review::Returned, Some(58), 1_795_088_400_000.0),
    sample(2, SubmissionKind::Exercise, Review::Pending, None, 1_795_175_100_000.0),
    sample(3, SubmissionKind::Quiz, Review::Pending, None, 1_795_440_900_000.0),
    sample(3, SubmissionKind::Exercise, Review::Passed, None, 1_795_527_000_000.0),
];
