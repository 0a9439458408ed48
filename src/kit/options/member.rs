//! A value in what a page gave to `setOptions`, and where it stands there: what it must be is said where it is read, and
//! an error names the place.

use std::fmt;

use js_sys::{Array, JSON, Object, Reflect};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};

/// A bad value: which member, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("setOptions: {0}")]
pub struct OptionsError(pub String);

/// A value that the page gave, and where it stood.
pub(super) struct Member {
    pub(super) path: String,
    pub(super) value: JsValue,
}

/// An object that the page gave.
pub(super) struct Members {
    path: String,
    object: Object,
}

impl Members {
    fn member(&self, key: &str, value: JsValue) -> Member {
        Member { path: join(&self.path, key), value }
    }

    pub(super) fn absent(&self, key: &str) -> Member {
        self.member(key, JsValue::UNDEFINED)
    }

    /// The member of that name; `undefined` counts as absent.
    pub(super) fn get(&self, key: &str) -> Result<Option<Member>, JsValue> {
        let value = Reflect::get(&self.object, &JsValue::from_str(key))?;
        Ok((!value.is_undefined()).then(|| self.member(key, value)))
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<String>, JsValue> {
        self.get(key)?.map(|member| member.text()).transpose()
    }
}

impl Member {
    pub(super) fn error(&self, expected: impl fmt::Display) -> JsValue {
        let got = match self.value.as_string() {
            Some(text) => format!("{text:?}"),
            None if self.value.is_null() => "null".to_owned(),
            None if Array::is_array(&self.value) => "an array".to_owned(),
            None => self.value.js_typeof().as_string().unwrap_or_default(),
        };
        let place = if self.path.is_empty() { "the options" } else { &self.path };
        type_error(&OptionsError(format!("{place}: expected {expected}, got {got}")))
    }

    pub(super) fn error_because(&self, expected: &str, error: &dyn fmt::Display) -> JsValue {
        type_error(&OptionsError(format!("{}: expected {expected}: {error}", self.path)))
    }

    /// The members of an object; reports those that are not `known`.
    pub(super) fn members(&self, known: &[&str], unknown: &mut Vec<String>) -> Result<Members, JsValue> {
        if !self.value.is_object() || Array::is_array(&self.value) {
            return Err(self.error("an object"));
        }
        let object: Object = self.value.clone().unchecked_into();
        for key in Object::keys(&object).iter().filter_map(|key| key.as_string()) {
            if !known.contains(&key.as_str()) {
                unknown.push(join(&self.path, &key));
            }
        }
        Ok(Members { path: self.path.clone(), object })
    }

    pub(super) fn text(&self) -> Result<String, JsValue> {
        self.value.as_string().ok_or_else(|| self.error("a string"))
    }

    pub(super) fn choice<T: Copy>(&self, choices: &[(T, &str)]) -> Result<T, JsValue> {
        let name = self.value.as_string();
        let choice = choices.iter().find(|(_, choice)| Some(*choice) == name.as_deref());
        choice.map(|(value, _)| *value).ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(|(_, choice)| format!("{choice:?}")).collect();
            self.error(names.join(" or "))
        })
    }

    /// An `http` or `https` address, absolute.
    pub(super) fn address(&self) -> Result<String, JsValue> {
        let expected = "an http or https address without query, fragment and user name";
        let base = web_sys::window().and_then(|window| window.document()?.base_uri().ok().flatten());
        let text = self.text()?;
        let url = web_sys::Url::new_with_base(&text, &base.unwrap_or_default())
            .map_err(|_| self.error(expected))?;
        let href = url.href();
        // `search` and `hash` are empty for a lone `?` or `#`, which would swallow the paths that are appended.
        let fits = !text.trim().is_empty()
            && ["http:", "https:"].contains(&url.protocol().as_str())
            && !href.contains(['?', '#'])
            && url.username().is_empty()
            && url.password().is_empty();
        if fits { Ok(href) } else { Err(self.error(expected)) }
    }

    /// An object of header names and values. What a value says may be secret: no error repeats it.
    pub(super) fn headers(&self, has_token: bool) -> Result<Vec<(String, String)>, JsValue> {
        let object = Member { path: self.path.clone(), value: self.value.clone() };
        let object = object.members(&[], &mut Vec::new())?.object;
        let known = web_sys::Headers::new()?;
        let mut headers = Vec::new();
        for name in Object::keys(&object).iter().filter_map(|key| key.as_string()) {
            let value = Reflect::get(&object, &JsValue::from_str(&name))?;
            let value = Member { path: join(&self.path, &name), value }.text()?;
            let refuse =
                |problem: &str| type_error(&OptionsError([&join(&self.path, &name), ": ", problem].concat()));
            if known.append(&name, "").is_err() {
                return Err(refuse("expected the name of a header"));
            }
            if known.append(&name, &value).is_err() {
                return Err(refuse("expected a string that a header can carry"));
            }
            if ["accept", "content-type"].iter().any(|own| name.eq_ignore_ascii_case(own)) {
                return Err(refuse("expected a header that the element does not set itself"));
            }
            if has_token && name.eq_ignore_ascii_case("authorization") {
                return Err(refuse("expected no other authorization beside getToken"));
            }
            headers.push((name, value));
        }
        Ok(headers)
    }

    /// What `JSON.stringify` makes of the value.
    pub(super) fn json(&self) -> Result<Value, JsValue> {
        let expected = "a value that JSON can hold";
        let text = JSON::stringify(&self.value).ok().and_then(|text| text.as_string());
        let text = text.ok_or_else(|| self.error(expected))?;
        serde_json::from_str(&text).map_err(|error| self.error_because(expected, &error))
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// A `TypeError` that says `message`.
pub fn type_error(message: &dyn fmt::Display) -> JsValue {
    js_sys::TypeError::new(&message.to_string()).into()
}
