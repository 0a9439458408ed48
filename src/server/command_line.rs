//! What the program is started with: flags, and secrets from the environment.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use lexopt::{Arg, Parser, ValueExt};
use serde_json::Value;

use super::Options;
use super::agent_file::{self, AgentFileError};
use crate::protocol::AgentDefinition;
use crate::service::model::ag_ui;
use crate::service::model::chat_completions::{self, EmptyContent};
use crate::service::model::run::Endpoint;
use crate::service::session::TOOL_TIMEOUT;

/// How many bytes HS256's secret has at least (RFC 7518, 3.2): who holds a token can try out shorter ones at home.
const SHORTEST_SECRET: usize = 32;
/// How many characters the server key has at least.
const SHORTEST_KEY: usize = 16;

/// What `--help` says.
pub const USAGE: &str = "\
praxis-server: an agent service and its pages over HTTP

  --listen ADDRESS:PORT          where to listen; port 0 picks a free one  [127.0.0.1:8787]
  --dist FOLDER                  the pages, as `cargo xtask dist` builds them  [dist]
  --data FILE                    where sessions are kept  [praxis.sqlite]
  --agent FILE                   the agent's name, tools and script  [agent.json]
  --client-tool-timeout SECONDS  how long a page may take for a call, 1 to 120  [120]
  --model-url URL                an OpenAI-compatible endpoint that answers, like http://127.0.0.1:11434/v1; without
                                 it the scripted tutor does
  --model NAME                   the model to ask there; goes with --model-url
  --model-temperature NUMBER     sent with each request; without it the model's own holds
  --model-tool-choice CHOICE     auto, none or required, sent with each request; without it the model's own holds
  --model-empty-content FORM     what stands for the text of a message that only calls: null or string  [null]
  --agent-url URL                an AG-UI agent that answers, like http://127.0.0.1:8000/; goes without --model-url
  --help                         this

Secrets come from the environment:
  PRAXIS_MODEL_KEY               the key of --model-url or --agent-url, where it wants one
  PRAXIS_TOKEN_SECRET            what tokens are signed with, 32 bytes or more; without it one is made and kept
                                 with the data
  PRAXIS_SERVER_KEY              the key that may post system.message, 16 characters or more; without it nobody may
  RUST_LOG                       what is logged to standard error: error, warn, info, debug  [info]";

/// What the command line asks for.
#[derive(Debug)]
pub enum Command {
    /// Serve.
    Serve(Box<Options>),
    /// Say [`USAGE`].
    Help,
}

