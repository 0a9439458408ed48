//! The app's agent: what it is told, what it can do everywhere in the app, and its panel.
//!
//! What it can do with a lesson stands with the lesson's page.

mod app_tools;
mod confirmation_dialog;
mod declarations;
mod kit;
mod options;
mod page_tools;
mod panel;
mod refusal;

pub use app_tools::{AppTools, OpenedLesson, open_lesson};
pub use confirmation_dialog::ConfirmationDialog;
pub use declarations::{declared, tools};
pub use panel::{AgentPanel, AgentPanelControl, use_agent_panel, use_agent_panel_control};
pub use refusal::Refusal;
