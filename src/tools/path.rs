//! Which paths lead to a page of this application (E14), as a pure judgement of the text.
//!
//! It must not know a router or a browser. Instead of following what each URL parser makes of odd text, it refuses
//! whatever parsers do not all read alike; what it lets through means the same to every one of them.

use std::fmt;

use serde_json::{Map, Value};

/// The most bytes of a path with its query.
const LONGEST: usize = 2048;
/// So often is a path decoded to see what it might still become.
const MOST_DECODINGS: usize = 5;

/// A path of this application with its query and fragment, free of the application's base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InAppPath {
    text: String,
    path_end: usize,
    query_end: usize,
}

/// Why a text is no path of this application. The messages are for the agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// It does not begin with one slash: a scheme, another host, or a path from somewhere.
    #[error("the path must begin with one `/`, as in `/lessons/2`: only pages of this app can be opened")]
    NotInApp,
    /// It holds a character that browsers drop or read as another one.
    #[error("the path must hold no {0}")]
    Character(&'static str),
    /// A segment such as `..`, whatever its encoding.
    #[error("the path must hold no `.` or `..` segments, encoded or not")]
    DotSegment,
    /// An escape that is none, is no UTF-8, or hides others too deep.
    #[error("the path must hold no broken or repeated percent-encoding")]
    Encoding,
    /// It is too long.
    #[error("the path must have at most {LONGEST} bytes")]
    TooLong,
    /// A `:name` of the path is not among the parameters, or empty.
    #[error("`params` must give a value for `:{0}` in the path")]
    NoParameter(String),
    /// A parameter that cannot stand in an address.
    #[error("`params.{0}` must be a string, a number, true or false")]
    Parameter(String),
}

impl InAppPath {
    /// Checks a path such as `/lessons/2?t=83`.
    ///
    /// # Errors
    /// For everything that leaves the application or that might: see [`PathError`].
    pub fn new(text: impl Into<String>) -> Result<Self, PathError> {
        let text = text.into();
        if text.len() > LONGEST {
            return Err(PathError::TooLong);
        }
        if !text.starts_with('/') || text.starts_with("//") {
            return Err(PathError::NotInApp);
        }
        readable(&text)?;
        if text.ends_with(char::is_whitespace) {
            return Err(PathError::Character("spaces at its end"));
        }
        let query_end = text.find('#').unwrap_or(text.len());
        let path_end = text.get(..query_end).and_then(|before| before.find('?')).unwrap_or(query_end);
        let path = Self { text, path_end, query_end };
        leads_down(path.path())?;
        Ok(path)
    }

    /// The path of a template: `params` fill its `:name` segments, the rest becomes the query.
    ///
    /// ```
    /// use praxis::tools::InAppPath;
    /// use serde_json::json;
    ///
    /// let params = json!({"number": 2, "t": 83});
    /// let path = InAppPath::with_params("/lessons/:number", params.as_object()).unwrap();
    /// assert_eq!(path.to_string(), "/lessons/2?t=83");
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new), for the template and for what it becomes; when a `:name` has no value, or a value is an
    /// object, a list or null.
    pub fn with_params(template: &str, params: Option<&Map<String, Value>>) -> Result<Self, PathError> {
        let template = Self::new(template)?;
        let mut rest: Vec<(&str, String)> = Vec::new();
        for (name, value) in params.into_iter().flatten() {
            rest.push((name, parameter(name, value)?));
        }
        let mut segments = Vec::new();
        let mut used: Vec<&str> = Vec::new();
        for segment in template.path().split('/') {
            match segment.strip_prefix(':').filter(|name| !name.is_empty()) {
                Some(name) => match rest.iter().find(|(given, _)| *given == name) {
                    Some((given, value)) if !value.is_empty() => {
                        used.push(*given);
                        segments.push(encoded(value));
                    }
                    _ => return Err(PathError::NoParameter(name.to_owned())),
                },
                None => segments.push(segment.to_owned()),
            }
        }
        rest.retain(|(name, _)| !used.contains(name));
        let mut text = segments.join("/");
        text.push_str(template.query());
        for (name, value) in &rest {
            let separator = if text.contains('?') { "&" } else { "?" };
            text.push_str(&[separator, &encoded(name), "=", &encoded(value)].concat());
        }
        text.push_str(template.fragment());
        Self::new(text)
    }

    /// The path alone: `/lessons/2`.
    #[must_use]
    pub fn path(&self) -> &str {
        self.text.get(..self.path_end).unwrap_or_default()
    }

    /// The query with its `?`, or nothing.
    #[must_use]
    pub fn query(&self) -> &str {
        self.text.get(self.path_end..self.query_end).unwrap_or_default()
    }

    /// The fragment with its `#`, or nothing.
    #[must_use]
    pub fn fragment(&self) -> &str {
        self.text.get(self.query_end..).unwrap_or_default()
    }
}

