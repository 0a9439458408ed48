//! What servers do (the handed cases of area A), wherever the reads end; and what must hold whatever they do.

mod details;
mod text;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::protocol::{JsonObject, ToolDeclaration};
use crate::service::model::output_read::{calls, text};
use crate::service::model::{ModelCall, ModelMessage, ModelOutput, ModelRequest};
use crate::service::session::RunNumber;

fn asking(messages: Vec<ModelMessage>) -> ModelRequest {
    let tool = json!({"type": "custom", "name": "t", "description": "x", "input_schema": {"type": "object"}});
    ModelRequest {
        session: "sesn_abc".into(),
        run: RunNumber(1),
        instructions: "Be brief.".to_owned(),
        messages,
        tools: ToolDeclaration::list_from_json(&[tool], &[]).unwrap(),
    }
}

fn user(text: &str) -> ModelMessage {
    ModelMessage::User { id: "sevt_abc_1".into(), text: text.to_owned() }
}

fn decode<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<ModelOutput> {
    let mut decoder = Decoder::new(&asking(vec![user("hi")]));
    let mut output = Vec::new();
    for piece in pieces {
        output.extend(decoder.bytes(piece));
    }
    output.extend(decoder.end());
    let mut joined: Vec<ModelOutput> = Vec::new();
    for output in output {
        match (joined.last_mut(), output) {
            (Some(ModelOutput::Text(text)), ModelOutput::Text(more))
            | (Some(ModelOutput::Reasoning(text)), ModelOutput::Reasoning(more)) => text.push_str(&more),
            (_, output) => joined.push(output),
        }
    }
    joined
}

/// What comes of these bytes; the same, wherever the reads end.
fn read(bytes: &[u8]) -> Vec<ModelOutput> {
    let whole = decode([bytes]);
    for place in 0..bytes.len() {
        let (before, after) = bytes.split_at(place);
        assert_eq!(decode([before, after]), whole, "split at {place}");
    }
    assert_eq!(decode(bytes.chunks(1)), whole, "byte by byte");
    whole
}

