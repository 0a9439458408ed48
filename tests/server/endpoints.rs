//! Statuses, headers and limits of WIRE.md's endpoints.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::rig::{Rig, client, request};
use crate::suite::{message, result};

#[tokio::test]
async fn healthz_says_whether_it_can_store() {
    let rig = Rig::new().await;
    let health =
        || async { request(&client(), "GET", &format!("{}/healthz", rig.address()), &[], None).await };
    let answer = health().await;
    assert_eq!((answer.status, answer.text.as_str()), (200, "ok\n"));
    // Somebody breaks the data file, as a full disk would.
    rusqlite::Connection::open(&rig.options.data).unwrap().execute_batch("DROP TABLE settings").unwrap();
    health().await.refused(503, "api_error");
}

#[tokio::test]
async fn a_wrong_method_is_405_and_names_the_right_ones() {
    let rig = Rig::new().await;
    let visitor = rig.visitor().await;
    let session = visitor.session().await;
    for (path, allowed) in [
        ("/v1/sessions".to_owned(), &["GET", "POST"][..]),
        (session.clone(), &["GET", "DELETE"]),
        (format!("{session}/events"), &["GET", "POST"]),
        (format!("{session}/events/stream"), &["GET"]),
        ("/api/praxis-token".to_owned(), &["POST"]),
        ("/healthz".to_owned(), &["GET"]),
    ] {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            if allowed.contains(&method) {
                continue;
            }
            let answer = visitor.request(method, &path, Some("{}")).await;
            answer.refused(405, "invalid_request_error");
            for method in allowed {
                assert!(answer.header("allow").contains(method), "{path}: {answer:?}");
            }
        }
    }
}

#[tokio::test]
async fn an_unknown_api_route_is_404_in_json() {
    let rig = Rig::new().await;
    let visitor = rig.visitor().await;
    for path in [
        "/v1",
        "/v1/",
        "/v1/nothing",
        "/v1/sessions/",
        "/v1/sessions/x/y",
        "/v1/sessions/x/events/stream/more",
        "/api",
        "/api/",
        "/api/nothing",
        "/v1/sessions/%2e%2e/x",
    ] {
        visitor.request("GET", path, None).await.refused(404, "not_found_error");
        let answer = request(&client(), "POST", &format!("{}{path}", rig.address()), &[], None).await;
        answer.refused(404, "not_found_error");
    }
}

#[tokio::test]
async fn no_input_is_answered_with_5xx() {
    let rig = Rig::new().await;
    let visitor = rig.visitor().await;
    let session = visitor.session().await;
    for path in [
        "/v1/sessions/%ff",
        "/v1/sessions/%00",
        "/v1/sessions/%F0%9F%93%96",
        "/v1/sessions?limit=%ff",
        "/v1/sessions?limit=99999999999999999999",
        "/v1/sessions?page=after:99999999999999999999.x",
        "/v1/sessions?page=after:18446744073709551615.x",
        "/v1/sessions?page=%00",
        "/v1/sessions?&&=&limit",
        "/v1/sessions?limit=1&limit=x",
    ] {
        for method in ["GET", "DELETE"] {
            let answer = visitor.request(method, path, None).await;
            assert!(answer.status < 500, "{method} {path}: {answer:?}");
            answer.json();
        }
    }
    for body in [
        "\u{0}",
        "{\"events\":[{\"type\":\"user.message\",\"content\":[{\"type\":\"text\",\"text\":\"\\ud800\"}]}]}",
        "{\"events\":[{\"type\":\"user.interrupt\",\"x\":1e999}]}",
        "{\"events\":null}",
        "[[[[",
        "\"",
        "{\"events\":[null]}",
        "{\"events\":[{\"type\":\"user.custom_tool_result\",\"custom_tool_use_id\":\"\",\"content\":[]}]}",
    ] {
        let answer = visitor.request("POST", &format!("{session}/events"), Some(body)).await;
        answer.refused(400, "invalid_request_error");
    }
    for body in ["[]", "7", "{\"agent\":7}", "{\"agent\":{\"name\":7}}", "{\"metadata\":7}", "{"] {
        visitor.request("POST", "/v1/sessions", Some(body)).await.refused(400, "invalid_request_error");
    }
    let not_utf8 = reqwest::Body::from(vec![b'"', 0xff, b'"']);
    let url = format!("{}{session}/events", rig.address());
    let answer = visitor.client.post(url).bearer_auth(&visitor.token).body(not_utf8).send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 400);
}

#[tokio::test]
async fn a_text_with_every_character_comes_back_as_it_was() {
    let rig = Rig::new().await;
    let visitor = rig.visitor().await;
    let session = visitor.session().await;
    let text = "say \u{0}\u{1}\n\r\t\u{7f}\u{2028}\u{feff}\u{fffd}\u{10ffff} '\"\\ 课 👩‍🏫";
    let mut stream = visitor.stream(&session, &[]).await;
    let answer = visitor.post(&session, &[message(text)]).await;
    assert_eq!(answer.json()["data"][0]["content"][0]["text"], text);
    assert_eq!(visitor.history(&session).await[0]["content"][0]["text"], text);
    assert_eq!(stream.until("user.message").await.data["content"][0]["text"], text);
}

