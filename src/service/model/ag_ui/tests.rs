//! The codec on runs that a real agent wrote (`recorded/`) and on those that it should not have written.

mod details;

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::protocol::{ContextItem, Timestamp, ToolDeclaration, page_context};
use crate::service::model::output_read::{calls, text};
use crate::service::model::{ModelCall, ModelMessage, ModelOutput, ModelRequest};
use crate::service::session::RunNumber;

const TWO_CALLS: &str = include_str!("recorded/two_calls.sse");
const NO_ARGUMENTS: &str = include_str!("recorded/no_arguments.sse");
const TEXT: &str = include_str!("recorded/text.sse");
const INTERRUPT: &str = include_str!("recorded/interrupt.sse");
/// 2026-11-30T23:59:30Z
const NOW: Timestamp = Timestamp::from_millis(1_796_083_170_000);
const RESUMED: &str = include_str!("recorded/resumed.sse");

fn asking(messages: Vec<ModelMessage>) -> ModelRequest {
    let declare = |name: &str| json!({"type": "custom", "name": name, "description": "x", "input_schema": {"type": "object"}});
    let tools = ["fill_form_field", "query_data", "read_playback_progress", "seek_to"].map(declare);
    ModelRequest {
        session: "sesn_abc".into(),
        run: RunNumber(1),
        instructions: crate::service::words::INSTRUCTIONS.to_owned(),
        messages,
        tools: ToolDeclaration::list_from_json(&tools, &[]).unwrap(),
    }
}

fn user(number: u32, text: &str) -> ModelMessage {
    ModelMessage::User { id: format!("sevt_abc_{number}").into(), text: text.to_owned() }
}

fn question() -> ModelRequest {
    asking(vec![user(1, "我看到哪了？")])
}

/// What comes of a stream that is read in these pieces, texts joined.
fn decode<'a>(request: &ModelRequest, pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<ModelOutput> {
    let mut decoder = Decoder::new(request, NOW);
    let mut output = Vec::new();
    for piece in pieces {
        output.extend(decoder.bytes(piece));
    }
    output.extend(decoder.end());
    let mut joined: Vec<ModelOutput> = Vec::new();
    for output in output {
        match (joined.last_mut(), output) {
            (Some(ModelOutput::Text(text)), ModelOutput::Text(more)) => text.push_str(&more),
            (_, output) => joined.push(output),
        }
    }
    joined
}

fn stream(events: &[Value]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

/// A run with these events between its start and its end.
fn run(events: &[Value]) -> Vec<ModelOutput> {
    let mut all = vec![json!({"type": "RUN_STARTED", "threadId": "sesn_abc", "runId": "sesn_abc_run_1"})];
    all.extend_from_slice(events);
    all.push(json!({"type": "RUN_FINISHED", "threadId": "sesn_abc", "runId": "sesn_abc_run_1"}));
    decode(&question(), [stream(&all).as_bytes()])
}

fn kept(output: &[ModelOutput]) -> Value {
    let kept = |output: &ModelOutput| match output {
        ModelOutput::Kept(kept) => Some(kept.clone().into()),
        _ => None,
    };
    output.iter().find_map(kept).expect("nothing kept")
}

fn failure(output: &[ModelOutput]) -> &str {
    assert!(calls(output).is_empty(), "a broken run gives a call: {output:?}");
    match output.last() {
        Some(ModelOutput::Failed(message)) => {
            message.strip_prefix("助手发来的内容不符合 AG-UI 协议：").unwrap_or(message)
        }
        _ => panic!("no failure: {output:?}"),
    }
}

/// The request as the agent sees it.
fn input(asked: &ModelRequest) -> Value {
    let request = request(&Settings::default(), asked, NOW);
    let input: Value = serde_json::from_str(&request.body).unwrap();
    assert_valid(&input);
    input
}

fn roles(input: &Value) -> Vec<&str> {
    input["messages"].as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap()).collect()
}

