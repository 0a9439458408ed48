//! JSON Patch (RFC 6902), by which an agent changes its state a piece at a time.

use serde_json::Value;

use crate::protocol::json_place::{Place, PlaceError};

/// How deep a state nests at most, as any JSON from outside.
const DEEPEST: usize = 128;

/// Applies `patch`, a list of operations, to `document`. Copies may take up `room` in all: each could double the
/// document.
///
/// # Errors
/// Names the operation that is malformed, leads nowhere in the document or finds no room; those before it are done.
pub(super) fn apply(document: &mut Value, patch: &Place<'_>, room: &mut usize) -> Result<(), PlaceError> {
    patch.elements()?.iter().try_for_each(|operation| apply_one(document, operation, room))
}

fn apply_one(document: &mut Value, operation: &Place<'_>, room: &mut usize) -> Result<(), PlaceError> {
    let nowhere = |place: &Place<'_>| PlaceError {
        path: place.path.clone(),
        problem: "leads nowhere in the state".to_owned(),
    };
    let (op, path, from) = (operation.member("op"), operation.member("path"), operation.member("from"));
    let target = path.text()?;
    let value = match op.text()? {
        "remove" => None,
        "add" | "replace" | "test" => match operation.member("value") {
            Place { value: Some(value), .. } => Some(value.clone()),
            place => return place.error("is missing"),
        },
        "move" => Some(take(document, from.text()?).ok_or_else(|| nowhere(&from))?),
        "copy" => {
            let copied = document.pointer(from.text()?).ok_or_else(|| nowhere(&from))?;
            match room.checked_sub(size(copied)) {
                Some(left) => *room = left,
                None => return from.error("makes the state too large"),
            }
            Some(copied.clone())
        }
        _ => return op.error("must be an operation of JSON Patch"),
    };
    if value.as_ref().is_some_and(|value| depth(value) + target.matches('/').count() > DEEPEST) {
        return path.error("makes the state nest too deep");
    }
    let done = match (op.text()?, value) {
        ("test", value) => document.pointer(target).filter(|found| Some(*found) == value.as_ref()).map(drop),
        ("replace", Some(value)) => document.pointer_mut(target).map(|place| *place = value),
        (_, Some(value)) => insert(document, target, value),
        (_, None) => take(document, target).map(drop),
    };
    done.ok_or_else(|| nowhere(&path))
}

/// About how many bytes a value takes up.
fn size(value: &Value) -> usize {
    16 + match value {
        Value::String(text) => text.len(),
        Value::Array(list) => list.iter().map(size).sum(),
        Value::Object(object) => object.iter().map(|(name, value)| name.len() + size(value)).sum(),
        _ => 0,
    }
}

/// How deep a value nests.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(list) => 1 + list.iter().map(depth).max().unwrap_or(0),
        Value::Object(object) => 1 + object.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
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
        apply(&mut document, &Place::root("delta", &patch), &mut 1000).map_err(|error| error.to_string())?;
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
    fn what_is_taken_out_leaves_the_order_of_the_rest() {
        let patch = json!([{"op": "remove", "path": "/a"}, {"op": "move", "from": "/b", "path": "/e"}]);
        let left = patched(json!({"a": 1, "b": 2, "c": 3, "d": 4}), patch).unwrap();
        assert_eq!(left.to_string(), r#"{"c":3,"d":4,"e":2}"#);
    }

    #[test]
    fn what_does_not_apply_is_named() {
        let fails = |operation: Value| {
            let patch = json!([{"op": "add", "path": "/x", "value": 1}, operation]);
            patched(json!({"list": [1]}), patch).expect_err("refused")
        };
        let nowhere = [
            (json!({"op": "remove", "path": "/y"}), "path"),
            (json!({"op": "replace", "path": "/y", "value": 1}), "path"),
            (json!({"op": "add", "path": "/list/3", "value": 1}), "path"),
            (json!({"op": "remove", "path": "/list/1"}), "path"),
            (json!({"op": "remove", "path": "/list/-"}), "path"),
            (json!({"op": "add", "path": "/list/01", "value": 1}), "path"),
            (json!({"op": "move", "from": "/y", "path": "/z"}), "from"),
            (json!({"op": "copy", "from": "/y", "path": "/z"}), "from"),
            (json!({"op": "test", "path": "/list/0", "value": 2}), "path"),
        ];
        for (operation, place) in nowhere {
            let expected = ["delta[1].", place, ": leads nowhere in the state"].concat();
            assert_eq!(fails(operation.clone()), expected, "{operation}");
        }
        assert_eq!(fails(json!({"op": "add", "path": "/x"})), "delta[1].value: is missing");
        assert_eq!(
            fails(json!({"op": "turn", "path": "/x"})),
            "delta[1].op: must be an operation of JSON Patch"
        );
    }

    #[test]
    fn a_short_patch_makes_no_huge_state() {
        let copies = |from: &str, path: &str, times| -> Value {
            std::iter::repeat_n(json!({"op": "copy", "from": from, "path": path}), times).collect()
        };
        let doubled = patched(json!([["a long enough text"]]), copies("", "/-", 40));
        assert!(doubled.expect_err("refused").ends_with(".from: makes the state too large"));
        let mut deep = json!({});
        let patch = copies("", "/a", 200);
        let nested = apply(&mut deep, &Place::root("delta", &patch), &mut 1_000_000);
        assert_eq!(
            nested.expect_err("refused").to_string(),
            "delta[127].path: makes the state nest too deep"
        );
        assert_eq!(depth(&deep), 128);
    }
}
