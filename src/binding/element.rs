//! The public JavaScript interface of `<praxis-agent>`, whoever implements it.

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlElement;

/// The tag.
pub(super) const TAG: &str = "praxis-agent";

#[wasm_bindgen]
extern "C" {
    /// An element with the tag. No method can be relied on: each call may throw.
    #[wasm_bindgen(extends = HtmlElement, extends = web_sys::Element, extends = web_sys::Node, extends = web_sys::EventTarget, is_type_of = is_praxis_agent)]
    #[derive(Clone, Debug, PartialEq)]
    pub(super) type PraxisAgentElement;

    #[wasm_bindgen(method, catch, js_name = setOptions)]
    pub(super) fn set_options(this: &PraxisAgentElement, options: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch, js_name = setReadable)]
    pub(super) fn set_readable(
        this: &PraxisAgentElement,
        name: &str,
        value: &str,
    ) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch, js_name = removeReadable)]
    pub(super) fn remove_readable(this: &PraxisAgentElement, name: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch, js_name = sendUserMessage)]
    fn send_user_message_js(this: &PraxisAgentElement, text: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch, js_name = setSession)]
    fn set_session_js(this: &PraxisAgentElement, session: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch, js_name = interrupt)]
    fn interrupt_js(this: &PraxisAgentElement) -> Result<JsValue, JsValue>;
}

#[wasm_bindgen]
extern "C" {
    type CustomElementRegistry;

    #[wasm_bindgen(thread_local_v2, js_name = customElements)]
    static CUSTOM_ELEMENTS: CustomElementRegistry;

    #[wasm_bindgen(method)]
    fn get(this: &CustomElementRegistry, tag: &str) -> JsValue;

    #[wasm_bindgen(method, catch, js_name = whenDefined)]
    fn when_defined(this: &CustomElementRegistry, tag: &str) -> Result<Promise, JsValue>;
}

fn is_praxis_agent(value: &JsValue) -> bool {
    value.dyn_ref::<HtmlElement>().is_some_and(|element| element.local_name() == TAG)
}

/// Whether the page has defined `<praxis-agent>`, with this project's kit or another.
#[must_use]
pub fn agent_is_defined() -> bool {
    CUSTOM_ELEMENTS.with(|registry| !registry.get(TAG).is_undefined())
}

/// Resolves when the page has defined the element.
pub(super) async fn defined() {
    if let Ok(promise) = CUSTOM_ELEMENTS.with(|registry| registry.when_defined(TAG)) {
        // It rejects for invalid tags only.
        let _ = JsFuture::from(promise).await;
    }
}

impl PraxisAgentElement {
    /// Sets the property that calls go to; `undefined` takes it away.
    pub(super) fn set_on_client_tool(&self, handler: &JsValue) -> Result<(), JsValue> {
        Reflect::set(self, &JsValue::from_str("onClientTool"), handler).map(drop)
    }

    /// A property; `undefined` where there is none.
    pub(super) fn property(&self, name: &str) -> JsValue {
        Reflect::get(self, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
    }

    /// Whether there is a method of this name.
    pub(super) fn has_method(&self, name: &str) -> bool {
        self.property(name).is_instance_of::<Function>()
    }

    /// Sends a message; the promise resolves when the service has stored it.
    pub(super) fn send_user_message(&self, text: &str) -> Result<Promise, JsValue> {
        self.send_user_message_js(text).map(|value| Promise::resolve(&value))
    }

    /// Opens a session, or begins a new one.
    pub(super) fn set_session(&self, session: Option<&str>) -> Result<Promise, JsValue> {
        let session = session.map_or(JsValue::NULL, JsValue::from_str);
        self.set_session_js(&session).map(|value| Promise::resolve(&value))
    }

    /// Stops the turn that runs.
    pub(super) fn interrupt(&self) -> Result<Promise, JsValue> {
        self.interrupt_js().map(|value| Promise::resolve(&value))
    }
}
