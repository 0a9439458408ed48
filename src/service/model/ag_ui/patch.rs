//! JSON Patch (RFC 6902), by which an agent changes its state a piece at a time.

use serde_json::Value;

use crate::protocol::json_place::{Place, PlaceError};

/// Applies `patch`, a list of operations, to `document`: all of them or none.
///
/// # Errors
/// Names the operation that is malformed, or that leads nowhere in the document.
pub(super) fn apply(document: &mut Value, patch: &Place<'_>) -> Result<(), PlaceError> {
    let mut patched = document.clone();
    for operation in patch.elements()? {
        apply_one(&mut patched, &operation)?;
    }
    *document = patched;
    Ok(())
}

fn apply_one(document: &mut Value, operation: &Place<'_>) -> Result<(), PlaceError> {
    let nowhere = |place: Place<'_>| place.error("leads nowhere in the state");
    let path = operation.member("path");
    let value = || match operation.member("value") {
        Place { value: Some(value), .. } => Ok(value.clone()),
        place => place.error("is missing"),
    };
    let done = match operation.member("op").text()? {
        "add" => insert(document, path.text()?, value()?),
        "remove" => take(document, path.text()?).map(drop),
        "replace" => document.pointer_mut(path.text()?).map(replace_with(value()?)),
        "move" | "copy" => {
            let from = operation.member("from");
            let moved = if operation.member("op").text()? == "move" {
                take(document, from.text()?)
            } else {
                document.pointer(from.text()?).cloned()
            };
            match moved {
                Some(moved) => insert(document, path.text()?, moved),
                None => return nowhere(from),
            }
        }
        "test" => document
            .pointer(path.text()?)
            .filter(|found| Some(*found) == operation.member("value").value)
            .map(drop),
        _ => return operation.member("op").error("must be an operation of JSON Patch"),
    };
    done.map_or_else(|| nowhere(path), Ok)
}

fn replace_with(value: Value) -> impl FnOnce(&mut Value) {
    move |place| *place = value
}

/// The place's parent, and its name in it.
fn split(path: &str) -> Option<(&str, String)> {
    let (parent, name) = path.rsplit_once('/')?;
    Some((parent, name.replace("~1", "/").replace("~0", "~")))
}

fn insert(document: &mut Value, path: &str, value: Value) -> Option<()> {
    if path.is_empty() {
        *document = value;
        return Some(());
    }
    let (parent, name) = split(path)?;
    match document.pointer_mut(parent)? {
        Value::Object(object) => drop(object.insert(name, value)),
        Value::Array(list) => {
            let index = if name == "-" { list.len() } else { index(&name)? };
            if index > list.len() {
                return None;
            }
            list.insert(index, value);
        }
        _ => return None,
    }
    Some(())
}

fn take(document: &mut Value, path: &str) -> Option<Value> {
    if path.is_empty() {
        return Some(document.take());
    }
    let (parent, name) = split(path)?;
    match document.pointer_mut(parent)? {
        Value::Object(object) => object.shift_remove(&name),
        Value::Array(list) => {
            let index = index(&name)?;
            (index < list.len()).then(|| list.remove(index))
        }
        _ => None,
    }
}

/// An index as the RFC writes it: digits, without a zero in front.
fn index(name: &str) -> Option<usize> {
    let plain = name == "0" || !name.starts_with(['0', '+']);
    name.parse().ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn patched(mut document: Value, patch: Value) -> Result<Value, String> {
        apply(&mut document, &Place::root("delta", &patch)).map_err(|error| error.to_string())?;
        Ok(document)
    }

    #[test]
    fn each_operation_does_what_the_rfc_says() {
        let document = || json!({"list": [1, 2], "a/b": {"~": 1}});
        let cases = [
            (
                json!([{"op": "add", "path": "/new", "value": null}]),
                json!({"list": [1, 2], "a/b": {"~": 1}, "new": null}),
            ),
            (
                json!([{"op": "add", "path": "/list/1", "value": 9}]),
                json!({"list": [1, 9, 2], "a/b": {"~": 1}}),
            ),
            (
                json!([{"op": "add", "path": "/list/-", "value": 9}]),
                json!({"list": [1, 2, 9], "a/b": {"~": 1}}),
            ),
            (
                json!([{"op": "replace", "path": "/a~1b/~0", "value": 2}]),
                json!({"list": [1, 2], "a/b": {"~": 2}}),
            ),
            (json!([{"op": "remove", "path": "/list/0"}]), json!({"list": [2], "a/b": {"~": 1}})),
            (json!([{"op": "move", "from": "/a~1b", "path": "/c"}]), json!({"list": [1, 2], "c": {"~": 1}})),
            (
                json!([{"op": "copy", "from": "/list", "path": "/a~1b/l"}]),
                json!({"list": [1, 2], "a/b": {"~": 1, "l": [1, 2]}}),
            ),
            (json!([{"op": "test", "path": "/list/1", "value": 2}]), document()),
            (json!([{"op": "replace", "path": "", "value": [1]}]), json!([1])),
        ];
        for (patch, expected) in cases {
            assert_eq!(patched(document(), patch.clone()), Ok(expected), "{patch}");
        }
    }

    #[test]
    fn what_does_not_apply_is_named_and_changes_nothing() {
        let fails = |operation: Value| {
            let mut document = json!({"list": [1]});
            let patch = json!([{"op": "add", "path": "/x", "value": 1}, operation]);
            let error = apply(&mut document, &Place::root("delta", &patch)).expect_err("refused").to_string();
            assert_eq!(document, json!({"list": [1]}));
            error
        };
        assert_eq!(fails(json!({"op": "remove", "path": "/y"})), "delta[1].path: leads nowhere in the state");
        assert_eq!(
            fails(json!({"op": "add", "path": "/list/3", "value": 1})),
            "delta[1].path: leads nowhere in the state"
        );
        assert_eq!(
            fails(json!({"op": "add", "path": "/list/01", "value": 1})),
            "delta[1].path: leads nowhere in the state"
        );
        assert_eq!(
            fails(json!({"op": "move", "from": "/y", "path": "/z"})),
            "delta[1].from: leads nowhere in the state"
        );
        assert_eq!(
            fails(json!({"op": "test", "path": "/list/0", "value": 2})),
            "delta[1].path: leads nowhere in the state"
        );
        assert_eq!(fails(json!({"op": "add", "path": "/x"})), "delta[1].value: is missing");
        assert_eq!(
            fails(json!({"op": "turn", "path": "/x"})),
            "delta[1].op: must be an operation of JSON Patch"
        );
    }
}
