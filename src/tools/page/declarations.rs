//! The page's tools as they are declared (E1): data in `declarations.json`, and what only code can say of them.
//!
//! An agent's definition lists the same declarations (K1).

use serde_json::Value;

use super::{PageWords, StoragePort, confirm_fill_form_field, confirm_navigate_to, confirm_read_storage};
use crate::protocol::ToolDeclaration;
use crate::tools::{Category, FrontendTool, RiskLevel};

const DECLARATIONS: &str = include_str!("declarations.json");

/// The declarations of all of them, in the form that an agent's definition lists (K1). Empty only where the file is
/// broken, which a test rules out.
#[must_use]
pub fn page_tool_declarations() -> Vec<ToolDeclaration> {
    let declared: Value = serde_json::from_str(DECLARATIONS).unwrap_or_default();
    let declared = declared.as_array().and_then(|tools| ToolDeclaration::list_from_json(tools, &[]).ok());
    declared.unwrap_or_default()
}

fn declared(name: &'static str) -> FrontendTool {
    match page_tool_declarations().iter().find(|tool| tool.name.as_str() == name) {
        Some(declaration) => FrontendTool::from_declaration(declaration),
        None => FrontendTool::from_schema(name, Value::Null),
    }
}

/// `navigate_to`: safe, and nobody is asked; a path that leaves the app is refused before anything else (E14).
#[must_use]
pub fn navigate_to_tool(words: &'static PageWords) -> FrontendTool {
    declared("navigate_to")
        .category(Category::Navigation)
        .risk_level(RiskLevel::Safe)
        .prepare(|arguments, _call| confirm_navigate_to(arguments, words))
}

/// `fill_form_field`: moderate, and the person is asked which fields may be filled (E3). Its handler is
/// [`fill_form_field`](super::fill_form_field()) with the call's serial number.
#[must_use]
pub fn fill_form_field_tool(words: &'static PageWords) -> FrontendTool {
    declared("fill_form_field")
        .category(Category::Form)
        .risk_level(RiskLevel::Moderate)
        .requires_confirmation()
        .prepare(|arguments, call| confirm_fill_form_field(arguments, call.serial(), words))
}

/// `query_data`: safe.
#[must_use]
pub fn query_data_tool() -> FrontendTool {
    declared("query_data").category(Category::Data).risk_level(RiskLevel::Safe)
}

/// `scroll_to`: safe.
#[must_use]
pub fn scroll_to_tool() -> FrontendTool {
    declared("scroll_to").category(Category::Ui).risk_level(RiskLevel::Safe)
}

/// `read_storage`: moderate, and the person is asked whether the key may be read (E6). Its schema lists the keys that
/// are open.
#[must_use]
pub fn read_storage_tool(storage: impl StoragePort + 'static, words: &'static PageWords) -> FrontendTool {
    let declared = declared("read_storage");
    let mut schema = declared.parameters().clone();
    if let Some(key) = schema.pointer_mut("/properties/key") {
        key["enum"] = storage.open_keys().iter().copied().collect();
    }
    FrontendTool::from_schema("read_storage", schema)
        .description(declared.description_text())
        .category(Category::Storage)
        .risk_level(RiskLevel::Moderate)
        .requires_confirmation()
        .prepare(move |arguments, _call| confirm_read_storage(arguments, &storage, words))
}

#[cfg(test)]
mod tests {
    use super::super::BrowserStorage;
    use super::*;

    /// What strict servers refuse: an object without `properties`, a list without `items`.
    fn check(schema: &Value, path: &str) {
        let lacks = |member: &str| !schema[member].is_object();
        assert!(schema["type"] != "array" || !lacks("items"), "{path} has no items");
        assert!(schema["type"] != "object" || !lacks("properties"), "{path} has no properties");
        match schema {
            Value::Object(members) => {
                members.iter().for_each(|(name, inner)| check(inner, &[path, "/", name].concat()));
            }
            Value::Array(values) => values.iter().for_each(|inner| check(inner, path)),
            _ => {}
        }
    }

    #[test]
    fn e11_case_j04_the_declarations_are_valid_for_strict_servers() {
        let declarations = page_tool_declarations();
        assert_eq!(declarations.len(), 5);
        for tool in declarations {
            assert!(tool.description.contains("Call it"), "{} does not say when to call it", tool.name);
            check(&tool.input_schema.into(), tool.name.as_str());
        }
    }

    #[test]
    fn e1_each_says_how_risky_it_is_and_whether_the_person_must_agree() {
        let words = &PageWords::EN;
        let storage = read_storage_tool(BrowserStorage(&["notes"]), words);
        assert_eq!(storage.parameters()["properties"]["key"]["enum"], serde_json::json!(["notes"]));
        for (tool, name, risk) in [
            (navigate_to_tool(words), "navigate_to", (Category::Navigation, RiskLevel::Safe, false)),
            (fill_form_field_tool(words), "fill_form_field", (Category::Form, RiskLevel::Moderate, true)),
            (query_data_tool(), "query_data", (Category::Data, RiskLevel::Safe, false)),
            (scroll_to_tool(), "scroll_to", (Category::Ui, RiskLevel::Safe, false)),
            (storage, "read_storage", (Category::Storage, RiskLevel::Moderate, true)),
        ] {
            assert_eq!((tool.name(), tool.risk()), (name, risk));
            assert!(tool.declaration().is_ok(), "{name}");
        }
    }
}
