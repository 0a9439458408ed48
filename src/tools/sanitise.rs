//! Takes the active parts out of markup in a call's arguments (E13).
//!
//! The browser's own parser says what a text is; no pattern is matched against it. Where it finds nothing that acts,
//! the text stays as it is, byte for byte. Otherwise what acts is removed, the rest is written out, and read again,
//! until nothing is found: writing out and reading can bring back what was hidden.
//!
//! Documents that are not shown run no script and load no image.

use js_sys::Array;
use serde_json::{Map, Value};
use wasm_bindgen::prelude::*;
use web_sys::{Document, DomParser, HtmlTemplateElement, NodeList, SupportedType};

// A form gives its fields by their names, before its own methods: `<input name=remove>` would take `remove` away, and a
// document does the same. So all are called as their prototypes have them.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Element)]
    #[derive(Clone)]
    type Markup;
    #[wasm_bindgen(method, final, getter, js_class = "Element", js_name = localName)]
    fn local_name(this: &Markup) -> String;
    #[wasm_bindgen(method, final, js_class = "Element", js_name = getAttributeNames)]
    fn attribute_names(this: &Markup) -> Array;
    #[wasm_bindgen(method, final, js_class = "Element", js_name = getAttribute)]
    fn attribute(this: &Markup, name: &str) -> Option<String>;
    #[wasm_bindgen(method, final, js_class = "Element", js_name = removeAttribute)]
    fn remove_attribute(this: &Markup, name: &str);
    #[wasm_bindgen(method, final, js_class = "Element")]
    fn remove(this: &Markup);

    #[wasm_bindgen(js_name = Document)]
    type Whole;
    #[wasm_bindgen(method, final, js_class = "Document", js_name = querySelectorAll)]
    fn all_of(this: &Whole, selector: &str) -> NodeList;
}

/// A text that is still not clean after so many rounds is shown as text.
const MOST_ROUNDS: usize = 8;
/// Documents within documents are read so deep; deeper ones are removed.
const MOST_DOCUMENTS: usize = 3;

/// Elements that act by themselves, or that browsers read in another way where scripts run.
const REMOVED: [&str; 12] = [
    "script",
    "base",
    "meta",
    "noscript",
    "noembed",
    "noframes",
    "plaintext",
    "xmp",
    "applet",
    "frame",
    "frameset",
    "portal",
];
/// Attributes that only say something to people, or name something: any text may stand in them.
const TEXTS: [&str; 12] = [
    "title",
    "alt",
    "placeholder",
    "label",
    "summary",
    "value",
    "id",
    "class",
    "name",
    "lang",
    "for",
    "abbr",
];
/// The beginnings of data URLs that run nothing.
const HARMLESS_DATA: [&str; 5] = ["image/", "audio/", "video/", "font/", "text/plain"];

/// What was taken out of a text of the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Where the text stands, as a JSON pointer: `/fields/0/value`.
    pub path: String,
    /// What was removed: `<script>`, `onclick`, `href`; each once.
    pub removed: Vec<String>,
}

/// Takes what acts out of every text in `arguments`, names of members included. What changed is given back; nothing
/// when nothing did.
///
/// # Errors
/// When the browser refuses to parse, as a page's policy (trusted types) can make it: nothing is known about the texts
/// then, and they must not be used.
pub fn sanitise_arguments(arguments: &mut Value) -> Result<Vec<Change>, String> {
    let mut changes = Vec::new();
    sanitise_value(arguments, "", &mut changes)?;
    Ok(changes)
}

