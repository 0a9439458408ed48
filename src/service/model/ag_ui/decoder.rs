//! A run's events as they come over the wire: what is shown and called at once, and what is kept.

use std::num::NonZeroUsize;

use serde_json::Value;
use sse_core::{SseDecoder, SseEvent};

use super::super::json::{list, member, object, text};
use super::run_messages::RunMessages;
use super::{interrupt, kept, patch, request};
use crate::protocol::Timestamp;
use crate::protocol::json_place::Place;
use crate::protocol::tutor_script::Language;
use crate::service::model::halves::{Halves, read_json};
use crate::service::model::{ModelCall, ModelOutput, ModelRequest};
use crate::service::words::{ag_ui as words, model};

/// How many bytes a run has at most: more than any answer, and less than a page can hold.
const LONGEST_RUN: NonZeroUsize = NonZeroUsize::new(32 << 20).unwrap();

/// Makes output of the bytes of a run, wherever the reads end.
///
/// A run that is not told to its end gives no call: text comes as it is written, calls when the run has finished.
#[derive(Debug)]
pub struct Decoder {
    sse: SseDecoder,
    room: usize,
    run: String,
    language: Language,
    /// The page's tools.
    tools: Vec<String>,
    /// The messages that the agent has been sent.
    sent: Vec<String>,
    state: Value,
    messages: RunMessages,
    /// The calls whose arguments are still being written.
    open: Vec<String>,
    /// What a chunk without an id goes on with.
    chunk: Option<(Family, String)>,
    /// The message whose text came last.
    speaks: Option<String>,
    /// Where that text may still be in the middle of a character.
    halves: Halves,
    /// Whether the run goes on without an answer that came too late.
    is_late: bool,
    /// The output of a run that may be an earlier one, told again before the one that was asked for.
    held: Option<Vec<ModelOutput>>,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// A run is to begin.
    Between,
    Running,
    Over,
}

/// What is streamed in chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Text,
    Call,
    Reasoning,
}

impl Decoder {
    /// Reads the answer to `request`, which is made at the time `now`.
    #[must_use]
    pub fn new(request: &ModelRequest, now: Timestamp) -> Self {
        let is_expired = |interrupt| interrupt::is_expired(interrupt, now);
        Self {
            sse: SseDecoder::with_limit(LONGEST_RUN),
            room: LONGEST_RUN.get(),
            run: request::run_id(request),
            language: Language::of(request::said(request)),
            tools: request.tools.iter().map(|tool| tool.name.as_str().to_owned()).collect(),
            sent: request::messages(request).iter().map(|message| text(message, "id").to_owned()).collect(),
            state: request::state(request),
            messages: RunMessages::default(),
            open: Vec::new(),
            chunk: None,
            speaks: None,
            halves: Halves::default(),
            is_late: request::open_interrupts(request).iter().any(is_expired),
            held: None,
            stage: Stage::Between,
        }
    }

    /// Takes the next bytes of the answer.
    pub fn bytes(&mut self, mut bytes: &[u8]) -> Vec<ModelOutput> {
        let mut output = Vec::new();
        if self.stage == Stage::Over {
            return output;
        }
        match self.room.checked_sub(bytes.len()) {
            Some(room) => self.room = room,
            None => return self.fail(model::too_long(self.language).to_owned()),
        }
        while let Some(event) = self.sse.next(&mut bytes) {
            let read = match event {
                Ok(SseEvent::Message(message)) => self.data(&message.data, &mut output),
                Ok(SseEvent::Retry(_)) => Ok(()),
                Err(error) => Err(words::violation(self.language, &error.to_string())),
            };
            if let Err(problem) = read {
                output.extend(self.fail(problem));
            }
            if self.stage == Stage::Over {
                break;
            }
        }
        output
    }

    /// The answer has ended.
    pub fn end(&mut self) -> Vec<ModelOutput> {
        // Some servers leave out the empty line after the last event.
        let mut output = self.bytes(b"\n\n");
        if self.stage == Stage::Between
            && let Some(held) = self.held.take()
        {
            // No other run came: the server counts its runs in its own way.
            self.stage = Stage::Over;
            output.extend(held);
        }
        if self.stage != Stage::Over {
            output.extend(self.fail(model::broke_off(self.language).to_owned()));
        }
        output
    }

