//! `serve`: the demo, rebuilt as files change.

use crate::{
    shell::{Result, program, root, run},
    tools::{self, Tool},
};

/// Builds the demo and serves it until it is stopped; `arguments` go to `trunk serve`.
///
/// # Errors
/// When a tool is missing and cannot be installed, or trunk ends with an error.
pub fn serve(arguments: &[&str]) -> Result {
    tools::provide(&[Tool::WasmTarget, Tool::Trunk, Tool::WasmBindgen])?;
    if root().join("target/serve/index.html").is_file() {
        println!("Building the demo …");
    } else {
        println!("Building the demo; the first time takes some minutes, for all that it is built on …");
    }
    println!(
        "It will be at http://127.0.0.1:8080, unless Trunk.toml or the command line say otherwise. Ctrl+C stops it."
    );
    run(trunk("serve").args(arguments))
}

/// A trunk command. What it would look up on the network is here already.
pub fn trunk(command: &str) -> std::process::Command {
    let mut trunk = program("trunk");
    trunk.arg(command).env("TRUNK_SKIP_VERSION_CHECK", "true");
    trunk
}
