//! What the kit and an agent service say to each other (`WIRE.md`), and the rules that both must apply
//! alike: declarations (K1), page context (K14–K18), JSON text (K4, K10).
//!
//! Everything here is data and pure functions. It must not know who sends, stores or shows the data: no
//! I/O, no clock, no browser, no other module of this crate.

pub mod declaration;
pub mod error;
pub mod event;
pub mod id;
pub mod json_place;
pub mod json_text;
pub mod page_context;
pub mod session;
pub mod timestamp;
mod tool_definition;
pub mod tutor_script;

pub use declaration::{AgentDefinition, AgentError, DeclarationError, ToolDeclaration, ToolName};
pub use error::{ApiError, ErrorKind};
pub use event::{
    Content, Event, EventBody, IdleReason, JsonObject, MessageStop, Preview, RetryStatus, SessionError,
};
pub use id::{EventId, SessionId};
pub use page_context::{ContextItem, ReadableName, Readables};
pub use session::{AgentName, EventPage, Session, SessionPage, SessionStatus};
pub use timestamp::{Clock, Timestamp};
pub use tutor_script::TutorScript;
