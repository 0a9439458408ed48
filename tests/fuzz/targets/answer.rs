//! What must hold of every answer that a model's server can give.

use praxis::protocol::{Timestamp, ToolDeclaration};
use praxis::service::model::run::{Endpoint, ModelRun, RunEffect, RunInput};
use praxis::service::model::{ModelMessage, ModelOutput, ModelRequest};
use praxis::service::session::RunNumber;
use serde_json::json;

/// Reads `answer` at once and in pieces of `size` bytes: it ends once, alike, and a broken one makes no call.
pub fn check(endpoint: &Endpoint, answer: &[u8], size: usize) {
    let whole = read(endpoint, [answer]);
    assert_eq!(read(endpoint, answer.chunks(size)), whole);
    let (last, before) = whole.split_last().expect("an end");
    let is_end = |output: &ModelOutput| matches!(output, ModelOutput::Done | ModelOutput::Failed(_));
    assert!(is_end(last) && !before.iter().any(is_end), "{whole:?}");
    let calls = before.iter().any(|output| matches!(output, ModelOutput::Call(_)));
    assert!(*last == ModelOutput::Done || !calls, "a broken answer makes a call: {whole:?}");
}

fn read<'a>(endpoint: &Endpoint, pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<ModelOutput> {
    let tool = json!({"type": "custom", "name": "t", "description": "x", "input_schema": {"type": "object"}});
    let request = ModelRequest {
        session: "s".into(),
        run: RunNumber(1),
        instructions: String::new(),
        messages: vec![ModelMessage::User { id: "u".into(), text: "hi".to_owned() }],
        tools: ToolDeclaration::list_from_json(&[tool], &[]).expect("a declaration"),
    };
    let now = Timestamp::default();
    let mut run = ModelRun::new(endpoint, &request, now);
    let mut effects = run.handle(now, RunInput::Wake);
    effects.extend(run.handle(now, RunInput::Head { status: 200, content_type: None, retry_after: None }));
    for piece in pieces {
        effects.extend(run.handle(now, RunInput::Bytes(piece)));
    }
    effects.extend(run.handle(now, RunInput::End));
    let mut output: Vec<ModelOutput> = Vec::new();
    for effect in effects {
        let RunEffect::Output(next) = effect else { continue };
        match (output.last_mut(), next) {
            (Some(ModelOutput::Text(text)), ModelOutput::Text(more))
            | (Some(ModelOutput::Reasoning(text)), ModelOutput::Reasoning(more)) => text.push_str(&more),
            (_, next) => output.push(next),
        }
    }
    output
}
