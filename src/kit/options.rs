//! What `setOptions` takes, checked (K5): an error names the member and what was expected, and nothing
//! has changed; members that are not known are reported, not refused.
//!
//! It must not know elements, or what becomes of the options.

use std::fmt;
use std::rc::Rc;

use js_sys::{Array, Function, JSON, Object, Reflect};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};

use super::panel::{Locale, StartPrompt, StartScreen};
use crate::protocol::{ToolDeclaration, TutorScript};

/// The options of an element. Functions are equal when they are the same function.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// `api`: which service, and how to reach it.
    pub api: ApiOptions,
    /// `agent`: which agent, and what it is where the page itself runs the loop.
    pub agent: AgentOptions,
    /// `locale`: the language of the panel's words; the page's own where it is absent.
    pub locale: Locale,
    /// `theme`.
    pub theme: Theme,
    /// `startScreen`.
    pub start_screen: Rc<StartScreen>,
    /// `composer.placeholder`.
    pub placeholder: Option<Rc<str>>,
    /// `history.enabled`; `true` where it is absent.
    pub history: bool,
}

/// `api`: which service, and how to reach it.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiOptions {
    /// `protocol`.
    pub protocol: Protocol,
    /// `url`, absolute and without a trailing slash, except for an AG-UI server, whose paths it is none of ours to mend;
    /// empty for the protocol that needs none.
    pub url: String,
    /// `getToken`: an async function that yields a bearer token.
    pub get_token: Option<Function>,
    /// `headers` of each request. `authorization` among them takes the place of `getToken`, and cannot stand
    /// beside it; `accept` and `content-type` are the element's own.
    pub headers: Vec<(String, String)>,
    /// `model`: the model's name, which an OpenAI-compatible endpoint needs.
    pub model: Option<String>,
    /// `request`: what goes along with each request to an OpenAI-compatible endpoint.
    pub request: RequestOptions,
    /// `script`: what the tutor understands.
    pub script: Option<Rc<TutorScript>>,
}

/// `api.request`: what goes along with each request to an OpenAI-compatible endpoint, where it is set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequestOptions {
    /// `temperature`.
    pub temperature: Option<f64>,
    /// `toolChoice`: what `tool_choice` is to be.
    pub tool_choice: Option<Value>,
    /// `emptyContent`: whether `""` rather than `null` stands for the text of a message that only calls.
    pub empty_string: bool,
}

/// `agent`: which agent, and what it is where the page itself runs the loop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentOptions {
    /// `name`; the service's only agent where it is absent.
    pub name: Option<String>,
    /// `instructions`: what the model is told first.
    pub instructions: Option<String>,
    /// `tools`: the client tools (K1).
    pub tools: Vec<ToolDeclaration>,
}

/// `api.protocol`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// `WIRE.md` over HTTP.
    #[default]
    Praxis,
    /// The scripted tutor in the page; no network.
    Demo,
    /// An OpenAI-compatible endpoint.
    OpenAiChatCompletions,
    /// An AG-UI server.
    AgUi,
}

impl Protocol {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Praxis, "praxis"),
        (Self::Demo, "demo"),
        (Self::OpenAiChatCompletions, "openai-chat-completions"),
        (Self::AgUi, "ag-ui"),
    ];

    /// The protocol as `api.protocol` names it.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(protocol, _)| *protocol == self).map_or("", |(_, name)| name)
    }
}

/// `theme`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Always light.
    Light,
    /// Always dark.
    Dark,
    /// What the reader's system prefers.
    #[default]
    System,
}

impl Theme {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Light, "light"), (Self::Dark, "dark"), (Self::System, "system")];

    /// The theme as `theme` names it.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(theme, _)| *theme == self).map_or("", |(_, name)| name)
    }
}

/// Where sessions are: the service, and the agent of it. Only a change of this opens anew (K5).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// The service.
    pub service: ServiceAddress,
    /// The agent's name.
    pub agent: Option<String>,
}

/// Which service. A session is the same whichever agent's name led to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ServiceAddress {
    /// The protocol.
    pub protocol: Protocol,
    /// The address, as [`ApiOptions::url`] has it.
    pub url: String,
}

impl ServiceAddress {
    /// Whether a network lies between.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.protocol != Protocol::Demo
    }
}

/// A bad value: which member, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("setOptions: {0}")]
pub struct OptionsError(pub String);

