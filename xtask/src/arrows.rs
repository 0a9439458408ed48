//! `arrows`: which part of the crate may know which, and a check that the sources keep to it.
//!
//! It reads tokens, not types: every path that begins with `crate` or `super` and leaves its part, and every path that
//! begins with one of the named crates.

mod tokens;

use std::{fs, path::Path};

use crate::shell::{Result, root};
use tokens::{Token, tokens};

/// One part of the crate, a folder or file in `src`.
struct Part {
    name: &'static str,
    /// Paths of the crate that it may name, its own aside.
    knows: &'static [&'static str],
    /// Crates that it must not name.
    avoids: &'static [&'static str],
}

const BROWSER: &[&str] =
    &["gloo", "js_sys", "wasm_bindgen", "wasm_bindgen_futures", "web_sys", "yew", "yew_router"];

const PARTS: &[Part] = &[
    Part { name: "protocol", knows: &[], avoids: BROWSER },
    Part { name: "service", knows: &["protocol"], avoids: BROWSER },
    Part { name: "kit", knows: &["protocol"], avoids: &["yew_router"] },
    Part {
        name: "local",
        // Of the page its clock, timers and storage; not its conversations.
        knows: &[
            "protocol",
            "service",
            "kit::backend",
            "kit::http::client",
            "kit::options",
            "kit::page::Alarm",
            "kit::page::Mailbox",
            "kit::page::local_storage",
            "kit::page::now",
            "kit::page::sleep",
        ],
        avoids: &["yew", "yew_router"],
    },
    Part { name: "tools", knows: &["protocol"], avoids: &["yew", "yew_router"] },
    Part { name: "binding", knows: &["protocol", "kit::element", "tools"], avoids: &["yew_router"] },
    Part { name: "server", knows: &["protocol", "service"], avoids: BROWSER },
    Part { name: "app", knows: &["protocol", "service", "kit", "local", "tools", "binding"], avoids: &[] },
];

/// What joins the parts may name them all.
const JOINING: &[&str] = &["lib", "main", "bin", "backends"];

