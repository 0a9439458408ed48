//! Why one of the app's tools does not do what it was called for.

use serde::Serialize;

/// The words for the agent, from an error or a text.
///
/// Not a `Box<dyn Error>`: that would bring each error's `Debug` along, and with it all ways to print a number.
#[derive(Serialize)]
pub struct Refusal(String);

impl<E: ToString> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}
