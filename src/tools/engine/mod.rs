//! The way of each call through the stages of E7, many calls at once:
//! known tool → rate limit → arguments against the schema → sanitising → permission → confirmation → run → record.
//!
//! A state machine without I/O: [`handle`](ToolExecutionEngine::handle) takes an [`Input`] and a reading of the clock,
//! [`poll`](ToolExecutionEngine::poll) gives the [`Effect`]s to carry out, [`deadline`](ToolExecutionEngine::deadline)
//! says when to come back with [`Input::Time`]. It must not call anything of the host's: not the handlers, not the
//! closures of a [`FrontendTool`], not the browser.
//!
//! Every call gets one [`Effect::Answer`], however inputs come: those that are late, doubled or of a call that is over
//! are ignored. A deadline that is due fires before the input at hand, so a confirmation that comes too late is late
//! although no timer has fired (J06).

mod effect;
mod input;
mod words;

#[cfg(test)]
mod tests;

use std::rc::Rc;
use std::time::Duration;

use serde_json::Value;

pub use effect::Effect;
pub use input::{CallKey, CalledTool, CheckOutcome, Input};
pub use words::EngineWords;
use words::named;

use super::{
    Confirmation, ExecutionLog, ExecutionRecord, FrontendTool, HandlerValue, Mismatch, Permission,
    PermissionPolicy, ToolResult, ToolSecurityGuard, Verdict,
};
use crate::protocol::Timestamp;
use crate::protocol::json_text::value_to_json_text;
use crate::protocol::page_context::make_visible;

/// So long the person may think (E9).
pub const CONFIRMATION_TIME: Duration = Duration::from_secs(30);

/// Brings calls through the stages of E7.
#[derive(Debug)]
pub struct ToolExecutionEngine {
    policy: PermissionPolicy,
    words: &'static EngineWords,
    guard: ToolSecurityGuard,
    log: ExecutionLog,
    /// The calls that are not answered yet, oldest first.
    calls: Vec<Call>,
    /// What is still to be done, next first; a few at most.
    effects: Vec<Effect>,
    now: Timestamp,
}

#[derive(Debug)]
struct Call {
    key: CallKey,
    name: String,
    arguments: Value,
    /// `None` for a plain tool.
    tool: Option<Rc<FrontendTool>>,
    came: Timestamp,
    stage: Stage,
    /// What sanitising took out.
    removed: Vec<String>,
}

#[derive(Debug)]
enum Stage {
    /// It came a moment ago, or is on its way from one stage to the next.
    Moving,
    Checking {
        /// Whether this is the second time, after sanitising.
        again: bool,
    },
    Sanitising,
    Preparing {
        ask: bool,
    },
    Confirming(Confirmation),
    Running {
        since: Timestamp,
    },
}

impl ToolExecutionEngine {
    /// An engine without calls.
    #[must_use]
    pub fn new(policy: PermissionPolicy, words: &'static EngineWords) -> Self {
        Self {
            policy,
            words,
            guard: ToolSecurityGuard::default(),
            log: ExecutionLog::default(),
            calls: Vec::new(),
            effects: Vec::new(),
            now: Timestamp::default(),
        }
    }

    /// From now on people are spoken to in these words.
    pub fn set_words(&mut self, words: &'static EngineWords) {
        self.words = words;
    }

    /// From now on this is allowed; what runs or is asked for is not looked at again.
    pub fn set_policy(&mut self, policy: PermissionPolicy) {
        self.policy = policy;
    }

    /// The newest `limit` calls, newest first, without their secrets (E10). 50 is what the article shows.
    #[must_use]
    pub fn execution_log(&self, limit: usize) -> Vec<ExecutionRecord> {
        self.log.newest(limit)
    }

    /// The questions that wait for the person, in the order of their calls.
    #[must_use]
    pub fn confirmations(&self) -> Vec<Confirmation> {
        self.calls.iter().filter_map(Call::question).cloned().collect()
    }

