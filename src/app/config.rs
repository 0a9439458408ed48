//! `config.json`: all that a deployment changes.
//!
//! It must not know the network or the page: it reads a text.

use std::fmt;
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
        /// What else goes along with each request, for the element to read.
        request: Option<Rc<Value>>,
    },
    /// An AG-UI server.
    AgUi {
        /// Its address.
        url: Rc<str>,
    },
}

/// Where a key is looked for, or taken for one.
const KEYS: [&str; 6] = ["key", "apiKey", "api_key", "token", "authorization", "headers"];

/// What `config.json` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Where the agent answers.
    pub api: Api,
    /// The key that goes along with each request, where the person has entered one.
    pub key: Option<Key>,
    /// The agent's name, where the deployment gives one.
    pub agent_name: Option<Rc<str>>,
    /// The language to begin with; else the browser's.
    pub locale: Option<Language>,
    /// Whether the debug panel may be opened; else debug builds only.
    pub debug: Option<bool>,
    /// Whether the browser's own agents may call the page's tools, where it has WebMCP.
    pub web_mcp: bool,
}

/// A secret: nothing that is printed shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(pub Rc<str>);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
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
    /// A key, or what may hold one, where everybody can read it: the field's name.
    #[error("config.json is public: api.{0} must not stand in it; a key belongs on the server")]
    PublicKey(&'static str),
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
        Self::read(text, true)
    }

    /// The same configuration with the connection that the person has chosen on this device: a text in the file's form.
    /// One that cannot be read changes nothing.
    #[must_use]
    pub fn with_connection(self, text: &str) -> Self {
        match Self::read(text, false) {
            Ok(Self { api, key, .. }) => Self { api, key, ..self },
            Err(_) => self,
        }
    }

    fn read(text: &str, is_public: bool) -> Result<Self, ConfigError> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| ConfigError::NotJson(error.to_string()))?;
        let root = object(&value, "the file")?;
        let (api, key) = match root.get("api") {
            None => (Api::Demo, None),
            Some(api) => {
                let api = object(api, "api")?;
                if let Some(key) = KEYS.into_iter().find(|key| is_public && api.contains_key(*key)) {
                    return Err(ConfigError::PublicKey(key));
                }
                (read_api(api)?, text_of(api, "key", "api.key")?.map(Key))
            }
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
        let flag = |field| match root.get(field) {
            None => Ok(None),
            Some(flag) => {
                flag.as_bool().map(Some).ok_or(ConfigError::Field { field, expected: "true or false" })
            }
        };
        let (debug, web_mcp) = (flag("debug")?, flag("webMcp")?.unwrap_or(true));
        Ok(Self { api, key, agent_name, locale, debug, web_mcp })
    }
}

fn read_api(api: &Map<String, Value>) -> Result<Api, ConfigError> {
    let url = text_of(api, "url", "api.url")?;
    // `localhost:8000` is no address, but of a scheme of that name.
    let is_address = |url: &Rc<str>| match url.split_once(':') {
        Some((scheme, _)) => {
            scheme.contains('/') || ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known))
        }
        None => true,
    };
    if !url.iter().all(|url| is_address(url) && !url.contains(['?', '#'])) {
        let expected = "an http or https address without query and fragment";
        return Err(ConfigError::Field { field: "api.url", expected });
    }
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
            let request = api.get("request").map(checked_request).transpose()?;
            Ok(Api::ChatCompletions { url: needs_url(protocol)?, model, request })
        }
        Some("ag-ui") => Ok(Api::AgUi { url: needs_url("ag-ui")? }),
        Some(other) => Err(ConfigError::UnknownProtocol(other.to_owned())),
    }
}

/// What goes along with each request, as the element takes it: it refuses all that it is given, where this is wrong.
fn checked_request(request: &Value) -> Result<Rc<Value>, ConfigError> {
    let fits = |name: &str, fits: fn(&Value) -> bool| request.get(name).is_none_or(fits);
    object(request, "api.request")?;
    let (field, expected) =
        if !fits("temperature", |number| number.as_f64().is_some_and(|number| number >= 0.0)) {
            ("api.request.temperature", "a number that is not negative")
        } else if !fits("toolChoice", |choice| choice.is_string() || choice.is_object()) {
            ("api.request.toolChoice", "a text or an object")
        } else if !fits("emptyContent", |content| matches!(content.as_str(), Some("null" | "string"))) {
            ("api.request.emptyContent", "\"null\" or \"string\"")
        } else {
            return Ok(Rc::new(request.clone()));
        };
    Err(ConfigError::Field { field, expected })
}

fn object<'a>(value: &'a Value, field: &'static str) -> Result<&'a Map<String, Value>, ConfigError> {
    value.as_object().ok_or(ConfigError::Field { field, expected: "an object" })
}

