//! `bench`: how fast it is. Nothing here passes or fails; the figures go into notes and release texts.

use crate::shell::{Result, cargo, run};

/// Runs the native benchmarks, or those that the first argument names: `model` or `server`. The others go to criterion,
/// a part of a benchmark's name, say.
///
/// # Errors
/// When a benchmark cannot be built or does not end well.
pub fn bench(arguments: &[&str]) -> Result {
    let (benches, arguments): (&[&str], _) = match arguments {
        ["model", rest @ ..] => (&["model"], rest),
        ["server", rest @ ..] => (&["server"], rest),
        _ => (&["model", "server"], arguments),
    };
    benches.iter().try_for_each(|bench| {
        run(cargo()
            .args(["bench", "--no-default-features", "--features", "server", "--bench", bench, "--"])
            .args(arguments))
    })
}
