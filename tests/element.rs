//! `<praxis-agent>` as a page sees it, in a browser.
#![cfg(target_arch = "wasm32")]

mod page;

use page::{eval, page_with};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
async fn k2_the_handler_that_was_set_before_the_element_was_defined_is_kept() {
    let before = eval(
        "const early = document.createElement('praxis-agent');
         document.body.append(early);
         early.onClientTool = function early() {};
         globalThis.early = early;
         return Object.hasOwn(early, 'onClientTool')",
    )
    .await;
    assert_eq!(before, true, "the element must not be defined yet");
    page_with(Vec::new());
    let after = eval("return [Object.hasOwn(early, 'onClientTool'), early.onClientTool.name]").await;
    assert_eq!(js_sys::JSON::stringify(&after).unwrap(), "[false,\"early\"]");
}
