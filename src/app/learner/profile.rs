//! Who the learner is, as far as they tell.

use serde_json::{Value, json};

use crate::protocol::json_place::{Place, PlaceError};

/// Who the learner is, as far as they tell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// What they want to be called.
    pub name: String,
    /// Where they can be reached.
    pub email: String,
    /// What they do.
    pub role: String,
    /// How many minutes a day they mean to study.
    pub daily_minutes: Option<u32>,
    /// When they mean to begin: `2026-11-30`, or empty.
    pub start_date: String,
    /// What they are interested in.
    pub topics: Vec<String>,
    /// When in the day they study; empty for any time.
    pub study_time: String,
    /// Whether they want to be reminded.
    pub reminder: bool,
    /// What they want to learn.
    pub aim: String,
    /// What they say of themselves.
    pub about: String,
}

impl Profile {
    /// The minutes a day that can be set.
    pub const DAILY_MINUTES: std::ops::RangeInclusive<u32> = 1..=600;

    /// Reads what was kept. What is missing is as at first, minutes that cannot be set are left out.
    pub(super) fn read(profile: &Place<'_>) -> Result<Self, PlaceError> {
        profile.object()?;
        let text = |name| profile.present(name).map_or(Ok(""), |text| text.text()).map(str::to_owned);
        let minutes = profile.present("daily_minutes").map(|minutes| minutes.count_u32()).transpose()?;
        let topics = profile.present("topics").map_or(Ok(Vec::new()), |topics| {
            topics.elements()?.iter().map(|topic| topic.text().map(str::to_owned)).collect()
        });
        Ok(Self {
            name: text("name")?,
            email: text("email")?,
            role: text("role")?,
            daily_minutes: minutes.filter(|minutes| Self::DAILY_MINUTES.contains(minutes)),
            start_date: text("start_date")?,
            topics: topics?,
            study_time: text("study_time")?,
            reminder: profile.present("reminder").map_or(Ok(false), |reminder| reminder.flag())?,
            aim: text("aim")?,
            about: text("about")?,
        })
    }

    /// The profile as it is kept.
    pub(super) fn to_json(&self) -> Value {
        json!({
            "name": self.name.as_str(),
            "email": self.email.as_str(),
            "role": self.role.as_str(),
            "daily_minutes": self.daily_minutes,
            "start_date": self.start_date.as_str(),
            "topics": self.topics.as_slice(),
            "study_time": self.study_time.as_str(),
            "reminder": self.reminder,
            "aim": self.aim.as_str(),
            "about": self.about.as_str(),
        })
    }
}
