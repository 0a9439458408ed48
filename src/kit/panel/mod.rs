//! The chat panel inside the element's shadow root.
//!
//! It shows a [`PanelView`] and reports what the person does through [`PanelActions`]. It must not know
//! conversations, backends, elements or the page outside.
//!
//! Mount [`Panel`] into a `<div>` that is a child of an open shadow root and adopt [`STYLES`] there. The theme is
//! the host's `data-theme` attribute: `light`, `dark`, or none for what the person's system says.

mod actions;
mod announcements;
mod composer;
mod draft;
mod entry;
mod follow;
mod history;
mod icon;
mod icon_button;
mod layout;
mod log;
mod markdown;
mod start_screen;
mod tool_call;
mod words;

use std::rc::Rc;

pub use layout::{Panel, PanelProps};
pub use markdown::{Markdown, MarkdownProps};
pub use words::Words;

use super::transcript::Transcript;
use crate::protocol::{Session, SessionId};

/// The panel's style sheet, to be adopted by the shadow root. It opens with the list of custom properties that a
/// page may set on the element.
pub const STYLES: &str = include_str!("panel.css");

/// What the panel shows.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelView {
    /// The conversation.
    pub transcript: Rc<Transcript>,
    /// The open session.
    pub session: Option<SessionId>,
    /// The language of the panel's words.
    pub locale: Locale,
    /// What the panel says before the first message.
    pub start_screen: Rc<StartScreen>,
    /// `composer.placeholder`.
    pub placeholder: Option<Rc<str>>,
    /// Texts that could not be sent and come back to the composer, oldest first. One that goes away again, because
    /// its message arrived after all, goes away in the composer too unless the person has changed it.
    pub drafts: Rc<[Draft]>,
    /// The person's conversations; `None` when `history.enabled` is `false`.
    pub history: Option<Rc<History>>,
    /// Whether options were set; without them nothing can be sent.
    pub configured: bool,
}

/// The person's conversations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// Newest first; `None` before they were asked for.
    pub sessions: Option<Vec<Session>>,
    /// Whether the list is being read.
    pub loading: bool,
    /// Why it could not be read.
    pub error: Option<String>,
    /// Whether there are more.
    pub more: bool,
}

/// A text that comes back to the composer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Its own, so that the composer takes each draft once.
    pub serial: u64,
    /// The text.
    pub text: Rc<str>,
    /// Why it could not be sent, for people.
    pub error: Rc<str>,
}

/// The language of the panel's words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Locale {
    /// 简体中文.
    #[default]
    ZhCn,
    /// English.
    En,
}

/// What the panel says before the first message (`startScreen`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartScreen {
    /// A greeting.
    pub greeting: Option<String>,
    /// Suggested questions.
    pub prompts: Vec<StartPrompt>,
}

/// A suggested question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartPrompt {
    /// What the button says.
    pub label: String,
    /// What is sent.
    pub prompt: String,
}

/// What the person does in the panel.
pub trait PanelActions {
    /// Sends the composer's text, or a suggested question.
    fn send(&self, text: String, origin: Origin);
    /// The person has sent a draft again, or does not want it: it need not come back any more.
    fn settle_draft(&self, serial: u64);
    /// Stops the turn that runs.
    fn interrupt(&self);
    /// Begins a new conversation.
    fn new_conversation(&self);
    /// Opens the session again after it failed.
    fn retry(&self);
    /// Reads the list of conversations; `more`: its next page.
    fn load_history(&self, more: bool);
    /// Opens a session of the list.
    fn open_session(&self, session: &SessionId);
    /// Deletes a session of the list; the panel has asked the person.
    fn delete_session(&self, session: &SessionId);
}

/// Where a message came from: only the composer's own text comes back as a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The person typed it.
    Composer,
    /// A suggested question.
    Suggestion,
}
