//! Calls put together from the pieces in which servers send them: each server in its own way.

use serde_json::Value;

use crate::protocol::json_text::value_to_json_text;
use crate::service::model::ModelCall;
use crate::service::model::halves::Halves;

/// How many calls a response has at most: far more than any that is meant.
pub(super) const MOST_CALLS: usize = 128;

/// The calls of a response, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Calls(Vec<Building>);

/// A call of which more may come.
#[derive(Debug)]
struct Building {
    /// `index`, where the server gives one.
    index: Option<u64>,
    call: ModelCall,
    depth: Depth,
}

/// How deep in brackets the arguments are that have come so far. They are looked at once, as they come: to read them
/// again with each piece would cost the square of their length.
#[derive(Debug, Default)]
struct Depth {
    brackets: usize,
    in_string: bool,
    escaped: bool,
    closed: bool,
}

impl Depth {
    fn take(&mut self, text: &str) {
        for byte in text.bytes() {
            match (self.in_string, byte) {
                (true, _) if self.escaped => self.escaped = false,
                (true, b'\\') => self.escaped = true,
                (_, b'"') => self.in_string = !self.in_string,
                (false, b'{' | b'[') => self.brackets += 1,
                (false, b'}' | b']') => {
                    self.brackets = self.brackets.saturating_sub(1);
                    self.closed = true;
                }
                _ => {}
            }
        }
    }

    /// Whether all that was opened has been closed, and nothing can follow.
    fn is_whole(&self) -> bool {
        self.closed && self.brackets == 0 && !self.in_string
    }
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
    /// Takes the next piece; `false` where there are more calls than a response may have.
    #[must_use]
    pub(super) fn take(&mut self, piece: &Value) -> bool {
        let read = Piece::of(piece);
        let place = self.place(&read);
        let means_something = !read.id.is_empty() || !read.name.is_empty() || read.arguments.is_some();
        if place.is_none() && means_something {
            if self.0.len() == MOST_CALLS {
                return false;
            }
            let call = ModelCall::new("", "", "");
            self.0.push(Building { index: read.index, call, depth: Depth::default() });
        }
        let place = place.unwrap_or(self.0.len().saturating_sub(1));
        let Some(building) = self.0.get_mut(place) else { return true };
        let Building { call, depth, .. } = building;
        if call.id.is_empty() {
            call.id.push_str(read.id);
        }
        // A name may be cut, and it may be said again with each piece.
        if call.name != read.name {
            call.name.push_str(read.name);
        }
        match read.arguments {
            Some(Value::String(text)) => {
                depth.take(text);
                call.arguments.push_str(text);
            }
            Some(other) => {
                let text = value_to_json_text(other);
                depth.take(&text);
                call.arguments.push_str(&text);
            }
            None => {}
        }
        let known = ["index", "id", "type", "function"];
        for (name, value) in piece.as_object().into_iter().flatten() {
            if !known.contains(&name.as_str()) {
                call.extra.insert(name.clone(), value.clone());
            }
        }
        true
    }

    /// The call that a piece goes on with; `None` where it begins one.
    fn place(&self, piece: &Piece<'_>) -> Option<usize> {
        let has_index = |other: &Building| piece.index.is_none_or(|index| other.index == Some(index));
        let has_id = |other: &Building| has_index(other) && other.call.id == piece.id;
        let of_id = if piece.id.is_empty() { None } else { self.0.iter().rposition(has_id) };
        let place = match piece.index {
            Some(_) => of_id.or_else(|| self.0.iter().rposition(has_index))?,
            None if piece.id.is_empty() => self.0.len().checked_sub(1)?,
            None => of_id?,
        };
        let Building { call, depth, .. } = self.0.get(place)?;
        // All calls have one index, or one id, and what comes is another one's beginning.
        let other_id = !piece.id.is_empty() && !call.id.is_empty() && piece.id != call.id;
        let begins_anew = !piece.name.is_empty() && brings_arguments(piece.arguments) && depth.is_whole();
        let unnamed = piece.index.is_none() && piece.id.is_empty() && !piece.name.is_empty();
        (!other_id && !begins_anew && !unnamed).then_some(place)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The calls.
    pub(super) fn finish(self) -> impl Iterator<Item = ModelCall> {
        self.0.into_iter().map(|Building { mut call, .. }| {
            call.arguments = Halves::joined(&call.arguments);
            call
        })
    }
}

fn brings_arguments(arguments: Option<&Value>) -> bool {
    arguments.is_some_and(|arguments| arguments.as_str().is_none_or(|text| !text.trim().is_empty()))
}
