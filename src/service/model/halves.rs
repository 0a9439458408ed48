//! Characters that come in halves: gateways that cut a text by UTF-16 units put half of an emoji's surrogate pair into one
//! piece and the other half into the next, each as an escape that is no JSON by itself.
//!
//! Such a half is read as a stand-in, and put together with its other half where the pieces are.

use serde_json::Value;

/// Stand for the halves, U+D800 to U+DFFF, while a text is put together: the end of the last plane for private use. No
/// text is expected to have such characters; one that has gets U+FFFD for them.
const STAND_INS: u32 = 0x10_F800;
const HIGH: std::ops::Range<u32> = 0xD800..0xDC00;
const LOW: std::ops::Range<u32> = 0xDC00..0xE000;
/// What a stand-in's UTF-8 begins with, and hardly any other character's.
const FIRST_BYTE: u8 = 0xF4;

/// Reads JSON whose texts may hold halves, as their stand-ins.
///
/// # Errors
/// When it is no JSON all the same.
pub(super) fn read_json(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| match with_stand_ins(text) {
        Some(text) => serde_json::from_str(&text),
        None => Err(error),
    })
}

/// The same JSON without escapes of lone halves; `None` where it has none.
fn with_stand_ins(json: &str) -> Option<String> {
    let (mut written, mut rest, mut found) = (String::new(), json, false);
    while let Some((before, escape)) = rest.find('\\').and_then(|at| rest.split_at_checked(at)) {
        written.push_str(before);
        let next = escape.get(6..).and_then(escaped_unit);
        let length = match escaped_unit(escape) {
            Some(high) if HIGH.contains(&high) && next.is_some_and(|next| LOW.contains(&next)) => 12,
            Some(half) if HIGH.contains(&half) || LOW.contains(&half) => {
                found = true;
                written.extend(char::from_u32(STAND_INS + half - HIGH.start));
                rest = escape.get(6..).unwrap_or_default();
                continue;
            }
            _ => escape.chars().take(2).map(char::len_utf8).sum(),
        };
        let (escape, after) = escape.split_at_checked(length)?;
        written.push_str(escape);
        rest = after;
    }
    written.push_str(rest);
    found.then_some(written)
}

/// The unit that a text's first escape, such as `\ud83d`, stands for.
fn escaped_unit(escape: &str) -> Option<u32> {
    let digits = escape.strip_prefix("\\u")?.get(..4)?;
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)
}

/// Puts a text together that comes in pieces. A half whose other half does not come is U+FFFD.
#[derive(Debug, Default)]
pub(super) struct Halves {
    /// The half that waits for its other one.
    high: Option<u32>,
}

impl Halves {
    /// The next piece, as far as its characters are whole.
    pub(super) fn join(&mut self, piece: &str) -> String {
        if self.high.is_none() && !piece.as_bytes().contains(&FIRST_BYTE) {
            return piece.to_owned();
        }
        let mut text = String::with_capacity(piece.len());
        for character in piece.chars() {
            let half = (character as u32).checked_sub(STAND_INS).map(|half| half + HIGH.start);
            let half = half.filter(|half| *half < LOW.end);
            if let (Some(high), Some(low)) = (self.high, half.filter(|half| LOW.contains(half))) {
                self.high = None;
                text.extend(char::from_u32(0x1_0000 + ((high - HIGH.start) << 10) + (low - LOW.start)));
                continue;
            }
            text.push_str(self.end());
            match half {
                Some(high) if HIGH.contains(&high) => self.high = Some(high),
                Some(_) => text.push(char::REPLACEMENT_CHARACTER),
                None => text.push(character),
            }
        }
        text
    }

    /// What is left of the text when it is over.
    pub(super) fn end(&mut self) -> &'static str {
        match self.high.take() {
            Some(_) => "\u{FFFD}",
            None => "",
        }
    }

    /// All the texts of a value, names apart.
    pub(super) fn join_in(value: &mut Value) {
        match value {
            Value::String(text) if text.as_bytes().contains(&FIRST_BYTE) => *text = Self::joined(text),
            Value::Array(values) => values.iter_mut().for_each(Self::join_in),
            Value::Object(members) => members.values_mut().for_each(Self::join_in),
            _ => {}
        }
    }

    /// A whole text.
    pub(super) fn joined(text: &str) -> String {
        let mut halves = Self::default();
        let mut joined = halves.join(text);
        joined.push_str(halves.end());
        joined
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn halves_are_read_and_everything_else_is_as_it_was() {
        let text = |json: &str| read_json(json).map(|value| Halves::joined(value.as_str().unwrap()));
        assert_eq!(text(r#""a\ud83db""#).unwrap(), "a\u{FFFD}b");
        assert_eq!(text(r#""a\udE00\ud83d""#).unwrap(), "a\u{FFFD}\u{FFFD}");
        assert_eq!(text(r#""\ud83d\ud83d\ude00\\ud83d\n\"""#).unwrap(), "\u{FFFD}😀\\ud83d\n\"");
        for broken in [r#""\ud83d"#, r#""\ud83d\"#, r#""\ud83d\u12""#, r#""\u+12f\ud83d""#, "\\", "{"] {
            assert!(read_json(broken).is_err(), "{broken}");
        }
    }

    proptest! {
        /// However a text is cut into pieces of UTF-16, it is put together again, what is no text is replaced, and
        /// nothing is lost.
        #[test]
        fn a_text_in_pieces_is_the_text(
            units in prop::collection::vec(prop_oneof![0..0xD800_u16, 0xD800..0xDBFE_u16, 0xDC00..=0xFFFF_u16], 0..40),
            cuts in prop::collection::vec(0..41_usize, 0..6),
        ) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(units.len())).collect();
            cuts.extend([0, units.len()]);
            cuts.sort_unstable();
            let mut halves = Halves::default();
            let mut text = String::new();
            for cut in cuts.windows(2) {
                let escapes: String = units[cut[0]..cut[1]].iter().map(|unit| format!("\\u{unit:04x}")).collect();
                let piece = read_json(&format!("\"{escapes}\"")).unwrap();
                text.push_str(&halves.join(piece.as_str().unwrap()));
            }
            text.push_str(halves.end());
            prop_assert_eq!(text, String::from_utf16_lossy(&units));
        }
    }
}
