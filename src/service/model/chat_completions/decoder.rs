//! A response as it comes over the wire, streamed or in one piece.

use std::num::NonZeroUsize;

use serde_json::Value;
use sse_core::{SseDecoder, SseEvent};

use super::calls::Calls;
use super::kept;
use super::thinking::{Parted, Thinking};
use crate::protocol::JsonObject;
use crate::protocol::tutor_script::Language;
use crate::service::model::halves::{Halves, read_json};
use crate::service::model::{ModelOutput, ModelRequest, refusal};
use crate::service::words::model as words;

/// How many bytes a response has at most: more than any answer, and less than a page can hold.
const LONGEST: NonZeroUsize = NonZeroUsize::new(32 << 20).unwrap();
/// How many events that cannot be read are passed over.
const MOST_UNREADABLE: u32 = 16;
/// Where servers put what the model thinks before it answers.
const REASONING: [&str; 2] = ["reasoning_content", "reasoning"];

/// Makes output of the bytes of a response, wherever the reads end.
///
/// Text comes as it is written, calls when the response is complete; one that is cut or broken gives none.
#[derive(Debug)]
pub struct Decoder {
    form: Form,
    room: usize,
    language: Language,
    calls: Calls,
    /// Where text and reasoning may still be in the middle of a character.
    halves: [Halves; 2],
    thinking: Thinking,
    /// The member in which reasoning came.
    reasoning: Option<&'static str>,
    /// Whether the server has said that the response is complete.
    finished: bool,
    /// Why the text is not all that the model would have said.
    cut: Option<fn(Language) -> &'static str>,
    /// How many events could not be read.
    unreadable: u32,
    /// Whether one of them may have been a piece of a call.
    damaged: bool,
    over: bool,
}

#[derive(Debug)]
enum Form {
    /// Nothing but this white space has come.
    Unknown(Vec<u8>),
    /// Events.
    Stream(Box<SseDecoder>),
    /// JSON in one piece, though a stream was asked for.
    Whole(Vec<u8>),
}

impl Decoder {
    /// Reads the answer to `request`.
    #[must_use]
    pub fn new(request: &ModelRequest) -> Self {
        Self {
            form: Form::Unknown(Vec::new()),
            room: LONGEST.get(),
            language: Language::of(request.said()),
            calls: Calls::default(),
            halves: Default::default(),
            thinking: Thinking::default(),
            reasoning: None,
            finished: false,
            cut: None,
            unreadable: 0,
            damaged: false,
            over: false,
        }
    }

