//! The app's agent: what it is told, what it can do everywhere in the app, and its panel.
//!
//! What it can do with a lesson stands with the lesson's page.

mod app_tools;
mod declarations;
mod kit;
mod options;
mod panel;

pub use app_tools::{AppTools, OpenedLesson, open_lesson};
pub use declarations::tools;
pub use panel::{AgentPanel, AgentPanelControl, use_agent_panel, use_agent_panel_control};
