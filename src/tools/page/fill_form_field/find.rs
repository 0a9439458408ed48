//! Where the fields of a form are: by `name`, else by `data-field`, in the document and in open shadow roots.

use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Element, Node};

use super::element::{is_hidden_input, is_native};
use crate::tools::page::dom::{
    all, attribute, by_id, document, first_in_page, is_around, is_rendered, label_text, local_name, property,
    root_of, shadow_roots,
};

const CONTROLS: &str = "input,select,textarea,button,[contenteditable]";
/// More names would not help whoever corrects a call.
const MOST_NAMES: usize = 30;

/// A form, or the whole page where it has none.
#[derive(Clone)]
pub(super) struct Form {
    element: Option<Element>,
    /// What page of the application it was found on.
    page: String,
    /// The document or shadow root that it is in.
    root: Node,
}

impl Form {
    /// The form with an id, or the first one that is seen.
    ///
    /// # Errors
    /// When no element has the id.
    pub(super) fn find(id: Option<&str>) -> Result<Self, String> {
        let Some(document) = document() else { return Err("there is no page".to_owned()) };
        let element = match id {
            Some(id) => {
                let found = by_id(id);
                Some(found.ok_or_else(|| ["there is no form with the id `", id, "` on the page"].concat())?)
            }
            None => first_in_page(|root| {
                let forms = all(root, "form");
                forms.iter().find(|form| is_rendered(form)).or(forms.first()).cloned()
            }),
        };
        let root = element.as_ref().map_or_else(|| document.into(), root_of);
        let page = web_sys::window().and_then(|window| window.location().pathname().ok());
        Ok(Self { element, page: page.unwrap_or_default(), root })
    }

    /// Whether this is the form that another one was: fields may have been rendered anew in it.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.element == other.element && (self.element.is_some() || self.page == other.page)
    }

    /// The elements that make up the field `name`: several for a group of radio buttons or checkboxes.
    pub(super) fn field(&self, name: &str) -> Vec<Element> {
        let mut found = named(self.elements(), name);
        if found.is_empty() {
            found = named(self.elements_in_shadow(), name);
        }
        // Pages put a hidden field of the same name beside a checkbox.
        if found.iter().any(|element| !is_hidden_input(element)) {
            found.retain(|element| !is_hidden_input(element));
        }
        found
    }

    /// What people call the field `name`, where it is one control with one label.
    pub(super) fn label(&self, name: &str) -> Option<String> {
        let [control] = <[Element; 1]>::try_from(self.field(name)).ok()?;
        let label = property(&property(&control, "labels"), "0").dyn_into::<Element>().ok();
        let text = label.map(|label| label_text(&label)).or_else(|| control.get_attribute("aria-label"))?;
        Some(text).filter(|text| !text.is_empty())
    }

    /// Why there is no field `name`, with those that there are.
    pub(super) fn no_field(&self) -> String {
        let mut names: Vec<String> = Vec::new();
        for element in self.elements().into_iter().chain(self.elements_in_shadow()) {
            let name = own_names(&element).into_iter().flatten().next();
            let Some(name) = name.filter(|_| super::control::can_be_filled(&element)) else { continue };
            if !names.contains(&name) && names.len() < MOST_NAMES {
                names.push(name);
            }
        }
        let place = match &self.element {
            Some(form) => match attribute(form, "id") {
                Some(id) => ["the form `", &id, "`"].concat(),
                None => "the form".to_owned(),
            },
            None => "the page, which has no form,".to_owned(),
        };
        [
            &place,
            " has no such field; it has: ",
            &if names.is_empty() { "none".to_owned() } else { names.join(", ") },
        ]
        .concat()
    }

    /// Its elements that have a name or are controls. A control is the form's wherever it stands, as HTML says: by its
    /// `form` attribute, or because the parser took it so.
    fn elements(&self) -> Vec<Element> {
        let found = all(&self.root, &[CONTROLS, ",[name],[data-field]"].concat());
        let Some(form) = &self.element else { return found };
        let is_form = local_name(form) == "form";
        let value: &JsValue = form.as_ref();
        let is_own = |element: &Element| {
            if is_form && is_native(element) {
                property(element, "form") == *value
            } else {
                is_around(form, element)
            }
        };
        found.into_iter().filter(is_own).collect()
    }

    /// The same within open shadow roots below it: no form reaches into them, so all that is there is meant.
    fn elements_in_shadow(&self) -> Vec<Element> {
        let mut roots = Vec::new();
        shadow_roots(self.element.as_deref().unwrap_or(&self.root), &mut roots);
        roots.iter().flat_map(|root| all(root, &[CONTROLS, ",[name],[data-field]"].concat())).collect()
    }
}

fn own_names(element: &Element) -> [Option<String>; 2] {
    ["name", "data-field"].map(|name| attribute(element, name).filter(|name| !name.is_empty()))
}

/// Those called `name`; of an element around controls, the controls.
fn named(elements: Vec<Element>, name: &str) -> Vec<Element> {
    for at in 0..2 {
        let is_named =
            |element: &&Element| own_names(element).get(at).is_some_and(|own| own.as_deref() == Some(name));
        let found: Vec<Element> = elements.iter().filter(is_named).flat_map(controls_of).collect();
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

fn controls_of(element: &Element) -> Vec<Element> {
    if is_native(element) || element.has_attribute("contenteditable") {
        return vec![element.clone()];
    }
    let mut inside = all(element, CONTROLS);
    if let Some(shadow) = element.shadow_root() {
        inside.extend(all(&shadow, CONTROLS));
    }
    inside
}
