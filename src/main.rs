//! The lesson player's entry: starts the app, which fetches the kit for itself.
//!
//! A panic ends the wasm code with a trap; `boot.js` sees it from outside and offers to load the page anew.

use praxis::app::App;

fn main() {
    if let Some(place) = gloo::utils::document().get_element_by_id("app") {
        yew::Renderer::<App>::with_root(place).render();
    }
}
