//! The tutor: a model that follows a script. Deterministic, bilingual, without a network.
//!
//! It sees what a chat model sees, a [`ModelRequest`], and nothing else: what it knows of the page it reads out of
//! the message, what calls gave back out of their results. A recorded chat stream can take its place.

mod page;
mod stream;

use serde_json::{Map, Value};

use super::{ModelCall, ModelMessage, ModelOutput, ModelRequest};
use crate::protocol::JsonObject;
use crate::protocol::json_text::to_json_text;
use crate::protocol::tutor_script::{Intent, Language, Say, ScriptedCall, Template, TutorScript};
use crate::service::words::tutor as words;

/// What an error's text begins with, for models.
const ERROR: &str = "Error: ";

/// What the tutor answers: its text in pieces as a stream would bring them, its calls, and that it is done.
///
/// How fast the pieces come is up to who passes them on.
#[must_use]
pub fn respond(script: &TutorScript, request: &ModelRequest) -> Vec<ModelOutput> {
    let asked = request.messages.iter().rposition(|message| matches!(message, ModelMessage::User { .. }));
    let (before, since) = request.messages.split_at(asked.map_or(0, |asked| asked + 1));
    let (question, page) = page::read(before.last().map_or("", ModelMessage::text));
    let language = Language::of(question);

    let understood = script.intents.iter().find_map(|intent| {
        let captured = intent.patterns.iter().find_map(|pattern| pattern.captures(question))?;
        Some((intent, captured))
    });
    let Some((intent, captured)) = understood else {
        return say(say_or(script.fallback.as_ref(), language, &|_| None, || words::fallback(language)));
    };
    let reply = Reply { script, intent, language, captured, page };
    match Round::last(since) {
        Some(round) => say(reply.after(&round)),
        None if intent.calls.is_empty() => say(reply.answer(&[])),
        None => reply.calls(request),
    }
}

fn say(text: String) -> Vec<ModelOutput> {
    let text = stream::pieces(&text).into_iter().map(|piece| ModelOutput::Text(piece.to_owned()));
    text.chain([ModelOutput::Done]).collect()
}

fn say_or(
    say: Option<&Say>,
    language: Language,
    lookup: &impl Fn(&str) -> Option<Value>,
    otherwise: impl FnOnce() -> String,
) -> String {
    say.and_then(|say| say.fill(language, lookup)).unwrap_or_else(otherwise)
}

/// The calls of the last response in this turn, with what they gave back.
struct Round<'a> {
    results: Vec<(&'a str, &'a str)>,
}

impl<'a> Round<'a> {
    fn last(messages: &'a [ModelMessage]) -> Option<Self> {
        let calls = messages.iter().rev().find_map(|message| match message {
            ModelMessage::Assistant { calls, .. } if !calls.is_empty() => Some(calls),
            _ => None,
        })?;
        let result = |call: &ModelCall| {
            messages.iter().rev().find_map(|message| match message {
                ModelMessage::Tool { call_id, text } if *call_id == call.id => Some(text.as_str()),
                _ => None,
            })
        };
        let results = calls.iter().map(|call| (call.name.as_str(), result(call).unwrap_or(ERROR))).collect();
        Some(Self { results })
    }

    /// What each of the script's calls gave back: the next result of its tool.
    fn of(&self, calls: impl Iterator<Item = &'a ScriptedCall>) -> Vec<(&'a ScriptedCall, &'a str)> {
        let mut left: Vec<_> = self.results.iter().collect();
        let result = |call: &'a ScriptedCall| {
            let place = left.iter().position(|(tool, _)| *tool == call.tool.as_str())?;
            Some((call, left.remove(place).1))
        };
        calls.filter_map(result).collect()
    }
}

/// What is known when an intent is answered.
struct Reply<'a> {
    script: &'a TutorScript,
    intent: &'a Intent,
    language: Language,
    captured: Map<String, Value>,
    page: Vec<(String, Value)>,
}

impl<'a> Reply<'a> {
    /// The intent's calls that are made on this page.
    fn wanted(&self) -> impl Iterator<Item = &'a ScriptedCall> + '_ {
        let holds = |conditions: &JsonObject| {
            conditions.iter().all(|(path, expected)| self.value(path, &[]).as_ref() == Some(expected))
        };
        let is_wanted =
            move |call: &&ScriptedCall| holds(&call.when) && (call.unless.is_empty() || !holds(&call.unless));
        self.intent.calls.iter().filter(is_wanted)
    }

    /// Makes the intent's calls, where the page has the tools and shows what they need.
    fn calls(&self, request: &ModelRequest) -> Vec<ModelOutput> {
        let declared = |call: &ScriptedCall| request.tools.iter().any(|tool| tool.name == call.tool);
        if let Some(call) = self.wanted().find(|call| !declared(call)) {
            let tool = call.tool.as_str();
            let lookup = |path: &str| (path == "tool").then(|| Value::from(tool));
            let unavailable = || words::unavailable(self.language, tool);
            return say(say_or(self.script.unavailable.as_ref(), self.language, &lookup, unavailable));
        }
        let made = request.messages.iter().map(|message| match message {
            ModelMessage::Assistant { calls, .. } => calls.len(),
            _ => 0,
        });
        let first = made.sum::<usize>() + 1;
        let calls: Option<Vec<_>> = (first..)
            .zip(self.wanted())
            .map(|(number, call)| {
                let arguments = self.object(&call.input)?;
                let id = ["call_", &number.to_string()].concat();
                let arguments = to_json_text(&arguments).unwrap_or_default();
                Some(ModelOutput::Call(ModelCall::new(id, call.tool.as_str(), arguments)))
            })
            .collect();
        match calls {
            Some(mut calls) => {
                calls.push(ModelOutput::Done);
                calls
            }
            None => say(self.missing()),
        }
    }

