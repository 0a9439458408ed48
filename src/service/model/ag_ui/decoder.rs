//! A run's events as they come over the wire: what is shown and called at once, and what is kept.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use serde_json::{Value, json};
use sse_core::{SseDecoder, SseEvent};

use super::run_messages::{RunMessages, has_role, text_of};
use super::{interrupt, kept, patch, request};
use crate::protocol::JsonObject;
use crate::protocol::json_place::{Place, PlaceError};
use crate::protocol::tutor_script::Language;
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
    tools: BTreeSet<String>,
    /// The messages that the agent has been sent.
    sent: BTreeSet<String>,
    state: Value,
    messages: RunMessages,
    /// The calls whose arguments are still being written.
    open: Vec<String>,
    /// What a chunk without an id goes on with.
    chunk: Option<(Family, String)>,
    /// The message whose text came last.
    speaks: Option<String>,
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
    /// Reads the answer to `request`.
    #[must_use]
    pub fn new(request: &ModelRequest) -> Self {
        let said = request::said(request);
        Self {
            sse: SseDecoder::with_limit(LONGEST_RUN),
            room: LONGEST_RUN.get(),
            run: request::run_id(request),
            language: Language::of(said),
            tools: request.tools.iter().map(|tool| tool.name.as_str().to_owned()).collect(),
            sent: request::messages(request)
                .iter()
                .map(|message| text_of(message.get("id")).to_owned())
                .collect(),
            state: request::state(request),
            messages: RunMessages::default(),
            open: Vec::new(),
            chunk: None,
            speaks: None,
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
        let event: Value = serde_json::from_str(data).map_err(|error| match error.is_eof() {
            true => model::broke_off(self.language).to_owned(),
            false => words::violation(self.language, &error.to_string()),
        })?;
        let kind = text_of(event.get("type"));
        let read = self.event(kind, &Place::root(kind, &event), &event, output);
        read.map_err(|error| words::violation(self.language, &error.to_string()))
    }

    fn event(
        &mut self,
        kind: &str,
        place: &Place<'_>,
        event: &Value,
        output: &mut Vec<ModelOutput>,
    ) -> Result<(), PlaceError> {
        let text = |name| place.member(name).text();
        let optional = |name| place.present(name).map(|place| place.text()).transpose();
        match (kind, self.stage) {
            ("RUN_STARTED", _) => {
                self.begin(text("runId")? == self.run);
                return Ok(());
            }
            ("RUN_ERROR", _) => {
                output.extend(self.fail(text("message")?.to_owned()));
                return Ok(());
            }
            (_, Stage::Running) => {}
            // What is told after a run's end belongs to none.
            _ if self.held.is_some() => return Ok(()),
            _ => return place.error("must not come before RUN_STARTED"),
        }
        self.close_chunk(kind);
        match kind {
            "RUN_FINISHED" => self.finish(place, event, output)?,
            "TEXT_MESSAGE_START" => {
                let role = optional("role")?.unwrap_or("assistant");
                self.messages.begin(text("messageId")?, role, event);
            }
            "TEXT_MESSAGE_CONTENT" => self.say(&place.member("messageId"), text("delta")?, output)?,
            "TEXT_MESSAGE_CHUNK" => {
                let id = self.chunk_id(Family::Text, &place.member("messageId"))?;
                if !self.messages.has(&id) {
                    self.messages.begin(&id, optional("role")?.unwrap_or("assistant"), event);
                }
                let named = Value::from(id.as_str());
                self.say(&Place::root("messageId", &named), optional("delta")?.unwrap_or_default(), output)?;
                self.chunk = Some((Family::Text, id));
            }
            "TOOL_CALL_START" => {
                self.begin_call(
                    text("toolCallId")?,
                    text("toolCallName")?,
                    optional("parentMessageId")?,
                    event,
                );
            }
            "TOOL_CALL_ARGS" => {
                let id = place.member("toolCallId");
                if !self.open.iter().any(|open| Ok(open.as_str()) == id.text()) {
                    return id.error("must be a call that is open");
                }
                self.messages.append_arguments(id.text()?, text("delta")?);
            }
            "TOOL_CALL_END" => {
                let id = text("toolCallId")?;
                self.open.retain(|open| open != id);
            }
            "TOOL_CALL_CHUNK" => {
                let id = self.chunk_id(Family::Call, &place.member("toolCallId"))?;
                let delta = optional("delta")?.unwrap_or_default();
                if !self.messages.append_arguments(&id, delta) {
                    self.begin_call(&id, text("toolCallName")?, optional("parentMessageId")?, event);
                    self.open.retain(|open| *open != id);
                    self.messages.append_arguments(&id, delta);
                }
                self.chunk = Some((Family::Call, id));
            }
            "TOOL_CALL_RESULT" => {
                let content = event.get("content").unwrap_or(&Value::Null);
                self.messages.result(text("messageId")?, text("toolCallId")?, content);
            }
            "REASONING_MESSAGE_START" => self.messages.begin(text("messageId")?, "reasoning", event),
            "REASONING_MESSAGE_CONTENT" => {
                self.messages.append(text("messageId")?, text("delta")?);
            }
            "REASONING_MESSAGE_CHUNK" => {
                let id = self.chunk_id(Family::Reasoning, &place.member("messageId"))?;
                let delta = optional("delta")?.unwrap_or_default();
                if !self.messages.append(&id, delta) {
                    self.messages.begin(&id, "reasoning", event);
                    self.messages.append(&id, delta);
                }
                self.chunk = Some((Family::Reasoning, id));
            }
            "REASONING_ENCRYPTED_VALUE" => {
                let is_call = text("subtype")? == "tool-call";
                self.messages.set_encrypted(is_call, text("entityId")?, text("encryptedValue")?);
            }
            "STATE_SNAPSHOT" => self.state = event.get("snapshot").cloned().unwrap_or_default(),
            "STATE_DELTA" => patch::apply(&mut self.state, &place.member("delta"), &mut self.room)?,
            "MESSAGES_SNAPSHOT" => self.take_snapshot(&place.member("messages"), output)?,
            // Steps, activities, subagents and the application's own events show nothing here, and what is not known
            // is to be passed over.
            _ => {}
        }
        Ok(())
    }

    fn begin(&mut self, is_ours: bool) {
        self.messages = RunMessages::default();
        self.open.clear();
        (self.chunk, self.speaks) = (None, None);
        self.held = (!is_ours).then(Vec::new);
        self.stage = Stage::Running;
    }

    /// A chunk's id; one without goes on with the chunks before it.
    fn chunk_id(&self, family: Family, id: &Place<'_>) -> Result<String, PlaceError> {
        match &self.chunk {
            Some((open, name)) if *open == family && id.value.is_none_or(Value::is_null) => Ok(name.clone()),
            _ => id.text().map(str::to_owned),
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

    fn begin_call(&mut self, id: &str, name: &str, parent: Option<&str>, event: &Value) {
        self.messages.begin_call(id, name, parent, event);
        self.open.push(id.to_owned());
    }

    /// Adds to a message, and shows it where the agent speaks.
    fn say(&mut self, id: &Place<'_>, delta: &str, output: &mut Vec<ModelOutput>) -> Result<(), PlaceError> {
        let name = id.text()?;
        if !self.messages.append(name, delta) {
            return id.error("must be a message that was begun");
        }
        if !delta.is_empty() && self.messages.is_answer(name) {
            self.show(name, delta, output);
        }
        Ok(())
    }

    /// Shows a piece of a message; a paragraph apart from the message before it.
    fn show(&mut self, message: &str, text: &str, output: &mut Vec<ModelOutput>) {
        let apart = self.speaks.as_ref().is_some_and(|before| before != message);
        let text = [if apart { "\n\n" } else { "" }, text].concat();
        self.speaks = Some(message.to_owned());
        self.held.as_mut().unwrap_or(output).push(ModelOutput::Text(text));
    }

    /// The agent tells the whole conversation: what it has not told before is this run's.
    fn take_snapshot(
        &mut self,
        messages: &Place<'_>,
        output: &mut Vec<ModelOutput>,
    ) -> Result<(), PlaceError> {
        for place in messages.elements()? {
            let (id, message) = (place.member("id").text()?, place.object()?);
            let is_new = !self.sent.contains(id)
                && !["user", "system", "developer", "activity"].iter().any(|role| has_role(message, role));
            if is_new {
                let unheard = has_role(message, "assistant") && !self.messages.has(id);
                let text = text_of(message.get("content"));
                self.messages.put(id, message.clone());
                if unheard && !text.is_empty() {
                    self.show(id, text, output);
                }
            }
        }
        Ok(())
    }

    fn finish(
        &mut self,
        place: &Place<'_>,
        event: &Value,
        output: &mut Vec<ModelOutput>,
    ) -> Result<(), PlaceError> {
        if !self.open.is_empty() {
            return place
                .error(["must not come before the end of the call ", &self.open.join(", ")].concat());
        }
        let outcome = event.get("outcome").unwrap_or(&Value::Null);
        let interrupts = match text_of(outcome.get("type")) {
            "interrupt" => outcome.get("interrupts").and_then(Value::as_array).cloned().unwrap_or_default(),
            "cancelled" => {
                output.extend(self.fail(words::cancelled(self.language).to_owned()));
                return Ok(());
            }
            _ => Vec::new(),
        };
        let messages = std::mem::take(&mut self.messages);
        let calls =
            if interrupts.is_empty() { self.calls_for_the_page(&messages, outcome) } else { Vec::new() };
        if !interrupts.is_empty() {
            self.show("", &interrupt::describe(&interrupts, self.language), output);
        }
        let ids: Vec<&str> = calls.iter().map(|call| call.id.as_str()).collect();
        let mut kept = JsonObject::new();
        kept.insert(kept::CALLS.to_owned(), json!(ids));
        kept.insert(kept::MESSAGES.to_owned(), messages.into_json());
        kept.insert(kept::STATE.to_owned(), self.state.clone());
        kept.insert(kept::INTERRUPTS.to_owned(), interrupts.into());

        self.stage = if self.held.is_some() { Stage::Between } else { Stage::Over };
        let output = self.held.as_mut().unwrap_or(output);
        output.extend(calls.into_iter().map(ModelOutput::Call));
        output.extend([ModelOutput::Kept(kept), ModelOutput::Done]);
        Ok(())
    }

    /// The calls that the run leaves to the page: those that the agent names, else those of the page's tools that have
    /// no result.
    fn calls_for_the_page(&self, messages: &RunMessages, outcome: &Value) -> Vec<ModelCall> {
        let named = outcome.get("pendingToolCallIds").and_then(Value::as_array).filter(|ids| !ids.is_empty());
        let is_for_the_page = |id: &str, name: &str| match named {
            Some(ids) => ids.iter().any(|named| named == id),
            None => self.tools.contains(name),
        };
        let unanswered = messages.unanswered().into_iter();
        unanswered
            .filter(|(id, name, _)| is_for_the_page(id, name))
            .map(|(id, name, arguments)| ModelCall::new(id, name, arguments))
            .collect()
    }
}
