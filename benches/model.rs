//! How fast the service reads a model's answer and writes its request, on one core: `cargo xtask bench model`.

#![allow(missing_docs, reason = "criterion's macros write functions without docs")]

use std::sync::Arc;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use praxis::protocol::{AgentDefinition, Content, EventBody, Timestamp, ToolDeclaration};
use praxis::service::model::chat_completions::{self, Decoder};
use praxis::service::model::{ModelCall, ModelOutput, ModelRequest};
use praxis::service::session::{Effect, Input, RequestId, Session, Settings};
use serde_json::json;

/// As much as a network brings at once.
const READ: usize = 16 << 10;
/// As long as the streams are.
const STREAM: usize = 10 << 20;
/// As long as the history is.
const TURNS: usize = 500;

fn agent() -> Arc<AgentDefinition> {
    let tool = json!({"type": "custom", "name": "seek_to", "description": "Moves the video.", "input_schema": {"type": "object"}});
    let tools = ToolDeclaration::list_from_json(&[tool], &[]).expect("a declaration");
    Arc::new(AgentDefinition { name: "tutor".to_owned(), tools, ..AgentDefinition::default() })
}

const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

fn post(session: &mut Session, event: EventBody) -> Vec<Effect> {
    session.handle(NOW, Input::Post { request: RequestId(0), events: vec![event] })
}

fn message(text: &str) -> EventBody {
    EventBody::UserMessage { content: Content::of(text), page_context: None, client_message_id: None }
}

/// What the model is asked after `event`.
fn asked(session: &mut Session, event: EventBody) -> ModelRequest {
    let effects = post(session, event);
    let asked = effects.into_iter().find_map(|effect| match effect {
        Effect::AskModel { request, .. } => Some(request),
        _ => None,
    });
    asked.expect("the model is asked")
}

/// A session of [`TURNS`] turns, each a question, a call, its result and an answer.
fn history() -> Session {
    let mut session = Session::new("sesn_bench".into(), agent(), Settings::default(), NOW);
    for turn in 0..TURNS {
        let question = message("请跳到第三章的开头，再告诉我这一章讲什么。");
        let effects = post(&mut session, question);
        let [mut run] = effects.iter().filter_map(number).collect::<Vec<_>>()[..] else {
            panic!("not asked")
        };
        let call = ModelCall::new(format!("call_{turn}"), "seek_to", "{\"position_seconds\":65}");
        for output in [ModelOutput::Text("好的。".to_owned()), ModelOutput::Call(call), ModelOutput::Done]
        {
            let _ = session.handle(NOW, Input::Model { run, output });
        }
        let called = session
            .records()
            .iter()
            .rfind(|record| matches!(record.event.body, EventBody::CustomToolUse { .. }));
        let result = EventBody::CustomToolResult {
            custom_tool_use_id: called.expect("a call").event.id.clone(),
            content: Content::of(
                "{\"success\":true,\"data\":{\"positionSeconds\":65},\"toolName\":\"seek_to\",\"summary\":\"已跳到 1:05\",\"duration\":12}",
            ),
            is_error: false,
        };
        run = post(&mut session, result).iter().find_map(number).expect("asked again");
        for output in [
            ModelOutput::Text("这一章讲页面上下文：每条消息带着页面上的几件小事。".repeat(4)),
            ModelOutput::Done,
        ] {
            let _ = session.handle(NOW, Input::Model { run, output });
        }
    }
    session
}

fn number(effect: &Effect) -> Option<praxis::service::session::RunNumber> {
    match effect {
        Effect::AskModel { run, .. } => Some(*run),
        _ => None,
    }
}

/// A stream of small deltas, as OpenAI writes them.
fn stream(delta: &str) -> Vec<u8> {
    let chunk = |delta: &str, reason: &str| {
        [
            "data: {\"id\":\"chatcmpl-9aBcDeFgHiJkLmNoPqRsTuVwXyZ01\",\"object\":\"chat.completion.chunk\",\"created\":1796083200,\
             \"model\":\"gpt-4o-mini-2024-07-18\",\"system_fingerprint\":\"fp_0123456789\",\"choices\":[{\"index\":0,\"delta\":",
            delta,
            ",\"logprobs\":null,\"finish_reason\":",
            reason,
            "}]}\n\n",
        ]
        .concat()
    };
    let mut stream = chunk(delta, "null").repeat(STREAM / chunk(delta, "null").len());
    stream.push_str(&chunk("{}", "\"stop\""));
    stream.push_str("data: [DONE]\n\n");
    stream.into_bytes()
}

fn decoding(criterion: &mut Criterion) {
    let mut session = Session::new("sesn_bench".into(), agent(), Settings::default(), NOW);
    let request = asked(&mut session, message("hi"));
    let mut group = criterion.benchmark_group("a stream of 10 MB is read");
    group.measurement_time(Duration::from_secs(10)).sample_size(20);
    let arguments = r#"{"tool_calls":[{"index":0,"id":"","function":{"arguments":"页面"}}]}"#;
    for (name, delta) in [("text", r#"{"content":"页面"}"#), ("arguments", arguments)] {
        let stream = stream(delta);
        group.throughput(Throughput::Bytes(stream.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut decoder = Decoder::new(&request);
                let pieces: usize = stream.chunks(READ).map(|bytes| decoder.bytes(bytes).len()).sum();
                pieces + decoder.end().len()
            });
        });
    }
    group.finish();
}

fn requests(criterion: &mut Criterion) {
    let settings = chat_completions::Settings {
        context_budget: Some(usize::MAX),
        ..chat_completions::Settings::default()
    };
    let mut group = criterion.benchmark_group("a history of 2,000 messages is written");
    group.measurement_time(Duration::from_secs(10)).sample_size(20);
    group.bench_function("from the session's log to the body", |bencher| {
        bencher.iter_batched(
            history,
            |mut session| {
                let request = asked(&mut session, message("继续"));
                assert_eq!(request.messages.len(), 4 * TURNS + 1);
                chat_completions::request(&settings, &request)
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

criterion_group!(benches, decoding, requests);
criterion_main!(benches);
