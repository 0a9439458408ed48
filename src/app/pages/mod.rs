//! The app's pages, one for each route.

mod course;
mod lesson;
mod not_found;
mod profile;
mod records;
mod records_table;
mod settings;

pub use course::CoursePage;
pub use lesson::LessonPage;
pub use not_found::NotFoundPage;
pub use profile::ProfilePage;
pub use records::RecordsPage;
pub use settings::SettingsPage;
