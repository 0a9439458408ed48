//! What was called, with what, and what became of it (E10). Secrets are masked before anything is kept.

use std::time::Duration;

use serde_json::Value;

use super::ToolResult;
use super::secret::{is_secret_name, is_secret_value};
use crate::protocol::Timestamp;
use crate::protocol::json_text::value_to_json_text;

/// So many calls are kept; older ones are forgotten.
pub const MOST_RECORDS: usize = 200;
/// A text is kept up to so many characters.
const LONGEST_TEXT: usize = 500;
/// Of a list or an object so many elements are kept.
const MOST_ELEMENTS: usize = 50;
/// What stands for a secret.
const MASKED: &str = "***";

/// One call.
#[derive(Clone, Debug, PartialEq)]
pub struct ExecutionRecord {
    /// The name by which the tool was called.
    pub tool: String,
    /// The arguments, without secrets and cut short.
    pub arguments: Value,
    /// The result, without secrets and cut short.
    pub result: ToolResult,
    /// How long the handler ran; zero where it did not.
    pub duration: Duration,
    /// When the call came.
    pub at: Timestamp,
}

/// The last [`MOST_RECORDS`] calls.
#[derive(Debug, Default)]
pub struct ExecutionLog {
    /// Oldest first.
    records: Vec<ExecutionRecord>,
}

impl ExecutionLog {
    /// Keeps a call, without its secrets.
    pub fn record(&mut self, mut record: ExecutionRecord) {
        let mut secrets = Vec::new();
        mask(&mut record.arguments, &mut secrets);
        if let Some(data) = &mut record.result.data {
            // `read_storage` and the like: what they find under a secret name is secret.
            if names_a_secret(&record.arguments) {
                *data = MASKED.into();
            }
            mask(data, &mut secrets);
        }
        let texts = record.result.error.iter_mut().chain([&mut record.result.summary]);
        texts.for_each(|text| mask_text(text, &secrets));
        if self.records.len() >= MOST_RECORDS {
            self.records.remove(0);
        }
        self.records.push(record);
    }

    /// The newest `limit` calls, newest first.
    #[must_use]
    pub fn newest(&self, limit: usize) -> Vec<ExecutionRecord> {
        self.records.iter().rev().take(limit).cloned().collect()
    }
}

/// Whether an object names a secret that stands beside it, as the key of `read_storage` may.
fn names_a_secret(object: &Value) -> bool {
    ["name", "key", "field"].iter().any(|member| object[*member].as_str().is_some_and(is_secret_name))
}

/// Masks what is secret by its name or its looks, and cuts what is long. The texts that were masked are added to
/// `secrets`.
fn mask(value: &mut Value, secrets: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            if is_secret_value(text) {
                hide(value, secrets);
            } else {
                mask_json(text, secrets);
                cut(text);
            }
        }
        Value::Array(elements) => {
            elements.truncate(MOST_ELEMENTS);
            elements.iter_mut().for_each(|element| mask(element, secrets));
        }
        Value::Object(_) => {
            // A pair such as `{"name":"password","value":"…"}`.
            let pair = names_a_secret(value);
            let Some(members) = value.as_object_mut() else { return };
            let mut kept = 0;
            members.retain(|_, _| {
                kept += 1;
                kept <= MOST_ELEMENTS
            });
            for (name, member) in members.iter_mut() {
                if is_secret_name(name) || (pair && name == "value") {
                    hide(member, secrets);
                } else {
                    mask(member, secrets);
                }
            }
        }
        _ => {}
    }
}

/// The same for a text that holds JSON, as plain tools give it.
fn mask_json(text: &mut String, secrets: &mut Vec<String>) {
    if !text.starts_with(['{', '[']) {
        return;
    }
    let Ok(mut value) = serde_json::from_str(text) else { return };
    let before = secrets.len();
    mask(&mut value, secrets);
    if secrets.len() > before {
        *text = value_to_json_text(&value);
    }
}

fn hide(value: &mut Value, secrets: &mut Vec<String>) {
    match &mut *value {
        Value::String(text) => secrets.push(std::mem::take(text)),
        Value::Array(elements) => elements.iter_mut().for_each(|element| hide(element, secrets)),
        Value::Object(members) => members.values_mut().for_each(|member| hide(member, secrets)),
        other => secrets.push(value_to_json_text(other)),
    }
    *value = MASKED.into();
}

/// A text that people and agents read may quote a secret.
fn mask_text(text: &mut String, secrets: &[String]) {
    // A short secret is no secret, and would be found in every second word.
    for secret in secrets.iter().filter(|secret| secret.chars().count() >= 4) {
        if text.contains(secret.as_str()) {
            *text = text.replace(secret.as_str(), MASKED);
        }
    }
    if is_secret_value(text) {
        MASKED.clone_into(text);
    }
    cut(text);
}