fn chunk(delta: Value) -> Value {
    json!({"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn pieces(pieces: Value) -> Value {
    chunk(json!({"tool_calls": pieces}))
}

fn finish(reason: &str) -> Value {
    json!({"id": "c", "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

fn events(chunks: &[Value]) -> String {
    chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect()
}

/// A whole stream of these chunks.
fn stream(chunks: &[Value]) -> Vec<ModelOutput> {
    read([&events(chunks), &events(&[finish("tool_calls")]), "data: [DONE]\n\n"].concat().as_bytes())
}

fn failure(output: &[ModelOutput]) -> &str {
    assert!(calls(output).is_empty(), "a broken response gives a call: {output:?}");
    match output.last() {
        Some(ModelOutput::Failed(message)) => message,
        _ => panic!("no failure: {output:?}"),
    }
}

const BROKE_OFF: &str = "The model's answer broke off.";

#[test]
fn case_a01_empty_ids_and_names_are_absent_ones() {
    for nothing in [json!(""), Value::Null] {
        let output = stream(&[
            pieces(
                json!([{"index": 0, "id": "call_a", "type": "function", "function": {"name": "t", "arguments": "{"}}]),
            ),
            pieces(json!([{"index": 0, "id": nothing, "function": {"name": nothing, "arguments": "\"a\""}}])),
            pieces(json!([{"index": 0, "function": {"arguments": ":1}"}}])),
        ]);
        assert_eq!(calls(&output), [["call_a", "t", "{\"a\":1}"]]);
    }
}

#[test]
fn case_a02_calls_may_have_no_id() {
    let output = stream(&[
        pieces(json!([{"index": 0, "function": {"name": "t", "arguments": "{}"}}])),
        pieces(json!([{"index": 1, "function": {"name": "t", "arguments": "{}"}}])),
    ]);
    // The session gives them ids (A29).
    assert_eq!(calls(&output), [["", "t", "{}"]; 2]);
}

#[test]
fn case_a03_calls_may_all_have_the_first_index() {
    let call = |id: &str, arguments: &str| {
        pieces(json!([{"index": 0, "id": id, "function": {"name": "write_note", "arguments": arguments}}]))
    };
    let output = stream(&[call("c1", "{\"n\":1}"), call("c2", "{\"n\":2}"), call("c3", "{}")]);
    let expected =
        [["c1", "write_note", "{\"n\":1}"], ["c2", "write_note", "{\"n\":2}"], ["c3", "write_note", "{}"]];
    assert_eq!(calls(&output), expected);
    // Also where the first has no arguments.
    let output = stream(&[call("c1", ""), call("c2", "{}")]);
    assert_eq!(calls(&output), [["c1", "write_note", ""], ["c2", "write_note", "{}"]]);
}

#[test]
fn case_a03_pieces_under_one_index_go_to_the_call_of_their_id() {
    let piece = |id: &str, name: &str, arguments: &str| {
        pieces(json!([{"index": 0, "id": id, "function": {"name": name, "arguments": arguments}}]))
    };
    let output = stream(&[
        piece("a", "t", "{\"n\":"),
        piece("b", "t", "{\"n\":"),
        piece("a", "", "1}"),
        piece("b", "", "2}"),
    ]);
    assert_eq!(calls(&output), [["a", "t", "{\"n\":1}"], ["b", "t", "{\"n\":2}"]]);
}

#[test]
fn case_a04_calls_may_have_no_index() {
    let output = stream(&[
        pieces(
            json!([{"id": "call_9", "type": "function", "function": {"name": "t", "arguments": "{\"a\""}}]),
        ),
        pieces(json!([{"function": {"arguments": ":1}"}}])),
        pieces(json!([{"id": "call_10", "function": {"name": "t", "arguments": "{}"}}])),
        pieces(json!([{"id": "call_9", "function": {"arguments": " "}}])),
    ]);
    assert_eq!(calls(&output), [["call_9", "t", "{\"a\":1} "], ["call_10", "t", "{}"]]);
    // Nor an id: a name begins a call.
    let whole =
        json!([{"function": {"name": "t", "arguments": {}}}, {"function": {"name": "u", "arguments": {}}}]);
    assert_eq!(calls(&stream(&[pieces(whole)])), [["", "t", "{}"], ["", "u", "{}"]]);
    let bare = json!([{"function": {"name": "t"}}, {"function": {"name": "u"}}]);
    assert_eq!(calls(&stream(&[pieces(bare)])), [["", "t", ""], ["", "u", ""]]);
}

#[test]
fn case_a05_indices_may_be_sparse() {
    let output = stream(&[
        pieces(json!([{"index": 1, "id": "a", "function": {"name": "t", "arguments": "{"}}])),
        pieces(json!([{"index": 3, "id": "b", "function": {"name": "u", "arguments": "{}"}}])),
        pieces(json!([{"index": 1, "function": {"arguments": "}"}}])),
    ]);
    assert_eq!(calls(&output), [["a", "t", "{}"], ["b", "u", "{}"]]);
}

#[test]
fn case_a06_glued_arguments_stay_one_call_which_the_session_refuses() {
    let output = stream(&[
        pieces(json!([{"index": 0, "id": "t1", "function": {"name": "list_lessons", "arguments": ""}}])),
        pieces(json!([{"index": 0, "function": {"arguments": "{\"q\":\"a\"}"}}])),
        pieces(json!([{"index": 0, "function": {"name": "", "arguments": "{\"q\":\"b\"}"}}])),
    ]);
    assert_eq!(calls(&output), [["t1", "list_lessons", "{\"q\":\"a\"}{\"q\":\"b\"}"]]);
}

#[test]
fn case_a09_arguments_may_be_an_object() {
    let call = json!({"index": 0, "id": "a", "function": {"name": "t", "arguments": {"path": "/lesson/3"}}});
    let expected = [["a", "t", "{\"path\":\"/lesson/3\"}"]];
    assert_eq!(calls(&stream(&[pieces(json!([call]))])), expected);
    let whole = json!({"choices": [{"message": {"role": "assistant", "content": null, "tool_calls": [call]}, "finish_reason": "tool_calls"}]});
    assert_eq!(calls(&read(whole.to_string().as_bytes())), expected);
}

#[test]
fn case_a10_no_arguments_are_an_empty_text() {
    for nothing in
        [json!({"name": "t", "arguments": ""}), json!({"name": "t"}), json!({"name": "t", "arguments": null})]
    {
        assert_eq!(
            calls(&stream(&[pieces(json!([{"index": 0, "id": "a", "function": nothing}]))])),
            [["a", "t", ""]]
        );
    }
}

#[test]
fn case_a11_calls_are_made_whatever_the_reason_to_finish() {
    let call = pieces(json!([{"index": 0, "id": "a", "function": {"name": "t", "arguments": "{}"}}]));
    for ends in [&[finish("stop")][..], &[finish("length"), finish("tool_calls")], &[]] {
        let bytes =
            [events(std::slice::from_ref(&call)), events(ends), "data: [DONE]\n\n".to_owned()].concat();
        let output = read(bytes.as_bytes());
        assert_eq!((calls(&output), output.last()), (vec![["a", "t", "{}"]], Some(&ModelOutput::Done)));
    }
}

#[test]
fn case_a14_a15_chunks_without_a_choice_or_a_delta_are_passed_over() {
    let output = stream(&[
        json!({"choices": [], "prompt_filter_results": []}),
        chunk(json!({"role": "assistant", "content": ""})),
        chunk(json!({"content": "你"})),
        json!({"id": "", "choices": [{"index": 0, "finish_reason": null, "content_filter_results": {}}]}),
        json!({"id": "", "choices": [{"index": 0, "delta": null}]}),
        chunk(json!({"content": "好"})),
        json!({"choices": [], "usage": {"total_tokens": 3}}),
    ]);
    assert_eq!(output, [ModelOutput::Text("你好".into()), ModelOutput::Done]);
}

#[test]
fn case_a16_an_error_in_the_stream_ends_the_answer_and_makes_no_call() {
    let call = pieces(json!([{"index": 0, "id": "a", "function": {"name": "t", "arguments": "{}"}}]));
    let error = json!({"error": {"message": "quota exceeded", "code": 429}});
    let bytes =
        [events(&[chunk(json!({"content": "so far"})), call, error]), "data: [DONE]\n\n".to_owned()].concat();
    let output = read(bytes.as_bytes());
    assert_eq!((text(&output).as_str(), failure(&output)), ("so far", "quota exceeded"));
    assert_eq!(failure(&read(b"event: error\ndata: {\"error\":\"boom\"}\n\n")), "boom");
    let beside = json!({"choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "error"}], "error": {"message": "busy"}});
    assert_eq!(failure(&read(events(&[beside]).as_bytes())), "busy");
    // In one piece, with the status 200.
    assert_eq!(failure(&read(b"{\"error\":{\"message\":\"no such model\"}}")), "no such model");
    assert_eq!(failure(&read(b"{\"object\":\"error\",\"message\":\"too long\"}")), "too long");
    assert_eq!(failure(&read(b"[{\"error\":{\"message\":\"bad\"}}]")), "bad");
}

#[test]
fn case_a20_what_is_no_json_is_passed_over_but_may_hide_no_piece_of_a_call() {
    let call = pieces(json!([{"index": 0, "id": "a", "function": {"name": "t", "arguments": "{}"}}]));
    let alive = "data: : OPENROUTER PROCESSING\n\n: comment\n\n";
    let output =
        read([alive, &events(std::slice::from_ref(&call)), alive, "data: [DONE]\n\n"].concat().as_bytes());
    assert_eq!(calls(&output), [["a", "t", "{}"]]);

    let spoilt = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"ind\n\n";
    let output = read([&events(&[call]), spoilt, "data: [DONE]\n\n"].concat().as_bytes());
    assert_eq!(failure(&output), BROKE_OFF);
    let output =
        read([&events(&[chunk(json!({"content": "a"}))]), spoilt, "data: [DONE]\n\n"].concat().as_bytes());
    assert_eq!((text(&output).as_str(), output.last()), ("a", Some(&ModelOutput::Done)));
    // But not for ever.
    let answer = |signs| {
        let text = events(&[chunk(json!({"content": "a"}))]);
        decode([[text, alive.repeat(signs), "data: [DONE]\n\n".to_owned()].concat().as_bytes()])
    };
    assert_eq!(answer(16).last(), Some(&ModelOutput::Done));
    assert_eq!(failure(&answer(17)), BROKE_OFF);
}

#[test]
fn case_a21_a22_a24_a33_lines_fields_and_characters_are_those_of_event_streams() {
    let chunks = [chunk(json!({"content": "视频👩‍🏫"})), finish("stop")];
    let expected = vec![ModelOutput::Text("视频👩‍🏫".into()), ModelOutput::Done];
    let whole = [events(&chunks), "data: [DONE]\n\n".to_owned()].concat();
    for end in ["\n", "\r\n", "\r"] {
        assert_eq!(read(whole.replace('\n', end).as_bytes()), expected, "{end:?}");
    }
    assert_eq!(read(["\u{feff}", &whole].concat().as_bytes()), expected);
    assert_eq!(read(whole.replace("data: ", "data:").as_bytes()), expected);
    let fields = ["retry: 1500\nretry: abc\nid: a\0b\nunknown: x\n\ndata\n\n", &whole].concat();
    assert_eq!(read(fields.as_bytes()), expected);
    // A value on several lines.
    let lines = whole.replacen(",\"choices\"", ",\ndata: \"choices\"", 1);
    assert_ne!(lines, whole);
    assert_eq!(read(lines.as_bytes()), expected);
}

#[test]
fn case_a23_the_last_event_may_lack_its_empty_line() {
    let call = pieces(json!([{"index": 0, "id": "a", "function": {"name": "t", "arguments": "{}"}}]));
    let whole = events(&[call, finish("tool_calls")]);
    for end in ["", "\n", "\n\n", "\n\ndata: [DONE]", "\n\ndata: [DONE]\n"] {
        let output = read([whole.trim_end(), end].concat().as_bytes());
        assert_eq!(
            (calls(&output), output.last()),
            (vec![["a", "t", "{}"]], Some(&ModelOutput::Done)),
            "{end:?}"
        );
    }
}

#[test]
fn case_a25_reasoning_goes_back_with_its_calls_to_the_server_that_sent_it() {
    for member in ["reasoning_content", "reasoning"] {
        let output = stream(&[
            chunk(json!({member: "想"})),
            chunk(json!({member: "一", "content": null})),
            chunk(json!({"reasoning_content": "想", "reasoning": "想"})),
            pieces(json!([{"index": 0, "id": "a", "function": {"name": "t", "arguments": "{}"}}])),
        ]);
        assert_eq!(output[0], ModelOutput::Reasoning("想一想".into()));
        assert_eq!(text(&output), "");
        let kept = output.iter().find_map(|output| match output {
            ModelOutput::Kept(kept) => Some(kept.clone()),
            _ => None,
        });
        let answer = |calls, kept| ModelMessage::Assistant {
            text: String::new(),
            reasoning: Some("想一想".into()),
            calls,
            kept,
        };
        let calling = vec![ModelCall::new("a", "t", "{}")];
        let sent = |message: ModelMessage| {
            body(&Settings::default(), &asking(vec![user("hi"), message]))["messages"][2].clone()
        };
        assert_eq!(sent(answer(calling.clone(), kept.clone()))[member], "想一想");
        // One that did not, or was not asked to call, does not get it.
        assert_eq!(sent(answer(calling, None)).get(member), None);
        assert_eq!(sent(answer(Vec::new(), kept)).get(member), None);
    }
}

#[test]
fn case_a26_what_is_not_known_of_a_call_goes_back() {
    let signature = json!({"google": {"thought_signature": "s"}});
    let output = stream(&[
        pieces(json!([{"index": 0, "id": "a", "function": {"name": "t", "arguments": "{}"}}])),
        pieces(json!([{"index": 0, "extra_content": signature}])),
        pieces(json!([{"extra_content": signature}])),
    ]);
    assert_eq!(calls(&output), [["a", "t", "{}"]]);
    let ModelOutput::Call(call) = &output[0] else { panic!() };
    let sent = body(
        &Settings::default(),
        &asking(vec![user("hi"), ModelMessage::assistant("", vec![call.clone()])]),
    );
    let expected = json!({"id": "a", "type": "function", "function": {"name": "t", "arguments": "{}"}, "extra_content": signature});
    assert_eq!(sent["messages"][2]["tool_calls"], json!([expected]));
}

#[test]
fn case_a28_no_text_is_null_beside_calls_or_as_the_server_wants_it() {
    let call = || vec![ModelCall::new("a", "t", "{}")];
    let tool = ModelMessage::Tool { call_id: "a".into(), text: "ok".into() };
    let asked = asking(vec![
        user("hi"),
        ModelMessage::assistant("", call()),
        tool,
        ModelMessage::assistant("done", Vec::new()),
    ]);
    let messages = body(&Settings::default(), &asked)["messages"].clone();
    assert_eq!(messages[2].get("content"), Some(&Value::Null));
    assert_eq!(messages[3], json!({"role": "tool", "tool_call_id": "a", "content": "ok"}));
    assert_eq!(messages[4], json!({"role": "assistant", "content": "done"}));
    let settings = Settings { empty_content: EmptyContent::EmptyString, ..Settings::default() };
    assert_eq!(body(&settings, &asked)["messages"][2]["content"], "");
    let said = asking(vec![user("hi"), ModelMessage::assistant("I look.", call())]);
    assert_eq!(body(&Settings::default(), &said)["messages"][2]["content"], "I look.");
    // And what comes as null is no text.
    assert_eq!(text(&stream(&[chunk(json!({"content": null})), chunk(json!({"content": "a"}))])), "a");
    let whole = json!({"choices": [{"message": {"content": null}, "delta": null, "finish_reason": "stop"}]});
    assert_eq!(read(whole.to_string().as_bytes()), [ModelOutput::Done]);
}

#[test]
fn case_a30_calls_may_all_have_one_id() {
    let call = |index: Value, arguments: &str| {
        pieces(json!([{"index": index, "id": "x", "function": {"name": "t", "arguments": arguments}}]))
    };
    let two = [["x", "t", "{\"n\":1}"], ["x", "t", "{\"n\":2}"]];
    // The session tells them apart by ids of its own.
    assert_eq!(calls(&stream(&[call(json!(0), "{\"n\":1}"), call(json!(1), "{\"n\":2}")])), two);
    assert_eq!(calls(&stream(&[call(json!(0), "{\"n\":1}"), call(json!(0), "{\"n\":2}")])), two);
    assert_eq!(calls(&stream(&[call(Value::Null, "{\"n\":1}"), call(Value::Null, "{\"n\":2}")])), two);
}

#[test]
fn case_a36_a_response_that_is_cut_makes_no_call() {
    let whole = events(&[
        chunk(json!({"content": "我来看看。"})),
        pieces(json!([{"index": 0, "id": "a", "function": {"name": "t", "arguments": "{\"a\":1}"}}])),
    ]);
    for place in 0..=whole.len() {
        let output = decode([&whole.as_bytes()[..place]]);
        assert_eq!(failure(&output), BROKE_OFF);
        assert!("我来看看。".starts_with(&text(&output)));
    }
    let json = json!({"choices": [{"message": {"content": "a"}}]}).to_string();
    assert_eq!(failure(&decode([&json.as_bytes()[..json.len() - 1]])), BROKE_OFF);
}

#[test]
fn case_a36_a_reason_to_finish_that_says_nothing_ends_nothing() {
    let call = json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "t", "arguments": "{}"}}]});
    let unsaid = json!({"choices": [{"index": 0, "delta": call, "finish_reason": ""}]});
    assert_eq!(failure(&read(events(std::slice::from_ref(&unsaid)).as_bytes())), BROKE_OFF);
    assert_eq!(calls(&stream(&[unsaid])), [["a", "t", "{}"]]);
}

#[test]
fn a_response_has_128_calls_at_most() {
    let called = |count: usize| {
        let call = |index| pieces(json!([{"index": index, "function": {"name": "t", "arguments": "{}"}}]));
        let chunks: Vec<_> = (0..count).map(call).chain([finish("tool_calls")]).collect();
        decode([events(&chunks).as_bytes()])
    };
    assert_eq!(calls(&called(128)).len(), 128);
    assert_eq!(failure(&called(129)), "The model's answer has more than 128 tool calls.");
}

#[test]
fn a_name_beside_each_piece_begins_a_call_only_when_the_arguments_are_whole() {
    // Brackets and quotes in strings close nothing.
    let arguments = r#"{"a":"}\"}{","b":[{},"]"]}"#;
    for place in 1..arguments.len() {
        let (first, rest) = arguments.split_at(place);
        let piece = |arguments: &str| {
            pieces(json!([{"index": 0, "id": "a", "function": {"name": "t", "arguments": arguments}}]))
        };
        let chunks = [piece(first), piece(rest), piece("{\"c\":1}"), finish("tool_calls")];
        let output = decode([events(&chunks).as_bytes()]);
        assert_eq!(calls(&output), [["a", "t", arguments], ["a", "t", "{\"c\":1}"]], "{place}");
    }
}

#[test]
fn white_space_before_the_answer_belongs_to_it() {
    let whole =
        [events(&[chunk(json!({"content": "a"})), finish("stop")]), "data: [DONE]\n\n".to_owned()].concat();
    let expected = [ModelOutput::Text("a".into()), ModelOutput::Done];
    assert_eq!(read(["\n \r\n\n", &whole].concat().as_bytes()), expected);
    // It makes another field of the first one, wherever it is cut.
    assert_eq!(
        failure(&read(["\t", &events(&[chunk(json!({"content": "a"}))])].concat().as_bytes())),
        BROKE_OFF
    );
    let json = json!({"choices": [{"message": {"content": "a"}}]});
    assert_eq!(read(["\n ", &json.to_string()].concat().as_bytes()), expected);
}

#[test]
fn names_may_be_cut_and_may_be_said_again() {
    let piece = |name: &str, arguments: &str| {
        pieces(json!([{"index": 0, "id": "a", "function": {"name": name, "arguments": arguments}}]))
    };
    let again = stream(&[
        piece("read_playback", ""),
        piece("read_playback", "{\"a\""),
        piece("read_playback", ":1}"),
    ]);
    assert_eq!(calls(&again), [["a", "read_playback", "{\"a\":1}"]]);
    assert_eq!(
        calls(&stream(&[piece("read_", ""), piece("playback", ""), piece("", "{}")])),
        [["a", "read_playback", "{}"]]
    );
}

#[test]
fn text_may_come_in_parts_and_in_one_piece() {
    let parts = json!([{"type": "thinking", "thinking": []}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}]);
    assert_eq!(text(&stream(&[chunk(json!({"content": parts}))])), "ab");
    let beside = json!({"choices": [{"delta": null, "message": {"content": "a"}, "finish_reason": "stop"}]});
    assert_eq!(text(&read(beside.to_string().as_bytes())), "a");
    let whole =
        json!({"choices": [{"message": {"role": "assistant", "content": "整个"}, "finish_reason": "stop"}]});
    assert_eq!(read(whole.to_string().as_bytes()), [ModelOutput::Text("整个".into()), ModelOutput::Done]);
}

fn body(settings: &Settings, asked: &ModelRequest) -> Value {
    serde_json::from_str(&request(settings, asked).body).unwrap()
}

#[test]
fn e15_the_endpoint_is_found_by_its_base_and_by_its_whole_address() {
    for url in
        ["http://a/v1", "http://a/v1/", "http://a/v1/chat/completions", "http://a/v1/chat/completions/"]
    {
        let settings = Settings { url: url.to_owned(), ..Settings::default() };
        assert_eq!(request(&settings, &asking(vec![user("hi")])).url, "http://a/v1/chat/completions");
    }
}

#[test]
fn e15_a_request_says_what_is_configured_and_nothing_else() {
    let mut settings = Settings {
        url: "http://localhost:11434/v1/".to_owned(),
        model: "qwen3".to_owned(),
        headers: vec![("authorization".to_owned(), "Bearer k".to_owned())],
        ..Settings::default()
    };
    let asked = asking(vec![user("hi")]);
    let sent = request(&settings, &asked);
    assert_eq!(sent.url, "http://localhost:11434/v1/chat/completions");
    assert_eq!(sent.headers[0].1, "Bearer k");
    let tool = json!({"type": "function", "function": {"name": "t", "description": "x", "parameters": {"type": "object", "properties": {}}}});
    let expected = json!({
        "model": "qwen3",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}],
        "stream": true,
        "tools": [tool],
    });
    assert_eq!(body(&settings, &asked), expected);
    (settings.temperature, settings.tool_choice) = (Some(0.2), Some("required".into()));
    let configured = body(&settings, &asked);
    assert_eq!((&configured["temperature"], &configured["tool_choice"]), (&json!(0.2), &json!("required")));
    // Servers refuse an empty list of tools, and a choice without any.
    let without = body(&settings, &ModelRequest { tools: Vec::new(), ..asked });
    assert_eq!((without.get("tools"), without.get("tool_choice")), (None, None));
}

