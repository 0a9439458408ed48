//! The protocol's smaller points, each of which a codec can get wrong with all else right.

use super::*;

fn started(run: &str) -> Value {
    json!({"type": "RUN_STARTED", "threadId": "sesn_abc", "runId": run})
}

fn finished(run: &str) -> Value {
    json!({"type": "RUN_FINISHED", "threadId": "sesn_abc", "runId": run})
}

fn said(text: &str) -> Value {
    json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": text, "delta": text})
}

/// The messages that a run leaves behind.
fn messages(events: &[Value]) -> Value {
    kept(&run(events))["messages"].clone()
}

/// What the person is asked, and what goes back when they answer.
fn asked_and_resumed(interrupt: &Value, answer: &str) -> (String, Value) {
    let outcome = json!({"type": "interrupt", "interrupts": [interrupt]});
    let mut end = finished("sesn_abc_run_1");
    end["outcome"] = outcome;
    let output = decode(&question(), [stream(&[started("sesn_abc_run_1"), end]).as_bytes()]);
    let asked = text(&output);
    let Value::Object(kept) = kept(&output) else { panic!() };
    let waiting =
        ModelMessage::Assistant { text: asked.clone(), reasoning: None, calls: Vec::new(), kept: Some(kept) };
    let resumed = input(&asking(vec![user(1, "a"), waiting, user(3, answer)]));
    (asked, resumed["resume"][0].clone())
}

#[test]
fn a_run_has_32_mebibytes_at_most_in_all_its_pieces() {
    let mut decoder = Decoder::new(&question(), NOW);
    assert_eq!(decoder.bytes(b": alive\n\n"), []);
    let rest = vec![b'\n'; (32 << 20) - 8];
    assert_eq!(failure(&decoder.bytes(&rest)), "模型的回答超过了 32 MiB。");
}

#[test]
fn what_comes_between_two_runs_belongs_to_none() {
    let between = json!({"type": "CUSTOM", "name": "pause", "value": 1});
    let told = [started("old"), said("旧"), finished("old"), between, started("sesn_abc_run_1"), said("新")];
    let told = stream(&[&told[..], &[finished("sesn_abc_run_1")]].concat());
    assert_eq!(text(&decode(&question(), [told.as_bytes()])), "新");
}

#[test]
fn a_run_that_begins_anew_is_not_held_up_by_what_the_one_before_left_open() {
    let call = json!({"type": "TOOL_CALL_START", "toolCallId": "a", "toolCallName": "seek_to"});
    let told = [started("old"), call, started("sesn_abc_run_1"), said("新"), finished("sesn_abc_run_1")];
    let output = decode(&question(), [stream(&told).as_bytes()]);
    assert_eq!((text(&output).as_str(), output.last()), ("新", Some(&ModelOutput::Done)));
    assert_eq!(calls(&output), Vec::<[&str; 3]>::new());
}

#[test]
fn what_belongs_to_no_stream_ends_no_chunks() {
    for apart in [
        json!({"type": "RAW", "event": {}}),
        json!({"type": "ACTIVITY_SNAPSHOT", "messageId": "x", "activityType": "plan", "content": {}}),
        json!({"type": "ACTIVITY_DELTA", "messageId": "x", "activityType": "plan", "patch": []}),
        json!({"type": "REASONING_ENCRYPTED_VALUE", "subtype": "message", "entityId": "m", "encryptedValue": "e"}),
    ] {
        let more = json!({"type": "TEXT_MESSAGE_CHUNK", "delta": "的"});
        let output = run(&[said("好"), apart.clone(), more]);
        assert_eq!(text(&output), "好的", "{apart}");
    }
}

#[test]
fn the_end_of_a_call_ends_no_other() {
    let start = |id: &str| json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": "seek_to"});
    let end = |id: &str| json!({"type": "TOOL_CALL_END", "toolCallId": id});
    let more = json!({"type": "TOOL_CALL_ARGS", "toolCallId": "b", "delta": "{}"});
    let output = run(&[start("a"), start("b"), end("a"), more, end("b")]);
    assert_eq!(calls(&output), [["a", "seek_to", ""], ["b", "seek_to", "{}"]]);
}

