//! `<PraxisAgent>` on a page that defines `<praxis-agent>` only later (K12). One page, so one test a file.
#![cfg(target_arch = "wasm32")]

mod foreign;

use foreign::{define, mount_undefined, options};
use praxis::binding::{PraxisAgent, use_praxis_readable, use_praxis_tool};
use serde_json::Value;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use yew::prelude::*;

wasm_bindgen_test_configure!(run_in_browser);

#[derive(PartialEq, Properties)]
struct PageProps {
    value: u32,
}

#[component]
fn Bridge(props: &PageProps) -> Html {
    use_praxis_readable("value", props.value);
    use_praxis_tool("tool", |_: Value, _call| "here");
    html! { <span hidden=true /> }
}

#[component]
fn Page(props: &PageProps) -> Html {
    html! { <PraxisAgent options={options()}><Bridge value={props.value} /></PraxisAgent> }
}

#[wasm_bindgen_test]
async fn k12_what_was_set_before_goes_over_when_the_element_is_defined() {
    let mut page = mount_undefined::<Page>(PageProps { value: 1 }).await;
    page.update(PageProps { value: 2 }).await;
    define();
    // The binding waits for the same promise, and asked for it first.
    foreign::when_defined().await;
    yew::scheduler::flush().await;
    let agent = page.agent();
    assert_eq!(agent.take_done(), ["onClientTool function", "setReadable value 2", "setOptions"]);
    assert_eq!(agent.run("tool", "{}").await, "result here");
}
