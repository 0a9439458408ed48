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
  PRAXIS_TOKEN_SECRET            what tokens are signed with; without it one is made and kept with the data
  PRAXIS_SERVER_KEY              the key that may post system.message; without it nobody may
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
    #[error("{0} must be a text")]
    Secret(&'static str),
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
    let secret = |name: &'static str| match variable(name) {
        Some(value) if !value.is_empty() => {
            value.into_string().map(Some).map_err(|_| CommandLineError::Secret(name))
        }
        _ => Ok(None),
    };
    options.server_key = secret("PRAXIS_SERVER_KEY")?;
    options.token_secret = secret("PRAXIS_TOKEN_SECRET")?;
    options.agent = agent_file::read(&agent)?;
    Ok(Command::Serve(Box::new(options)))
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
}
