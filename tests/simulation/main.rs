//! The page's conversations and the service's sessions, the real ones, joined by a network that cuts, delays, doubles
//! and reorders, under a virtual clock: thousands of random schedules keep the rules of WIRE.md and K16–K24,
//! and each of the seeded [`faults`] is caught.
//!
//! Requests and answers overtake each other; what comes on one stream keeps its order, as over TCP, but may come
//! twice. A `user.message` is not doubled by the network: HTTP does not repeat a POST by itself.

#![cfg(not(target_arch = "wasm32"))]

mod faults;
mod log;
mod network;
mod page;
mod rules;
mod schedule;
mod service;
mod world;

use faults::Fault;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use schedule::schedules;
use world::World;

/// As many schedules as a test runs; `PROPTEST_CASES` asks for more.
fn config(max_shrink_iters: u32) -> Config {
    let cases = Config::default().cases.max(2000);
    Config { cases, max_shrink_iters, failure_persistence: None, ..Config::default() }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn every_schedule_keeps_the_rules(schedule in schedules()) {
        if let Err(broken) = World::run(&schedule, None) {
            return Err(TestCaseError::fail(broken));
        }
    }
}

/// Whether some schedule breaks this rule when the system has this fault.
fn is_caught(fault: Fault, rule: &str) -> bool {
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let outcome =
        TestRunner::new_with_rng(config(0), random).run(&schedules(), |schedule| {
            match World::run(&schedule, Some(fault)) {
                Err(broken) if broken.contains(rule) => Err(TestCaseError::fail(broken)),
                _ => Ok(()),
            }
        });
    matches!(outcome, Err(TestError::Fail(..)))
}

macro_rules! faults_are_caught {
    ($($name:ident: $fault:ident, $rule:literal;)*) => {$(
        #[test]
        fn $name() {
            assert!(is_caught(Fault::$fault, $rule), "no schedule finds that {}", $rule);
        }
    )*};
}

faults_are_caught! {
    catches_calls_that_are_not_claimed: NoClaim, "ran twice";
    catches_a_handler_that_is_run_again_when_its_result_is_not_posted: HandlerRetried, "ran twice";
    catches_a_late_result_that_is_taken: LateResultTaken, "results";
    catches_a_result_that_goes_to_the_session_that_is_shown: ResultToShownSession, "never issued";
    catches_a_history_whose_results_are_ignored: HistoryResultsIgnored, "was answered";
    catches_a_call_that_runs_before_the_last_page_is_read: RunsBeforeLastPage, "before the history";
    catches_an_end_before_the_acceptance: EndBeforeAcceptance, "not accepted";
    catches_a_message_that_is_repeated: MessageRepeated, "stored twice";
    catches_events_that_are_taken_twice: NoDeduplication, "the transcript has";
    catches_previews_that_outlive_their_connection: PreviewsKept, "preview";
    catches_silence_that_nobody_notices: SilenceUnnoticed, "does not come to rest";
    catches_page_context_of_an_earlier_message: StaleContext, "page context";
    catches_a_draft_that_does_not_come_back: DraftLost, "lost";
}
