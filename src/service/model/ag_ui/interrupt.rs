//! What a run waits for: told to the person, and answered by the person's next message.

use serde_json::{Value, json};

use super::run_messages::text_of;
use crate::protocol::tutor_script::Language;
use crate::service::words::interrupt as words;

/// What an interrupt wants to be answered with.
enum Wanted<'a> {
    /// What the person says.
    Text,
    /// A number.
    Number,
    /// Yes or no.
    Decision,
    /// An object that holds a decision, and what was said instead of yes.
    Approval { decision: &'a str, reason: Option<&'a str> },
    /// An object that holds what the person says.
    Member(&'a str),
    /// An object of several members.
    Form(Vec<&'a str>),
}

impl<'a> Wanted<'a> {
    fn of(interrupt: &'a Value) -> Self {
        let schema = interrupt.get("responseSchema");
        match (schema.map(|schema| text_of(schema.get("type"))), text_of(interrupt.get("reason"))) {
            (Some("object"), _) => Self::of_object(schema.unwrap_or(&Value::Null)),
            (Some("boolean"), _) | (None, "confirmation") => Self::Decision,
            (Some("number" | "integer"), _) => Self::Number,
            (None, "tool_call") => Self::Approval { decision: "approved", reason: None },
            _ => Self::Text,
        }
    }

    fn of_object(schema: &'a Value) -> Self {
        let properties = || schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let of_type = |kind: &str| {
            properties()
                .find(|(_, property)| text_of(property.get("type")) == kind)
                .map(|(name, _)| name.as_str())
        };
        let reason = || properties().map(|(name, _)| name.as_str()).find(|name| *name == "reason");
        let required: Vec<&str> = match schema.get("required").and_then(Value::as_array) {
            Some(names) if !names.is_empty() => names.iter().filter_map(Value::as_str).collect(),
            _ => properties().map(|(name, _)| name.as_str()).collect(),
        };
        match required[..] {
            [name] if of_type("boolean") == Some(name) => Self::Approval { decision: name, reason: reason() },
            [name] if of_type("string") == Some(name) => Self::Member(name),
            _ => Self::Form(required),
        }
    }

    /// The payload that says it; `None` where it cannot be said so.
    fn payload(&self, said: &str) -> Option<Value> {
        match self {
            Self::Text => Some(said.into()),
            Self::Number => serde_json::from_str(said).ok().filter(Value::is_number),
            Self::Decision => Some(is_yes(said).into()),
            Self::Approval { decision, reason } => {
                let mut payload = json!({(*decision): is_yes(said)});
                if let (Some(reason), false) = (reason, is_yes(said)) {
                    payload[*reason] = said.into();
                }
                Some(payload)
            }
            Self::Member(name) => Some(json!({(*name): said})),
            Self::Form(_) => serde_json::from_str(said).ok().filter(Value::is_object),
        }
    }
}

/// Says what the run waits for, and how to answer.
pub(super) fn describe(interrupts: &[Value], language: Language) -> String {
    let mut lines = vec![words::waits(language).to_owned()];
    for interrupt in interrupts {
        let message = text_of(interrupt.get("message"));
        let shown = if message.is_empty() { text_of(interrupt.get("reason")) } else { message };
        lines.push(["- ", shown].concat());
    }
    let how = match interrupts.first().map(Wanted::of) {
        Some(Wanted::Decision | Wanted::Approval { .. }) => words::decide(language, interrupts.len()),
        Some(Wanted::Form(members)) => words::fill_in(language, &members.join(", ")),
        _ => words::answer(language),
    };
    lines.push(String::new());
    lines.push(how);
    lines.join("\n")
}

/// The `resume` member of the run that goes on with what the person `said`: one entry for each interrupt, as agents
/// take all or none. What is no clear yes is a no.
pub(super) fn resume(interrupts: &[Value], said: &str) -> Value {
    let entry = |interrupt: &Value| {
        let id = text_of(interrupt.get("id"));
        match Wanted::of(interrupt).payload(said) {
            Some(payload) => json!({"interruptId": id, "status": "resolved", "payload": payload}),
            None => json!({"interruptId": id, "status": "cancelled"}),
        }
    };
    interrupts.iter().map(entry).collect()
}

/// Whether the whole text is a yes.
fn is_yes(said: &str) -> bool {
    let said = said.trim_matches(|character: char| !character.is_alphanumeric()).to_lowercase();
    words::YES.contains(&said.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payload(schema: &Value, said: &str) -> Value {
        let interrupt = json!({"id": "i", "reason": "input_required", "responseSchema": schema});
        resume(&[interrupt], said)[0].clone()
    }

    #[test]
    fn a_decision_is_yes_only_for_a_clear_yes() {
        let approval = json!({
            "type": "object",
            "properties": {"approved": {"type": "boolean"}, "editedArgs": {"type": "object"}, "reason": {"type": "string"}},
            "required": ["approved"],
        });
        for yes in ["yes", " Yes. ", "同意", "好的！", "可以", "OK"] {
            assert_eq!(payload(&approval, yes)["payload"], json!({"approved": true}), "{yes}");
        }
        for no in ["no", "不同意", "yes, but not now", "可以吗？不", ""] {
            assert_eq!(payload(&approval, no)["payload"], json!({"approved": false, "reason": no}), "{no}");
        }
        assert_eq!(payload(&json!({"type": "boolean"}), "yes")["payload"], json!(true));
    }

    #[test]
    fn other_answers_have_the_shape_that_was_asked_for() {
        let one = json!({"type": "object", "properties": {"city": {"type": "string"}}});
        assert_eq!(payload(&one, "上海")["payload"], json!({"city": "上海"}));
        assert_eq!(payload(&json!({"type": "string"}), "上海")["payload"], json!("上海"));
        assert_eq!(payload(&json!({"type": "integer"}), "3")["payload"], json!(3));
        assert_eq!(payload(&json!({"type": "integer"}), "three")["status"], "cancelled");
        let form = json!({"type": "object", "required": ["quarter", "year"]});
        assert_eq!(payload(&form, r#"{"quarter":"Q1","year":2026}"#)["payload"]["year"], 2026);
        let refused = payload(&form, "never mind");
        assert_eq!((&refused["status"], refused.get("payload")), (&json!("cancelled"), None));
    }

    #[test]
    fn every_interrupt_is_answered() {
        let interrupts =
            [json!({"id": "a", "reason": "tool_call"}), json!({"id": "b", "reason": "confirmation"})];
        assert_eq!(
            resume(&interrupts, "yes"),
            json!([
                {"interruptId": "a", "status": "resolved", "payload": {"approved": true}},
                {"interruptId": "b", "status": "resolved", "payload": true},
            ])
        );
    }
}
