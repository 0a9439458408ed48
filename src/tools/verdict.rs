//! What a check of arguments against a schema finds (E8): the worker writes it, the page reads it.

use serde_json::{Value, json};

use crate::protocol::json_place::{Place, PlaceError};

/// More would not help whoever corrects the arguments.
pub const MOST_MISMATCHES: usize = 10;

/// What a check found.
///
/// As JSON: `{"verdict":"valid"}`, `{"verdict":"invalid","mismatches":[…]}` or
/// `{"verdict":"schemaUnusable","message":"…"}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The arguments are what the schema asks for.
    Valid,
    /// They are not: one to ten reasons.
    Invalid {
        /// Where and how they differ, in the schema's order.
        mismatches: Vec<Mismatch>,
    },
    /// The schema says nothing about the arguments: it is no JSON Schema, refers to what is not in it, or holds a
    /// pattern that the engine gives up on.
    SchemaUnusable {
        /// What is wrong with it.
        message: String,
    },
}

/// One place where arguments are not what the schema asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// A JSON pointer into the arguments; empty for the whole.
    pub path: String,
    /// What the schema asks for there, such as `type "number"`.
    pub expected: String,
    /// What came instead: JSON, cut short where it is long.
    pub came: String,
}

impl Verdict {
    /// As JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::Valid => json!({"verdict": "valid"}),
            Self::Invalid { mismatches } => {
                let mismatches: Vec<Value> = mismatches
                    .iter()
                    .map(|found| json!({"path": found.path, "expected": found.expected, "came": found.came}))
                    .collect();
                json!({"verdict": "invalid", "mismatches": mismatches})
            }
            Self::SchemaUnusable { message } => json!({"verdict": "schemaUnusable", "message": message}),
        }
    }

    /// Reads what [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    /// When it is something else.
    pub fn from_json(value: &Value) -> Result<Self, PlaceError> {
        let whole = Place::root("", value);
        let verdict = whole.member("verdict");
        Ok(match verdict.text()? {
            "valid" => Self::Valid,
            "invalid" => {
                let mut mismatches = Vec::new();
                for place in whole.member("mismatches").elements()?.iter().take(MOST_MISMATCHES) {
                    let text = |name| place.member(name).text().map(str::to_owned);
                    mismatches.push(Mismatch {
                        path: text("path")?,
                        expected: text("expected")?,
                        came: text("came")?,
                    });
                }
                Self::Invalid { mismatches }
            }
            "schemaUnusable" => Self::SchemaUnusable { message: whole.member("message").text()?.to_owned() },
            _ => return verdict.error("is no verdict"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e8_a_verdict_travels_as_tagged_json() {
        let mismatch = |path: &str| Mismatch {
            path: path.to_owned(),
            expected: "type \"string\"".to_owned(),
            came: "1".to_owned(),
        };
        for (verdict, text) in [
            (Verdict::Valid, r#"{"verdict":"valid"}"#),
            (
                Verdict::Invalid { mismatches: vec![mismatch("/a")] },
                r#"{"verdict":"invalid","mismatches":[{"path":"/a","expected":"type \"string\"","came":"1"}]}"#,
            ),
            (
                Verdict::SchemaUnusable { message: "no".to_owned() },
                r#"{"verdict":"schemaUnusable","message":"no"}"#,
            ),
        ] {
            assert_eq!(verdict.to_json().to_string(), text);
            assert_eq!(Verdict::from_json(&verdict.to_json()), Ok(verdict));
        }
        let many = Verdict::Invalid { mismatches: vec![mismatch(""); 11] };
        match Verdict::from_json(&many.to_json()) {
            Ok(Verdict::Invalid { mismatches }) => assert_eq!(mismatches.len(), MOST_MISMATCHES),
            other => panic!("{other:?}"),
        }
        for wrong in [json!([]), json!({"verdict": "maybe"}), json!({"verdict": "invalid"})] {
            assert!(Verdict::from_json(&wrong).is_err(), "{wrong}");
        }
    }
}
