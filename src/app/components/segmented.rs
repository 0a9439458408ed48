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
    pub label: AttrValue,
    /// The language of the label, where it is another than the page's.
    pub lang: Option<&'static str>,
}

/// Properties of [`Segmented`].
#[derive(Properties, PartialEq)]
pub struct SegmentedProps {
    /// The group's name, unique on the page.
    pub name: &'static str,
    /// What is chosen.
    pub legend: AttrValue,
    /// The choices.
    pub choices: Vec<Choice>,
    /// The one that holds.
    pub chosen: &'static str,
    /// Another is chosen.
    pub onchoose: Callback<String>,
}

/// A choice of a few.
#[component]
pub fn Segmented(props: &SegmentedProps) -> Html {
    let onchange = {
        let onchoose = props.onchoose.clone();
        Callback::from(move |event: Event| {
            if let Some(input) = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok())
            {
                onchoose.emit(input.value());
            }
        })
    };
    html! {
        <fieldset class="segmented">
            <legend>{ &props.legend }</legend>
            <div class="segmented-choices" {onchange}>
                for choice in &props.choices {
                    <label key={choice.value} lang={choice.lang}>
                        <input type="radio" name={props.name} value={choice.value} checked={choice.value == props.chosen} />
                        <span>{ &choice.label }</span>
                    </label>
                }
            </div>
        </fieldset>
    }
}
