//! `<praxis-agent>`: the element, the conversation behind it, the page's map of conversations, the panel.
//!
//! It must not know Yew's router, the tool engine, the service or the app. What speaks to a service reaches
//! it as a [`Backend`](backend::Backend).

pub mod backend;
pub mod conversation;
pub mod element;
pub mod http;
pub mod options;
pub mod page;
pub mod panel;
pub mod transcript;
