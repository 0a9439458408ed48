//! Tools that run in the page: their registry and the engine that runs each call.
//!
//! It must not know Yew, the router, the element or the app: what it needs of a page reaches it through ports.

#[cfg(feature = "schema-worker")]
pub mod schema;
