//! The debug panel: what it shows of events, page context and tools, and how it opens (D4).
#![cfg(target_arch = "wasm32")]

mod foreign;

use foreign::{ForeignAgent, Mounted, mount, options, press};
use js_sys::JSON;
use praxis::app::debug::DebugPanel;
use praxis::binding::{PraxisAgent, PraxisProvider, use_praxis_readable, use_praxis_tool};
use serde_json::Value;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use yew::prelude::*;

wasm_bindgen_test_configure!(run_in_browser);

#[derive(Clone, PartialEq, Properties)]
struct PageProps {
    #[prop_or("zh-CN".into())]
    lang: AttrValue,
    #[prop_or_default]
    readables: Vec<(String, String)>,
    #[prop_or_default]
    tools: Vec<&'static str>,
}

fn props() -> PageProps {
    PageProps { lang: "zh-CN".into(), readables: vec![], tools: vec![] }
}

#[derive(PartialEq, Properties)]
struct ReadableProps {
    name: String,
    value: String,
}

#[component]
fn Readable(props: &ReadableProps) -> Html {
    use_praxis_readable(props.name.clone(), &props.value);
    html! { <span hidden=true /> }
}

#[derive(PartialEq, Properties)]
struct ToolProps {
    name: &'static str,
}

#[component]
fn Tool(props: &ToolProps) -> Html {
    use_praxis_tool(props.name, |_: Value, _call| ());
    html! { <span hidden=true /> }
}

#[component]
fn Page(props: &PageProps) -> Html {
    html! {
        <PraxisProvider>
            <button id="before">{ "a button" }</button>
            <PraxisAgent options={options()} />
            <div>
                for (name, value) in &props.readables {
                    <Readable key={name.clone()} name={name.clone()} value={value.clone()} />
                }
            </div>
            <div>
                for (position, name) in props.tools.iter().enumerate() {
                    <Tool key={position} name={*name} />
                }
            </div>
            <DebugPanel lang={props.lang.clone()} />
        </PraxisProvider>
    }
}

async fn toggle() {
    let taken = press(&gloo::utils::body(), "D", true);
    assert!(taken, "the browser's own shortcut must not run");
    yew::scheduler::flush().await;
}

fn focused() -> String {
    gloo::utils::document().active_element().map(|element| element.id()).unwrap_or_default()
}

fn texts(page: &Mounted<Page>, selector: &str) -> Vec<String> {
    let found = page.query(".debug").query_selector_all(selector).unwrap();
    (0..found.length()).map(|index| found.get(index).unwrap().text_content().unwrap_or_default()).collect()
}

async fn click(page: &Mounted<Page>, selector: &str) {
    page.query(selector).click();
    yew::scheduler::flush().await;
}

fn log(agent: &ForeignAgent, json: &str) {
    agent.emit("praxis.log", &JSON::parse(json).unwrap());
}

#[wasm_bindgen_test]
async fn d4_it_is_closed_at_first_and_the_keyboard_opens_and_closes_it() {
    let page = mount::<Page>(props()).await;
    assert!(!page.has(".debug-panel"));
    page.query("#before").focus().unwrap();
    toggle().await;
    assert_eq!((page.text("#debug-title"), focused()), ("调试面板".into(), "debug-title".into()));
    toggle().await;
    assert_eq!((page.has(".debug-panel"), focused()), (false, "before".into()));
    toggle().await;
    press(&page.query("#debug-title"), "Escape", false);
    yew::scheduler::flush().await;
    assert_eq!((page.has(".debug-panel"), focused()), (false, "before".into()));
    toggle().await;
    click(&page, ".debug-close").await;
    assert_eq!((page.has(".debug-panel"), focused()), (false, "before".into()));
}

#[wasm_bindgen_test]
async fn d4_the_address_opens_it_and_leaves_the_focus_alone() {
    let history = gloo::utils::window().history().unwrap();
    let address = gloo::utils::window().location().href().unwrap();
    history.replace_state_with_url(&JsValue::NULL, "", Some("?lesson=3&debug")).unwrap();
    let page = mount::<Page>(PageProps { lang: "en".into(), ..props() }).await;
    history.replace_state_with_url(&JsValue::NULL, "", Some(&address)).unwrap();
    assert_eq!(page.text("#debug-title"), "Debug panel");
    assert_ne!(focused(), "debug-title");
}

