//! `agent`: writes `agent.json`, the agent that `praxis-server` serves, from what the app declares.

use std::fs;

use crate::shell::{Result, root};

/// The agent's name, which clients see.
const NAME: &str = "课程助手";

/// Writes the file.
///
/// # Errors
/// When one of the app's files cannot be read, or the agent's cannot be written.
pub fn agent() -> Result {
    let path = root().join("agent.json");
    fs::write(&path, text()?).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}

/// The parts are JSON already: they are put together as they stand. The app gives the agent no instructions.
fn text() -> Result<String> {
    let read = |name: &str| {
        let path = root().join(name);
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok::<_, String>(text.trim_end().replace('\n', "\n  "))
    };
    let (own, of_page) = (read("src/app/agent/tools.json")?, read("src/tools/page/declarations.json")?);
    let tools = match (own.strip_suffix(']'), of_page.strip_prefix('[')) {
        (Some(own), Some(of_page)) => [own.trim_end(), ",", of_page].concat(),
        _ => return Err("the tools must be two lists".into()),
    };
    let script = read("static/tutor_script.json")?;
    Ok(format!("{{\n  \"name\": \"{NAME}\",\n  \"tools\": {tools},\n  \"script\": {script}\n}}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_in_the_repository_is_what_the_app_declares_now() {
        let file = fs::read_to_string(root().join("agent.json")).unwrap_or_default();
        assert!(file == text().unwrap(), "agent.json is out of step: `cargo xtask agent` writes it anew");
    }
}
