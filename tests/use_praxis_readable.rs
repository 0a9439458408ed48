//! `use_praxis_readable`: when an agent's page context follows a value, and when it must not (K9, K10, K14, K15).
#![cfg(target_arch = "wasm32")]

mod foreign;

use std::collections::BTreeMap;

use foreign::{Watch, mount, options};
use praxis::binding::{PraxisAgent, use_praxis_readable};
use serde_json::{Value, json};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use yew::prelude::*;

wasm_bindgen_test_configure!(run_in_browser);

/// One readable: its name and its value.
type Entry = (&'static str, Value);

#[derive(PartialEq, Properties)]
struct ReadableProps {
    name: AttrValue,
    value: Value,
}

#[component]
fn Readable(props: &ReadableProps) -> Html {
    use_praxis_readable(props.name.clone(), &props.value);
    html! { <span hidden=true /> }
}

#[derive(PartialEq, Properties)]
struct ReadablesProps {
    entries: Vec<Entry>,
    #[prop_or_default]
    render: u32,
}

/// One component for each entry; the key is its position, so that a name can change.
#[component]
fn Readables(props: &ReadablesProps) -> Html {
    html! {
        <PraxisAgent options={options()}>
            for (position, (name, value)) in props.entries.iter().enumerate() {
                <Readable key={position} name={*name} value={value.clone()} />
            }
        </PraxisAgent>
    }
}

fn entries(entries: &[Entry]) -> ReadablesProps {
    ReadablesProps { entries: entries.to_vec(), render: 0 }
}

#[wasm_bindgen_test]
async fn k10_k12_values_go_over_as_text_in_the_order_of_the_document() {
    let page = mount::<Readables>(entries(&[
        ("lesson", json!("正在看第 3 课")),
        ("playback", json!({ "positionSeconds": 83.0, "durationSeconds": f64::NAN })),
        ("empty", json!("")),
        ("number", json!(-0.0)),
        ("null", json!(null)),
    ]))
    .await;
    assert_eq!(
        page.agent().snapshot(),
        [
            "lesson=正在看第 3 课",
            r#"playback={"positionSeconds":83,"durationSeconds":null}"#,
            "empty=",
            "number=0",
            "null=null"
        ]
    );
}

#[wasm_bindgen_test]
async fn k10_it_updates_when_the_serialised_value_changes_and_only_then() {
    let props = |value: Value, render| ReadablesProps { entries: vec![("playback", value)], render };
    let mut page = mount::<Readables>(props(json!({ "at": 83.0 }), 0)).await;
    let agent = page.agent();
    agent.take_done();
    // Other values, the same text.
    page.update(props(json!({ "at": 83 }), 1)).await;
    page.update(props(json!({ "at": 83.0 }), 2)).await;
    assert_eq!(agent.take_done(), [""; 0]);
    page.update(props(json!({ "at": 84 }), 3)).await;
    assert_eq!(agent.take_done(), [r#"setReadable playback {"at":84}"#]);
    page.update(ReadablesProps { entries: vec![], render: 4 }).await;
    assert_eq!(agent.take_done(), ["removeReadable playback"]);
}

#[wasm_bindgen_test]
async fn k10_k15_an_update_keeps_its_place_and_a_new_name_goes_last() {
    let mut page = mount::<Readables>(entries(&[("a", json!(1)), ("b", json!(2))])).await;
    let agent = page.agent();
    page.update(entries(&[("a", json!(3)), ("b", json!(2))])).await;
    assert_eq!(agent.snapshot(), ["a=3", "b=2"]);
    page.update(entries(&[("c", json!(3)), ("b", json!(2))])).await;
    assert_eq!(agent.snapshot(), ["b=2", "c=3"]);
    page.update(entries(&[("a", json!(3)), ("b", json!(2))])).await;
    assert_eq!(agent.snapshot(), ["b=2", "a=3"]);
}

#[derive(PartialEq, Properties)]
struct MapProps {
    sound: bool,
    #[prop_or("map".into())]
    name: AttrValue,
}

/// JSON has no keys of numbers in pairs: this value can be serialised only while `sound`.
#[component]
fn Map(props: &MapProps) -> Html {
    let value = if props.sound { BTreeMap::new() } else { BTreeMap::from([([1, 2], 3)]) };
    use_praxis_readable(props.name.clone(), value);
    html! { <span hidden=true /> }
}

#[component]
fn WithMap(props: &MapProps) -> Html {
    html! { <PraxisAgent options={options()}><Map sound={props.sound} name={props.name.clone()} /></PraxisAgent> }
}

#[wasm_bindgen_test]
async fn k14_what_cannot_be_a_readable_is_logged_and_the_old_value_stays() {
    let props = |sound, name: &'static str| MapProps { sound, name: name.into() };
    let mut page = mount::<WithMap>(props(true, "map")).await;
    let agent = page.agent();
    let log = Watch::events(&["praxis.log"]);
    agent.take_done();
    page.update(props(false, "map")).await;
    assert_eq!((agent.snapshot(), agent.take_done()), (vec!["map={}".to_owned()], vec![]));
    assert_eq!(
        log.take(),
        [r#"praxis.log {"level":"error","message":"readable map: key must be a string"}"#]
    );
    page.update(props(true, "map")).await;
    assert_eq!((agent.snapshot(), agent.take_done()), (vec!["map={}".to_owned()], vec![]));
    page.update(props(true, "no spaces")).await;
    assert_eq!(agent.snapshot(), [""; 0]);
    assert_eq!(
        log.take(),
        [
            r#"praxis.log {"level":"error","message":"readable no spaces: readable name \"no spaces\" must match [A-Za-z0-9_.:-]{1,64}"}"#
        ]
    );
    page.update(props(true, "mended")).await;
    assert_eq!(agent.snapshot(), ["mended={}"]);
}

#[wasm_bindgen_test]
async fn k14_an_element_that_refuses_a_value_is_heard() {
    let log = Watch::events(&["praxis.log"]);
    let page = mount::<Readables>(entries(&[("refused", json!(1)), ("taken", json!(2))])).await;
    assert_eq!(page.agent().snapshot(), ["taken=2"]);
    assert_eq!(
        log.take(),
        [
            r#"praxis.log {"level":"error","message":"<praxis-agent> refused setReadable: refused for the test"}"#
        ]
    );
}

#[wasm_bindgen_test]
async fn k9_two_readables_of_one_name_behave_as_two_tools_do() {
    let (a, b, c) = (("a", json!("first")), ("b", json!("between")), ("a", json!("second")));
    let mut page = mount::<Readables>(entries(&[a.clone(), b.clone()])).await;
    let agent = page.agent();
    let log = Watch::events(&["praxis.log"]);
    page.update(entries(&[a.clone(), b.clone(), c])).await;
    assert_eq!(agent.snapshot(), ["a=second", "b=between"]);
    assert_eq!(
        log.take(),
        [
            r#"praxis.log {"level":"warn","message":"the readable a is registered more than once; the last one mounted counts"}"#
        ]
    );
    // The earlier one changes: nobody hears of it, until it counts again.
    agent.take_done();
    page.update(entries(&[("a", json!("third")), b.clone(), ("a", json!("second"))])).await;
    assert_eq!(agent.take_done(), [""; 0]);
    page.update(entries(&[("a", json!("third")), b.clone()])).await;
    assert_eq!(agent.take_done(), ["setReadable a third"]);
    assert_eq!(agent.snapshot(), ["a=third", "b=between"]);
    // The earlier one goes first.
    page.update(entries(&[("a", json!("third")), b.clone(), ("a", json!("second"))])).await;
    agent.take_done();
    page.update(entries(&[("d", json!(1)), b, ("a", json!("second"))])).await;
    assert_eq!(agent.snapshot(), ["a=second", "b=between", "d=1"]);
    assert_eq!(agent.take_done(), ["setReadable d 1"]);
}
