//! Smaller points of what servers send, each of which a decoder can get wrong with all else right.

use super::*;

const DONE: &str = "data: [DONE]\n\n";

fn called(index: u64, id: &str, name: &str, arguments: &str) -> Value {
    pieces(
        json!([{"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}}]),
    )
}

#[test]
fn a_response_has_32_mebibytes_at_most_in_all_its_pieces() {
    let mut decoder = Decoder::new(&asking(vec![user("hi")]));
    assert_eq!(decoder.bytes(b": alive\n\n"), []);
    let rest = vec![b'\n'; (32 << 20) - 8];
    assert_eq!(failure(&decoder.bytes(&rest)), "The model's answer is longer than 32 MiB.");
    // The same in one piece.
    let mut decoder = Decoder::new(&asking(vec![user("hi")]));
    assert_eq!(decoder.bytes(b"{"), []);
    assert_eq!(failure(&decoder.bytes(&vec![b' '; 32 << 20])), "The model's answer is longer than 32 MiB.");
}

#[test]
fn the_word_for_the_end_may_have_blanks_around_it() {
    for done in ["data:[DONE]\n\n", "data:  [DONE]\n\n", "data: [DONE] \n\n"] {
        let output = read([&events(&[chunk(json!({"content": "a"}))]), done].concat().as_bytes());
        assert_eq!(output, [ModelOutput::Text("a".into()), ModelOutput::Done], "{done}");
    }
}

#[test]
fn what_is_spoilt_after_the_end_hides_no_piece_of_a_call() {
    let whole = events(&[called(0, "a", "t", "{}"), finish("tool_calls")]);
    let output = read([&whole, "data: {\"usage\":{\"tot\n\n", DONE].concat().as_bytes());
    assert_eq!(calls(&output), [["a", "t", "{}"]]);
    assert_eq!(output.last(), Some(&ModelOutput::Done));
}

#[test]
fn an_error_that_is_null_is_none_and_of_several_choices_the_first_is_read() {
    let choice = |text: &str| json!({"delta": {"content": text}});
    let told = json!({"error": null, "choices": [choice("a"), choice("b")]});
    assert_eq!(stream(&[told]), [ModelOutput::Text("a".into()), ModelOutput::Done]);
}

#[test]
fn a_name_said_again_without_arguments_begins_no_call() {
    for nothing in ["", " ", "\n"] {
        let output = stream(&[called(0, "a", "t", "{}"), called(0, "a", "t", nothing)]);
        assert_eq!(calls(&output).len(), 1, "{nothing:?}");
    }
}

#[test]
fn case_a30_calls_of_one_id_and_two_indices_are_two() {
    let output = stream(&[called(0, "x", "t", ""), called(1, "x", "t", "{}")]);
    assert_eq!(calls(&output), [["x", "t", ""], ["x", "t", "{}"]]);
}

#[test]
fn case_a26_what_is_known_of_a_call_is_not_kept_twice() {
    let output = stream(&[called(0, "a", "t", "{}")]);
    assert!(
        matches!(&output[..], [ModelOutput::Call(call), ModelOutput::Done] if call.extra.is_empty()),
        "{output:?}"
    );
}

#[test]
fn a_piece_that_says_nothing_is_no_call() {
    let nothing = json!([{}, {"index": 3}, {"index": 4, "id": "", "type": "function", "function": {"name": "", "arguments": null}}]);
    assert_eq!(stream(&[chunk(json!({"content": "a"})), pieces(nothing.clone())]).len(), 2);
    let output = stream(&[called(0, "a", "t", "{}"), pieces(nothing)]);
    assert_eq!(calls(&output), [["a", "t", "{}"]]);
}
