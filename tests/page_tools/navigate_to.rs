//! `navigate_to` with a router (E2, area D).

use std::cell::Cell;
use std::rc::Rc;

use gloo::timers::future::TimeoutFuture;
use praxis::tools::page::{NavigationPort, PageWords, navigate_to};
use praxis::tools::{InAppPath, ToolResult};
use serde_json::{Value, json};
use wasm_bindgen::JsCast as _;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;
use yew::prelude::*;
use yew_router::prelude::*;

#[derive(Clone, Copy, PartialEq, Routable)]
enum Route {
    #[at("/test-items/:id")]
    Item { id: u32 },
    #[not_found]
    #[at("/test-none")]
    None,
}

/// A router of an app as the tool sees it.
struct Router(Navigator);

impl NavigationPort for Router {
    async fn navigate(&self, path: InAppPath) -> Result<String, String> {
        let route = Route::recognize(path.path()).filter(|route| *route != Route::None);
        self.0.push(&route.ok_or("there is no such page")?);
        TimeoutFuture::new(0).await;
        let location = gloo::utils::window().location();
        Ok([location.pathname(), location.search()].map(Result::unwrap).concat())
    }
}

#[derive(PartialEq, Properties)]
struct ShellProps {
    navigator: Callback<Navigator>,
    renders: Callback<Route>,
}

#[component]
fn Pages(props: &ShellProps) -> Html {
    props.navigator.emit(use_navigator().unwrap());
    let renders = props.renders.clone();
    let shown = move |route: Route| {
        renders.emit(route);
        html! { <h1>{ match route { Route::Item { id } => id, Route::None => 0 } }</h1> }
    };
    html! { <Switch<Route> render={shown} /> }
}

#[component]
fn Shell(props: &ShellProps) -> Html {
    html! { <BrowserRouter><Pages navigator={props.navigator.clone()} renders={props.renders.clone()} /></BrowserRouter> }
}

#[wasm_bindgen_test]
async fn case_d04_case_d05_case_d06_one_navigation_is_one_entry_and_one_page() {
    let window = gloo::utils::window();
    let (history, location) = (window.history().unwrap(), window.location());
    let start = location.href().unwrap();
    history.push_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some("/test-items/1")).unwrap();
    let document = gloo::utils::document();
    let root: HtmlElement = document.create_element("div").unwrap().unchecked_into();
    document.body().unwrap().append_child(&root).unwrap();
    let (given, count) = (Rc::new(Cell::new(None)), Rc::new(Cell::new(0)));
    let props = ShellProps {
        navigator: Callback::from({
            let given = given.clone();
            move |navigator| given.set(Some(navigator))
        }),
        renders: Callback::from({
            let count = count.clone();
            move |_| count.set(count.get() + 1)
        }),
    };
    let app = yew::Renderer::<Shell>::with_root_and_props(root.clone().into(), props).render();
    yew::scheduler::flush().await;
    let shown = || root.text_content().unwrap();
    assert_eq!(shown(), "1");
    let router = Router(given.take().unwrap());
    let (entries, renders) = (history.length().unwrap(), count.get());
    let go = async |input: Value| navigate_to(&input, &router, &PageWords::EN).await;

    // What the router drops is not said to be open.
    let result = go(json!({"path": "/test-items/:id", "params": {"id": 2, "page": 7}})).await;
    assert_eq!(result, ToolResult::done(json!({"path": "/test-items/2"}), "Opened /test-items/2"));
    // The view and the address agree.
    assert_eq!((shown().as_str(), location.pathname().unwrap().as_str()), ("2", "/test-items/2"));
    assert_eq!((history.length().unwrap(), count.get()), (entries + 1, renders + 1));
    // What was asked for is in the address and nothing of it in the history's state.
    // The router keeps an id and a kind of its own there.
    let state = js_sys::Reflect::own_keys(&history.state().unwrap()).unwrap();
    assert_eq!(state.join(","), "id,kind");

    for path in [
        "/nowhere",
        "//evil.test/test-items/3",
        "/test-items/../test-items/3",
        "https://evil.test",
        "/test-items/:x",
    ] {
        let result = go(json!({"path": path})).await;
        assert!(!result.success, "{path}");
        assert_eq!(result.summary, "The page was not opened");
    }
    assert_eq!((shown().as_str(), history.length().unwrap()), ("2", entries + 1));

    history.back().unwrap();
    for _ in 0..100 {
        if shown() == "1" {
            break;
        }
        TimeoutFuture::new(10).await;
    }
    assert_eq!((shown().as_str(), location.pathname().unwrap().as_str()), ("1", "/test-items/1"));
    app.destroy();
    root.remove();
    history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&start)).unwrap();
}
