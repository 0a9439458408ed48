//! What is text in what servers send, and what the person should not be shown as such.

use super::*;

fn reasoning(output: &[ModelOutput]) -> String {
    let reasoning = |output: &ModelOutput| match output {
        ModelOutput::Reasoning(text) => text.clone(),
        _ => String::new(),
    };
    output.iter().map(reasoning).collect()
}

/// A stream of these deltas, written as they stand, that ends for this reason.
fn raw(deltas: &[&str], reason: &str) -> Vec<ModelOutput> {
    let deltas = deltas.iter().map(|delta| format!("data: {{\"choices\":[{{\"delta\":{delta}}}]}}\n\n"));
    read([&*deltas.collect::<String>(), &events(&[finish(reason)])].concat().as_bytes())
}

#[test]
fn halves_of_characters_in_two_pieces_are_put_together() {
    let output = raw(&[r#"{"content":"前\ud83d"}"#, r#"{"content":"\ude00尾"}"#], "stop");
    assert_eq!(text(&output), "前😀尾");
    let output = raw(&[r#"{"content":"前\ud83d"}"#, r#"{"content":"尾\ud83d"}"#], "stop");
    assert_eq!(text(&output), "前\u{FFFD}尾\u{FFFD}");
    let output =
        raw(&[r#"{"reasoning":"\ud83d"}"#, r#"{"content":"x"}"#, r#"{"reasoning":"\ude00"}"#], "stop");
    assert_eq!((reasoning(&output).as_str(), text(&output).as_str()), ("😀", "x"));
    let piece = |arguments: &str| {
        format!(
            r#"{{"tool_calls":[{{"index":0,"id":"a","function":{{"name":"t","arguments":"{arguments}"}}}}]}}"#
        )
    };
    let pieces = [piece(r#"{\"a\":\"\ud83d"#), piece(r#"\ude00\"}"#)];
    let output = raw(&[&pieces[0], &pieces[1]], "tool_calls");
    assert_eq!(calls(&output), [["a", "t", "{\"a\":\"😀\"}"]]);
    let whole = br#"{"choices":[{"message":{"content":"a\udc00b"},"finish_reason":"stop"}]}"#;
    assert_eq!(text(&read(whole)), "a\u{FFFD}b");
}

#[test]
fn thoughts_in_the_text_are_reasoning_and_do_not_go_back() {
    let output =
        raw(&[r#"{"content":"<th"}"#, r#"{"content":"ink>嗯</think>"}"#, r#"{"content":"\n\n好"}"#], "stop");
    assert_eq!((reasoning(&output).as_str(), text(&output).as_str()), ("嗯", "好"));
    assert!(!output.iter().any(|output| matches!(output, ModelOutput::Kept(_))), "{output:?}");
    // What was held back when the stream broke is not lost.
    let output = read(events(&[chunk(json!({"content": "<thi"}))]).as_bytes());
    assert_eq!((text(&output).as_str(), failure(&output)), ("<thi", BROKE_OFF));
}

#[test]
fn blanks_alone_are_no_answer() {
    let output = raw(&[r#"{"content":""}"#, r#"{"content":" \n "}"#], "stop");
    assert_eq!(output, [ModelOutput::Done]);
}

#[test]
fn an_answer_that_was_cut_short_is_not_told_as_a_whole_one() {
    for (reason, message) in [
        ("length", "The model's answer reached its length limit before its end."),
        ("max_tokens", "The model's answer reached its length limit before its end."),
        ("content_filter", "A content filter of the model's server ended this answer."),
    ] {
        let output = raw(&[r#"{"content":"half"}"#], reason);
        assert_eq!((text(&output).as_str(), failure(&output)), ("half", message));
        // A31: calls are told by their arguments.
        let call = r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"t","arguments":"{}"}}]}"#;
        assert_eq!(calls(&raw(&[call], reason)), [["a", "t", "{}"]]);
    }
}

#[test]
fn what_a_model_says_when_it_will_not_answer_is_its_answer() {
    let output = raw(&[r#"{"refusal":"I cannot "}"#, r#"{"refusal":"do that.","content":null}"#], "stop");
    assert_eq!(text(&output), "I cannot do that.");
}
