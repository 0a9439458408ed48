//! Sending a request: address, headers, token, abort; reading its answer.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Reflect, Uint8Array};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, Headers, ReadableStreamDefaultReader, RequestCache, RequestInit, Response};

use super::token::Tokens;
use super::{answer, text, words};
use crate::kit::backend::BackendError;
use crate::kit::options::Options;

/// A request, which may be sent again with another token.
pub(crate) struct Request {
    pub method: &'static str,
    /// From the base address on, with the query.
    pub path: String,
    /// JSON.
    pub body: Option<String>,
}

impl Request {
    pub fn get(path: String) -> Self {
        Self { method: "GET", path, body: None }
    }

    pub fn post(path: String, body: &Value) -> Self {
        Self { method: "POST", path, body: Some(text(body)) }
    }

    /// How errors name it.
    pub fn place(&self) -> String {
        [self.method, " ", &self.path].concat()
    }
}

/// An answer of which the headers have come. Dropping it ends the request.
pub(crate) struct Answer {
    pub response: Response,
    guard: AbortOnDrop,
}

impl Answer {
    /// A header's value; empty where it is absent, or kept from the page.
    pub fn header(&self, name: &str) -> String {
        self.response.headers().get(name).ok().flatten().unwrap_or_default()
    }

    /// What reads the body; `None` where there is none.
    pub fn body(self) -> Option<Body> {
        let reader = self.response.body()?.get_reader().unchecked_into();
        Some(Body { reader, _guard: self.guard })
    }
}

/// A body that is being read. Dropping it ends the request.
pub(crate) struct Body {
    reader: ReadableStreamDefaultReader,
    _guard: AbortOnDrop,
}

impl Body {
    /// What comes next; `None` at the end.
    ///
    /// # Errors
    /// The connection broke.
    pub async fn read(&self) -> Result<Option<Vec<u8>>, JsValue> {
        let part = JsFuture::from(self.reader.read()).await?;
        if Reflect::get(&part, &JsValue::from_str("done"))?.is_truthy() {
            return Ok(None);
        }
        let bytes: Uint8Array = Reflect::get(&part, &JsValue::from_str("value"))?.unchecked_into();
        Ok(Some(bytes.to_vec()))
    }
}

/// Ends a request that is still under way when it is dropped.
struct AbortOnDrop(AbortController);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// One service, and how to speak to it.
pub(crate) struct Client {
    /// Without a trailing slash.
    base: String,
    tokens: Tokens,
    settings: RefCell<Settings>,
}

#[derive(Default)]
struct Settings {
    headers: Rc<[(String, String)]>,
    agent_name: Option<String>,
}

impl Client {
    /// A client of what is at `base`; where that is empty, requests name the whole address.
    pub fn new(base: &str, options: &Options) -> Self {
        let base = base.trim_end_matches('/').to_owned();
        let client = Self { base, tokens: Tokens::default(), settings: RefCell::default() };
        client.configure(options);
        client
    }

    pub fn configure(&self, options: &Options) {
        self.tokens.configure(options.api.get_token.as_ref());
        let headers = options.api.headers.as_slice().into();
        *self.settings.borrow_mut() = Settings { headers, agent_name: options.agent.name.clone() };
    }

    pub fn agent_name(&self) -> Option<String> {
        self.settings.borrow().agent_name.clone()
    }

    /// Sends a request; the JSON of its answer.
    pub async fn json(&self, request: &Request) -> Result<Value, BackendError> {
        let answer = self.send(request, "application/json").await?;
        answer::json(&request.place(), &body(&answer.response).await?)
    }

    /// Sends a request; gives an answer that is a yes.
    pub async fn send(&self, request: &Request, accept: &str) -> Result<Answer, BackendError> {
        let answer = self.exchange(request, accept).await?;
        if answer.response.ok() {
            return Ok(answer);
        }
        let status = answer.response.status();
        // A no is a no, also when its reasons do not come.
        Err(answer::refusal(status, &body(&answer.response).await.unwrap_or_default()))
    }

    /// Sends a request; gives its answer, whatever it says. One that the service refuses for its token is sent once
    /// more, if there is another token then.
    pub async fn exchange(&self, request: &Request, accept: &str) -> Result<Answer, BackendError> {
        let mut token = self.tokens.token().await?;
        let mut answer = self.fetch(request, accept, token.as_deref()).await?;
        if let (401, Some(refused)) = (answer.response.status(), &token) {
            let fresh = self.tokens.token_after(refused).await?;
            if fresh != token {
                token = fresh;
                answer = self.fetch(request, accept, token.as_deref()).await?;
            }
        }
        Ok(answer)
    }

    async fn fetch(
        &self,
        request: &Request,
        accept: &str,
        token: Option<&str>,
    ) -> Result<Answer, BackendError> {
        let unreachable = |_: JsValue| BackendError::Network(words::UNREACHABLE.to_owned());
        let (init, controller) = self.init(request, accept, token).map_err(unreachable)?;
        let window = web_sys::window().ok_or(JsValue::UNDEFINED).map_err(unreachable)?;
        let guard = AbortOnDrop(controller);
        let address = [self.base.as_str(), &request.path].concat();
        let response = JsFuture::from(window.fetch_with_str_and_init(&address, &init)).await;
        Ok(Answer { response: response.map_err(unreachable)?.unchecked_into(), guard })
    }

    fn init(
        &self,
        request: &Request,
        accept: &str,
        token: Option<&str>,
    ) -> Result<(RequestInit, AbortController), JsValue> {
        let headers = Headers::new()?;
        let settings = self.settings.borrow().headers.clone();
        for (name, value) in settings.iter() {
            headers.set(name, value)?;
        }
        headers.set("accept", accept)?;
        if let Some(token) = token {
            headers.set("authorization", &["Bearer ", token].concat())?;
        }
        let init = RequestInit::new();
        if let Some(body) = &request.body {
            headers.set("content-type", "application/json")?;
            init.set_body(&JsValue::from_str(body));
        }
        init.set_method(request.method);
        init.set_headers(&headers);
        // What a session holds changes with each request.
        init.set_cache(RequestCache::NoStore);
        let controller = AbortController::new()?;
        init.set_signal(Some(&controller.signal()));
        Ok((init, controller))
    }
}

/// The text of an answer's body.
async fn body(response: &Response) -> Result<String, BackendError> {
    let broke = |_: JsValue| BackendError::Network(words::BROKE.to_owned());
    let text = JsFuture::from(response.text().map_err(broke)?).await.map_err(broke)?;
    Ok(text.as_string().unwrap_or_default())
}
