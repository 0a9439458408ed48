//! The parts that pages are made of. None of them knows a page.

mod confirm_button;
mod empty_state;
mod icon;
mod page_heading;
mod progress;
mod segmented;

pub use confirm_button::ConfirmButton;
pub use empty_state::{empty_state, failure, way_back};
pub use icon::{IconName, icon};
pub use page_heading::{PageHeading, Visit};
pub use progress::{progress_bar, progress_ring};
pub use segmented::{Choice, segmented};
