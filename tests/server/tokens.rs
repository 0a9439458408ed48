//! Who may see what: tokens, the visitor's cookie, the server key (K19).

use std::time::{SystemTime, UNIX_EPOCH};

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use praxis::protocol::Timestamp;
use serde_json::{Value, json};

use crate::rig::{Rig, SECRET, SERVER_KEY, Visitor, client, request};
use crate::suite::message;

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// A token as a host makes it for its own user.
fn token(secret: &str, claims: &Value) -> String {
    encode(&Header::new(Algorithm::HS256), claims, &EncodingKey::from_secret(secret.as_bytes()).unwrap())
        .unwrap()
}

/// Every request that takes a token, for a session that is there.
fn requests(session: &str) -> Vec<(&'static str, String)> {
    let events = format!("{session}/events");
    vec![
        ("POST", "/v1/sessions".to_owned()),
        ("GET", "/v1/sessions".to_owned()),
        ("GET", session.to_owned()),
        ("POST", events.clone()),
        ("GET", events.clone()),
        ("GET", format!("{events}/stream")),
        ("DELETE", session.to_owned()),
    ]
}

#[tokio::test]
async fn a_token_that_is_not_accepted_is_401_everywhere() {
    let rig = Rig::new().await;
    let visitor = rig.visitor().await;
    let session = visitor.session().await;
    let unsigned = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4iLCJleHAiOjk5OTk5OTk5OTl9.";
    let (good, bad) = (json!({"sub":"ann","exp":now() + 60}), json!({"sub":"ann","exp":now() - 1}));
    let mut cut = token(SECRET, &good);
    cut.pop();
    for (method, path) in requests(&session) {
        let url = format!("{}{path}", rig.address());
        for header in [
            String::new(),
            "Basic YTpi".to_owned(),
            "Bearer".to_owned(),
            "Bearer ".to_owned(),
            "Bearer garbage".to_owned(),
            "Bearer a.b.c".to_owned(),
            format!("Bearer {unsigned}"),
            format!("Bearer {cut}"),
            format!("Bearer {}", token("another secret", &good)),
            format!("Bearer {}", token(SECRET, &bad)),
            format!("Bearer {}", token(SECRET, &json!({"sub":"ann"}))),
            format!("Bearer {}", token(SECRET, &json!({"exp":now() + 60}))),
            format!("Bearer {}", token(SECRET, &json!({"sub":"","exp":now() + 60}))),
            format!("Bearer {}", token(SECRET, &json!({"sub":"x".repeat(257),"exp":now() + 60}))),
        ] {
            let headers = [("authorization", header.as_str())];
            let headers = if header.is_empty() { &headers[..0] } else { &headers[..] };
            let answer = request(&visitor.client, method, &url, headers, Some("{}".to_owned())).await;
            answer.refused(401, "authentication_error");
            assert_eq!(answer.header("www-authenticate"), "Bearer");
        }
    }
    let expired = visitor.with_token(&token(SECRET, &bad)).request("GET", "/v1/sessions", None).await;
    assert!(expired.refused(401, "authentication_error").contains("expired"));
    assert_eq!(visitor.request("GET", &session, None).await.status, 200);
}

#[tokio::test]
async fn a_hosts_own_token_is_good_for_its_user() {
    let rig = Rig::new().await;
    let visitor = rig.visitor().await;
    let ann = visitor.with_token(&token(SECRET, &json!({"sub":"ann","exp":now() + 60,"aud":"lessons"})));
    let session = ann.session().await;
    let again = visitor.with_token(&token(SECRET, &json!({"sub":"ann","exp":now() + 90})));
    assert_eq!(again.request("GET", &session, None).await.status, 200);
}

#[tokio::test]
async fn a_strangers_session_is_404_and_not_listed() {
    let rig = Rig::new().await;
    let (owner, stranger) = (rig.visitor().await, rig.visitor().await);
    let session = owner.session().await;
    owner.post(&session, &[message("say mine")]).await;
    for (method, path) in requests(&session).into_iter().filter(|(_, path)| path != "/v1/sessions") {
        let body = json!({"events":[message("say x")]}).to_string();
        stranger.request(method, &path, Some(&body)).await.refused(404, "not_found_error");
    }
    assert_eq!(stranger.request("GET", "/v1/sessions", None).await.json()["data"], json!([]));
    let listed = owner.request("GET", "/v1/sessions", None).await.json();
    assert_eq!(listed["data"].as_array().map(Vec::len), Some(1));
    assert_eq!(owner.request("GET", &session, None).await.status, 200, "it is still there");
}

