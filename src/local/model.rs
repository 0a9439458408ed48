//! The tutor at the pace of somebody who writes.

use crate::kit::page::sleep;
use crate::protocol::AgentDefinition;
use crate::service::model::{ModelOutput, ModelRequest, tutor};

/// How many milliseconds lie between two pieces.
const PACE: u32 = 24;

/// Has the tutor answer: `output` gets each piece in turn. Dropping the future stops it.
pub(super) async fn answer(
    agent: &AgentDefinition,
    request: &ModelRequest,
    mut output: impl FnMut(ModelOutput),
) {
    let script = agent.script.clone().unwrap_or_default();
    for piece in tutor::respond(&script, request) {
        // Nobody watches a hidden page, and its timers are slow.
        let document = web_sys::window().and_then(|window| window.document());
        if document.is_some_and(|document| !document.hidden()) {
            sleep(PACE).await;
        }
        output(piece);
    }
}