fn cut(text: &mut String) {
    if let Some((end, _)) = text.char_indices().nth(LONGEST_TEXT) {
        text.truncate(end);
        text.push('…');
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn recorded(arguments: Value, result: ToolResult) -> ExecutionRecord {
        let mut log = ExecutionLog::default();
        let (tool, duration, at) = ("t".to_owned(), Duration::from_millis(7), Timestamp::from_millis(9));
        log.record(ExecutionRecord { tool, arguments, result, duration, at });
        log.newest(50).remove(0)
    }

    #[test]
    fn e10_the_newest_come_first_and_the_log_is_bounded() {
        let mut log = ExecutionLog::default();
        for number in 0..MOST_RECORDS + 7 {
            log.record(ExecutionRecord {
                tool: number.to_string(),
                arguments: json!({"text": "长".repeat(9000), "list": vec![1; 9000]}),
                result: ToolResult::done(json!("x".repeat(9000)), "长".repeat(9000)),
                duration: Duration::ZERO,
                at: Timestamp::default(),
            });
        }
        let newest: Vec<String> = log.newest(3).into_iter().map(|record| record.tool).collect();
        assert_eq!(newest, ["206", "205", "204"]);
        let all = log.newest(usize::MAX);
        assert_eq!(all.len(), MOST_RECORDS);
        assert_eq!(all.last().map(|record| &*record.tool), Some("7"));
        for text in [&all[0].result.summary, all[0].arguments["text"].as_str().unwrap()] {
            assert_eq!(text.chars().count(), LONGEST_TEXT + 1);
        }
        assert_eq!(all[0].arguments["list"].as_array().map(Vec::len), Some(MOST_ELEMENTS));
        assert!(all[0].result.data.as_ref().unwrap().as_str().unwrap().len() < 600);
    }

    #[test]
    fn e10_secrets_are_masked_wherever_they_stand() {
        let found = recorded(
            json!({
                "password": "hunter22",
                "nested": [{"Api-Key": 12345, "headers": {"authorization": ["Bearer", "abc"]}}],
                "fields": [{"name": "new_password", "value": "secret-one"}, {"name": "city", "value": "上海"}],
                "text": "hunter2 is not hidden",
            }),
            ToolResult::failed("/password: expected maxLength 4, came \"hunter22\"", "secret-one")
                .with_data(json!({"token": {"a": 1}, "rows": [["kept"]]})),
        );
        assert_eq!(
            found.arguments,
            json!({
                "password": "***",
                "nested": [{"Api-Key": "***", "headers": {"authorization": "***"}}],
                "fields": [{"name": "new_password", "value": "***"}, {"name": "city", "value": "上海"}],
                "text": "hunter2 is not hidden",
            })
        );
        assert_eq!(found.result.data, Some(json!({"token": "***", "rows": [["kept"]]})));
        assert_eq!(found.result.error.as_deref(), Some("/password: expected maxLength 4, came \"***\""));
        assert_eq!(found.result.summary, "***");
        assert_eq!((found.duration.as_millis(), found.at.as_millis()), (7, 9));
    }

    #[test]
    fn e10_secrets_are_masked_in_json_texts_and_under_secret_keys() {
        let found = recorded(json!({}), ToolResult::done(json!(r#"{"token":"abcdef","n":1.50}"#), "s"));
        assert_eq!(found.result.data, Some(json!(r#"{"token":"***","n":1.5}"#)));
        let found = recorded(json!({}), ToolResult::done(json!(r#"{ "n": 1.50 }"#), "s"));
        assert_eq!(found.result.data, Some(json!(r#"{ "n": 1.50 }"#)), "what holds no secret stays as it is");
        let found = recorded(json!({"key": "auth_token"}), ToolResult::done(json!({"a": 1}), "s"));
        assert_eq!(found.result.data, Some(json!("***")));
        let found = recorded(json!({"key": "lessons"}), ToolResult::done(json!({"a": 1}), "s"));
        assert_eq!(found.result.data, Some(json!({"a": 1})));
        let token = "Bearer abcdefghijklmnop";
        let found = recorded(json!({"note": token}), ToolResult::done(json!([token]), token));
        assert_eq!((found.arguments, found.result.data), (json!({"note": "***"}), Some(json!(["***"]))));
        assert_eq!(found.result.summary, "***");
        let found = recorded(json!({}), ToolResult::failed(token, "s"));
        assert_eq!(found.result.error.as_deref(), Some("***"), "a secret that no argument holds");
    }
}
