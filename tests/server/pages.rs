//! The pages: files of `dist/`, and what they carry.

use std::fs;

use serde_json::json;

use crate::rig::{Answer, Rig, client, request};

/// A `dist/` as small as one can be.
async fn rig() -> Rig {
    Rig::with(|options| {
        let dist = &options.dist;
        fs::create_dir_all(dist.join("lessons")).unwrap();
        for (name, text) in [
            ("index.html", "<!doctype html>the page"),
            ("index.html.br", "the page in brotli"),
            ("config.json", "{\"api\":{\"protocol\":\"demo\"},\"locale\":\"en\"}"),
            ("config.json.br", "the demo in brotli"),
            ("praxis-kit.js", "export {}"),
            ("praxis-kit.js.br", "export in brotli"),
            ("praxis-kit.js.gz", "export in gzip"),
            ("app-7c1ca70e05614e29.css", "p{}"),
            ("lessons/one.vtt", "WEBVTT"),
            ("lessons/one.mp4", "0123456789"),
        ] {
            fs::write(dist.join(name), text).unwrap();
        }
        fs::write(dist.parent().unwrap().join("secret.txt"), "not for you").unwrap();
    })
    .await
}

async fn get(rig: &Rig, path: &str, headers: &[(&str, &str)]) -> Answer {
    request(&client(), "GET", &format!("{}{path}", rig.address()), headers, None).await
}

#[tokio::test]
async fn files_are_served_as_they_are_and_routes_lead_to_the_page() {
    let rig = rig().await;
    for path in ["/", "/lessons/3", "/lessons", "/lessons/", "/records", "/profile?debug", "/v2/x"] {
        let answer = get(&rig, path, &[]).await;
        assert_eq!((answer.status, answer.text.as_str()), (200, "<!doctype html>the page"), "{path}");
        assert_eq!(answer.header("content-type"), "text/html");
    }
    let kit = get(&rig, "/praxis-kit.js", &[]).await;
    assert_eq!((kit.status, kit.text.as_str()), (200, "export {}"));
    assert!(kit.header("content-type").starts_with("text/javascript"));
    for path in [
        "/missing.js",
        "/lessons/missing.vtt",
        "/.env",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
    ] {
        let answer = get(&rig, path, &[]).await;
        assert_eq!(answer.status, 404, "{path}: {answer:?}");
        assert!(!answer.text.contains("not for you"));
    }
    for long in ["x".repeat(300), "课/".repeat(2000), "%20".repeat(300)] {
        assert_eq!(get(&rig, &format!("/{long}"), &[]).await.status, 200, "{} bytes", long.len());
        assert_eq!(get(&rig, &format!("/{long}.js"), &[]).await.status, 404, "{} bytes", long.len());
    }
    let answer = request(&client(), "POST", &format!("{}/records", rig.address()), &[], None).await;
    assert_eq!(answer.status, 405);
    let range = get(&rig, "/lessons/one.mp4", &[("range", "bytes=2-4")]).await;
    assert_eq!((range.status, range.text.as_str()), (206, "234"));
}

#[tokio::test]
async fn a_browser_that_takes_brotli_gets_it() {
    let rig = rig().await;
    for (accepts, encoding, text) in [
        ("gzip, deflate, br", "br", "export in brotli"),
        ("gzip", "gzip", "export in gzip"),
        ("identity", "", "export {}"),
    ] {
        let answer = get(&rig, "/praxis-kit.js", &[("accept-encoding", accepts)]).await;
        assert_eq!((answer.header("content-encoding"), answer.text.as_str()), (encoding, text));
    }
    let page = get(&rig, "/lessons/3", &[("accept-encoding", "br")]).await;
    assert_eq!((page.header("content-encoding"), page.text.as_str()), ("br", "the page in brotli"));
}