#[test]
fn e15_old_turns_are_left_out_whole() {
    let turn = |number: usize| {
        let id = format!("c{number}");
        [
            user(&format!("question {number}")),
            ModelMessage::assistant("", vec![ModelCall::new(id.as_str(), "t", "{}")]),
            ModelMessage::Tool { call_id: id, text: "x".repeat(1000) },
            ModelMessage::assistant("answer", Vec::new()),
        ]
    };
    let mut messages: Vec<_> = (0..10).flat_map(turn).collect();
    messages.extend(turn(10).into_iter().take(3));
    let sent = |budget| {
        let settings = Settings { context_budget: Some(budget), ..Settings::default() };
        let body = body(&settings, &asking(messages.clone()));
        let messages = body["messages"].as_array().unwrap().clone();
        assert_eq!(messages[0]["role"], "system");
        assert_eq!(messages[1]["role"], "user", "a turn is cut");
        messages
    };
    assert_eq!(sent(1_000_000).len(), 1 + 43);
    let some = sent(5000);
    assert_eq!(some[1]["content"], "question 8");
    assert!(some.len() == 1 + 11 && body_size(&some) < 5000, "{}", body_size(&some));
    // What is asked now is asked, however long.
    assert_eq!(sent(10).len(), 1 + 3);
    // Reasoning and unknown members go along, and count.
    for more in [true, false] {
        let mut messages = messages.clone();
        for message in &mut messages {
            if let ModelMessage::Assistant { reasoning, calls, .. } = message
                && let Some(call) = calls.first_mut()
            {
                match more {
                    true => *reasoning = Some("x".repeat(1000)),
                    false => drop(call.extra.insert("signature".to_owned(), "x".repeat(1000).into())),
                }
            }
        }
        let settings = Settings { context_budget: Some(5000), ..Settings::default() };
        let body = body(&settings, &asking(messages));
        assert_eq!(body["messages"][1]["content"], "question 9");
    }
}

