//! A page whose `<praxis-agent>` is not ours, and components mounted on it.
#![allow(dead_code, reason = "each file of tests uses its part")]
#![allow(missing_docs, reason = "each is what its name says")]

use js_sys::{Array, JsString, Promise};
use praxis::binding::PraxisOptions;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlElement;
use yew::html::BaseComponent;
use yew::{AppHandle, Renderer};

#[wasm_bindgen(module = "/tests/foreign/praxis-agent.js")]
extern "C" {
    pub fn define();

    #[wasm_bindgen(js_name = takeOnlyDocumented)]
    pub fn take_only_documented(only: bool);

    pub fn press(target: &HtmlElement, key: &str, ctrl_shift: bool) -> bool;

    type Watching;
    #[wasm_bindgen(variadic)]
    fn watch(types: &[JsValue]) -> Watching;
    #[wasm_bindgen(method)]
    fn take(this: &Watching) -> Array;
    #[wasm_bindgen(method)]
    fn stop(this: &Watching);
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(extends = HtmlElement)]
    #[derive(Clone)]
    pub type ForeignAgent;

    #[wasm_bindgen(method, getter)]
    pub fn options(this: &ForeignAgent) -> JsValue;
    #[wasm_bindgen(method, js_name = takeDone)]
    fn take_done_js(this: &ForeignAgent) -> Array;
    #[wasm_bindgen(method, js_name = snapshot)]
    fn snapshot_js(this: &ForeignAgent) -> Array;
    #[wasm_bindgen(method, js_name = run)]
    fn run_js(this: &ForeignAgent, id: &str, name: &str, input: &str, more: &JsValue) -> Promise;
    #[wasm_bindgen(method, js_name = beginTurn)]
    pub fn begin_turn(this: &ForeignAgent, session: &str);
    #[wasm_bindgen(method, js_name = endTurn)]
    pub fn end_turn(this: &ForeignAgent);
    #[wasm_bindgen(method)]
    pub fn fail(this: &ForeignAgent, message: &str);
    #[wasm_bindgen(method)]
    pub fn emit(this: &ForeignAgent, kind: &str, detail: &JsValue);
}

/// Resolves when the element is defined.
pub async fn when_defined() {
    let registry = js_sys::Reflect::get(&js_sys::global(), &"customElements".into()).unwrap();
    let when: js_sys::Function =
        js_sys::Reflect::get(&registry, &"whenDefined".into()).unwrap().unchecked_into();
    let promise = when.call1(&registry, &"praxis-agent".into()).unwrap();
    JsFuture::from(promise.unchecked_into::<Promise>()).await.unwrap();
}

impl ForeignAgent {
    /// What was done to the element since the last time.
    pub fn take_done(&self) -> Vec<String> {
        strings(&self.take_done_js())
    }

    /// The readables that the next message would carry.
    pub fn snapshot(&self) -> Vec<String> {
        strings(&self.snapshot_js())
    }

    /// Runs a call; `result …` or `error …`.
    pub async fn run(&self, name: &str, input: &str) -> String {
        self.start(name, input, &JsValue::UNDEFINED).await
    }

    /// The same; `more` are further members of the call. The handler has been called when this returns.
    pub fn start(&self, name: &str, input: &str, more: &JsValue) -> impl Future<Output = String> + use<> {
        thread_local!(static CALLS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) });
        let id = format!("sevt_{}", CALLS.replace(CALLS.get() + 1));
        let answer = JsFuture::from(self.run_js(&id, name, input, more));
        async move { answer.await.unwrap().as_string().expect("a claimed id") }
    }
}

/// The events that reach the document, as `type detail`.
pub struct Watch(Watching);

impl Watch {
    pub fn events(kinds: &[&str]) -> Self {
        Self(watch(&kinds.iter().map(|kind| JsValue::from_str(kind)).collect::<Vec<_>>()))
    }

    /// Those since the last time.
    pub fn take(&self) -> Vec<String> {
        strings(&self.0.take())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.stop();
    }
}

fn strings(array: &Array) -> Vec<String> {
    array.iter().map(|value| String::from(value.unchecked_into::<JsString>())).collect()
}

/// Options that the foreign element takes.
pub fn options() -> PraxisOptions {
    PraxisOptions::default()
}

/// A component on the page, until it is dropped.
pub struct Mounted<C: BaseComponent> {
    app: Option<AppHandle<C>>,
    root: HtmlElement,
}

/// Mounts a component beside the test runner's own output.
pub async fn mount<C: BaseComponent>(props: C::Properties) -> Mounted<C> {
    define();
    mount_undefined(props).await
}

/// The same, without defining the element before.
pub async fn mount_undefined<C: BaseComponent>(props: C::Properties) -> Mounted<C> {
    let document = gloo::utils::document();
    let root: HtmlElement = document.create_element("div").unwrap().unchecked_into();
    document.body().unwrap().append_child(&root).unwrap();
    let app = Some(Renderer::<C>::with_root_and_props(root.clone().into(), props).render());
    yew::scheduler::flush().await;
    Mounted { app, root }
}

impl<C: BaseComponent> Mounted<C> {
    /// Renders with other properties.
    pub async fn update(&mut self, props: C::Properties) {
        self.app.as_mut().unwrap().update(props);
        yew::scheduler::flush().await;
    }

    /// The only agent.
    pub fn agent(&self) -> ForeignAgent {
        self.agents().pop().expect("an agent")
    }

    /// All agents, in the order of the document.
    pub fn agents(&self) -> Vec<ForeignAgent> {
        let found = self.root.query_selector_all("praxis-agent").unwrap();
        (0..found.length()).map(|index| found.get(index).unwrap().unchecked_into()).collect()
    }

    pub fn query(&self, selector: &str) -> HtmlElement {
        self.root.query_selector(selector).unwrap().expect(selector).unchecked_into()
    }

    pub fn text(&self, selector: &str) -> String {
        self.query(selector).text_content().unwrap_or_default()
    }

    pub fn has(&self, selector: &str) -> bool {
        self.root.query_selector(selector).unwrap().is_some()
    }

    pub async fn unmount(mut self) {
        self.app.take().unwrap().destroy();
        yew::scheduler::flush().await;
    }
}

impl<C: BaseComponent> Drop for Mounted<C> {
    fn drop(&mut self) {
        if let Some(app) = self.app.take() {
            app.destroy();
        }
        self.root.remove();
    }
}
