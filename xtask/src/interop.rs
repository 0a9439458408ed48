//! `interop`: codecs and page against programs of other makers, which run on loopback for as long as this does.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
};

use crate::{
    shell::{Result, cargo, program, root, run},
    tools::{self, Tool},
};

/// Where the peers are installed.
pub fn folder() -> PathBuf {
    root().join("target/interop")
}

/// A program of the peers' Python.
pub fn python(name: &str) -> PathBuf {
    folder().join("python/bin").join(name)
}

/// Runs everything, or the part that `arguments` name.
///
/// # Errors
/// When a peer cannot be installed or started, or a test fails.
pub fn interop(arguments: &[&str]) -> Result {
    let parts: &[&str] = match arguments {
        [] => &["protocols", "journeys"],
        ["protocols" | "journeys"] => arguments,
        _ => return Err("expected nothing, `protocols` or `journeys`".to_owned()),
    };
    tools::provide(&[Tool::Peers])?;
    let peers = Peers::start()?;
    parts.iter().try_for_each(|part| match *part {
        "protocols" => protocols(&peers),
        _ => journeys(&peers),
    })
}

/// The service's loop against each peer, and what the agent wrote against the protocol's validator.
fn protocols(peers: &Peers) -> Result {
    let recorded = folder().join("recorded");
    if recorded.exists() {
        fs::remove_dir_all(&recorded).map_err(|error| format!("{}: {error}", recorded.display()))?;
    }
    fs::create_dir_all(&recorded).map_err(|error| format!("{}: {error}", recorded.display()))?;
    let mut test = cargo();
    test.args([
        "test",
        "--workspace",
        "--features",
        "praxis/schema-worker,praxis/server",
        "--test",
        "interop",
    ]);
    test.args(["--", "--ignored"]).env("PRAXIS_RECORDED", &recorded);
    run(peers.tell(&mut test))?;

    let mut runs: Vec<_> = fs::read_dir(&recorded)
        .map_err(|error| format!("{}: {error}", recorded.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    if runs.is_empty() {
        return Err("the tests recorded no run of the agent".to_owned());
    }
    runs.sort();
    for path in &runs {
        let mut validate = program(python("ag-ui-validate"));
        // That rule knows one run: a resumed one answers a call of the run before, as the protocol has it.
        validate.arg(path).args(["--fail-on", "warning", "--off", "AGUI207"]);
        let output = validate.output().map_err(|error| format!("cannot start ag-ui-validate: {error}"))?;
        if !output.status.success() {
            return Err(format!("{}: {}", path.display(), String::from_utf8_lossy(&output.stdout)));
        }
    }
    println!("ag-ui-validate finds nothing in the runs of {} sessions", runs.len());
    Ok(())
}

/// The page's journeys, each with the `config.json` that leads to the peer.
fn journeys(peers: &Peers) -> Result {
    if !root().join("dist/index.html").is_file() {
        return Err("there is no dist/ to test; `cargo xtask dist` builds it".to_owned());
    }
    tools::provide(&[Tool::Browser, Tool::EndToEnd])?;
    // One of the journeys' agents is a praxis-server.
    tools::build_server()?;
    let mut test = tools::playwright();
    test.args(["--config", "interop.config.js"]);
    run(peers.tell(&mut test))
}

/// The peers, by the variable that tells tests where each is.
struct Peers(Vec<(&'static str, Peer)>);

impl Peers {
    fn start() -> Result<Self> {
        let scripts = root().join("tests/interop");
        let python = |script: &str| {
            let mut command = program(python("python"));
            command.arg("-B").arg(scripts.join(script));
            command
        };
        let mut chat = program("node");
        chat.arg(scripts.join("chat.js")).env("PRAXIS_PEERS", folder());
        // All start at once, and then each says where it listens.
        let starting = [
            ("PRAXIS_CHAT", Peer::start(chat)?),
            ("PRAXIS_FAKE_LLM", Peer::start(python("fake_llm.py"))?),
            ("PRAXIS_AG_UI", Peer::start(python("agent.py"))?),
        ];
        let mut peers = Vec::new();
        for (variable, mut peer) in starting {
            peer.listen()?;
            println!("{variable}={}", peer.address);
            peers.push((variable, peer));
        }
        Ok(Self(peers))
    }

    fn tell<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.envs(self.0.iter().map(|(variable, peer)| (variable, &peer.address)))
    }
}

/// A program that runs until this is dropped.
struct Peer {
    name: String,
    child: Child,
    /// Kept open: a program that cannot write any more ends.
    output: BufReader<ChildStdout>,
    address: String,
}

impl Peer {
    fn start(mut command: Command) -> Result<Self> {
        let name = command.get_args().last().map(Path::new).unwrap_or(Path::new("")).display().to_string();
        let spawned = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let mut child = spawned.map_err(|error| format!("cannot start {name}: {error}"))?;
        let output = child.stdout.take().ok_or_else(|| format!("{name} has no output"))?;
        Ok(Self { name, child, output: BufReader::new(output), address: String::new() })
    }

    /// Waits until it says where it listens.
    fn listen(&mut self) -> Result {
        let mut line = String::new();
        let read = self.output.read_line(&mut line);
        if read.is_err() || !line.starts_with("http://127.0.0.1:") {
            return Err(format!("{} did not say where it listens: {:?}", self.name, line.trim_end()));
        }
        self.address = line.trim_end().to_owned();
        Ok(())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
