//! An element that stands on the page before it is defined. Alone in its file: the definition is for good.
#![cfg(target_arch = "wasm32")]

mod page;

use page::{define, run};
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
async fn case_j03_k2_a_handler_that_was_set_before_the_definition_is_kept() {
    let before = "
        globalThis.early = document.createElement('praxis-agent');
        document.body.append(early);
        early.onClientTool = function early() {};
        return [customElements.get('praxis-agent') === undefined, Object.hasOwn(early, 'onClientTool')]";
    assert_eq!(run(&JsValue::NULL, before).await, json!([true, true]));
    define();
    let after = "
        const found = [Object.hasOwn(early, 'onClientTool'), early.onClientTool.name, early.shadowRoot.mode];
        early.remove();
        return found";
    assert_eq!(run(&JsValue::NULL, after).await, json!([false, "early", "open"]));
}
