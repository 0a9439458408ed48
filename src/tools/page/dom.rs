//! What the page's tools see of a page: which elements there are, open shadow roots included, whether people see them,
//! and what they say.
//!
//! Elements are told apart by their names, not by their classes: one that came from another frame has other classes.

use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{Document, Element, HtmlElement, Node, NodeList};

// A form gives its controls by their names before its own members, and a document does the same with forms:
// `<input name=contains>` would take the place of a method. So what may be called on these is called as their
// prototypes have it.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Element)]
    type Plain;
    #[wasm_bindgen(method, final, catch, js_class = "Element", js_name = checkVisibility)]
    fn check_visibility(this: &Plain, options: &JsValue) -> Result<bool, JsValue>;
    #[wasm_bindgen(method, final, js_class = "Element", js_name = getAttribute)]
    fn get_attribute(this: &Plain, name: &str) -> Option<String>;
    #[wasm_bindgen(method, final, getter, js_class = "Element", js_name = localName)]
    fn local_name(this: &Plain) -> String;
    #[wasm_bindgen(method, final, getter, js_class = "Node", js_name = nodeType)]
    fn node_type(this: &Plain) -> u16;
    #[wasm_bindgen(method, final, js_class = "Node", js_name = contains)]
    fn has_within(this: &Plain, other: &Node) -> bool;
    #[wasm_bindgen(method, final, js_class = "Node", js_name = getRootNode)]
    fn root_of(this: &Plain) -> Node;
    #[wasm_bindgen(method, final, catch, js_class = "Element", js_name = querySelectorAll)]
    fn all_of_element(this: &Plain, selector: &str) -> Result<NodeList, JsValue>;
    #[wasm_bindgen(method, final, catch, js_class = "Document", js_name = querySelectorAll)]
    fn all_of_document(this: &Plain, selector: &str) -> Result<NodeList, JsValue>;
    #[wasm_bindgen(method, final, catch, js_class = "DocumentFragment", js_name = querySelectorAll)]
    fn all_of_fragment(this: &Plain, selector: &str) -> Result<NodeList, JsValue>;
}

fn plain(node: &Node) -> &Plain {
    node.unchecked_ref()
}

/// An attribute of an element that may be a form.
pub(super) fn attribute(element: &Element, name: &str) -> Option<String> {
    plain(element).get_attribute(name)
}

/// The name of an element that may be a form.
pub(super) fn local_name(element: &Element) -> String {
    plain(element).local_name()
}

/// Whether a form, or what takes the place of one, is around another element.
pub(super) fn is_around(form: &Element, other: &Element) -> bool {
    form != other && plain(form).has_within(other)
}

/// The document or shadow root that an element is in, which may be a form.
pub(super) fn root_of(element: &Element) -> Node {
    plain(element).root_of()
}

/// The page, where there is one: tools of a worker have none.
pub(super) fn document() -> Option<Document> {
    web_sys::window()?.document()
}

/// The elements that a selector finds below `root`, in the document's order, without those in shadow roots.
pub(super) fn all(root: &Node, selector: &str) -> Vec<Element> {
    let root = plain(root);
    let found = match root.node_type() {
        Node::ELEMENT_NODE => root.all_of_element(selector),
        Node::DOCUMENT_NODE => root.all_of_document(selector),
        _ => root.all_of_fragment(selector),
    };
    let Ok(found) = found else { return Vec::new() };
    (0..found.length()).filter_map(|at| found.get(at)).map(JsCast::unchecked_into).collect()
}

/// The open shadow roots below `root`, those within others included.
///
/// An agent's own panel is no part of the page that it acts on.
pub(super) fn shadow_roots(root: &Node, roots: &mut Vec<Node>) {
    for host in all(root, ":not(praxis-agent)") {
        if let Some(shadow) = host.shadow_root() {
            roots.push(shadow.clone().into());
            shadow_roots(&shadow, roots);
        }
    }
}

/// Looks at the document first and into open shadow roots only when nothing was found there.
pub(super) fn first_in_page<T>(find: impl Fn(&Node) -> Option<T>) -> Option<T> {
    let document = document()?;
    find(&document).or_else(|| {
        let mut roots = Vec::new();
        shadow_roots(&document, &mut roots);
        roots.iter().find_map(find)
    })
}

