//! One run of a model behind HTTP, as a state machine without I/O: what is sent, when it is sent again, and what its
//! answer means. A transport carries out its effects and drops it to stop it; the codecs read and write the bytes.
//!
//! A request is sent again on a network error, 408, 429 (after its `Retry-After`) and 5xx, at most [`REPEATS`] times
//! within [`PATIENCE`], and only while no byte of the answer has come (E15). Whoever waits is told why, and an answer
//! that stops coming ends after [`SILENCE`].

use std::time::Duration;

use super::refusal::{self, wait};
use super::{HttpRequest, ModelOutput, ModelRequest, ag_ui, chat_completions};
use crate::protocol::Timestamp;
use crate::protocol::tutor_script::Language;
use crate::service::words::model as words;

/// How often a request is sent again at most.
pub const REPEATS: u32 = 5;
/// How long after the first time a request may be sent again.
pub const PATIENCE: Duration = Duration::from_secs(40);
/// How long a server may be silent: a model on a slow machine reads a long conversation before its first word.
pub const SILENCE: Duration = Duration::from_secs(300);
/// How long a wait is at least of which people are told: a shorter one is over before they have read it.
const NOTICEABLE: Duration = Duration::from_secs(1);
/// How long the first wait is where the server names none; each later one is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// How many bytes of a refusal are read for its reason.
const LONGEST_REFUSAL: usize = 64 << 10;

/// The headers that hold nothing secret, and how long a secret is at least.
const PLAIN_HEADERS: [&str; 2] = ["accept", "content-type"];
const SHORTEST_SECRET: usize = 4;

/// A model behind HTTP.
#[derive(Clone, Debug, PartialEq)]
pub enum Endpoint {
    /// A chat-completions endpoint.
    ChatCompletions(chat_completions::Settings),
    /// An AG-UI agent.
    AgUi(ag_ui::Settings),
}

impl Endpoint {
    fn request(&self, request: &ModelRequest, now: Timestamp) -> HttpRequest {
        match self {
            Self::ChatCompletions(settings) => chat_completions::request(settings, request),
            Self::AgUi(settings) => ag_ui::request(settings, request, now),
        }
    }

    fn decoder(&self, request: &ModelRequest, now: Timestamp) -> Decoder {
        match self {
            Self::ChatCompletions(_) => {
                Decoder::ChatCompletions(Box::new(chat_completions::Decoder::new(request)))
            }
            Self::AgUi(_) => Decoder::AgUi(Box::new(ag_ui::Decoder::new(request, now))),
        }
    }
}

#[derive(Debug)]
enum Decoder {
    ChatCompletions(Box<chat_completions::Decoder>),
    AgUi(Box<ag_ui::Decoder>),
}

impl Decoder {
    fn bytes(&mut self, bytes: &[u8]) -> Vec<ModelOutput> {
        match self {
            Self::ChatCompletions(decoder) => decoder.bytes(bytes),
            Self::AgUi(decoder) => decoder.bytes(bytes),
        }
    }

    fn end(&mut self) -> Vec<ModelOutput> {
        match self {
            Self::ChatCompletions(decoder) => decoder.end(),
            Self::AgUi(decoder) => decoder.end(),
        }
    }
}

/// What happens to a run.
#[derive(Clone, Copy, Debug)]
pub enum RunInput<'a> {
    /// The answer's head has come.
    Head {
        /// The status.
        status: u16,
        /// `Content-Type`.
        content_type: Option<&'a str>,
        /// `Retry-After`.
        retry_after: Option<&'a str>,
    },
    /// More of the answer's body has come.
    Bytes(&'a [u8]),
    /// The body is at its end.
    End,
    /// No answer can be had, or it broke off; the text is for people.
    Broken(&'a str),
    /// The run begins, or the time that [`RunEffect::WakeAt`] named has come.
    Wake,
}

/// What the transport must do, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEffect {
    /// Send this; what is still on its way of an earlier answer is of no more use.
    Send(HttpRequest),
    /// Give [`RunInput::Wake`] at this time; replaces the time named before.
    WakeAt(Timestamp),
    /// This came of the run.
    Output(ModelOutput),
    /// The run is over: no more input is wanted, and the connection may be closed.
    Finished,
}

#[derive(Debug)]
enum Phase {
    /// To be sent at this time.
    Due(Timestamp),
    /// An answer is waited for.
    Sent,
    /// The answer is a no; its body, as far as it has come, says why.
    Refused(u16, Vec<u8>),
    /// The answer is being read; whether anything of it has come.
    Answered(bool),
    Over,
}

/// A run of a model behind HTTP. It begins with the first [`RunInput::Wake`].
#[derive(Debug)]
pub struct ModelRun {
    request: HttpRequest,
    decoder: Decoder,
    language: Language,
    began: Timestamp,
    repeats: u32,
    /// Whether somebody was told that it is tried again.
    told: bool,
    /// When the server was last heard, or asked.
    heard: Timestamp,
    phase: Phase,
}

impl ModelRun {
    /// A run that asks `endpoint`.
    #[must_use]
    pub fn new(endpoint: &Endpoint, request: &ModelRequest, now: Timestamp) -> Self {
        Self {
            request: endpoint.request(request, now),
            decoder: endpoint.decoder(request, now),
            language: Language::of(request.said()),
            began: now,
            repeats: 0,
            told: false,
            heard: now,
            phase: Phase::Due(now),
        }
    }

