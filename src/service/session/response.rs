//! A model's response: collected while it comes, recorded in one piece when it is complete.

use serde_json::Value;

use super::{Effect, Pending, Phase, Private, Response, RunNumber, Session, Turn, Waiting};
use crate::protocol::json_text::to_json_text;
use crate::protocol::{EventBody, IdleReason, JsonObject, Preview, RetryStatus};
use crate::service::built_in::BuiltInTool;
use crate::service::model::{ModelCall, ModelOutput};
use crate::service::words;

/// How much of arguments that cannot be read stands in the error.
const SHOWN_ARGUMENTS: usize = 200;

impl Session {
    pub(super) fn model_output(&mut self, run: RunNumber, output: ModelOutput) -> Vec<Effect> {
        let asked = |turn: &Turn| matches!(&turn.phase, Phase::Asked(response) if response.run == run);
        if !self.turn.as_ref().is_some_and(asked) {
            return Vec::new(); // An older run's.
        }
        match output {
            ModelOutput::Text(text) if text.is_empty() => {}
            ModelOutput::Text(text) => return self.preview(text),
            ModelOutput::Reasoning(text) => {
                if let Some(response) = self.response() {
                    response.reasoning.push_str(&text);
                }
            }
            ModelOutput::Kept(kept) => {
                if let Some(response) = self.response() {
                    response.kept = Some(kept);
                }
            }
            ModelOutput::Call(call) => {
                if let Some(response) = self.response() {
                    response.calls.push(call);
                }
            }
            ModelOutput::Retrying(Some(why)) => self.push_error("model_error", why, RetryStatus::Retrying),
            ModelOutput::Retrying(None) => {
                self.push(EventBody::StatusRunning {}, None);
            }
            ModelOutput::Done => {
                let response = self.response().map(std::mem::take).unwrap_or_default();
                if response.message.is_none() && response.calls.is_empty() {
                    self.fail_turn(response, words::empty_answer(self.language()).to_owned());
                } else {
                    return self.record_response(response);
                }
            }
            ModelOutput::Failed(message) => {
                let response = self.response().map(std::mem::take).unwrap_or_default();
                self.fail_turn(response, message);
            }
        }
        Vec::new()
    }

    fn response(&mut self) -> Option<&mut Response> {
        match &mut self.turn {
            Some(Turn { phase: Phase::Asked(response), .. }) => Some(response),
            _ => None,
        }
    }

    fn preview(&mut self, text: String) -> Vec<Effect> {
        let begun = self.response().and_then(|response| response.message.clone());
        let start = begun.is_none();
        let id = begun.unwrap_or_else(|| self.next_id());
        if let Some(response) = self.response() {
            response.text.push_str(&text);
            response.message = Some(id.clone());
        }
        let start = start.then(|| Effect::Preview(Preview::Start { id: id.clone() }));
        start.into_iter().chain([Effect::Preview(Preview::Delta { id, text })]).collect()
    }

