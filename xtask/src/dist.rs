//! `dist`: the release build in `dist/`, precompressed, with what each part of it weighs.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use crate::{
    serve::trunk,
    shell::{Result, program, read, root, run},
    tools::{self, Tool},
};

/// The most that a first lesson page may load of wasm, JavaScript and CSS before the lesson can be watched, in bytes after
/// brotli. It goes down with the page, and never up.
const PAGE_LIMIT: u64 = 260_000;

/// The most that the agent beside it may weigh, which is the kit, the same for every page. It follows the kit's weight
/// down, and goes up only for what the kit newly does.
const KIT_LIMIT: u64 = 314_000;

/// The most that the page's tools may weigh, which come with the agent.
const TOOLS_LIMIT: u64 = 101_500;

/// What a file weighs, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// As it is.
    pub plain: u64,
    /// After brotli, as browsers get it.
    pub brotli: u64,
}

/// What comes together when a page is opened.
struct Load {
    what: &'static str,
    /// What marks its files in the list.
    mark: char,
    limit: u64,
    files: BTreeSet<String>,
}

/// Builds `dist/` anew and says what its parts weigh.
///
/// # Errors
/// When the build fails, or its result is not what may be shipped: too heavy, say.
pub fn dist() -> Result {
    tools::provide(&[Tool::WasmTarget, Tool::Trunk, Tool::WasmBindgen, Tool::WasmOpt])?;
    let folder = root().join("dist");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    run(trunk("build")
        .args(["--release", "--cargo-profile", "page", "--dist", "dist"])
        .env("CARGO_ENCODED_RUSTFLAGS", without_own_paths()))?;
    has_no_inline_script(&contents(&folder.join("index.html"))?)?;
    has_no_code_of_the_page(&contents(&folder.join("schema-worker.js"))?)?;
    has_no_lesson_player(&bytes(&folder.join("kit_bg.wasm"))?)?;

    println!("Compressing …");
    let compress = root().join("xtask/src/compress.mjs");
    let sizes = sizes(&read(program("node").arg(compress).arg(&folder))?)?;
    let mut page = Load { what: "the lesson page", mark: '*', limit: PAGE_LIMIT, files: BTreeSet::new() };
    page.files = code_from("index.html", &folder, &sizes)?;
    let mut kit = Load { what: "the agent beside it", mark: '+', limit: KIT_LIMIT, files: BTreeSet::new() };
    kit.files = code_from("praxis-kit.js", &folder, &sizes)?;
    kit.files.insert("praxis-kit.js".to_owned());
    let mut tools =
        Load { what: "the page's tools beside it", mark: '-', limit: TOOLS_LIMIT, files: BTreeSet::new() };
    tools.files.extend(["page-tools.js", "page-tools_bg.wasm"].map(str::to_owned));
    let loads = [page, kit, tools];
    print(&sizes, &loads);
    let errors: Vec<_> = loads.iter().filter_map(|load| load.within_limit(&sizes).err()).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors.join("; ")) }
}

impl Load {
    fn total(&self, sizes: &BTreeMap<String, Size>) -> Size {
        let weights = self.files.iter().filter_map(|name| sizes.get(name));
        weights.fold(Size::default(), |total, size| Size {
            plain: total.plain + size.plain,
            brotli: total.brotli + size.brotli,
        })
    }

    fn within_limit(&self, sizes: &BTreeMap<String, Size>) -> Result {
        let Self { what, limit, .. } = self;
        let weight = self.total(sizes).brotli;
        if weight <= *limit {
            return Ok(());
        }
        Err(format!("{what} loads {weight} bytes after brotli; the limit is {limit}"))
    }
}

/// Keeps where this machine has the crates' sources out of what panics say.
fn without_own_paths() -> OsString {
    let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = || env::home_dir().unwrap_or_default().join(".cargo");
    let mut flag = OsString::from("--remap-path-prefix=");
    flag.push(cargo_home.unwrap_or_else(home).join("registry/src"));
    flag.push("=crates");
    flag
}

/// The content security policy forbids inline script, which trunk's `serve` adds.
fn has_no_inline_script(page: &str) -> Result {
    let mut tags = page.split("<script").skip(1).filter_map(|script| script.split('>').next());
    match tags.find(|tag| !tag.contains("src=")) {
        Some(tag) => {
            Err(format!("index.html holds an inline script, which the policy forbids: `<script{tag}>`"))
        }
        None => Ok(()),
    }
}

/// What wasm-bindgen exports of the page it writes down as classes; the worker has none of its own.
fn has_no_code_of_the_page(worker: &str) -> Result {
    match worker.lines().find(|line| line.starts_with("class ") || line.starts_with("export class ")) {
        Some(line) => Err(format!("schema-worker.js links code of the page: `{line}`")),
        None => Ok(()),
    }
}

/// The player finds its video by an id that nothing but the player names.
fn has_no_lesson_player(kit: &[u8]) -> Result {
    let id = b"lesson-video";
    if kit.windows(id.len()).any(|bytes| bytes == id) {
        return Err("kit_bg.wasm links code of the lesson player".to_owned());
    }
    Ok(())
}