/// A text that may be absent, but is not empty where it stands.
fn text_of(map: &Map<String, Value>, key: &str, field: &'static str) -> Result<Option<Rc<str>>, ConfigError> {
    match map.get(key) {
        None => Ok(None),
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text.as_str().into())),
        Some(_) => Err(ConfigError::Field { field, expected: "a text" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_forms_are_read() {
        let demo =
            Config { api: Api::Demo, key: None, agent_name: None, locale: None, debug: None, web_mcp: true };
        assert_eq!(Config::from_json("{}"), Ok(demo.clone()));
        assert_eq!(Config::from_json(r#"{"api":{"protocol":"demo"},"later":1}"#), Ok(demo));
        let praxis = r#"{"api":{"protocol":"praxis","url":"https://a/","tokenUrl":"/t"},"agent":{"name":"课程助手"},"locale":"en","debug":true,"webMcp":false}"#;
        let expected = Config {
            api: Api::Praxis { url: "https://a/".into(), token_url: Some("/t".into()) },
            key: None,
            agent_name: Some("课程助手".into()),
            locale: Some(Language::En),
            debug: Some(true),
            web_mcp: false,
        };
        assert_eq!(Config::from_json(praxis), Ok(expected));
        let chat = r#"{"api":{"protocol":"openai-chat-completions","url":"http://localhost:11434/v1","model":"qwen3","request":{"temperature":0.5}}}"#;
        let chat = Config::from_json(chat).map(|config| config.api);
        assert_eq!(
            chat,
            Ok(Api::ChatCompletions {
                url: "http://localhost:11434/v1".into(),
                model: "qwen3".into(),
                request: Some(Rc::new(serde_json::json!({ "temperature": 0.5 }))),
            })
        );
        let ag_ui = Config::from_json(r#"{"api":{"protocol":"ag-ui","url":"http://localhost:8000/"}}"#);
        assert_eq!(ag_ui.map(|config| config.api), Ok(Api::AgUi { url: "http://localhost:8000/".into() }));
    }

    #[test]
    fn a_connection_of_this_device_takes_the_place_of_the_file_s_alone() {
        let site =
            Config::from_json(r#"{"api":{"protocol":"demo"},"agent":{"name":"a"},"locale":"en"}"#).unwrap();
        let chosen = r#"{"api":{"protocol":"ag-ui","url":"http://b/","key":"sk-1"},"locale":"zh-CN"}"#;
        let config = site.clone().with_connection(chosen);
        let expected = Config {
            api: Api::AgUi { url: "http://b/".into() },
            key: Some(Key("sk-1".into())),
            ..site.clone()
        };
        assert_eq!(config, expected);
        for broken in ["", "{", "7", r#"{"api":{"protocol":"grpc"}}"#, r#"{"api":{"protocol":"ag-ui"}}"#] {
            assert_eq!(site.clone().with_connection(broken), site, "{broken}");
        }
    }

    #[test]
    fn a_key_is_refused_in_the_public_file_and_never_printed() {
        let text = r#"{"api":{"protocol":"ag-ui","url":"http://b/","key":"sk-1"}}"#;
        let refused = Config::from_json(text).expect_err("refused");
        assert!(refused.to_string().contains("api.key must not stand in it"));
        for key in ["apiKey", "headers"] {
            let text = text.replace("\"key\":\"sk-1\"", &format!("\"{key}\":{{}}"));
            let refused = Config::from_json(&text).expect_err("refused").to_string();
            assert_eq!(
                refused,
                format!("config.json is public: api.{key} must not stand in it; a key belongs on the server")
            );
        }
        let shown = format!("{:?}", Config::from_json("{}").unwrap().with_connection(text));
        assert!(shown.contains("http://b/") && !shown.contains("sk-1"), "{shown}");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let message = |text: &str| Config::from_json(text).expect_err("refused").to_string();
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
        for url in ["localhost:11434/v1", "http://a/?key=1", "http://a/#b", " "] {
            let text = format!(r#"{{"api":{{"protocol":"ag-ui","url":"{url}"}}}}"#);
            assert!(message(&text).starts_with("config.json: api.url must be "), "{url}");
        }
        for (request, problem) in [
            ("7", " must be an object"),
            (r#"{"temperature":"warm"}"#, ".temperature must be a number that is not negative"),
            (r#"{"temperature":-1}"#, ".temperature must be a number that is not negative"),
            (r#"{"toolChoice":null}"#, ".toolChoice must be a text or an object"),
            (r#"{"emptyContent":"none"}"#, ".emptyContent must be \"null\" or \"string\""),
        ] {
            let text = format!(
                r#"{{"api":{{"protocol":"openai-chat-completions","url":"http://a/v1","model":"m","request":{request}}}}}"#
            );
            assert_eq!(message(&text), format!("config.json: api.request{problem}"));
        }
        assert_eq!(message(r#"{"locale":"fr"}"#), "config.json: locale must be \"zh-CN\" or \"en\"");
        assert_eq!(message(r#"{"debug":"yes"}"#), "config.json: debug must be true or false");
        assert_eq!(message(r#"{"webMcp":null}"#), "config.json: webMcp must be true or false");
    }
}