#[test]
fn a_snapshot_brings_the_agents_results_and_thoughts_and_the_last_form_of_its_messages() {
    let call = json!({"id": "w", "type": "function", "function": {"name": "its_own", "arguments": "{}"}});
    let snapshot = [
        json!({"id": "r", "role": "reasoning", "content": "想"}),
        json!({"id": "c", "role": "assistant", "toolCalls": [call]}),
        json!({"id": "t", "role": "tool", "toolCallId": "w", "content": "sunny"}),
        json!({"id": "晴", "role": "assistant", "content": "晴", "metadata": {"score": 1}}),
    ];
    let event = json!({"type": "MESSAGES_SNAPSHOT", "messages": snapshot});
    let output = run(&[said("晴"), event]);
    assert_eq!(text(&output), "晴");
    let Value::Object(kept) = kept(&output) else { panic!() };
    let answer =
        ModelMessage::Assistant { text: text(&output), reasoning: None, calls: Vec::new(), kept: Some(kept) };
    let next = input(&asking(vec![user(1, "天气"), answer, user(3, "谢谢")]));
    let sent = next["messages"].as_array().unwrap();
    for message in &snapshot {
        assert!(sent.contains(message), "{message}: {sent:#?}");
    }
    assert_eq!(sent.len(), 6, "no other result is made up: {sent:#?}");
}

#[test]
fn a_snapshot_without_an_end_shows_so_much_and_no_more() {
    let message = |number: usize| json!({"id": number.to_string(), "role": "assistant", "content": "a"});
    let messages: Vec<_> = (0..3000).map(message).collect();
    let output = run(&[json!({"type": "MESSAGES_SNAPSHOT", "messages": messages})]);
    assert_eq!(failure(&output), "MESSAGES_SNAPSHOT: makes more messages and calls than a run may have");
    assert!(text(&output).matches('a').count() <= 1000);
}

#[test]
fn messages_and_calls_go_back_with_all_that_came_with_them_and_without_empty_ones() {
    let metadata = json!({"score": 1});
    let left = messages(&[
        json!({"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant", "name": "n", "subagentRunId": "s", "metadata": metadata}),
        json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "好"}),
        json!({"type": "TEXT_MESSAGE_END", "messageId": "m"}),
        json!({"type": "TEXT_MESSAGE_START", "messageId": "empty", "role": "assistant"}),
        json!({"type": "TEXT_MESSAGE_END", "messageId": "empty"}),
        json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "a", "toolCallName": "seek_to", "parentMessageId": "m", "metadata": metadata}),
    ]);
    let call = json!({"id": "a", "type": "function", "function": {"name": "seek_to", "arguments": ""}, "metadata": metadata});
    let expected = json!({"id": "m", "role": "assistant", "name": "n", "subagentRunId": "s", "metadata": metadata, "content": "好", "toolCalls": [call]});
    assert_eq!(left, json!([expected]));
}

#[test]
fn a_call_beside_what_is_no_answer_has_a_message_of_its_own() {
    let left = messages(&[
        json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "role": "developer", "delta": "d"}),
        json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "a", "toolCallName": "seek_to", "parentMessageId": "m"}),
    ]);
    let read = |place: usize| (left[place]["id"].as_str(), left[place]["role"].as_str());
    assert_eq!([read(0), read(1)], [(Some("m"), Some("developer")), (Some("a"), Some("assistant"))]);
    assert!(left[0].get("toolCalls").is_none());
    assert_eq!(left[1]["toolCalls"][0]["id"], "a");
}

#[test]
fn an_answer_of_another_shape_than_was_asked_for_gives_up() {
    let interrupt = |schema: Value| json!({"id": "i", "reason": "input_required", "responseSchema": schema});
    let resumed = |schema: &Value, answer: &str| asked_and_resumed(&interrupt(schema.clone()), answer).1;
    let cancelled = json!({"interruptId": "i", "status": "cancelled"});
    let number = json!({"type": "number"});
    assert_eq!(resumed(&number, "2.5")["payload"], json!(2.5));
    for other in ["\"3\"", "true", "[3]", "three"] {
        assert_eq!(resumed(&number, other), cancelled, "{other}");
    }
    let form = json!({"type": "object", "required": ["from", "to"]});
    for other in ["[1, 2]", "\"a\"", "1"] {
        assert_eq!(resumed(&form, other), cancelled, "{other}");
    }
    // A reason is given only where there is room for one.
    let decision =
        json!({"type": "object", "properties": {"approved": {"type": "boolean"}}, "required": ["approved"]});
    assert_eq!(resumed(&decision, "算了")["payload"], json!({"approved": false}));
}

#[test]
fn an_interrupt_without_words_of_its_own_says_why() {
    let (asked, _) = asked_and_resumed(&json!({"id": "i", "reason": "confirmation", "message": ""}), "同意");
    assert!(asked.contains("\n- confirmation\n"), "{asked}");
}