impl fmt::Display for InAppPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Refuses characters that parsers drop (tabs, line breaks), read as slashes, or that people do not see.
fn readable(text: &str) -> Result<(), PathError> {
    for character in text.chars() {
        match character {
            '\\' => return Err(PathError::Character("backslashes")),
            _ if character.is_control() => return Err(PathError::Character("control characters")),
            '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}'
            | '\u{E0000}'..='\u{E007F}' => return Err(PathError::Character("invisible characters")),
            _ => {}
        }
    }
    Ok(())
}

/// Refuses paths that lead up, out of the application, or that a later decoding could turn into such.
fn leads_down(path: &str) -> Result<(), PathError> {
    let mut text = path.to_owned();
    for _ in 0..MOST_DECODINGS {
        if text.starts_with("//") {
            return Err(PathError::NotInApp);
        }
        readable(&text)?;
        if text.split(['/', '／', '∕', '⁄']).any(is_dot_segment) {
            return Err(PathError::DotSegment);
        }
        let decoded = decoded(&text)?;
        if decoded == text {
            return Ok(());
        }
        text = decoded;
    }
    Err(PathError::Encoding)
}

/// Whether a segment is `.` or `..` to someone: browsers, or servers that cut `;…` or spaces off or fold wide forms.
fn is_dot_segment(segment: &str) -> bool {
    let segment = segment.split(';').next().unwrap_or_default().trim();
    let dots: usize = segment.chars().map(|dot| if dot == '‥' { 2 } else { 1 }).sum();
    (1..=2).contains(&dots) && segment.chars().all(|dot| matches!(dot, '.' | '．' | '․' | '‥'))
}

/// Percent-decodes once.
fn decoded(text: &str) -> Result<String, PathError> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' {
            let (Some(high), Some(low)) = (hex(bytes.next()), hex(bytes.next())) else {
                return Err(PathError::Encoding);
            };
            high * 16 + low
        } else {
            byte
        });
    }
    String::from_utf8(decoded).map_err(|_| PathError::Encoding)
}

fn hex(digit: Option<u8>) -> Option<u8> {
    char::from(digit?).to_digit(16)?.try_into().ok()
}

fn parameter(name: &str, value: &Value) -> Result<String, PathError> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(_) | Value::Bool(_) => Ok(crate::protocol::json_text::value_to_json_text(value)),
        _ => Err(PathError::Parameter(name.to_owned())),
    }
}

