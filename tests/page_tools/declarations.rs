//! What is declared of the page's tools (E1, E11, J04).

use praxis::protocol::ToolName;
use praxis::tools::page::{
    BrowserStorage, FILL_FORM_FIELD, FILL_FORM_FIELD_DESCRIPTION, NAVIGATE_TO, NAVIGATE_TO_DESCRIPTION,
    QUERY_DATA, QUERY_DATA_DESCRIPTION, READ_STORAGE, READ_STORAGE_DESCRIPTION, SCROLL_TO,
    SCROLL_TO_DESCRIPTION, fill_form_field_schema, navigate_to_schema, query_data_schema,
    read_storage_schema, scroll_to_schema,
};
use serde_json::Value;
use wasm_bindgen_test::wasm_bindgen_test;

/// What strict servers refuse: an object without `properties`, a list without `items`.
fn check(schema: &Value, path: &str) {
    if schema["type"] == "array" {
        assert!(schema["items"].is_object(), "{path} has no items");
    }
    if schema["type"] == "object" {
        assert!(
            schema["properties"].is_object() || schema["additionalProperties"].is_object(),
            "{path} has no properties"
        );
    }
    match schema {
        Value::Object(members) => {
            members.iter().for_each(|(name, inner)| check(inner, &[path, "/", name].concat()))
        }
        Value::Array(values) => values.iter().for_each(|inner| check(inner, path)),
        _ => {}
    }
}

#[wasm_bindgen_test]
fn e11_case_j04_the_declarations_are_valid_for_strict_servers() {
    for (name, description, schema) in [
        (FILL_FORM_FIELD, FILL_FORM_FIELD_DESCRIPTION, fill_form_field_schema()),
        (NAVIGATE_TO, NAVIGATE_TO_DESCRIPTION, navigate_to_schema()),
        (QUERY_DATA, QUERY_DATA_DESCRIPTION, query_data_schema()),
        (READ_STORAGE, READ_STORAGE_DESCRIPTION, read_storage_schema(&BrowserStorage(&["a"]))),
        (SCROLL_TO, SCROLL_TO_DESCRIPTION, scroll_to_schema()),
    ] {
        ToolName::new(name).unwrap();
        assert!(description.contains("Call it"), "{name} does not say when to call it");
        assert!(schema["type"] == "object" && schema["properties"].is_object(), "{name}");
        check(&schema, name);
    }
}
