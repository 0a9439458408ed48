//! What a parser of server-sent events must get right, wherever the reads end.

use super::*;

/// What `chunks` bring, signs of life left out.
fn decoded<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<StreamItem> {
    let mut decoder = Decoder::new();
    let mut items = VecDeque::new();
    for chunk in chunks {
        decoder.decode(chunk, &mut items).unwrap();
    }
    items.into_iter().filter(|item| *item != StreamItem::Heartbeat).collect()
}

/// The stream brings just these texts as previews: whole, cut in two anywhere, byte by byte.
fn brings(bytes: &[u8], texts: &[&str]) {
    let preview =
        |text: &&str| StreamItem::Preview(Preview::Delta { id: "m".into(), text: (*text).to_owned() });
    let expected: Vec<_> = texts.iter().map(preview).collect();
    for at in 0..=bytes.len() {
        let (first, second) = bytes.split_at(at);
        assert_eq!(decoded([first, second]), expected, "cut at {at}");
    }
    assert_eq!(decoded(bytes.chunks(1)), expected, "byte by byte");
}

/// The JSON of a preview.
fn delta(text: &str) -> String {
    serde_json::to_string(&Preview::Delta { id: "m".into(), text: text.to_owned() }).unwrap()
}

/// A stream of two events with these line ends.
fn two_events(end: &str) -> String {
    [
        "id: 1",
        "event: event_delta",
        &["data: ", &delta("a")].concat(),
        "",
        &["data:", &delta("b")].concat(),
        "",
        "",
    ]
    .join(end)
}

#[test]
fn case_a21_lines_end_in_lf_crlf_or_cr() {
    for end in ["\n", "\r\n", "\r"] {
        brings(two_events(end).as_bytes(), &["a", "b"]);
    }
}

#[test]
fn case_a21_line_ends_may_be_mixed() {
    let stream = ["data: ", &delta("a"), "\r\n\rdata: ", &delta("b"), "\n\r\n"].concat();
    brings(stream.as_bytes(), &["a", "b"]);
}

#[test]
fn case_a22_lines_of_data_are_one_value() {
    let (first, second) = (r#"{"type":"event_delta","event_id":"m","#, r#""delta":{"type":"content_delta","#);
    let third = r#""content":{"type":"text","text":"a"}}}"#;
    brings(["data: ", first, "\ndata: ", second, "\ndata:", third, "\n\n"].concat().as_bytes(), &["a"]);
}

#[test]
fn case_a23_an_event_that_the_end_cuts_off_is_dropped() {
    brings(["data: ", &delta("a"), "\n\ndata: ", &delta("b"), "\n"].concat().as_bytes(), &["a"]);
}

#[test]
fn case_a24_characters_may_be_cut() {
    brings(["data: ", &delta("看视频🎬"), "\n\n"].concat().as_bytes(), &["看视频🎬"]);
}

#[test]
fn a_byte_that_is_no_utf_8_ends_nothing() {
    let stream = [b"data: \xff\n\ndata: ", delta("b").as_bytes(), b"\n\n"].concat();
    brings(&stream, &["b"]);
}

#[test]
fn case_a33_one_byte_order_mark_is_dropped() {
    brings(["\u{feff}data: ", &delta("\u{feff}a"), "\n\n"].concat().as_bytes(), &["\u{feff}a"]);
}

#[test]
fn case_a33_comments_and_unknown_fields_are_skipped() {
    let stream = [
        ": hello\n\n:\nretry: 1500\nretry: abc\nid: a\0b\ncolour: red\nalone\n: more\ndata: ",
        &delta("a"),
        "\n: end\n\nevent: nothing\n\ndata\n\n",
    ];
    brings(stream.concat().as_bytes(), &["a"]);
}

#[test]
fn every_read_is_a_sign_of_life() {
    let (mut decoder, mut items) = (Decoder::new(), VecDeque::new());
    for chunk in
        [":\n\n", ": keep", "-alive\n\n", "data: : a proxy\n\n", "data: {\"type\":\"agent.dream\"}\n\n"]
    {
        decoder.decode(chunk.as_bytes(), &mut items).unwrap();
        assert_eq!(items.drain(..).collect::<Vec<_>>(), [StreamItem::Heartbeat], "{chunk:?}");
    }
}

#[test]
fn an_event_that_cannot_be_read_ends_the_stream() {
    let data = r#"{"type":"agent.message","id":"a","processed_at":"2026-11-30T00:00:00Z"}"#;
    let outcome = Decoder::new().decode(["data: ", data, "\n\n"].concat().as_bytes(), &mut VecDeque::new());
    assert_eq!(outcome.unwrap_err().to_string(), "the stream: content: must be a list");
}

#[test]
fn an_event_longer_than_any_result_is_read() {
    let text = "\u{1}".repeat(1 << 20);
    let stream = ["data: ", &delta(&text), "\n\n"].concat();
    let expected = StreamItem::Preview(Preview::Delta { id: "m".into(), text });
    assert_eq!(decoded(stream.as_bytes().chunks(1 << 16)), [expected]);
}
