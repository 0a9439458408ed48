//! Random interleavings: worker, person, handlers and clock do what they like, in any order.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

/// What happens next. Numbers pick among what is open, or among all that ever was.
#[derive(Clone, Debug)]
enum Step {
    Call { kind: u8, markup: bool },
    Check { which: prop::sample::Index, outcome: u8 },
    Sanitise { which: prop::sample::Index, outcome: u8 },
    Prepare { which: prop::sample::Index, outcome: u8 },
    Decide { which: prop::sample::Index, confirmed: bool },
    Finish { which: prop::sample::Index, outcome: u8 },
    Abort { which: prop::sample::Index },
    Pass { millis: u64 },
}

fn step() -> impl Strategy<Value = Step> {
    let which = any::<prop::sample::Index>;
    prop_oneof![
        3 => (0..5_u8, any::<bool>()).prop_map(|(kind, markup)| Step::Call { kind, markup }),
        4 => (which(), 0..6_u8).prop_map(|(which, outcome)| Step::Check { which, outcome }),
        2 => (which(), 0..4_u8).prop_map(|(which, outcome)| Step::Sanitise { which, outcome }),
        4 => (which(), 0..6_u8).prop_map(|(which, outcome)| Step::Prepare { which, outcome }),
        4 => (which(), any::<bool>()).prop_map(|(which, confirmed)| Step::Decide { which, confirmed }),
        3 => (which(), 0..3_u8).prop_map(|(which, outcome)| Step::Finish { which, outcome }),
        1 => which().prop_map(|which| Step::Abort { which }),
        2 => (0..20_000_u64).prop_map(|millis| Step::Pass { millis }),
    ]
}

/// What is known of a call from the outside.
#[derive(Default)]
struct Seen {
    kind: u8,
    /// The arguments that were last found valid.
    valid: Option<Value>,
    /// The arguments of the check that is under way.
    checking: Option<Value>,
    asked: Option<Confirmation>,
    /// The person said yes in time.
    agreed: bool,
    decided: bool,
    withdrawn: bool,
    ran: bool,
    answers: usize,
    aborted: bool,
}

struct World {
    rig: Rig,
    calls: BTreeMap<CallKey, Seen>,
    questions: BTreeMap<String, CallKey>,
    admitted: Vec<u64>,
}

impl World {
    fn take(&mut self, effects: Vec<Effect>) -> Result<(), TestCaseError> {
        for effect in effects {
            match effect {
                Effect::Check { call, arguments, .. } => {
                    let seen = self.calls.get_mut(&call).unwrap();
                    seen.checking = Some(serde_json::from_str(&arguments).unwrap());
                }
                Effect::Sanitise { call, .. } | Effect::Prepare { call, .. } => {
                    let seen = &self.calls[&call];
                    prop_assert!(seen.valid.is_some() && seen.kind > 1);
                }
                Effect::Ask(question) => {
                    let (_, call) = self.questions.iter().find(|(id, _)| **id == *question.id).unwrap();
                    let seen = self.calls.get_mut(call).unwrap();
                    prop_assert!(seen.asked.is_none() && seen.kind > 2 && seen.answers == 0);
                    prop_assert_eq!(seen.valid.as_ref(), Some(&question.arguments));
                    seen.asked = Some(question);
                }
                Effect::Withdraw { id } => {
                    let seen = self.calls.get_mut(&self.questions[&*id]).unwrap();
                    let question = seen.asked.as_ref().unwrap();
                    prop_assert!(!seen.decided && !seen.withdrawn);
                    prop_assert!(seen.aborted || question.expires_at.as_millis() <= self.rig.now);
                    seen.withdrawn = true;
                }
                Effect::Run { call, arguments } => {
                    let seen = self.calls.get_mut(&call).unwrap();
                    prop_assert!(!seen.ran && seen.answers == 0 && !seen.withdrawn);
                    if seen.kind > 1 {
                        prop_assert_eq!(seen.valid.as_ref(), Some(&arguments), "it runs what was checked");
                    }
                    if seen.kind > 2 {
                        let question = seen.asked.as_ref().unwrap();
                        prop_assert!(seen.agreed, "nobody agreed");
                        prop_assert_eq!(&question.arguments, &arguments, "it runs what was shown");
                        prop_assert!(self.rig.now < question.expires_at.as_millis());
                    }
                    seen.ran = true;
                }
                Effect::Answer { call, outcome } => {
                    let seen = self.calls.get_mut(&call).unwrap();
                    seen.answers += 1;
                    prop_assert_eq!(seen.answers, 1, "one answer a call");
                    prop_assert!(seen.ran || outcome.is_err());
                    prop_assert!(
                        seen.asked.is_none() || seen.decided || seen.withdrawn,
                        "the dialog stays open"
                    );
                }
            }
        }
        Ok(())
    }

    fn pick(&self, which: prop::sample::Index) -> CallKey {
        CallKey(which.index(self.rig.calls as usize + 1) as u64 + 1)
    }

