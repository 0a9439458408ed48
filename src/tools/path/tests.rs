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
