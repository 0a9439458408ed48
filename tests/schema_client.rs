//! The page's side of the schema worker (E8), with a worker that does what a test tells it.
#![cfg(target_arch = "wasm32")]

mod tools;

use futures_channel::oneshot;
use futures_util::future::join_all;
use praxis::tools::{CheckOutcome, SchemaClient, Verdict};
use serde_json::{Value, json};
use tools::{questions_sent, stub_worker, workers_started};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const VALID: CheckOutcome = CheckOutcome::Verdict(Verdict::Valid);

fn check(client: &SchemaClient, arguments: Value) -> impl Future<Output = CheckOutcome> + use<> {
    let (sender, receiver) = oneshot::channel();
    client.check("{}".to_owned(), arguments.to_string(), move |outcome| {
        let _ = sender.send(outcome);
    });
    async move { receiver.await.expect("an answer") }
}

fn problem(outcome: &CheckOutcome) -> &str {
    match outcome {
        CheckOutcome::Unavailable(problem) => problem,
        other => panic!("{other:?}"),
    }
}

#[wasm_bindgen_test]
async fn e8_the_worker_starts_when_it_is_first_needed_and_stays() {
    let before = workers_started();
    let client = SchemaClient::new(stub_worker());
    assert_eq!(workers_started(), before);
    for arguments in [json!({}), json!({"a": 1})] {
        assert_eq!(check(&client, arguments).await, VALID);
    }
    match check(&client, json!({"wrong": 12})).await {
        CheckOutcome::Verdict(Verdict::Invalid { mismatches }) => assert_eq!(mismatches.len(), 10),
        other => panic!("{other:?}"),
    }
    assert_eq!(workers_started(), before + 1);
    let warm = SchemaClient::new(stub_worker());
    warm.warm_up();
    warm.warm_up();
    assert_eq!(workers_started(), before + 2);
    assert_eq!(check(&warm, json!({})).await, VALID);
    assert_eq!(workers_started(), before + 2);
}

#[wasm_bindgen_test]
async fn e8_past_the_limit_the_worker_is_replaced_and_those_that_wait_go_to_the_new_one() {
    let before = workers_started();
    let client = SchemaClient::new(stub_worker());
    // The worker listens from now on.
    assert_eq!(check(&client, json!({})).await, VALID);
    let sent = questions_sent();
    let hanging = check(&client, json!({"hang": true}));
    let waiting = [check(&client, json!({})), check(&client, json!({"wrong": 1})), check(&client, json!({}))];
    assert_eq!(hanging.await, CheckOutcome::TimedOut);
    // One at a time: the others were never in the worker that hung.
    assert_eq!(questions_sent(), sent + 1);
    let outcomes = join_all(waiting).await;
    assert!(matches!(outcomes[1], CheckOutcome::Verdict(Verdict::Invalid { .. })));
    assert_eq!((&outcomes[0], &outcomes[2]), (&VALID, &VALID));
    assert_eq!(workers_started(), before + 2);
}

#[wasm_bindgen_test]
async fn e8_a_worker_that_dies_is_replaced() {
    let client = SchemaClient::new(stub_worker());
    let dying = check(&client, json!({"die": true}));
    let waiting = check(&client, json!({}));
    assert!(problem(&dying.await).contains("died for the test"));
    assert_eq!(waiting.await, VALID);
}

#[wasm_bindgen_test]
async fn e8_without_a_worker_every_check_is_told_and_the_next_tries_again() {
    let before = workers_started();
    let client = SchemaClient::new("/there-is-no-such-worker.js".into());
    let both = join_all([check(&client, json!({})), check(&client, json!({}))]).await;
    for outcome in &both {
        assert!(problem(outcome).starts_with("the schema worker failed: "), "{outcome:?}");
    }
    assert_eq!(workers_started(), before + 1);
    problem(&check(&client, json!({})).await);
    assert_eq!(workers_started(), before + 2);
}

#[wasm_bindgen_test]
async fn case_j11_an_answer_may_ask_again() {
    let client = std::rc::Rc::new(SchemaClient::new(stub_worker()));
    let (sender, receiver) = oneshot::channel();
    client.check("{}".to_owned(), "{}".to_owned(), {
        let client = client.clone();
        move |_| {
            client.check("{}".to_owned(), "{}".to_owned(), move |outcome| {
                let _ = sender.send(outcome);
            });
        }
    });
    assert_eq!(receiver.await, Ok(VALID));
}
