//! A tool as chat models are told of it (E11).

use serde_json::{Value, json};

use super::{JsonObject, ToolDeclaration};

/// Members of a schema that hold a schema.
const SCHEMAS: [&str; 10] = [
    "items",
    "additionalProperties",
    "additionalItems",
    "contains",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedProperties",
];
/// Members that hold several, in a list or by name.
const MANY_SCHEMAS: [&str; 9] = [
    "properties",
    "patternProperties",
    "dependentSchemas",
    "$defs",
    "definitions",
    "prefixItems",
    "anyOf",
    "allOf",
    "oneOf",
];

impl ToolDeclaration {
    /// The OpenAI function-calling form: `{"type":"function","function":{"name","description","parameters"}}`.
    ///
    /// Strict servers refuse a whole request for one object without `properties` or one array without `items` (J04):
    /// they are filled in, with what allows everything.
    #[must_use]
    pub fn definition(&self) -> Value {
        let parameters = self.parameters();
        json!({
            "type": "function",
            "function": {"name": self.name, "description": self.description, "parameters": parameters},
        })
    }

    /// The schema of its arguments, as strict servers take it: the definition's `parameters`.
    #[must_use]
    pub fn parameters(&self) -> Value {
        let mut parameters = self.input_schema.clone().into();
        complete(&mut parameters);
        parameters
    }
}

fn complete(schema: &mut Value) {
    let Some(schema) = schema.as_object_mut() else { return };
    for (kind, member) in [("object", "properties"), ("array", "items")] {
        if is_of(schema, kind) && !schema.contains_key(member) {
            schema.insert(member.to_owned(), json!({}));
        }
    }
    for (name, member) in schema.iter_mut() {
        if SCHEMAS.contains(&name.as_str()) {
            match member {
                // A list of schemas was an old way to say `prefixItems`.
                Value::Array(schemas) => schemas.iter_mut().for_each(complete),
                schema => complete(schema),
            }
        } else if MANY_SCHEMAS.contains(&name.as_str()) {
            match member {
                Value::Array(schemas) => schemas.iter_mut().for_each(complete),
                Value::Object(schemas) => schemas.values_mut().for_each(complete),
                _ => {}
            }
        }
    }
}

fn is_of(schema: &JsonObject, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == kind,
        Some(Value::Array(kinds)) => kinds.iter().any(|other| other == kind),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(schema: Value) -> Value {
        let declared = json!({"type": "custom", "name": "t", "description": "d", "input_schema": schema});
        ToolDeclaration::from_json(&declared, 0).unwrap().definition()["function"]["parameters"].clone()
    }

    #[test]
    fn e11_a_definition_is_in_the_function_calling_form() {
        let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
        let declared = json!({"type": "custom", "name": "t", "description": "d", "input_schema": schema});
        assert_eq!(
            ToolDeclaration::from_json(&declared, 0).unwrap().definition(),
            json!({"type": "function", "function": {"name": "t", "description": "d", "parameters": schema}})
        );
    }

    #[test]
    fn e11_case_j04_objects_have_properties_and_arrays_have_items() {
        assert_eq!(parameters(json!({"type": "object"})), json!({"type": "object", "properties": {}}));
        assert_eq!(
            parameters(json!({
                "type": "object",
                "properties": {
                    "fields": {"type": "array"},
                    "rows": {"type": ["array", "null"], "items": {"type": "array"}},
                    "either": {"anyOf": [{"type": "object"}, {"$ref": "#/$defs/list"}]},
                    "properties": {"type": "string", "enum": [{"type": "array"}], "default": {"type": "object"}},
                },
                "additionalProperties": {"type": "array"},
                "$defs": {"list": {"type": "array", "prefixItems": [{"type": "object"}], "items": false}},
            })),
            json!({
                "type": "object",
                "properties": {
                    "fields": {"type": "array", "items": {}},
                    "rows": {"type": ["array", "null"], "items": {"type": "array", "items": {}}},
                    "either": {"anyOf": [{"type": "object", "properties": {}}, {"$ref": "#/$defs/list"}]},
                    "properties": {"type": "string", "enum": [{"type": "array"}], "default": {"type": "object"}},
                },
                "additionalProperties": {"type": "array", "items": {}},
                "$defs": {
                    "list": {"type": "array", "prefixItems": [{"type": "object", "properties": {}}], "items": false},
                },
            })
        );
    }
}
