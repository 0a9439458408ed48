//! The hooks, one a file.

mod use_frontend_tool;
mod use_latest;
mod use_praxis_agent;
mod use_praxis_context;
mod use_praxis_readable;
mod use_praxis_tool;

pub use use_frontend_tool::use_frontend_tool;
pub(super) use use_latest::{Latest, use_latest};
pub use use_praxis_agent::{Command, CommandError, PraxisAgentHandle, use_praxis_agent};
pub use use_praxis_context::use_praxis_context;
pub use use_praxis_readable::use_praxis_readable;
pub use use_praxis_tool::use_praxis_tool;
