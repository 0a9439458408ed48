//! One rule a test.

use super::*;

#[test]
fn e7_every_call_goes_through_the_stages_in_their_order() {
    let mut rig = Rig::new();
    let arguments = json!({"text": "<b onclick=x>"});
    let tool = Rc::new(asking());
    let (key, effects) = rig.call_of(CalledTool::Frontend(tool.clone()), arguments.clone());
    let text = |value: &Value| value.to_string();
    assert_eq!(effects, [Effect::Check { call: key, tool: tool.clone(), arguments: text(&arguments) }]);
    assert_eq!(rig.check(key, VALID), [Effect::Sanitise { call: key, arguments }]);
    let clean = json!({"text": "<b>"});
    assert_eq!(
        rig.handle(Input::Sanitised(key, Ok((clean.clone(), vec!["/text (onclick)".to_owned()])))),
        [Effect::Check { call: key, tool: tool.clone(), arguments: text(&clean) }]
    );
    assert_eq!(rig.check(key, VALID), [Effect::Prepare { call: key, tool, arguments: clean.clone() }]);
    let effects = rig.prepare(key, None);
    assert!(matches!(effects.as_slice(), [Effect::Ask(_)]), "{effects:?}");
    assert_eq!(rig.decide("q1", true), [Effect::Run { call: key, arguments: clean.clone() }]);
    assert!(rig.engine.execution_log(50).is_empty(), "it is recorded when it is over");
    rig.now += 42;
    let effects = rig.handle(Input::Finished(key, Ok(HandlerValue::Value(json!([1])))));
    assert_eq!(
        answer(&effects),
        (
            true,
            json!({
                "success": true,
                "data": [1],
                "toolName": "t",
                "summary": "“t” is done; active markup was removed from the arguments: /text (onclick)",
                "duration": 42,
            })
        )
    );
    let record = rig.newest();
    assert_eq!(
        (record.arguments, record.duration.as_millis(), record.at.as_millis()),
        (clean, 42, 1_000_000)
    );
    assert!(rig.engine.open_calls().is_empty());
}

#[test]
fn e7_inputs_out_of_turn_change_nothing() {
    let mut rig = Rig::new();
    let key = rig.call(asking(), json!({}));
    assert_eq!(rig.prepare(key, None), []);
    assert_eq!(rig.handle(Input::Finished(key, Ok(HandlerValue::Nothing))), []);
    assert_eq!(rig.handle(Input::Sanitised(key, Ok((json!({"other": 1}), vec!["x".to_owned()])))), []);
    assert_eq!(rig.decide("q1", true), []);
    rig.check(key, VALID);
    assert_eq!(rig.check(key, invalid("", "", "")), [], "one verdict a check");
    rig.prepare(key, None);
    assert_eq!(rig.handle(Input::Finished(key, Ok(HandlerValue::Nothing))), []);
    assert_eq!(rig.check(CallKey(99), VALID), []);
    assert_eq!(rig.engine.open_calls(), [key]);
}

#[test]
fn e1_k13_an_unknown_tool_is_answered_in_plain_words_and_recorded() {
    let mut rig = Rig::new();
    let (key, effects) = rig.call_of(CalledTool::Unknown, json!({}));
    assert_eq!(effects, [Effect::Answer { call: key, outcome: Err("unknown tool t".to_owned()) }]);
    assert!(!rig.newest().result.success);
}