    fn step(&mut self, step: Step) -> Result<(), TestCaseError> {
        let input = match step {
            Step::Call { kind, markup } => {
                self.rig.calls += 1;
                let key = CallKey(self.rig.calls);
                let tool = match kind {
                    0 => CalledTool::Unknown,
                    1 => CalledTool::Plain,
                    2 => CalledTool::Frontend(Rc::new(tool())),
                    3 => CalledTool::Frontend(Rc::new(asking())),
                    _ => CalledTool::Frontend(Rc::new(tool().risk_level(RiskLevel::Dangerous))),
                };
                let text = if markup { "<script>" } else { "plain" };
                let arguments = json!({"n": key.0, "text": text});
                self.calls.insert(key, Seen { kind, ..Seen::default() });
                Input::Call { key, name: "t".to_owned(), arguments, tool }
            }
            Step::Check { which, outcome } => {
                let key = self.pick(which);
                let outcome = match outcome {
                    0 => invalid("/n", "x", "y"),
                    1 => CheckOutcome::TimedOut,
                    _ => VALID,
                };
                if let Some(seen) = self.calls.get_mut(&key)
                    && outcome == VALID
                    && seen.checking.is_some()
                {
                    seen.valid = seen.checking.take();
                }
                Input::Checked(key, outcome)
            }
            Step::Sanitise { which, outcome } => {
                let key = self.pick(which);
                Input::Sanitised(
                    key,
                    match outcome {
                        0 => Err("no parser".to_owned()),
                        1 => Ok((json!({"n": key.0, "text": "<"}), Vec::new())),
                        _ => Ok((json!({"n": key.0, "text": ""}), vec!["/text".to_owned()])),
                    },
                )
            }
            Step::Prepare { which, outcome } => {
                let key = self.pick(which);
                let question_id = ["q", &key.0.to_string()].concat();
                self.questions.insert(question_id.clone(), key);
                let judgement = match outcome {
                    0 => Some(Err(ToolResult::failed("no", "no"))),
                    1 => Some(Ok("in words".to_owned())),
                    _ => None,
                };
                Input::Prepared { key, judgement, question_id: question_id.into() }
            }
            Step::Decide { which, confirmed } => {
                let key = self.pick(which);
                if let Some(seen) = self.calls.get_mut(&key)
                    && let Some(question) = &seen.asked
                    && !seen.withdrawn
                    && !seen.decided
                    && self.rig.now < question.expires_at.as_millis()
                {
                    (seen.decided, seen.agreed) = (true, confirmed);
                }
                Input::Decided { id: ["q", &key.0.to_string()].concat(), confirmed }
            }
            Step::Finish { which, outcome } => Input::Finished(
                self.pick(which),
                match outcome {
                    0 => Err("threw".to_owned()),
                    1 => Ok(HandlerValue::Nothing),
                    _ => Ok(HandlerValue::Result(ToolResult::done(json!(1), ""))),
                },
            ),
            Step::Abort { which } => {
                let key = self.pick(which);
                if let Some(seen) = self.calls.get_mut(&key) {
                    seen.aborted = true;
                }
                Input::Aborted(key)
            }
            Step::Pass { millis } => {
                self.rig.now += millis;
                Input::Time
            }
        };
        let called = match &input {
            Input::Call { key, .. } => Some(*key),
            _ => None,
        };
        let effects = self.rig.handle(input);
        if called.is_some() && effects.iter().any(|effect| matches!(effect, Effect::Check { .. })) {
            self.admitted.push(self.rig.now);
        }
        self.take(effects)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn e7_e9_e12_every_call_gets_one_result_and_runs_only_what_was_checked_and_shown(
        steps in prop::collection::vec(step(), 0..120),
    ) {
        let engine = Rig::new();
        let mut world = World { rig: engine, calls: BTreeMap::new(), questions: BTreeMap::new(), admitted: Vec::new() };
        for step in steps {
            world.step(step)?;
            let open: BTreeSet<CallKey> = world.rig.engine.open_calls().into_iter().collect();
            let unanswered: BTreeSet<CallKey> =
                world.calls.iter().filter(|(_, seen)| seen.answers == 0).map(|(key, _)| *key).collect();
            prop_assert_eq!(open, unanswered);
            prop_assert!(world.rig.engine.deadline().is_none_or(|at| at.as_millis() > world.rig.now));
        }
        for at in &world.admitted {
            let in_a_minute = world.admitted.iter().filter(|other| (*at..at + 60_000).contains(other)).count();
            prop_assert!(in_a_minute <= 10);
        }
        // Everything comes to its end: nobody answers any more, and the handlers settle.
        world.rig.now += 60_000;
        let effects = world.rig.handle(Input::Time);
        world.take(effects)?;
        for key in world.rig.engine.open_calls() {
            for input in [Input::Aborted(key), Input::Finished(key, Ok(HandlerValue::Nothing))] {
                let effects = world.rig.handle(input);
                if let Some(seen) = world.calls.get_mut(&key) {
                    seen.aborted = true;
                }
                world.take(effects)?;
            }
        }
        prop_assert!(world.calls.values().all(|seen| seen.answers == 1));
        prop_assert_eq!(world.rig.engine.deadline(), None);
        let recorded = world.rig.engine.execution_log(usize::MAX).len();
        prop_assert_eq!(recorded, world.calls.len().min(crate::tools::MOST_RECORDS));
    }
}
