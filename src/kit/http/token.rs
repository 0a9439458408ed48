//! The bearer token: asked for once by all who wait for it, kept until the service refuses it.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use super::words;
use crate::kit::backend::BackendError;

/// What is known of the token.
#[derive(Default)]
enum State {
    #[default]
    Unknown,
    /// `getToken` was called and this is what it gave.
    Asked(Promise),
    Known(Rc<str>),
}

/// The token of one service.
#[derive(Default)]
pub(super) struct Tokens {
    get_token: RefCell<Option<Function>>,
    state: RefCell<State>,
}

impl Tokens {
    /// Sets where tokens come from. Another function may speak for another person: what the one before gave is
    /// forgotten.
    pub fn configure(&self, get_token: Option<&Function>) {
        if self.get_token.borrow().as_ref() != get_token {
            *self.get_token.borrow_mut() = get_token.cloned();
            self.state.take();
        }
    }

    /// The token; `None` where no `getToken` is set.
    pub async fn token(&self) -> Result<Option<Rc<str>>, BackendError> {
        let asked = match &*self.state.borrow() {
            State::Unknown => None,
            State::Asked(promise) => Some(promise.clone()),
            State::Known(token) => return Ok(Some(token.clone())),
        };
        let promise = match asked {
            Some(promise) => promise,
            None => {
                let Some(get_token) = self.get_token.borrow().clone() else { return Ok(None) };
                let promise = call(&get_token);
                *self.state.borrow_mut() = State::Asked(promise.clone());
                promise
            }
        };
        let token = read(JsFuture::from(promise.clone()).await);
        let mut state = self.state.borrow_mut();
        // Of those who waited, the first settles it; none does when the function is another by now.
        if matches!(&*state, State::Asked(asked) if js_sys::Object::is(asked, &promise)) {
            *state = match &token {
                Ok(token) => State::Known(token.clone()),
                Err(_) => State::Unknown,
            };
        }
        token.map(Some)
    }

    /// The token, after the service has refused this one: asks for another, unless that has happened meanwhile.
    pub async fn token_after(&self, refused: &Rc<str>) -> Result<Option<Rc<str>>, BackendError> {
        self.forget(refused);
        self.token().await
    }

    fn forget(&self, refused: &Rc<str>) {
        let mut state = self.state.borrow_mut();
        if matches!(&*state, State::Known(token) if token == refused) {
            *state = State::Unknown;
        }
    }
}

/// Calls the page's function. No borrow is held: it may set other options.
fn call(get_token: &Function) -> Promise {
    match get_token.call0(&JsValue::UNDEFINED) {
        Ok(value) => Promise::resolve(&value),
        Err(error) => Promise::reject(&error),
    }
}

fn read(token: Result<JsValue, JsValue>) -> Result<Rc<str>, BackendError> {
    let problem = match token {
        Ok(token) => match token.as_string() {
            Some(token) if is_token(&token) => return Ok(token.into()),
            Some(_) => "getToken gave a text that no header can carry",
            None => "getToken gave no text",
        }
        .to_owned(),
        Err(error) => message(&error).unwrap_or_else(|| words::NO_TOKEN.to_owned()),
    };
    Err(BackendError::Token(problem))
}

/// Whether a header can carry it: not empty, ASCII without blanks.
fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The text of what the page's function threw.
fn message(error: &JsValue) -> Option<String> {
    let message = Reflect::get(error, &JsValue::from_str("message")).ok().and_then(|text| text.as_string());
    message.or_else(|| error.as_string()).filter(|text| !text.is_empty())
}
