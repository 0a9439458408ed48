//! WIRE.md, "Endpoints".

use serde_json::{Value, json};

use super::{Client, Service, message, pages, refused};

/// "201, a Session", with the members that "Session:" lists.
pub async fn a_new_session_is_idle_and_has_no_title(service: &impl Service) {
    for body in ["{}", r#"{"agent":{"name":"conformance"},"metadata":{"a":1}}"#] {
        let answer = service.request("POST", "/v1/sessions", Some(body)).await;
        assert_eq!(answer.status, 201);
        let session = &answer.body;
        let id = session["id"].as_str().expect("an id");
        assert!(id.starts_with("sesn_"), "{id}");
        let made = session["created_at"].as_str().expect("a time");
        assert_eq!(
            session,
            &json!({"id":id,"type":"session","status":"idle","title":null,"agent":{"name":"conformance"},
                    "created_at":made,"updated_at":made})
        );
        assert!(
            serde_json::from_value::<praxis::protocol::Timestamp>(json!(made)).is_ok(),
            "RFC 3339: {made}"
        );
        let read = service.request("GET", &format!("/v1/sessions/{id}"), None).await;
        assert_eq!((read.status, &read.body), (200, session));
    }
}

/// "`agent.name` … that the service does not know: 404".
pub async fn an_agent_that_is_not_known_is_404(service: &impl Service) {
    let answer = service.request("POST", "/v1/sessions", Some(r#"{"agent":{"name":"nobody"}}"#)).await;
    refused(&answer, 404, "not_found_error");
    let answer = service.request("POST", "/v1/sessions", Some(r#"{"agent":"nobody"}"#)).await;
    refused(&answer, 400, "invalid_request_error");
}

/// "`{"data":[Session…],"next_page":null}`, newest first".
pub async fn sessions_are_listed_newest_first_page_by_page(service: &impl Service) {
    let mut made = Vec::new();
    for _ in 0..3 {
        made.insert(0, Client::new(service).await.session);
        service.pass(std::time::Duration::from_millis(5)).await;
    }
    for limit in [1, 2, 1000] {
        let listed = pages(service, "/v1/sessions", limit).await;
        let ours = listed
            .iter()
            .filter_map(|session| session["id"].as_str())
            .filter(|id| made.iter().any(|m| m == id));
        assert_eq!(ours.collect::<Vec<_>>(), made);
        assert!(
            listed
                .iter()
                .is_sorted_by(|newer, older| newer["created_at"].as_str() >= older["created_at"].as_str())
        );
    }
}

/// "Foreign sessions answer 404", and so do those that never were.
pub async fn an_unknown_session_is_404(service: &impl Service) {
    for (method, rest, body) in [
        ("GET", "", None),
        ("DELETE", "", None),
        ("GET", "/events", None),
        ("POST", "/events", Some(r#"{"events":[{"type":"user.interrupt"}]}"#)),
    ] {
        let answer = service.request(method, &format!("/v1/sessions/sesn_none{rest}"), body).await;
        refused(&answer, 404, "not_found_error");
    }
}

/// "`{"id":"sesn_…","type":"session_deleted"}`".
pub async fn a_deleted_session_is_gone(service: &impl Service) {
    let client = Client::new(service).await;
    client.calls("call one").await;
    let path = format!("/v1/sessions/{}", client.session);
    let answer = service.request("DELETE", &path, None).await;
    assert_eq!((answer.status, answer.body), (200, json!({"id":client.session,"type":"session_deleted"})));
    refused(&service.request("GET", &path, None).await, 404, "not_found_error");
    refused(&client.try_post(&[message("say x")]).await, 404, "not_found_error");
    refused(&service.request("DELETE", &path, None).await, 404, "not_found_error");
    let listed = pages(service, "/v1/sessions", 1000).await;
    assert!(listed.iter().all(|session| session["id"] != client.session.as_str()));
}

/// "`?limit=20`", "`?limit=1000`": whole numbers from 1 to 1000.
pub async fn a_limit_outside_1_to_1000_is_400(service: &impl Service) {
    let client = Client::new(service).await;
    for path in ["/v1/sessions".to_owned(), format!("/v1/sessions/{}/events", client.session)] {
        for limit in ["0", "1001", "x", "-1"] {
            let answer = service.request("GET", &format!("{path}?limit={limit}"), None).await;
            refused(&answer, 400, "invalid_request_error");
        }
    }
}

/// "`{"data":[…],"next_page":null|"cursor"}`, oldest first".
pub async fn events_are_paged_oldest_first(service: &impl Service) {
    let client = Client::new(service).await;
    client.say("say one").await;
    client.say("say two").await;
    let all = client.history().await;
    assert_eq!(all.len(), 8);
    assert!(all.iter().is_sorted_by_key(|event| event["processed_at"].as_str().map(str::to_owned)));
    for limit in [1, 3, 8] {
        assert_eq!(pages(service, &format!("/v1/sessions/{}/events", client.session), limit).await, all);
    }
    // A page that is read while the session goes on: nothing is lost or comes twice.
    let path = format!("/v1/sessions/{}/events?limit=6", client.session);
    let first = service.request("GET", &path, None).await.body;
    client.say("say three").await;
    let cursor = first["next_page"].as_str().expect("a cursor").replace(':', "%3A");
    let second = service.request("GET", &format!("{path}&page={cursor}"), None).await.body;
    let read: Vec<Value> =
        [&first, &second].iter().flat_map(|page| page["data"].as_array().expect("a list").clone()).collect();
    assert_eq!(read, client.history().await);
}

/// "cursors are opaque": one that the service did not give is refused.
pub async fn an_unknown_cursor_is_400(service: &impl Service) {
    let client = Client::new(service).await;
    for path in ["/v1/sessions".to_owned(), format!("/v1/sessions/{}/events", client.session)] {
        let answer = service.request("GET", &format!("{path}?page=nonsense"), None).await;
        refused(&answer, 400, "invalid_request_error");
    }
}

/// "unknown API routes 404 in JSON, wrong methods 405".
pub async fn an_unknown_path_is_404_and_a_wrong_method_405(service: &impl Service) {
    refused(&service.request("GET", "/v1/nothing", None).await, 404, "not_found_error");
    let answer = service.request("PUT", "/v1/sessions", Some("{}")).await;
    assert_eq!(answer.status, 405, "{answer:?}");
}
