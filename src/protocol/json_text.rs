//! JSON text exactly as `JSON.stringify` writes it (K4, K10), so that equality and bytes agree between
//! values that Rust serialises and values that JavaScript does.

use std::io;

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{CompactFormatter, Formatter};

/// The JSON text of `value`: `83.0` is `83`, `-0.0` is `0`, NaN and the infinities are `null`.
///
/// # Errors
/// When `value` cannot be serialised: a map with keys that are no strings, a `Serialize` that fails.
pub fn to_json_text<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<String> {
    // By way of a `Value`, so that a page has one serializer for its types and the writer below only once.
    Ok(value_to_json_text(&serde_json::to_value(value)?))
}

/// The same for a [`Value`], which always has one.
#[must_use]
pub fn value_to_json_text(value: &Value) -> String {
    let mut bytes = Vec::new();
    // Neither a value's kinds nor memory refuse, and what is written is UTF-8.
    let _ = value.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, JavaScriptNumbers));
    String::from_utf8(bytes).unwrap_or_default()
}

/// What travels as text: a string as itself, any other value as its JSON text (K4, K10).
///
/// # Errors
/// As [`to_json_text`].
pub fn to_text<T: Serialize + ?Sized>(value: &T) -> serde_json::Result<String> {
    match serde_json::to_value(value)? {
        Value::String(text) => Ok(text),
        value => Ok(value_to_json_text(&value)),
    }
}

/// A number as JavaScript writes it: `83`, `1.25`, `NaN`.
#[must_use]
pub fn number_text(number: f64) -> String {
    ryu_js::Buffer::new().format(number).to_owned()
}

struct JavaScriptNumbers;

impl Formatter for JavaScriptNumbers {
    fn write_f32<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f32) -> io::Result<()> {
        self.write_f64(writer, f64::from(value))
    }

    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(ryu_js::Buffer::new().format_finite(value).as_bytes())
    }

    // JavaScript has no integers: beyond 2^53 they are rounded like every other number.
    fn write_u64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: u64) -> io::Result<()> {
        if value <= 1 << 53 {
            CompactFormatter.write_u64(writer, value)
        } else {
            self.write_f64(writer, value as f64)
        }
    }

    fn write_i64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: i64) -> io::Result<()> {
        if value.unsigned_abs() <= 1 << 53 {
            CompactFormatter.write_i64(writer, value)
        } else {
            self.write_f64(writer, value as f64)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn k10_numbers_are_written_as_javascript_writes_them() {
        let numbers = [83.0, -0.0, 1e21, 1e20, 1e-7, 5e-324, f64::NAN, f64::INFINITY];
        assert_eq!(
            to_json_text(&numbers).unwrap(),
            "[83,0,1e+21,100000000000000000000,1e-7,5e-324,null,null]"
        );
        assert_eq!(to_json_text(&9_007_199_254_740_993_u64).unwrap(), "9007199254740992");
        assert_eq!(
            to_json_text(&json!({"b": "é\u{2028}\n", "a": null})).unwrap(),
            "{\"b\":\"é\u{2028}\\n\",\"a\":null}"
        );
    }
}
