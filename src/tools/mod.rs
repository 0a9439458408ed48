//! Tools that run in the page: what a handler is, the one registry that holds them all, and the check of their
//! arguments.
//!
//! It must not know Yew, the router, the element or the app: who joins tools to an agent (the `binding`) brings
//! the call and takes the text of the result; what tools need of a page reaches them through ports.

#[cfg(feature = "page")]
mod call;
#[cfg(feature = "page")]
mod handler;
#[cfg(feature = "page")]
mod last_registered;
#[cfg(feature = "page")]
mod observers;
#[cfg(feature = "page")]
mod output;
#[cfg(feature = "page")]
mod registry;
#[cfg(feature = "page")]
mod result;
#[cfg(feature = "schema-worker")]
pub mod schema;

#[cfg(feature = "page")]
pub use {
    call::{CallSignal, ToolCall},
    handler::{HandlerOutcome, ToolHandler},
    last_registered::{LastRegistered, RegistrationKey},
    observers::{Observation, Observers},
    output::{ByBoxedError, ByError, ByFuture, ByJsError, ByValue, ToolOutput, js_error_text},
    registry::{RegisteredTool, ToolRegistration, ToolRegistry},
    result::ToolResult,
};
