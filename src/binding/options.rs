//! What an agent is told by its page: the options of `setOptions` (K5), typed.

use std::rc::Rc;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use yew::html::IntoPropValue;

use crate::protocol::ToolDeclaration;
use crate::protocol::json_text::value_to_json_text;

/// All options of an agent. What is `None` or empty is left out.
///
/// Options that serialise alike are the same options: rendering again with equal ones does nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PraxisOptions {
    /// Where the agent's service is. (`getToken` is the `get_token` prop of `PraxisAgent`.)
    pub api: ApiOptions,
    /// Which agent it is.
    pub agent: AgentOptions,
    /// The language of the panel: `zh-CN` or `en`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// The panel's colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<Theme>,
    /// What the panel says before the first message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_screen: Option<StartScreenOptions>,
    /// The field in which the person writes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub composer: Option<ComposerOptions>,
    /// The list of the person's conversations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<HistoryOptions>,
}

/// `api`: where the agent's service is and how it speaks.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiOptions {
    /// The protocol; the element's own default is `praxis`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<Protocol>,
    /// The service's address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Further HTTP headers for each request.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "object")]
    pub headers: Vec<(String, String)>,
    /// The model's name, for `openai-chat-completions`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What goes along with each request to the model, for `openai-chat-completions`, which the element checks:
    /// `temperature`, `toolChoice`, and `emptyContent: "string"` for servers that refuse a message that only calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Rc<Value>>,
    /// What the tutor understands, for `demo`: the JSON of a [`TutorScript`](crate::protocol::TutorScript), which the
    /// element checks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<Rc<Value>>,
}

/// Names and values as an object.
fn object<S: Serializer>(members: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(members.iter().map(|(name, value)| (name, value)))
}

/// `api.protocol`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Protocol {
    /// The kit's own protocol.
    #[default]
    #[serde(rename = "praxis")]
    Praxis,
    /// The tutor in the page, without a network.
    #[serde(rename = "demo")]
    Demo,
    /// Any OpenAI-compatible endpoint.
    #[serde(rename = "openai-chat-completions")]
    OpenAiChatCompletions,
    /// An AG-UI server.
    #[serde(rename = "ag-ui")]
    AgUi,
}

/// `agent`: which agent it is, and what it is where the page itself runs the loop.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AgentOptions {
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What the model is told first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// The client tools that it may call (K1).
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub tools: Rc<[ToolDeclaration]>,
}

/// `theme`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// Light colours.
    Light,
    /// Dark colours.
    Dark,
    /// What the person's system says.
    System,
}

/// `startScreen`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StartScreenOptions {
    /// A greeting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub greeting: Option<String>,
    /// Suggested questions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prompts: Vec<Prompt>,
}

/// A suggested question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Prompt {
    /// What the button says.
    pub label: String,
    /// What is sent.
    pub prompt: String,
}

/// `composer`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ComposerOptions {
    /// What the empty field says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
}

/// `history`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HistoryOptions {
    /// Whether the panel offers the list of conversations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
}

/// Of options as JSON text, those that the source document has: `api.url` and `agent.name`. `None` where the agent is
/// to be reached by another protocol than the kit's own, which an element without `api.protocol` cannot speak.
pub(super) fn plain(options: &str) -> Option<String> {
    let options: Value = serde_json::from_str(options).ok()?;
    let own = Value::from("praxis");
    let member = |part: &str, name: &str| options.get(part)?.get(name).cloned();
    if member("api", "protocol").is_some_and(|protocol| protocol != own) {
        return None;
    }
    let part = |part: &str, name: &str| -> Value {
        member(part, name).into_iter().map(|value| (name.to_owned(), value)).collect::<Map<_, _>>().into()
    };
    Some(value_to_json_text(&json!({"api": part("api", "url"), "agent": part("agent", "name")})))
}

/// Options as JSON text with further tools in `agent.tools`, where the page itself runs the loop. A tool that the options
/// declare is declared by them. `None` where nothing is to be added.
pub(super) fn with_tools(options: &str, declared: &[ToolDeclaration]) -> Option<String> {
    if declared.is_empty() {
        return None;
    }
    let mut options: Value = serde_json::from_str(options).ok()?;
    if matches!(options["api"]["protocol"].as_str(), None | Some("praxis")) {
        return None;
    }
    let agent = options.get_mut("agent")?.as_object_mut()?;
    let tools = agent.entry("tools").or_insert_with(|| json!([])).as_array_mut()?;
    for tool in declared {
        if tools.iter().all(|other| other["name"] != tool.name.as_str()) {
            tools.push(serde_json::to_value(tool).ok()?);
        }
    }
    Some(value_to_json_text(&options))
}

impl IntoPropValue<Rc<PraxisOptions>> for PraxisOptions {
    fn into_prop_value(self) -> Rc<PraxisOptions> {
        Rc::new(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn k1_registered_tools_are_declared_where_the_page_runs_the_loop() {
        let declared = |name: &str, description: &str| {
            let tool = json!({"type": "custom", "name": name, "description": description, "input_schema": {"type": "object"}});
            ToolDeclaration::from_json(&tool, 0).unwrap()
        };
        let tools = [declared("a", "registered"), declared("b", "registered")];
        let own = serde_json::to_value(declared("a", "own")).unwrap();
        let options = |protocol: Value, agent: Value| {
            json!({"api": {"protocol": protocol}, "agent": agent}).to_string()
        };
        let names = |options: &str| -> Vec<Value> {
            let merged: Value = serde_json::from_str(&with_tools(options, &tools).unwrap()).unwrap();
            let tools = merged["agent"]["tools"].as_array().unwrap().iter();
            tools.map(|tool| json!([tool["name"], tool["description"]])).collect()
        };
        assert_eq!(
            names(&options(json!("demo"), json!({"tools": [own]}))),
            [json!(["a", "own"]), json!(["b", "registered"])]
        );
        assert_eq!(names(&options(json!("ag-ui"), json!({}))).len(), 2);
        for server in [json!("praxis"), Value::Null] {
            assert_eq!(with_tools(&options(server, json!({})), &tools), None);
        }
        assert_eq!(with_tools(&options(json!("demo"), json!({})), &[]), None);
    }

    #[test]
    fn k12_another_make_of_the_element_gets_what_the_source_document_has() {
        let full = r#"{"api":{"protocol":"praxis","url":"https://a","headers":{"x":"y"}},"agent":{"name":"n","tools":[]},"locale":"en"}"#;
        assert_eq!(plain(full).as_deref(), Some(r#"{"api":{"url":"https://a"},"agent":{"name":"n"}}"#));
        assert_eq!(plain(r#"{"api":{},"agent":{}}"#).as_deref(), Some(r#"{"api":{},"agent":{}}"#));
        assert_eq!(plain(r#"{"api":{"protocol":"demo","url":"https://a"},"agent":{}}"#), None);
    }
}