fn bytes(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn contents(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads lines of name, size and brotli size.
fn sizes(lines: &str) -> Result<BTreeMap<String, Size>> {
    let line = |line: &str| {
        let mut words = line.split('\t');
        let name = words.next()?.replace('\\', "/");
        Some((name, Size { plain: words.next()?.parse().ok()?, brotli: words.next()?.parse().ok()? }))
    };
    lines
        .lines()
        .map(|text| line(text).ok_or_else(|| format!("cannot read the sizes from `{text}`")))
        .collect()
}

/// The scripts, wasm and styles that a file names, and what those scripts import in turn.
fn code_from(name: &str, folder: &Path, sizes: &BTreeMap<String, Size>) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![name.to_owned()];
    while let Some(name) = waiting.pop() {
        let text = contents(&folder.join(&name))?;
        let base = Path::new(&name).parent().unwrap_or(Path::new(""));
        for reference in quoted(&text) {
            let Some(target) = resolve(base, reference) else { continue };
            if sizes.contains_key(&target) && found.insert(target.clone()) && target.ends_with(".js") {
                waiting.push(target);
            }
        }
    }
    Ok(found)
}

/// The texts between quotes that name scripts, wasm or styles by a path.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    let names_code = |text: &&str| {
        text.starts_with(['/', '.'])
            && [".js", ".wasm", ".css"].iter().any(|extension| text.ends_with(extension))
    };
    text.split(['"', '\'', '\n']).filter(names_code)
}

/// A reference as a path within the folder.
fn resolve(base: &Path, reference: &str) -> Option<String> {
    if let Some(absolute) = reference.strip_prefix('/') {
        return Some(absolute.to_owned());
    }
    let mut path: Vec<&str> = base.to_str()?.split('/').filter(|part| !part.is_empty()).collect();
    for part in reference.split('/') {
        match part {
            "." => {}
            ".." => drop(path.pop()?),
            name => path.push(name),
        }
    }
    Some(path.join("/"))
}

fn print(sizes: &BTreeMap<String, Size>, loads: &[Load]) {
    println!("\n{:>12} {:>12}", "plain", "brotli");
    for (name, size) in sizes {
        let mark = loads.iter().find(|load| load.files.contains(name)).map_or(' ', |load| load.mark);
        println!("{:>12} {:>12} {mark} {name}", size.plain, size.brotli);
    }
    for load in loads {
        let (total, Load { what, mark, limit, .. }) = (load.total(sizes), load);
        println!("{:>12} {:>12} {mark} {what}, of {limit} bytes at most", total.plain, total.brotli);
    }
    println!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_is_resolved_from_its_script() {
        assert_eq!(resolve(Path::new(""), "./a/b.js").as_deref(), Some("a/b.js"));
        assert_eq!(resolve(Path::new("a/b"), "../c.js").as_deref(), Some("a/c.js"));
        assert_eq!(resolve(Path::new("a"), "/c.js").as_deref(), Some("c.js"));
        assert_eq!(resolve(Path::new(""), "../outside.js"), None);
    }

    #[test]
    fn only_quoted_paths_of_code_are_references() {
        let text =
            "<script src=\"/boot.js\" data-wasm='/a_bg.wasm'>\nimport './b.js'; \"x.png\" \"js\" 'name.js'";
        assert_eq!(quoted(text).collect::<Vec<_>>(), ["/boot.js", "/a_bg.wasm", "./b.js"]);
    }

    #[test]
    fn an_inline_script_is_refused() {
        assert_eq!(has_no_inline_script(r#"<script type="module" src="/boot.js"></script>"#), Ok(()));
        let reload = r#"<script src="/boot.js"></script><script>"use strict";(function () {"#;
        assert!(has_no_inline_script(reload).is_err());
    }

    #[test]
    fn a_worker_with_code_of_the_page_is_refused() {
        assert_eq!(
            has_no_code_of_the_page("// user defined class or Object\nexport function f() {}"),
            Ok(())
        );
        let error = has_no_code_of_the_page("let a;\nexport class AgentHandle {").unwrap_err();
        assert!(error.contains("AgentHandle"), "{error}");
    }

    #[test]
    fn a_kit_with_the_lesson_player_is_refused() {
        assert_eq!(has_no_lesson_player(b"\0asm praxis-agent"), Ok(()));
        assert!(has_no_lesson_player(b"\0asm #lesson-video").is_err());
    }

    #[test]
    fn a_load_over_its_limit_is_an_error_that_names_both() {
        let sizes = |brotli| BTreeMap::from([("a.js".to_owned(), Size { plain: 0, brotli })]);
        let load = Load { what: "the page", mark: '*', limit: 7, files: ["a.js".to_owned()].into() };
        assert_eq!(load.within_limit(&sizes(7)), Ok(()));
        let error = load.within_limit(&sizes(8)).unwrap_err();
        assert!(error.contains("8 bytes") && error.contains("limit is 7"), "{error}");
    }

    #[test]
    fn sizes_are_read_by_name_and_a_bad_line_is_named() {
        let read = sizes("a.js\t12\t3\nb/c.wasm\t40\t5").unwrap();
        assert_eq!(read["b/c.wasm"], Size { plain: 40, brotli: 5 });
        assert!(sizes("a.js\tmany\t3").unwrap_err().contains("many"));
    }
}