#[test]
fn e1_a_plain_tool_skips_the_stages_and_is_recorded() {
    let policy = PermissionPolicy::default().category(Category::Ui, Permission::Deny);
    let mut rig = Rig::with(policy);
    for (value, outcome) in [
        (Ok(HandlerValue::Nothing), Ok(String::new())),
        (Ok(HandlerValue::Value(json!("text"))), Ok("text".to_owned())),
        (Ok(HandlerValue::Value(json!({"n": 83.0}))), Ok(r#"{"n":83}"#.to_owned())),
        (Err("no video".to_owned()), Err("no video".to_owned())),
    ] {
        // More often than any limit, and with markup.
        for _ in 0..20 {
            let arguments = json!({"html": "<script>", "n": rig.calls});
            let (key, effects) = rig.call_of(CalledTool::Plain, arguments.clone());
            assert_eq!(effects, [Effect::Run { call: key, arguments: arguments.clone() }]);
            rig.now += 5;
            let effects = rig.handle(Input::Finished(key, value.clone()));
            assert_eq!(effects, [Effect::Answer { call: key, outcome: outcome.clone() }]);
            let record = rig.newest();
            assert_eq!((record.arguments, record.result.success), (arguments, outcome.is_ok()));
            assert_eq!(record.duration.as_millis(), 5);
        }
    }
}

#[test]
fn e1_the_agent_gets_the_json_of_what_the_handler_gave() {
    let (done, failed) = (ToolResult::done(json!(1), "moved"), ToolResult::failed("gone", "lost"));
    for (value, expected) in [
        (
            Ok(HandlerValue::Nothing),
            json!({"success": true, "toolName": "t", "summary": "“t” is done", "duration": 0}),
        ),
        (
            Ok(HandlerValue::Result(done)),
            json!({"success": true, "data": 1, "toolName": "t", "summary": "moved", "duration": 0}),
        ),
        (
            Ok(HandlerValue::Result(failed)),
            json!({"success": false, "error": "gone", "toolName": "t", "summary": "lost", "duration": 0}),
        ),
        (
            Err("threw".to_owned()),
            json!({"success": false, "error": "threw", "toolName": "t", "summary": "“t” failed", "duration": 0}),
        ),
    ] {
        let mut rig = Rig::new();
        let key = rig.call(tool(), json!({}));
        rig.check(key, VALID);
        assert_eq!(rig.prepare(key, None), [Effect::Run { call: key, arguments: json!({}) }]);
        let effects = rig.handle(Input::Finished(key, value));
        assert_eq!(answer(&effects), (expected["success"] == true, expected));
    }
}

#[test]
fn e8_case_j02_a_refusal_names_path_expectation_and_what_came() {
    let mut rig = Rig::new();
    let key = rig.call(tool(), json!({"limit": "50"}));
    let effects = rig.check(key, invalid("/limit", "type \"number\"", "\"50\""));
    assert_eq!(error(&effects), r#"arguments: /limit: expected type "number", came "50""#);
    let key = rig.call(tool(), json!([]));
    let effects = rig.check(key, invalid("", "type \"object\"", "[]"));
    assert_eq!(error(&effects), r#"arguments: the whole: expected type "object", came []"#);
    // Nothing was coerced on the way to the log.
    assert_eq!(rig.engine.execution_log(2)[1].arguments, json!({"limit": "50"}));
}

#[test]
fn e8_a_check_that_gives_no_verdict_refuses() {
    let unusable = Verdict::SchemaUnusable { message: "no type 5".to_owned() };
    for (outcome, expected) in [
        (CheckOutcome::TimedOut, "it took too long"),
        (CheckOutcome::Unavailable("no worker".to_owned()), "no worker"),
        (CheckOutcome::Verdict(unusable), "the tool's schema cannot be used: no type 5"),
    ] {
        let mut rig = Rig::new();
        let key = rig.call(tool(), json!({}));
        let text = ["arguments: they could not be checked against the schema: ", expected].concat();
        assert_eq!(error(&rig.check(key, outcome)), text);
        // The arguments may be right: nobody is told that they are wrong.
        let summary = rig.engine.execution_log(1)[0].result.summary.clone();
        assert_eq!(summary, "The arguments of “t” could not be checked; it did not run");
    }
}

#[test]
fn e12_case_j07_ten_are_admitted_whatever_becomes_of_them_and_refused_ones_do_not_count() {
    let mut rig = Rig::new();
    for _ in 0..10 {
        let key = rig.call(tool(), json!({}));
        rig.check(key, invalid("", "", ""));
    }
    for _ in 0..5 {
        let (_, effects) = rig.call_of(CalledTool::Frontend(Rc::new(tool())), json!({}));
        assert_eq!(error(&effects), "rate limit: at most 10 calls of t in a minute; try again in 60 s");
    }
    rig.now += 58_900;
    let (_, effects) = rig.call_of(CalledTool::Frontend(Rc::new(tool())), json!({}));
    assert!(error(&effects).ends_with("try again in 2 s"));
    rig.now += 1100;
    for _ in 0..10 {
        rig.call(tool(), json!({}));
    }
}

#[test]
fn e13_what_sanitising_changed_is_checked_again() {
    let mut rig = Rig::new();
    let key = rig.call(tool(), json!({"a": ["<script>x</script>"]}));
    rig.check(key, VALID);
    let sanitised = Ok((json!({"a": [""]}), vec!["/a/0 (<script>)".to_owned()]));
    let effects = rig.handle(Input::Sanitised(key, sanitised));
    assert!(matches!(effects.as_slice(), [Effect::Check { .. }]));
    let effects = rig.check(key, invalid("/a/0", "minLength 1", "\"\""));
    assert!(error(&effects).starts_with("arguments, after sanitising: /a/0: expected minLength 1"));
    assert!(answer(&effects).1["summary"].as_str().unwrap().contains("/a/0 (<script>)"));
}

#[test]
fn e13_what_cannot_be_sanitised_is_refused() {
    let mut rig = Rig::new();
    let key = rig.call(tool(), json!({"<": 1}));
    assert!(matches!(rig.check(key, VALID).as_slice(), [Effect::Sanitise { .. }]), "names are texts, too");
    assert_eq!(
        error(&rig.handle(Input::Sanitised(key, Err("no parser".to_owned())))),
        "sanitising: no parser"
    );
}

#[test]
fn e13_case_e05_texts_without_markup_are_not_even_looked_at() {
    let mut rig = Rig::new();
    for text in ["phone=138", "month = 3", "javascript: the good parts", "button.onclick = f", "a > b"] {
        let key = rig.call(tool(), json!({"fields": [{"value": text}]}));
        let effects = rig.check(key, VALID);
        assert!(matches!(effects.as_slice(), [Effect::Prepare { .. }]), "{text}");
        assert_eq!(
            rig.prepare(key, None),
            [Effect::Run { call: key, arguments: json!({"fields": [{"value": text}]}) }]
        );
    }
}

#[test]
fn e18_what_the_app_denies_does_not_run_and_nobody_is_asked() {
    let mut rig = Rig::new();
    let key = rig.call(asking().category(Category::Network), json!({}));
    assert_eq!(
        error(&rig.check(key, VALID)),
        "permission: this app does not allow moderate tools of the category network"
    );
    rig.engine.set_policy(PermissionPolicy::default().category(Category::Network, Permission::Allow));
    let key = rig.call(asking().category(Category::Network), json!({}));
    rig.check(key, VALID);
    assert!(matches!(rig.prepare(key, None).as_slice(), [Effect::Run { .. }]));
}

#[test]
fn e18_dangerous_always_asks() {
    let mut rig = Rig::with(PermissionPolicy::default().category(Category::Ui, Permission::Allow));
    let key = rig.call(tool().risk_level(RiskLevel::Dangerous), json!({}));
    rig.check(key, VALID);
    assert!(matches!(rig.prepare(key, None).as_slice(), [Effect::Ask(_)]));
}

#[test]
fn e3_e14_a_tool_may_refuse_before_the_person_is_asked_and_where_nobody_is() {
    for tool in [tool(), asking()] {
        let mut rig = Rig::new();
        let key = rig.call(tool, json!({}));
        rig.check(key, VALID);
        let effects = rig.prepare(key, Some(Err(ToolResult::failed("leaves the app", "not opened"))));
        assert_eq!(error(&effects), "leaves the app");
        assert_eq!(answer(&effects).1["summary"], "not opened");
    }
}

#[test]
fn e9_the_question_says_what_will_happen() {
    let mut rig = Rig::new();
    let key = rig.call(asking(), json!({"a": 1}));
    rig.check(key, VALID);
    let effects = rig.prepare(key, Some(Ok("fills \u{202E}eman".to_owned())));
    let [Effect::Ask(question)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(
        question.to_json(),
        json!({
            "id": "q1",
            "toolName": "t",
            // E08: what turns the text around is shown.
            "description": "fills [U+202E]eman",
            "args": {"a": 1},
            "riskLevel": "moderate",
            "expiresAt": 1_030_000,
        })
    );
    let (_, question) = rig.ask(json!({}));
    assert_eq!(question.description, "Will run “t”");
}

#[test]
fn e9_case_j05_several_wait_each_by_its_own_id_each_used_once() {
    let mut rig = Rig::new();
    let (first, _) = rig.ask(json!({"n": 1}));
    let (second, _) = rig.ask(json!({"n": 2}));
    let open: Vec<Value> = rig.engine.confirmations().into_iter().map(|open| open.arguments).collect();
    assert_eq!(open, [json!({"n": 1}), json!({"n": 2})]);
    assert_eq!(rig.decide("q3", true), []);
    assert_eq!(rig.decide("q2", true), [Effect::Run { call: second, arguments: json!({"n": 2}) }]);
    assert_eq!(rig.decide("q2", true), [], "a double click");
    assert_eq!(rig.decide("q2", false), []);
    assert_eq!(error(&rig.decide("q1", false)), "confirmation: the person refused");
    assert_eq!(rig.decide("q1", true), []);
    assert_eq!(rig.engine.open_calls(), [second]);
    assert!(!rig.newest().result.success && first != second);
}

#[test]
fn e9_thirty_seconds_without_an_answer_refuse_and_the_dialog_closes() {
    let mut rig = Rig::new();
    rig.ask(json!({}));
    rig.now += 10_000;
    let (second, _) = rig.ask(json!({}));
    assert_eq!(rig.engine.deadline(), Some(Timestamp::from_millis(1_030_000)));
    rig.now = 1_029_999;
    assert_eq!(rig.handle(Input::Time), []);
    rig.now = 1_030_000;
    let effects = rig.handle(Input::Time);
    assert_eq!(effects[0], Effect::Withdraw { id: "q1".into() });
    assert_eq!(error(&effects), "confirmation: nobody answered within 30 s");
    assert_eq!(rig.engine.deadline(), Some(Timestamp::from_millis(1_040_000)));
    assert_eq!(rig.decide("q1", true), [], "too late");
    assert_eq!(rig.decide("q2", true), [Effect::Run { call: second, arguments: json!({}) }]);
    assert_eq!(rig.engine.deadline(), None);
}

#[test]
fn e1_a_plain_tool_may_give_a_whole_result_too() {
    let mut rig = Rig::new();
    let (key, _) = rig.call_of(CalledTool::Plain, json!({}));
    let result = ToolResult::done(json!(3), "three");
    let effects = rig.handle(Input::Finished(key, Ok(HandlerValue::Result(result))));
    let whole = json!({"success": true, "data": 3, "toolName": "t", "summary": "three", "duration": 0});
    assert_eq!(answer(&effects), (true, whole));
}

#[test]
fn e9_a_clock_that_is_set_back_shortens_nobodys_time() {
    let mut rig = Rig::new();
    let key = rig.call(asking(), json!({}));
    rig.now -= 20_000;
    rig.check(key, VALID);
    rig.prepare(key, None);
    assert_eq!(rig.engine.deadline(), Some(Timestamp::from_millis(1_030_000)));
}

#[test]
fn e9_case_j06_a_confirmation_after_the_deadline_is_refused_although_no_timer_fired() {
    let mut rig = Rig::new();
    rig.ask(json!({}));
    rig.now += 30_000;
    let effects = rig.decide("q1", true);
    assert_eq!(effects[0], Effect::Withdraw { id: "q1".into() });
    assert_eq!(error(&effects), "confirmation: nobody answered within 30 s");
    // A clock that is set back opens nothing again.
    rig.now -= 30_000;
    assert_eq!(rig.decide("q1", true), []);
}

#[test]
fn e16_an_abort_before_the_run_refuses_and_closes_the_question() {
    let mut rig = Rig::new();
    let checking = rig.call(asking(), json!({}));
    assert_eq!(error(&rig.handle(Input::Aborted(checking))), "stopped before it ran");
    assert_eq!(rig.check(checking, VALID), []);
    let (asked, _) = rig.ask(json!({}));
    let effects = rig.handle(Input::Aborted(asked));
    assert_eq!(effects[0], Effect::Withdraw { id: "q2".into() });
    assert_eq!(error(&effects), "stopped before it ran");
    assert_eq!(rig.handle(Input::Aborted(asked)), []);
    assert_eq!(rig.decide("q2", true), []);
}

#[test]
fn e16_a_handler_that_runs_has_the_last_word_on_an_abort() {
    let mut rig = Rig::new();
    let key = rig.call(tool(), json!({}));
    rig.check(key, VALID);
    rig.prepare(key, None);
    assert_eq!(rig.handle(Input::Aborted(key)), []);
    let effects = rig.handle(Input::Finished(key, Err("stopped half way".to_owned())));
    assert_eq!(error(&effects), "stopped half way");
}

#[test]
fn e10_secrets_do_not_reach_the_log_but_the_handler() {
    let mut rig = Rig::new();
    let arguments = json!({"password": "hunter22"});
    let key = rig.call(tool(), arguments.clone());
    rig.check(key, VALID);
    assert_eq!(rig.prepare(key, None), [Effect::Run { call: key, arguments: arguments.clone() }]);
    let effects = rig.handle(Input::Finished(key, Ok(HandlerValue::Value(arguments))));
    assert_eq!(answer(&effects).1["data"]["password"], "hunter22");
    let record = rig.newest();
    assert_eq!(record.arguments, json!({"password": "***"}));
    assert_eq!(record.result.data, Some(json!({"password": "***"})));
}

#[test]
fn e10_the_words_are_those_of_the_newest_language() {
    let mut rig = Rig::new();
    rig.engine.set_words(&EngineWords::ZH_CN);
    let (_, question) = rig.ask(json!({}));
    assert_eq!(question.description, "将执行“t”操作");
    assert_eq!(answer(&rig.decide("q1", false)).1["summary"], "你没有同意“t”，没有执行");
}
