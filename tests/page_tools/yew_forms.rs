//! `fill_form_field` with forms that Yew controls (C01, C21).

use serde_json::json;
use wasm_bindgen::JsCast as _;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{HtmlElement, HtmlInputElement};
use yew::prelude::*;

use crate::fill_form_field::one;

/// A name that is kept as it is, a code that is kept in capitals, and a field that takes figures only.
#[component]
fn Form() -> Html {
    let name = use_state(String::new);
    let code = use_state(String::new);
    let figures = use_state(|| "0".to_owned());
    let renders = use_state(|| 0);
    let typed = |event: &InputEvent| event.target_unchecked_into::<HtmlInputElement>().value();
    let oninput_name = {
        let name = name.clone();
        Callback::from(move |event: InputEvent| name.set(typed(&event)))
    };
    let oninput_code = {
        let code = code.clone();
        Callback::from(move |event: InputEvent| code.set(typed(&event).to_uppercase()))
    };
    let oninput_figures = {
        let (figures, renders) = (figures.clone(), renders.clone());
        Callback::from(move |event: InputEvent| {
            let text = typed(&event);
            if text.chars().all(|c| c.is_ascii_digit()) {
                figures.set(text);
            }
            renders.set(*renders + 1);
        })
    };
    html! {
        <form>
            <input name="name" value={(*name).clone()} oninput={oninput_name} />
            <input name="code" value={(*code).clone()} oninput={oninput_code} />
            <input name="figures" value={(*figures).clone()} oninput={oninput_figures} />
            <output>{ format!("{}/{}/{}", *name, *code, *figures) }</output>
        </form>
    }
}

#[wasm_bindgen_test]
async fn case_c01_case_c21_what_is_filled_is_what_the_components_state_has() {
    let document = gloo::utils::document();
    let root: HtmlElement = document.create_element("div").unwrap().unchecked_into();
    document.body().unwrap().prepend_with_node_1(&root).unwrap();
    let app = yew::Renderer::<Form>::with_root(root.clone().into()).render();
    yew::scheduler::flush().await;
    one("name", json!("张三")).await.unwrap();
    let changed = one("code", json!("abc")).await.unwrap_err();
    assert_eq!(changed, r#"the page did not keep "abc"; the field now holds "ABC""#);
    let refused = one("figures", json!("12a")).await.unwrap_err();
    assert_eq!(refused, r#"the page did not keep "12a"; the field now holds "0""#);
    one("figures", json!(12)).await.unwrap();
    one("code", json!("XY")).await.unwrap();
    one("name", json!("")).await.unwrap();
    assert_eq!(root.query_selector("output").unwrap().unwrap().text_content().as_deref(), Some("/XY/12"));
    app.destroy();
    root.remove();
}
