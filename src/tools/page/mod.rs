//! The page's own tools (E2–E6): what an agent can do on any page.
//!
//! Each is a function from a call's arguments to a [`ToolResult`](super::ToolResult), with the name, description and
//! schema to declare it by beside it, and, where a person may be asked, a `confirm_…` that checks the call first and
//! says what the person would be asked. What they need of an app reaches them through [`NavigationPort`],
//! [`StoragePort`] and [`PageWords`].
//!
//! They must not know Yew, a router, the kit or the engine that calls them, and count on nothing that a page was
//! prepared with.

mod dom;
mod fill_form_field;
mod navigate_to;
mod query_data;
mod read_storage;
mod scroll_to;
mod words;

pub use fill_form_field::{
    FILL_FORM_FIELD, FILL_FORM_FIELD_DESCRIPTION, confirm_fill_form_field, fill_form_field,
    fill_form_field_schema, watch_password_fields,
};
pub use navigate_to::{
    NAVIGATE_TO, NAVIGATE_TO_DESCRIPTION, NavigationPort, confirm_navigate_to, navigate_to,
    navigate_to_schema,
};
pub use query_data::{QUERY_DATA, QUERY_DATA_DESCRIPTION, query_data, query_data_schema};
pub use read_storage::{
    BrowserStorage, READ_STORAGE, READ_STORAGE_DESCRIPTION, StoragePort, StorageType, confirm_read_storage,
    read_storage, read_storage_schema,
};
pub use scroll_to::{SCROLL_TO, SCROLL_TO_DESCRIPTION, scroll_to, scroll_to_schema};
pub use words::PageWords;
