//! Calls put together from the pieces in which servers send them: each server in its own way.

use serde_json::Value;

use crate::protocol::JsonObject;
use crate::protocol::json_text::value_to_json_text;
use crate::service::model::ModelCall;

/// The calls of a response, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Calls(Vec<Building>);

/// A call of which more may come.
#[derive(Debug)]
struct Building {
    /// `index`, where the server gives one.
    index: Option<u64>,
    call: ModelCall,
}

/// A piece of a call, with everything that means nothing taken for absent.
struct Piece<'a> {
    index: Option<u64>,
    id: &'a str,
    name: &'a str,
    arguments: Option<&'a Value>,
}

impl<'a> Piece<'a> {
    fn of(piece: &'a Value) -> Self {
        let function = piece.get("function").unwrap_or(&Value::Null);
        let text = |value: Option<&'a Value>| value.and_then(Value::as_str).unwrap_or_default();
        Self {
            index: piece.get("index").and_then(Value::as_u64),
            id: text(piece.get("id")),
            name: text(function.get("name")),
            arguments: function.get("arguments").filter(|arguments| !arguments.is_null()),
        }
    }
}

impl Calls {
    /// Takes the next piece.
    pub(super) fn take(&mut self, piece: &Value) {
        let read = Piece::of(piece);
        let place = self.place(&read);
        let means_something = !read.id.is_empty() || !read.name.is_empty() || read.arguments.is_some();
        if place.is_none() && means_something {
            self.0.push(Building { index: read.index, call: ModelCall::new("", "", "") });
        }
        let place = place.unwrap_or(self.0.len().saturating_sub(1));
        let Some(building) = self.0.get_mut(place) else { return };
        let call = &mut building.call;
        if call.id.is_empty() {
            call.id.push_str(read.id);
        }
        // A name may be cut, and it may be said again with each piece.
        if call.name != read.name {
            call.name.push_str(read.name);
        }
        match read.arguments {
            Some(Value::String(text)) => call.arguments.push_str(text),
            Some(other) => call.arguments.push_str(&value_to_json_text(other)),
            None => {}
        }
        let known = ["index", "id", "type", "function"];
        for (name, value) in piece.as_object().into_iter().flatten() {
            if !known.contains(&name.as_str()) {
                call.extra.insert(name.clone(), value.clone());
            }
        }
    }

    /// The call that a piece goes on with; `None` where it begins one.
    fn place(&self, piece: &Piece<'_>) -> Option<usize> {
        let place = match piece.index {
            Some(index) => self.0.iter().rposition(|other| other.index == Some(index))?,
            None if piece.id.is_empty() => self.0.len().checked_sub(1)?,
            None => self.0.iter().rposition(|other| other.call.id == piece.id)?,
        };
        let call = &self.0.get(place)?.call;
        // All calls have one index, or one id, and what comes is another one's beginning.
        let other_id = !piece.id.is_empty() && !call.id.is_empty() && piece.id != call.id;
        let begins_anew =
            !piece.name.is_empty() && brings_arguments(piece.arguments) && is_whole(&call.arguments);
        let unnamed = piece.index.is_none() && piece.id.is_empty() && !piece.name.is_empty();
        (!other_id && !begins_anew && !unnamed).then_some(place)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The calls.
    pub(super) fn finish(self) -> impl Iterator<Item = ModelCall> {
        self.0.into_iter().map(|building| building.call)
    }
}

fn brings_arguments(arguments: Option<&Value>) -> bool {
    arguments.is_some_and(|arguments| arguments.as_str().is_none_or(|text| !text.trim().is_empty()))
}

fn is_whole(arguments: &str) -> bool {
    serde_json::from_str::<JsonObject>(arguments).is_ok()
}
