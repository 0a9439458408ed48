//! Who answers in a session: the agent as it is declared, and the model behind it, asked from the page.

use std::rc::Rc;
use std::sync::Arc;

use super::{request, words};
use crate::kit::http::client::Client;
use crate::kit::options::{Options, Protocol};
use crate::kit::page::sleep;
use crate::protocol::{AgentDefinition, TutorScript};
use crate::service::model::chat_completions::{self, EmptyContent};
use crate::service::model::run::Endpoint;
use crate::service::model::{ModelOutput, ModelRequest, ag_ui, tutor};

/// How many milliseconds lie between two pieces of the tutor's.
const PACE: u32 = 24;

/// An agent, and the model behind it.
pub(super) struct Agent {
    pub definition: Arc<AgentDefinition>,
    model: Model,
}

enum Model {
    /// The tutor, at the pace of somebody who writes.
    Tutor,
    /// A model behind HTTP.
    Http(Rc<Client>, Endpoint),
}

impl Agent {
    /// The agent of these options, whose model is asked through `client`.
    pub fn new(options: &Options, client: &Rc<Client>) -> Self {
        let definition = Arc::new(AgentDefinition {
            name: options.agent.name.clone().unwrap_or_else(|| words::AGENT.to_owned()),
            instructions: options.agent.instructions.clone(),
            tools: options.agent.tools.clone(),
            script: options.api.script.as_deref().cloned(),
        });
        let model = match endpoint(options) {
            Some(endpoint) => Model::Http(client.clone(), endpoint),
            None => Model::Tutor,
        };
        Self { definition, model }
    }

    /// Has the model answer: `output` gets each piece in turn. Dropping the future stops it (E16).
    pub async fn answer(&self, request: &ModelRequest, output: impl FnMut(ModelOutput)) {
        match &self.model {
            Model::Tutor => recite(self.definition.script.clone().unwrap_or_default(), request, output).await,
            Model::Http(client, endpoint) => request::answer(client, endpoint, request, output).await,
        }
    }
}

/// Where the model is asked; `None` for the tutor.
fn endpoint(options: &Options) -> Option<Endpoint> {
    let api = &options.api;
    let (url, headers) = (api.url.clone(), api.headers.clone());
    match api.protocol {
        Protocol::OpenAiChatCompletions => Some(Endpoint::ChatCompletions(chat_completions::Settings {
            url,
            model: api.model.clone().unwrap_or_default(),
            headers,
            temperature: api.request.temperature,
            tool_choice: api.request.tool_choice.clone(),
            empty_content: if api.request.empty_string {
                EmptyContent::EmptyString
            } else {
                EmptyContent::Null
            },
            context_budget: None,
        })),
        Protocol::AgUi => Some(Endpoint::AgUi(ag_ui::Settings { url, headers })),
        // Another service runs the loop.
        Protocol::Demo | Protocol::Praxis => None,
    }
}

async fn recite(script: TutorScript, request: &ModelRequest, mut output: impl FnMut(ModelOutput)) {
    for piece in tutor::respond(&script, request) {
        // Nobody watches a hidden page, and its timers are slow.
        let document = web_sys::window().and_then(|window| window.document());
        if document.is_some_and(|document| !document.hidden()) {
            sleep(PACE).await;
        }
        output(piece);
    }
}
