//! `dist`: the release build in `dist/`, precompressed, with what each part of it weighs.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use crate::{
    serve::trunk,
    shell::{Result, program, read, root, run},
    tools::{self, Tool},
};

/// What the first lesson page should load of wasm, JavaScript and CSS before it is usable, in bytes after brotli.
pub const GOAL: u64 = 260_000;

/// The most that it may load. The page is not at its goal yet: this follows its weight down, and never goes up.
pub const LIMIT: u64 = 460_000;

/// What a file weighs, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// As it is.
    pub plain: u64,
    /// After brotli, as browsers get it.
    pub brotli: u64,
}

/// Builds `dist/` anew, says what its parts weigh, and gives back the weight of the first lesson page.
///
/// # Errors
/// When the build fails or its result is not what may be shipped.
pub fn dist() -> Result<Size> {
    tools::provide(&[Tool::WasmTarget, Tool::Trunk, Tool::WasmBindgen, Tool::WasmOpt])?;
    let folder = root().join("dist");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    run(trunk("build").args(["--release", "--dist", "dist"]))?;
    has_no_inline_script(&contents(&folder.join("index.html"))?)?;
    has_no_code_of_the_page(&contents(&folder.join("schema-worker.js"))?)?;

    println!("Compressing …");
    let compress = root().join("xtask/src/compress.mjs");
    let sizes = sizes(&read(program("node").arg(compress).arg(&folder))?)?;
    let first = first_page(&folder, &sizes)?;
    let total = first.iter().fold(Size::default(), |total, name| Size {
        plain: total.plain + sizes[name].plain,
        brotli: total.brotli + sizes[name].brotli,
    });
    print(&sizes, &first, total);
    Ok(total)
}

/// Whether a page weighs too much; says by how much it misses its goal.
///
/// # Errors
/// When it is over the limit.
pub fn within_limit(first_page: Size) -> Result {
    if first_page.brotli <= LIMIT {
        if first_page.brotli > GOAL {
            println!("the first lesson page is {} bytes over its goal of {GOAL}", first_page.brotli - GOAL);
        }
        return Ok(());
    }
    Err(format!("the first lesson page loads {} bytes after brotli; the limit is {LIMIT}", first_page.brotli))
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

/// The scripts, wasm and styles that the page names, and what those scripts import in turn.
fn first_page(folder: &Path, sizes: &BTreeMap<String, Size>) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let mut waiting = vec!["index.html".to_owned()];
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

fn print(sizes: &BTreeMap<String, Size>, first: &BTreeSet<String>, total: Size) {
    println!("\n{:>12} {:>12}", "plain", "brotli");
    for (name, size) in sizes {
        let mark = if first.contains(name) { "*" } else { " " };
        println!("{:>12} {:>12} {mark} {name}", size.plain, size.brotli);
    }
    println!("{:>12} {:>12} * the first lesson page, of {LIMIT} bytes at most\n", total.plain, total.brotli);
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
    fn a_page_over_the_limit_is_an_error_that_names_both() {
        assert_eq!(within_limit(Size { plain: 0, brotli: LIMIT }), Ok(()));
        let error = within_limit(Size { plain: 0, brotli: LIMIT + 1 }).unwrap_err();
        assert!(error.contains(&(LIMIT + 1).to_string()) && error.contains(&LIMIT.to_string()), "{error}");
    }

    #[test]
    fn sizes_are_read_by_name_and_a_bad_line_is_named() {
        let read = sizes("a.js\t12\t3\nb/c.wasm\t40\t5").unwrap();
        assert_eq!(read["b/c.wasm"], Size { plain: 40, brotli: 5 });
        assert!(sizes("a.js\tmany\t3").unwrap_err().contains("many"));
    }
}
