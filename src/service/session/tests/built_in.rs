//! Tools that the service runs itself.

use super::*;

/// A driver whose model has just called these tools.
fn with_calls(calls: &[&str]) -> Driver {
    let mut driver = Driver::new();
    driver.post(vec![message("what time is it?")]).unwrap();
    let calls: Vec<_> =
        calls.iter().enumerate().map(|(at, name)| call(&format!("c{at}"), name, "{}")).collect();
    driver.model(calls.into_iter().chain([ModelOutput::Done]));
    driver
}

fn outcome(driver: &mut Driver, result: Result<&str, &str>) {
    let call = driver.built_in.last().expect("no tool was run").0.clone();
    let result = result.map(str::to_owned).map_err(str::to_owned);
    driver.input(Input::BuiltIn { call, result });
}

const BEGUN: [&str; 2] = ["user.message", "session.status_running"];

#[test]
fn a_built_in_tool_is_offered_run_and_answered_and_the_model_is_asked_again() {
    let mut driver = with_calls(&["current_time"]);
    assert!(driver.last_request().tools.iter().any(|tool| tool.name.as_str() == "current_time"));
    assert_eq!(driver.built_in.len(), 1);
    assert_eq!((driver.built_in[0].1, &driver.built_in[0].2), (BuiltInTool::CurrentTime, &JsonObject::new()));
    assert_eq!(driver.asked.len(), 1, "the model waits for the result");
    outcome(&mut driver, Ok("noon"));
    assert_eq!(driver.log(), [&BEGUN[..], &["agent.tool_use", "agent.tool_result"]].concat());
    assert_eq!(driver.bodies()[3]["tool_use_id"], driver.stored[2].event.id.as_str());
    assert_eq!(driver.bodies()[3]["is_error"], false);
    assert_eq!(driver.last_request().messages.last().unwrap().text(), "noon");
    assert_eq!(driver.asked.len(), 2);
    assert!(driver.wake.is_none());
    driver.model([ModelOutput::Text("It is noon.".to_owned()), ModelOutput::Done]);
    assert_eq!(driver.log().last().unwrap(), "session.status_idle(end_turn)");
}

#[test]
fn an_outcome_counts_once() {
    let mut driver = with_calls(&["current_time"]);
    outcome(&mut driver, Err("no clock"));
    assert_eq!(driver.last_request().messages.last().unwrap().text(), "Error: no clock");
    let stored = driver.stored.len();
    outcome(&mut driver, Ok("noon"));
    assert_eq!((driver.stored.len(), driver.asked.len()), (stored, 2));
}

#[test]
fn beside_client_tools_the_page_is_told_of_its_own_calls_only() {
    for built_in_first in [true, false] {
        let mut driver = with_calls(&["current_time", "note"]);
        let note = driver.calls()[0].clone();
        assert_eq!(driver.bodies().last().unwrap()["stop_reason"]["event_ids"], json!([note.as_str()]));
        let begun = driver.log().len();
        if built_in_first {
            outcome(&mut driver, Ok("noon"));
            assert_eq!(driver.asked.len(), 1);
            driver.post(vec![result(&note, "noted")]).unwrap();
            let expected = ["agent.tool_result", "user.custom_tool_result", "session.status_running"];
            assert_eq!(driver.log()[begun..], expected);
        } else {
            driver.post(vec![result(&note, "noted")]).unwrap();
            assert_eq!(driver.log()[begun..], ["user.custom_tool_result", "session.status_running"]);
            assert_eq!(driver.asked.len(), 1);
            driver.restart();
            assert_eq!(driver.log().last().unwrap(), "agent.tool_result");
        }
        assert_eq!(driver.asked.len(), 2);
    }
}

#[test]
fn a_built_in_tool_that_takes_too_long_is_an_error_and_the_turn_goes_on() {
    let mut driver = with_calls(&["current_time"]);
    driver.pass(TOOL_TIMEOUT);
    assert_eq!(driver.last_request().messages.last().unwrap().text(), "Error: tool timed out");
    assert_eq!(driver.asked.len(), 2);
}

#[test]
fn an_interrupt_answers_a_built_in_tool_that_runs() {
    let mut driver = with_calls(&["current_time"]);
    driver.post(vec![EventBody::Interrupt {}]).unwrap();
    assert_eq!(driver.bodies()[4]["content"][0]["text"], "interrupted by the user");
    assert_eq!(driver.log().last().unwrap(), "session.status_idle(end_turn)");
    let stored = driver.stored.len();
    outcome(&mut driver, Ok("noon"));
    assert_eq!(driver.stored.len(), stored);
}

#[test]
fn a_restart_answers_a_built_in_tool_with_an_error_and_does_not_run_it_again() {
    let mut driver = with_calls(&["current_time"]);
    driver.restart();
    assert_eq!(driver.built_in.len(), 1);
    let said = driver.last_request().messages.last().unwrap().text().to_owned();
    assert_eq!(said, "Error: the service was started again while the tool was running");
    driver.model([ModelOutput::Text("x".to_owned()), ModelOutput::Done]);
    assert_eq!(driver.log().last().unwrap(), "session.status_idle(end_turn)");
}

#[test]
fn a_restart_ends_a_turn_whose_model_was_asked_after_a_built_in_tool() {
    for calls in [&["current_time"][..], &["no such tool"], &["no such tool", "current_time"]] {
        let mut driver = with_calls(calls);
        if !driver.built_in.is_empty() {
            outcome(&mut driver, Ok("noon"));
        }
        assert_eq!(driver.asked.len(), 2);
        driver.restart();
        assert_eq!(driver.asked.len(), 2, "an interrupted model run is not repeated");
        assert_eq!(driver.log().last().unwrap(), "session.status_idle(retries_exhausted)");
    }
}

#[test]
fn without_built_in_tools_their_names_are_unknown() {
    let mut driver = Driver::new();
    driver.session = Session::new("sesn_x".into(), agent(), Settings::default(), driver.now);
    driver.post(vec![message("what time is it?")]).unwrap();
    assert!(driver.last_request().tools.iter().all(|tool| tool.name.as_str() != "current_time"));
    driver.model([call("c", "current_time", "{}"), ModelOutput::Done]);
    assert!(driver.built_in.is_empty());
    assert_eq!(driver.bodies()[3]["content"][0]["text"], "unknown tool current_time");
}
