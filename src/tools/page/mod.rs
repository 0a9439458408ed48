//! The page's own tools (E2–E6): what an agent can do on any page.
//!
//! Each is a function from a call's arguments to a [`ToolResult`](super::ToolResult). A `…_tool` declares it, with a
//! `confirm_…` that checks the call first and says what the person would be asked. What they need of an app reaches
//! them through [`NavigationPort`], [`StoragePort`] and [`PageWords`].
//!
//! They must not know Yew, a router, the kit or the engine that calls them, and count on nothing that a page was
//! prepared with.

mod declarations;
mod dom;
mod fill_form_field;
mod navigate_to;
mod query_data;
mod read_storage;
mod scroll_to;
mod words;

pub use declarations::{
    fill_form_field_tool, navigate_to_tool, page_tool_declarations, query_data_tool, read_storage_tool,
    scroll_to_tool,
};
pub use fill_form_field::{confirm_fill_form_field, fill_form_field, watch_password_fields};
pub use navigate_to::{NavigationPort, confirm_navigate_to, navigate_to};
pub use query_data::query_data;
pub use read_storage::{BrowserStorage, StoragePort, StorageType, confirm_read_storage, read_storage};
pub use scroll_to::scroll_to;
pub use words::PageWords;
