//! What `setOptions` takes, checked (K5): an error names the member and what was expected, and nothing
//! has changed; members that are not known are reported, not refused.
//!
//! It must not know elements, or what becomes of the options.

mod member;
mod read;

use std::rc::Rc;

use js_sys::Function;
use serde_json::Value;

pub use self::member::{OptionsError, type_error};
pub use self::read::Reading;
use super::panel::{Locale, StartScreen};
use crate::protocol::{ToolDeclaration, TutorScript};

/// The options of an element. Functions are equal when they are the same function.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// `api`: which service, and how to reach it.
    pub api: ApiOptions,
    /// `agent`: which agent, and what it is where the page itself runs the loop.
    pub agent: AgentOptions,
    /// `locale`: the language of the panel's words; the page's own where it is absent.
    pub locale: Locale,
    /// `theme`.
    pub theme: Theme,
    /// `startScreen`.
    pub start_screen: Rc<StartScreen>,
    /// `composer.placeholder`.
    pub placeholder: Option<Rc<str>>,
    /// `history.enabled`; `true` where it is absent.
    pub history: bool,
}

/// `api`: which service, and how to reach it.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiOptions {
    /// `protocol`.
    pub protocol: Protocol,
    /// `url`, absolute and without a trailing slash, except for an AG-UI server, whose paths it is none of ours to mend;
    /// empty for the protocol that needs none.
    pub url: String,
    /// `getToken`: an async function that yields a bearer token.
    pub get_token: Option<Function>,
    /// `headers` of each request. `authorization` among them takes the place of `getToken`, and cannot stand
    /// beside it; `accept` and `content-type` are the element's own.
    pub headers: Vec<(String, String)>,
    /// `model`: the model's name, which an OpenAI-compatible endpoint needs.
    pub model: Option<String>,
    /// `request`: what goes along with each request to an OpenAI-compatible endpoint.
    pub request: RequestOptions,
    /// `script`: what the tutor understands.
    pub script: Option<Rc<TutorScript>>,
}

/// `api.request`: what goes along with each request to an OpenAI-compatible endpoint, where it is set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequestOptions {
    /// `temperature`.
    pub temperature: Option<f64>,
    /// `toolChoice`: what `tool_choice` is to be.
    pub tool_choice: Option<Value>,
    /// `emptyContent`: whether `""` rather than `null` stands for the text of a message that only calls.
    pub empty_string: bool,
}

/// `agent`: which agent, and what it is where the page itself runs the loop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentOptions {
    /// `name`; the service's only agent where it is absent.
    pub name: Option<String>,
    /// `instructions`: what the model is told first.
    pub instructions: Option<String>,
    /// `tools`: the client tools (K1).
    pub tools: Vec<ToolDeclaration>,
}

/// `api.protocol`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// `WIRE.md` over HTTP.
    #[default]
    Praxis,
    /// The scripted tutor in the page; no network.
    Demo,
    /// An OpenAI-compatible endpoint.
    OpenAiChatCompletions,
    /// An AG-UI server.
    AgUi,
}

impl Protocol {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Praxis, "praxis"),
        (Self::Demo, "demo"),
        (Self::OpenAiChatCompletions, "openai-chat-completions"),
        (Self::AgUi, "ag-ui"),
    ];

    /// The protocol as `api.protocol` names it.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(protocol, _)| *protocol == self).map_or("", |(_, name)| name)
    }
}

/// `theme`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Always light.
    Light,
    /// Always dark.
    Dark,
    /// What the reader's system prefers.
    #[default]
    System,
}

impl Theme {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Light, "light"), (Self::Dark, "dark"), (Self::System, "system")];

    /// The theme as `theme` names it.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(theme, _)| *theme == self).map_or("", |(_, name)| name)
    }
}

/// Where sessions are: the service, and the agent of it. Only a change of this opens anew (K5).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// The service.
    pub service: ServiceAddress,
    /// The agent's name.
    pub agent: Option<String>,
}

/// Which service. A session is the same whichever agent's name led to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ServiceAddress {
    /// The protocol.
    pub protocol: Protocol,
    /// The address, as [`ApiOptions::url`] has it.
    pub url: String,
}

impl ServiceAddress {
    /// Whether a network lies between.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.protocol != Protocol::Demo
    }
}

impl Options {
    /// Where the sessions are.
    #[must_use]
    pub fn address(&self) -> Address {
        let service = ServiceAddress { protocol: self.api.protocol, url: self.api.url.clone() };
        Address { service, agent: self.agent.name.clone() }
    }
}