    fn fail(&mut self, message: String) -> Vec<ModelOutput> {
        self.stage = Stage::Over;
        self.held = None;
        vec![ModelOutput::Failed(message)]
    }

    fn data(&mut self, data: &str, output: &mut Vec<ModelOutput>) -> Result<(), String> {
        if !data.trim_start().starts_with('{') {
            return Ok(()); // A proxy's sign of life.
        }
        let event = read_json(data).map_err(|error| match error.is_eof() {
            true => model::broke_off(self.language).to_owned(),
            false => words::violation(self.language, &error.to_string()),
        })?;
        let event = Event { kind: text(&event, "type"), value: &event };
        self.event(&event, output).map_err(|problem| words::violation(self.language, &problem))
    }

    fn event(&mut self, event: &Event<'_>, output: &mut Vec<ModelOutput>) -> Result<(), String> {
        match (event.kind, self.stage) {
            ("RUN_STARTED", _) => {
                self.begin(event.text("runId")? == self.run, output);
                return Ok(());
            }
            ("RUN_ERROR", _) => {
                output.extend(self.fail(Halves::joined(event.text("message")?)));
                return Ok(());
            }
            (_, Stage::Running) => {}
            // What is told after a run's end belongs to none.
            _ if self.held.is_some() => return Ok(()),
            _ => return Err(event.wrong("", "must not come before RUN_STARTED")),
        }
        self.close_chunk(event.kind);
        match event.kind {
            "RUN_FINISHED" => self.finish(event, output)?,
            "TEXT_MESSAGE_START" => self.begin_text(event.text("messageId")?, event)?,
            "TEXT_MESSAGE_CONTENT" => {
                let delta = event.text("delta")?;
                if !self.say(event.text("messageId")?, delta, output) {
                    return Err(event.wrong(".messageId", "must be a message that was begun"));
                }
            }
            "TEXT_MESSAGE_CHUNK" => {
                let id = self.chunk_id(Family::Text, event, "messageId")?;
                if !self.messages.has(&id) {
                    self.begin_text(&id, event)?;
                }
                self.say(&id, event.optional("delta")?.unwrap_or_default(), output);
                self.chunk = Some((Family::Text, id));
            }
            "TOOL_CALL_START" => {
                let id = event.text("toolCallId")?;
                self.begin_call(id, event)?;
                self.open.push(id.to_owned());
            }
            "TOOL_CALL_ARGS" => {
                let id = event.text("toolCallId")?;
                if !self.open.iter().any(|open| open == id) {
                    return Err(event.wrong(".toolCallId", "must be a call that is open"));
                }
                self.messages.append_arguments(id, event.text("delta")?);
            }
            "TOOL_CALL_END" => {
                let id = event.text("toolCallId")?;
                self.open.retain(|open| open != id);
            }
            "TOOL_CALL_CHUNK" => {
                let id = self.chunk_id(Family::Call, event, "toolCallId")?;
                let delta = event.optional("delta")?.unwrap_or_default();
                if !self.messages.append_arguments(&id, delta) {
                    self.begin_call(&id, event)?;
                    self.messages.append_arguments(&id, delta);
                }
                self.chunk = Some((Family::Call, id));
            }
            "TOOL_CALL_RESULT" => {
                let content = member(event.value, "content");
                self.messages.result(event.text("messageId")?, event.text("toolCallId")?, content);
            }
            "REASONING_MESSAGE_START" => {
                self.messages.begin(event.text("messageId")?, "reasoning", event.value);
            }
            "REASONING_MESSAGE_CONTENT" => {
                self.messages.append(event.text("messageId")?, event.text("delta")?);
            }
            "REASONING_MESSAGE_CHUNK" => {
                let id = self.chunk_id(Family::Reasoning, event, "messageId")?;
                if !self.messages.has(&id) {
                    self.messages.begin(&id, "reasoning", event.value);
                }
                self.messages.append(&id, event.optional("delta")?.unwrap_or_default());
                self.chunk = Some((Family::Reasoning, id));
            }
            "REASONING_ENCRYPTED_VALUE" => {
                let is_call = event.text("subtype")? == "tool-call";
                self.messages.set_encrypted(is_call, event.text("entityId")?, event.text("encryptedValue")?);
            }
            "STATE_SNAPSHOT" => self.state = member(event.value, "snapshot").clone(),
            "STATE_DELTA" => {
                let delta = Place::root(event.kind, event.value).member("delta");
                let applied = patch::apply(&mut self.state, &delta, &mut self.room);
                applied.map_err(|error| error.to_string())?;
            }
            "MESSAGES_SNAPSHOT" => self.take_snapshot(list(event.value, "messages"), output),
            // Steps, activities, subagents and the application's own events show nothing here, and what is not known
            // is to be passed over.
            _ => {}
        }
        if self.messages.are_too_many() {
            return Err(event.wrong("", "makes more messages and calls than a run may have"));
        }
        Ok(())
    }

