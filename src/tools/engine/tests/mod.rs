//! The engine without a page: a virtual clock, and a test that plays worker, person and handlers.

mod random;
mod rules;

use serde_json::{Value, json};

use super::*;
use crate::tools::{Category, RiskLevel};

/// An engine, its clock, and what it has asked for since the last time.
struct Rig {
    engine: ToolExecutionEngine,
    now: u64,
    calls: u64,
}

fn tool() -> FrontendTool {
    FrontendTool::from_schema("t", json!({"type": "object"})).description("d").risk_level(RiskLevel::Safe)
}

fn asking() -> FrontendTool {
    tool().category(Category::Form).risk_level(RiskLevel::Moderate).requires_confirmation()
}

fn invalid(path: &str, expected: &str, came: &str) -> CheckOutcome {
    let mismatch = Mismatch { path: path.to_owned(), expected: expected.to_owned(), came: came.to_owned() };
    CheckOutcome::Verdict(Verdict::Invalid { mismatches: vec![mismatch] })
}

const VALID: CheckOutcome = CheckOutcome::Verdict(Verdict::Valid);

impl Rig {
    fn new() -> Self {
        Self::with(PermissionPolicy::default())
    }

    fn with(policy: PermissionPolicy) -> Self {
        Self { engine: ToolExecutionEngine::new(policy, &EngineWords::EN), now: 1_000_000, calls: 0 }
    }

    fn handle(&mut self, input: Input) -> Vec<Effect> {
        self.engine.handle(input, Timestamp::from_millis(self.now));
        std::iter::from_fn(|| self.engine.poll()).collect()
    }

    fn call_of(&mut self, tool: CalledTool, arguments: Value) -> (CallKey, Vec<Effect>) {
        self.calls += 1;
        let key = CallKey(self.calls);
        let effects = self.handle(Input::Call { key, name: "t".to_owned(), arguments, tool });
        (key, effects)
    }

    /// A call that has just come to its check.
    fn call(&mut self, tool: FrontendTool, arguments: Value) -> CallKey {
        let (key, effects) = self.call_of(CalledTool::Frontend(Rc::new(tool)), arguments);
        assert!(matches!(effects.as_slice(), [Effect::Check { .. }]), "{effects:?}");
        key
    }

    fn check(&mut self, key: CallKey, outcome: CheckOutcome) -> Vec<Effect> {
        self.handle(Input::Checked(key, outcome))
    }

    fn prepare(&mut self, key: CallKey, judgement: Option<Result<String, ToolResult>>) -> Vec<Effect> {
        let question_id = ["q", &key.0.to_string()].concat().into();
        self.handle(Input::Prepared { key, judgement, question_id })
    }

    /// A call that has just come to its question, whose id is `q` and the call's number.
    fn ask(&mut self, arguments: Value) -> (CallKey, Confirmation) {
        let key = self.call(asking(), arguments);
        self.check(key, VALID);
        match self.prepare(key, None).as_slice() {
            [Effect::Ask(question)] => (key, question.clone()),
            other => panic!("{other:?}"),
        }
    }

    fn decide(&mut self, id: &str, confirmed: bool) -> Vec<Effect> {
        self.handle(Input::Decided { id: id.to_owned(), confirmed })
    }

    fn newest(&self) -> ExecutionRecord {
        self.engine.execution_log(1).remove(0)
    }
}

/// The answer among the effects: whether it is a success, and its JSON.
fn answer(effects: &[Effect]) -> (bool, Value) {
    let mut answers = effects.iter().filter_map(|effect| match effect {
        Effect::Answer { outcome, .. } => Some(outcome),
        _ => None,
    });
    match (answers.next(), answers.next()) {
        (Some(outcome), None) => {
            let (Ok(text) | Err(text)) = outcome;
            (outcome.is_ok(), serde_json::from_str(text).unwrap_or_else(|_| json!(text)))
        }
        _ => panic!("expected one answer: {effects:?}"),
    }
}

/// The error of the only answer.
fn error(effects: &[Effect]) -> String {
    let (success, result) = answer(effects);
    assert!(!success && result["success"] == false, "{result}");
    result["error"].as_str().unwrap().to_owned()
}
