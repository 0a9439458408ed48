//! Markup on the page, and what a test does with it.

use js_sys::Function;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::HtmlElement;

/// Markup on the page, until it is dropped.
pub struct Fixture(HtmlElement);

impl Fixture {
    pub fn new(markup: &str) -> Self {
        let document = gloo::utils::document();
        let root: HtmlElement = document.create_element("div").unwrap().unchecked_into();
        root.set_inner_html(markup);
        // Before what the test runner shows.
        document.body().unwrap().prepend_with_node_1(&root).unwrap();
        Self(root)
    }

    /// Runs JavaScript with `root` and gives back what it returns.
    pub fn run(&self, script: &str) -> JsValue {
        Function::new_with_args("root", script).call1(&JsValue::UNDEFINED, &self.0).unwrap()
    }

    /// The text of what JavaScript returns.
    pub fn text(&self, script: &str) -> String {
        let value = self.run(&["return String(", script, ")"].concat());
        value.as_string().unwrap()
    }

    /// The `value` of what a selector finds.
    pub fn value(&self, selector: &str) -> String {
        self.text(&format!("root.querySelector({selector:?}).value"))
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        self.0.remove();
    }
}
