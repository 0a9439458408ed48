use serde_json::json;

use super::*;
use crate::protocol::{AgentName, Event, EventBody, Session, SessionStatus, Timestamp};
use crate::service::session::Record;

fn refused(body: &str) -> String {
    parse_events(body.as_bytes(), Caller::Browser).unwrap_err().to_string()
}

#[test]
fn events_are_read_as_the_wire_has_them() {
    let body = json!({"events": [
        {"type":"user.message","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"unknown":1,
         "page_context":[{"name":"lesson","value":"3"}],"client_message_id":"m1"},
        {"type":"user.custom_tool_result","custom_tool_use_id":"sevt_7","content":[{"type":"text","text":""}]},
        {"type":"user.interrupt"},
    ]});
    let events = parse_events(body.to_string().as_bytes(), Caller::Browser).unwrap();
    let expected: Vec<_> =
        body["events"].as_array().unwrap().iter().map(|event| EventBody::from_json(event).unwrap()).collect();
    assert_eq!(events, expected);
}

#[test]
fn a_refusal_names_the_index_and_the_field() {
    let event = |event: &str| format!(r#"{{"events":[{{"type":"user.interrupt"}},{event}]}}"#);
    let message = |rest: &str| {
        event(&format!(r#"{{"type":"user.message","content":[{{"type":"text","text":"x"}}]{rest}}}"#))
    };
    let cases = [
        ("{".to_owned(), "body: is not JSON: EOF while parsing an object at line 1 column 1"),
        ("{} x".to_owned(), "body: is not JSON: trailing characters at line 1 column 4"),
        ("[]".to_owned(), "events: must be a list"),
        (r#"{"events":[]}"#.to_owned(), "events: must have an event"),
        (event("7"), "events[1]: must be an object"),
        (event("{}"), "events[1].type: must be a string"),
        (event(r#"{"type":"user.dance"}"#), "events[1].type: there is no event type \"user.dance\""),
        (
            event(r#"{"type":"agent.message","content":[]}"#),
            "events[1].type: only the service writes events of this type",
        ),
        (
            event(r#"{"type":"session.status_idle"}"#),
            "events[1].type: only the service writes events of this type",
        ),
        (event(r#"{"type":"user.message"}"#), "events[1].content: must be a list"),
        (event(r#"{"type":"user.message","content":[]}"#), "events[1].content: must have an element"),
        (
            event(r#"{"type":"user.message","content":[{"type":"image"}]}"#),
            "events[1].content[0].type: must be \"text\"",
        ),
        (
            event(r#"{"type":"user.message","content":[{"type":"text","text":1}]}"#),
            "events[1].content[0].text: must be a string",
        ),
        (
            event(r#"{"type":"user.message","content":[{"type":"text","text":" \n"}]}"#),
            "events[1].content: must not be blank",
        ),
        (message(r#","client_message_id":5"#), "events[1].client_message_id: must be a string"),
        (message(r#","page_context":{}"#), "events[1].page_context: must be a list"),
        (
            message(r#","page_context":[{"name":"a b","value":""}]"#),
            "events[1].page_context[0].name: readable name \"a b\" must match [A-Za-z0-9_.:-]{1,64}",
        ),
        (
            message(r#","page_context":[{"name":"a","value":5}]"#),
            "events[1].page_context[0].value: must be a string",
        ),
        (
            event(r#"{"type":"user.custom_tool_result","content":[{"type":"text","text":""}]}"#),
            "events[1].custom_tool_use_id: must be a string",
        ),
        (
            event(
                r#"{"type":"user.custom_tool_result","custom_tool_use_id":"x","content":[{"type":"text","text":""}],"is_error":"no"}"#,
            ),
            "events[1].is_error: must be true or false",
        ),
    ];
    for (body, problem) in cases {
        assert_eq!(refused(&body), problem);
    }
}

#[test]
fn k17_a_page_context_above_the_limits_is_refused() {
    let post = |items: serde_json::Value| {
        let event =
            json!({"type":"user.message","content":[{"type":"text","text":"x"}],"page_context":items});
        parse_events(json!({"events":[event]}).to_string().as_bytes(), Caller::Browser).map(|_| ())
    };
    let small = |count: usize| json!(vec![json!({"name":"a","value":""}); count]);
    assert_eq!(post(small(32)), Ok(()));
    assert_eq!(
        post(small(33)).unwrap_err().message,
        "events[0].page_context: has 33 entries; at most 32 are accepted"
    );
    let sized =
        |bytes: usize| json!([{"name":"a","value":"x".repeat(bytes - r#"[{"name":"a","value":""}]"#.len())}]);
    assert_eq!(post(sized(4096)), Ok(()));
    assert_eq!(
        post(sized(4097)).unwrap_err().message,
        "events[0].page_context: has 4097 bytes; at most 4096 are accepted"
    );
}

#[test]
fn a_results_text_has_at_most_1_mib() {
    let post = |bytes: usize| {
        let event = json!({"type":"user.custom_tool_result","custom_tool_use_id":"x",
                           "content":[{"type":"text","text":"é".repeat(bytes / 2)},{"type":"text","text":"x".repeat(bytes % 2)}]});
        parse_events(json!({"events":[event]}).to_string().as_bytes(), Caller::Browser).map(|_| ())
    };
    assert_eq!(post(1_048_576), Ok(()));
    assert_eq!(
        post(1_048_577).unwrap_err().message,
        "events[0].content: has 1048577 bytes of text; at most 1048576 are accepted"
    );
}

#[test]
fn a_body_is_nested_at_most_128_deep() {
    let post = |depth: usize| {
        // The list of events and the event itself are three levels.
        let lists = ["[".repeat(depth - 3), "]".repeat(depth - 3)].concat();
        let body =
            format!(r#"{{"events":[{{"type":"user.interrupt","x":{lists},"s":"\"{}"}}]}}"#, "[".repeat(200));
        parse_events(body.as_bytes(), Caller::Browser).map(|_| ())
    };
    assert_eq!(post(128), Ok(()));
    assert_eq!(post(129).unwrap_err().message, "body: is nested more than 128 deep");
    assert_eq!(post(1_000_000).unwrap_err().message, "body: is nested more than 128 deep");
}

#[test]
fn k19_only_a_servers_key_may_say_trusted_facts() {
    let body = br#"{"events":[{"type":"system.message","content":[{"type":"text","text":"x"}]}]}"#;
    let error = parse_events(body, Caller::Browser).unwrap_err();
    assert_eq!((error.kind, error.kind.status()), (ErrorKind::PermissionError, 403));
    assert!(parse_events(body, Caller::Server).is_ok());
}

#[test]
fn a_new_session_may_name_its_agent() {
    assert_eq!(parse_new_session(b" "), Ok(None));
    assert_eq!(parse_new_session(b"{}"), Ok(None));
    assert_eq!(parse_new_session(br#"{"agent":null,"metadata":{"a":1}}"#), Ok(None));
    assert_eq!(parse_new_session(br#"{"agent":{"name":"a"}}"#), Ok(Some("a".into())));
    for (body, problem) in [
        (&b"[]"[..], "body: must be an object"),
        (br#"{"agent":"a"}"#, "agent: must be an object"),
        (br#"{"agent":{"name":1}}"#, "agent.name: must be a string"),
        (br#"{"metadata":[]}"#, "metadata: must be an object"),
    ] {
        assert_eq!(parse_new_session(body).unwrap_err().message, problem);
    }
    let agent = AgentDefinition { name: "a".into(), ..AgentDefinition::default() };
    assert_eq!(check_agent(None, &agent), Ok(()));
    assert_eq!(check_agent(Some("a"), &agent), Ok(()));
    assert_eq!(check_agent(Some("b"), &agent).unwrap_err().kind, ErrorKind::NotFoundError);
}

#[test]
fn limits_are_whole_numbers_from_1_to_1000() {
    assert_eq!(limit(None, 20), Ok(20));
    assert_eq!(limit(Some("1000"), 20), Ok(1000));
    for wrong in ["0", "1001", "-1", "x", "", "1.5"] {
        assert!(limit(Some(wrong), 20).is_err(), "{wrong}");
    }
}

#[test]
fn pages_of_events_follow_one_another_without_gap_or_overlap() {
    let records: Vec<_> = (0..7)
        .map(|n| Record {
            event: Event {
                id: format!("sevt_{n}").into(),
                body: EventBody::Interrupt {},
                processed_at: Timestamp::default(),
            },
            private: None,
        })
        .collect();
    for limit in 1..=8 {
        let (mut read, mut page, mut pages) = (Vec::new(), None, 0);
        loop {
            let next = event_page(&records, page.as_deref(), limit).unwrap();
            read.extend(next.data);
            pages += 1;
            page = next.next_page;
            if page.is_none() {
                break;
            }
        }
        assert!(read.iter().eq(records.iter().map(|record| &record.event)));
        assert_eq!(pages, 7_usize.div_ceil(limit), "no empty last page");
    }
    assert_eq!(
        event_page(&records, Some("after:sevt_9"), 5).unwrap_err().kind,
        ErrorKind::InvalidRequestError
    );
    assert!(event_page(&records, Some("sevt_1"), 5).is_err());
    assert_eq!(event_page(&[], None, 5).unwrap().next_page, None);
}

#[test]
fn sessions_are_listed_newest_first_while_they_come_and_go() {
    let session = |millis: u64, id: &str| Session {
        id: id.into(),
        status: SessionStatus::Idle,
        title: None,
        agent: AgentName::default(),
        created_at: Timestamp::from_millis(millis),
        updated_at: Timestamp::default(),
    };
    let mut sessions = vec![session(1, "a"), session(3, "b.c"), session(2, "d"), session(3, "e")];
    let first = session_page(sessions.clone(), None, 2).unwrap();
    let ids =
        |page: &crate::protocol::SessionPage| page.data.iter().map(|s| s.id.to_string()).collect::<Vec<_>>();
    assert_eq!(ids(&first), ["e", "b.c"]);
    // The cursor's own session is deleted, and a new one has come.
    sessions.remove(1);
    sessions.push(session(4, "f"));
    let second = session_page(sessions.clone(), first.next_page.as_deref(), 2).unwrap();
    assert_eq!(ids(&second), ["d", "a"]);
    assert_eq!(second.next_page, None);
    assert!(session_page(sessions, Some("after:x"), 2).is_err());
}
