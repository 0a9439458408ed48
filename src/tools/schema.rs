//! Checks a call's arguments against the whole of a tool's JSON Schema (E8).
//!
//! This is what the schema worker runs, one check at a time: `jsonschema` weighs ten times what Yew does, so it is
//! linked there and nowhere else, and a check that does not end is ended with its worker. It must not know the page.

use jsonschema::{PatternOptions, ValidationError, Validator, error::ValidationErrorKind};
use serde_json::Value;

use super::verdict::{MOST_MISMATCHES, Mismatch, Verdict};

/// Values are quoted up to so many characters.
const LONGEST_QUOTE: usize = 120;
/// A pattern that backtracks more often is refused after a few milliseconds; the worker's time limit is coarser.
const BACKTRACK_LIMIT: usize = 100_000;

/// So many schemas are kept as they were made ready for checking: more than a page has tools.
const MOST_KEPT: usize = 64;

/// Checks values against schemas, and keeps what it has made ready of each: that takes longer than most checks.
#[derive(Default)]
pub struct SchemaChecker {
    /// By the schema's text, the last used last.
    ready: Vec<(String, Ready)>,
}

/// A schema that can be checked against, or why it cannot.
type Ready = Result<(Value, Validator), String>;

impl SchemaChecker {
    /// Checks `instance` against `schema`, both JSON texts.
    ///
    /// Formats are asserted. A reference is followed within the schema only; one that leads elsewhere makes it unusable.
    #[must_use]
    pub fn check(&mut self, schema: &str, instance: &str) -> Verdict {
        let kept = self.ready.iter().position(|(text, _)| text == schema);
        let ready = match kept {
            Some(at) => self.ready.remove(at),
            None => (schema.to_owned(), make_ready(schema)),
        };
        let verdict = match &ready.1 {
            Ok((schema, validator)) => judge(schema, validator, instance),
            Err(message) => unusable(message.clone()),
        };
        if self.ready.len() == MOST_KEPT {
            drop(self.ready.remove(0));
        }
        self.ready.push(ready);
        verdict
    }
}

fn make_ready(schema: &str) -> Ready {
    let schema = serde_json::from_str(schema).map_err(|error| format!("the schema is not JSON: {error}"))?;
    let validator = jsonschema::options()
        .offline()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT))
        .build(&schema)
        .map_err(|error| format!("{} at `{}`", error, error.instance_path()))?;
    Ok((schema, validator))
}

fn judge(schema: &Value, validator: &Validator, instance: &str) -> Verdict {
    let instance: Value = match serde_json::from_str(instance) {
        Ok(instance) => instance,
        Err(error) => {
            let expected = "JSON".to_owned();
            return Verdict::Invalid {
                mismatches: vec![Mismatch { path: String::new(), expected, came: error.to_string() }],
            };
        }
    };
    let mut mismatches = Vec::new();
    for error in validator.iter_errors(&instance).take(MOST_MISMATCHES) {
        if let Some(failure) = engine_failure(&error) {
            return unusable(format!("{failure}, at `{}`", error.schema_path()));
        }
        mismatches.push(mismatch(&error, schema));
    }
    if mismatches.is_empty() { Verdict::Valid } else { Verdict::Invalid { mismatches } }
}

fn unusable(message: String) -> Verdict {
    Verdict::SchemaUnusable { message }
}

/// A pattern that the engine gives up on says nothing about the instance, however deep in a branch it stands.
fn engine_failure(error: &ValidationError) -> Option<String> {
    match error.kind() {
        ValidationErrorKind::BacktrackLimitExceeded { .. }
        | ValidationErrorKind::RegexEngineFailure { .. } => Some(error.to_string()),
        ValidationErrorKind::AnyOf { context }
        | ValidationErrorKind::OneOfMultipleValid { context }
        | ValidationErrorKind::OneOfNotValid { context } => context.iter().flatten().find_map(engine_failure),
        ValidationErrorKind::PropertyNames { error } => engine_failure(error),
        _ => None,
    }
}

fn mismatch(error: &ValidationError, schema: &Value) -> Mismatch {
    let (expected, came) = match error.kind() {
        ValidationErrorKind::Required { property } => {
            (format!("the property {property}"), quote(error.instance()))
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            ("no other properties than the schema names".to_owned(), quote(&Value::from(unexpected.clone())))
        }
        ValidationErrorKind::FalseSchema => ("nothing here".to_owned(), quote(error.instance())),
        ValidationErrorKind::PropertyNames { error: inner } => {
            let Mismatch { expected, came, .. } = mismatch(inner, schema);
            (format!("property names with {expected}"), came)
        }
        kind => {
            let asked = schema.pointer(error.schema_path().as_str());
            let expected = asked.map_or_else(String::new, |asked| format!(" {}", quote(asked)));
            (format!("{}{expected}", kind.keyword()), quote(error.instance()))
        }
    };
    Mismatch { path: error.instance_path().to_string(), expected, came }
}

