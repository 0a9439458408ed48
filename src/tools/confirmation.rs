//! A question to the person: may this call run? (E9)

use std::rc::Rc;

use serde_json::{Value, json};

use super::RiskLevel;
use crate::protocol::Timestamp;

/// The event on `window` that asks; its detail is [`Confirmation::to_json`].
pub const CONFIRMATION_REQUIRED: &str = "agent-confirmation-required";
/// The event on `window` that answers; its detail is `{id, confirmed}`.
pub const CONFIRMATION_RESPONSE: &str = "agent-confirmation-response";

/// A question that waits for the person. It is answered once, by its own id.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirmation {
    /// No other question on the page has it.
    pub id: Rc<str>,
    /// The tool's name.
    pub tool: Rc<str>,
    /// What will happen, in words, as people may be shown it: nothing in it is invisible.
    pub description: String,
    /// The arguments with which the call will run, these and no others.
    pub arguments: Value,
    /// How much the call can do wrong.
    pub risk_level: RiskLevel,
    /// From this moment on it counts as refused.
    pub expires_at: Timestamp,
}

impl Confirmation {
    /// `{id, toolName, description, args, riskLevel, expiresAt}`; the moment in milliseconds since 1970, as
    /// `Date.now()` gives it.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "id": &*self.id,
            "toolName": &*self.tool,
            "description": self.description,
            "args": self.arguments,
            "riskLevel": self.risk_level.as_str(),
            "expiresAt": self.expires_at.as_millis(),
        })
    }
}
