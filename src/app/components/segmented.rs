//! A choice of a few, all in sight: radio buttons that look like one control.

use wasm_bindgen::JsCast as _;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// One of the choices.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Its name for the app.
    pub value: &'static str,
    /// What people read.
    pub label: &'static str,
    /// The language of the label, where it is another than the page's.
    pub lang: Option<&'static str>,
}

/// Choices of which one holds: radio buttons that look like one control. `name` is unique on the page.
pub fn segmented(
    name: &'static str,
    legend: &'static str,
    choices: &[Choice],
    chosen: &'static str,
    onchoose: Callback<String>,
) -> Html {
    let onchange = Callback::from(move |event: Event| {
        if let Some(input) = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) {
            onchoose.emit(input.value());
        }
    });
    html! {
        <fieldset class="segmented">
            <legend>{ legend }</legend>
            <div class="segmented-choices" {onchange}>
                for choice in choices {
                    <label key={choice.value} lang={choice.lang}>
                        <input type="radio" {name} value={choice.value} checked={choice.value == chosen} />
                        <span>{ choice.label }</span>
                    </label>
                }
            </div>
        </fieldset>
    }
}