/// Options as they were read.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The options.
    pub options: Options,
    /// The paths of the members that are not known (`agent.colour`).
    pub unknown: Vec<String>,
    /// Whether `onClientTool` was among them, which is a property of the element (K2).
    pub misplaced_handler: bool,
}

impl Options {
    /// Where the sessions are.
    #[must_use]
    pub fn address(&self) -> Address {
        let service = ServiceAddress { protocol: self.api.protocol, url: self.api.url.clone() };
        Address { service, agent: self.agent.name.clone() }
    }

    /// Reads what a page gave to `setOptions`.
    ///
    /// # Errors
    /// A `TypeError` for the first bad value; what a getter of the page throws.
    pub fn read(value: &JsValue) -> Result<Reading, JsValue> {
        let mut unknown = Vec::new();
        let root = Member { path: String::new(), value: value.clone() };
        let known = ["api", "agent", "locale", "theme", "startScreen", "composer", "history", "onClientTool"];
        let root = root.members(&known, &mut unknown)?;
        let misplaced_handler = root.get("onClientTool")?.is_some();

        let api = root.get("api")?.unwrap_or_else(|| root.absent("api"));
        let api = read_api(&api, &mut unknown)?;
        let agent = match root.get("agent")? {
            Some(agent) => read_agent(&agent, &mut unknown)?,
            None => AgentOptions::default(),
        };
        let locale = match root.get("locale")? {
            Some(locale) => locale.choice(&[(Locale::ZhCn, "zh-CN"), (Locale::En, "en")])?,
            None => page_locale(),
        };
        let theme = match root.get("theme")? {
            Some(theme) => theme.choice(&Theme::ALL)?,
            None => Theme::default(),
        };
        let start_screen = match root.get("startScreen")? {
            Some(screen) => read_start_screen(&screen, &mut unknown)?,
            None => StartScreen::default(),
        };
        let placeholder = match root.get("composer")? {
            Some(composer) => composer.members(&["placeholder"], &mut unknown)?.text("placeholder")?,
            None => None,
        };
        let history = match root.get("history")? {
            Some(history) => match history.members(&["enabled"], &mut unknown)?.get("enabled")? {
                Some(enabled) => enabled.value.as_bool().ok_or_else(|| enabled.error("true or false"))?,
                None => true,
            },
            None => true,
        };
        let options = Self {
            api,
            agent,
            locale,
            theme,
            start_screen: Rc::new(start_screen),
            placeholder: placeholder.map(Rc::from),
            history,
        };
        Ok(Reading { options, unknown, misplaced_handler })
    }
}

fn read_api(api: &Member, unknown: &mut Vec<String>) -> Result<ApiOptions, JsValue> {
    let known = ["protocol", "url", "getToken", "headers", "model", "request", "script"];
    let api = api.members(&known, unknown)?;
    let protocol = match api.get("protocol")? {
        Some(protocol) => protocol.choice(&Protocol::ALL)?,
        None => Protocol::default(),
    };
    let url = match api.get("url")? {
        Some(url) if protocol == Protocol::AgUi => url.address()?,
        Some(url) => url.address()?.trim_end_matches('/').to_owned(),
        None if protocol == Protocol::Demo => String::new(),
        None => return Err(api.absent("url").error("the address of the agent service")),
    };
    let get_token = match api.get("getToken")? {
        Some(function) => Some(
            // By what it is, not by whose it is: a frame's functions, objects and lists are as good as this page's.
            if function.value.is_function() {
                function.value.unchecked_into()
            } else {
                return Err(function.error("an async function that yields a token"));
            },
        ),
        None => None,
    };
    let headers = match api.get("headers")? {
        Some(headers) => headers.headers(get_token.is_some())?,
        None => Vec::new(),
    };
    let script = match api.get("script")? {
        Some(script) => Some(Rc::new(
            TutorScript::from_json(&script.json()?)
                .map_err(|error| script.error_because("a tutor's script", &error))?,
        )),
        None => None,
    };
    let model = api.text("model")?.filter(|model| !model.trim().is_empty());
    if protocol == Protocol::OpenAiChatCompletions && model.is_none() {
        return Err(api.absent("model").error("the name of a model"));
    }
    let request = match api.get("request")? {
        Some(request) => read_request(&request, unknown)?,
        None => RequestOptions::default(),
    };
    Ok(ApiOptions { protocol, url, get_token, headers, model, request, script })
}