fn body_size(messages: &[Value]) -> usize {
    Value::from(messages).to_string().len()
}

fn any_piece() -> impl Strategy<Value = Value> {
    let texts = || {
        prop::sample::select(vec![
            json!("a"),
            json!(""),
            json!("{"),
            json!("}"),
            json!("{}"),
            json!(null),
            json!({}),
            json!(1),
        ])
    };
    let index = prop::sample::select(vec![json!(0), json!(1), json!(null), json!("0"), json!(-1)]);
    (index, texts(), texts(), texts()).prop_map(|(index, id, name, arguments)| {
        json!({"index": index, "id": id, "function": {"name": name, "arguments": arguments}})
    })
}

fn any_chunk() -> impl Strategy<Value = Value> {
    prop_oneof![
        prop::collection::vec(any_piece(), 0..3).prop_map(|list| pieces(list.into())),
        ".{0,6}".prop_map(|text| chunk(json!({"content": text, "reasoning": "r"}))),
        prop::sample::select(vec![
            json!({}),
            json!([]),
            json!(1),
            json!({"choices": {}}),
            json!({"choices": [null]}),
            json!({"choices": [{"delta": 1}]}),
            json!({"error": "boom"}),
            finish("stop"),
            chunk(json!({"tool_calls": {}})),
            chunk(json!({"tool_calls": [1, null]})),
        ]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_chunks_end_in_one_end_and_give_calls_only_of_a_whole_response(
        chunks in prop::collection::vec(any_chunk(), 0..16), done in any::<bool>(), size in 1_usize..64,
    ) {
        let bytes = [events(&chunks), if done { "data: [DONE]\n\n".to_owned() } else { String::new() }].concat();
        let output = decode(bytes.as_bytes().chunks(size));
        let ends = output.iter().filter(|output| matches!(output, ModelOutput::Done | ModelOutput::Failed(_)));
        prop_assert_eq!(ends.count(), 1);
        prop_assert!(matches!(output.last(), Some(ModelOutput::Done | ModelOutput::Failed(_))));
        if output.last() != Some(&ModelOutput::Done) {
            prop_assert!(calls(&output).is_empty());
        }
        prop_assert_eq!(decode([bytes.as_bytes()]), output);
    }

    #[test]
    fn any_bytes_end_in_one_end(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..20)) {
        let output = decode(pieces.iter().map(Vec::as_slice));
        prop_assert!(matches!(&output[..], [ModelOutput::Failed(_)]));
    }

    #[test]
    fn arguments_come_together_however_they_are_cut(cuts in prop::collection::vec(0_usize..40, 0..6)) {
        let arguments = "{\"fields\":[{\"name\":\"a\",\"value\":\"视\"}]}";
        let mut places: Vec<_> = cuts.into_iter().filter(|cut| arguments.is_char_boundary(*cut)).collect();
        places.extend([0, arguments.len()]);
        places.sort_unstable();
        let mut chunks = vec![pieces(json!([{"index": 0, "id": "a", "function": {"name": "t", "arguments": ""}}]))];
        chunks.extend(places.windows(2).map(|ends| pieces(json!([{"index": 0, "function": {"arguments": arguments[ends[0]..ends[1]]}}]))));
        let bytes = [events(&chunks), "data: [DONE]\n\n".to_owned()].concat();
        let output = decode([bytes.as_bytes()]);
        prop_assert_eq!(calls(&output), [["a", "t", arguments]]);
    }
}

#[test]
fn what_is_kept_is_of_the_response() {
    assert!(
        !stream(&[chunk(json!({"content": "a"}))])
            .iter()
            .any(|output| matches!(output, ModelOutput::Kept(_)))
    );
    let mut kept = JsonObject::new();
    kept.insert(super::kept::REASONING.to_owned(), "reasoning".into());
    assert!(stream(&[chunk(json!({"reasoning": "r"}))]).contains(&ModelOutput::Kept(kept)));
}
