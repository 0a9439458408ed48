//! A session of the service whose model is a peer: what a driver does, with nothing around it.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use praxis::protocol::{
    AgentDefinition, Content, ContextItem, EventBody, EventId, IdleReason, RetryStatus, Timestamp,
    ToolDeclaration,
};
use praxis::service::model::run::{Endpoint, ModelRun, RunEffect, RunInput};
use praxis::service::model::{HttpRequest, ModelRequest, ag_ui, chat_completions};
use praxis::service::session::{Effect, Input, RequestId, RunNumber, Session, Settings};
use reqwest::header::HeaderValue;
use serde_json::{Value, json};

/// How a peer is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// pydantic-ai.
    AgUi,
    /// aimock.
    Chat,
    /// fakellm, which streams arguments in pieces and says fixed answers only.
    FakeLlm,
}

impl Protocol {
    pub const ALL: [Self; 3] = [Self::AgUi, Self::Chat, Self::FakeLlm];

    fn address(self) -> String {
        let variable = match self {
            Self::AgUi => "PRAXIS_AG_UI",
            Self::Chat => "PRAXIS_CHAT",
            Self::FakeLlm => "PRAXIS_FAKE_LLM",
        };
        std::env::var(variable).unwrap_or_else(|_| panic!("{variable} does not say where the peer is"))
    }

    fn endpoint(self, address: &str) -> Endpoint {
        match self {
            Self::AgUi => {
                Endpoint::AgUi(ag_ui::Settings { url: address.to_owned(), ..ag_ui::Settings::default() })
            }
            Self::Chat | Self::FakeLlm => Endpoint::ChatCompletions(chat_completions::Settings {
                url: [address, "/v1"].concat(),
                model: "peer".to_owned(),
                ..chat_completions::Settings::default()
            }),
        }
    }
}

/// What came of a message.
#[derive(Debug, Default)]
pub struct Turn {
    /// The agent's text.
    pub text: String,
    /// The names of the calls, in order.
    pub calls: Vec<String>,
    /// How many requests the model got.
    pub requests: usize,
    /// What went wrong.
    pub error: Option<String>,
    /// Why the turn ended.
    pub ended: Option<IdleReason>,
}

pub struct Conversation {
    protocol: Protocol,
    address: String,
    client: reqwest::Client,
    session: Session,
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(u64::try_from(since.as_millis()).unwrap())
}

impl Conversation {
    pub fn new(protocol: Protocol) -> Self {
        let tool = |name: &str| json!({"type": "custom", "name": name, "description": "x", "input_schema": {"type": "object"}});
        let tools = ["fill_form_field", "query_data", "read_playback_progress", "seek_to"].map(tool);
        let tools = ToolDeclaration::list_from_json(&tools, &[]).unwrap();
        let agent =
            Arc::new(AgentDefinition { name: "peer".to_owned(), tools, ..AgentDefinition::default() });
        // No TLS is spoken here, but the client wants to know what it would compute with.
        let _ = rustls::crypto::ring::default_provider().install_default();
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let id = format!("sesn_{}x{number}", now().as_millis());
        Self {
            protocol,
            address: protocol.address(),
            client: reqwest::Client::new(),
            session: Session::new(id.as_str().into(), agent, Settings::default(), now()),
        }
    }

    /// Says `text` and has `page` answer the calls, to the turn's end.
    pub async fn ask(&mut self, text: &str, page: impl Fn(&str, &Value) -> Result<String, String>) -> Turn {
        self.ask_on(text, &[], page).await
    }

    /// The same, with page context.
    pub async fn ask_on(
        &mut self,
        text: &str,
        context: &[(&str, &str)],
        page: impl Fn(&str, &Value) -> Result<String, String>,
    ) -> Turn {
        let items: Vec<_> = context
            .iter()
            .map(|(name, value)| ContextItem { name: (*name).to_owned(), value: (*value).to_owned() })
            .collect();
        let message = EventBody::UserMessage {
            content: Content::of(text),
            page_context: (!items.is_empty()).then_some(items),
            client_message_id: None,
        };
        let mut turn = Turn::default();
        let mut effects = self.post(vec![message]);
        while turn.ended.is_none() {
            let mut results = Vec::new();
            let mut asked = None;
            for effect in effects {
                match effect {
                    Effect::Append(records) => {
                        for record in records {
                            note(&mut turn, &record.event.id, &record.event.body, &page, &mut results);
                        }
                    }
                    Effect::Reply { reply, .. } => drop(reply.expect("the session takes it")),
                    Effect::AskModel { run, request } => asked = Some((run, request)),
                    _ => {}
                }
            }
            effects = match asked {
                Some((run, request)) => {
                    turn.requests += 1;
                    self.run(run, &request).await
                }
                None if !results.is_empty() => self.post(results),
                None => Vec::new(),
            };
        }
        turn
    }

