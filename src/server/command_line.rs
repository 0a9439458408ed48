//! What the program is started with: flags, and secrets from the environment.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use lexopt::{Arg, Parser, ValueExt};

use super::Options;
use super::agent_file::{self, AgentFileError};
use crate::protocol::AgentDefinition;
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
  --help                         this

Secrets come from the environment:
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
    let mut parser = Parser::from_iter(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("listen") => options.listen = address(&parser.value()?)?,
            Arg::Long("dist") => options.dist = parser.value()?.into(),
            Arg::Long("data") => options.data = parser.value()?.into(),
            Arg::Long("agent") => agent = parser.value()?.into(),
            Arg::Long("client-tool-timeout") => options.client_tool_timeout = seconds(&parser.value()?)?,
            Arg::Long("help") | Arg::Short('h') => return Ok(Command::Help),
            other => return Err(other.unexpected().into()),
        }
    }
    options.server_key = secret("PRAXIS_SERVER_KEY", &variable, |key| {
        let sendable = key.bytes().all(|byte| matches!(byte, b' '..=b'~')) && key.trim() == key;
        let problem = "must have 16 characters or more, all of printable ASCII, and no space at its ends";
        if sendable && key.len() >= SHORTEST_KEY { Ok(()) } else { Err(problem) }
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
            (&["--model-url", "http://x"][..], "--model-url"),
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
    #[test]
    fn a_secret_that_can_be_guessed_or_never_matches_is_refused() {
        let said = |name: &str, value: &str| {
            let arguments = ["praxis-server", "--agent", "no/such/file.json"].map(OsString::from);
            let variable = |asked: &str| (asked == name).then(|| OsString::from(value));
            read(arguments, variable).unwrap_err().to_string()
        };
        let (secret, key) = ("PRAXIS_TOKEN_SECRET", "PRAXIS_SERVER_KEY");
        for (name, value) in [
            (secret, "s".repeat(31)),
            (key, "k".repeat(15)),
            // A line end that a shell left there: no header carries it.
            (key, "k".repeat(16) + "\n"),
            (key, "钥".repeat(16)),
        ] {
            assert!(said(name, &value).starts_with(&format!("{name}: must have ")), "{value:?}");
        }
        for (name, value) in [(secret, "s".repeat(32)), (key, "k k".repeat(6)), (secret, String::new())] {
            assert!(said(name, &value).contains("no/such/file.json"), "{value:?}");
        }
    }
}
