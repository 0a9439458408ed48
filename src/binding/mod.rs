//! Yew's side of the agent: providers, the component that shows `<praxis-agent>`, hooks for tools and page
//! context (K8–K13, K25).
//!
//! It drives the element through its public JavaScript interface only, so that any implementation of
//! `<praxis-agent>` that is defined on the page is used as it is. It must not know the kit, the service or
//! the app.
//!
//! # Example
//! ```
//! use praxis::binding::{AgentOptions, ApiOptions, PraxisAgent, PraxisOptions, use_praxis_readable, use_praxis_tool};
//! use serde_json::{Value, json};
//! use yew::prelude::*;
//!
//! #[component]
//! fn LessonBridge() -> Html {
//!     use_praxis_readable("lesson", "正在看第 3 课");
//!     use_praxis_tool("read_playback_progress", |_input: Value, _call| json!({ "positionSeconds": 83 }));
//!     html! { <span hidden=true /> }
//! }
//!
//! #[component]
//! fn LessonPage() -> Html {
//!     let options = use_memo((), |()| PraxisOptions {
//!         api: ApiOptions { url: Some("https://agent.example".into()), ..ApiOptions::default() },
//!         agent: AgentOptions { name: Some("课程助手".into()), ..AgentOptions::default() },
//!         ..PraxisOptions::default()
//!     });
//!     html! { <PraxisAgent {options}><LessonBridge /></PraxisAgent> }
//! }
//! ```

mod agent;
mod attachment;
mod context;
mod detail;
mod element;
mod get_token;
mod hooks;
mod json;
mod log;
mod options;
mod provider;
mod web_mcp;

pub use crate::tools::EventListener;
pub use agent::{PraxisAgent, PraxisAgentProps};
pub use context::{AgentState, ContextChange, PraxisContext, ReadableRegistration};
pub use detail::{AgentError, AgentStatus, LogEntry, LogLevel, ToolChange, ToolStatus};
pub use element::agent_is_defined;
pub use get_token::GetToken;
pub use hooks::{
    Command, CommandError, PraxisAgentHandle, use_frontend_tool, use_praxis_agent, use_praxis_context,
    use_praxis_readable, use_praxis_tool,
};
pub use options::{
    AgentOptions, ApiOptions, ComposerOptions, HistoryOptions, PraxisOptions, Prompt, Protocol,
    StartScreenOptions, Theme,
};
pub use provider::{PraxisProvider, PraxisProviderProps};
