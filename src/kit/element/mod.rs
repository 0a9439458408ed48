//! `<praxis-agent>`: what a page sees of the kit, and nothing but that: properties, methods, events.
//!
//! The class itself lies beside this file (`praxis-agent.js`), because a custom element's class can only be
//! written in JavaScript; it forwards to an `Agent`, one for each element. What goes on in a session is
//! the business of [`page`], which outlives elements. **No borrow is held while events go
//! out or the page's code is called**: a listener may call any method back, or remove the element.

mod agent;
mod event;
mod handle;
mod handler;
mod history;
mod root;

use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

use super::backend::Backend;
use super::options::Options;
use super::page;
use super::panel::STYLES;

/// The element's name.
pub const TAG: &str = "praxis-agent";

#[wasm_bindgen(module = "/src/kit/element/praxis-agent.js")]
extern "C" {
    fn define(tag: &str, styles: &str, create: &JsValue) -> bool;

    /// A string as it is, the JSON text of any other value; throws where there is none.
    #[wasm_bindgen(catch)]
    fn serialise(value: &JsValue) -> Result<String, JsValue>;

    /// The text of something thrown; never empty.
    #[wasm_bindgen(js_name = errorText)]
    fn error_text(error: &JsValue) -> String;

    fn stop(message: &str);

    /// See [`handler::run`].
    #[wasm_bindgen(js_name = runHandler)]
    fn run_handler(
        element: &HtmlElement,
        id: &str,
        name: &str,
        input: &str,
        signal: &web_sys::AbortSignal,
    ) -> Option<js_sys::Promise>;
}

/// Defines `<praxis-agent>` on this page, and says whether it did: an element of that name that is
/// already defined stays.
///
/// `backends` makes what speaks to an agent service, once for each address; an error is for the page's
/// author (`api.protocol: …`) and makes `setOptions` throw it.
pub fn define_element(backends: impl Fn(&Options) -> Result<Rc<dyn Backend>, String> + 'static) -> bool {
    page::bring_backends(Rc::new(backends));
    let create = Closure::<dyn Fn(HtmlElement) -> JsValue>::new(|element: HtmlElement| {
        JsValue::from(handle::AgentHandle::new(&element))
    });
    define(TAG, STYLES, &create.into_js_value())
}

/// From now on a panic, after which nothing of the page's Rust code can go on, is told to JavaScript: each element
/// shows that it has stopped and offers to reload.
pub fn tell_of_panics() {
    std::panic::set_hook(Box::new(|panic| stop(&panic.to_string())));
}
