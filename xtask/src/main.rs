//! Project commands: each sets up what is missing on this machine, then runs.
//!
//! Every first `cargo xtask serve` compiles this package before anything else, so it has no dependencies.

mod agent;
mod arrows;
mod bench;
mod dist;
mod interop;
mod serve;
mod shell;
mod test;
mod tools;

use std::process::ExitCode;

use shell::Result;
use tools::Tool;

const USAGE: &str = "\
cargo xtask <command>; each installs what it needs and lacks first

  serve [trunk's own arguments]   the demo at http://127.0.0.1:8080, rebuilt as files change
  test [--only STEP]              every check and test
  dist                            the release build in dist/, and what it weighs
  interop [protocols|journeys]    codecs and page against programs of other makers, on loopback
  bench [model|server|page] [criterion's arguments]
                                  how fast the service reads, writes and serves
  agent                           agent.json, from what the app declares
  arrows                          whether the parts keep to who may know whom
  setup                           nothing but installing what the others need";

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
        ["serve", rest @ ..] => serve::serve(rest),
        ["test", rest @ ..] => test::test(rest),
        ["dist"] => dist::dist(),
        ["interop", rest @ ..] => interop::interop(rest),
        ["bench", rest @ ..] => bench::bench(rest),
        ["agent"] => agent::agent(),
        ["arrows"] => arrows::arrows(),
        ["setup"] => tools::provide(&Tool::ALL),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        [] => Err(format!("which command?\n\n{USAGE}")),
        [other, ..] => Err(format!("there is no command like `{other}`\n\n{USAGE}")),
    }
}