/// Percent-encodes all but what RFC 3986 leaves free.
fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(byte.into());
        } else {
            const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
            let digit = |value: u8| DIGITS.get(usize::from(value)).copied().map_or('0', char::from);
            encoded.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn refused(text: &str) -> PathError {
        InAppPath::new(text).expect_err(text)
    }

    #[test]
    fn case_d01_whatever_leads_to_another_origin_is_refused() {
        for text in [
            "//evil.test/x",
            "/\\evil.test",
            "\\/evil.test",
            "\\\\evil.test",
            "/\t/evil.test",
            "/\n/evil.test",
            "\t//evil.test",
            " //evil.test",
            "https:///evil.test",
            "http:evil.test",
            "https:evil.test",
            "https://evil.test/",
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "java\nscript:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "mailto:a@evil.test",
            "user:pass@evil.test",
            "@evil.test",
            "///evil.test",
            "/%2fevil.test",
            "/%2F%2fevil.test",
            "/%5cevil.test",
            "/%09/evil.test",
            "/%0d%0a/evil.test",
            "/\u{0}x",
            "/\u{7f}",
            "/\u{85}x",
            "/\u{202e}x",
            "/%E2%80%AEx",
            "/\u{feff}/x",
            "/records ",
            "",
            "records",
            "?t=3",
            "#x",
            ".",
            "..",
            "/records?next=\\evil",
            "/records#\u{9}",
        ] {
            refused(text);
        }
        assert_eq!(refused("https:evil.test"), PathError::NotInApp);
        assert_eq!(refused("/%5cevil.test"), PathError::Character("backslashes"));
    }

    #[test]
    fn case_d03_dot_segments_are_refused_in_any_encoding_and_harmless_names_pass() {
        for text in [
            "/lessons/%2e%2e/admin",
            "/lessons/.%2e/admin",
            "/lessons/%2E./admin",
            "/x/..",
            "/x/..?q",
            "/x/..#h",
            "/..",
            "/.",
            "/a/./b",
            "/a/%2e/b",
            "/a/..%2fadmin",
            "/a%2f..%2fadmin",
            "/a/%252e%252e%252fadmin",
            "/a/%25252e%25252e/admin",
            "/a/..;/admin",
            "/a/..;x=1/admin",
            "/a/.. /admin",
            "/a/．．/admin",
            "/a/‥/admin",
            "/a／..／b",
        ] {
            assert_eq!(refused(text), PathError::DotSegment, "{text}");
        }
        assert_eq!(refused("/a/..\\admin"), PathError::Character("backslashes"));
        // Nobody agrees on what these are, so they are nothing.
        for text in [
            "/%zz",
            "/%",
            "/%2",
            "/%E0%A4%A",
            "/%E0%A4",
            "/%c0%ae%c0%ae/admin",
            "/%u002e%u002e/x",
            "/%+2",
            "/%252525252e",
        ] {
            assert_eq!(refused(text), PathError::Encoding, "{text}");
        }
        for text in [
            "/",
            "/records",
            "/docs/v1../x",
            "/docs/v1..2",
            "/a...b",
            "/a/.../b",
            "/.well-known/x",
            "/lessons/2?t=83",
            "/lessons/2?t=83#note-4",
            "/课程/第 2 课",
            "/%E8%AF%BE%E7%A8%8B",
            "/search?q=100%&file=../x",
            "/a//b",
            "/a/@x",
            "/a:b",
        ] {
            assert_eq!(InAppPath::new(text).expect(text).to_string(), text);
        }
    }

    #[test]
    fn e14_a_path_without_end_is_refused() {
        assert_eq!(refused(&["/", &"x".repeat(LONGEST)].concat()), PathError::TooLong);
    }

    #[test]
    fn e14_the_parts_are_told_apart() {
        let path = InAppPath::new("/a?b=#c?d").unwrap();
        assert_eq!((path.path(), path.query(), path.fragment()), ("/a", "?b=", "#c?d"));
    }

    fn filled(template: &str, params: &Value) -> Result<String, PathError> {
        InAppPath::with_params(template, params.as_object()).map(|path| path.to_string())
    }

    #[test]
    fn e2_params_fill_segments_and_the_rest_becomes_the_query() {
        for (template, params, expected) in [
            ("/lessons/:number", json!({"number": 2}), "/lessons/2"),
            ("/lessons/:number", json!({"t": 83.5, "number": 2}), "/lessons/2?t=83.5"),
            ("/u/:a/:b/:a", json!({"a": "x", "b": true}), "/u/x/true/x"),
            ("/s?q=1#end", json!({"名": "a b&c"}), "/s?q=1&%E5%90%8D=a%20b%26c#end"),
            ("/s", json!({"q": "../x\n", "__proto__": ""}), "/s?q=..%2Fx%0A&__proto__="),
            ("/lessons/:number", json!({"number": "张三"}), "/lessons/%E5%BC%A0%E4%B8%89"),
            ("/a:b", json!({"b": "x"}), "/a:b?b=x"),
            ("/records", json!(null), "/records"),
        ] {
            assert_eq!(filled(template, &params).as_deref(), Ok(expected), "{template} {params}");
        }
    }

    #[test]
    fn case_d06_params_never_become_state_and_what_fits_no_address_is_an_error() {
        let parameter = |name: &str| Err(PathError::Parameter(name.to_owned()));
        assert_eq!(filled("/x", &json!({"a": {"key": 1}})), parameter("a"));
        assert_eq!(filled("/x", &json!({"a": [1]})), parameter("a"));
        assert_eq!(filled("/x", &json!({"a": null})), parameter("a"));
        assert_eq!(filled("/x/:a", &json!({})), Err(PathError::NoParameter("a".to_owned())));
        assert_eq!(filled("/x/:a", &json!({"a": ""})), Err(PathError::NoParameter("a".to_owned())));
    }

    #[test]
    fn e14_params_cannot_lead_out_either() {
        for value in ["..", ".", "../admin", "..\\admin", "a/../../b", "\n", "%2e%2e", "/evil.test"] {
            let filled = filled("/:a", &json!({"a": value}));
            assert!(filled.is_err(), "{value}: {filled:?}");
        }
        assert_eq!(filled("/x/:a", &json!({"a": "1/2"})).as_deref(), Ok("/x/1%2F2"));
    }

    /// Text made of what attacks are made of.
    fn nasty() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            Just("/"),
            Just("//"),
            Just("\\"),
            Just("."),
            Just(".."),
            Just("%2e"),
            Just("%2F"),
            Just("%5C"),
            Just("%25"),
            Just("\t"),
            Just("\n"),
            Just(" "),
            Just("a"),
            Just("evil.test"),
            Just(":"),
            Just("?"),
            Just("#"),
            Just("@"),
            Just("https:"),
            Just("%09"),
            Just("％"),
            Just("．"),
            Just("课"),
            Just("%E8%AF%BE"),
        ];
        (any::<bool>(), proptest::collection::vec(part, 0..8))
            .prop_map(|(slash, parts)| [if slash { "/" } else { "" }, &parts.concat()].concat())
    }

    /// What RFC 3986 and the WHATWG parser make of a path, the naive way: segments that `..` removes are gone.
    fn collapsed(path: &str) -> Vec<&str> {
        let mut kept = Vec::new();
        for segment in path.split(['/', '\\']) {
            match segment {
                ".." => _ = kept.pop(),
                "." => {}
                other => kept.push(other),
            }
        }
        kept
    }

    proptest! {
        #[test]
        fn e14_what_passes_stays_what_it_is_however_often_it_is_decoded(text in nasty()) {
            if let Ok(path) = InAppPath::new(text.as_str()) {
                let mut path = path.path().to_owned();
                for _ in 0..10 {
                    prop_assert!(path.starts_with('/') && !path.starts_with("//"), "{path:?}");
                    prop_assert!(!path.contains(|c: char| c.is_control() || c == '\\'), "{path:?}");
                    prop_assert_eq!(collapsed(&path), path.split('/').collect::<Vec<_>>());
                    path = decoded(&path).unwrap();
                }
            }
        }

        #[test]
        fn e14_a_filled_path_keeps_its_template(value in ".*", rest in ".*") {
            if let Ok(path) = InAppPath::with_params("/a/:b/c", json!({"b": value, "q": rest}).as_object()) {
                let segments: Vec<_> = path.path().split('/').collect();
                prop_assert_eq!(segments.len(), 4);
                prop_assert_eq!(decoded(segments[2]).unwrap(), value);
                prop_assert_eq!(decoded(path.query()).unwrap(), ["?q=", &rest].concat());
                prop_assert_eq!(path.fragment(), "");
            }
        }

        #[test]
        fn e14_no_text_panics(text in any::<String>()) {
            let _ = InAppPath::new(text);
        }
    }
}
