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
pub mod page;
#[cfg(feature = "page")]
mod path;
#[cfg(feature = "page")]
mod registry;
#[cfg(feature = "page")]
mod result;
#[cfg(feature = "page")]
mod sanitise;
#[cfg(feature = "schema-worker")]
pub mod schema;
#[cfg(feature = "page")]
mod secret;

#[cfg(feature = "page")]
pub use {
    call::{CallSignal, ToolCall},
    handler::{HandlerOutcome, ToolHandler},
    last_registered::{LastRegistered, RegistrationKey},
    observers::{Observation, Observers},
    output::{ByBoxedError, ByError, ByFuture, ByJsError, ByValue, ToolOutput, js_error_text},
    path::{InAppPath, PathError},
    registry::{RegisteredTool, ToolRegistration, ToolRegistry},
    result::ToolResult,
    sanitise::{Change, sanitise, sanitise_arguments},
    secret::{is_secret_name, is_secret_value},
};
