//! `read_storage` (E6): what the browser keeps under a key that the app has opened to the agent.
//!
//! A key that the app did not name is refused before anybody is asked, and so is what is a secret by its name or its
//! looks (F04), whoever opened it.

use serde_json::Value;

use super::words::{PageWords, fill, shown};
use crate::protocol::json_place::{Place, PlaceError};
use crate::tools::ToolResult;
use crate::tools::secret::{is_secret_name, is_secret_value};

/// Where a value is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StorageType {
    /// For all tabs, until it is deleted.
    #[default]
    Local,
    /// For one tab.
    Session,
}

/// The storage as the tool sees it, and which keys of it are open.
pub trait StoragePort {
    /// The keys that the agent may read, in all storages.
    fn open_keys(&self) -> &[&str];

    /// What is kept under a key.
    ///
    /// # Errors
    /// Why the storage cannot be read, for the agent.
    fn get(&self, storage: StorageType, key: &str) -> Result<Option<String>, String>;
}

/// The browser's storage, with the keys that the app opens.
#[derive(Clone, Copy, Debug)]
pub struct BrowserStorage(
    /// The keys that the agent may read.
    pub &'static [&'static str],
);

impl StoragePort for BrowserStorage {
    fn open_keys(&self) -> &[&str] {
        self.0
    }

    fn get(&self, storage: StorageType, key: &str) -> Result<Option<String>, String> {
        // Merely asking for it throws where the browser blocks it (F01).
        let area = web_sys::window().and_then(|window| {
            let area = match storage {
                StorageType::Local => window.local_storage(),
                StorageType::Session => window.session_storage(),
            };
            area.ok().flatten()
        });
        let value = area.and_then(|area| area.get_item(key).ok());
        value.ok_or_else(|| "the browser does not let this page use its storage".to_owned())
    }
}

/// Checks a call before the person is asked, and says what they will be asked: which key would be read.
///
/// # Errors
/// When the key is not open, or a secret by its name: the result to answer with.
pub fn confirm_read_storage(
    input: &Value,
    storage: &impl StoragePort,
    words: &PageWords,
) -> Result<String, ToolResult> {
    let (key, _) = checked(input, storage).map_err(|error| ToolResult::failed(error, words.not_read))?;
    Ok(fill(words.will_read, &[&shown(key)]))
}

/// Runs a call. The data is the value: parsed when its text begins with `{` or `[` and is JSON, else the text as it is
/// (`007` keeps its zeros), and null when there is none.
#[must_use]
pub fn read_storage(input: &Value, storage: &impl StoragePort, words: &PageWords) -> ToolResult {
    let failed = |error: String| ToolResult::failed(error, words.not_read);
    let (key, kind) = match checked(input, storage) {
        Ok(checked) => checked,
        Err(error) => return failed(error),
    };
    match storage.get(kind, key) {
        Err(error) => failed(error),
        Ok(None) => ToolResult::done(Value::Null, fill(words.nothing_kept, &[&shown(key)])),
        Ok(Some(text)) => match value(text) {
            Some(value) => ToolResult::done(value, fill(words.read, &[&shown(key)])),
            None => failed("what is kept there looks like a secret and is not read out".to_owned()),
        },
    }
}

fn checked<'a>(input: &'a Value, storage: &impl StoragePort) -> Result<(&'a str, StorageType), String> {
    let (key, kind) = read_input(input).map_err(|error| error.to_string())?;
    let open = storage.open_keys();
    if !open.contains(&key) {
        let open = if open.is_empty() { "none".to_owned() } else { open.join(", ") };
        return Err(["the app has not opened this key to the agent; open keys: ", &open].concat());
    }
    if is_secret_name(key) {
        return Err("this key names a secret, which is not read out".to_owned());
    }
    Ok((key, kind))
}

fn read_input(input: &Value) -> Result<(&str, StorageType), PlaceError> {
    let input = Place::root("", input);
    let kind = match input.present("storageType") {
        None => StorageType::Local,
        Some(kind) => match kind.text()? {
            "localStorage" => StorageType::Local,
            "sessionStorage" => StorageType::Session,
            _ => return kind.error("must be \"localStorage\" or \"sessionStorage\""),
        },
    };
    Ok((input.member("key").text()?, kind))
}

/// A kept text as a value; `None` when it holds a secret.
fn value(text: String) -> Option<Value> {
    if is_secret_value(&text) {
        return None;
    }
    if !text.starts_with(['{', '[']) {
        return Some(text.into());
    }
    match serde_json::from_str(&text) {
        Ok(value) if holds_secret(&value) => None,
        Ok(value) if keeps_its_digits(&value) => Some(value),
        _ => Some(text.into()),
    }
}