fn sanitise_value(value: &mut Value, path: &str, changes: &mut Vec<Change>) -> Result<(), String> {
    match value {
        Value::String(text) => {
            if let Some((clean, removed)) = sanitised(text)? {
                *text = clean;
                changes.push(Change { path: path.to_owned(), removed });
            }
        }
        Value::Array(values) => {
            for (at, value) in values.iter_mut().enumerate() {
                sanitise_value(value, &[path, "/", &at.to_string()].concat(), changes)?;
            }
        }
        Value::Object(members) => {
            let mut clean = Map::new();
            for (name, mut value) in std::mem::take(members) {
                let path = [path, "/", &name.replace('~', "~0").replace('/', "~1")].concat();
                sanitise_value(&mut value, &path, changes)?;
                let name = match sanitised(&name)? {
                    Some((name, removed)) => {
                        changes.push(Change { path, removed });
                        name
                    }
                    None => name,
                };
                clean.insert(name, value);
            }
            *members = clean;
        }
        _ => {}
    }
    Ok(())
}

/// A text without what acts in it; the same text where nothing does.
///
/// # Errors
/// As [`sanitise_arguments`].
pub fn sanitise(text: &str) -> Result<String, String> {
    Ok(sanitised(text)?.map_or_else(|| text.to_owned(), |(clean, _)| clean))
}

fn sanitised(text: &str) -> Result<Option<(String, Vec<String>)>, String> {
    if !text.contains('<') {
        return Ok(None);
    }
    let refused = |_: JsValue| "the page's policy does not let markup be checked".to_owned();
    let cleaner = Cleaner::new().map_err(refused)?;
    let mut removed = Vec::new();
    let mut clean = text.to_owned();
    for _ in 0..MOST_ROUNDS {
        match cleaner.round(&clean, 0, &mut removed).map_err(refused)? {
            Some(next) => clean = next,
            None if removed.is_empty() => return Ok(None),
            None => return Ok(Some((clean, removed))),
        }
    }
    Ok(Some((clean.replace('<', "&lt;"), removed)))
}

/// Documents to parse in.
struct Cleaner {
    parser: DomParser,
    document: Document,
}

impl Cleaner {
    fn new() -> Result<Self, JsValue> {
        let parser = DomParser::new()?;
        let document = parser.parse_from_string("", SupportedType::TextHtml)?;
        Ok(Self { parser, document })
    }

    /// Cleans once: `None` when nothing acts in `text`, however it is read.
    ///
    /// It will most likely be parsed inside a body; but the start of a document and the inside of a template keep
    /// elements (`<body onload>`, `<td onclick>`) that a body drops, so it is looked at as each.
    fn round(&self, text: &str, depth: usize, removed: &mut Vec<String>) -> Result<Option<String>, JsValue> {
        let before = removed.len();
        let body = self.document.create_element("body")?;
        self.parse_in(&body, text)?;
        let mut acts = self.clean(body.query_selector_all("*")?, depth, removed)?;
        if !acts {
            let template: HtmlTemplateElement = self.document.create_element("template")?.unchecked_into();
            self.parse_in(&template, text)?;
            acts = self.clean(template.content().query_selector_all("*")?, depth, removed)?;
        }
        if !acts {
            let whole = self.parser.parse_from_string(text, SupportedType::TextHtml)?;
            let elements = whole.unchecked_ref::<Whole>().all_of("*");
            acts = self.clean(elements, depth, removed)?;
        }
        debug_assert!(acts || removed.len() == before);
        Ok(acts.then(|| body.inner_html()))
    }

    /// Parses as what stands inside `context`.
    fn parse_in(&self, context: &JsValue, text: &str) -> Result<(), JsValue> {
        // Not by `innerHTML =`: where the page's policy refuses, that throws through Rust.
        js_sys::Reflect::set(context, &"innerHTML".into(), &text.into()).map(drop)
    }

