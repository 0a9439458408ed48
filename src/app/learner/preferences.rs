//! How the learner wants the app.

use serde::{Deserialize, Serialize};

use crate::app::language::Language;

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

impl Theme {
    /// All, in the order in which people see them.
    pub const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    /// The name in CSS and in the element's options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// Which captions a lesson begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CaptionsChoice {
    /// In the app's language.
    #[default]
    #[serde(rename = "app")]
    AppLanguage,
    /// Chinese.
    #[serde(rename = "zh-CN")]
    ZhCn,
    /// English.
    #[serde(rename = "en")]
    En,
    /// None.
    #[serde(rename = "off")]
    Off,
}

impl CaptionsChoice {
    /// All, in the order in which people see them.
    pub const ALL: [Self; 4] = [Self::AppLanguage, Self::ZhCn, Self::En, Self::Off];

    /// The captions' language while the app speaks `app`.
    #[must_use]
    pub const fn language(self, app: Language) -> Option<Language> {
        match self {
            Self::AppLanguage => Some(app),
            Self::ZhCn => Some(Language::ZhCn),
            Self::En => Some(Language::En),
            Self::Off => None,
        }
    }
}

/// The speeds that the app offers.
pub const SPEEDS: [f64; 6] = [0.75, 1.0, 1.25, 1.5, 1.75, 2.0];

/// How the learner wants the app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// The app's language, where the learner has chosen one.
    pub language: Option<Language>,
    /// Light or dark.
    pub theme: Theme,
    /// Which captions a lesson begins with.
    pub captions: CaptionsChoice,
    /// The speed a lesson begins with; one of [`SPEEDS`].
    pub speed: f64,
    /// Whether single keys act on the lesson page.
    pub shortcuts: bool,
    /// Whether the agent stands beside the page where there is room.
    pub agent_open: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            language: None,
            theme: Theme::default(),
            captions: CaptionsChoice::default(),
            speed: 1.0,
            shortcuts: true,
            agent_open: true,
        }
    }
}

impl Preferences {
    /// Puts right what a stored text can say wrongly.
    pub(super) fn mend(&mut self) {
        if !SPEEDS.contains(&self.speed) {
            self.speed = 1.0;
        }
    }
}
