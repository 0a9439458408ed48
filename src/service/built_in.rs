//! Tools that the service runs itself: the page never sees their calls.

use std::sync::LazyLock;

use crate::protocol::{JsonObject, Timestamp, ToolDeclaration};

/// A tool that the service runs itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltInTool {
    /// `current_time`: the time as RFC 3339 text, in UTC.
    CurrentTime,
}

static DECLARATIONS: LazyLock<Vec<ToolDeclaration>> = LazyLock::new(|| {
    let declarations = BuiltInTool::ALL.map(|tool| {
        serde_json::json!({
            "type": "custom",
            "name": tool.name(),
            "description": tool.description(),
            "input_schema": {"type": "object", "properties": {}, "additionalProperties": false},
        })
    });
    ToolDeclaration::list_from_json(&declarations, &[]).unwrap_or_default()
});

impl BuiltInTool {
    /// Every built-in tool.
    pub const ALL: [Self; 1] = [Self::CurrentTime];
    /// Their names, which no client tool may have (K1).
    pub const NAMES: [&'static str; 1] = [Self::CurrentTime.name()];

    /// The tool's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CurrentTime => "current_time",
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::CurrentTime => {
                "The current date and time in UTC, as RFC 3339 text. Call it when the answer depends on the time."
            }
        }
    }

    /// The tool as models are told of it.
    #[must_use]
    pub fn declaration(self) -> Option<&'static ToolDeclaration> {
        DECLARATIONS.iter().find(|declaration| declaration.name.as_str() == self.name())
    }

    /// Runs the tool at the time `now`.
    ///
    /// # Errors
    /// What went wrong, for the model.
    pub fn run(self, _input: &JsonObject, now: Timestamp) -> Result<String, String> {
        match self {
            Self::CurrentTime => Ok(now.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn k1_every_built_in_tool_is_declared_as_it_should_be() {
        for (tool, name) in BuiltInTool::ALL.into_iter().zip(BuiltInTool::NAMES) {
            assert_eq!(tool.declaration().map(|declaration| declaration.name.as_str()), Some(name));
        }
    }

    #[test]
    fn current_time_is_rfc_3339() {
        let now = Timestamp::from_millis(1_796_000_000_123);
        let said = BuiltInTool::CurrentTime.run(&JsonObject::new(), now);
        assert_eq!(said.as_deref(), Ok("2026-11-30T00:53:20.123Z"));
    }
}
