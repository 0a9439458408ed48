//! What became of a call of a front-end tool (E1).

use serde_json::{Map, Value};

/// What a front-end tool gives back.
///
/// It goes to the agent as the JSON text of `{success, data?, error?, toolName, summary, duration}`; name and duration
/// are the engine's to add, see [`to_json`](Self::to_json).
///
/// # Example
/// ```
/// use praxis::tools::ToolResult;
/// use serde_json::json;
///
/// let moved = ToolResult::done(json!({"path": "/records"}), "已导航到 /records");
/// assert!(moved.success);
/// let lost = ToolResult::failed("there is no form `f`", "表单填充失败");
/// assert_eq!(lost.error.as_deref(), Some("there is no form `f`"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    /// Whether the tool did what it was called for.
    pub success: bool,
    /// What it found or did, for the agent. `Some(Value::Null)` is a value, too: it is sent as `null`.
    pub data: Option<Value>,
    /// Why it failed, for the agent.
    pub error: Option<String>,
    /// What happened, in one sentence for people.
    pub summary: String,
}

impl ToolResult {
    /// The tool did what it was called for. `data` may be left out with `None`.
    #[must_use]
    pub fn done(data: impl Into<Option<Value>>, summary: impl Into<String>) -> Self {
        Self { success: true, data: data.into(), error: None, summary: summary.into() }
    }

    /// The tool did not do it.
    #[must_use]
    pub fn failed(error: impl Into<String>, summary: impl Into<String>) -> Self {
        Self { success: false, data: None, error: Some(error.into()), summary: summary.into() }
    }

    /// The same result with data: a failure may have done some of the work.
    #[must_use]
    pub fn with_data(self, data: Value) -> Self {
        Self { data: Some(data), ..self }
    }

    /// `{success, data?, error?, toolName, summary, duration}`, with the duration in milliseconds.
    #[must_use]
    pub fn to_json(&self, tool: &str, duration: u64) -> Value {
        let mut json = Map::new();
        json.insert("success".to_owned(), self.success.into());
        if let Some(data) = &self.data {
            json.insert("data".to_owned(), data.clone());
        }
        if let Some(error) = &self.error {
            json.insert("error".to_owned(), error.as_str().into());
        }
        json.insert("toolName".to_owned(), tool.into());
        json.insert("summary".to_owned(), self.summary.as_str().into());
        json.insert("duration".to_owned(), duration.into());
        json.into()
    }

    /// Reads what [`to_json`](Self::to_json) wrote, in another module of the page. What is missing or of another type
    /// counts as a failure that says nothing.
    #[must_use]
    pub fn from_json(value: &Value) -> Self {
        let text = |name| value.get(name).and_then(Value::as_str).map(str::to_owned);
        Self {
            success: value.get("success").and_then(Value::as_bool).unwrap_or_default(),
            data: value.get("data").cloned(),
            error: text("error"),
            summary: text("summary").unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn e1_the_agent_gets_these_members_and_no_others() {
        let done = ToolResult::done(json!([1]), "s").to_json("t", 7);
        assert_eq!(
            done.to_string(),
            r#"{"success":true,"data":[1],"toolName":"t","summary":"s","duration":7}"#
        );
        let failed = ToolResult::failed("e", "s").to_json("t", 0);
        assert_eq!(
            failed.to_string(),
            r#"{"success":false,"error":"e","toolName":"t","summary":"s","duration":0}"#
        );
        assert_eq!(ToolResult::done(Value::Null, "s").to_json("t", 0)["data"], Value::Null);
        assert!(ToolResult::done(None, "s").to_json("t", 0).get("data").is_none());
        assert_eq!(ToolResult::failed("e", "s").with_data(json!(1)).data, Some(json!(1)));
        for result in [
            ToolResult::done(Value::Null, "s"),
            ToolResult::done(None, ""),
            ToolResult::failed("e", "s").with_data(json!({})),
        ] {
            assert_eq!(ToolResult::from_json(&result.to_json("t", 7)), result);
        }
        assert!(!ToolResult::from_json(&json!("s")).success);
    }
}
