//! The token: asked for once, kept, refreshed once.

use futures_util::future::join_all;
use praxis::kit::backend::BackendError;
use praxis::kit::options::Options;
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::network::Network;

/// A service that takes the tokens in `origin.good`, `[]` for none.
const GUARDED: &str = "
    const token = request.headers.authorization?.replace('Bearer ', '');
    const good = globalThis.good ?? [];
    return good.includes(token) ? json(200, { data: [], next_page: null }) : refusal(401, 'authentication_error', 'no');
";
/// Gives out `t1`, `t2`, …, each a moment later.
const COUNTING: &str =
    "getToken: () => { asked += 1; const token = 't' + asked; return settled().then(() => token) }";
/// Sets what the two use.
const RESET: &str = "globalThis.asked = 0; globalThis.settled = settled; globalThis.good = ";

async fn guarded(good: &str) -> Network {
    let network = Network::new(GUARDED);
    network.run(&[RESET, good].concat()).await;
    network
}

fn status(error: BackendError) -> u16 {
    match error {
        BackendError::Refused { status, .. } => status,
        other => panic!("{other:?}"),
    }
}

#[wasm_bindgen_test]
async fn case_j10_the_token_is_asked_for_once_by_all_who_wait_and_kept() {
    let network = guarded("['t1']").await;
    let backend = network.backend(COUNTING);
    for answer in join_all((0..5).map(|_| backend.list_sessions(None))).await {
        answer.unwrap();
    }
    backend.list_sessions(None).await.unwrap();
    assert_eq!(network.run("return asked").await, 1);
    assert_eq!(network.requests(".headers.authorization").await, json!(vec!["Bearer t1"; 6]));
    assert_eq!(network.run("return origin.requests.some(({ path }) => path.includes('t1'))").await, false);
}

#[wasm_bindgen_test]
async fn case_j10_after_a_401_the_token_is_asked_for_once_and_each_request_repeated_once() {
    let network = guarded("['t2']").await;
    let backend = network.backend(COUNTING);
    for answer in join_all((0..5).map(|_| backend.list_sessions(None))).await {
        answer.unwrap();
    }
    assert_eq!(network.run("return asked").await, 2);
    let sent = [["Bearer t1"; 5], ["Bearer t2"; 5]].concat();
    assert_eq!(network.requests(".headers.authorization").await, json!(sent));
}

#[wasm_bindgen_test]
async fn a_401_that_comes_late_finds_the_new_token() {
    let network = Network::new(&["if (request.path.includes('page=late')) globalThis.late ??= new Promise((resolve) => { globalThis.go = resolve }); return Promise.resolve(request.path.includes('page=late') ? late : 0).then(() => {", GUARDED, "})"].concat());
    network.run(&[RESET, "['t2']"].concat()).await;
    let backend = network.backend(COUNTING);
    let late = backend.list_sessions(Some("late".to_owned()));
    let early = async {
        backend.list_sessions(None).await.unwrap();
        network.run("go()").await;
    };
    futures_util::future::join(late, early).await.0.unwrap();
    assert_eq!(network.run("return asked").await, 2);
}

#[wasm_bindgen_test]
async fn a_second_401_is_told_and_the_next_request_asks_again() {
    let network = guarded("['t4']").await;
    let backend = network.backend(COUNTING);
    assert_eq!(status(backend.list_sessions(None).await.unwrap_err()), 401);
    assert_eq!(network.requests(".headers.authorization").await, json!(["Bearer t1", "Bearer t2"]));
    // The next request finds that t2 is refused: the service takes t3 neither.
    assert_eq!(status(backend.list_sessions(None).await.unwrap_err()), 401);
    assert_eq!(network.run("return asked").await, 3);
    backend.list_sessions(None).await.unwrap();
    assert_eq!(network.run("return asked").await, 4);
}

#[wasm_bindgen_test]
async fn case_j10_a_token_that_stays_the_same_is_not_sent_again() {
    let network = guarded("[]").await;
    let backend = network.backend("getToken: async () => { asked += 1; return 'same' }");
    assert_eq!(status(backend.list_sessions(None).await.unwrap_err()), 401);
    assert_eq!(
        (network.run("return asked").await, network.requests("").await.as_array().unwrap().len()),
        (json!(2), 1)
    );
}

#[wasm_bindgen_test]
async fn without_get_token_a_401_is_told_at_once() {
    let network = guarded("[]").await;
    assert_eq!(status(network.backend("").list_sessions(None).await.unwrap_err()), 401);
    assert_eq!(network.requests(".headers.authorization").await, json!([null]));
}

#[wasm_bindgen_test]
async fn case_j10_what_get_token_fails_with_is_told_to_all_who_wait_and_asked_anew_later() {
    let network = guarded("['t3']").await;
    let failing = "getToken: async () => { asked += 1; await settled(); if (asked < 3) throw new Error('signed out'); return 't' + asked }";
    let backend = network.backend(failing);
    for answer in join_all((0..3).map(|_| backend.list_sessions(None))).await {
        assert_eq!(answer.unwrap_err(), BackendError::Token("signed out".to_owned()));
    }
    assert_eq!(network.run("return asked").await, 1);
    assert!(backend.list_sessions(None).await.is_err());
    backend.list_sessions(None).await.unwrap();
    assert_eq!(network.requests("").await.as_array().unwrap().len(), 1);
}

#[wasm_bindgen_test]
async fn case_j10_what_is_no_token_is_named() {
    for (gives, said) in [
        ("undefined", "getToken gave no text"),
        ("''", "getToken gave a text that no header can carry"),
        ("'t\\n'", "getToken gave a text that no header can carry"),
        ("(() => { throw 'offline' })()", "offline"),
        ("Promise.reject()", "没有拿到访问凭证。The page got no access token."),
    ] {
        let network = Network::new("");
        let backend = network.backend(&["getToken: () => ", gives].concat());
        let error = backend.list_sessions(None).await.unwrap_err();
        assert_eq!(error, BackendError::Token(said.to_owned()), "{gives}");
    }
}

#[wasm_bindgen_test]
async fn another_get_token_forgets_the_token() {
    let network = guarded("['t1', 'other']").await;
    let backend = network.backend(COUNTING);
    backend.list_sessions(None).await.unwrap();
    let options = Options::read(&network.options("getToken: () => 'other'")).unwrap().options;
    backend.configure(&options);
    backend.list_sessions(None).await.unwrap();
    assert_eq!(network.requests(".headers.authorization").await, json!(["Bearer t1", "Bearer other"]));
}
