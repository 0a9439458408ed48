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
    /// What they want to learn.
    pub aim: String,
}

impl Profile {
    /// The minutes a day that can be set.
    pub const DAILY_MINUTES: std::ops::RangeInclusive<u32> = 1..=600;

    /// Reads what was kept. What is missing is as at first, minutes that cannot be set are left out.
    pub(super) fn read(profile: &Place<'_>) -> Result<Self, PlaceError> {
        profile.object()?;
        let text = |name| profile.present(name).map_or(Ok(""), |text| text.text()).map(str::to_owned);
        let minutes = profile.present("daily_minutes").map(|minutes| minutes.count_u32()).transpose()?;
        Ok(Self {
            name: text("name")?,
            email: text("email")?,
            role: text("role")?,
            daily_minutes: minutes.filter(|minutes| Self::DAILY_MINUTES.contains(minutes)),
            aim: text("aim")?,
        })
    }

    /// The profile as it is kept.
    pub(super) fn to_json(&self) -> Value {
        json!({
            "name": self.name.as_str(),
            "email": self.email.as_str(),
            "role": self.role.as_str(),
            "daily_minutes": self.daily_minutes,
            "aim": self.aim.as_str(),
        })
    }
}
