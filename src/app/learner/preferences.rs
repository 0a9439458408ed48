//! How the learner wants the app.

use serde_json::{Value, json};

use crate::app::language::Language;
use crate::protocol::json_place::{Place, PlaceError};

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CaptionsChoice {
    /// In the app's language.
    #[default]
    AppLanguage,
    /// Chinese.
    ZhCn,
    /// English.
    En,
    /// None.
    Off,
}

impl CaptionsChoice {
    /// All, in the order in which people see them.
    pub const ALL: [Self; 4] = [Self::AppLanguage, Self::ZhCn, Self::En, Self::Off];

    /// The name under which it is kept.
    const fn name(self) -> &'static str {
        match self {
            Self::AppLanguage => "app",
            Self::ZhCn => "zh-CN",
            Self::En => "en",
            Self::Off => "off",
        }
    }

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
#[derive(Clone, Debug, PartialEq)]
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
    /// Reads what was kept. What is missing is as at first, and so is a speed that the app does not offer.
    pub(super) fn read(preferences: &Place<'_>) -> Result<Self, PlaceError> {
        preferences.object()?;
        let first = Self::default();
        let flag = |name, first| preferences.present(name).map_or(Ok(first), |flag| flag.flag());
        let choice = |name| preferences.present(name);
        let speed = choice("speed").map_or(Ok(first.speed), |speed| speed.number())?;
        Ok(Self {
            language: choice("language")
                .map(|language| one_of(&language, &Language::ALL, Language::tag))
                .transpose()?,
            theme: choice("theme")
                .map_or(Ok(first.theme), |theme| one_of(&theme, &Theme::ALL, Theme::name))?,
            captions: choice("captions").map_or(Ok(first.captions), |captions| {
                one_of(&captions, &CaptionsChoice::ALL, CaptionsChoice::name)
            })?,
            speed: if SPEEDS.contains(&speed) { speed } else { first.speed },
            shortcuts: flag("shortcuts", first.shortcuts)?,
            agent_open: flag("agent_open", first.agent_open)?,
        })
    }

    /// The preferences as they are kept.
    pub(super) fn to_json(&self) -> Value {
        json!({
            "language": self.language.map(Language::tag),
            "theme": self.theme.name(),
            "captions": self.captions.name(),
            "speed": self.speed,
            "shortcuts": self.shortcuts,
            "agent_open": self.agent_open,
        })
    }
}

/// The one of `all` whose name stands at a place.
fn one_of<T: Copy>(place: &Place<'_>, all: &[T], name: fn(T) -> &'static str) -> Result<T, PlaceError> {
    let text = place.text()?;
    let named = all.iter().copied().find(|one| name(*one) == text);
    named.map_or_else(|| place.error("is not one of the choices"), Ok)
}
