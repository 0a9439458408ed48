//! `bench`: how fast it is. Nothing here passes or fails; the figures go into notes and release texts.

use crate::{
    dist,
    shell::{Result, cargo, program, root, run},
    tools::{self, Tool},
};

/// Runs the benchmarks, or the one that the first argument names: `model`, `server` or `page`. What follows goes to
/// criterion, a part of a benchmark's name, say.
///
/// # Errors
/// When there is no such benchmark, or one cannot be built or does not end well.
pub fn bench(arguments: &[&str]) -> Result {
    match arguments {
        [] => {
            criterion("model", &[])?;
            criterion("server", &[])?;
            page()
        }
        ["page"] => page(),
        [bench @ ("model" | "server"), rest @ ..] => criterion(bench, rest),
        [other, ..] => Err(format!("there is no benchmark `{other}`: there are model, server and page")),
    }
}

fn criterion(bench: &str, arguments: &[&str]) -> Result {
    run(cargo()
        .args(["bench", "--no-default-features", "--features", "server", "--bench", bench, "--"])
        .args(arguments))
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