#[wasm_bindgen_test]
async fn d4_it_lists_what_happened_also_before_it_was_opened() {
    let page = mount::<Page>(PageProps { tools: vec!["seek_to"], ..props() }).await;
    let agent = page.agent();
    agent.run("seek_to", "{}").await;
    agent.run("other", "{}").await;
    log(&agent, r#"{"level":"warn","message":"dropped","data":{"names":["a"]}}"#);
    toggle().await;
    let shown = |page: &Mounted<Page>| -> Vec<String> {
        let name = |text: String| text.split(" sevt").next().unwrap_or_default().trim().to_owned();
        texts(page, ".debug-what > code, .debug-what > summary, div.debug-what")
            .into_iter()
            .map(name)
            .collect()
    };
    let kinds = texts(&page, ".debug-kind");
    assert_eq!(kinds, ["warn", "tool", "tool", "tool", "tool"]);
    let what = shown(&page);
    assert_eq!(what.first().map(String::as_str), Some("dropped"));
    assert!(what.contains(&"other 出错".to_owned()) && what.contains(&"seek_to 完成".to_owned()), "{what:?}");
    assert_eq!(page.text(".debug-what pre"), "{\n  \"names\": [\n    \"a\"\n  ]\n}");
    // Newest first.
    log(&agent, r#"{"level":"info","message":"after"}"#);
    yew::scheduler::flush().await;
    assert_eq!(shown(&page).first().map(String::as_str), Some("after"));
    // Problems only: a failed call and the warning.
    click(&page, ".debug-filter:last-child input").await;
    assert_eq!(texts(&page, ".debug-kind"), ["warn", "tool"]);
    click(&page, ".debug-journal .debug-button").await;
    assert_eq!(texts(&page, ".debug-entry"), [""; 0]);
}

#[wasm_bindgen_test]
async fn k17_it_measures_the_page_context_and_says_what_would_be_dropped() {
    let readables = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
    };
    let mut page =
        mount::<Page>(PageProps { readables: readables(&[("b", "课"), ("a", "x")]), ..props() }).await;
    toggle().await;
    assert_eq!(texts(&page, ".debug-readables tbody tr"), ["b课26", "ax24"]);
    assert_eq!(texts(&page, ".debug-limit span"), ["2 / 32 项", "53 / 4096 字节"]);
    // It follows.
    let long = "课".repeat(1350);
    page.update(PageProps { readables: readables(&[("b", "课"), ("a", "x"), ("c", &long)]), ..props() })
        .await;
    yew::scheduler::flush().await;
    assert_eq!(texts(&page, ".debug-limit span"), ["3 / 32 项", "4127 / 4096 字节"]);
    assert_eq!(texts(&page, ".debug-readables .debug-problem"), ["超出限制，不会发送"; 2]);
    assert_eq!(texts(&page, ".debug-readables tbody tr")[0], "b超出限制，不会发送课26");
    page.update(props()).await;
    yew::scheduler::flush().await;
    assert!(texts(&page, ".debug-empty").contains(&"没有登记页面上下文，消息不会附带任何内容。".to_owned()));
}

#[wasm_bindgen_test]
async fn k9_it_lists_the_tools_and_which_name_is_registered_twice() {
    let mut page = mount::<Page>(PageProps { tools: vec!["play", "pause", "play"], ..props() }).await;
    toggle().await;
    assert_eq!(texts(&page, ".debug-tools li"), ["play2 次登记，最后挂载的生效", "pause"]);
    page.update(PageProps { tools: vec!["play"], ..props() }).await;
    yew::scheduler::flush().await;
    assert_eq!(texts(&page, ".debug-tools li"), ["play"]);
}

#[wasm_bindgen_test]
async fn k25_it_shows_the_session_and_the_status() {
    let page = mount::<Page>(props()).await;
    toggle().await;
    assert_eq!(page.text(".debug-agent"), "会话 无 · 空闲");
    page.agent().begin_turn("sesn_1");
    page.agent().fail("没有网络");
    yew::scheduler::flush().await;
    assert_eq!(page.text(".debug-agent"), "会话 sesn_1 · 出错");
}
