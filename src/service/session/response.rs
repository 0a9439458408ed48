//! A model's response: collected while it comes, recorded in one piece when it is complete.

use serde_json::Value;

use super::{Effect, Pending, Phase, Private, Response, RunNumber, Session, Turn, Waiting};
use crate::protocol::{
    AgentDefinition, Content, EventBody, IdleReason, JsonObject, Preview, ToolDeclaration,
};
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
            ModelOutput::Call(call) => {
                if let Some(response) = self.response() {
                    response.calls.push(call);
                }
            }
            ModelOutput::Done => {
                let response = self.response().map(std::mem::take).unwrap_or_default();
                if response.message.is_none() && response.calls.is_empty() {
                    self.fail_turn(response, words::EMPTY_ANSWER.to_owned());
                } else {
                    self.record_response(response);
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

    /// Records text, calls and what the session waits for. What is no call of a declared tool is answered here.
    fn record_response(&mut self, mut response: Response) {
        let run = response.run;
        let calls = std::mem::take(&mut response.calls);
        let answered = calls.is_empty();
        self.push_message(response, None);
        if answered {
            return self.end_turn(IdleReason::EndTurn);
        }
        let deadline = self.now + self.tool_timeout;
        let mut pending = Vec::new();
        for call in calls {
            let (name, read) = read_call(&self.agent, &call);
            let input = read.as_ref().cloned().unwrap_or_default();
            let written = serde_json::to_string(&input).unwrap_or_default();
            let mut private = Private {
                run,
                call_id: Some(self.unique_call_id(call.id)),
                arguments: (written != call.arguments).then_some(call.arguments),
                ..Private::default()
            };
            match read {
                Ok(_) => {
                    private.deadline = Some(deadline);
                    let id = self.push(EventBody::CustomToolUse { name, input }, Some(private));
                    self.calls.insert(id.clone(), None);
                    pending.push(Pending { call: id, deadline });
                }
                Err(problem) => {
                    let id = self.push(EventBody::ToolUse { name, input }, Some(private));
                    let content = Content::of(problem);
                    self.push(EventBody::ToolResult { tool_use_id: id, content, is_error: true }, None);
                }
            }
        }
        if !pending.is_empty() {
            let event_ids = pending.iter().map(|pending| pending.call.clone()).collect();
            self.push_idle(IdleReason::RequiresAction { event_ids });
        }
        if let Some(turn) = &mut self.turn {
            turn.rounds += 1;
            let announced = pending.len();
            turn.phase =
                if announced == 0 { Phase::Due } else { Phase::Waiting(Waiting { pending, announced }) };
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

/// The name of the tool that `call` means, and its arguments, or why it cannot be made.
fn read_call(agent: &AgentDefinition, call: &ModelCall) -> (String, Result<JsonObject, String>) {
    let Some(tool) = declared(agent, &call.name) else {
        return (call.name.clone(), Err(["unknown tool ", &call.name].concat()));
    };
    (tool.name.as_str().to_owned(), read_arguments(&call.arguments))
}

/// The tool of this name, or of this name without what some models put around it.
fn declared<'a>(agent: &'a AgentDefinition, name: &str) -> Option<&'a ToolDeclaration> {
    let tool = |name: &str| agent.tools.iter().find(|tool| tool.name.as_str() == name);
    let unprefixed = name.strip_prefix("functions.").unwrap_or(name);
    let unnumbered = match unprefixed.rsplit_once(':') {
        Some((name, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            name
        }
        _ => unprefixed,
    };
    tool(name).or_else(|| tool(unprefixed)).or_else(|| tool(unnumbered))
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