/// Each call has one result right after its message, in the order of the calls, unless it is waited for; ids are unique.
fn assert_valid(input: &Value) {
    let messages = input["messages"].as_array().unwrap();
    let ids: BTreeSet<_> = messages.iter().map(|message| message["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), messages.len(), "message ids: {messages:#?}");
    let calls = messages.iter().filter_map(|message| message["toolCalls"].as_array()).flatten();
    let call_ids: Vec<_> = calls.map(|call| call["id"].as_str().unwrap()).collect();
    assert_eq!(call_ids.iter().collect::<BTreeSet<_>>().len(), call_ids.len(), "call ids: {messages:#?}");
    assert!(ids.iter().chain(&call_ids).all(|id| !id.is_empty()), "an empty id: {messages:#?}");
    let mut due: Vec<&str> = Vec::new();
    for message in messages {
        if message["role"] == "tool" {
            assert!(
                due.iter().any(|call| message["toolCallId"] == **call),
                "an orphan result: {messages:#?}"
            );
            due.retain(|call| message["toolCallId"] != **call);
        } else {
            due.retain(|call| {
                input["resume"].as_array().is_none_or(|entries| {
                    !entries.iter().any(|entry| entry["interruptId"].as_str().unwrap().ends_with(call))
                })
            });
            assert!(due.is_empty(), "calls without results, {due:?}: {messages:#?}");
            due.extend(
                message["toolCalls"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(|call| call["id"].as_str().unwrap()),
            );
        }
    }
    assert!(due.is_empty(), "calls without results, {due:?}: {messages:#?}");
}

#[test]
fn a_run_is_the_same_wherever_the_reads_end() {
    for recorded in [TWO_CALLS, NO_ARGUMENTS, TEXT, INTERRUPT, RESUMED] {
        let request = question();
        let whole = decode(&request, [recorded.as_bytes()]);
        assert_eq!(whole.last(), Some(&ModelOutput::Done));
        for place in 0..recorded.len() {
            let (before, after) = recorded.as_bytes().split_at(place);
            assert_eq!(decode(&request, [before, after]), whole, "split at {place}");
        }
        assert_eq!(decode(&request, recorded.as_bytes().chunks(1)), whole);
        // Other line ends, and none after the last event.
        let lines = recorded.replace('\n', "\r\n");
        assert_eq!(decode(&request, lines.as_bytes().chunks(7)), whole);
        assert_eq!(decode(&request, [recorded.trim_end().as_bytes()]), whole);
    }
}

#[test]
fn a_run_that_breaks_off_gives_no_call() {
    let request = question();
    let finished = TWO_CALLS.find("RUN_FINISHED").unwrap();
    for place in 0..finished {
        let output = decode(&request, [&TWO_CALLS.as_bytes()[..place]]);
        failure(&output);
        assert!("我先填用户名，再查记录。".starts_with(&text(&output)));
    }
}

#[test]
fn e15_two_calls_end_the_run_and_their_results_start_the_next() {
    let output = decode(&question(), [TWO_CALLS.as_bytes()]);
    assert_eq!(text(&output), "我先填用户名，再查记录。");
    let filling = r#"{"fields": [{"name": "username", "value": "张三"}]}"#;
    let querying = r#"{"target": "table", "filters": {"状态": "待审核"}}"#;
    let expected = [["call_0_0", "fill_form_field", filling], ["call_0_1", "query_data", querying]];
    assert_eq!(calls(&output), expected);

    let Value::Object(kept) = kept(&output) else { panic!() };
    let answer = ModelMessage::Assistant {
        text: text(&output),
        reasoning: None,
        calls: vec![
            ModelCall::new("call_0_0", "fill_form_field", "{}"),
            ModelCall::new("c00000007", "query_data", querying),
        ],
        kept: Some(kept),
    };
    let tool = |id: &str, text: &str| ModelMessage::Tool { call_id: id.into(), text: text.into() };
    let results = [tool("call_0_0", "Error: the user declined"), tool("c00000007", r#"{"total":3}"#)];
    let mut asked = asking([vec![user(1, "填"), answer], results.to_vec()].concat());
    asked.run = RunNumber(2);
    let input = input(&asked);
    assert_eq!((&input["threadId"], &input["runId"]), (&json!("sesn_abc"), &json!("sesn_abc_run_2")));
    let messages = input["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 4);
    assert_eq!(messages[0], json!({"id": "sevt_abc_1", "role": "user", "content": "填"}));
    assert_eq!(
        (&messages[1]["role"], &messages[1]["content"]),
        (&json!("assistant"), &json!("我先填用户名，再查记录。"))
    );
    // The agent's own id of the message; ids and arguments of the calls as the session has them.
    assert!(TWO_CALLS.contains(messages[1]["id"].as_str().unwrap()));
    assert_eq!(
        messages[1]["toolCalls"][0],
        json!({"id": "call_0_0", "type": "function", "function": {"name": "fill_form_field", "arguments": "{}"}})
    );
    assert_eq!(messages[1]["toolCalls"][1]["id"], "c00000007");
    assert_eq!(messages[2]["error"], "the user declined");
    assert_eq!(
        messages[3],
        json!({"id": "result_c00000007", "role": "tool", "toolCallId": "c00000007", "content": "{\"total\":3}"})
    );
}

#[test]
fn a_request_has_all_that_old_and_new_agents_want() {
    let items = [ContextItem { name: "lesson".into(), value: "第 3 课".into() }];
    let asked = asking(vec![user(1, &["在哪？", "\n\n", &page_context::render(&items)].concat())]);
    let settings =
        Settings { url: "http://a/".to_owned(), headers: vec![("x-key".to_owned(), "k".to_owned())] };
    let sent = request(&settings, &asked, NOW);
    assert_eq!(sent.url, "http://a/");
    let header =
        |name: &str| sent.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str());
    assert_eq!((header("x-key"), header("accept")), (Some("k"), Some("text/event-stream")));
    let input = input(&asked);
    assert_eq!(input["protocolVersion"], "1.0");
    for (name, empty) in [("state", json!({})), ("context", json!([])), ("forwardedProps", json!({}))] {
        assert_eq!(input[name], empty, "{name}");
    }
    assert_eq!(input.get("resume"), None);
    // K18, and no default instructions: the agent has its own.
    assert_eq!(input["messages"].as_array().unwrap().len(), 1);
    assert!(input["messages"][0]["content"].as_str().unwrap().ends_with("</page_context>"));
    let seek_to =
        json!({"name": "seek_to", "description": "x", "parameters": {"type": "object", "properties": {}}});
    assert!(input["tools"].as_array().unwrap().contains(&seek_to));

    let instructed = ModelRequest { instructions: "只说中文。".to_owned(), ..question() };
    let input: Value = serde_json::from_str(&request(&settings, &instructed, NOW).body).unwrap();
    assert_eq!(
        input["messages"][0],
        json!({"id": "instructions", "role": "system", "content": "只说中文。"})
    );
}

#[test]
fn an_interrupt_is_said_and_the_next_message_resumes_it() {
    let first = decode(&asking(vec![user(1, "删除笔记")]), [INTERRUPT.as_bytes()]);
    let said = text(&first);
    assert!(said.contains("Approve delete_notes") && said.contains("“同意”"), "{said}");
    assert!(calls(&first).is_empty());

    let items = [ContextItem { name: "lesson".into(), value: "第 3 课".into() }];
    let Value::Object(interrupted) = kept(&first) else { panic!() };
    let answer = |text: String, kept| ModelMessage::Assistant {
        text,
        reasoning: None,
        calls: Vec::new(),
        kept: Some(kept),
    };
    let asked = asking(vec![
        user(1, "删除笔记"),
        answer(said, interrupted),
        user(4, &["同意\n\n", &page_context::render(&items)].concat()),
    ]);
    let resuming = input(&asked);
    let entry = json!({"interruptId": "int-call_0_0", "status": "resolved", "payload": {"approved": true}});
    assert_eq!(resuming["resume"], json!([entry]));
    // No result is made up for the call that the agent will run.
    assert_eq!(roles(&resuming), ["user", "assistant", "user"]);
    // What the page said of the interrupt is not the agent's.
    assert_eq!(resuming["messages"][1].get("content"), Some(&json!("")));

    let second = decode(&asked, [RESUMED.as_bytes()]);
    assert_eq!(text(&second), "已删除 3 条笔记。");
    let Value::Object(resumed) = kept(&second) else { panic!() };
    let later =
        input(&asking([asked.messages, vec![answer(text(&second), resumed), user(6, "好")]].concat()));
    assert_eq!(later.get("resume"), None);
    assert_eq!(roles(&later), ["user", "assistant", "tool", "user", "assistant", "user"]);
}

#[test]
fn an_interrupt_stays_open_until_a_run_has_finished() {
    let first = decode(&question(), [INTERRUPT.as_bytes()]);
    let Value::Object(kept) = kept(&first) else { panic!() };
    let answer =
        ModelMessage::Assistant { text: text(&first), reasoning: None, calls: Vec::new(), kept: Some(kept) };
    let broken = ModelMessage::assistant("(This answer could not be given.)", Vec::new());
    let asked = asking(vec![user(1, "删"), answer, user(3, "同意"), broken, user(5, "算了")]);
    let entry = json!({"interruptId": "int-call_0_0", "status": "resolved", "payload": {"approved": false, "reason": "算了"}});
    assert_eq!(input(&asked)["resume"], json!([entry]));
}

/// What is asked when the person answers `said` to an interrupt that expires then.
fn answering(expires: Value, said: &str) -> ModelRequest {
    let mut interrupt = json!({"id": "i", "reason": "confirmation", "message": "Delete it?"});
    interrupt["expiresAt"] = expires;
    let mut events = vec![json!({"type": "RUN_STARTED", "threadId": "sesn_abc", "runId": "sesn_abc_run_1"})];
    let outcome = json!({"type": "interrupt", "interrupts": [interrupt]});
    events.push(json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": outcome}));
    let first = decode(&question(), [stream(&events).as_bytes()]);
    let Value::Object(kept) = kept(&first) else { panic!() };
    let answer =
        ModelMessage::Assistant { text: text(&first), reasoning: None, calls: Vec::new(), kept: Some(kept) };
    asking(vec![user(1, "删"), answer, user(3, said)])
}

#[test]
fn an_answer_to_what_has_expired_gives_it_up_and_the_person_is_told() {
    let resolved = json!([{"interruptId": "i", "status": "resolved", "payload": true}]);
    let cancelled = json!([{"interruptId": "i", "status": "cancelled"}]);
    let late = "前面的询问已经过期，你的答复没有转告，按放弃处理。";
    for (expires, is_late) in [
        (json!("2026-11-30T23:59:30Z"), true),
        (json!("2026-11-30T23:59:30.001Z"), false),
        (json!("2026-11-30T23:59:29.999Z"), true),
        (json!("2026-12-01T07:59:30+08:00"), true),
        (json!("2026-12-01T07:59:31.000000+08:00"), false),
        (json!("2026-11-30T18:29:30-05:30"), true),
        (json!("2026-11-30T18:29:31-05:30"), false),
        (json!("2026-11-30T23:59:30"), true),
        (json!("2020-01-01T00:00:00+00:00"), true),
        // What is no moment never comes.
        (Value::Null, false),
        (json!(1), false),
        (json!("soon"), false),
        (json!("过期:00"), false),
        (json!("2026-11-30T23:59:30+x:00"), false),
    ] {
        let asked = answering(expires.clone(), "同意");
        assert_eq!(input(&asked)["resume"], *if is_late { &cancelled } else { &resolved }, "{expires}");
        let output = decode(&asked, [TEXT.as_bytes()]);
        let said = if is_late {
            [late, "\n\n现在是第 3 课。"].concat()
        } else {
            "现在是第 3 课。".to_owned()
        };
        assert_eq!(text(&output), said, "{expires}");
    }
    // What the agent is told again of an earlier run is not what was late.
    let told = [
        stream(&[
            json!({"type": "RUN_STARTED", "threadId": "sesn_abc", "runId": "old"}),
            json!({"type": "RUN_FINISHED", "threadId": "sesn_abc", "runId": "old"}),
        ]),
        TEXT.to_owned(),
    ];
    let asked = answering(json!("2020-01-01T00:00:00Z"), "同意");
    let once = text(&decode(&asked, [told.concat().as_bytes()]));
    assert_eq!(once, [late, "\n\n现在是第 3 课。"].concat());
}

#[test]
fn chunks_are_a_stream_of_their_own() {
    let output = run(&[
        json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "好"}),
        json!({"type": "TEXT_MESSAGE_CHUNK", "delta": "的"}),
        json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "a", "toolCallName": "seek_to", "parentMessageId": "m", "delta": "{\"x\""}),
        json!({"type": "RAW", "event": {}}),
        json!({"type": "TOOL_CALL_CHUNK", "delta": ":1}"}),
        json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "b", "toolCallName": "read_playback_progress"}),
        json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "c", "toolCallName": "query_data", "delta": ""}),
    ]);
    assert_eq!(text(&output), "好的");
    let expected =
        [["a", "seek_to", "{\"x\":1}"], ["b", "read_playback_progress", ""], ["c", "query_data", ""]];
    assert_eq!(calls(&output), expected);
    assert_eq!(kept(&output)["messages"][0]["toolCalls"].as_array().unwrap().len(), 1);

    let ended = run(&[
        json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "好"}),
        json!({"type": "STEP_STARTED", "stepName": "s"}),
        json!({"type": "TEXT_MESSAGE_CHUNK", "delta": "的"}),
    ]);
    assert_eq!(failure(&ended), "TEXT_MESSAGE_CHUNK.messageId: is missing");
}

