//! JSON for the codecs, in plain calls: what `json!` writes out at each place costs a page more than all of this.

use serde_json::Value;

use crate::protocol::JsonObject;

/// An object of these members; their values are taken.
#[inline(never)]
pub(super) fn object(members: &mut [(&str, Value)]) -> Value {
    let mut object = JsonObject::new();
    for (name, value) in members {
        object.insert((*name).to_owned(), value.take());
    }
    Value::Object(object)
}

/// Sets a member of an object.
#[inline(never)]
pub(super) fn set(object: &mut Value, name: &str, value: Value) {
    if let Value::Object(object) = object {
        object.insert(name.to_owned(), value);
    }
}

/// A member; `null` where it is absent.
#[inline(never)]
pub(super) fn member<'a>(value: &'a Value, name: &str) -> &'a Value {
    value.get(name).unwrap_or(&Value::Null)
}

/// A member's text; nothing where there is none.
#[inline(never)]
pub(super) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    member(value, name).as_str().unwrap_or_default()
}

/// A member's elements; none where there is no list.
#[inline(never)]
pub(super) fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    member(value, name).as_array().map_or(&[], Vec::as_slice)
}
