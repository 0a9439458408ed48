//! What the element's class in JavaScript calls: reads what it is given, and hands it to the agent.

use std::rc::Rc;

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlElement};

use super::agent::{Agent, NO_OPTIONS};
use crate::kit::conversation::Status;
use crate::kit::options::type_error;
use crate::kit::page;
use crate::protocol::SessionId;
use crate::protocol::json_text::to_json_text;
use crate::protocol::page_context::ReadableName;

/// An element's agent, as the element's class knows it.
#[wasm_bindgen]
pub struct AgentHandle {
    agent: Rc<Agent>,
}

#[wasm_bindgen]
impl AgentHandle {
    /// The element is in a document; its panel belongs into `mount`.
    pub fn connect(&self, mount: Element) {
        self.agent.connect(mount);
    }

    /// The element was removed.
    pub fn disconnect(&self) {
        self.agent.disconnect();
    }

    /// See the element.
    #[wasm_bindgen(getter, js_name = sessionId)]
    pub fn session_id(&self) -> Option<String> {
        Some(self.agent.conversation()?.session()?.as_str().to_owned())
    }

    /// See the element.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> String {
        let status = self.agent.conversation().map_or(Status::Idle, |conversation| conversation.status());
        match status {
            Status::Idle => "idle",
            Status::Running => "running",
            Status::Error => "error",
        }
        .to_owned()
    }

    /// The readables as JSON text.
    #[wasm_bindgen(getter)]
    pub fn readables(&self) -> String {
        to_json_text(self.agent.readables.borrow().entries()).unwrap_or_else(|_| "[]".to_owned())
    }

    /// K5.
    #[wasm_bindgen(js_name = setOptions)]
    pub fn set_options(&self, options: &JsValue) -> Result<(), JsValue> {
        self.agent.set_options(options)
    }

    /// K6, K14.
    #[wasm_bindgen(js_name = setReadable)]
    pub fn set_readable(&self, name: &JsValue, value: &JsValue) -> Result<(), JsValue> {
        let name = name.as_string().ok_or_else(|| type_error(&"setReadable: the name must be a string"))?;
        let name = ReadableName::new(name).map_err(|error| type_error(&format!("setReadable: {error}")))?;
        let text = super::serialise(value).map_err(|error| {
            type_error(&format!(
                "setReadable: {name}: expected a string or a value that JSON can hold: {}",
                super::error_text(&error)
            ))
        })?;
        self.agent.readables.borrow_mut().set(&name, text);
        Ok(())
    }

    /// K6; says whether it was there.
    #[wasm_bindgen(js_name = removeReadable)]
    pub fn remove_readable(&self, name: &JsValue) -> bool {
        name.as_string().is_some_and(|name| self.agent.readables.borrow_mut().remove(&name))
    }

    /// K6: a text, or `{text, newSession?}`.
    #[wasm_bindgen(js_name = sendUserMessage)]
    pub fn send_user_message(&self, message: &JsValue) -> Promise {
        promise(|settle| match read_message(message) {
            Ok((text, new_session)) => {
                // A message that will be refused leaves the open conversation where it is.
                if new_session && self.agent.recipient(&text).is_ok() {
                    self.agent.show_session(None);
                }
                self.agent.send(text, page::Origin::Elsewhere, settle.reply());
            }
            Err(error) => settle.reject(&error),
        })
    }

    /// Opens a session; `null`: a new conversation.
    #[wasm_bindgen(js_name = setSession)]
    pub fn set_session(&self, id: &JsValue) -> Promise {
        promise(|settle| {
            let session = match id.as_string() {
                Some(id) if !id.is_empty() => Some(SessionId::from(id)),
                None if id.is_null() || id.is_undefined() => None,
                _ => return settle.reject(&type_error(&"setSession: expected a session's id or null")),
            };
            match self.agent.show_session(session) {
                Some(conversation) => conversation.when_open(settle.reply()),
                None => settle.reject(&js_sys::Error::new(NO_OPTIONS)),
            }
        })
    }

    /// Stops the turn that runs.
    pub fn interrupt(&self) -> Promise {
        promise(|settle| match self.agent.conversation() {
            Some(conversation) => conversation.interrupt(settle.reply()),
            None => settle.reject(&js_sys::Error::new(NO_OPTIONS)),
        })
    }
}

impl AgentHandle {
    pub(super) fn new(element: &HtmlElement) -> Self {
        Self { agent: Agent::new(element) }
    }
}

/// A promise, and what settles it.
struct Settle {
    resolve: Function,
    reject: Function,
}

impl Settle {
    fn reject(&self, error: &JsValue) {
        let _ = self.reject.call1(&JsValue::UNDEFINED, error);
    }

    fn reply(self) -> Box<dyn FnOnce(Result<(), String>)> {
        Box::new(move |outcome| match outcome {
            Ok(()) => drop(self.resolve.call0(&JsValue::UNDEFINED)),
            Err(reason) => self.reject(&js_sys::Error::new(&reason)),
        })
    }
}

fn promise(begin: impl FnOnce(Settle)) -> Promise {
    let mut settle = None;
    let promise = Promise::new(&mut |resolve, reject| settle = Some(Settle { resolve, reject }));
    if let Some(settle) = settle {
        begin(settle);
    }
    promise
}

/// A text, or `{text, newSession?}`.
fn read_message(message: &JsValue) -> Result<(String, bool), JsValue> {
    if let Some(text) = message.as_string() {
        return Ok((text, false));
    }
    let expected = || type_error(&"sendUserMessage: expected a text or {text, newSession?}");
    if !message.is_object() {
        return Err(expected());
    }
    let text = Reflect::get(message, &"text".into())?.as_string().ok_or_else(expected)?;
    let new_session = Reflect::get(message, &"newSession".into())?;
    if !new_session.is_undefined() && new_session.as_bool().is_none() {
        return Err(type_error(&"sendUserMessage: newSession: expected true or false"));
    }
    Ok((text, new_session.is_truthy()))
}