    /// Takes an input in; gives what is to be done.
    pub fn handle(&mut self, now: Timestamp, input: RunInput<'_>) -> Vec<RunEffect> {
        if !matches!(input, RunInput::Wake) {
            self.heard = now;
        }
        match (&mut self.phase, input) {
            (Phase::Due(at), RunInput::Wake) if now >= *at => {
                self.phase = Phase::Sent;
                self.heard = now;
                vec![RunEffect::Send(self.request.clone()), RunEffect::WakeAt(now + SILENCE)]
            }
            (Phase::Due(at), RunInput::Wake) => vec![RunEffect::WakeAt(*at)],
            (Phase::Sent | Phase::Refused(..) | Phase::Answered(_), RunInput::Wake)
                if now < self.heard + SILENCE =>
            {
                vec![RunEffect::WakeAt(self.heard + SILENCE)]
            }
            (Phase::Sent | Phase::Answered(_), RunInput::Wake) => {
                self.fail(words::silent(self.language).to_owned())
            }
            (Phase::Sent, RunInput::Head { status, content_type, retry_after }) => {
                self.head(now, status, content_type, retry_after)
            }
            (Phase::Sent | Phase::Answered(false), RunInput::Broken(why)) => {
                let repeated = self.repeat(now, None, why);
                repeated.unwrap_or_else(|| self.fail(why.to_owned()))
            }
            (Phase::Answered(_), RunInput::Broken(why)) => self.fail(why.to_owned()),
            (Phase::Answered(begun), RunInput::Bytes(bytes)) => {
                *begun |= !bytes.is_empty();
                let outputs = self.decoder.bytes(bytes);
                self.give(outputs)
            }
            (Phase::Answered(_), RunInput::End) => {
                let mut outputs = self.decoder.end();
                if !outputs.iter().any(is_last) {
                    outputs.push(ModelOutput::Failed(words::broke_off(self.language).to_owned()));
                }
                self.give(outputs)
            }
            (Phase::Refused(_, body), RunInput::Bytes(bytes)) => {
                let room = LONGEST_REFUSAL - body.len();
                body.extend_from_slice(&bytes[..bytes.len().min(room)]);
                if bytes.len() < room { Vec::new() } else { self.refuse() }
            }
            (Phase::Refused(..), RunInput::End | RunInput::Broken(_) | RunInput::Wake) => self.refuse(),
            // Of an answer that is waited for no more, or not yet.
            _ => Vec::new(),
        }
    }

    fn head(
        &mut self,
        now: Timestamp,
        status: u16,
        content_type: Option<&str>,
        retry_after: Option<&str>,
    ) -> Vec<RunEffect> {
        if (200..300).contains(&status) {
            if content_type
                .is_some_and(|kind| kind.trim_start().to_ascii_lowercase().starts_with("text/html"))
            {
                return self.fail(words::a_page(self.language).to_owned());
            }
            self.phase = Phase::Answered(false);
            let through = self.told.then_some(RunEffect::Output(ModelOutput::Retrying(None)));
            self.told = false;
            return through.into_iter().collect();
        }
        let passes = matches!(status, 408 | 429 | 500..);
        let wait = retry_after.and_then(|text| wait(text, now));
        if passes {
            let why = words::refused(self.language, status, "");
            if let Some(effects) = self.repeat(now, wait, &why) {
                return effects;
            }
        }
        self.phase = Phase::Refused(status, Vec::new());
        Vec::new()
    }

    /// Sends the request again after a while, where that may still be, and tells once why somebody waits.
    fn repeat(&mut self, now: Timestamp, wait: Option<Duration>, why: &str) -> Option<Vec<RunEffect>> {
        let wait = wait.unwrap_or(FIRST_WAIT * (1 << self.repeats));
        let at = now + wait;
        if self.repeats == REPEATS || at > self.began + PATIENCE {
            return None;
        }
        self.repeats += 1;
        self.phase = Phase::Due(at);
        let mut effects = vec![RunEffect::WakeAt(at)];
        if wait >= NOTICEABLE && !self.told {
            self.told = true;
            effects.push(RunEffect::Output(ModelOutput::Retrying(Some(why.to_owned()))));
        }
        Some(effects)
    }

    fn give(&mut self, outputs: Vec<ModelOutput>) -> Vec<RunEffect> {
        let mut effects = Vec::with_capacity(outputs.len() + 1);
        for mut output in outputs {
            if let ModelOutput::Failed(why) = &mut output {
                *why = refusal::shortened(self.without_secrets(std::mem::take(why)));
            }
            let last = is_last(&output);
            effects.push(RunEffect::Output(output));
            if last {
                self.phase = Phase::Over;
                effects.push(RunEffect::Finished);
                break;
            }
        }
        effects
    }

    fn fail(&mut self, why: String) -> Vec<RunEffect> {
        self.give(vec![ModelOutput::Failed(why)])
    }

    /// Says why the server said no, in its own words where it has some.
    fn refuse(&mut self) -> Vec<RunEffect> {
        let Phase::Refused(status, body) = &self.phase else { return Vec::new() };
        let reason = refusal::reason(body);
        let message = words::refused(self.language, *status, &reason);
        self.fail(message)
    }

    /// A server's words without the key that some repeat.
    fn without_secrets(&self, mut text: String) -> String {
        for (name, value) in &self.request.headers {
            let value = value.strip_prefix("Bearer ").unwrap_or(value);
            if value.len() >= SHORTEST_SECRET && !PLAIN_HEADERS.contains(&name.as_str()) {
                text = text.replace(value, "…");
            }
        }
        text
    }
}

/// Whether nothing comes after this.
fn is_last(output: &ModelOutput) -> bool {
    matches!(output, ModelOutput::Done | ModelOutput::Failed(_))
}

#[cfg(test)]
mod tests;
