//! The lesson player's entry: defines the element, then starts the app.
//!
//! A panic ends the wasm code with a trap; `boot.js` sees it from outside and offers to load the page anew.

use praxis::app::App;
use praxis::kit::element::define_element;

fn main() {
    // The element must be there before the app renders one.
    define_element(praxis::local::backend);
    if let Some(place) = gloo::utils::document().get_element_by_id("app") {
        yew::Renderer::<App>::with_root(place).render();
    }
}
