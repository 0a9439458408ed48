//! A server of a test's own, and a client of it.

use std::path::PathBuf;
use std::time::Duration;

use praxis::server::{Options, Server};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, Response};
use serde_json::{Value, json};

use crate::suite::{self, Frame};

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(30);

/// The server key of every test's server.
pub const SERVER_KEY: &str = "the server's key of the tests";
/// What its tokens are signed with.
pub const SECRET: &str = "a secret of the tests, of some length";

/// A folder that goes away with the test.
#[derive(Debug)]
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Self {
        static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("praxis-server-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A server in this process.
pub struct Rig {
    _folder: Folder,
    pub options: Options,
    server: Option<Server>,
}

impl Rig {
    /// A server with the suite's agent, which answers at once.
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// The same, with other options.
    pub async fn with(change: impl FnOnce(&mut Options)) -> Self {
        let folder = Folder::new();
        let mut options = Options::new(suite::agent());
        options.listen = ([127, 0, 0, 1], 0).into();
        options.data = folder.0.join("praxis.sqlite");
        options.dist = folder.0.join("dist");
        options.pace = Duration::ZERO;
        options.server_key = Some(SERVER_KEY.to_owned());
        options.token_secret = Some(SECRET.to_owned());
        change(&mut options);
        let server = Server::start(options.clone()).await.expect("the server starts");
        Self { _folder: folder, options, server: Some(server) }
    }

    pub fn address(&self) -> String {
        format!("http://{}", self.server.as_ref().expect("the server runs").address())
    }

    pub async fn stop(&mut self) {
        if let Some(server) = self.server.take() {
            assert!(server.stop().await, "a request had to be ended");
        }
    }

    /// Stops the server and starts it again with the same data, at another port.
    pub async fn restart(&mut self) {
        self.stop().await;
        self.server = Some(Server::start(self.options.clone()).await.expect("the server starts again"));
    }

    /// A new visitor, as the token endpoint makes one.
    pub async fn visitor(&self) -> Visitor {
        Visitor::new(&self.address()).await
    }
}

/// Somebody with a token.
#[derive(Clone, Debug)]
pub struct Visitor {
    pub client: Client,
    pub address: String,
    pub token: String,
}

/// An answer that has been read.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub async fn of(response: Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = tokio::time::timeout(PATIENCE, response.text()).await.expect("the answer ends").unwrap();
        Self { status, headers, text }
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    /// Checks that the request was refused as WIRE.md says, and gives the message.
    pub fn refused(&self, status: u16, kind: &str) -> String {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.header("content-type"), "application/json");
        suite::refused(&suite::Answer { status: self.status, body: self.json() }, status, kind)
    }
}

pub fn client() -> Client {
    // It fails where another test was first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap()
}

/// A request of anybody; `headers` are `name: value` pairs.
pub async fn request(
    client: &Client,
    method: &str,
    url: &str,
    headers: &[(&str, &str)],
    body: Option<String>,
) -> Answer {
    Answer::of(send(client, method, url, headers, body).await).await
}

pub async fn send(
    client: &Client,
    method: &str,
    url: &str,
    headers: &[(&str, &str)],
    body: Option<String>,
) -> Response {
    let mut request = client.request(Method::from_bytes(method.as_bytes()).unwrap(), url);
    for (name, value) in headers {
        let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
        request = request.header(HeaderName::from_bytes(name.as_bytes()).unwrap(), value);
    }
    if let Some(body) = body {
        request = request.header("content-type", "application/json").body(body);
    }
    tokio::time::timeout(PATIENCE, request.send()).await.expect("the server answers").expect("it is reached")
}

impl Visitor {
    pub async fn new(address: &str) -> Self {
        let client = client();
        let url = format!("{address}/api/praxis-token");
        let answer = request(&client, "POST", &url, &[], None).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let token = answer.json()["token"].as_str().expect("a token").to_owned();
        Self { client, address: address.to_owned(), token }
    }

    /// The same client with another token.
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: token.to_owned(), ..self.clone() }
    }

    pub async fn request(&self, method: &str, path: &str, body: Option<&str>) -> Answer {
        self.request_with(method, path, &[], body).await
    }

    pub async fn request_with(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> Answer {
        let bearer = format!("Bearer {}", self.token);
        let headers = [&[("authorization", bearer.as_str())], headers].concat();
        let url = format!("{}{path}", self.address);
        request(&self.client, method, &url, &headers, body.map(str::to_owned)).await
    }

    /// Makes a session; gives its path.
    pub async fn session(&self) -> String {
        let answer = self.request("POST", "/v1/sessions", None).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        format!("/v1/sessions/{}", answer.json()["id"].as_str().expect("an id"))
    }

    pub async fn post(&self, session: &str, events: &[Value]) -> Answer {
        let body = json!({ "events": events }).to_string();
        self.request("POST", &format!("{session}/events"), Some(&body)).await
    }

    pub async fn history(&self, session: &str) -> Vec<Value> {
        let answer = self.request("GET", &format!("{session}/events"), None).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()["data"].as_array().expect("a list").clone()
    }

    /// Opens a session's stream.
    pub async fn stream(&self, session: &str, headers: &[(&str, &str)]) -> Stream {
        let bearer = format!("Bearer {}", self.token);
        let headers = [&[("authorization", bearer.as_str())], headers].concat();
        let url = format!("{}{session}/events/stream", self.address);
        let response = send(&self.client, "GET", &url, &headers, None).await;
        assert_eq!(response.status().as_u16(), 200);
        Stream::of(response)
    }
}

/// An open stream.
#[derive(Debug)]
pub struct Stream {
    pub response: Response,
    bytes: Vec<u8>,
    text: String,
}

impl Stream {
    pub fn of(response: Response) -> Self {
        Self { response, text: String::new(), bytes: Vec::new() }
    }

    /// The next block: a comment or an event; `None` at the stream's end.
    pub async fn block(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                return Some(block);
            }
            let piece =
                tokio::time::timeout(PATIENCE, self.response.chunk()).await.expect("the stream goes on");
            // A connection that breaks is an end, too.
            let piece = piece.ok().flatten()?;
            self.bytes.extend_from_slice(&piece);
            let whole = match std::str::from_utf8(&self.bytes) {
                Ok(text) => text.len(),
                Err(error) => error.valid_up_to(),
            };
            let read: Vec<u8> = self.bytes.drain(..whole).collect();
            self.text.push_str(std::str::from_utf8(&read).unwrap());
        }
    }

    /// The next event; `None` at the stream's end.
    pub async fn frame(&mut self) -> Option<Frame> {
        loop {
            let block = self.block().await?;
            if block.starts_with(':') {
                continue;
            }
            let field = |name: &str| {
                let mut lines = block.lines().filter_map(|line| line.split_once(": "));
                lines.find(|(field, _)| *field == name).map(|(_, value)| value.to_owned())
            };
            return Some(Frame {
                id: field("id"),
                event: field("event").expect("an event has a type"),
                data: serde_json::from_str(&field("data").expect("an event has data")).expect("data is JSON"),
            });
        }
    }

    /// Reads up to the next stored event of this type.
    pub async fn until(&mut self, kind: &str) -> Frame {
        loop {
            let frame = self.frame().await.expect("the stream goes on");
            if frame.event == kind {
                return frame;
            }
        }
    }
}
