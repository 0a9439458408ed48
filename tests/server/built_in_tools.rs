//! Tools that run in the service.

use praxis::protocol::{AgentDefinition, Timestamp};
use praxis::service::built_in::BuiltInTool;
use serde_json::json;

use crate::rig::Rig;
use crate::suite::{message, short};

#[tokio::test]
async fn current_time_runs_in_the_service_and_never_reaches_the_page() {
    let agent = json!({
        "name": "clock",
        "tools": [],
        "script": {"intents": [{
            "patterns": ["what time"],
            "calls": [{"tool": "current_time"}],
            "answer": {"zh-CN": "现在是 {current_time}", "en": "It is {current_time}"},
        }], "fallback": {"zh-CN": "？", "en": "?"}},
    });
    let agent = AgentDefinition::from_json(&agent, &BuiltInTool::NAMES).unwrap();
    let rig = Rig::with(|options| options.agent = agent).await;
    let visitor = rig.visitor().await;
    let session = visitor.session().await;
    let mut stream = visitor.stream(&session, &[]).await;
    visitor.post(&session, &[message("what time is it?")]).await;
    stream.until("session.status_idle").await;
    let history = visitor.history(&session).await;
    let log: Vec<_> = history.iter().map(short).collect();
    let expected = [
        "user.message",
        "session.status_running",
        "agent.tool_use",
        "agent.tool_result",
        "agent.message",
        "session.status_idle(end_turn)",
    ];
    assert_eq!(log, expected);
    assert_eq!((&history[2]["name"], &history[2]["input"]), (&json!("current_time"), &json!({})));
    let time = &history[3]["content"][0]["text"];
    assert!(serde_json::from_value::<Timestamp>(time.clone()).is_ok(), "{time}");
    assert_eq!(history[4]["content"][0]["text"], format!("It is {}", time.as_str().unwrap()));
}
