//! The lesson player's entry.

use yew::prelude::*;

#[component]
fn App() -> Html {
    html! { <main><h1>{ "Praxis" }</h1></main> }
}

fn main() {
    if let Some(place) = gloo::utils::document().get_element_by_id("app") {
        yew::Renderer::<App>::with_root(place).render();
    }
}
