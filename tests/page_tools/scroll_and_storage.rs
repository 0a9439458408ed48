//! `scroll_to` (E5) and `read_storage` (E6, area F) in a browser.

use praxis::tools::ToolResult;
use praxis::tools::page::{BrowserStorage, PageWords, read_storage, scroll_to};
use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fixture::Fixture;

fn scroll(input: Value) -> ToolResult {
    scroll_to(&input, &PageWords::EN)
}

#[wasm_bindgen_test]
fn e5_an_element_or_the_top_is_scrolled_to() {
    let page = Fixture::new(
        "<div style='height:5000px'></div><p id=there>x</p><p hidden class=no>y</p><div style='height:5000px'></div>",
    );
    let top = || page.text("Math.abs(root.querySelector('#there').getBoundingClientRect().top) < 2");
    let result = scroll(json!({"selector": "#there", "behavior": "auto"}));
    assert_eq!((result, top().as_str()), (ToolResult::done(None, "Scrolled there"), "true"));
    let result = scroll(json!({"behavior": "auto"}));
    assert_eq!(
        (result.summary.as_str(), page.text("window.scrollY").as_str()),
        ("Scrolled to the top of the page", "0")
    );
    assert!(scroll(json!({})).success);
    for (input, error) in [
        (json!({"selector": "#none"}), "nothing on the page matches `#none`"),
        (json!({"selector": "p["}), "`p[` is no CSS selector"),
        (json!({"selector": "//p"}), "`//p` is no CSS selector"),
        (json!({"selector": ".no"}), "what matches `.no` is not visible"),
        (json!({"selector": 5}), "selector: must be a string"),
        (json!({"behavior": "instant"}), "behavior: must be \"smooth\" or \"auto\""),
    ] {
        assert_eq!(scroll(input), ToolResult::failed(error, "The page was not scrolled"));
    }
}

#[wasm_bindgen_test]
fn e5_who_asked_for_less_motion_gets_none() {
    let page = Fixture::new("<p id=there>x</p>");
    page.run(
        "root.media = window.matchMedia; root.behaviors = [];
         root.querySelector('p').scrollIntoView = (options) => root.behaviors.push(options.behavior);",
    );
    scroll(json!({"selector": "#there"}));
    page.run("window.matchMedia = () => ({ matches: true })");
    scroll(json!({"selector": "#there", "behavior": "smooth"}));
    page.run("window.matchMedia = root.media");
    assert_eq!(page.text("root.behaviors"), "smooth,auto");
}

const OPEN: BrowserStorage = BrowserStorage(&["tools-test"]);

#[wasm_bindgen_test]
fn e6_case_f02_both_storages_are_read_by_open_keys_only() {
    let page = Fixture::new("");
    page.run(
        "localStorage.setItem('tools-test', '{\"a\":[1]}'); sessionStorage.setItem('tools-test', 'null');
         localStorage.setItem('tools-test-other', 'x')",
    );
    let read = |input: Value| read_storage(&input, &OPEN, &PageWords::EN);
    assert_eq!(read(json!({"key": "tools-test"})).data, Some(json!({"a": [1]})));
    assert_eq!(read(json!({"key": "tools-test", "storageType": "sessionStorage"})).data, Some(json!("null")));
    let closed = read(json!({"key": "tools-test-other"}));
    assert_eq!(
        closed.error.as_deref(),
        Some("the app has not opened this key to the agent; open keys: tools-test")
    );
    page.run("localStorage.setItem('tools-test', '')");
    assert_eq!(read(json!({"key": "tools-test"})).data, Some(json!("")));
    page.run("localStorage.removeItem('tools-test'); localStorage.removeItem('tools-test-other'); sessionStorage.clear()");
    assert_eq!(
        read(json!({"key": "tools-test"})),
        ToolResult::done(Value::Null, "Nothing is kept under tools-test")
    );
}

#[wasm_bindgen_test]
fn case_f01_a_browser_that_blocks_its_storage_is_an_error_result() {
    let page = Fixture::new("");
    for blocked in [
        "{ get() { throw new DOMException('no', 'SecurityError'); } }",
        "{ get: () => null }",
        "{ get: () => ({ getItem() { throw new DOMException('no', 'SecurityError'); } }) }",
    ] {
        page.run(
            &[
                "root.real = Object.getOwnPropertyDescriptor(window, 'localStorage');
               Object.defineProperty(window, 'localStorage', { configurable: true, ...",
                blocked,
                "})",
            ]
            .concat(),
        );
        let result = read_storage(&json!({"key": "tools-test"}), &OPEN, &PageWords::EN);
        page.run("Object.defineProperty(window, 'localStorage', root.real)");
        assert!(!result.success, "{blocked}");
    }
}
