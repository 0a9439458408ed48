//! The agent service: sessions and turns as a state machine, validation of what clients send, and models
//! as codecs. It serves in the page (`local`) and behind HTTP (`server`) alike.
//!
//! It must not know where it runs: no I/O, no clock, no browser, no kit.

pub mod api;
pub mod built_in;
pub mod model;
pub mod session;
pub mod words;
