//! `test`: everything that must hold, one named step after the other.
//!
//! A step that fails does not keep the later ones from running: one run tells all that is wrong.

use std::time::Instant;

use crate::{
    arrows,
    dist::dist,
    interop,
    shell::{Result, cargo, root, run},
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
fn wasm() -> Result {
    let mut command = cargo();
    command.args(["test", "--tests"]).args(WASM);
    // In seconds, for each file; the default is short for two busy cores.
    command.env("WASM_BINDGEN_TEST_TIMEOUT", "300");
    if let Some(driver) = tools::chromedriver() {
        command.env("CHROMEDRIVER", driver);
    }
    run(&mut command)
}

/// The journeys, against the `dist/` that is there: what ships is what is tested.
fn end_to_end() -> Result {
    if !root().join("dist/index.html").is_file() {
        return Err("there is no dist/ to test; `cargo xtask dist` builds it".to_owned());
    }
    tools::build_server()?;
    run(&mut tools::playwright())
}
