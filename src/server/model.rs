//! The tutor at the pace of somebody who writes.

use std::time::Duration;

use tokio::sync::mpsc;

use crate::protocol::AgentDefinition;
use crate::service::model::{ModelOutput, ModelRequest, tutor};

/// Has the tutor answer; `output` gets each piece in turn. It ends when nobody takes them any more.
pub(super) async fn answer(
    agent: &AgentDefinition,
    request: &ModelRequest,
    pace: Duration,
    output: mpsc::Sender<ModelOutput>,
) {
    let script = agent.script.clone().unwrap_or_default();
    for piece in tutor::respond(&script, request) {
        if !pace.is_zero() {
            tokio::time::sleep(pace).await;
        }
        if output.send(piece).await.is_err() {
            return;
        }
    }
}