    /// Takes the next bytes of the response.
    pub fn bytes(&mut self, bytes: &[u8]) -> Vec<ModelOutput> {
        let mut output = Vec::new();
        if self.over {
            return output;
        }
        match self.room.checked_sub(bytes.len()) {
            Some(room) => self.room = room,
            None => {
                self.fail(words::too_long(self.language).to_owned(), &mut output);
                return output;
            }
        }
        let begun;
        let bytes = match &mut self.form {
            Form::Unknown(before) => {
                before.extend_from_slice(bytes);
                let Some(first) = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) else {
                    return output;
                };
                begun = std::mem::take(before);
                self.form = match first {
                    b'{' | b'[' => Form::Whole(Vec::new()),
                    _ => Form::Stream(Box::new(SseDecoder::with_limit(LONGEST))),
                };
                &begun
            }
            _ => bytes,
        };
        match &mut self.form {
            Form::Whole(body) => body.extend_from_slice(bytes),
            _ => self.events(bytes, &mut output),
        }
        output
    }

    /// The response has ended.
    pub fn end(&mut self) -> Vec<ModelOutput> {
        let mut output = Vec::new();
        match &mut self.form {
            Form::Whole(body) if !self.over => {
                let body = std::mem::take(body);
                self.finished = true;
                match read_json(&String::from_utf8_lossy(&body)) {
                    Ok(response) => self.response(&response, &mut output),
                    Err(_) => self.finished = false,
                }
            }
            // Some servers leave out the empty line after the last event.
            Form::Stream(_) => self.events(b"\n\n", &mut output),
            _ => {}
        }
        if !self.over {
            if self.finished {
                self.finish(&mut output);
            } else {
                self.fail(words::broke_off(self.language).to_owned(), &mut output);
            }
        }
        output
    }

    fn events(&mut self, mut bytes: &[u8], output: &mut Vec<ModelOutput>) {
        while !self.over
            && let Form::Stream(decoder) = &mut self.form
            && let Some(event) = decoder.next(&mut bytes)
        {
            match event {
                Ok(SseEvent::Message(message)) => self.data(&message.data, output),
                Ok(SseEvent::Retry(_)) => {}
                Err(error) => self.fail(error.to_string(), output),
            }
        }
    }

    fn data(&mut self, data: &str, output: &mut Vec<ModelOutput>) {
        if data.trim() == "[DONE]" {
            return self.finish(output);
        }
        match read_json(data) {
            Ok(response) => self.response(&response, output),
            // A proxy's sign of life, or an event that was spoilt on its way.
            Err(_) => {
                self.unreadable += 1;
                self.damaged |= !self.finished && data.trim_start().starts_with('{');
                if self.unreadable > MOST_UNREADABLE {
                    self.fail(words::broke_off(self.language).to_owned(), output);
                }
            }
        }
    }

    /// Takes in a whole response or a chunk of one.
    fn response(&mut self, response: &Value, output: &mut Vec<ModelOutput>) {
        let choices = response.get("choices").and_then(Value::as_array);
        if choices.is_none() || response.get("error").is_some_and(|error| !error.is_null()) {
            // vLLM's errors have no `error`.
            if let Some(problem) = refusal::said(response) {
                self.fail(problem, output);
            }
            return;
        }
        // Some chunks have no choice: they bring usage, or what a filter found.
        let Some(choice) = choices.and_then(|choices| choices.first()) else { return };
        let message = choice.get("delta").filter(|delta| delta.is_object()).or(choice.get("message"));
        let message = message.unwrap_or(&Value::Null);
        for name in REASONING {
            if let Some(Value::String(text)) = message.get(name).filter(|text| **text != "") {
                self.reasoning.get_or_insert(name);
                let [_, halves] = &mut self.halves;
                push(ModelOutput::Reasoning, halves.join(text), output);
                break; // Some say it twice, under both names.
            }
        }
        match message.get("content") {
            Some(Value::String(text)) => self.text(text, output),
            Some(Value::Array(parts)) => {
                let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
                texts.for_each(|text| self.text(text, output));
            }
            _ => {}
        }
        // What a model says when it will not answer is what it says.
        if let Some(Value::String(text)) = message.get("refusal") {
            self.text(text, output);
        }
        for piece in message.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            if !self.calls.take(piece) {
                return self.fail(words::too_many_calls(self.language).to_owned(), output);
            }
        }
        // Some say "" with each piece, and mean nothing by it.
        let reason = choice.get("finish_reason").and_then(Value::as_str);
        self.finished |= reason.is_some_and(|reason| !reason.is_empty());
        match reason {
            Some("length" | "max_tokens") => self.cut = Some(words::cut_short),
            Some("content_filter") => self.cut = Some(words::filtered),
            _ => {}
        }
    }

    fn text(&mut self, text: &str, output: &mut Vec<ModelOutput>) {
        let [halves, _] = &mut self.halves;
        let parted = self.thinking.part(&halves.join(text));
        push_parted(parted, output);
    }

    /// What was held back of text and reasoning, when no more comes.
    fn flush(&mut self, output: &mut Vec<ModelOutput>) {
        let [text, reasoning] = self.halves.each_mut().map(Halves::end);
        push(ModelOutput::Reasoning, reasoning.to_owned(), output);
        self.text(text, output);
        push_parted(self.thinking.end(), output);
    }

    /// The response is complete. Whether it calls is for its calls to say: what servers give as the reason is often
    /// another.
    fn finish(&mut self, output: &mut Vec<ModelOutput>) {
        if self.damaged && !self.calls.is_empty() {
            return self.fail(words::broke_off(self.language).to_owned(), output);
        }
        // Calls that were cut are told from whole ones by their arguments.
        if let Some(cut) = self.cut.filter(|_| self.calls.is_empty()) {
            return self.fail(cut(self.language).to_owned(), output);
        }
        self.over = true;
        self.flush(output);
        output.extend(std::mem::take(&mut self.calls).finish().map(ModelOutput::Call));
        if let Some(member) = self.reasoning {
            let mut kept = JsonObject::new();
            kept.insert(kept::REASONING.to_owned(), member.into());
            output.push(ModelOutput::Kept(kept));
        }
        output.push(ModelOutput::Done);
    }

    fn fail(&mut self, problem: String, output: &mut Vec<ModelOutput>) {
        self.over = true;
        self.flush(output);
        output.push(ModelOutput::Failed(problem));
    }
}

fn push_parted(parted: Parted, output: &mut Vec<ModelOutput>) {
    push(ModelOutput::Reasoning, parted.thoughts, output);
    push(ModelOutput::Text, parted.text, output);
}

fn push(of: fn(String) -> ModelOutput, text: String, output: &mut Vec<ModelOutput>) {
    if !text.is_empty() {
        output.push(of(text));
    }
}
