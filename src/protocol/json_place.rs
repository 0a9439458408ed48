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
}
