//! `test`: everything that must hold, one named step after the other.
//!
//! A step that fails does not keep the later ones from running: one run tells all that is wrong.

use std::{process::Command, time::Instant};

use crate::{
    arrows,
    dist::dist,
    interop,
    shell::{Result, cargo, root, run, run_heard},
    tools::{self, Tool},
};

/// What a machine can run beside the default features.
const NATIVE: [&str; 2] = ["--features", "praxis/schema-worker,praxis/server"];
const WASM: [&str; 2] = ["--target", "wasm32-unknown-unknown"];

struct Step {
    /// What `--only` takes.
    name: &'static str,
    needs: &'static [Tool],
    run: fn() -> Result,
}

const STEPS: &[Step] = &[
    Step { name: "rustfmt", needs: &[], run: || run(cargo().args(["fmt", "--all", "--check"])) },
    Step {
        name: "clippy",
        needs: &[],
        run: || clippy(&[&["--workspace", "--all-targets"][..], &NATIVE].concat()),
    },
    Step {
        name: "clippy-wasm",
        needs: &[Tool::WasmTarget],
        run: || clippy(&[&["--all-targets"][..], &WASM].concat()),
    },
    Step {
        name: "clippy-outputs",
        needs: &[Tool::WasmTarget],
        run: || {
            // What ships, each with no more than its own features.
            [
                ("praxis", "app"),
                ("kit", "kit"),
                ("page-tools", "page-tools"),
                ("schema-worker", "schema-worker"),
            ]
            .into_iter()
            .try_for_each(|(binary, features)| {
                let output = ["--lib", "--bin", binary, "--no-default-features", "--features", features];
                clippy(&[&output[..], &WASM].concat())
            })
        },
    },
    Step {
        name: "rustdoc",
        needs: &[],
        run: || {
            run(cargo()
                .args(["doc", "--workspace", "--no-deps"])
                .args(NATIVE)
                .env("RUSTDOCFLAGS", "-D warnings"))
        },
    },
    Step { name: "arrows", needs: &[], run: arrows::arrows },
    Step { name: "native", needs: &[], run: || run(cargo().args(["test", "--workspace"]).args(NATIVE)) },
    Step { name: "wasm", needs: &[Tool::WasmTarget, Tool::WasmBindgen, Tool::Browser], run: wasm },
    Step { name: "dist", needs: &[], run: dist },
    Step { name: "e2e", needs: &[Tool::Browser, Tool::EndToEnd], run: end_to_end },
    Step {
        name: "interop",
        needs: &[Tool::Peers, Tool::Browser, Tool::EndToEnd],
        run: || interop::interop(&[]),
    },
];

/// Runs every step, or the one that `arguments` name with `--only`.
///
/// # Errors
/// When a step fails, or the arguments name none.
pub fn test(arguments: &[&str]) -> Result {
    let steps: Vec<&Step> = match arguments {
        [] => STEPS.iter().collect(),
        ["--only", name] => STEPS.iter().filter(|step| step.name == *name).collect(),
        _ => Vec::new(),
    };
    if steps.is_empty() {
        let names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        return Err(format!("expected nothing or `--only` with one of {}", names.join(", ")));
    }
    let mut failed = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        println!("\n━━ {} ({} of {})", step.name, at + 1, steps.len());
        let start = Instant::now();
        let outcome = tools::provide(step.needs).and_then(|()| (step.run)());
        let seconds = start.elapsed().as_secs();
        match outcome {
            Ok(()) => println!("━━ {} passed in {seconds} s", step.name),
            Err(error) => {
                println!("━━ {} failed after {seconds} s: {error}", step.name);
                failed.push(step.name);
            }
        }
    }
    println!("\nsteps: {} passed, {} failed", steps.len() - failed.len(), failed.len());
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

fn clippy(arguments: &[&str]) -> Result {
    run(cargo().arg("clippy").args(arguments).args(["--", "-D", "warnings"]))
}

/// The tests that need a page, each file in a page of its own.
///
/// The runner's web server can leave a request unanswered: tiny_http 0.12 takes a thread that was called already for one
/// that is free, so of several connections that come at once one may wait for ever. Up to four scripts beside each
/// other have a thread each; five have not. Where no test has begun for that, all is run once more.
fn wasm() -> Result {
    let mut stalled = false;
    let outcome = run_heard(&mut wasm_tests(), |line| stalled |= never_began(line));
    match outcome {
        Err(_) if stalled => {
            println!("A page of tests was never served; once more.");
            run(&mut wasm_tests())
        }
        outcome => outcome,
    }
}

/// What the runner says of a page whose scripts did not come; those that came say something else.
fn never_began(line: &str) -> bool {
    line.starts_with("Loading scripts...")
}

fn wasm_tests() -> Command {
    let mut command = cargo();
    command.args(["test", "--tests"]).args(WASM);
    // In seconds, for each file; the default is short for two busy cores.
    command.env("WASM_BINDGEN_TEST_TIMEOUT", "300");
    if let Some(driver) = tools::chromedriver() {
        command.env("CHROMEDRIVER", driver);
    }
    command
}

/// The journeys, against the `dist/` that is there: what ships is what is tested.
fn end_to_end() -> Result {
    if !root().join("dist/index.html").is_file() {
        return Err("there is no dist/ to test; `cargo xtask dist` builds it".to_owned());
    }
    tools::build_server()?;
    run(&mut tools::playwright())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_page_that_never_began_is_run_again() {
        assert!(never_began(
            "Loading scripts...Failed to detect test as having been run. It might have timed out."
        ));
        for began in ["Loading Wasm module...", "test a ... FAIL", "test result: FAILED. 1 passed; 1 failed"]
        {
            assert!(!never_began(began), "{began}");
        }
    }
}
