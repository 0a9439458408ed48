//! `bench`: how fast it is. Nothing here passes or fails; the figures go into notes and release texts.

use crate::{
    dist,
    shell::{Result, cargo, program, root, run},
    tools::{self, Tool},
};

/// Runs the benchmarks, or those that the first argument names: `model`, `server` or `page`. What follows goes to
/// criterion, a part of a benchmark's name, say.
///
/// # Errors
/// When a benchmark cannot be built or does not end well.
pub fn bench(arguments: &[&str]) -> Result {
    let (benches, arguments): (&[&str], _) = match arguments {
        ["model", rest @ ..] => (&["model"], rest),
        ["server", rest @ ..] => (&["server"], rest),
        ["page"] => return page(),
        _ => (&["model", "server"], arguments),
    };
    benches.iter().try_for_each(|bench| {
        run(cargo()
            .args(["bench", "--no-default-features", "--features", "server", "--bench", bench, "--"])
            .args(arguments))
    })?;
    if arguments.is_empty() { page() } else { Ok(()) }
}

/// What runs in a page: the release build, in Chromium.
fn page() -> Result {
    tools::provide(&[Tool::Browser, Tool::EndToEnd])?;
    dist::dist()?;
    let mut command = program("node");
    command.arg("benchmark.js").current_dir(root().join("tests/e2e"));
    if let Some(chromium) = tools::chromium() {
        command.env("CHROMIUM", chromium);
    }
    run(&mut command)
}