    /// The calls that are not answered yet, oldest first.
    #[must_use]
    pub fn open_calls(&self) -> Vec<CallKey> {
        self.calls.iter().map(|call| call.key).collect()
    }

    /// When to come back at the latest, with [`Input::Time`].
    #[must_use]
    pub fn deadline(&self) -> Option<Timestamp> {
        self.calls.iter().filter_map(Call::question).map(|question| question.expires_at).min()
    }

    /// The next thing to do. Ask until there is none, after each [`handle`](Self::handle).
    pub fn poll(&mut self) -> Option<Effect> {
        (!self.effects.is_empty()).then(|| self.effects.remove(0))
    }

    /// Takes what happened at `now`. A reading that is earlier than one before counts as that one.
    pub fn handle(&mut self, input: Input, now: Timestamp) {
        self.now = self.now.max(now);
        self.expire();
        match input {
            Input::Call { key, name, arguments, tool } => self.call(key, name, arguments, tool),
            Input::Checked(key, outcome) => {
                let stage = |stage: &Stage| match stage {
                    Stage::Checking { again } => Some(*again),
                    _ => None,
                };
                if let Some((call, again)) = self.take(key, stage) {
                    self.checked(call, again, outcome);
                }
            }
            Input::Sanitised(key, outcome) => {
                let stage = |stage: &Stage| matches!(stage, Stage::Sanitising).then_some(());
                if let Some((call, ())) = self.take(key, stage) {
                    self.sanitised(call, outcome);
                }
            }
            Input::Prepared { key, judgement, question_id } => {
                let stage = |stage: &Stage| match stage {
                    Stage::Preparing { ask } => Some(*ask),
                    _ => None,
                };
                if let Some((call, ask)) = self.take(key, stage) {
                    self.prepared(call, ask, judgement, question_id);
                }
            }
            Input::Decided { id, confirmed } => {
                let asked = |call: &Call| call.question().is_some_and(|question| *question.id == *id);
                match self.take_where(asked) {
                    Some(call) if confirmed => self.run(call),
                    Some(call) => {
                        self.refuse(call, "confirmation: the person refused", self.words.refused);
                    }
                    None => {}
                }
            }
            Input::Finished(key, outcome) => {
                let stage = |stage: &Stage| match stage {
                    Stage::Running { since } => Some(*since),
                    _ => None,
                };
                if let Some((call, since)) = self.take(key, stage) {
                    self.finished(call, since, outcome);
                }
            }
            Input::Aborted(key) => {
                let waits = |call: &Call| call.key == key && !matches!(call.stage, Stage::Running { .. });
                if let Some(call) = self.take_where(waits) {
                    self.withdraw(&call);
                    self.refuse(call, "stopped before it ran", self.words.stopped);
                }
            }
            Input::Time => {}
        }
    }

    /// Known tool, rate limit.
    fn call(&mut self, key: CallKey, name: String, arguments: Value, tool: CalledTool) {
        let (known, tool) = match tool {
            CalledTool::Unknown => (false, None),
            CalledTool::Plain => (true, None),
            CalledTool::Frontend(tool) => (true, Some(tool)),
        };
        let call =
            Call { key, name, arguments, tool, came: self.now, stage: Stage::Moving, removed: Vec::new() };
        if !known {
            let error = ["unknown tool ", &call.name].concat();
            return self.refuse(call, &error, self.words.failed);
        }
        if call.tool.is_none() {
            return self.run(call);
        }
        match self.guard.admit(&call.name, self.now) {
            Ok(()) => self.check(call, false),
            Err(wait) => {
                let seconds = (wait + Duration::from_millis(999)).as_secs().to_string();
                let error = [
                    "rate limit: at most 10 calls of ",
                    &call.name,
                    " in a minute; try again in ",
                    &seconds,
                    " s",
                ]
                .concat();
                self.refuse(call, &error, self.words.too_often);
            }
        }
    }

    /// Arguments against the schema.
    fn check(&mut self, call: Call, again: bool) {
        let Some(tool) = call.tool.clone() else { return self.run(call) };
        let arguments = value_to_json_text(&call.arguments);
        self.effects.push(Effect::Check { call: call.key, tool, arguments });
        self.keep(call, Stage::Checking { again });
    }