    fn begin(&mut self, is_ours: bool, output: &mut Vec<ModelOutput>) {
        self.messages = RunMessages::default();
        self.open.clear();
        (self.chunk, self.speaks, self.halves) = (None, None, Halves::default());
        self.held = (!is_ours).then(Vec::new);
        self.stage = Stage::Running;
        if self.is_late {
            self.show("", words::too_late(self.language), output);
        }
    }

    /// A chunk's id; one without goes on with the chunks before it.
    fn chunk_id(&self, family: Family, event: &Event<'_>, name: &str) -> Result<String, String> {
        match (event.optional(name)?, &self.chunk) {
            (None, Some((open, id))) if *open == family => Ok(id.clone()),
            _ => event.text(name).map(str::to_owned),
        }
    }

    /// A stream of chunks ends with the first event of another kind, those apart that belong to no stream.
    fn close_chunk(&mut self, kind: &str) {
        let goes_on = match &self.chunk {
            Some((Family::Text, _)) => "TEXT_MESSAGE_CHUNK",
            Some((Family::Call, _)) => "TOOL_CALL_CHUNK",
            Some((Family::Reasoning, _)) => "REASONING_MESSAGE_CHUNK",
            None => return,
        };
        let apart = ["RAW", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA", "REASONING_ENCRYPTED_VALUE"];
        if kind != goes_on && !apart.contains(&kind) {
            self.chunk = None;
        }
    }

    fn begin_text(&mut self, id: &str, event: &Event<'_>) -> Result<(), String> {
        self.messages.begin(id, event.optional("role")?.unwrap_or("assistant"), event.value);
        Ok(())
    }

    fn begin_call(&mut self, id: &str, event: &Event<'_>) -> Result<(), String> {
        let (name, parent) = (event.text("toolCallName")?, event.optional("parentMessageId")?);
        self.messages.begin_call(id, name, parent, event.value);
        Ok(())
    }

    /// Adds to a message, and shows it where the agent speaks; says whether the message is there.
    fn say(&mut self, id: &str, delta: &str, output: &mut Vec<ModelOutput>) -> bool {
        let is_there = self.messages.append(id, delta);
        if is_there && !delta.is_empty() && self.messages.is_answer(id) {
            self.show(id, delta, output);
        }
        is_there
    }

    /// Shows a piece of a message; a paragraph apart from the message before it.
    fn show(&mut self, message: &str, text: &str, output: &mut Vec<ModelOutput>) {
        let apart = self.speaks.as_ref().is_some_and(|before| before != message);
        let before = if apart { [self.halves.end(), "\n\n"] } else { [""; 2] };
        let text = [&before.concat(), &*self.halves.join(text)].concat();
        self.speaks = Some(message.to_owned());
        self.held.as_mut().unwrap_or(output).push(ModelOutput::Text(text));
    }

    /// The agent tells the whole conversation: what it has not told before is this run's.
    fn take_snapshot(&mut self, messages: &[Value], output: &mut Vec<ModelOutput>) {
        for message in messages {
            let (id, role) = (text(message, "id"), text(message, "role"));
            let is_of_run = matches!(role, "assistant" | "tool" | "reasoning");
            if is_of_run && !self.sent.iter().any(|sent| sent == id) {
                let unheard = role == "assistant" && !self.messages.has(id);
                let content = text(message, "content");
                self.messages.put(id, message);
                if self.messages.are_too_many() {
                    return; // As the event is told in a moment.
                }
                if unheard && !content.is_empty() {
                    self.show(id, content, output);
                }
            }
        }
    }

    fn finish(&mut self, event: &Event<'_>, output: &mut Vec<ModelOutput>) -> Result<(), String> {
        if !self.open.is_empty() {
            let open = ["must not come before the end of the call ", &self.open.join(", ")].concat();
            return Err(event.wrong("", &open));
        }
        let mut outcome = member(event.value, "outcome").clone();
        Halves::join_in(&mut outcome);
        Halves::join_in(&mut self.state);
        self.messages.join_halves();
        let interrupts = match text(&outcome, "type") {
            "interrupt" => list(&outcome, "interrupts"),
            "cancelled" => {
                output.extend(self.fail(words::cancelled(self.language).to_owned()));
                return Ok(());
            }
            _ => &[],
        };
        let messages = std::mem::take(&mut self.messages);
        let mut calls = Vec::new();
        if interrupts.is_empty() {
            self.find_calls(&messages, list(&outcome, "pendingToolCallIds"), &mut calls);
        } else {
            self.show("", &interrupt::describe(interrupts, self.language), output);
        }
        if calls.is_empty() && self.speaks.is_none() {
            // It may have changed its state, or used a tool of its own: the turn ends well, and the person is told.
            self.show("", words::said_nothing(self.language), output);
        }
        let rest = self.halves.end();
        if !rest.is_empty() {
            let speaks = self.speaks.clone().unwrap_or_default();
            self.show(&speaks, rest, output);
        }
        let ids = calls.iter().map(|call| Value::from(call.id.as_str())).collect();
        let kept = object(&mut [
            (kept::CALLS, ids),
            (kept::MESSAGES, messages.into_json()),
            (kept::STATE, self.state.clone()),
            (kept::INTERRUPTS, interrupts.to_vec().into()),
        ]);
        self.stage = if self.held.is_some() { Stage::Between } else { Stage::Over };
        let output = self.held.as_mut().unwrap_or(output);
        output.extend(calls.into_iter().map(ModelOutput::Call));
        if let Value::Object(kept) = kept {
            output.push(ModelOutput::Kept(kept));
        }
        output.push(ModelOutput::Done);
        Ok(())
    }

    /// The calls that the run leaves to the page: those that the agent names, else those of the page's tools that have
    /// no result.
    fn find_calls(&self, messages: &RunMessages, named: &[Value], calls: &mut Vec<ModelCall>) {
        for call in messages.unanswered() {
            let (id, function) = (text(call, "id"), member(call, "function"));
            let name = text(function, "name");
            let is_for_the_page = match named {
                [] => self.tools.iter().any(|tool| tool == name),
                named => named.iter().any(|named| named == messages.given(id)),
            };
            if is_for_the_page {
                calls.push(ModelCall::new(id, name, text(function, "arguments")));
            }
        }
    }
}

/// An event and its type.
struct Event<'a> {
    kind: &'a str,
    value: &'a Value,
}

impl<'a> Event<'a> {
    /// A member's text.
    #[inline(never)]
    fn text(&self, name: &str) -> Result<&'a str, String> {
        self.optional(name)?.ok_or_else(|| self.wrong(&[".", name].concat(), "is missing"))
    }

    /// A member's text, where it is there.
    #[inline(never)]
    fn optional(&self, name: &str) -> Result<Option<&'a str>, String> {
        match member(self.value, name) {
            Value::Null => Ok(None),
            Value::String(text) => Ok(Some(text)),
            _ => Err(self.wrong(&[".", name].concat(), "must be a string")),
        }
    }

    /// Says what is wrong at a place in the event.
    fn wrong(&self, place: &str, problem: &str) -> String {
        [self.kind, place, ": ", problem].concat()
    }
}