    /// Answers when the calls have been answered, each of them where one has failed.
    fn after(&self, round: &Round<'_>) -> String {
        let results = round.of(self.wanted());
        if !results.is_empty() && results.iter().all(|(_, text)| !text.starts_with(ERROR)) {
            return self.answer(&results);
        }
        let sentence = |(call, text): &(&ScriptedCall, &str)| {
            let tool = call.tool.as_str();
            let Some(error) = text.strip_prefix(ERROR) else {
                return say_or(
                    call.answer.as_ref(),
                    self.language,
                    &|path| self.value(path, &results),
                    || words::done(self.language, tool),
                );
            };
            let error = self.error_for_people(error);
            let lookup = |path: &str| match path {
                "tool" => Some(Value::from(tool)),
                "error" => Some(Value::from(error.as_str())),
                captured => self.captured.get(captured).cloned(),
            };
            let words = call.failed.as_ref().or(self.script.failed.as_ref());
            say_or(words, self.language, &lookup, || words::failed(self.language, tool, &error))
        };
        let sentences: Vec<_> = results.iter().map(sentence).collect();
        if sentences.is_empty() { self.missing() } else { sentences.join("\n\n") }
    }

    fn answer(&self, results: &[(&ScriptedCall, &str)]) -> String {
        let lookup = |path: &str| self.value(path, results);
        let answer = match &self.intent.answer {
            Some(answer) => answer.fill(self.language, &lookup),
            None => {
                let answers =
                    results.iter().map(|(call, _)| call.answer.as_ref()?.fill(self.language, &lookup));
                answers.collect::<Option<Vec<_>>>().map(|answers| answers.join("\n\n"))
            }
        };
        answer.unwrap_or_else(|| self.missing())
    }

    /// An error in the script's words, else in its own: the tool engine's errors are JSON that has them inside.
    fn error_for_people(&self, error: &str) -> String {
        let json: Value = serde_json::from_str(error).unwrap_or_default();
        let inside =
            json.get("error").and_then(Value::as_str).or_else(|| json.get("summary").and_then(Value::as_str));
        let error = inside.unwrap_or(error);
        let known = self.script.errors.iter().find(|known| error.contains(&known.error));
        say_or(known.map(|known| &known.say), self.language, &|_| None, || error.to_owned())
    }

    fn missing(&self) -> String {
        let lookup = |path: &str| self.value(path, &[]);
        let words = self.intent.missing.as_ref().or(self.script.missing.as_ref());
        say_or(words, self.language, &lookup, || words::missing(self.language))
    }

    /// The value of a template's path.
    fn value(&self, path: &str, results: &[(&ScriptedCall, &str)]) -> Option<Value> {
        if let Some(path) = path.strip_prefix("page.") {
            // Names may have dots in them: the longest that fits is meant.
            let named = |(name, value): &'_ (String, Value)| {
                Some((name.len(), step_into(value, rest_after(path, name)?)?))
            };
            return self
                .page
                .iter()
                .filter_map(named)
                .max_by_key(|(length, _)| *length)
                .map(|(_, value)| value);
        }
        if let Some(captured) = self.captured.get(path) {
            return Some(captured.clone());
        }
        results.iter().find_map(|(call, text)| {
            let rest = rest_after(path, call.result_name())?;
            let result = serde_json::from_str(text).unwrap_or_else(|_| Value::from(*text));
            step_into(&result, rest)
        })
    }

    /// Arguments with their values in place; `None` when one is not there.
    fn object(&self, input: &JsonObject) -> Option<JsonObject> {
        input.iter().map(|(name, value)| Some((name.clone(), self.argument(value)?))).collect()
    }

    fn argument(&self, value: &Value) -> Option<Value> {
        match value {
            Value::String(text) => Template::parse(text).ok()?.fill_value(&|path| self.value(path, &[])),
            Value::Array(list) => list.iter().map(|value| self.argument(value)).collect(),
            Value::Object(object) => self.object(object).map(Value::Object),
            other => Some(other.clone()),
        }
    }
}

/// What comes after `name` in `path`: nothing, or further steps.
fn rest_after<'a>(path: &'a str, name: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(name)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('.') }
}

fn step_into(value: &Value, path: &str) -> Option<Value> {
    let mut steps = path.split('.').filter(|step| !step.is_empty());
    let step = |value: &'_ Value, step: &str| match value {
        Value::Array(list) => list.get(step.parse::<usize>().ok()?).cloned(),
        other => other.get(step).cloned(),
    };
    steps.try_fold(value.clone(), |value, name| step(&value, name))
}

#[cfg(test)]
mod tests;