#[test]
fn only_what_the_agent_says_is_shown() {
    let say = |id: &str, role: &str| {
        [
            json!({"type": "TEXT_MESSAGE_START", "messageId": id, "role": role}),
            json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": role}),
            json!({"type": "TEXT_MESSAGE_END", "messageId": id}),
        ]
    };
    let output =
        run(&[say("d", "developer"), say("u", "user"), say("a", "assistant"), say("s", "system")].concat());
    assert_eq!(text(&output), "assistant");
    assert_eq!(kept(&output)["messages"].as_array().unwrap().len(), 4);
}

#[test]
fn a_run_has_no_end_of_messages_or_calls() {
    let calling = |number: usize| json!({"type": "TOOL_CALL_CHUNK", "toolCallId": number.to_string(), "toolCallName": "t", "parentMessageId": "m"});
    let many: Vec<_> = (0..2000).map(calling).collect();
    assert_eq!(failure(&run(&many)), "TOOL_CALL_CHUNK: makes more messages and calls than a run may have");
    let saying =
        |number: usize| json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": number.to_string(), "delta": "a"});
    let many: Vec<_> = (0..2000).map(saying).collect();
    assert_eq!(failure(&run(&many)), "TEXT_MESSAGE_CHUNK: makes more messages and calls than a run may have");
    assert_eq!(run(&many[..900]).last(), Some(&ModelOutput::Done));
}

