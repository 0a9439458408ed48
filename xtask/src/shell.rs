//! Running other programs, and errors that say which one failed.
//!
//! Knows nothing of what the project's commands do.

use std::{
    env,
    ffi::OsStr,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// An error is a sentence for the person at the terminal; nothing in here handles one in any other way.
pub type Result<T = ()> = std::result::Result<T, String>;

/// The repository's top folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository")
}

/// A program that runs in the repository's top folder, with the project's own tools first in its `PATH`.
pub fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root()).env("PATH", search_path());
    command
}

/// `cargo` as it started this command.
pub fn cargo() -> Command {
    program(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a program to its end; its output goes to the terminal.
///
/// # Errors
/// When it cannot start or does not succeed.
pub fn run(command: &mut Command) -> Result {
    let status = command.status().map_err(|error| format!("cannot start {}: {error}", words(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{} ended with {status}", words(command))) }
}

/// The same; `hear` is given each line of its standard output, which goes to the terminal all the same.
///
/// # Errors
/// As [`run`].
pub fn run_heard(command: &mut Command, mut hear: impl FnMut(&str)) -> Result {
    let child = command.stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("cannot start {}: {error}", words(command)))?;
    for line in child.stdout.take().into_iter().flat_map(|output| BufReader::new(output).split(b'\n')) {
        let Ok(line) = line else { break };
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        hear(&line);
    }
    let status = child.wait().map_err(|error| format!("lost {}: {error}", words(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{} ended with {status}", words(command))) }
}

/// What a program prints to its standard output, without the white space around it.
///
/// # Errors
/// When it cannot start or does not succeed.
pub fn read(command: &mut Command) -> Result<String> {
    let output = command.output().map_err(|error| format!("cannot start {}: {error}", words(command)))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} ended with {}: {}", words(command), output.status, message.trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Where a program is found, the project's own tools first.
pub fn find(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&search_path()).map(|folder| folder.join(&file)).find(|path| path.is_file())
}

fn search_path() -> std::ffi::OsString {
    let before = env::var_os("PATH").unwrap_or_default();
    let folders = [root().join("target/tools/bin")].into_iter().chain(env::split_paths(&before));
    env::join_paths(folders).unwrap_or(before)
}

fn words(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
    format!("`{}`", words.join(" "))
}