    fn checked(&mut self, call: Call, again: bool, outcome: CheckOutcome) {
        let unchecked = match outcome {
            CheckOutcome::Verdict(Verdict::Valid) if again => return self.permit(call),
            CheckOutcome::Verdict(Verdict::Valid) => return self.sanitise(call),
            CheckOutcome::Verdict(Verdict::Invalid { mismatches }) => {
                let stage = if again { "arguments, after sanitising: " } else { "arguments: " };
                let sentences: Vec<_> = mismatches.iter().map(sentence).collect();
                return self.refuse(call, &[stage, &sentences.join("; ")].concat(), self.words.invalid);
            }
            CheckOutcome::Verdict(Verdict::SchemaUnusable { message }) => {
                ["the tool's schema cannot be used: ", &message].concat()
            }
            CheckOutcome::TimedOut => "it took too long".to_owned(),
            CheckOutcome::Unavailable(problem) => problem,
        };
        let error = ["arguments: they could not be checked against the schema: ", &unchecked].concat();
        self.refuse(call, &error, self.words.unchecked);
    }

    /// Sanitising. A text without `<` is never touched (E13).
    fn sanitise(&mut self, call: Call) {
        if !may_hold_markup(&call.arguments) {
            return self.permit(call);
        }
        self.effects.push(Effect::Sanitise { call: call.key, arguments: call.arguments.clone() });
        self.keep(call, Stage::Sanitising);
    }

    fn sanitised(&mut self, mut call: Call, outcome: Result<(Value, Vec<String>), String>) {
        match outcome {
            Ok((_, changes)) if changes.is_empty() => self.permit(call),
            Ok((arguments, changes)) => {
                (call.arguments, call.removed) = (arguments, changes);
                self.check(call, true);
            }
            Err(problem) => {
                let error = ["sanitising: ", &problem].concat();
                self.refuse(call, &error, self.words.invalid);
            }
        }
    }

    /// Permission.
    fn permit(&mut self, call: Call) {
        let Some(tool) = call.tool.clone() else { return self.run(call) };
        let (category, risk_level, requires_confirmation) = tool.risk();
        let ask = match self.policy.permission(category, risk_level, requires_confirmation) {
            Permission::Allow => false,
            Permission::Ask => true,
            Permission::Deny => {
                let error = [
                    "permission: this app does not allow ",
                    risk_level.as_str(),
                    " tools of the category ",
                    category.as_str(),
                ];
                return self.refuse(call, &error.concat(), self.words.denied);
            }
        };
        let arguments = call.arguments.clone();
        self.effects.push(Effect::Prepare { call: call.key, tool, arguments });
        self.keep(call, Stage::Preparing { ask });
    }

    /// Confirmation.
    fn prepared(
        &mut self,
        call: Call,
        ask: bool,
        judgement: Option<Result<String, ToolResult>>,
        id: Rc<str>,
    ) {
        let description = match judgement {
            Some(Ok(description)) => description,
            None => String::new(),
            Some(Err(result)) => return self.answer(call, Duration::ZERO, result, true),
        };
        let (true, Some(tool)) = (ask, &call.tool) else { return self.run(call) };
        let description = match description.as_str() {
            "" => named(self.words.will_run, &call.name),
            description => make_visible(description),
        };
        let question = Confirmation {
            id,
            tool: tool.name().into(),
            description,
            arguments: call.arguments.clone(),
            risk_level: tool.risk().1,
            expires_at: self.now + CONFIRMATION_TIME,
        };
        self.effects.push(Effect::Ask(question.clone()));
        self.keep(call, Stage::Confirming(question));
    }

    fn run(&mut self, call: Call) {
        self.effects.push(Effect::Run { call: call.key, arguments: call.arguments.clone() });
        self.keep(call, Stage::Running { since: self.now });
    }

