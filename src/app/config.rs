//! `config.json`: all that a deployment changes.
//!
//! It must not know the network or the page: it reads a text.

use std::rc::Rc;

use serde_json::{Map, Value};

use super::language::Language;

/// Where the agent answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Api {
    /// The tutor in the page.
    Demo,
    /// An agent service that speaks the kit's own protocol.
    Praxis {
        /// Its base address.
        url: Rc<str>,
        /// Where the host gives out tokens; without it no token is sent.
        token_url: Option<Rc<str>>,
    },
    /// A chat-completions endpoint; the page runs the loop.
    ChatCompletions {
        /// Its base address.
        url: Rc<str>,
        /// The model's name.
        model: Rc<str>,
    },
    /// An AG-UI server.
    AgUi {
        /// Its address.
        url: Rc<str>,
    },
}

/// What `config.json` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Where the agent answers.
    pub api: Api,
    /// The agent's name, where the deployment gives one.
    pub agent_name: Option<Rc<str>>,
    /// The language to begin with; else the browser's.
    pub locale: Option<Language>,
    /// Whether the debug panel may be opened; else debug builds only.
    pub debug: Option<bool>,
}

/// Why `config.json` cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// Not JSON at all.
    #[error("config.json is not JSON: {0}")]
    NotJson(String),
    /// A field of the wrong kind.
    #[error("config.json: {field} must be {expected}")]
    Field {
        /// The field's path.
        field: &'static str,
        /// What it must be.
        expected: &'static str,
    },
    /// A field that this protocol needs.
    #[error("config.json: the protocol \"{protocol}\" needs {field}")]
    Missing {
        /// The protocol.
        protocol: &'static str,
        /// The field's path.
        field: &'static str,
    },
    /// A protocol that the kit does not speak.
    #[error(
        "config.json: unknown protocol \"{0}\"; expected \"demo\", \"praxis\", \"openai-chat-completions\" or \"ag-ui\""
    )]
    UnknownProtocol(String),
}

impl Config {
    /// Reads the file's text. Fields that it does not know are left alone; without `api` it is the demo.
    ///
    /// # Errors
    /// [`ConfigError`], which names the field and what was expected.
    pub fn from_json(text: &str) -> Result<Self, ConfigError> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| ConfigError::NotJson(error.to_string()))?;
        let root = object(&value, "the file")?;
        let api = match root.get("api") {
            None => Api::Demo,
            Some(api) => read_api(object(api, "api")?)?,
        };
        let agent_name = match root.get("agent") {
            None => None,
            Some(agent) => text_of(object(agent, "agent")?, "name", "agent.name")?,
        };
        let locale = match text_of(root, "locale", "locale")?.as_deref() {
            None => None,
            Some("zh-CN") => Some(Language::ZhCn),
            Some("en") => Some(Language::En),
            Some(_) => return Err(ConfigError::Field { field: "locale", expected: "\"zh-CN\" or \"en\"" }),
        };
        let debug = match root.get("debug") {
            None => None,
            Some(debug) => {
                let expected = ConfigError::Field { field: "debug", expected: "true or false" };
                Some(debug.as_bool().ok_or(expected)?)
            }
        };
        Ok(Self { api, agent_name, locale, debug })
    }
}

fn read_api(api: &Map<String, Value>) -> Result<Api, ConfigError> {
    let url = text_of(api, "url", "api.url")?;
    let needs_url = |protocol| url.clone().ok_or(ConfigError::Missing { protocol, field: "api.url" });
    match text_of(api, "protocol", "api.protocol")?.as_deref() {
        None | Some("demo") => Ok(Api::Demo),
        Some("praxis") => Ok(Api::Praxis {
            url: needs_url("praxis")?,
            token_url: text_of(api, "tokenUrl", "api.tokenUrl")?,
        }),
        Some("openai-chat-completions") => {
            let protocol = "openai-chat-completions";
            let model = text_of(api, "model", "api.model")?;
            let model = model.ok_or(ConfigError::Missing { protocol, field: "api.model" })?;
            Ok(Api::ChatCompletions { url: needs_url(protocol)?, model })
        }
        Some("ag-ui") => Ok(Api::AgUi { url: needs_url("ag-ui")? }),
        Some(other) => Err(ConfigError::UnknownProtocol(other.to_owned())),
    }
}

fn object<'a>(value: &'a Value, field: &'static str) -> Result<&'a Map<String, Value>, ConfigError> {
    value.as_object().ok_or(ConfigError::Field { field, expected: "an object" })
}

/// A text that may be absent, but is not empty where it stands.
fn text_of(map: &Map<String, Value>, key: &str, field: &'static str) -> Result<Option<Rc<str>>, ConfigError> {
    match map.get(key) {
        None => Ok(None),
        Some(Value::String(text)) if !text.is_empty() => Ok(Some(text.as_str().into())),
        Some(_) => Err(ConfigError::Field { field, expected: "a text" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_forms_are_read() {
        let demo = Config { api: Api::Demo, agent_name: None, locale: None, debug: None };
        assert_eq!(Config::from_json("{}"), Ok(demo.clone()));
        assert_eq!(Config::from_json(r#"{"api":{"protocol":"demo"},"later":1}"#), Ok(demo));
        let praxis = r#"{"api":{"protocol":"praxis","url":"https://a/","tokenUrl":"/t"},"agent":{"name":"课程助手"},"locale":"en","debug":true}"#;
        let expected = Config {
            api: Api::Praxis { url: "https://a/".into(), token_url: Some("/t".into()) },
            agent_name: Some("课程助手".into()),
            locale: Some(Language::En),
            debug: Some(true),
        };
        assert_eq!(Config::from_json(praxis), Ok(expected));
        let chat = r#"{"api":{"protocol":"openai-chat-completions","url":"http://localhost:11434/v1","model":"qwen3"}}"#;
        let chat = Config::from_json(chat).map(|config| config.api);
        assert_eq!(
            chat,
            Ok(Api::ChatCompletions { url: "http://localhost:11434/v1".into(), model: "qwen3".into() })
        );
        let ag_ui = Config::from_json(r#"{"api":{"protocol":"ag-ui","url":"http://localhost:8000/"}}"#);
        assert_eq!(ag_ui.map(|config| config.api), Ok(Api::AgUi { url: "http://localhost:8000/".into() }));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let message = |text| Config::from_json(text).expect_err("refused").to_string();
        assert!(message("<!doctype html>").starts_with("config.json is not JSON: "));
        assert_eq!(message("[]"), "config.json: the file must be an object");
        assert!(
            message(r#"{"api":{"protocol":"grpc"}}"#)
                .contains("unknown protocol \"grpc\"; expected \"demo\"")
        );
        assert_eq!(
            message(r#"{"api":{"protocol":"praxis"}}"#),
            "config.json: the protocol \"praxis\" needs api.url"
        );
        assert_eq!(message(r#"{"api":{"protocol":7}}"#), "config.json: api.protocol must be a text");
        assert_eq!(message(r#"{"locale":"fr"}"#), "config.json: locale must be \"zh-CN\" or \"en\"");
        assert_eq!(message(r#"{"debug":"yes"}"#), "config.json: debug must be true or false");
    }
}