/// Why a command line cannot be followed.
#[derive(Debug, thiserror::Error)]
pub enum CommandLineError {
    /// A flag that is not known, or a value that is missing or wrong.
    #[error("{0}; see --help")]
    Flag(String),
    /// The agent file.
    #[error(transparent)]
    Agent(#[from] AgentFileError),
    /// A secret from the environment.
    #[error("{0}: {1}")]
    Secret(&'static str, &'static str),
}

impl From<lexopt::Error> for CommandLineError {
    fn from(error: lexopt::Error) -> Self {
        Self::Flag(error.to_string())
    }
}

/// Reads `arguments`, the program's name first, and the agent file that they name. `variable` gives a variable of the
/// environment.
///
/// # Errors
/// [`CommandLineError`].
pub fn read(
    arguments: impl IntoIterator<Item = OsString>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<Command, CommandLineError> {
    let mut options = Options::new(AgentDefinition::default());
    let mut agent = PathBuf::from("agent.json");
    let mut model = ModelFlags::default();
    let mut parser = Parser::from_iter(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("listen") => options.listen = address(&parser.value()?)?,
            Arg::Long("dist") => options.dist = parser.value()?.into(),
            Arg::Long("data") => options.data = parser.value()?.into(),
            Arg::Long("agent") => agent = parser.value()?.into(),
            Arg::Long("client-tool-timeout") => options.client_tool_timeout = seconds(&parser.value()?)?,
            Arg::Long("model-url") => model.url = Some(parser.value()?),
            Arg::Long("model") => model.name = Some(parser.value()?),
            Arg::Long("model-temperature") => model.temperature = Some(number(&parser.value()?)?),
            Arg::Long("model-tool-choice") => {
                model.tool_choice =
                    Some(choice("--model-tool-choice", &parser.value()?, &["auto", "none", "required"])?);
            }
            Arg::Long("model-empty-content") => {
                let form = choice("--model-empty-content", &parser.value()?, &["null", "string"])?;
                model.empty_string = form == "string";
            }
            Arg::Long("agent-url") => model.agent = Some(parser.value()?),
            Arg::Long("help") | Arg::Short('h') => return Ok(Command::Help),
            other => return Err(other.unexpected().into()),
        }
    }
    let model_key = secret("PRAXIS_MODEL_KEY", &variable, |key| {
        let problem = "must be of printable ASCII, with no space at its ends";
        if is_sendable(key) { Ok(()) } else { Err(problem) }
    })?;
    options.model = model.endpoint(model_key)?;
    options.server_key = secret("PRAXIS_SERVER_KEY", &variable, |key| {
        let problem = "must have 16 characters or more, all of printable ASCII, and no space at its ends";
        if is_sendable(key) && key.len() >= SHORTEST_KEY { Ok(()) } else { Err(problem) }
    })?;
    options.token_secret = secret("PRAXIS_TOKEN_SECRET", &variable, |secret| {
        if secret.len() >= SHORTEST_SECRET { Ok(()) } else { Err("must have 32 bytes or more") }
    })?;
    options.agent = agent_file::read(&agent)?;
    Ok(Command::Serve(Box::new(options)))
}

/// A secret of the environment; an empty one is none.
fn secret(
    name: &'static str,
    variable: impl Fn(&str) -> Option<OsString>,
    check: fn(&str) -> Result<(), &'static str>,
) -> Result<Option<String>, CommandLineError> {
    let Some(value) = variable(name).filter(|value| !value.is_empty()) else { return Ok(None) };
    let refused = |problem| CommandLineError::Secret(name, problem);
    let value = value.into_string().map_err(|_| refused("must be a text"))?;
    check(&value).map_err(refused)?;
    Ok(Some(value))
}

/// Whether a header can carry a key as it is.
fn is_sendable(key: &str) -> bool {
    key.bytes().all(|byte| matches!(byte, b' '..=b'~')) && key.trim() == key
}

/// What the flags say of who answers.
#[derive(Default)]
struct ModelFlags {
    agent: Option<OsString>,
    url: Option<OsString>,
    name: Option<OsString>,
    temperature: Option<f64>,
    tool_choice: Option<&'static str>,
    empty_string: bool,
}

impl ModelFlags {
    /// Where the model or the agent is asked, where one is.
    fn endpoint(self, key: Option<String>) -> Result<Option<Endpoint>, CommandLineError> {
        let refused = |problem: &str| Err(CommandLineError::Flag(problem.to_owned()));
        let has_more = self.temperature.is_some() || self.tool_choice.is_some() || self.empty_string;
        let headers = key.map(|key| ("authorization".to_owned(), ["Bearer ", &key].concat()));
        let headers = headers.into_iter().collect();
        let (url, model) = match (&self.url, &self.name) {
            (None, None) if !has_more => {
                let Some(agent) = &self.agent else { return Ok(None) };
                let url = web_address("--agent-url", agent, "http://127.0.0.1:8000/")?;
                return Ok(Some(Endpoint::AgUi(ag_ui::Settings { url, headers })));
            }
            _ if self.agent.is_some() => {
                let problem = "either a model answers or an AG-UI agent does: --agent-url goes without what begins with --model";
                return refused(problem);
            }
            (Some(url), Some(name)) => {
                (web_address("--model-url", url, "http://127.0.0.1:11434/v1")?, name.to_string_lossy())
            }
            (Some(_), None) => return refused("--model-url needs --model, the name of the model to ask"),
            (None, Some(_)) => return refused("--model needs --model-url, where to ask it"),
            (None, None) => return refused("what begins with --model goes with --model-url and --model"),
        };
        if model.trim().is_empty() {
            return refused("--model: must not be empty");
        }
        Ok(Some(Endpoint::ChatCompletions(chat_completions::Settings {
            url,
            model: model.into_owned(),
            headers,
            temperature: self.temperature,
            tool_choice: self.tool_choice.map(Value::from),
            empty_content: if self.empty_string { EmptyContent::EmptyString } else { EmptyContent::Null },
            context_budget: None,
        })))
    }
}

/// An address of the web, as a flag gives it. A name and a password in it would stand in every log, and a query swallow
/// what is appended.
fn web_address(flag: &str, value: &OsString, example: &str) -> Result<String, CommandLineError> {
    let text = value.to_string_lossy();
    let fits = |url: &reqwest::Url| {
        matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none()
    };
    if reqwest::Url::parse(&text).is_ok_and(|url| fits(&url)) {
        return Ok(text.into_owned());
    }
    let expected = "must be an http or https address without a user's name, query and fragment, like";
    Err(CommandLineError::Flag(format!("{flag} {text:?}: {expected} {example}")))
}

fn number(value: &OsString) -> Result<f64, CommandLineError> {
    let read = value.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    read.ok_or_else(|| {
        let text = value.to_string_lossy();
        CommandLineError::Flag(format!("--model-temperature {text:?}: must be a number that is not negative"))
    })
}

fn choice(flag: &str, value: &OsString, choices: &[&'static str]) -> Result<&'static str, CommandLineError> {
    choices.iter().copied().find(|choice| value == choice).ok_or_else(|| {
        let (text, choices) = (value.to_string_lossy(), choices.join(" or "));
        CommandLineError::Flag(format!("{flag} {text:?}: must be {choices}"))
    })
}

fn address(value: &OsString) -> Result<SocketAddr, CommandLineError> {
    let text = value.to_string_lossy();
    let problem = || format!("--listen {text:?}: must be an IP address and a port, like 127.0.0.1:8787");
    text.parse().map_err(|_| CommandLineError::Flag(problem()))
}

fn seconds(value: &OsString) -> Result<Duration, CommandLineError> {
    let most = TOOL_TIMEOUT.as_secs();
    let read = value.parse::<u64>().ok().filter(|seconds| (1..=most).contains(seconds));
    read.map(Duration::from_secs).ok_or_else(|| {
        let text = value.to_string_lossy();
        CommandLineError::Flag(format!(
            "--client-tool-timeout {text:?}: must be a whole number of seconds from 1 to {most}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(arguments: &[&str]) -> String {
        let arguments = ["praxis-server"].iter().chain(arguments).map(OsString::from);
        read(arguments, |_| None).unwrap_err().to_string()
    }

    #[test]
    fn a_flag_that_is_wrong_is_named() {
        for (arguments, named) in [
            (&["--model-uri", "http://x"][..], "--model-uri"),
            (&["--model-url", "http://x"], "--model"),
            (&["--model", "x"], "--model-url"),
            (&["--model-url", "ftp://x", "--model", "x"], "ftp://x"),
            (&["--model-url", "localhost:1", "--model", "x"], "localhost:1"),
            (&["--model-url", "http://a:b@x", "--model", "x"], "--model-url"),
            (&["--model-url", "http://x/?a", "--model", "x"], "--model-url"),
            (&["--model-url", "http://x", "--model", " "], "--model"),
            (&["--model-temperature", "0.5"], "--model-url"),
            (&["--agent-url", "localhost:1"], "--agent-url \"localhost:1\": must be an http"),
            (&["--agent-url", "http://a@x"], "http://127.0.0.1:8000/"),
            (
                &["--agent-url", "http://x", "--model-url", "http://x", "--model", "m"],
                "either a model answers",
            ),
            (&["--agent-url", "http://x", "--model", "m"], "either a model answers"),
            (&["--agent-url", "http://x", "--model-temperature", "1"], "either a model answers"),
            (&["--model-temperature", "hot"], "--model-temperature"),
            (&["--model-tool-choice", "any"], "required"),
            (&["--model-empty-content", "nothing"], "null or string"),
            (&["serve"], "serve"),
            (&["--listen"], "--listen"),
            (&["--listen", "localhost:1"], "--listen"),
            (&["--client-tool-timeout", "0"], "--client-tool-timeout"),
            (&["--client-tool-timeout", "121"], "1 to 120"),
            (&["--client-tool-timeout", "1.5"], "--client-tool-timeout"),
            (&["--agent", "no/such/file.json"], "no/such/file.json"),
        ] {
            let said = refused(arguments);
            assert!(said.contains(named), "{said}");
        }
    }

    fn endpoint(flags: &[&str]) -> Option<Endpoint> {
        let agent = concat!(env!("CARGO_MANIFEST_DIR"), "/agent.json");
        let program = ["praxis-server", "--agent", agent];
        let arguments = program.iter().chain(flags).map(OsString::from);
        let variable = |name: &str| (name == "PRAXIS_MODEL_KEY").then(|| OsString::from("sk-1"));
        match read(arguments, variable).unwrap() {
            Command::Serve(options) => options.model,
            Command::Help => None,
        }
    }

    #[test]
    fn an_agent_is_asked_at_the_flag_s_address_with_the_key_of_the_environment() {
        // As it was given, with its slash: servers redirect a POST that lacks it.
        let settings = ag_ui::Settings {
            url: "http://127.0.0.1:8000/agent/".to_owned(),
            headers: vec![("authorization".to_owned(), "Bearer sk-1".to_owned())],
        };
        let asked = endpoint(&["--agent-url", "http://127.0.0.1:8000/agent/"]);
        assert_eq!(asked, Some(Endpoint::AgUi(settings)));
        assert!(USAGE.contains("--agent-url"));
    }

    #[test]
    fn e15_a_model_is_asked_as_the_flags_say_and_with_the_key_of_the_environment() {
        assert_eq!(endpoint(&[]), None, "a key alone asks nobody");
        let settings = chat_completions::Settings {
            url: "http://x/v1".to_owned(),
            model: "m".to_owned(),
            headers: vec![("authorization".to_owned(), "Bearer sk-1".to_owned())],
            ..chat_completions::Settings::default()
        };
        let flags = ["--model-url", "http://x/v1", "--model", "m"];
        assert_eq!(endpoint(&flags), Some(Endpoint::ChatCompletions(settings.clone())));
        let more =
            ["--model-temperature", "0.5", "--model-tool-choice", "auto", "--model-empty-content", "string"];
        let settings = chat_completions::Settings {
            temperature: Some(0.5),
            tool_choice: Some("auto".into()),
            empty_content: EmptyContent::EmptyString,
            ..settings
        };
        assert_eq!(endpoint(&[&flags[..], &more].concat()), Some(Endpoint::ChatCompletions(settings)));
    }

    #[test]
    fn a_secret_that_can_be_guessed_or_never_matches_is_refused() {
        let said = |name: &str, value: &str| {
            let arguments = ["praxis-server", "--agent", "no/such/file.json"].map(OsString::from);
            let variable = |asked: &str| (asked == name).then(|| OsString::from(value));
            read(arguments, variable).unwrap_err().to_string()
        };
        let (secret, key, model_key) = ("PRAXIS_TOKEN_SECRET", "PRAXIS_SERVER_KEY", "PRAXIS_MODEL_KEY");
        for (name, value) in [
            (model_key, "sk-1\n".to_owned()),
            (secret, "s".repeat(31)),
            (key, "k".repeat(15)),
            // A line end that a shell left there: no header carries it.
            (key, "k".repeat(16) + "\n"),
            (key, "钥".repeat(16)),
        ] {
            assert!(said(name, &value).starts_with(&format!("{name}: must ")), "{value:?}");
        }
        for (name, value) in [(secret, "s".repeat(32)), (key, "k k".repeat(6)), (secret, String::new())] {
            assert!(said(name, &value).contains("no/such/file.json"), "{value:?}");
        }
    }
}