    /// The turn ended with this answer.
    pub fn answers(&self, turn: &Turn, expected: &str) {
        assert_eq!((&turn.error, &turn.ended), (&None, &Some(IdleReason::EndTurn)), "{:?}", self.protocol);
        let answer = turn.text.rsplit("\n\n").next().unwrap_or_default();
        if self.protocol == Protocol::FakeLlm {
            // Where others fill in what they were told, it says "…".
            let fixed = answer.split('…').all(|piece| expected.contains(piece));
            assert!(fixed && !answer.is_empty(), "{answer:?}, expected {expected:?}");
        } else {
            assert_eq!(answer, expected, "{:?}", self.protocol);
        }
    }

    fn post(&mut self, events: Vec<EventBody>) -> Vec<Effect> {
        self.session.handle(now(), Input::Post { request: RequestId(0), events })
    }

    /// Asks the model, as a transport does.
    async fn run(&mut self, number: RunNumber, asked: &ModelRequest) -> Vec<Effect> {
        let endpoint = self.protocol.endpoint(&self.address);
        let mut run = ModelRun::new(&endpoint, asked, now());
        let mut recorded = Vec::new();
        let mut effects = Vec::new();
        let mut due = run.handle(now(), RunInput::Wake);
        let mut response = None;
        loop {
            let mut wake = None;
            for effect in std::mem::take(&mut due) {
                match effect {
                    RunEffect::Send(request) => response = Some((self.send(request).await, false)),
                    RunEffect::WakeAt(at) => wake = Some(at),
                    RunEffect::Output(output) => {
                        effects.extend(self.session.handle(now(), Input::Model { run: number, output }));
                    }
                    RunEffect::Finished => {
                        if self.protocol == Protocol::AgUi {
                            record(asked, &recorded);
                        }
                        return effects;
                    }
                }
            }
            due = match (&mut response, wake) {
                (Some((response, has_head @ false)), _) => {
                    *has_head = true;
                    let header = |name| {
                        response.headers().get(name).and_then(|value: &HeaderValue| value.to_str().ok())
                    };
                    let (content_type, retry_after) = (header("content-type"), header("retry-after"));
                    run.handle(
                        now(),
                        RunInput::Head { status: response.status().as_u16(), content_type, retry_after },
                    )
                }
                (Some((response, true)), None) => match response.chunk().await {
                    Ok(Some(bytes)) => {
                        recorded.extend_from_slice(&bytes);
                        run.handle(now(), RunInput::Bytes(&bytes))
                    }
                    Ok(None) => run.handle(now(), RunInput::End),
                    Err(error) => run.handle(now(), RunInput::Broken(&error.to_string())),
                },
                (_, Some(at)) => {
                    tokio::time::sleep(at.since(now())).await;
                    run.handle(now(), RunInput::Wake)
                }
                (None, None) => panic!("the run waits for nothing"),
            };
        }
    }

    async fn send(&self, HttpRequest { url, headers, body }: HttpRequest) -> reqwest::Response {
        let post = self.client.post(url).body(body);
        let post = headers.iter().fold(post, |post, (name, value)| post.header(name, value));
        post.send().await.expect("the peer answers")
    }
}

/// Writes down what was stored, and has the page answer a call.
fn note(
    turn: &mut Turn,
    id: &EventId,
    body: &EventBody,
    page: &impl Fn(&str, &Value) -> Result<String, String>,
    results: &mut Vec<EventBody>,
) {
    match body {
        EventBody::AgentMessage { content, .. } => {
            let text = Content::text(content);
            turn.text = if turn.text.is_empty() { text } else { [&turn.text, "\n\n", &text].concat() };
        }
        EventBody::CustomToolUse { name, input } => {
            turn.calls.push(name.clone());
            let result = page(name, &Value::Object(input.clone()));
            let is_error = result.is_err();
            let content = Content::of(result.unwrap_or_else(|error| error));
            results.push(EventBody::CustomToolResult { custom_tool_use_id: id.clone(), content, is_error });
        }
        EventBody::StatusIdle { stop_reason: IdleReason::RequiresAction { .. } } => {}
        EventBody::StatusIdle { stop_reason } => {
            turn.ended = Some(stop_reason.clone());
        }
        // That a request is sent again is told, and no end of the turn.
        EventBody::Error { error } if error.retry_status != RetryStatus::Retrying => {
            turn.error = Some(error.message.clone());
        }
        _ => {}
    }
}

/// Keeps a run of the agent for the protocol's validator, behind the session's runs before it.
fn record(asked: &ModelRequest, bytes: &[u8]) {
    if let Some(folder) = std::env::var_os("PRAXIS_RECORDED") {
        let path = std::path::Path::new(&folder).join(format!("{}.sse", asked.session));
        let mut file =
            std::fs::File::options().create(true).append(true).open(path).expect("a file to record to");
        file.write_all(bytes).expect("recorded");
    }
}
