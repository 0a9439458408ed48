//! What a handler may give back, and the value that becomes of it (K4).
//!
//! One trait takes plain values, `Result`s and futures of either, so that closures need no annotations. The
//! parameter `Kind` is what keeps the implementations apart; the compiler finds it, nobody writes it.

use std::error::Error;

use futures_util::future::{FutureExt, ready};
use js_sys::{JSON, Reflect};
use serde::Serialize;
use serde::ser::{self, Impossible, Serializer};
use serde_json::Value;
use wasm_bindgen::JsValue;

use super::{HandlerOutcome, ToolResult};
use crate::protocol::json_text::value_to_json_text;

/// What the error result says when the error itself says nothing.
const NO_TEXT: &str = "tool failed";

/// What a handler gave back, when it was no error.
#[derive(Clone, Debug, PartialEq)]
pub enum HandlerValue {
    /// `()`.
    Nothing,
    /// Any other value.
    Value(Value),
    /// All that a front-end tool may say.
    Result(ToolResult),
}

impl HandlerValue {
    /// Says it to people in these words, where the handler has not said it itself.
    pub(super) fn summarise(&mut self, summary: String) {
        let data = match std::mem::replace(self, Self::Nothing) {
            Self::Nothing => None,
            Self::Value(data) => Some(data),
            Self::Result(mut result) => {
                if result.success && result.summary.is_empty() {
                    result.summary = summary;
                }
                *self = Self::Result(result);
                return;
            }
        };
        *self = Self::Result(ToolResult::done(data, summary));
    }
}

/// What a handler may give back. Of a plain tool it becomes this text; of a front-end tool the `data` or the `error` of
/// its [`ToolResult`]:
///
/// | it gives | the agent gets |
/// |---|---|
/// | a string | the string itself |
/// | `()` | the empty string |
/// | any other `Serialize` value | its JSON text, as `JSON.stringify` writes it |
/// | `Ok(value)` | what `value` would give |
/// | `Err(error)` that is `Serialize` | an error: a string as itself, else the non-empty `message` member, else its JSON text |
/// | `Err(error)` that is [`std::error::Error`] (and not `Serialize`), or `Box<dyn Error>` | an error: its `Display` text |
/// | a [`ToolResult`] | its JSON; an error where it was no success |
/// | what [`ToolHandler::call`](super::ToolHandler::call) gives | what that handler gave |
/// | `Err(error)` that is a [`JsValue`] | an error: what a `throw` of it would give (K4) |
/// | a value that cannot be serialised | an error that says why |
/// | a `'static` future of any of these | the same, later |
///
/// An error type that is both `Serialize` and [`std::error::Error`] leaves two ways open and the compiler asks
/// which: say it with `.map_err(|error| error.to_string())`.
#[diagnostic::on_unimplemented(
    message = "a tool's handler cannot give back `{Self}`",
    note = "it may give a `Serialize` value, `()`, a `Result` whose error is `Serialize`, `std::error::Error` or `JsValue`, or a `'static` future of one of these"
)]
pub trait ToolOutput<Kind> {
    /// The value, or the text of the error.
    fn into_outcome(self) -> HandlerOutcome;
}

/// A [`Serialize`] value, a `Result` of two such values included.
pub enum ByValue {}
/// A `Result` whose error is a [`std::error::Error`].
pub enum ByError {}
/// A `Result` whose error is a boxed [`std::error::Error`].
pub enum ByBoxedError {}
/// A `Result` whose error is a [`JsValue`].
pub enum ByJsError {}
/// A [`ToolResult`].
pub enum ByToolResult {}
/// What another handler gave back.
pub enum ByHandler {}
/// A future whose output is of the kind `Kind`.
pub struct ByFuture<Kind>(std::marker::PhantomData<Kind>);

impl<T: Serialize> ToolOutput<ByValue> for T {
    fn into_outcome(self) -> HandlerOutcome {
        settled(take_apart(&self))
    }
}

impl<T: Serialize, E: Error> ToolOutput<ByError> for Result<T, E> {
    fn into_outcome(self) -> HandlerOutcome {
        settled(self.map_err(|error| error.to_string()).and_then(|value| take_apart(&value)))
    }
}

impl<T: Serialize> ToolOutput<ByBoxedError> for Result<T, Box<dyn Error>> {
    fn into_outcome(self) -> HandlerOutcome {
        settled(self.map_err(|error| error.to_string()).and_then(|value| take_apart(&value)))
    }
}

impl<T: Serialize> ToolOutput<ByJsError> for Result<T, JsValue> {
    fn into_outcome(self) -> HandlerOutcome {
        settled(self.map_err(|error| js_error_text(&error)).and_then(|value| take_apart(&value)))
    }
}

impl ToolOutput<ByToolResult> for ToolResult {
    fn into_outcome(self) -> HandlerOutcome {
        settled(Ok(HandlerValue::Result(self)))
    }
}

impl ToolOutput<ByHandler> for Result<HandlerValue, String> {
    fn into_outcome(self) -> HandlerOutcome {
        settled(self)
    }
}

