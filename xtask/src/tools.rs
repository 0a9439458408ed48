//! What the commands need on a machine, and how each thing gets there.
//!
//! Tools that are built go into `target/tools`, not into the user's own folders. Browser and fonts are the
//! system's: root on Debian or its kin gets them installed, everybody else one line to run.

use std::{fs, path::PathBuf, time::Instant};

use crate::interop;
use crate::shell::{Result, cargo, find, program, read, root, run};

/// Newer ones need a newer rustc.
const TRUNK: &str = "0.21.14";
/// Debian's is too old to read what today's rustc writes.
const BINARYEN: &str = "132.0.0";

/// Where the wasm-bindgen CLI spends its time: optimising these makes each build of the page seconds faster, and the
/// tool itself hardly slower to build.
const OPTIMISED: [&str; 6] = [
    "--config=profile.dev.package.wasm-bindgen-cli-support.opt-level=1",
    "--config=profile.dev.package.walrus.opt-level=1",
    "--config=profile.dev.package.wasmparser.opt-level=1",
    "--config=profile.dev.package.wasm-encoder.opt-level=1",
    "--config=profile.dev.package.leb128fmt.opt-level=1",
    "--config=profile.dev.package.id-arena.opt-level=1",
];

/// Something that a command needs on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// The standard library for `wasm32-unknown-unknown`.
    WasmTarget,
    /// Builds and serves the page.
    Trunk,
    /// Writes the JavaScript glue and runs the tests in a browser.
    WasmBindgen,
    /// Makes release builds small.
    WasmOpt,
    /// A browser with its driver, and the fonts that Chinese text in screenshots needs.
    Browser,
    /// The packages of the end-to-end tests.
    EndToEnd,
    /// The programs of other makers that the codecs are tested against.
    Peers,
}

impl Tool {
    /// Everything.
    pub const ALL: [Self; 7] = [
        Self::WasmTarget,
        Self::Trunk,
        Self::WasmBindgen,
        Self::WasmOpt,
        Self::Browser,
        Self::EndToEnd,
        Self::Peers,
    ];

    fn is_there(self) -> Result<bool> {
        Ok(match self {
            Self::WasmTarget => {
                let folder = read(program("rustc").args([
                    "--print",
                    "target-libdir",
                    "--target",
                    "wasm32-unknown-unknown",
                ]))?;
                PathBuf::from(folder).is_dir()
            }
            Self::Trunk => has_version("trunk", TRUNK),
            Self::WasmBindgen => {
                let version = locked_version("wasm-bindgen")?;
                has_version("wasm-bindgen", &version) && has_version("wasm-bindgen-test-runner", &version)
            }
            Self::WasmOpt => has_version("wasm-opt", BINARYEN.split('.').next().unwrap_or(BINARYEN)),
            Self::Browser => missing_packages().is_empty(),
            Self::EndToEnd => end_to_end_is_installed(),
            Self::Peers => PEERS.into_iter().all(peers_are_of),
        })
    }

    fn install(self) -> Result {
        match self {
            Self::WasmTarget => add_wasm_target(),
            // Without its features, which download tools: those are here.
            Self::Trunk => build(
                "trunk",
                TRUNK,
                &["--no-default-features"],
                "the program that builds and serves the page",
            ),
            Self::WasmBindgen => build(
                "wasm-bindgen-cli",
                &locked_version("wasm-bindgen")?,
                &OPTIMISED,
                "it must be of exactly the version in Cargo.lock",
            ),
            Self::WasmOpt => install_wasm_opt(),
            Self::Browser => install_packages(
                &missing_packages(),
                "the tests need a browser, its driver and Chinese fonts",
                ", or set CHROMIUM and CHROMEDRIVER to where they are",
            ),
            Self::Peers => install_peers(),
            Self::EndToEnd => {
                println!("Installing the packages of tests/e2e …");
                run(npm()?.current_dir(root().join("tests/e2e")).args([
                    "ci",
                    "--ignore-scripts",
                    "--no-progress",
                ]))
            }
        }
    }
}

/// Installs those of `tools` that are not there.
///
/// # Errors
/// When one cannot be installed; the sentence says what to run by hand.
pub fn provide(tools: &[Tool]) -> Result {
    for tool in tools {
        if !tool.is_there()? {
            let start = Instant::now();
            tool.install()?;
            if !tool.is_there()? {
                return Err(format!("{tool:?} was installed but is not found afterwards"));
            }
            println!("… done in {} s\n", start.elapsed().as_secs());
        }
    }
    Ok(())
}