fn read_request(request: &Member, unknown: &mut Vec<String>) -> Result<RequestOptions, JsValue> {
    let request = request.members(&["temperature", "toolChoice", "emptyContent"], unknown)?;
    let temperature = match request.get("temperature")? {
        Some(number) => match number.value.as_f64() {
            Some(temperature) if temperature.is_finite() && temperature >= 0.0 => Some(temperature),
            _ => return Err(number.error("a number that is not negative")),
        },
        None => None,
    };
    let tool_choice = match request.get("toolChoice")? {
        Some(choice) if choice.value.is_string() || choice.value.is_object() => Some(choice.json()?),
        Some(choice) => return Err(choice.error("a string or an object")),
        None => None,
    };
    let empty_string = match request.get("emptyContent")? {
        Some(content) => content.choice(&[(false, "null"), (true, "string")])?,
        None => false,
    };
    Ok(RequestOptions { temperature, tool_choice, empty_string })
}

fn read_agent(agent: &Member, unknown: &mut Vec<String>) -> Result<AgentOptions, JsValue> {
    let agent = agent.members(&["name", "instructions", "tools"], unknown)?;
    let tools = match agent.get("tools")? {
        Some(tools) => match tools.json()? {
            Value::Array(list) => ToolDeclaration::list_from_json(&list, &[])
                .map_err(|error| tools.error_because("tools as K1 declares them", &error))?,
            _ => return Err(tools.error("an array of tool declarations")),
        },
        None => Vec::new(),
    };
    let name = agent.text("name")?;
    if name.as_ref().is_some_and(|name| name.trim().is_empty()) {
        return Err(agent.absent("name").error_because("the agent's name", &"it is blank"));
    }
    Ok(AgentOptions { name, instructions: agent.text("instructions")?, tools })
}

fn read_start_screen(screen: &Member, unknown: &mut Vec<String>) -> Result<StartScreen, JsValue> {
    let screen = screen.members(&["greeting", "prompts"], unknown)?;
    let mut prompts = Vec::new();
    if let Some(list) = screen.get("prompts")? {
        if !Array::is_array(&list.value) {
            return Err(list.error("an array of {label, prompt}"));
        }
        for (index, value) in list.value.unchecked_ref::<Array>().iter().enumerate() {
            let prompt = Member { path: format!("{}[{index}]", list.path), value };
            let prompt = prompt.members(&["label", "prompt"], unknown)?;
            let text = |key| match prompt.text(key)? {
                Some(text) if !text.trim().is_empty() => Ok(text),
                _ => Err(prompt.absent(key).error("a text")),
            };
            prompts.push(StartPrompt { label: text("label")?, prompt: text("prompt")? });
        }
    }
    Ok(StartScreen { greeting: screen.text("greeting")?, prompts })
}

/// The language that the page says it is in, else the reader's own.
fn page_locale() -> Locale {
    let window = web_sys::window();
    let page = window
        .as_ref()
        .and_then(web_sys::Window::document)
        .and_then(|document| document.document_element())
        .and_then(|root| root.get_attribute("lang"))
        .filter(|language| !language.is_empty());
    let language = page.or_else(|| window?.navigator().language()).unwrap_or_default();
    if language.is_empty() || language.starts_with("zh") { Locale::ZhCn } else { Locale::En }
}

/// A value that the page gave, and where it stood.
struct Member {
    path: String,
    value: JsValue,
}

/// An object that the page gave.
struct Members {
    path: String,
    object: Object,
}

impl Members {
    fn member(&self, key: &str, value: JsValue) -> Member {
        Member { path: join(&self.path, key), value }
    }

    fn absent(&self, key: &str) -> Member {
        self.member(key, JsValue::UNDEFINED)
    }

    /// The member of that name; `undefined` counts as absent.
    fn get(&self, key: &str) -> Result<Option<Member>, JsValue> {
        let value = Reflect::get(&self.object, &JsValue::from_str(key))?;
        Ok((!value.is_undefined()).then(|| self.member(key, value)))
    }

    fn text(&self, key: &str) -> Result<Option<String>, JsValue> {
        self.get(key)?.map(|member| member.text()).transpose()
    }
}

