//! The kit over HTTP in a browser whose `fetch` is the tests': requests as WIRE.md has them, tokens, streams,
//! and whole turns over a network that breaks.
#![cfg(target_arch = "wasm32")]

mod attempts;
mod network;
#[path = "../page/mod.rs"]
mod page;
mod stage;
mod tokens;
mod turns;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