/// The version of a package in `Cargo.lock`.
fn locked_version(package: &str) -> Result<String> {
    let lock =
        fs::read_to_string(root().join("Cargo.lock")).map_err(|error| format!("Cargo.lock: {error}"))?;
    let after = lock.split_once(&format!("name = \"{package}\"\nversion = \"")).map(|(_, after)| after);
    let version = after.and_then(|after| after.split_once('"')).map(|(version, _)| version);
    version.map(str::to_owned).ok_or_else(|| format!("Cargo.lock has no package `{package}`"))
}

/// Whether a program is found whose `--version` names this version as a word.
fn has_version(name: &str, version: &str) -> bool {
    let Some(path) = find(name) else { return false };
    read(program(path).arg("--version")).is_ok_and(|text| text.split_whitespace().any(|word| word == version))
}

fn add_wasm_target() -> Result {
    if find("rustup").is_none() {
        return Err(
            "the Rust standard library for wasm32-unknown-unknown is missing, and there is no rustup to add \
                    it; install it the way this machine's Rust was installed"
                .to_owned(),
        );
    }
    println!("Adding the wasm32-unknown-unknown target …");
    run(program("rustup").args(["target", "add", "wasm32-unknown-unknown"]))
}

/// Builds a tool from its source, for speed of set-up: with little optimisation and no debug information.
/// Where `cargo binstall` is present it downloads the tool instead.
fn build(package: &str, version: &str, arguments: &[&str], why: &str) -> Result {
    let folder = root().join("target/tools");
    let exact = format!("{package}@{version}");
    if find("cargo-binstall").is_some() {
        println!("Fetching {package} {version} ({why}) …");
        let fetched = run(cargo()
            .args(["binstall", "--no-confirm", "--locked", "--disable-strategies", "compile", "--root"])
            .arg(&folder)
            .arg(&exact));
        match fetched {
            Ok(()) => return Ok(()),
            Err(error) => println!("{error}; building it instead"),
        }
    }
    println!("Building {package} {version} ({why}). From source this takes a few minutes, once …");
    // Its own target folder, so that an interrupted build goes on where it was.
    let building = folder.join("build");
    run(cargo()
        .args(["install", "--locked", "--debug", "--root"])
        .arg(&folder)
        .arg("--target-dir")
        .arg(&building)
        .arg(&exact)
        .args(arguments)
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0"))?;
    fs::remove_dir_all(&building).map_err(|error| format!("{}: {error}", building.display()))
}

fn npm() -> Result<std::process::Command> {
    let path =
        find("npm").ok_or("npm is missing; install Node.js 20 or newer with npm, then run this again")?;
    Ok(program(path))
}

fn install_wasm_opt() -> Result {
    println!("Installing wasm-opt (npm's binaryen {BINARYEN}) for release builds …");
    let folder = root().join("target/tools");
    run(npm()?
        .args(["install", "--global", "--ignore-scripts", "--no-progress", "--prefix"])
        .arg(folder)
        .arg(format!("binaryen@{BINARYEN}")))
}

/// Where the browser is: `$CHROMIUM`, or a Chromium or Chrome where systems put it.
pub fn chromium() -> Option<PathBuf> {
    let in_path = || ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(find);
    let on_a_mac = PathBuf::from("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
    chosen("CHROMIUM").or_else(in_path).or_else(|| on_a_mac.is_file().then_some(on_a_mac))
}

/// Where the browser's driver is: `$CHROMEDRIVER`, or the one in `PATH`.
pub fn chromedriver() -> Option<PathBuf> {
    chosen("CHROMEDRIVER").or_else(|| find("chromedriver"))
}

fn chosen(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}

/// Only Linux asks `fc-list`; other systems bring such fonts.
fn has_chinese_fonts() -> bool {
    !cfg!(target_os = "linux")
        || read(program("fc-list").arg(":lang=zh-cn")).is_ok_and(|list| !list.is_empty())
}

/// By Debian's names.
fn missing_packages() -> Vec<&'static str> {
    let mut missing = Vec::new();
    if chromium().is_none() {
        missing.push("chromium");
    }
    if chromedriver().is_none() {
        missing.push("chromium-driver");
    }
    if !has_chinese_fonts() {
        missing.extend(["fontconfig", "fonts-noto-cjk"]);
    }
    missing
}

/// How systems other than Debian bring browser, driver and fonts.
const OTHER_SYSTEMS: [(&str, &str); 3] = [
    ("dnf", "sudo dnf install chromium chromedriver google-noto-sans-cjk-fonts"),
    ("pacman", "sudo pacman -S chromium noto-fonts-cjk"),
    ("brew", "brew install --cask google-chrome chromedriver"),
];

/// Installs Debian's packages, or says what to run. `need` begins the sentence that does, and `otherwise` is another
/// way out.
fn install_packages(packages: &[&str], need: &str, otherwise: &str) -> Result {
    let by_hand = |line: &str| Err(format!("{need}: {line}{otherwise}, then run this again"));
    let line = format!("apt-get install {}", packages.join(" "));
    if find("apt-get").is_none() {
        let other = OTHER_SYSTEMS.iter().find(|(installer, _)| find(installer).is_some());
        return match other {
            Some((_, line)) if packages.contains(&"chromium") => by_hand(&format!("run `{line}`")),
            _ => by_hand(&format!("install what Debian calls {}", packages.join(", "))),
        };
    }
    if read(program("id").arg("-u"))? != "0" {
        return by_hand(&format!("run `sudo {line}`"));
    }
    println!("Installing {} from Debian's packages …", packages.join(", "));
    run(program("apt-get").args(["update", "-qq"]))?;
    run(program("apt-get")
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(["install", "-y", "-qq", "--no-install-recommends"])
        .args(packages))
}

/// What names the peers' exact versions; a copy beside what is installed says what that is of.
const PEERS: [&str; 2] = ["requirements.txt", "package-lock.json"];

fn peers_are_of(file: &str) -> bool {
    let wanted = fs::read(root().join("tests/interop").join(file));
    let installed = fs::read(interop::folder().join(file));
    matches!((wanted, installed), (Ok(wanted), Ok(installed)) if wanted == installed)
}

fn install_peers() -> Result {
    println!("Installing the programs that the codecs are tested against …");
    let python =
        find("python3").ok_or("python3 is missing; install Python 3.11 or newer, then run this again")?;
    if read(program(&python).args(["-c", "import ensurepip"])).is_err() {
        install_packages(&["python3-venv"], "the peers need Python's venv", "")?;
    }
    let folder = interop::folder();
    run(program(&python).args(["-m", "venv", "--clear"]).arg(folder.join("python")))?;
    let sources = root().join("tests/interop");
    run(program(interop::python("pip"))
        .args(["install", "--quiet", "--disable-pip-version-check", "--requirement"])
        .arg(sources.join("requirements.txt")))?;
    let copy = |file: &str| {
        fs::copy(sources.join(file), folder.join(file)).map_err(|error| format!("{file}: {error}"))
    };
    copy("package.json")?;
    copy("package-lock.json")?;
    run(npm()?.current_dir(&folder).args(["ci", "--ignore-scripts", "--no-progress"]))?;
    // Last, so that an interrupted installation is none.
    copy("requirements.txt").map(drop)
}

/// Builds the praxis-server that the journeys start, with the features of the native tests, which have built it already.
///
/// # Errors
/// When it does not compile.
pub fn build_server() -> Result {
    let features = ["--workspace", "--features", "praxis/schema-worker,praxis/server"];
    run(cargo().arg("build").args(features).args(["--bin", "praxis-server"]))
}

/// Playwright, as the end-to-end tests have it, told where the browser is.
pub fn playwright() -> std::process::Command {
    let folder = root().join("tests/e2e");
    let mut command = program(folder.join("node_modules/.bin/playwright"));
    command.arg("test").current_dir(folder);
    if let Some(chromium) = chromium() {
        command.env("CHROMIUM", chromium);
    }
    command
}

/// npm writes down what it installed; that must be what the lock file names.
fn end_to_end_is_installed() -> bool {
    let modified =
        |path: &str| fs::metadata(root().join("tests/e2e").join(path)).and_then(|file| file.modified());
    match (modified("package-lock.json"), modified("node_modules/.package-lock.json")) {
        (Ok(locked), Ok(installed)) => installed >= locked,
        _ => false,
    }
}
