//! What a server says when its answer is a no.

use std::time::{Duration, UNIX_EPOCH};

use serde_json::Value;

use crate::protocol::Timestamp;

/// How many characters of a server's words are passed on.
const LONGEST_REASON: usize = 300;

/// The reason in a refusal's body, in the forms that servers have; empty where there is none.
pub(super) fn reason(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    match serde_json::from_str::<Value>(&text) {
        Ok(json) => said(&json).unwrap_or_default(),
        Err(_) if text.trim_start().starts_with('<') => String::new(),
        Err(_) => text.trim().to_owned(),
    }
}

/// A server's words, as far as they are passed on.
pub(super) fn shortened(text: String) -> String {
    match text.char_indices().nth(LONGEST_REASON) {
        Some((end, _)) => [&text[..end], "…"].concat(),
        None => text,
    }
}

/// What an error object says.
pub(super) fn said(json: &Value) -> Option<String> {
    match json {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        // A list holds one error where it is a server's whole answer, and one problem after the other in `detail`.
        Value::Array(list) => said(list.first()?),
        Value::Object(_) => ["error", "message", "detail", "msg"].iter().find_map(|name| said(&json[*name])),
        _ => None,
    }
}

/// How long `Retry-After` asks to wait: seconds, or until a date.
pub(super) fn wait(retry_after: &str, now: Timestamp) -> Option<Duration> {
    let text = retry_after.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    let since = date.duration_since(UNIX_EPOCH).ok()?;
    Some(since.saturating_sub(now.since(Timestamp::default())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_found_in_every_form() {
        for (body, expected) in [
            (r#"{"error":{"message":"no such model","code":7}}"#, "no such model"),
            (r#"{"error":"boom"}"#, "boom"),
            (r#"[{"error":{"code":400,"message":"bad"}}]"#, "bad"),
            (r#"{"object":"error","message":"too long"}"#, "too long"),
            (r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#, "field required"),
            (r#"{"detail":"Not Found"}"#, "Not Found"),
            ("404 page not found\n", "404 page not found"),
            ("<html><title>502</title></html>", ""),
            ("\n <html><title>502</title></html>", ""),
            (r#"{"error":"","message":"no such model"}"#, "no such model"),
            (r#"{"error":null}"#, ""),
            ("", ""),
        ] {
            assert_eq!(reason(body.as_bytes()), expected, "{body}");
        }
        assert_eq!(shortened("长".repeat(301)), ["长".repeat(300), "…".to_owned()].concat());
        assert_eq!(shortened("长".repeat(300)), "长".repeat(300));
        assert_eq!(reason(&[0xff, b'a']), "\u{fffd}a");
    }

    #[test]
    fn e15_retry_after_is_seconds_or_a_date() {
        // 2026-11-30T23:59:30Z
        let now = Timestamp::from_millis(1_796_083_170_000);
        assert_eq!(wait(" 7 ", now), Some(Duration::from_secs(7)));
        assert_eq!(wait("Tue, 01 Dec 2026 00:00:00 GMT", now), Some(Duration::from_secs(30)));
        assert_eq!(wait("Mon, 30 Nov 2026 00:00:00 GMT", now), Some(Duration::ZERO));
        for text in ["", "soon", "-1", "1.5", "2026-12-01T00:00:00Z"] {
            assert_eq!(wait(text, now), None, "{text}");
        }
    }
}
