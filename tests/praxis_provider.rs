//! `<PraxisProvider>`: who shares what, and what hooks do where there is nothing to share (K11).
#![cfg(target_arch = "wasm32")]

mod foreign;

use foreign::{mount, options};
use praxis::binding::{PraxisAgent, PraxisProvider, use_praxis_readable, use_praxis_tool};
use serde_json::Value;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use yew::prelude::*;

wasm_bindgen_test_configure!(run_in_browser);

#[derive(PartialEq, Properties)]
struct BridgeProps {
    name: &'static str,
    #[prop_or_default]
    value: u32,
}

/// A readable and a tool of one name.
#[component]
fn Bridge(props: &BridgeProps) -> Html {
    let BridgeProps { name, value } = *props;
    use_praxis_readable(name, value);
    use_praxis_tool(name, move |_: Value, _call| value);
    html! { <span hidden=true /> }
}

#[derive(PartialEq, Properties)]
struct PageProps {
    second: bool,
    value: u32,
}

#[component]
fn Provided(props: &PageProps) -> Html {
    html! {
        <PraxisProvider>
            <Bridge name="z" value={props.value} />
            <PraxisAgent options={options()}><Bridge name="a" /></PraxisAgent>
            if props.second { <PraxisAgent options={options()} /> }
        </PraxisProvider>
    }
}

fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).into()
}

#[wasm_bindgen_test]
async fn k11_one_provider_serves_all_agents_and_replays_its_readables_in_order() {
    let mut page = mount::<Provided>(PageProps { second: false, value: 1 }).await;
    // Children register before those around them, siblings in the order of the document.
    assert_eq!(page.agent().snapshot(), ["a=0", "z=1"]);
    page.update(PageProps { second: true, value: 2 }).await;
    let agents = page.agents();
    assert_eq!((agents[0].snapshot(), agents[1].snapshot()), (texts(["a=0", "z=2"]), texts(["a=0", "z=2"])));
    for agent in &agents {
        assert_eq!(agent.run("z", "{}").await, "result 2");
        assert_eq!(agent.run("a", "{}").await, "result 0");
    }
    page.update(PageProps { second: false, value: 3 }).await;
    assert!(agents[0].snapshot().contains(&"z=3".to_owned()));
    assert!(agents[1].snapshot().contains(&"z=2".to_owned()), "an element that is gone is left alone");
}

#[component]
fn TwoAlone() -> Html {
    html! {
        <>
            <PraxisAgent options={options()}><Bridge name="left" /></PraxisAgent>
            <PraxisAgent options={options()}><Bridge name="right" /></PraxisAgent>
        </>
    }
}

#[wasm_bindgen_test]
async fn k11_without_a_provider_an_agent_has_the_tools_and_readables_of_its_own_children() {
    let page = mount::<TwoAlone>(()).await;
    let agents = page.agents();
    assert_eq!(
        (agents[0].snapshot(), agents[1].snapshot()),
        (vec!["left=0".to_owned()], vec!["right=0".to_owned()])
    );
    assert_eq!(agents[0].run("right", "{}").await, "error unknown tool right");
    assert_eq!(agents[1].run("right", "{}").await, "result 0");
}

// What happens in debug builds is tested where panics can be caught: beside `use_praxis_context`.
#[cfg(not(debug_assertions))]
#[wasm_bindgen_test]
async fn k11_used_elsewhere_the_hooks_do_nothing_in_release_builds() {
    #[component]
    fn Nowhere() -> Html {
        html! { <Bridge name="nowhere" /> }
    }
    let page = mount::<Nowhere>(()).await;
    assert!(page.has("span"));
}
