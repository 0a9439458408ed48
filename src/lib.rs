//! A Yew lesson player with an agent beside the video, and the kit under it: client tools, page context,
//! the `<praxis-agent>` element, providers and hooks for Yew, and an agent service that runs in the page.
//!
//! The parts, from the ground up; each knows only those above it in this list, and not all of them
//! (`cargo xtask arrows` checks which):
//!
//! - [`protocol`]: events, sessions, declarations, page context: data and pure rules.
//! - [`service`]: an agent service without I/O.
//! - `kit`: the element, the conversation behind it, its panel.
//! - `local`: the service in the page, as a backend of the kit.
//! - `backends`: which backend speaks which protocol.
//! - `tools`: the tool registry and engine.
//! - `binding`: providers and hooks for Yew.
//! - `app`: the lesson player.
//! - `server`: the service behind HTTP; native only.

pub mod protocol;
pub mod service;

#[cfg(feature = "kit")]
pub mod backends;
#[cfg(feature = "kit")]
pub mod kit;
#[cfg(feature = "kit")]
pub mod local;

#[cfg(any(feature = "app", feature = "page-tools", feature = "schema-worker"))]
pub mod tools;

#[cfg(feature = "app")]
pub mod binding;

#[cfg(feature = "app")]
pub mod app;

#[cfg(all(feature = "server", not(target_arch = "wasm32")))]
pub mod server;