    /// Removes what acts below `root`, templates included; whether there was any.
    fn clean(&self, elements: NodeList, depth: usize, removed: &mut Vec<String>) -> Result<bool, JsValue> {
        let mut lists = vec![elements];
        let mut acts = false;
        let mut report = |what: String| {
            acts = true;
            if !removed.contains(&what) {
                removed.push(what);
            }
        };
        while let Some(elements) = lists.pop() {
            for at in 0..elements.length() {
                let Some(element) = elements.get(at).map(JsCast::unchecked_into::<Markup>) else { continue };
                let name = element.local_name().to_ascii_lowercase();
                if REMOVED.contains(&name.as_str()) || animates_what_acts(&element, &name) {
                    element.remove();
                    report(["<", &name, ">"].concat());
                    continue;
                }
                if name == "template" {
                    // Of SVG's elements one may be called so, too, and has no content.
                    if let Some(template) = element.dyn_ref::<HtmlTemplateElement>() {
                        lists.push(template.content().query_selector_all("*")?);
                    }
                }
                for attribute in element.attribute_names().iter().filter_map(|name| name.as_string()) {
                    let value = element.attribute(&attribute).unwrap_or_default();
                    if self.attribute_acts(&attribute.to_ascii_lowercase(), &value, depth)? {
                        element.remove_attribute(&attribute);
                        report(attribute);
                    }
                }
            }
        }
        Ok(acts)
    }

    fn attribute_acts(&self, name: &str, value: &str, depth: usize) -> Result<bool, JsValue> {
        if name.starts_with("on") {
            return Ok(true);
        }
        if name == "srcdoc" {
            let acts = depth >= MOST_DOCUMENTS || self.round(value, depth + 1, &mut Vec::new())?.is_some();
            return Ok(acts);
        }
        if name == "style" {
            let style = folded(value);
            return Ok(["javascript:", "vbscript:", "expression("]
                .iter()
                .any(|script| style.contains(script)));
        }
        let is_text = TEXTS.contains(&name) || name.starts_with("aria-") || name.starts_with("data-");
        Ok(!is_text && is_script_url(value))
    }
}

/// Whether an SVG animation would give an element a handler or an address.
fn animates_what_acts(element: &Markup, name: &str) -> bool {
    let animates = name.starts_with("animate") || name == "set";
    animates
        && element.attribute("attributeName").is_some_and(|attribute| {
            let attribute = folded(&attribute);
            attribute.starts_with("on") || attribute.ends_with("href")
        })
}

/// Whether a browser that follows the address, or one of several addresses in the value, runs something.
fn is_script_url(value: &str) -> bool {
    acts_when_followed(&folded(value))
        || value.split([',', ';', ' ']).any(|part| acts_when_followed(&folded(part)))
}

fn acts_when_followed(address: &str) -> bool {
    if let Some(data) = address.strip_prefix("data:") {
        let kind = data.split([',', ';']).next().unwrap_or_default();
        let harmless = kind.is_empty() || HARMLESS_DATA.iter().any(|harmless| kind.starts_with(harmless));
        return !harmless || kind.contains("svg") || kind.contains("xml");
    }
    ["javascript:", "vbscript:", "livescript:"].iter().any(|scheme| address.starts_with(scheme))
}

/// As URL parsers read it: without tabs and line breaks anywhere, and control characters and spaces in front.
fn folded(value: &str) -> String {
    let start = value.trim_start_matches(|c: char| c <= ' ');
    start.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_e01_script_addresses_are_seen_through_case_space_and_control_characters() {
        for value in [
            "javascript:x",
            "JaVaScRiPt:x",
            " javascript:x",
            "java\tscript:x",
            "java\nscr\ript:x",
            "\u{1}\u{1f}javascript:x",
            "vbscript:x",
            "data:text/html,x",
            "DATA:Text/HTML;base64,x",
            "data:image/svg+xml,x",
            "data:application/xhtml+xml,x",
            "data:text/xml,x",
            "https://a javascript:x",
            "a;javascript:x",
            "data:application/javascript,x",
        ] {
            assert!(is_script_url(value), "{value:?}");
        }
        for value in [
            "https://example.org/?a=javascript:x",
            "/javascript:x",
            "#javascript:",
            "mailto:a@b",
            "data:,x",
            "data:image/png;base64,AAAA",
            "data:text/plain,x",
            "javascript",
            "\u{a0}javascript:x",
            "x:javascript:y",
        ] {
            assert!(!is_script_url(value), "{value:?}");
        }
    }
}
