//! How much praxis-server carries: `cargo xtask bench`.
//!
//! Client and server share this machine's cores, so the figures are lower bounds.

#![allow(missing_docs, reason = "criterion's macros write functions without docs")]

#[path = "../../tests/conformance/suite/mod.rs"]
#[allow(dead_code, unused_macros, reason = "the benchmarks use a part of it")]
mod suite;

#[path = "../../tests/server/rig.rs"]
#[allow(dead_code, reason = "the benchmarks use a part of it")]
mod rig;

mod idle_memory;

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use rig::{Rig, Stream, Visitor};

/// One session as its page has it: with its stream open.
struct Conversation {
    visitor: Visitor,
    session: String,
    stream: Stream,
}

impl Conversation {
    async fn open(rig: &Rig) -> Self {
        let visitor = rig.visitor().await;
        let session = visitor.session().await;
        let stream = visitor.stream(&session, &[]).await;
        Self { visitor, session, stream }
    }

    /// A question, the call, its result, the answer.
    async fn round_trip(&mut self) {
        let question = json!({"type": "user.message", "content": [{"type": "text", "text": "call quietly"}]});
        self.post(question).await;
        let call = self.stream.until("agent.custom_tool_use").await;
        let result = json!({
            "type": "user.custom_tool_result", "custom_tool_use_id": call.data["id"],
            "content": [{"type": "text", "text": "{\"positionSeconds\":83}"}], "is_error": false,
        });
        self.post(result).await;
        self.stream.until("agent.message").await;
        self.stream.until("session.status_idle").await;
    }

    async fn post(&self, event: Value) {
        let answer = self.visitor.post(&self.session, &[event]).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
}

fn round_trips(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime");
    let mut group = criterion.benchmark_group("tool round trips");
    group.sample_size(10).measurement_time(Duration::from_secs(8));
    for sessions in [1_usize, 100, 1_000] {
        group.throughput(Throughput::Elements(sessions as u64));
        let rig = runtime.block_on(Rig::new());
        let open =
            async { futures_util::future::join_all((0..sessions).map(|_| Conversation::open(&rig))).await };
        let mut conversations = runtime.block_on(open);
        group.bench_function(BenchmarkId::from_parameter(sessions), |bencher| {
            bencher.iter_custom(|rounds| {
                let start = Instant::now();
                for _ in 0..rounds {
                    let trips = conversations.iter_mut().map(Conversation::round_trip);
                    runtime.block_on(futures_util::future::join_all(trips));
                }
                start.elapsed()
            });
        });
        // Each stream answers as long as its server runs.
        drop(conversations);
        runtime.block_on(async move {
            let mut rig = rig;
            rig.stop().await;
        });
    }
    group.finish();
}

/// What a page does first: the stream, then the history to its last page.
fn opening(criterion: &mut Criterion) {
    const EVENTS: usize = 10_000;
    let runtime = Runtime::new().expect("a runtime");
    let (rig, visitor, session) = runtime.block_on(async {
        let rig = Rig::new().await;
        let visitor = rig.visitor().await;
        let session = visitor.session().await;
        for _ in 0..EVENTS / 1_000 {
            let answer = visitor.post(&session, &vec![json!({"type": "user.interrupt"}); 1_000]).await;
            assert_eq!(answer.status, 200, "{answer:?}");
        }
        (rig, visitor, session)
    });
    let mut group = criterion.benchmark_group("opening a session");
    group.sample_size(20).throughput(Throughput::Elements(EVENTS as u64));
    group.bench_function("10000 events", |bencher| {
        bencher.iter(|| {
            runtime.block_on(async {
                let stream = visitor.stream(&session, &[]).await;
                let (mut read, mut page) = (0, String::new());
                loop {
                    let path = format!("{session}/events?limit=1000{page}");
                    let answer = visitor.request("GET", &path, None).await.json();
                    read += answer["data"].as_array().map_or(0, Vec::len);
                    match answer["next_page"].as_str() {
                        Some(cursor) => page = format!("&page={cursor}"),
                        None => break,
                    }
                }
                assert_eq!(read, EVENTS);
                drop(stream);
            });
        });
    });
    group.finish();
    drop(rig);
}

criterion_group!(benches, round_trips, opening, idle_memory::idle_memory);
criterion_main!(benches);
