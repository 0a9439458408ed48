//! The chat panel in a browser: what it shows, what it reports, where the focus and the view stay.
#![cfg(target_arch = "wasm32")]

mod accessibility;
mod composer;
mod history;
mod parts;
mod scrolling;
mod stage;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
