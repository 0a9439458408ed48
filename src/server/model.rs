//! Who answers: the tutor at the pace of somebody who writes, or a model behind HTTP.

use std::future::pending;
use std::net::IpAddr;
use std::pin::Pin;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, Url, redirect};
use tokio::sync::mpsc;

use super::clock::Clock;
use crate::protocol::AgentDefinition;
use crate::protocol::tutor_script::Language;
use crate::service::model::run::{Endpoint, ModelRun, RunEffect, RunInput};
use crate::service::model::{HttpRequest, ModelOutput, ModelRequest, tutor};

/// How long a model's server may take to accept a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Who answers.
#[derive(Clone, Debug)]
pub(super) enum Model {
    /// The tutor, who pauses so long between two pieces.
    Tutor(Duration),
    /// A model behind HTTP.
    Http(Client, Endpoint),
}

impl Model {
    /// A model behind HTTP; the error says why there can be no client for it.
    pub fn http(endpoint: Endpoint) -> Result<Self, String> {
        if is_in_clear(&endpoint) {
            tracing::warn!(
                "the key of the model goes to another computer unencrypted: give its address https"
            );
        }
        // It fails where a provider is there already, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .user_agent(concat!("praxis-server/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_TIMEOUT)
            // A redirected POST is no POST any more, and the key is for the address that was given.
            .redirect(redirect::Policy::none());
        let client = client.build().map_err(|error| chain(&error))?;
        Ok(Self::Http(client, endpoint))
    }

    /// Has it answer; `output` gets each piece in turn. It ends when nobody takes them any more. Dropping the future
    /// closes the connection (E16).
    pub async fn answer(
        &self,
        agent: &AgentDefinition,
        request: &ModelRequest,
        clock: &Clock,
        output: mpsc::Sender<ModelOutput>,
    ) {
        match self {
            Self::Tutor(pace) => recite(agent, request, *pace, output).await,
            Self::Http(client, endpoint) => ask(client, endpoint, request, clock, output).await,
        }
    }
}

/// Whether a key goes over the network for all to read.
fn is_in_clear(endpoint: &Endpoint) -> bool {
    let (url, headers) = match endpoint {
        Endpoint::ChatCompletions(settings) => (&settings.url, &settings.headers),
        Endpoint::AgUi(settings) => (&settings.url, &settings.headers),
    };
    let is_here = |name: &str| {
        let address = name.trim_matches(['[', ']']).parse::<IpAddr>();
        name == "localhost"
            || name.ends_with(".localhost")
            || address.is_ok_and(|address| address.is_loopback())
    };
    let url = Url::parse(url).ok().filter(|url| !headers.is_empty() && url.scheme() == "http");
    url.is_some_and(|url| !url.host_str().is_some_and(is_here))
}

async fn recite(
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

/// What the network brings.
enum Arrival {
    Head(Response),
    Bytes(Response, Vec<u8>),
    End,
    Broken(String),
}

type Arriving = Pin<Box<dyn Future<Output = Arrival> + Send>>;

/// Carries out what a model's run decides.
async fn ask(
    client: &Client,
    endpoint: &Endpoint,
    request: &ModelRequest,
    clock: &Clock,
    output: mpsc::Sender<ModelOutput>,
) {
    let language = Language::of(request.said());
    let mut run = ModelRun::new(endpoint, request, clock.now());
    let mut arriving: Arriving = Box::pin(pending());
    let mut wake = None;
    let mut effects = run.handle(clock.now(), RunInput::Wake);
    loop {
        for effect in effects {
            match effect {
                RunEffect::Send(request) => arriving = Box::pin(send(client.clone(), request, language)),
                RunEffect::WakeAt(at) => wake = Some(at),
                RunEffect::Output(piece) => {
                    if output.send(piece).await.is_err() {
                        return;
                    }
                }
                RunEffect::Finished => return,
            }
        }
        let arrival = tokio::select! {
            arrival = &mut arriving => Some(arrival),
            () = clock.reach_if(wake) => None,
        };
        let now = clock.now();
        effects = match arrival {
            None => {
                wake = None;
                run.handle(now, RunInput::Wake)
            }
            Some(Arrival::Head(response)) => {
                let status = response.status().as_u16();
                let headers = response.headers();
                let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
                let head = RunInput::Head {
                    status,
                    content_type: text(CONTENT_TYPE),
                    retry_after: text(RETRY_AFTER),
                };
                let effects = run.handle(now, head);
                arriving = Box::pin(read(response, language));
                effects
            }
            Some(Arrival::Bytes(response, bytes)) => {
                arriving = Box::pin(read(response, language));
                run.handle(now, RunInput::Bytes(&bytes))
            }
            Some(Arrival::End) => {
                arriving = Box::pin(pending());
                run.handle(now, RunInput::End)
            }
            Some(Arrival::Broken(why)) => {
                arriving = Box::pin(pending());
                run.handle(now, RunInput::Broken(&why))
            }
        };
    }
}

async fn send(client: Client, request: HttpRequest, language: Language) -> Arrival {
    let mut sending = client.post(&request.url).body(request.body);
    for (name, value) in &request.headers {
        sending = sending.header(name, value);
    }
    match sending.send().await {
        Ok(response) => Arrival::Head(response),
        Err(error) => Arrival::Broken(said(&error, language).to_owned()),
    }
}

async fn read(mut response: Response, language: Language) -> Arrival {
    match response.chunk().await {
        Ok(Some(bytes)) => Arrival::Bytes(response, bytes.into()),
        Ok(None) => Arrival::End,
        Err(error) => Arrival::Broken(said(&error, language).to_owned()),
    }
}

/// What went wrong, for people: what the operator must know is in the log, for an error names addresses.
fn said(error: &reqwest::Error, language: Language) -> &'static str {
    tracing::warn!(error = chain(error), "the model's server");
    match (error.is_connect(), language) {
        (true, Language::Chinese) => "连不上模型服务。",
        (true, Language::English) => "The model's server cannot be reached.",
        (false, Language::Chinese) => "与模型服务的连接中断了。",
        (false, Language::English) => "The connection to the model's server broke.",
    }
}

/// An error with what lies under it.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut under = error.source();
    while let Some(error) = under {
        text.push_str(": ");
        text.push_str(&error.to_string());
        under = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::model::ag_ui;

    #[test]
    fn a_key_is_in_clear_where_it_leaves_this_computer_without_https() {
        let asking = |url: &str, headers: &[&str]| {
            let headers = headers.iter().map(|name| ((*name).to_owned(), "Bearer sk-1".to_owned())).collect();
            is_in_clear(&Endpoint::AgUi(ag_ui::Settings { url: url.to_owned(), headers }))
        };
        for url in
            ["http://192.168.1.5/v1", "http://[fe80::1]:8000/", "http://localhost.example/", "http://model/"]
        {
            assert!(asking(url, &["authorization"]), "{url}");
            assert!(!asking(url, &[]), "{url}: there is no key");
            assert!(!asking(&url.replace("http:", "https:"), &["authorization"]), "{url}");
        }
        for url in [
            "http://127.0.0.1:1/v1",
            "http://127.1.2.3/",
            "http://[::1]:8000/",
            "http://localhost/",
            "http://a.localhost/",
        ] {
            assert!(!asking(url, &["authorization"]), "{url}");
        }
    }
}