#[test]
fn calls_in_turns_and_calls_without_arguments() {
    let start =
        |id: &str, name: &str| json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name});
    let arguments =
        |id: &str, delta: &str| json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": delta});
    let end = |id: &str| json!({"type": "TOOL_CALL_END", "toolCallId": id});
    let output = run(&[
        start("a", "seek_to"),
        start("b", "query_data"),
        arguments("b", "{\"y\""),
        arguments("a", "{\"x\""),
        arguments("b", ":2}"),
        arguments("a", ":1}"),
        end("a"),
        start("c", "read_playback_progress"),
        end("c"),
        end("b"),
    ]);
    let expected = [
        ["a", "seek_to", "{\"x\":1}"],
        ["b", "query_data", "{\"y\":2}"],
        ["c", "read_playback_progress", ""],
    ];
    assert_eq!(calls(&output), expected);

    let open = run(&[start("a", "seek_to"), arguments("a", "{}")]);
    assert_eq!(failure(&open), "RUN_FINISHED: must not come before the end of the call a");
    let closed = run(&[start("a", "seek_to"), end("a"), arguments("a", "{}")]);
    assert_eq!(failure(&closed), "TOOL_CALL_ARGS.toolCallId: must be a call that is open");
}

#[test]
fn what_the_agent_runs_itself_is_kept_and_not_called() {
    let own = [
        json!({"type": "TOOL_CALL_START", "toolCallId": "w", "toolCallName": "seek_to"}),
        json!({"type": "TOOL_CALL_END", "toolCallId": "w"}),
        json!({"type": "TOOL_CALL_RESULT", "messageId": "r", "toolCallId": "w", "content": "sunny"}),
        json!({"type": "TOOL_CALL_START", "toolCallId": "v", "toolCallName": "the_agents_own"}),
        json!({"type": "TOOL_CALL_END", "toolCallId": "v"}),
        json!({"type": "TEXT_MESSAGE_START", "messageId": "m"}),
        json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "晴。"}),
        json!({"type": "TEXT_MESSAGE_END", "messageId": "m"}),
    ];
    let output = run(&own);
    assert_eq!(calls(&output), Vec::<[&str; 3]>::new());
    let Value::Object(kept) = kept(&output) else { panic!() };
    let answer =
        ModelMessage::Assistant { text: text(&output), reasoning: None, calls: Vec::new(), kept: Some(kept) };
    let messages = input(&asking(vec![user(1, "天气"), answer, user(3, "谢谢")]))["messages"].clone();
    assert_eq!(messages[2], json!({"id": "r", "role": "tool", "toolCallId": "w", "content": "sunny"}));
    assert_eq!(messages[4]["content"], "no result");
}

