//! The tutor at the pace of somebody who writes.

use crate::kit::page::sleep;
use crate::protocol::AgentDefinition;
use crate::service::model::{ModelOutput, ModelRequest, tutor};

/// How many characters come at a time, and after how many milliseconds.
const PIECE: usize = 3;
const PACE: u32 = 24;

/// Has the tutor answer: `output` gets each piece in turn. Dropping the future stops it.
pub(super) async fn answer(
    agent: &AgentDefinition,
    request: &ModelRequest,
    mut output: impl FnMut(ModelOutput),
) {
    let script = agent.script.clone().unwrap_or_default();
    for piece in tutor::answer(&script, request) {
        match piece {
            ModelOutput::Text(text) => {
                let mut rest = text.as_str();
                while !rest.is_empty() {
                    let cut = rest.char_indices().nth(PIECE).map_or(rest.len(), |(at, _)| at);
                    let (now, later) = rest.split_at(cut);
                    pause().await;
                    output(ModelOutput::Text(now.to_owned()));
                    rest = later;
                }
            }
            other => {
                pause().await;
                output(other);
            }
        }
    }
}

/// Nobody watches a hidden page, and its timers are slow.
async fn pause() {
    let document = web_sys::window().and_then(|window| window.document());
    if document.is_some_and(|document| !document.hidden()) {
        sleep(PACE).await;
    }
}