/// Whether people can see an element, as far as styles decide it.
pub(super) fn is_rendered(element: &Element) -> bool {
    thread_local! {
        static OPTIONS: JsValue = {
            let options = Object::new();
            let _ = Reflect::set(&options, &"visibilityProperty".into(), &JsValue::TRUE);
            let _ = Reflect::set(&options, &"checkVisibilityCSS".into(), &JsValue::TRUE);
            options.into()
        };
    }
    match OPTIONS.with(|options| plain(element).check_visibility(options)) {
        Ok(true) => true,
        // An element with `display: contents` has no box; its children have.
        Ok(false) => {
            let style =
                web_sys::window().and_then(|window| window.get_computed_style(element).ok().flatten());
            let display = style.and_then(|style| style.get_property_value("display").ok());
            display.as_deref() == Some("contents")
                && element.parent_element().is_some_and(|it| is_rendered(&it))
        }
        Err(_) => element.get_bounding_client_rect().height() > 0.0,
    }
}

/// What an element says to people, in one line: texts that they see, and what its form controls are set to.
pub(super) fn visible_text(element: &Element) -> String {
    text_of(element, control_text)
}

/// What a label says to people, in one line, whatever the control in it is set to.
pub(super) fn label_text(label: &Element) -> String {
    text_of(label, |_, _| String::new())
}

/// What a control adds to the text around it, by its name.
type ControlText = fn(&str, &Element) -> String;

fn text_of(element: &Element, control_text: ControlText) -> String {
    if element.child_element_count() == 0 {
        return one_line(&element.text_content().unwrap_or_default());
    }
    let mut text = String::new();
    push_children(element, control_text, &mut text);
    one_line(&text)
}

/// Runs of space become one space.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

fn push_children(element: &Node, control_text: ControlText, text: &mut String) {
    let mut next = element.first_child();
    while let Some(node) = next {
        match node.node_type() {
            Node::TEXT_NODE => text.push_str(&node.node_value().unwrap_or_default()),
            Node::ELEMENT_NODE => push_element(node.unchecked_ref(), control_text, text),
            _ => {}
        }
        next = node.next_sibling();
    }
}

fn push_element(element: &Element, control_text: ControlText, text: &mut String) {
    const FLOWS: [&str; 14] =
        ["a", "abbr", "b", "bdi", "code", "em", "i", "label", "mark", "small", "span", "strong", "time", "u"];
    let name = element.local_name();
    if matches!(name.as_str(), "script" | "style" | "template" | "noscript" | "datalist")
        || element.get_attribute("aria-hidden").as_deref() == Some("true")
        || !is_rendered(element)
    {
        return;
    }
    match name.as_str() {
        "br" => text.push(' '),
        "img" => text.push_str(&element.get_attribute("alt").unwrap_or_default()),
        "input" | "select" | "textarea" => text.push_str(&control_text(&name, element)),
        _ if FLOWS.contains(&name.as_str()) => push_children(element, control_text, text),
        _ => {
            text.push(' ');
            push_children(element, control_text, text);
            text.push(' ');
        }
    }
}

/// What a control in a cell is set to; nothing for secrets and buttons.
fn control_text(name: &str, control: &Element) -> String {
    let text = |of: &Element, member: &str| property(of, member).as_string().unwrap_or_default();
    match (name, text(control, "type").as_str()) {
        (_, "hidden" | "password" | "file" | "submit" | "button" | "reset" | "image") => String::new(),
        (_, "checkbox" | "radio") => property(control, "checked").is_truthy().to_string(),
        ("select", _) => {
            let chosen = all(control, "option:checked");
            let labels: Vec<String> = chosen.iter().map(|option| text(option, "label")).collect();
            labels.join(", ")
        }
        _ => text(control, "value"),
    }
}

/// A JavaScript property, `undefined` where there is none.
pub(super) fn property(of: &JsValue, name: &str) -> JsValue {
    Reflect::get(of, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}

/// The element that `name` belongs to when it is written like an id.
pub(super) fn by_id(id: &str) -> Option<Element> {
    first_in_page(|root| {
        all(root, "[id]").into_iter().find(|element| attribute(element, "id").as_deref() == Some(id))
    })
}

/// Gives the focus to an element without moving the page.
pub(super) fn focus(element: &HtmlElement) {
    let options = web_sys::FocusOptions::new();
    options.set_prevent_scroll(true);
    let _ = element.focus_with_options(&options);
}