/// The answer to the last run as the session has it: its calls with ids that no other of the page's calls has.
fn answer(run: &[Value], taken: &mut BTreeSet<String>) -> (ModelMessage, Vec<ModelCall>) {
    let output = self::run(run);
    let mut calls = Vec::new();
    for output in &output {
        if let ModelOutput::Call(call) = output {
            let mut call = call.clone();
            if !taken.insert(call.id.clone()) {
                call.id = format!("c{:08}", taken.len());
                taken.insert(call.id.clone());
            }
            calls.push(call);
        }
    }
    let Value::Object(kept) = kept(&output) else { panic!() };
    let text = text(&output);
    (ModelMessage::Assistant { text, reasoning: None, calls: calls.clone(), kept: Some(kept) }, calls)
}

/// Gateways that cut by UTF-16 units write half of a character into one event and half into the next.
#[test]
fn a_character_cut_over_two_events_is_whole() {
    let begin = r#"{"type":"RUN_STARTED","runId":"sesn_abc_run_1"}"#;
    let end = r#"{"type":"RUN_FINISHED","runId":"sesn_abc_run_1"}"#;
    let events = [
        begin,
        r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"前\ud83d"}"#,
        r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"\ude00后"}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"seek_to"}"#,
        r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"at\":\"\ud83d"}"#,
        r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"\ude00\"}"}"#,
        r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
        r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"n","delta":"尾\ud83d"}"#,
        r#"{"type":"STATE_SNAPSHOT","snapshot":{"last":"\ud83d"}}"#,
        end,
    ];
    let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let output = decode(&question(), [stream.as_bytes()]);
    assert_eq!(text(&output), "前😀后\n\n尾\u{FFFD}");
    assert_eq!(calls(&output), [["c", "seek_to", r#"{"at":"😀"}"#]]);
    let kept = kept(&output);
    assert_eq!(kept["messages"][0]["content"], "前😀后");
    assert_eq!(kept["messages"][1]["toolCalls"][0]["function"]["arguments"], r#"{"at":"😀"}"#);
    assert_eq!(
        (&kept["messages"][2]["content"], &kept["state"]["last"]),
        (&json!("尾\u{FFFD}"), &json!("\u{FFFD}"))
    );
}

#[test]
fn a30_ids_that_an_agent_uses_again_are_told_apart() {
    let calling = [
        json!({"type": "TOOL_CALL_START", "toolCallId": "same", "toolCallName": "seek_to"}),
        json!({"type": "TOOL_CALL_END", "toolCallId": "same"}),
    ];
    let own = [
        json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "same", "toolCallName": "its_own"}),
        json!({"type": "TOOL_CALL_RESULT", "messageId": "r", "toolCallId": "same", "content": "sunny"}),
        json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "same", "delta": "晴。"}),
    ];
    let mut taken = BTreeSet::new();
    let mut messages = vec![user(1, "看看")];
    for (run, result) in [(&calling[..], Some("first")), (&calling, Some("second")), (&own, None)] {
        let (answer, calls) = answer(run, &mut taken);
        messages.push(answer);
        messages.extend(
            calls
                .into_iter()
                .zip(result)
                .map(|(call, result)| ModelMessage::Tool { call_id: call.id, text: result.to_owned() }),
        );
    }
    messages.push(user(2, "再看"));
    let sent = input(&asking(messages.clone()))["messages"].clone();
    let short = |message: &Value| {
        [&message["id"], &message["toolCalls"][0]["id"], &message["toolCallId"], &message["content"]]
            .map(|value| value.as_str().unwrap_or_default().to_owned())
    };
    let sent: Vec<_> = sent.as_array().unwrap().iter().map(short).collect();
    let expected = [
        ["sevt_abc_1", "", "", "看看"],
        // What came first goes back as the agent wrote it.
        ["same", "same", "", ""],
        ["result_same", "", "same", "first"],
        ["same_2", "c00000001", "", ""],
        ["result_c00000001", "", "c00000001", "second"],
        ["same_3", "same_2", "", "晴。"],
        ["r", "", "same_2", "sunny"],
        ["sevt_abc_2", "", "", "再看"],
    ];
    assert_eq!(sent, expected.map(|message| message.map(str::to_owned)), "{sent:#?}");
}

