//! Reading JSON from outside, with errors that name the place: `events[1].content[0].text: must be a text`.

use serde_json::{Map, Value};

/// A value, or its absence, and where it stands.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// The path to it.
    pub path: String,
    /// What stands there.
    pub value: Option<&'a Value>,
}

/// What is wrong in a JSON text: where, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct PlaceError {
    /// The place: `script.intents[2].patterns[0]`.
    pub path: String,
    /// What is wrong there.
    pub problem: String,
}

impl<'a> Place<'a> {
    /// The place of a whole value. `path` may be empty.
    #[must_use]
    pub fn root(path: &str, value: &'a Value) -> Self {
        Self { path: path.to_owned(), value: Some(value) }
    }

    /// Says that something is wrong here.
    ///
    /// # Errors
    /// Always.
    pub fn error<T>(&self, problem: impl Into<String>) -> Result<T, PlaceError> {
        Err(PlaceError { path: self.path.clone(), problem: problem.into() })
    }

    /// The place of a member.
    #[must_use]
    pub fn member(&self, name: &str) -> Self {
        let separator = if self.path.is_empty() { "" } else { "." };
        let value = self.value.and_then(|value| value.get(name));
        Place { path: [&self.path, separator, name].concat(), value }
    }

    /// The place of a member that is there and not `null`.
    #[must_use]
    pub fn present(&self, name: &str) -> Option<Self> {
        Some(self.member(name)).filter(|place| !matches!(place.value, None | Some(Value::Null)))
    }

    /// The places of a list's elements.
    ///
    /// # Errors
    /// When there is no list.
    pub fn elements(&self) -> Result<Vec<Self>, PlaceError> {
        let Some(list) = self.value.and_then(Value::as_array) else { return self.error("must be a list") };
        let element = |(index, value)| Place { path: format!("{}[{index}]", self.path), value: Some(value) };
        Ok(list.iter().enumerate().map(element).collect())
    }

    /// The text.
    ///
    /// # Errors
    /// When there is none.
    pub fn text(&self) -> Result<&'a str, PlaceError> {
        self.value.and_then(Value::as_str).map_or_else(|| self.error("must be a string"), Ok)
    }

    /// The object.
    ///
    /// # Errors
    /// When there is none.
    pub fn object(&self) -> Result<&'a Map<String, Value>, PlaceError> {
        self.value.and_then(Value::as_object).map_or_else(|| self.error("must be an object"), Ok)
    }

    /// The truth value.
    ///
    /// # Errors
    /// When there is none.
    pub fn flag(&self) -> Result<bool, PlaceError> {
        self.value.and_then(Value::as_bool).map_or_else(|| self.error("must be true or false"), Ok)
    }

    /// The number.
    ///
    /// # Errors
    /// When there is none.
    pub fn number(&self) -> Result<f64, PlaceError> {
        self.value.and_then(Value::as_f64).map_or_else(|| self.error("must be a number"), Ok)
    }

    /// The whole number, from 0 on.
    ///
    /// # Errors
    /// When there is none.
    pub fn count(&self) -> Result<u64, PlaceError> {
        self.value.and_then(Value::as_u64).map_or_else(|| self.error("must be a whole number"), Ok)
    }

    /// The whole number, from 0 on, that 32 bits can hold.
    ///
    /// # Errors
    /// When there is none.
    pub fn count_u32(&self) -> Result<u32, PlaceError> {
        self.count()?.try_into().or_else(|_| self.error("is too large"))
    }
}

/// Sends types that have `to_json` (and `from_json`) through serde by way of a JSON value.
macro_rules! serde_by_value {
    (Serialize for $($type:ty),+) => {
        $(impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(&self.to_json(), serializer)
            }
        })+
    };
    (Deserialize for $($type:ty),+) => {
        $(impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = <serde_json::Value as serde::Deserialize>::deserialize(deserializer)?;
                Self::from_json(&value).map_err(serde::de::Error::custom)
            }
        })+
    };
}

pub(crate) use serde_by_value;
