//! The agent, from the file that `--agent` names: `{"name","instructions"?,"tools":[…],"script":{…}?}`.

use std::path::{Path, PathBuf};

use crate::protocol::{AgentDefinition, AgentError};
use crate::service::built_in::BuiltInTool;

/// Why an agent file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AgentFileError {
    /// It cannot be read.
    #[error("cannot read the agent file {path}: {1}", path = .0.display())]
    Read(PathBuf, std::io::Error),
    /// It is no JSON.
    #[error("the agent file {path} is not JSON: {1}", path = .0.display())]
    NotJson(PathBuf, serde_json::Error),
    /// It breaks a rule (K1); the message names the tool and the field.
    #[error("the agent file {path}: {1}", path = .0.display())]
    Agent(PathBuf, AgentError),
}

/// Reads an agent file.
///
/// # Errors
/// [`AgentFileError`].
pub fn read(path: &Path) -> Result<AgentDefinition, AgentFileError> {
    let text = std::fs::read(path).map_err(|error| AgentFileError::Read(path.to_owned(), error))?;
    let value =
        serde_json::from_slice(&text).map_err(|error| AgentFileError::NotJson(path.to_owned(), error))?;
    AgentDefinition::from_json(&value, &BuiltInTool::NAMES)
        .map_err(|error| AgentFileError::Agent(path.to_owned(), error))
}
