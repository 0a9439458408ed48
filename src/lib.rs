//! A Yew lesson player with an agent beside the video, and the kit under it.
pub mod protocol;
pub mod service;