#[tokio::test]
async fn a_cookie_makes_the_visitor_known_again() {
    let rig = Rig::new().await;
    let url = format!("{}/api/praxis-token", rig.address());
    let first = request(&client(), "POST", &url, &[], None).await;
    let cookie = first.header("set-cookie").to_owned();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/api/praxis-token"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "{cookie}");
    let expires: Timestamp = serde_json::from_value(first.json()["expires_at"].clone()).unwrap();
    let left = expires.as_millis() / 1000 - now();
    assert!((500..=600).contains(&left), "good for ten minutes: {left} s");
    let tls = request(&client(), "POST", &url, &[("x-forwarded-proto", "https")], None).await;
    assert!(tls.header("set-cookie").ends_with("; Secure"));

    let pair = cookie.split(';').next().unwrap();
    let with_cookie = |cookie: String| {
        let url = url.clone();
        async move { request(&client(), "POST", &url, &[("cookie", &cookie)], None).await }
    };
    let again = with_cookie(format!("other=1; {pair}")).await;
    assert_eq!(again.header("set-cookie"), "");
    let user = |answer: &crate::rig::Answer| {
        let token = answer.json()["token"].as_str().unwrap().to_owned();
        let claims = jsonwebtoken::dangerous::insecure_decode::<Value>(&token).unwrap().claims;
        claims["sub"].as_str().unwrap().to_owned()
    };
    assert_eq!(user(&again), user(&first));
    assert_ne!(user(&tls), user(&first));
    // A cookie that we did not sign is nobody's; a token is no cookie, and a cookie no token.
    let token = first.json()["token"].as_str().unwrap().to_owned();
    for forged in ["praxis_visitor=visitor_1".to_owned(), format!("praxis_visitor={token}")] {
        let answer = with_cookie(forged).await;
        assert_ne!(answer.header("set-cookie"), "");
        assert_ne!(user(&answer), user(&first));
    }
    let visitor = rig.visitor().await.with_token(pair.split_once('=').unwrap().1);
    visitor.request("GET", "/v1/sessions", None).await.refused(401, "authentication_error");
}

#[tokio::test]
async fn a_visitor_keeps_the_sessions_over_restarts_without_a_secret_from_outside() {
    let mut rig = Rig::with(|options| options.token_secret = None).await;
    let visitor = rig.visitor().await;
    let session = visitor.session().await;
    rig.restart().await;
    let again = Visitor { address: rig.address(), ..visitor };
    assert_eq!(again.request("GET", &session, None).await.status, 200);
}

#[tokio::test]
async fn k19_trusted_facts_take_the_server_key_and_reach_the_model() {
    let rig = Rig::new().await;
    let visitor = rig.visitor().await;
    let session = visitor.session().await;
    let fact = json!({"type":"system.message","content":[{"type":"text","text":"The learner is 11."}]});
    visitor.post(&session, std::slice::from_ref(&fact)).await.refused(403, "permission_error");
    for key in ["", "the server's key of the test", "the server's key of the testsx"] {
        let answer = visitor.with_token(key).post(&session, std::slice::from_ref(&fact)).await;
        answer.refused(401, "authentication_error");
    }
    assert!(visitor.history(&session).await.is_empty());

    let host = visitor.with_token(SERVER_KEY);
    let answer = host.post(&session, std::slice::from_ref(&fact)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(visitor.history(&session).await[0]["content"], fact["content"]);
    // It reaches any session; its own are its own.
    let own = host.session().await;
    visitor.request("GET", &own, None).await.refused(404, "not_found_error");
    let listed = host.request("GET", "/v1/sessions", None).await.json();
    assert_eq!(listed["data"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn k19_without_a_server_key_nobody_may_post_trusted_facts() {
    let rig = Rig::with(|options| options.server_key = None).await;
    let visitor = rig.visitor().await;
    let session = visitor.session().await;
    let fact = json!({"type":"system.message","content":[{"type":"text","text":"x"}]});
    visitor.with_token(SERVER_KEY).post(&session, &[fact]).await.refused(401, "authentication_error");
}