    fn finished(&mut self, call: Call, since: Timestamp, outcome: Result<HandlerValue, String>) {
        // What a plain tool gives back goes to the agent as it is (K4, K13), unless it is a `ToolResult` itself.
        let whole = call.tool.is_some() || matches!(outcome, Ok(HandlerValue::Result(_)));
        let result = match outcome {
            Ok(HandlerValue::Nothing) => ToolResult::done(None, ""),
            Ok(HandlerValue::Value(data)) => ToolResult::done(data, ""),
            Ok(HandlerValue::Result(result)) => result,
            Err(error) => ToolResult::failed(error, ""),
        };
        self.answer(call, self.now.since(since), result, whole);
    }

    fn refuse(&mut self, call: Call, error: &str, summary: &str) {
        let summary = named(summary, &call.name);
        let whole = call.tool.is_some();
        self.answer(call, Duration::ZERO, ToolResult::failed(error, summary), whole);
    }

    /// Records and answers: with the whole result, or with its bare text.
    fn answer(&mut self, call: Call, duration: Duration, mut result: ToolResult, whole: bool) {
        if result.summary.is_empty() {
            let template = if result.success { self.words.done } else { self.words.failed };
            result.summary = named(template, &call.name);
        }
        if !call.removed.is_empty() {
            result.summary = [&result.summary, self.words.removed, &call.removed.join(", ")].concat();
        }
        let text = if whole {
            value_to_json_text(&result.to_json(&call.name, millis(duration)))
        } else {
            match (&result.error, &result.data) {
                (Some(error), _) => error.clone(),
                (None, Some(Value::String(text))) => text.clone(),
                (None, Some(data)) => value_to_json_text(data),
                (None, None) => String::new(),
            }
        };
        let outcome = if result.success { Ok(text) } else { Err(text) };
        let (tool, arguments, at) = (call.name, call.arguments, call.came);
        self.log.record(ExecutionRecord { tool, arguments, result, duration, at });
        self.effects.push(Effect::Answer { call: call.key, outcome });
    }

    fn withdraw(&mut self, call: &Call) {
        if let Some(question) = call.question() {
            self.effects.push(Effect::Withdraw { id: question.id.clone() });
        }
    }

    /// Refuses the questions whose time is over.
    fn expire(&mut self) {
        let now = self.now;
        let due = |call: &Call| call.question().is_some_and(|question| question.expires_at <= now);
        while let Some(call) = self.take_where(due) {
            self.withdraw(&call);
            self.refuse(call, "confirmation: nobody answered within 30 s", self.words.expired);
        }
    }

    fn keep(&mut self, mut call: Call, stage: Stage) {
        call.stage = stage;
        // In the order in which they came.
        let at = self.calls.partition_point(|other| (other.came, other.key) < (call.came, call.key));
        self.calls.insert(at, call);
    }

    fn take<T>(&mut self, key: CallKey, stage: fn(&Stage) -> Option<T>) -> Option<(Call, T)> {
        let (at, found) = self.calls.iter().enumerate().find_map(|(at, call)| {
            let found = (call.key == key).then(|| stage(&call.stage))??;
            Some((at, found))
        })?;
        Some((self.calls.remove(at), found))
    }

    fn take_where(&mut self, fits: impl Fn(&Call) -> bool) -> Option<Call> {
        let at = self.calls.iter().position(fits)?;
        Some(self.calls.remove(at))
    }
}

impl Call {
    fn question(&self) -> Option<&Confirmation> {
        match &self.stage {
            Stage::Confirming(question) => Some(question),
            _ => None,
        }
    }
}

fn sentence(found: &Mismatch) -> String {
    let place = if found.path.is_empty() { "the whole" } else { &found.path };
    [place, ": expected ", &found.expected, ", came ", &found.came].concat()
}

fn may_hold_markup(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('<'),
        Value::Array(elements) => elements.iter().any(may_hold_markup),
        Value::Object(members) => {
            members.iter().any(|(name, member)| name.contains('<') || may_hold_markup(member))
        }
        _ => false,
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