#[tokio::test]
async fn a_body_without_end_is_413_and_the_server_goes_on() {
    let rig = Rig::new().await;
    let visitor = rig.visitor().await;
    let session = visitor.session().await;
    let host = rig.address().trim_start_matches("http://").to_owned();
    let mut socket = TcpStream::connect(&host).await.unwrap();
    let head = format!(
        "POST {session}/events HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {}\r\ntransfer-encoding: chunked\r\n\r\n",
        visitor.token
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    let chunk = ["10000\r\n", &" ".repeat(0x10000), "\r\n"].concat();
    let mut sent = 0_usize;
    // Until the server has had enough, or far more than it should take.
    while sent < 2000 && socket.write_all(chunk.as_bytes()).await.is_ok() {
        sent += 1;
    }
    assert!(sent < 2000, "it reads for ever");
    let mut answer = Vec::new();
    let _ = socket.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 413"), "{answer}");
    assert_eq!(visitor.request("GET", &session, None).await.status, 200);
}

#[tokio::test]
async fn a_late_or_different_result_is_409_and_one_for_no_call_400() {
    let rig = Rig::new().await;
    let visitor = rig.visitor().await;
    let session = visitor.session().await;
    let mut stream = visitor.stream(&session, &[]).await;
    visitor.post(&session, &[message("call one")]).await;
    let call = stream.until("agent.custom_tool_use").await.id.unwrap();
    rig.options.clock.advance(std::time::Duration::from_secs(121));
    stream.until("user.custom_tool_result").await;
    visitor.post(&session, &[result(&call, "late")]).await.refused(409, "conflict_error");
    visitor.post(&session, &[result("sevt_none", "x")]).await.refused(400, "invalid_request_error");
}

#[tokio::test]
async fn any_page_may_ask_without_credentials() {
    let rig = Rig::new().await;
    let visitor = rig.visitor().await;
    let url = format!("{}/v1/sessions", rig.address());
    let headers = [
        ("origin", "https://elsewhere.example"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "authorization,content-type,last-event-id"),
    ];
    let preflight = request(&client(), "OPTIONS", &url, &headers, None).await;
    assert_eq!(preflight.status, 200);
    assert_eq!(preflight.header("access-control-allow-origin"), "*");
    assert_eq!(preflight.header("access-control-allow-credentials"), "");
    for name in ["authorization", "content-type", "last-event-id"] {
        assert!(preflight.header("access-control-allow-headers").contains(name), "{preflight:?}");
    }
    for method in ["GET", "POST", "DELETE"] {
        assert!(preflight.header("access-control-allow-methods").contains(method), "{preflight:?}");
    }
    // Refusals can be read, too.
    let origin = [("origin", "https://elsewhere.example")];
    for (method, path, status) in [
        ("GET", "/v1/sessions", 200),
        ("PUT", "/v1/sessions", 405),
        ("GET", "/v1/nothing", 404),
        ("GET", "/v1/sessions/sesn_none", 404),
    ] {
        let answer = visitor.request_with(method, path, &origin, None).await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (status, "*"), "{path}");
    }
    // The cookie's endpoint is for the server's own pages.
    let answer =
        request(&client(), "POST", &format!("{}/api/praxis-token", rig.address()), &origin, None).await;
    assert_eq!(answer.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn what_the_service_answers_is_not_kept() {
    let rig = Rig::new().await;
    let visitor = rig.visitor().await;
    for path in ["/v1/sessions", "/v1/nothing", "/healthz"] {
        let answer = visitor.request("GET", path, None).await;
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
    }
}

#[tokio::test]
async fn each_session_has_its_own_cursors() {
    let rig = Rig::new().await;
    let visitor = rig.visitor().await;
    let (one, two) = (visitor.session().await, visitor.session().await);
    for session in [&one, &two] {
        let mut stream = visitor.stream(session, &[]).await;
        visitor.post(session, &[message("say x")]).await;
        stream.until("session.status_idle").await;
    }
    let first = visitor.request("GET", &format!("{one}/events?limit=2"), None).await.json();
    let cursor = first["next_page"].as_str().unwrap().replace(':', "%3A");
    let rest = visitor.request("GET", &format!("{one}/events?page={cursor}"), None).await.json();
    assert_eq!((rest["data"].as_array().map(Vec::len), &rest["next_page"]), (Some(2), &json!(null)));
    let foreign = visitor.request("GET", &format!("{two}/events?page={cursor}"), None).await;
    foreign.refused(400, "invalid_request_error");
}
