//! Project commands: each sets up what is missing on this machine, then runs.
//!
//! Every first `cargo xtask serve` compiles this package before anything else, so it has no dependencies.

mod shell;
mod tools;

use std::process::ExitCode;

use shell::Result;
use tools::Tool;

const USAGE: &str = "\
cargo xtask <command>

  setup               install what the other commands need, and nothing that is there";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result {
    match arguments {
        ["setup"] => tools::provide(&Tool::ALL),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        [] => Err(format!("which command?\n\n{USAGE}")),
        [other, ..] => Err(format!("there is no command `{other}`\n\n{USAGE}")),
    }
}
