//! Who answers in a session: the agent as it is declared, and the tutor at the pace of somebody who writes.

use std::sync::Arc;

use super::words;
use crate::kit::options::Options;
use crate::kit::page::sleep;
use crate::protocol::AgentDefinition;
use crate::service::model::{ModelOutput, ModelRequest, tutor};

/// How many milliseconds lie between two pieces.
const PACE: u32 = 24;

/// An agent, and the model behind it.
pub(super) struct Agent {
    pub definition: Arc<AgentDefinition>,
}

impl Agent {
    /// The agent of these options.
    pub fn new(options: &Options) -> Self {
        let definition = Arc::new(AgentDefinition {
            name: options.agent.name.clone().unwrap_or_else(|| words::AGENT.to_owned()),
            instructions: options.agent.instructions.clone(),
            tools: options.agent.tools.clone(),
            script: options.api.script.as_deref().cloned(),
        });
        Self { definition }
    }

    /// Has the model answer: `output` gets each piece in turn. Dropping the future stops it (E16).
    pub async fn answer(&self, request: &ModelRequest, mut output: impl FnMut(ModelOutput)) {
        let script = self.definition.script.clone().unwrap_or_default();
        for piece in tutor::respond(&script, request) {
            // Nobody watches a hidden page, and its timers are slow.
            let document = web_sys::window().and_then(|window| window.document());
            if document.is_some_and(|document| !document.hidden()) {
                sleep(PACE).await;
            }
            output(piece);
        }
    }
}