#[tokio::test]
async fn every_page_carries_the_headers_that_every_host_must_send() {
    let rig = rig().await;
    for path in
        ["/", "/lessons/3", "/praxis-kit.js", "/config.json", "/missing.js", "/app-7c1ca70e05614e29.css"]
    {
        let answer = get(&rig, path, &[]).await;
        let policy = answer.header("content-security-policy");
        for part in ["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "same-origin", "{path}");
    }
}

#[tokio::test]
async fn names_with_a_hash_are_kept_and_others_are_asked_for_again() {
    let rig = rig().await;
    let hashed = get(&rig, "/app-7c1ca70e05614e29.css", &[]).await;
    assert!(hashed.header("cache-control").contains("immutable"), "{hashed:?}");
    let missing = get(&rig, "/app-0000000000000000.css", &[]).await;
    assert_eq!((missing.status, missing.header("cache-control")), (404, "no-cache"));
    let kit = get(&rig, "/praxis-kit.js", &[]).await;
    assert_eq!(kit.header("cache-control"), "no-cache");
    let tag = kit.header("etag");
    assert!(!tag.is_empty());
    let again = get(&rig, "/praxis-kit.js", &[("if-none-match", tag)]).await;
    assert_eq!((again.status, again.header("cache-control")), (304, "no-cache"));
}

#[tokio::test]
async fn the_pages_talk_to_this_server_unless_their_config_says_otherwise() {
    let rig = rig().await;
    let config = get(&rig, "/config.json", &[("accept-encoding", "br")]).await;
    let here = json!({"protocol":"praxis","url":"/","tokenUrl":"/api/praxis-token"});
    assert_eq!(config.json(), json!({"api": here, "locale": "en"}));
    let elsewhere = json!({"api":{"protocol":"ag-ui","url":"https://elsewhere.example/"}});
    for (file, expected) in [
        (elsewhere.to_string(), elsewhere.clone()),
        ("{}".to_owned(), json!({"api": here})),
        ("no JSON".to_owned(), json!({"api": here})),
        ("[]".to_owned(), json!({"api": here})),
        ("{\"api\":7}".to_owned(), json!({"api": here})),
    ] {
        fs::write(rig.options.dist.join("config.json"), file).unwrap();
        assert_eq!(get(&rig, "/config.json", &[]).await.json(), expected);
    }
}

#[tokio::test]
async fn without_pages_the_service_runs_all_the_same() {
    let rig = Rig::new().await;
    let answer = get(&rig, "/", &[]).await;
    assert_eq!(answer.status, 404);
    assert!(answer.text.contains("cargo xtask dist"), "{}", answer.text);
    rig.visitor().await.session().await;
}

#[tokio::test]
async fn pages_may_reach_the_service_that_their_config_names_and_no_other() {
    for (api, expected) in [
        (json!({"protocol":"demo"}), "connect-src 'self';"),
        (json!({"protocol":"ag-ui","url":"/agent/"}), "connect-src 'self';"),
        (
            json!({"protocol":"openai-chat-completions","url":"http://localhost:11434/v1","model":"m"}),
            "connect-src 'self' http://localhost:11434;",
        ),
        (
            json!({"protocol":"praxis","url":"https://a.test/x","tokenUrl":"https://b.test/t"}),
            "connect-src 'self' https://a.test https://b.test;",
        ),
        // Nothing that a policy would read as more than an address.
        (json!({"protocol":"ag-ui","url":"data:text/plain,x; script-src *"}), "connect-src 'self';"),
        (json!({"protocol":"ag-ui","url":"https://a.test;script-src"}), "connect-src 'self';"),
    ] {
        let rig = Rig::with(|options| {
            fs::create_dir_all(&options.dist).unwrap();
            fs::write(options.dist.join("index.html"), "<!doctype html>").unwrap();
            fs::write(options.dist.join("config.json"), json!({"api":api}).to_string()).unwrap();
        })
        .await;
        let policy = get(&rig, "/", &[]).await.header("content-security-policy").to_owned();
        assert!(policy.contains(expected), "{api}: {policy}");
        assert_eq!(policy.matches("script-src").count(), 1, "{policy}");
    }
}
