//! What a run waits for: told to the person, and answered by the person's next message.

use serde_json::Value;

use super::super::json::{list, member, object, set, text};
use crate::protocol::Timestamp;
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
    Approval { decision: &'a str, reason: bool },
    /// An object that holds what the person says.
    Member(&'a str),
    /// An object of several members.
    Form(Vec<&'a str>),
}

impl<'a> Wanted<'a> {
    fn of(interrupt: &'a Value) -> Self {
        let schema = member(interrupt, "responseSchema");
        match (text(schema, "type"), text(interrupt, "reason")) {
            ("object", _) => Self::of_object(schema),
            ("boolean", _) => Self::Decision,
            ("number" | "integer", _) => Self::Number,
            (_, "confirmation") if schema.is_null() => Self::Decision,
            (_, "tool_call") if schema.is_null() => Self::Approval { decision: "approved", reason: false },
            _ => Self::Text,
        }
    }

    fn of_object(schema: &'a Value) -> Self {
        let properties = member(schema, "properties");
        let mut required: Vec<&str> = list(schema, "required").iter().filter_map(Value::as_str).collect();
        if required.is_empty() {
            required.extend(properties.as_object().into_iter().flatten().map(|(name, _)| name.as_str()));
        }
        if let [name] = required[..] {
            match text(member(properties, name), "type") {
                "boolean" => {
                    return Self::Approval { decision: name, reason: !member(properties, REASON).is_null() };
                }
                "string" => return Self::Member(name),
                _ => {}
            }
        }
        Self::Form(required)
    }

    /// The payload that says it; `None` where it cannot be said so.
    fn payload(&self, said: &str) -> Option<Value> {
        match self {
            Self::Text => Some(said.into()),
            Self::Number => serde_json::from_str(said).ok().filter(Value::is_number),
            Self::Decision => Some(is_yes(said).into()),
            Self::Approval { decision, reason } => {
                let mut payload = object(&mut [(decision, is_yes(said).into())]);
                if *reason && !is_yes(said) {
                    set(&mut payload, REASON, said.into());
                }
                Some(payload)
            }
            Self::Member(name) => Some(object(&mut [(name, said.into())])),
            Self::Form(_) => serde_json::from_str(said).ok().filter(Value::is_object),
        }
    }
}

/// The member in which a decision is explained.
const REASON: &str = "reason";

/// Whether it can no longer be answered. A moment that cannot be read is none.
pub(super) fn is_expired(interrupt: &Value, now: Timestamp) -> bool {
    moment(text(interrupt, "expiresAt")).is_some_and(|expires| expires <= now)
}

/// A moment of RFC 3339, in UTC or, as many agents write it, with an offset.
fn moment(text: &str) -> Option<Timestamp> {
    let signed = |(_, offset): &(&str, &str)| offset.starts_with(['+', '-']);
    let split = text.len().checked_sub("+00:00".len()).and_then(|at| text.split_at_checked(at));
    let (local, offset) = split.filter(signed).unwrap_or((text, "+00:00"));
    let local = Timestamp::from_json(&local.into()).ok()?.as_millis();
    let (hours, minutes) = offset[1..].split_once(':')?;
    let ahead = (hours.parse::<u64>().ok()? * 60 + minutes.parse::<u64>().ok()?) * 60_000;
    let universal = if offset.starts_with('+') { local.checked_sub(ahead) } else { local.checked_add(ahead) };
    universal.map(Timestamp::from_millis)
}

/// Says what the run waits for, and how to answer.
pub(super) fn describe(interrupts: &[Value], language: Language) -> String {
    let mut said = words::waits(language).to_owned();
    for interrupt in interrupts {
        let message = text(interrupt, "message");
        said.push_str("\n- ");
        said.push_str(if message.is_empty() { text(interrupt, "reason") } else { message });
    }
    said.push_str("\n\n");
    said.push_str(&match interrupts.first().map(Wanted::of) {
        Some(Wanted::Decision | Wanted::Approval { .. }) => words::decide(language, interrupts.len()),
        Some(Wanted::Form(members)) => words::fill_in(language, &members.join(", ")),
        _ => words::answer(language),
    });
    said
}

/// The `resume` member of the run that goes on with what the person `said` at the time `now`: one entry for each
/// interrupt, as agents take all or none. What is no clear yes is a no, and what has expired can only be given up.
pub(super) fn resume(interrupts: &[Value], said: &str, now: Timestamp) -> Value {
    let entry = |interrupt: &Value| {
        let payload = Wanted::of(interrupt).payload(said).filter(|_| !is_expired(interrupt, now));
        let status = if payload.is_some() { "resolved" } else { "cancelled" };
        let mut entry =
            object(&mut [("interruptId", text(interrupt, "id").into()), ("status", status.into())]);
        if let Some(payload) = payload {
            set(&mut entry, "payload", payload);
        }
        entry
    };
    interrupts.iter().map(entry).collect()
}

/// Whether the whole text is a yes.
fn is_yes(said: &str) -> bool {
    let mark = |character: char| character.is_ascii_punctuation() || "。！，～…".contains(character);
    let said = said.trim().trim_end_matches(mark);
    words::YES.iter().any(|yes| yes.eq_ignore_ascii_case(said))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const NOW: Timestamp = Timestamp::from_millis(0);

    fn payload(schema: &Value, said: &str) -> Value {
        let interrupt = json!({"id": "i", "reason": "input_required", "responseSchema": schema});
        resume(&[interrupt], said, NOW)[0].clone()
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
            resume(&interrupts, "yes", NOW),
            json!([
                {"interruptId": "a", "status": "resolved", "payload": {"approved": true}},
                {"interruptId": "b", "status": "resolved", "payload": true},
            ])
        );
    }
}
