//! `agent.json`, the agent that `praxis-server` serves, is the app's.
#![cfg(not(target_arch = "wasm32"))]

use praxis::protocol::AgentDefinition;
use praxis::service::built_in::BuiltInTool;

#[test]
fn k1_agent_json_is_an_agent_and_names_no_built_in_tool() {
    let text = include_str!("../agent.json");
    let value = serde_json::from_str(text).expect("agent.json is JSON");
    let agent = AgentDefinition::from_json(&value, &BuiltInTool::NAMES).expect("agent.json is right");
    assert!(!agent.tools.is_empty());
    assert!(agent.script.is_some());
}