    /// Records text, calls and what the session waits for, and says which built-in tools to run. What is no call of a
    /// declared tool is answered here.
    fn record_response(&mut self, mut response: Response) -> Vec<Effect> {
        let run = response.run;
        let calls = std::mem::take(&mut response.calls);
        let answered = calls.is_empty();
        // The message has it, where there is one.
        let mut of_response =
            if response.message.is_none() { response.private() } else { Private::default() };
        self.push_message(response, None);
        if answered {
            self.end_turn(IdleReason::EndTurn);
            return Vec::new();
        }
        let deadline = self.now + self.settings.tool_timeout;
        let (mut waiting, mut runs) = (Waiting::default(), Vec::new());
        for call in calls {
            let (name, read) = self.read_call(&call);
            let input = read.as_ref().map(|(_, input)| input.clone()).unwrap_or_default();
            let written = to_json_text(&input).unwrap_or_default();
            let mut private = Private {
                run,
                call_id: Some(self.unique_call_id(call.id)),
                arguments: (written != call.arguments).then_some(call.arguments),
                extra: call.extra,
                ..std::mem::take(&mut of_response)
            };
            match read {
                Ok((None, _)) => {
                    private.deadline = Some(deadline);
                    let call = self.push(EventBody::CustomToolUse { name, input }, Some(private));
                    self.calls.insert(call.clone(), None);
                    waiting.pending.push(Pending { call, deadline });
                }
                Ok((Some(tool), _)) => {
                    let body = EventBody::ToolUse { name, input: input.clone() };
                    let call = self.push(body, Some(private));
                    waiting.built_in.push(Pending { call: call.clone(), deadline });
                    runs.push(Effect::RunBuiltIn { call, tool, input });
                }
                Err(problem) => {
                    let call = self.push(EventBody::ToolUse { name, input }, Some(private));
                    self.push_built_in_result(call, Err(problem));
                }
            }
        }
        if !waiting.pending.is_empty() {
            waiting.announced = waiting.pending.len();
            let event_ids = waiting.pending.iter().map(|pending| pending.call.clone()).collect();
            self.push_idle(IdleReason::RequiresAction { event_ids });
        }
        if let Some(turn) = &mut self.turn {
            turn.rounds += 1;
            let answered = waiting.pending.is_empty() && waiting.built_in.is_empty();
            turn.phase = if answered { Phase::Due } else { Phase::Waiting(waiting) };
        }
        runs
    }

    /// The name of the tool that `call` means; the tool, where it is built in, and the arguments, or why the call
    /// cannot be made.
    fn read_call(&self, call: &ModelCall) -> (String, Result<(Option<BuiltInTool>, JsonObject), String>) {
        let custom = |name: &str| self.agent.tools.iter().any(|tool| tool.name.as_str() == name);
        let built_in = |name: &str| self.settings.built_in.iter().copied().find(|tool| tool.name() == name);
        let named = meant_names(&call.name).into_iter().find_map(|name| match built_in(name) {
            None if custom(name) => Some((name, None)),
            tool => tool.map(|tool| (name, Some(tool))),
        });
        match named {
            Some((name, tool)) => {
                (name.to_owned(), read_arguments(&call.arguments).map(|input| (tool, input)))
            }
            None => (call.name.clone(), Err(["unknown tool ", &call.name].concat())),
        }
    }

    /// The provider's id of a call; one of our own where that is empty or taken: some providers count anew with
    /// each response, and strict ones refuse a history in which two calls have one id.
    fn unique_call_id(&self, given: String) -> String {
        let mut private = self.records.iter().filter_map(|record| record.private.as_ref());
        if given.is_empty() || private.any(|private| private.call_id.as_ref() == Some(&given)) {
            // Nine letters and digits: what every provider takes.
            format!("c{:08}", self.ids)
        } else {
            given
        }
    }
}

/// The names that a call may mean: as it stands, then without what some models put around it.
fn meant_names(name: &str) -> [&str; 3] {
    let unprefixed = name.strip_prefix("functions.").unwrap_or(name);
    let unnumbered = match unprefixed.rsplit_once(':') {
        Some((name, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            name
        }
        _ => unprefixed,
    };
    [name, unprefixed, unnumbered]
}

/// Arguments as an object. Nothing and `null` mean no arguments; an object that was written as a string is
/// unwrapped once.
fn read_arguments(text: &str) -> Result<JsonObject, String> {
    if text.trim().is_empty() {
        return Ok(JsonObject::new());
    }
    let problem = match serde_json::from_str(text) {
        Ok(Value::Object(object)) => return Ok(object),
        Ok(Value::Null) => return Ok(JsonObject::new()),
        Ok(Value::String(inner)) => match serde_json::from_str(&inner) {
            Ok(Value::Object(object)) => return Ok(object),
            _ => "not a JSON object",
        },
        Ok(_) => "not a JSON object",
        Err(_) => "not JSON",
    };
    let shown: String = text.chars().take(SHOWN_ARGUMENTS).collect();
    let more = if shown.len() < text.len() { "…" } else { "" };
    Err(["the arguments must be a JSON object; they were ", problem, ": ", &shown, more].concat())
}