impl<F, Kind: 'static> ToolOutput<ByFuture<Kind>> for F
where
    F: Future + 'static,
    F::Output: ToolOutput<Kind>,
{
    fn into_outcome(self) -> HandlerOutcome {
        Box::pin(self.then(ToolOutput::into_outcome))
    }
}

/// An outcome that is there already.
pub(super) fn settled(outcome: Result<HandlerValue, String>) -> HandlerOutcome {
    Box::pin(ready(outcome.map_err(or_no_text)))
}

fn or_no_text(text: String) -> String {
    if text.is_empty() { NO_TEXT.to_owned() } else { text }
}

/// The text of what JavaScript threw (K4): its non-empty `message`, else the thrown string, else its JSON,
/// else `tool failed`.
#[must_use]
pub fn js_error_text(error: &JsValue) -> String {
    let message = Reflect::get(error, &JsValue::from_str("message")).ok().and_then(|text| text.as_string());
    message
        .filter(|text| !text.is_empty())
        .or_else(|| error.as_string())
        .or_else(|| JSON::stringify(error).ok().and_then(|text| text.as_string()))
        .map_or_else(|| NO_TEXT.to_owned(), or_no_text)
}

/// A value's JSON. `()` and a top-level `Result` are seen here, and only here: further in they are the JSON
/// that serde makes of them.
fn take_apart<T: Serialize>(value: &T) -> Result<HandlerValue, String> {
    match value.serialize(TopLevel) {
        Ok(Layer::Nothing) => Ok(HandlerValue::Nothing),
        Ok(Layer::Result(outcome)) => outcome,
        Err(Plain) => value_of(value),
    }
}

fn value_of<T: Serialize + ?Sized>(value: &T) -> Result<HandlerValue, String> {
    serde_json::to_value(value).map(HandlerValue::Value).map_err(|error| error.to_string())
}

fn error_text<T: Serialize + ?Sized>(error: &T) -> String {
    match serde_json::to_value(error) {
        Ok(Value::String(text)) => text,
        Ok(Value::Object(members)) if members.get("message").is_some_and(is_text) => {
            members.get("message").and_then(Value::as_str).unwrap_or_default().to_owned()
        }
        Ok(other) => value_to_json_text(&other),
        Err(problem) => problem.to_string(),
    }
}

fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}

/// Looks at the outermost layer of a value only: serde shows a `Result` as a newtype variant of an enum with
/// that name.
struct TopLevel;

/// "Neither `()` nor a `Result`": found before anything was serialised.
#[derive(Debug, thiserror::Error)]
#[error("a plain value")]
struct Plain;

impl ser::Error for Plain {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self
    }
}

/// What the outermost layer was, when it is one of the two that count.
enum Layer {
    Nothing,
    Result(Result<HandlerValue, String>),
}

macro_rules! plain {
    ($($method:ident($($argument:ty),*) -> $result:ty;)*) => {
        $(fn $method(self, $(_: $argument),*) -> Result<$result, Plain> { Err(Plain) })*
    };
}

impl Serializer for TopLevel {
    type Ok = Layer;
    type Error = Plain;
    type SerializeSeq = Impossible<Layer, Plain>;
    type SerializeTuple = Impossible<Layer, Plain>;
    type SerializeTupleStruct = Impossible<Layer, Plain>;
    type SerializeTupleVariant = Impossible<Layer, Plain>;
    type SerializeMap = Impossible<Layer, Plain>;
    type SerializeStruct = Impossible<Layer, Plain>;
    type SerializeStructVariant = Impossible<Layer, Plain>;

    fn serialize_unit(self) -> Result<Layer, Plain> {
        Ok(Layer::Nothing)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Layer, Plain> {
        match (name, variant) {
            // Only one layer of `Result` is taken apart, but `Ok(())` is nothing.
            ("Result", "Ok") => Ok(match value.serialize(TopLevel) {
                Ok(Layer::Nothing) => Layer::Nothing,
                _ => Layer::Result(value_of(value)),
            }),
            ("Result", "Err") => Ok(Layer::Result(Err(error_text(value)))),
            _ => Err(Plain),
        }
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<Layer, Plain> {
        Err(Plain)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<Layer, Plain> {
        Err(Plain)
    }

    plain! {
        serialize_bool(bool) -> Layer;
        serialize_i8(i8) -> Layer;
        serialize_i16(i16) -> Layer;
        serialize_i32(i32) -> Layer;
        serialize_i64(i64) -> Layer;
        serialize_u8(u8) -> Layer;
        serialize_u16(u16) -> Layer;
        serialize_u32(u32) -> Layer;
        serialize_u64(u64) -> Layer;
        serialize_f32(f32) -> Layer;
        serialize_f64(f64) -> Layer;
        serialize_char(char) -> Layer;
        serialize_str(&str) -> Layer;
        serialize_bytes(&[u8]) -> Layer;
        serialize_none() -> Layer;
        serialize_unit_struct(&'static str) -> Layer;
        serialize_unit_variant(&'static str, u32, &'static str) -> Layer;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct(&'static str, usize) -> Self::SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }
}
