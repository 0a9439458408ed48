//! The files that the whole app reads at its start.

use yew::prelude::*;

use super::config::Config;
use super::connection::use_connection;
use super::context::use_app_context;
use super::course::Course;
use super::fetch::{Loading, use_file};

/// What the site says: its configuration and its course.
#[derive(Clone, PartialEq)]
pub struct Site {
    /// `config.json`, with the connection that this device has chosen.
    pub config: Loading<Config>,
    /// Reads the configuration again.
    pub reload_config: Callback<()>,
    /// `lessons/lessons.json`.
    pub course: Loading<Course>,
    /// Reads the course again.
    pub reload_course: Callback<()>,
}

/// Reads the site's files.
#[hook]
pub fn use_site_files() -> Site {
    let (config, reload_config) = use_file(Some("config.json"), Config::from_json);
    let config = match (config, use_connection()) {
        (Loading::Ready(config), Some(connection)) => Loading::Ready(config.with_connection(&connection)),
        (config, _) => config,
    };
    let (course, reload_course) = use_file(Some("lessons/lessons.json"), Course::from_json);
    Site { config, reload_config, course, reload_course }
}

/// The site's files, as the app provides them.
///
/// # Panics
/// Outside of the app.
#[hook]
pub fn use_site() -> Site {
    use_app_context().site
}
