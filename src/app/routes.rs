//! The app's addresses.

use yew_router::Routable;

/// A page of the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Routable)]
pub enum Route {
    /// The course.
    #[at("/")]
    Course,
    /// A lesson.
    #[at("/lessons/:number")]
    Lesson {
        /// Its number.
        number: u32,
    },
    /// The learner's records.
    #[at("/records")]
    Records,
    /// Who the learner is.
    #[at("/profile")]
    Profile,
    /// How the learner wants the app.
    #[at("/settings")]
    Settings,
    /// No page.
    #[not_found]
    #[at("/404")]
    NotFound,
}