#[test]
fn the_calls_that_the_agent_names_are_the_pages() {
    let mut events = vec![json!({"type": "RUN_STARTED", "threadId": "sesn_abc", "runId": "sesn_abc_run_1"})];
    for name in ["seek_to", "not_declared"] {
        events.push(json!({"type": "TOOL_CALL_START", "toolCallId": name, "toolCallName": name}));
        events.push(json!({"type": "TOOL_CALL_END", "toolCallId": name}));
    }
    let outcome = json!({"type": "success", "pendingToolCallIds": ["not_declared"]});
    events.push(json!({"type": "RUN_FINISHED", "threadId": "sesn_abc", "runId": "sesn_abc_run_1", "outcome": outcome}));
    let output = decode(&question(), [stream(&events).as_bytes()]);
    assert_eq!(calls(&output), [["not_declared", "not_declared", ""]]);
}

#[test]
fn the_state_goes_along_and_comes_back() {
    let output = run(&[
        json!({"type": "STATE_SNAPSHOT", "snapshot": {"steps": []}}),
        json!({"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/steps/-", "value": 1}]}),
        json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "好"}),
    ]);
    let Value::Object(kept) = kept(&output) else { panic!() };
    let answer =
        ModelMessage::Assistant { text: text(&output), reasoning: None, calls: Vec::new(), kept: Some(kept) };
    assert_eq!(input(&asking(vec![user(1, "a"), answer, user(3, "b")]))["state"], json!({"steps": [1]}));
    let nowhere = run(&[json!({"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "/x"}]})]);
    assert_eq!(failure(&nowhere), "STATE_DELTA.delta[0].path: leads nowhere in the state");
}

#[test]
fn a_run_that_says_nothing_ends_well_and_what_it_changed_comes_back() {
    let nothing = "助手做完了这一轮，没有要说的话。";
    let state = json!({"type": "STATE_SNAPSHOT", "snapshot": {"done": true}});
    let own = [
        json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "w", "toolCallName": "its_own"}),
        json!({"type": "TOOL_CALL_RESULT", "messageId": "r", "toolCallId": "w", "content": "sunny"}),
    ];
    for (events, messages) in [(vec![], 0), (vec![state.clone()], 0), ([&own[..], &[state]].concat(), 2)] {
        let output = run(&events);
        assert!(
            matches!(&output[..], [ModelOutput::Text(said), ModelOutput::Kept(_), ModelOutput::Done] if said == nothing),
            "{output:?}"
        );
        let Value::Object(kept) = kept(&output) else { panic!() };
        let expected = if events.is_empty() { json!({}) } else { json!({"done": true}) };
        let answer = ModelMessage::Assistant {
            text: nothing.into(),
            reasoning: None,
            calls: Vec::new(),
            kept: Some(kept),
        };
        let next = input(&asking(vec![user(1, "a"), answer, user(3, "b")]));
        assert_eq!(next["state"], expected);
        // What the page said in its place is not the agent's.
        assert_eq!(next["messages"].as_array().unwrap().len(), 2 + messages);
        assert!(!next.to_string().contains(nothing));
    }
    // What calls or asks needs no words.
    let calling = run(&[json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "a", "toolCallName": "seek_to"})]);
    assert_eq!(text(&calling), "");
}

#[test]
fn a_snapshot_adds_what_was_not_told_before() {
    let output = run(&[
        json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "好"}),
        json!({"type": "MESSAGES_SNAPSHOT", "messages": [
            {"id": "sevt_abc_1", "role": "user", "content": "我看到哪了？"},
            {"id": "m", "role": "assistant", "content": "好"},
            {"id": "n", "role": "assistant", "content": "了"},
        ]}),
    ]);
    assert_eq!(text(&output), "好\n\n了");
    let ids: Vec<_> =
        kept(&output)["messages"].as_array().unwrap().iter().map(|message| message["id"].clone()).collect();
    assert_eq!(ids, ["m", "n"]);
}

