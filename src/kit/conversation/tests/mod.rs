//! The rules, each on a conversation that is driven by hand.

use super::*;

mod calls;
mod messages;
mod opening;
mod rig;
mod transcript;
mod turns;