/// Whether a member that is named like a secret has a text.
fn holds_secret(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.iter().any(holds_secret),
        Value::Object(members) => members.iter().any(|(name, value)| {
            (is_secret_name(name) && value.as_str().is_some_and(|text| !text.is_empty()))
                || holds_secret(value)
        }),
        _ => false,
    }
}

/// Whether all its numbers are the same after JavaScript has read them: an id of 18 digits is not (F02).
fn keeps_its_digits(value: &Value) -> bool {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    match value {
        Value::Number(number) => number.as_f64().is_some_and(|number| number.abs() <= LARGEST),
        Value::Array(values) => values.iter().all(keeps_its_digits),
        Value::Object(members) => members.values().all(keeps_its_digits),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    struct Kept(Option<&'static str>);

    impl StoragePort for Kept {
        fn open_keys(&self) -> &[&str] {
            &["notes", "auth_token", "课程"]
        }

        fn get(&self, _: StorageType, _: &str) -> Result<Option<String>, String> {
            Ok(self.0.map(str::to_owned))
        }
    }

    fn read(text: &'static str) -> ToolResult {
        read_storage(&json!({"key": "notes"}), &Kept(Some(text)), &PageWords::EN)
    }

    #[test]
    fn case_f02_only_objects_and_lists_are_parsed_and_no_digit_is_lost() {
        for text in [
            "365500091735474177",
            "007",
            "true",
            "null",
            "\"quoted\"",
            "1e5",
            "[broken",
            "",
            " {\"a\":1}",
            "{\"id\":365500091735474177}",
            "[[1e300]]",
            "{",
            "[1] [2]",
        ] {
            assert_eq!(read(text), ToolResult::done(json!(text), "Read notes"), "{text}");
        }
        assert_eq!(read("{\"a\":1}").data, Some(json!({"a": 1})));
        assert_eq!(read("[\"007\",9007199254740991]").data, Some(json!(["007", 9_007_199_254_740_991_u64])));
        let missing = read_storage(&json!({"key": "notes"}), &Kept(None), &PageWords::EN);
        assert_eq!(missing, ToolResult::done(Value::Null, "Nothing is kept under notes"));
    }

    #[test]
    fn case_f04_secrets_are_refused_by_key_and_by_value_before_and_after_they_are_read() {
        for key in ["auth_token", "USER_INFO", "apiKey", "my.jwt", "praxis.token", "", "Notes"] {
            let input = json!({"key": key});
            let refused = confirm_read_storage(&input, &Kept(Some("x")), &PageWords::EN).unwrap_err();
            assert!(!refused.success);
            assert_eq!(read_storage(&input, &Kept(Some("x")), &PageWords::EN), refused, "{key}");
        }
        let secret = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
        for text in [
            secret,
            "Bearer abcdefghijklmnop",
            "sk-abcdefghijklmnopqrst",
            "{\"a\":[{\"apiKey\":\"x\"}]}",
            "{\"password\":\"x\"}",
            "[\"sk-abcdefghijklmnopqrst\"]",
        ] {
            let result = read(text);
            assert!(!result.success && result.data.is_none(), "{text}");
            assert!(!format!("{result:?}").contains(text));
        }
        // A member that only counts is no secret.
        assert_eq!(read("{\"tokens\":5}").data, Some(json!({"tokens": 5})));
    }

    #[test]
    fn e6_e9_the_confirmation_names_the_key_and_nothing_else() {
        let ask = |input: &Value, words| confirm_read_storage(input, &Kept(None), words);
        assert_eq!(
            ask(&json!({"key": "notes"}), &PageWords::ZH_CN).unwrap(),
            "将读取本浏览器里保存的数据：notes"
        );
        let error = ask(&json!({"key": "notes", "storageType": "cookie"}), &PageWords::EN).unwrap_err();
        assert_eq!(
            error.error.as_deref(),
            Some("storageType: must be \"localStorage\" or \"sessionStorage\"")
        );
        assert!(ask(&json!({"key": 5}), &PageWords::EN).is_err());
    }

    #[test]
    fn case_f01_a_storage_that_is_blocked_is_an_error_result() {
        struct Blocked;
        impl StoragePort for Blocked {
            fn open_keys(&self) -> &[&str] {
                &["notes"]
            }
            fn get(&self, _: StorageType, _: &str) -> Result<Option<String>, String> {
                Err("blocked".to_owned())
            }
        }
        let result = read_storage(&json!({"key": "notes"}), &Blocked, &PageWords::EN);
        assert_eq!(result, ToolResult::failed("blocked", "Nothing was read"));
    }
}