#[test]
fn a_snapshot_does_not_tell_earlier_turns_again() {
    let first = decode(&question(), [TEXT.as_bytes()]);
    let Value::Object(kept_first) = kept(&first) else { panic!() };
    let told = kept_first[kept::MESSAGES].clone();
    let answer = ModelMessage::Assistant {
        text: text(&first),
        reasoning: None,
        calls: Vec::new(),
        kept: Some(kept_first),
    };
    let asked = asking(vec![user(1, "第几课？"), answer, user(3, "谢谢")]);
    let snapshot = stream(&[
        json!({"type": "RUN_STARTED", "threadId": "sesn_abc", "runId": "sesn_abc_run_1"}),
        json!({"type": "MESSAGES_SNAPSHOT", "messages": [told[0], {"id": "n", "role": "assistant", "content": "不客气"}]}),
        json!({"type": "RUN_FINISHED", "threadId": "sesn_abc", "runId": "sesn_abc_run_1"}),
    ]);
    assert_eq!(text(&decode(&asked, [snapshot.as_bytes()])), "不客气");
}

#[test]
fn reasoning_is_not_shown_and_goes_back_with_its_signature() {
    let output = run(&[
        json!({"type": "REASONING_START", "messageId": "r"}),
        json!({"type": "REASONING_MESSAGE_START", "messageId": "r", "role": "reasoning"}),
        json!({"type": "REASONING_MESSAGE_CONTENT", "messageId": "r", "delta": "想"}),
        json!({"type": "REASONING_MESSAGE_END", "messageId": "r"}),
        json!({"type": "REASONING_ENCRYPTED_VALUE", "subtype": "message", "entityId": "r", "encryptedValue": "sig"}),
        json!({"type": "REASONING_END", "messageId": "r"}),
        json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "a", "toolCallName": "seek_to", "delta": "{}"}),
        json!({"type": "REASONING_ENCRYPTED_VALUE", "subtype": "tool-call", "entityId": "a", "encryptedValue": "kind"}),
    ]);
    assert_eq!(text(&output), "");
    let messages = kept(&output)["messages"].clone();
    assert_eq!(
        messages[0],
        json!({"id": "r", "role": "reasoning", "content": "想", "encryptedValue": "sig"})
    );
    assert_eq!(messages[1]["toolCalls"][0]["encryptedValue"], "kind");
}

#[test]
fn a_run_told_again_before_the_one_that_was_asked_for_is_not_shown() {
    let run = |id: &str, said: &str| {
        [
            json!({"type": "RUN_STARTED", "threadId": "sesn_abc", "runId": id}),
            json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": said, "delta": said}),
            json!({"type": "RUN_FINISHED", "threadId": "sesn_abc", "runId": id}),
        ]
    };
    let told = stream(&[run("sesn_abc_run_0", "旧"), run("sesn_abc_run_1", "新")].concat());
    let output = decode(&question(), [told.as_bytes()]);
    assert_eq!((text(&output).as_str(), output.last()), ("新", Some(&ModelOutput::Done)));
    // An agent that numbers its runs itself is heard all the same.
    let output = decode(&question(), [stream(&run("other", "新")).as_bytes()]);
    assert_eq!((text(&output).as_str(), output.last()), ("新", Some(&ModelOutput::Done)));
}

#[test]
fn errors_are_the_agents_or_name_what_is_wrong() {
    let started = json!({"type": "RUN_STARTED", "threadId": "sesn_abc", "runId": "sesn_abc_run_1"});
    let end = |event: Value| {
        let call =
            json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "a", "toolCallName": "seek_to", "delta": "{}"});
        let output = decode(&question(), [stream(&[started.clone(), call, event]).as_bytes()]);
        failure(&output).to_owned()
    };
    assert_eq!(end(json!({"type": "RUN_ERROR", "message": "quota exceeded"})), "quota exceeded");
    let cancelled =
        json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": {"type": "cancelled"}});
    assert_eq!(end(cancelled), "助手的这次运行被取消了。");
    assert_eq!(
        end(json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m"})),
        "TEXT_MESSAGE_CONTENT.delta: is missing"
    );
    let unknown = json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "x"});
    assert_eq!(end(unknown), "TEXT_MESSAGE_CONTENT.messageId: must be a message that was begun");
    assert_eq!(end(json!({"type": "A_LATER_EVENT"})), "模型的回答没有说完就中断了。");

    let early = stream(&[json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "x"})]);
    assert_eq!(
        failure(&decode(&question(), [early.as_bytes()])),
        "TEXT_MESSAGE_CHUNK: must not come before RUN_STARTED"
    );
    let before = stream(&[json!({"type": "RUN_ERROR", "message": "no agent"})]);
    assert_eq!(failure(&decode(&question(), [before.as_bytes()])), "no agent");
    let broken = [stream(&[started]), "data: {type}\n\n".to_owned()].concat();
    assert!(failure(&decode(&question(), [broken.as_bytes()])).starts_with("key must be a string"));
    let sign_of_life = [": alive\n\ndata: : PROCESSING\n\n", TEXT].concat();
    assert_eq!(text(&decode(&question(), [sign_of_life.as_bytes()])), "现在是第 3 课。");
}

