//! What an idle stream costs the server in memory. No time is measured, so this prints its figure by itself.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use criterion::Criterion;
use tokio::runtime::Runtime;

use crate::rig::{Folder, Visitor};

const STREAMS: usize = 500;

/// A server as a process of its own, so that its memory is its own.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn idle_memory(_: &mut Criterion) {
    let Ok(folder) = std::panic::catch_unwind(Folder::new) else { return };
    let mut program = Command::new(env!("CARGO_BIN_EXE_praxis-server"));
    program.args([
        "--listen",
        "127.0.0.1:0",
        "--agent",
        concat!(env!("CARGO_MANIFEST_DIR"), "/agent.json"),
        "--data",
    ]);
    program.arg(folder.0.join("praxis.sqlite")).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut program = Program(program.spawn().expect("the server starts"));
    let mut line = String::new();
    let output = program.0.stdout.take().expect("its output");
    BufReader::new(output).read_line(&mut line).expect("it says where it listens");
    let address = line.split_whitespace().last().expect("an address").to_owned();

    let Some(before) = resident(program.0.id()) else {
        println!("memory of an idle stream: not measured, this system has no /proc");
        return;
    };
    Runtime::new().expect("a runtime").block_on(async {
        let visitor = Visitor::new(&address).await;
        let mut streams = Vec::new();
        for _ in 0..STREAMS {
            let session = visitor.session().await;
            streams.push(visitor.stream(&session, &[]).await);
        }
        let after = resident(program.0.id()).unwrap_or(before);
        let each = after.saturating_sub(before) as f64 / STREAMS as f64 / 1024.0;
        println!("memory of an idle stream: {each:.1} KiB ({STREAMS} sessions with a stream each)");
    });
}

/// Resident memory in bytes.
fn resident(process: u32) -> Option<usize> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<usize>().ok()? * 1024)
}
