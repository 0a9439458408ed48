//! The program itself: flags, the address that it prints, signals.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::rig::{Folder, Visitor};
use crate::suite::{self, message};

/// `praxis-server` in a folder of its own.
pub struct Program {
    pub child: Child,
    pub address: String,
}

pub fn command(folder: &Folder, agent: &Value) -> Command {
    let file = folder.0.join("agent.json");
    fs::write(&file, agent.to_string()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_praxis-server"));
    command.current_dir(&folder.0).args(["--listen", "127.0.0.1:0"]);
    for secret in ["PRAXIS_MODEL_KEY", "PRAXIS_SERVER_KEY", "PRAXIS_TOKEN_SECRET"] {
        command.env_remove(secret);
    }
    command.env("RUST_LOG", "warn");
    command.stdout(Stdio::piped());
    command
}

pub fn agent() -> Value {
    serde_json::to_value(suite::agent()).unwrap()
}

impl Program {
    pub fn start(mut command: Command) -> Self {
        let mut child = command.spawn().expect("the server starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().split(' ').find(|word| word.starts_with("http://"));
        let address = address.unwrap_or_else(|| panic!("no address in {line:?}")).to_owned();
        Self { child, address }
    }

    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the program says when it does not start.
fn refused(mut command: Command) -> String {
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(!child.wait().unwrap().success(), "it starts: {said}");
    said
}

#[tokio::test]
async fn it_prints_its_address_once_it_listens_and_stops_cleanly_on_signals() {
    let folder = Folder::new();
    for (turn, signal) in ["-TERM", "-INT"].into_iter().enumerate() {
        let mut program = Program::start(command(&folder, &agent()));
        assert!(program.address.starts_with("http://127.0.0.1:"));
        let visitor = Visitor::new(&program.address).await;
        let session = visitor.session().await;
        let mut stream = visitor.stream(&session, &[]).await;
        assert_eq!(visitor.post(&session, &[message("say x")]).await.status, 200);
        stream.until("user.message").await;
        program.signal(signal);
        while stream.frame().await.is_some() {}
        assert_eq!(program.child.wait().unwrap().code(), Some(0), "{signal} ({turn})");
    }
    // Nothing is left beside the data file that it would need.
    assert!(folder.0.join("praxis.sqlite").is_file());
}

#[test]
fn k1_an_agent_that_breaks_a_rule_ends_the_start_and_is_named() {
    let folder = Folder::new();
    let tool = |name: &str, description: &str| json!({"type":"custom","name":name,"description":description,"input_schema":{"type":"object"}});
    for (tools, named) in [
        (json!([tool("a b", "x")]), ["\"a b\"", "name"]),
        (json!([tool("seek_to", " ")]), ["\"seek_to\"", "description"]),
        (json!([tool("seek_to", "x"), tool("seek_to", "y")]), ["\"seek_to\"", "name"]),
        (json!([tool("current_time", "x")]), ["\"current_time\"", "built-in"]),
        (
            json!([{"type":"custom","name":"a","description":"x","input_schema":{}}]),
            ["\"a\"", "input_schema"],
        ),
    ] {
        let said = refused(command(&folder, &json!({"name":"tutor","tools":tools})));
        for named in named {
            assert!(said.contains(named), "{said}");
        }
    }
    assert!(!folder.0.join("praxis.sqlite").exists(), "nothing was begun");
}

#[test]
fn a_key_that_would_travel_unencrypted_is_warned_of_at_the_start() {
    let folder = Folder::new();
    for (flags, warns) in [
        (&["--model-url", "http://192.0.2.1/v1", "--model", "m"][..], true),
        (&["--agent-url", "http://192.0.2.1/"], true),
        (&["--agent-url", "https://192.0.2.1/"], false),
        (&["--agent-url", "http://127.0.0.1:1/"], false),
    ] {
        let mut command = command(&folder, &agent());
        command.args(flags).env("PRAXIS_MODEL_KEY", "sk-of-the-tests").stderr(Stdio::piped());
        let mut program = Program::start(command);
        program.signal("-TERM");
        let mut said = String::new();
        program.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(said.contains("unencrypted"), warns, "{flags:?}: {said}");
        assert!(!said.contains("sk-of"), "{said}");
    }
}

#[tokio::test]
async fn a_start_that_cannot_be_says_why() {
    let folder = Folder::new();
    let with = |arguments: &[&str]| {
        let mut command = command(&folder, &agent());
        command.args(arguments);
        command
    };
    for (arguments, named) in [
        (&["--model-url", "http://127.0.0.1:1"][..], "--model"),
        (&["--agent-url", "http://127.0.0.1:1", "--model", "m"], "either a model answers"),
        (&["--client-tool-timeout", "121"], "1 to 120"),
        (&["--agent", "none.json"], "none.json"),
        (&["--data", "no/such/folder.sqlite"], "no/such/folder.sqlite"),
    ] {
        let said = refused(with(arguments));
        assert!(said.contains(named), "{said}");
    }
    fs::write(folder.0.join("foreign"), "this is no database, but it is long enough to look like one")
        .unwrap();
    assert!(refused(with(&["--data", "foreign"])).contains("foreign"));

    let program = Program::start(with(&[]));
    assert!(refused(with(&[])).contains("another praxis-server uses it"));
    let taken = program.address.trim_start_matches("http://").to_owned();
    assert!(refused(with(&["--data", "other.sqlite", "--listen", &taken])).contains(&taken));
}
