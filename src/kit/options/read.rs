//! Reads the options from what a page gave.

use std::rc::Rc;

use js_sys::Array;
use serde_json::Value;
use wasm_bindgen::{JsCast as _, JsValue};

use super::member::Member;
use super::{AgentOptions, ApiOptions, Options, Protocol, RequestOptions, Theme};
use crate::kit::panel::{Locale, StartPrompt, StartScreen};
use crate::protocol::{ToolDeclaration, TutorScript};

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
