//! The service's loop against programs of other makers: real bytes, real histories, on loopback.
//!
//! `cargo xtask interop` starts them, tells where they are and runs this; without it there is nothing to run against.

mod conversation;

use conversation::{Conversation, Protocol};
use praxis::protocol::IdleReason;
use serde_json::{Value, json};

/// What the page does here: each tool's result, or its error.
fn page(name: &str, input: &Value) -> Result<String, String> {
    match name {
        "read_playback_progress" => Ok(json!({"positionSeconds": 83.5}).to_string()),
        "query_data" => Ok(json!({"success": true, "data": {"total": 3}}).to_string()),
        "seek_to" => {
            Err(json!({"success": false, "error": "the lesson ends at 2:28", "input": input}).to_string())
        }
        "fill_form_field" => Err(json!({"success": false, "error": "the user declined"}).to_string()),
        other => Err(format!("unknown tool {other}")),
    }
}

async fn each(mut journey: impl AsyncFnMut(&mut Conversation)) {
    for protocol in Protocol::ALL {
        let mut conversation = Conversation::new(protocol);
        journey(&mut conversation).await;
    }
}

#[tokio::test]
#[ignore = "needs the peers that `cargo xtask interop` starts"]
async fn e15_parallel_calls_one_of_them_refused() {
    each(async |conversation| {
        let turn = conversation
            .ask("帮我把表单里的用户名填成\"张三\"，然后查询表格中状态为\"待审核\"的记录", page)
            .await;
        assert_eq!(turn.calls, ["fill_form_field", "query_data"]);
        conversation.answers(&turn, "查到 3 条待审核的记录。");
        // And the history with both is taken as it is.
        let next = conversation.ask("我看到哪了？", page).await;
        assert_eq!(next.calls, ["read_playback_progress"]);
        conversation.answers(&next, "看到第 83.5 秒。");
    })
    .await;
}

#[tokio::test]
#[ignore = "needs the peers that `cargo xtask interop` starts"]
async fn e15_an_error_result_is_explained() {
    each(async |conversation| {
        let turn = conversation.ask("跳到 59:00", page).await;
        assert_eq!(turn.calls, ["seek_to"]);
        conversation.answers(&turn, "没有跳成：the lesson ends at 2:28");
    })
    .await;
}

#[tokio::test]
#[ignore = "needs the peers that `cargo xtask interop` starts"]
async fn e15_after_five_rounds_no_request_is_made() {
    each(async |conversation| {
        let turn = conversation.ask("一直看", page).await;
        assert_eq!(turn.calls, ["read_playback_progress"; 5]);
        assert_eq!((turn.requests, turn.ended), (5, Some(IdleReason::EndTurn)));
        assert!(turn.text.contains('5'), "{}", turn.text);
        // The history with five rounds is taken as it is.
        let next = conversation.ask("我看到哪了？", page).await;
        assert_eq!(next.ended, Some(IdleReason::EndTurn));
    })
    .await;
}

#[tokio::test]
#[ignore = "needs the peers that `cargo xtask interop` starts"]
async fn k18_page_context_reaches_the_agent_with_its_turn() {
    each(async |conversation| {
        let turn = conversation.ask_on("现在是第几课？", &[("lesson", "正在看第 7 课")], page).await;
        assert_eq!(turn.calls, Vec::<String>::new());
        conversation.answers(&turn, "现在是第 7 课。");
    })
    .await;
}

#[tokio::test]
#[ignore = "needs the peers that `cargo xtask interop` starts"]
async fn an_interrupt_of_the_agent_is_answered_by_the_next_message() {
    for (answer, expected) in [("同意", "已删除 3 条笔记。"), ("先不要", "好的，没有删除。")]
    {
        let mut conversation = Conversation::new(Protocol::AgUi);
        let asked = conversation.ask("删除笔记", page).await;
        assert!(asked.text.contains("delete_notes") && asked.text.contains("“同意”"), "{}", asked.text);
        assert_eq!((asked.calls.len(), asked.ended), (0, Some(IdleReason::EndTurn)));
        let answered = conversation.ask(answer, page).await;
        conversation.answers(&answered, expected);
        // The conversation goes on as any other.
        let next = conversation.ask("我看到哪了？", page).await;
        conversation.answers(&next, "看到第 83.5 秒。");
    }
}

#[tokio::test]
#[ignore = "needs the peers that `cargo xtask interop` starts"]
async fn e15_a_server_that_is_too_busy_is_asked_again() {
    let mut conversation = Conversation::new(Protocol::Chat);
    let turn = conversation.ask("太忙了吗？", page).await;
    conversation.answers(&turn, "现在有空了。");
    assert_eq!(turn.requests, 1, "the session asks once, the run sends again");
}

#[tokio::test]
#[ignore = "needs the peers that `cargo xtask interop` starts"]
async fn e15_an_answer_that_breaks_off_stays_and_the_conversation_goes_on() {
    let mut conversation = Conversation::new(Protocol::Chat);
    let turn = conversation.ask("说一半", page).await;
    assert!(
        "这句话有头没有尾，因为连接断了。".starts_with(&turn.text) && !turn.text.is_empty(),
        "{}",
        turn.text
    );
    assert!(turn.error.is_some());
    assert_eq!(turn.ended, Some(IdleReason::RetriesExhausted {}));
    let next = conversation.ask("我看到哪了？", page).await;
    conversation.answers(&next, "看到第 83.5 秒。");
}
