//! `bench`: how fast it is. Nothing here passes or fails; the figures go into notes and release texts.

use crate::shell::{Result, cargo, run};

/// Runs the native benchmarks; `arguments` go to criterion, a part of a benchmark's name, say.
///
/// # Errors
/// When a benchmark cannot be built or does not end well.
pub fn bench(arguments: &[&str]) -> Result {
    run(cargo()
        .args(["bench", "--no-default-features", "--features", "server", "--bench", "server", "--"])
        .args(arguments))
}