/// An event of a known type whose members are of a few texts, so that they meet.
fn any_event() -> impl Strategy<Value = Value> {
    let kinds = [
        "RUN_STARTED",
        "RUN_FINISHED",
        "RUN_ERROR",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "TEXT_MESSAGE_CHUNK",
        "TOOL_CALL_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
        "TOOL_CALL_CHUNK",
        "TOOL_CALL_RESULT",
        "REASONING_MESSAGE_START",
        "REASONING_MESSAGE_CONTENT",
        "REASONING_MESSAGE_CHUNK",
        "REASONING_ENCRYPTED_VALUE",
        "STATE_SNAPSHOT",
        "STATE_DELTA",
        "MESSAGES_SNAPSHOT",
        "ACTIVITY_SNAPSHOT",
        "CUSTOM",
        "NEW",
    ];
    let members = [
        "messageId",
        "toolCallId",
        "toolCallName",
        "parentMessageId",
        "delta",
        "role",
        "content",
        "runId",
        "message",
        "snapshot",
        "subtype",
        "entityId",
        "encryptedValue",
    ];
    let texts =
        prop::sample::select(vec!["a", "b", "seek_to", "sesn_abc_run_1", "tool-call", "assistant", "{}", ""]);
    let member = (prop::sample::select(members.to_vec()), texts);
    (prop::sample::select(kinds.to_vec()), prop::collection::vec(member, 0..8)).prop_map(|(kind, members)| {
        let mut event = json!({"type": kind});
        for (name, text) in members {
            event[name] = text.into();
        }
        event
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_events_end_in_one_end_and_give_calls_only_of_a_finished_run(
        events in prop::collection::vec(any_event(), 0..24), size in 1_usize..64,
    ) {
        let mut all = vec![json!({"type": "RUN_STARTED", "runId": "sesn_abc_run_1"})];
        all.extend(events);
        let bytes = stream(&all);
        let output = decode(&question(), bytes.as_bytes().chunks(size));
        let ends = output.iter().filter(|output| matches!(output, ModelOutput::Done | ModelOutput::Failed(_)));
        prop_assert_eq!(ends.count(), 1);
        prop_assert!(matches!(output.last(), Some(ModelOutput::Done | ModelOutput::Failed(_))));
        if output.last() != Some(&ModelOutput::Done) {
            prop_assert!(calls(&output).is_empty());
        }
        prop_assert_eq!(decode(&question(), [bytes.as_bytes()]), output);
    }

    /// Whatever ids runs use again, for messages, for their own tools' calls and for the page's, each id is one's alone
    /// in what goes back, and each call is answered by its own result.
    #[test]
    fn a30_any_ids_used_again_are_told_apart(
        runs in prop::collection::vec(prop::collection::vec((0..3_u8, 0..3_u8, any::<bool>()), 1..5), 1..6),
    ) {
        let mut taken = BTreeSet::new();
        let (mut messages, mut number) = (Vec::new(), 0);
        for (turn, run) in runs.iter().enumerate() {
            messages.push(user(turn as u32, "a"));
            let mut events = Vec::new();
            for (kind, id, named) in run {
                number += 1;
                let id = format!("id{id}");
                match kind {
                    0 => {
                        events.push(json!({"type": "TEXT_MESSAGE_START", "messageId": id}));
                        events.push(json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": number.to_string()}));
                        events.push(json!({"type": "TEXT_MESSAGE_END", "messageId": id}));
                    }
                    kind => {
                        let (id, name) = if *kind == 1 { (id, "its_own") } else { (format!("page{id}"), "seek_to") };
                        let parent = named.then_some("parent");
                        events.push(json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name, "parentMessageId": parent}));
                        events.push(json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": json!({"n": number}).to_string()}));
                        events.push(json!({"type": "TOOL_CALL_END", "toolCallId": id}));
                        if *kind == 1 {
                            events.push(json!({"type": "TOOL_CALL_RESULT", "messageId": "r", "toolCallId": id, "content": number.to_string()}));
                        }
                    }
                }
            }
            let (answer, calls) = answer(&events, &mut taken);
            messages.push(answer);
            for call in calls {
                let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
                messages.push(ModelMessage::Tool { call_id: call.id, text: arguments["n"].to_string() });
            }
        }
        messages.push(user(99, "b"));
        let sent = input(&asking(messages))["messages"].clone();
        let sent = sent.as_array().unwrap();
        for call in sent.iter().filter_map(|message| message["toolCalls"].as_array()).flatten() {
            let arguments: Value = serde_json::from_str(call["function"]["arguments"].as_str().unwrap()).unwrap();
            let result = sent.iter().find(|message| message["toolCallId"] == call["id"]).unwrap();
            prop_assert_eq!(result["content"].as_str().unwrap(), arguments["n"].to_string());
        }
    }

    #[test]
    fn any_bytes_end_in_one_end(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..20)) {
        let output = decode(&question(), pieces.iter().map(Vec::as_slice));
        prop_assert!(matches!(&output[..], [ModelOutput::Failed(_)]));
    }
}