/// Checks every source file.
///
/// # Errors
/// When a part names what it must not know; the message has a line for each place.
pub fn arrows() -> Result {
    let mut files = Vec::new();
    collect(&root().join("src"), &mut files)?;
    files.sort();
    let mut wrong = Vec::new();
    for path in &files {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let path = path.strip_prefix(root()).unwrap_or(path);
        wrong.extend(
            check(path, &text).into_iter().map(|(line, what)| format!("{}:{line}: {what}", path.display())),
        );
    }
    if wrong.is_empty() {
        println!("{} files keep to the arrows", files.len());
        return Ok(());
    }
    Err(format!("parts name what they must not know:\n{}", wrong.join("\n")))
}

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) -> Result {
    let name = |error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(name)? {
        let path = entry.map_err(name)?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// The lines of a file that break a rule, and how. The path begins with `src`.
fn check(path: &Path, text: &str) -> Vec<(usize, String)> {
    let mut module: Vec<String> =
        path.with_extension("").iter().skip(1).map(|part| part.to_string_lossy().into()).collect();
    if module.last().is_some_and(|last| last == "mod") {
        module.pop();
    }
    let name = module.first().cloned().unwrap_or_default();
    if JOINING.contains(&name.as_str()) {
        return Vec::new();
    }
    let Some(part) = PARTS.iter().find(|part| part.name == name) else {
        return vec![(1, format!("`{name}` is no part that the table in xtask/src/arrows.rs knows"))];
    };
    let mut wrong = Vec::new();
    for (line, named) in paths(&tokens(text), module) {
        match named {
            Named::Inside(path) if !part.may_know(&path) => {
                wrong.push((line, format!("`{name}` must not know `{}`", path.join("::"))));
            }
            Named::Crate(outside) if part.avoids.contains(&outside.as_str()) => {
                wrong.push((line, format!("`{name}` must not know the crate `{outside}`")));
            }
            Named::Inside(_) | Named::Crate(_) => {}
        }
    }
    wrong
}

impl Part {
    fn may_know(&self, path: &[String]) -> bool {
        let begins_with = |allowed: &str| {
            allowed
                .split("::")
                .enumerate()
                .all(|(at, segment)| path.get(at).is_some_and(|named| named == segment))
        };
        path.is_empty() || begins_with(self.name) || self.knows.iter().any(|allowed| begins_with(allowed))
    }
}

/// What a path leads to.
enum Named {
    /// Something in this crate, from its root.
    Inside(Vec<String>),
    /// Another crate, or anything else that a path may begin with.
    Crate(String),
}

/// Every path of a file whose module is `module`, with its line.
fn paths(tokens: &[Token], mut module: Vec<String>) -> Vec<(usize, Named)> {
    let mut found = Vec::new();
    let mut braces = Vec::new(); // for each open brace, whether it opened a module
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let mut at = 0;
    while at < tokens.len() {
        let Token { text: word, line } = tokens[at];
        let begins = at == 0 || text(at - 1) != "::";
        match word {
            "{" => {
                let opens_module = at >= 2 && text(at - 2) == "mod";
                if opens_module {
                    module.push(text(at - 1).to_owned());
                }
                braces.push(opens_module);
            }
            "}" if braces.pop() == Some(true) => drop(module.pop()),
            "crate" if begins && text(at + 1) == "::" => {
                tree(tokens, at + 2, &[], &mut found);
            }
            "super" if begins && text(at + 1) == "::" => {
                let mut base = &module[..module.len().saturating_sub(1)];
                at += 2;
                while text(at) == "super" && text(at + 1) == "::" {
                    base = &base[..base.len().saturating_sub(1)];
                    at += 2;
                }
                tree(tokens, at, base, &mut found);
                continue;
            }
            name if begins && text(at + 1) == "::" => found.push((line, Named::Crate(name.to_owned()))),
            _ => {}
        }
        at += 1;
    }
    found
}

/// Reads one tree of a `use`, or the rest of a path, and gives back where it ends.
fn tree(tokens: &[Token], mut at: usize, base: &[String], found: &mut Vec<(usize, Named)>) -> usize {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let line = tokens.get(at).map_or(0, |token| token.line);
    let mut path = base.to_vec();
    loop {
        match text(at) {
            "{" => {
                at += 1;
                while !matches!(text(at), "}" | "") {
                    at = tree(tokens, at, &path, found);
                    while !matches!(text(at), "," | "}" | "") {
                        at += 1; // `as` and its name
                    }
                    if text(at) == "," {
                        at += 1;
                    }
                }
                return at + 1;
            }
            "*" | "self" => break,
            name if name.starts_with(|first: char| first.is_alphabetic() || first == '_') => {
                path.push(name.to_owned())
            }
            _ => break,
        }
        at += 1;
        if text(at) != "::" {
            break;
        }
        at += 1;
    }
    found.push((line, Named::Inside(path)));
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(path: &str, text: &str) -> Vec<String> {
        check(Path::new(path), text).into_iter().map(|(line, what)| format!("{line}: {what}")).collect()
    }

    #[test]
    fn an_arrow_that_points_up_is_caught_with_its_line() {
        assert_eq!(
            wrong("src/protocol/event.rs", "use std::fmt;\n\nuse crate::service::Session;\n"),
            ["3: `protocol` must not know `service::Session`"]
        );
        assert_eq!(
            wrong("src/kit/page.rs", "fn f() { crate::tools::run() }"),
            ["1: `kit` must not know `tools::run`"]
        );
        assert_eq!(wrong("src/binding/mod.rs", "use crate::app;"), ["1: `binding` must not know `app`"]);
    }

    #[test]
    fn an_arrow_that_points_down_is_not() {
        assert!(wrong("src/service/session.rs", "use crate::{protocol::Event, service::api};").is_empty());
        assert!(wrong("src/app/mod.rs", "use crate::{binding, kit, local, protocol, tools};").is_empty());
        assert!(wrong("src/main.rs", "use praxis::app;").is_empty());
        assert!(wrong("src/bin/kit.rs", "use praxis::{kit, local};").is_empty());
    }

    #[test]
    fn each_branch_of_a_use_is_looked_at() {
        let text = "use crate::{\n    kit::{backend::Backend, page as other, page::now},\n    service,\n};";
        assert_eq!(wrong("src/local/driver.rs", text), ["2: `local` must not know `kit::page`"]);
        assert_eq!(
            wrong("src/local/driver.rs", "use crate::kit::{self};"),
            ["1: `local` must not know `kit`"]
        );
        assert_eq!(wrong("src/local/driver.rs", "use crate::kit::*;"), ["1: `local` must not know `kit`"]);
    }

    #[test]
    fn super_is_followed_through_files_and_inline_modules() {
        assert!(wrong("src/kit/panel/view.rs", "use super::super::page;").is_empty());
        let text = "use super::super::super::tools;";
        assert_eq!(wrong("src/kit/panel/view.rs", text), ["1: `kit` must not know `tools`"]);
        let text =
            "mod tests {\n    use super::*;\n    use super::super::super::app::X;\n}\nuse super::page;";
        assert_eq!(wrong("src/kit/view.rs", text), ["3: `kit` must not know `app::X`"]);
        assert_eq!(wrong("src/kit/mod.rs", "use super::local;"), ["1: `kit` must not know `local`"]);
    }

    #[test]
    fn crates_that_a_part_avoids_are_caught() {
        assert_eq!(
            wrong("src/tools/page.rs", "use yew_router::Navigator;\nfn f() { yew::start() }"),
            ["1: `tools` must not know the crate `yew_router`", "2: `tools` must not know the crate `yew`"]
        );
        assert_eq!(
            wrong("src/service/api.rs", "use web_sys::Window;"),
            ["1: `service` must not know the crate `web_sys`"]
        );
        assert!(wrong("src/tools/page.rs", "use crate::tools::yew::X; fn f() { a::yew::b() }").is_empty());
    }

    #[test]
    fn comments_and_texts_are_no_arrows() {
        let text = "//! [`crate::app`]\n/* crate::app /* crate::kit */ */\nconst A: &str = \"crate::app\";\n\
                    const B: &str = r#\"crate::\"app\"#;\nconst C: char = '\"';\nfn f<'a>(a: &'a str) { crate::app::x(a) }";
        assert_eq!(wrong("src/tools/page.rs", text), ["6: `tools` must not know `app::x`"]);
    }

    #[test]
    fn a_part_that_the_table_lacks_is_named() {
        assert_eq!(
            wrong("src/extra.rs", ""),
            ["1: `extra` is no part that the table in xtask/src/arrows.rs knows"]
        );
    }

    #[test]
    fn every_part_knows_only_parts_above_it_in_the_table() {
        for (at, part) in PARTS.iter().enumerate() {
            for known in part.knows {
                let name = known.split("::").next().unwrap();
                assert!(PARTS[..at].iter().any(|before| before.name == name), "{} knows {known}", part.name);
            }
        }
    }
}
