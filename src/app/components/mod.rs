//! The parts that pages are made of. None of them knows a page.

mod confirm_button;
mod empty_state;
mod icon;
mod page_heading;
mod progress_ring;
mod segmented;

pub use confirm_button::ConfirmButton;
pub use empty_state::EmptyState;
pub use icon::{IconName, icon};
pub use page_heading::{PageHeading, Visit};
pub use progress_ring::{ProgressBar, ProgressRing};
pub use segmented::{Choice, Segmented};
