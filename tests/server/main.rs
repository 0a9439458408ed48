//! `praxis-server` over real sockets.
#![cfg(all(feature = "server", not(target_arch = "wasm32")))]

#[path = "../conformance/suite/mod.rs"]
#[macro_use]
mod suite;

mod built_in_tools;
mod conformance;
mod crash;
mod endpoints;
mod idle_streams;
mod model;
mod pages;
mod program;
mod restarts;
mod rig;
mod stream;
mod tokens;
