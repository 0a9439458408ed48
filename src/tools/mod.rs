//! Tools that run in the page: the one registry that holds plain and front-end tools, and the engine that brings each
//! call through its stages (E7).
//!
//! - What a tool is: [`ToolHandler`], [`FrontendTool`], [`ToolResult`]; [`ToolRegistry`] holds them.
//! - What decides, without I/O: [`ToolExecutionEngine`] with [`ToolSecurityGuard`], [`PermissionPolicy`],
//!   [`Confirmation`] and [`ExecutionLog`].
//! - What carries it out in a page: [`ToolRunner`], with [`SchemaClient`] for the schema worker.
//!
//! It must not know Yew, the router, the element or the app: who joins tools to an agent (the `binding`) brings
//! the call and takes the text of the result; what tools need of a page reaches them through ports.

#[cfg(feature = "schema-worker")]
pub mod schema;
#[cfg(any(feature = "page", feature = "schema-worker"))]
mod verdict;

#[cfg(feature = "page")]
mod call;
#[cfg(feature = "page")]
mod confirmation;
#[cfg(feature = "page")]
mod confirmation_events;
#[cfg(feature = "page")]
mod engine;
#[cfg(feature = "page")]
mod event_listener;
#[cfg(feature = "page")]
mod execution_log;
#[cfg(feature = "page")]
mod frontend_tool;
#[cfg(feature = "page")]
mod guard;
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
mod permission;
#[cfg(feature = "page")]
mod registry;
#[cfg(feature = "page")]
mod result;
#[cfg(feature = "page")]
mod runner;
#[cfg(feature = "page")]
mod sanitise;
#[cfg(feature = "page")]
mod schema_client;
#[cfg(feature = "page")]
mod secret;

pub use verdict::{MOST_MISMATCHES, Mismatch, Verdict};

#[cfg(feature = "page")]
pub use {
    call::{CallSignal, ToolCall},
    confirmation::{CONFIRMATION_REQUIRED, CONFIRMATION_RESPONSE, Confirmation},
    confirmation_events::answer_confirmation,
    engine::{
        CONFIRMATION_TIME, CallKey, CalledTool, CheckOutcome, Effect, EngineWords, Input, ToolExecutionEngine,
    },
    event_listener::EventListener,
    execution_log::{ExecutionLog, ExecutionRecord, MOST_RECORDS},
    frontend_tool::{Category, FrontendTool, RiskLevel},
    guard::{MOST_CALLS, ToolSecurityGuard, WINDOW},
    handler::{HandlerOutcome, ToolHandler},
    last_registered::{LastRegistered, RegistrationKey},
    observers::{Observation, Observers},
    output::{
        ByBoxedError, ByError, ByFuture, ByHandler, ByJsError, ByToolResult, ByValue, HandlerValue,
        ToolOutput, js_error_text,
    },
    path::{InAppPath, PathError},
    permission::{Permission, PermissionPolicy},
    registry::{RegisteredTool, ToolRegistration, ToolRegistry},
    result::ToolResult,
    runner::{CallOutcome, ToolOptions, ToolRunner},
    sanitise::{Change, sanitise, sanitise_arguments},
    schema_client::SchemaClient,
    secret::{is_secret_name, is_secret_value},
};
