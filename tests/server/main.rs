//! `praxis-server` over real sockets.
#![cfg(all(feature = "server", not(target_arch = "wasm32")))]

#[path = "../conformance/suite/mod.rs"]
#[macro_use]
mod suite;

mod conformance;
mod rig;