fn quote(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn checked(schema: &Value, instance: &Value) -> Verdict {
        SchemaChecker::default().check(&schema.to_string(), &instance.to_string())
    }

    fn mismatches(schema: &Value, instance: &Value) -> Vec<(String, String, String)> {
        match checked(schema, instance) {
            Verdict::Invalid { mismatches } => {
                mismatches.into_iter().map(|found| (found.path, found.expected, found.came)).collect()
            }
            other => panic!("expected mismatches, got {other:?}"),
        }
    }

    fn row(path: &str, expected: &str, came: &str) -> (String, String, String) {
        (path.to_owned(), expected.to_owned(), came.to_owned())
    }

    #[test]
    fn e8_accepts_what_the_schema_asks_for() {
        let schema = json!({"type": "object", "properties": {"seconds": {"type": "number", "minimum": 0}}});
        assert_eq!(checked(&schema, &json!({"seconds": 12.5})), Verdict::Valid);
    }

    #[test]
    fn e8_names_path_expectation_and_what_came() {
        let schema = json!({
            "type": "object",
            "properties": {
                "seconds": {"type": "number"},
                "rows": {"type": "array", "items": {"enum": ["a", "b"]}},
                "mail": {"type": "string", "format": "email"},
                "shared": {"$ref": "#/$defs/short"},
            },
            "required": ["name"],
            "additionalProperties": false,
            "$defs": {"short": {"maxLength": 2}},
        });
        let instance =
            json!({"seconds": "x", "rows": ["a", 7], "mail": "nobody", "shared": "long", "extra": 1});
        let mut found = mismatches(&schema, &instance);
        found.sort();
        let whole = instance.to_string();
        assert_eq!(
            found,
            [
                row("", "no other properties than the schema names", r#"["extra"]"#),
                row("", r#"the property "name""#, &whole),
                row("/mail", r#"format "email""#, r#""nobody""#),
                row("/rows/1", r#"enum ["a","b"]"#, "7"),
                row("/seconds", r#"type "number""#, r#""x""#),
                row("/shared", "maxLength 2", r#""long""#),
            ]
        );
    }

    #[test]
    fn e8_names_what_a_property_name_should_be() {
        let found = mismatches(&json!({"propertyNames": {"maxLength": 2}}), &json!({"long": 1}));
        assert_eq!(found, [row("", "property names with maxLength 2", r#""long""#)]);
    }

    #[test]
    fn e8_gives_at_most_ten_reasons_and_short_quotes() {
        let found = mismatches(&json!({"items": {"type": "number"}}), &json!(vec!["长".repeat(500); 30]));
        assert_eq!(found.len(), MOST_MISMATCHES);
        assert!(found.iter().all(|(_, _, came)| came.chars().count() == LONGEST_QUOTE + 1));
    }

    #[test]
    fn e8_a_schema_that_cannot_be_used_says_nothing_about_the_instance() {
        for (schema, part) in [
            (r#"{"type": 5}"#, "at `/type`"),
            (r#"{"$ref": "https://example.com/schema.json"}"#, "https://example.com/schema.json"),
            (r##"{"$ref": "#/$defs/missing"}"##, "missing"),
            (r#"{"pattern": "("}"#, "regex"),
            ("{", "not JSON"),
        ] {
            match SchemaChecker::default().check(schema, "{}") {
                Verdict::SchemaUnusable { message } => assert!(message.contains(part), "{schema}: {message}"),
                other => panic!("{schema}: {other:?}"),
            }
        }
    }

    #[test]
    fn e8_a_pattern_that_the_engine_gives_up_on_makes_the_schema_unusable() {
        let pattern = json!({"pattern": "^(?:(?=a)a+)+$"});
        let instance = json!(format!("{}!", "a".repeat(40)));
        for schema in [pattern.clone(), json!({"anyOf": [pattern.clone(), {"type": "number"}]})] {
            assert!(matches!(checked(&schema, &instance), Verdict::SchemaUnusable { .. }), "{schema}");
        }
        let names = json!({"propertyNames": pattern});
        let object = json!({ format!("{}!", "a".repeat(40)): 1 });
        assert!(matches!(checked(&names, &object), Verdict::SchemaUnusable { .. }));
    }

    #[test]
    fn e8_text_that_is_not_json_is_a_mismatch_of_the_whole() {
        let deep = "[".repeat(3000);
        for instance in ["", "{", &deep] {
            match SchemaChecker::default().check("{}", instance) {
                Verdict::Invalid { mismatches } => assert_eq!(mismatches[0].expected, "JSON"),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn e8_a_schema_that_is_kept_judges_as_a_fresh_one() {
        let mut checker = SchemaChecker::default();
        let schema = |number: usize| json!({"type": "object", "minProperties": number}).to_string();
        for round in 0..2 {
            for number in 0..MOST_KEPT + 2 {
                let fits = checker.check(&schema(number), "{}") == Verdict::Valid;
                assert_eq!(fits, number == 0, "{number} in round {round}");
                assert!(matches!(checker.check("{", "{}"), Verdict::SchemaUnusable { .. }));
            }
        }
        assert_eq!(checker.ready.len(), MOST_KEPT);
    }
}
