//! The page's own tools and the sanitiser, on pages that share no markup with the app (E2–E6, E13; the handed cases of
//! the areas C to G).
#![cfg(target_arch = "wasm32")]

mod fill_form_field;
mod fixture;
mod navigate_to;
mod query_data;
mod sanitise;
mod scroll_and_storage;
mod yew_forms;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
