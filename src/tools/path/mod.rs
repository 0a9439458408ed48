//! Which paths lead to a page of this application (E14), as a pure judgement of the text.
//!
//! It must not know a router or a browser. Instead of following what each URL parser makes of odd text, it refuses
//! whatever parsers do not all read alike; what it lets through means the same to every one of them.

#[cfg(test)]
mod tests;

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
        if !text.starts_with('/') {
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