impl Member {
    fn error(&self, expected: impl fmt::Display) -> JsValue {
        let got = match self.value.as_string() {
            Some(text) => format!("{text:?}"),
            None if self.value.is_null() => "null".to_owned(),
            None if Array::is_array(&self.value) => "an array".to_owned(),
            None => self.value.js_typeof().as_string().unwrap_or_default(),
        };
        let place = if self.path.is_empty() { "the options" } else { &self.path };
        type_error(&OptionsError(format!("{place}: expected {expected}, got {got}")))
    }

    fn error_because(&self, expected: &str, error: &dyn fmt::Display) -> JsValue {
        type_error(&OptionsError(format!("{}: expected {expected}: {error}", self.path)))
    }

    /// The members of an object; reports those that are not `known`.
    fn members(&self, known: &[&str], unknown: &mut Vec<String>) -> Result<Members, JsValue> {
        if !self.value.is_object() || Array::is_array(&self.value) {
            return Err(self.error("an object"));
        }
        let object: Object = self.value.clone().unchecked_into();
        for key in Object::keys(&object).iter().filter_map(|key| key.as_string()) {
            if !known.contains(&key.as_str()) {
                unknown.push(join(&self.path, &key));
            }
        }
        Ok(Members { path: self.path.clone(), object })
    }

    fn text(&self) -> Result<String, JsValue> {
        self.value.as_string().ok_or_else(|| self.error("a string"))
    }

    fn choice<T: Copy>(&self, choices: &[(T, &str)]) -> Result<T, JsValue> {
        let name = self.value.as_string();
        let choice = choices.iter().find(|(_, choice)| Some(*choice) == name.as_deref());
        choice.map(|(value, _)| *value).ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(|(_, choice)| format!("{choice:?}")).collect();
            self.error(names.join(" or "))
        })
    }

    /// An `http` or `https` address, absolute.
    fn address(&self) -> Result<String, JsValue> {
        let expected = "an http or https address without query, fragment and user name";
        let base = web_sys::window().and_then(|window| window.document()?.base_uri().ok().flatten());
        let text = self.text()?;
        let url = web_sys::Url::new_with_base(&text, &base.unwrap_or_default())
            .map_err(|_| self.error(expected))?;
        let href = url.href();
        // `search` and `hash` are empty for a lone `?` or `#`, which would swallow the paths that are appended.
        let fits = !text.trim().is_empty()
            && ["http:", "https:"].contains(&url.protocol().as_str())
            && !href.contains(['?', '#'])
            && url.username().is_empty()
            && url.password().is_empty();
        if fits { Ok(href) } else { Err(self.error(expected)) }
    }

    /// An object of header names and values. What a value says may be secret: no error repeats it.
    fn headers(&self, has_token: bool) -> Result<Vec<(String, String)>, JsValue> {
        let object = Member { path: self.path.clone(), value: self.value.clone() };
        let object = object.members(&[], &mut Vec::new())?.object;
        let known = web_sys::Headers::new()?;
        let mut headers = Vec::new();
        for name in Object::keys(&object).iter().filter_map(|key| key.as_string()) {
            let value = Reflect::get(&object, &JsValue::from_str(&name))?;
            let value = Member { path: join(&self.path, &name), value }.text()?;
            let refuse =
                |problem: &str| type_error(&OptionsError([&join(&self.path, &name), ": ", problem].concat()));
            if known.append(&name, "").is_err() {
                return Err(refuse("expected the name of a header"));
            }
            if known.append(&name, &value).is_err() {
                return Err(refuse("expected a string that a header can carry"));
            }
            if ["accept", "content-type"].iter().any(|own| name.eq_ignore_ascii_case(own)) {
                return Err(refuse("expected a header that the element does not set itself"));
            }
            if has_token && name.eq_ignore_ascii_case("authorization") {
                return Err(refuse("expected no other authorization beside getToken"));
            }
            headers.push((name, value));
        }
        Ok(headers)
    }

    /// What `JSON.stringify` makes of the value.
    fn json(&self) -> Result<Value, JsValue> {
        let expected = "a value that JSON can hold";
        let text = JSON::stringify(&self.value).ok().and_then(|text| text.as_string());
        let text = text.ok_or_else(|| self.error(expected))?;
        serde_json::from_str(&text).map_err(|error| self.error_because(expected, &error))
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// A `TypeError` that says `message`.
pub fn type_error(message: &dyn fmt::Display) -> JsValue {
    js_sys::TypeError::new(&message.to_string()).into()
}
