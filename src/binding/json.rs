//! JavaScript values as JSON and back.

use std::borrow::Cow;

use js_sys::JSON;
use serde_json::Value;
use wasm_bindgen::JsValue;

/// A JavaScript value by way of its JSON text, so that both sides see the same bytes (K12). `undefined` is `null`.
pub(super) fn from_js(value: &JsValue) -> Result<Value, String> {
    let text = JSON::stringify(value).map_err(|error| crate::tools::js_error_text(&error))?;
    match text.as_string() {
        Some(text) => serde_json::from_str(&well_formed(&text)).map_err(|error| error.to_string()),
        None => Ok(Value::Null),
    }
}

/// Replaces lone surrogates, which `JSON.stringify` writes as escapes and no Rust string can hold, by U+FFFD.
fn well_formed(json: &str) -> Cow<'_, str> {
    if !json.contains("\\ud") {
        return Cow::Borrowed(json);
    }
    let mut text = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        text.push_str(before);
        // Pairs are written as they are: an escape that begins with `\ud` is half a pair.
        let (written, read) =
            if escape.starts_with("\\ud") { ("\\ufffd", 6) } else { (escape.get(..2).unwrap_or(escape), 2) };
        text.push_str(written);
        rest = escape.get(read..).unwrap_or_default();
    }
    text.push_str(rest);
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_i02_lone_surrogates_become_replacement_characters() {
        assert_eq!(well_formed(r#"{"a":"x\ud83d","\udc00":1}"#), r#"{"a":"x\ufffd","\ufffd":1}"#);
        assert_eq!(well_formed(r#"["\\ud83d","\n\ud83dé😀"]"#), r#"["\\ud83d","\n\ufffdé😀"]"#);
        assert_eq!(well_formed(r#"["plain"]"#), r#"["plain"]"#);
    }
}
