//! Declaring an agent and its tools (K1).

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::Value;

use super::json_place::{Place, PlaceError};
use super::{JsonObject, TutorScript};

/// A tool's name: `^[a-zA-Z0-9_-]{1,64}$`, checked once, when it is made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct ToolName(String);

impl ToolName {
    /// Checks `name`.
    ///
    /// # Errors
    /// [`DeclarationError`] with the field `name` when it does not match.
    pub fn new(name: impl Into<String>) -> Result<Self, DeclarationError> {
        let name = name.into();
        let fits = (1..=64).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        if fits {
            Ok(Self(name))
        } else {
            Err(DeclarationError {
                tool: name,
                field: "name",
                problem: "must match ^[a-zA-Z0-9_-]{1,64}$".to_owned(),
            })
        }
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for ToolName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// A declaration that breaks K1: which tool, which field, what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("tool {tool:?}: {field}: {problem}")]
pub struct DeclarationError {
    /// The tool's name, or `tools[2]` where it has none.
    pub tool: String,
    /// The field.
    pub field: &'static str,
    /// What is wrong, and what was expected.
    pub problem: String,
}

/// A client tool as an agent's definition lists it:
/// `{"type":"custom","name","description","input_schema"}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename = "custom")]
pub struct ToolDeclaration {
    /// The name, unique among custom and built-in tools.
    pub name: ToolName,
    /// What it does and when to call it; not empty.
    pub description: String,
    /// A JSON Schema whose `type` is `object`.
    pub input_schema: JsonObject,
}

/// An agent: `{"name","instructions"?,"tools":[…],"script"?}`, checked (K1).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AgentDefinition {
    /// The agent's name.
    pub name: String,
    /// What the model is told first; the service has a default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// The client tools.
    pub tools: Vec<ToolDeclaration>,
    /// What the tutor understands; other models ignore it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<TutorScript>,
}

impl ToolDeclaration {
    /// Reads one entry of `tools`. `position` names it where it has no name.
    ///
    /// # Errors
    /// [`DeclarationError`] for the first field that breaks K1.
    pub fn from_json(value: &Value, position: usize) -> Result<Self, DeclarationError> {
        let tool = value
            .get("name")
            .and_then(Value::as_str)
            .map_or_else(|| format!("tools[{position}]"), str::to_owned);
        let error = |field, problem: &str| DeclarationError {
            tool: tool.clone(),
            field,
            problem: problem.to_owned(),
        };
        if value.get("type").and_then(Value::as_str) != Some("custom") {
            return Err(error("type", "must be \"custom\""));
        }
        let name =
            value.get("name").and_then(Value::as_str).ok_or_else(|| error("name", "must be a string"))?;
        let name = ToolName::new(name)?;
        let description = value.get("description").and_then(Value::as_str).unwrap_or_default().trim();
        if description.is_empty() {
            return Err(error("description", "must be a text that says when to call the tool"));
        }
        let schema = value.get("input_schema").and_then(Value::as_object);
        let input_schema =
            schema.ok_or_else(|| error("input_schema", "must be a JSON Schema object"))?.clone();
        if input_schema.get("type").and_then(Value::as_str) != Some("object") {
            return Err(error("input_schema", "its type must be \"object\""));
        }
        Ok(Self { name, description: description.to_owned(), input_schema })
    }

    /// Reads a list of tools, whose names must differ from each other and from `built_in`.
    ///
    /// # Errors
    /// [`DeclarationError`] for the first tool that breaks K1.
    pub fn list_from_json(tools: &[Value], built_in: &[&str]) -> Result<Vec<Self>, DeclarationError> {
        let mut list: Vec<Self> = Vec::with_capacity(tools.len());
        for (position, tool) in tools.iter().enumerate() {
            let tool = Self::from_json(tool, position)?;
            let taken = if built_in.contains(&tool.name.as_str()) {
                Some("is the name of a built-in tool")
            } else if list.iter().any(|other| other.name == tool.name) {
                Some("is declared twice")
            } else {
                None
            };
            if let Some(problem) = taken {
                return Err(DeclarationError {
                    tool: tool.name.0,
                    field: "name",
                    problem: problem.to_owned(),
                });
            }
            list.push(tool);
        }
        Ok(list)
    }
}

/// Why a JSON value is no agent's definition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// A tool breaks K1.
    #[error(transparent)]
    Tool(#[from] DeclarationError),
    /// Another member is missing, misspelt or of another type.
    #[error(transparent)]
    Member(#[from] PlaceError),
}

impl AgentDefinition {
    /// Reads `{"name","instructions"?,"tools":[…],"script"?}`. No tool may have the name of one of `built_in`.
    ///
    /// # Errors
    /// [`AgentError`] for the first thing that is wrong.
    pub fn from_json(value: &Value, built_in: &[&str]) -> Result<Self, AgentError> {
        const MEMBERS: [&str; 4] = ["name", "instructions", "tools", "script"];
        let agent = Place::root("agent", value);
        if let Some(member) = agent.object()?.keys().find(|member| !MEMBERS.contains(&member.as_str())) {
            let problem = ["is not known; there are ", &MEMBERS.join(", ")].concat();
            return Ok(agent.member(member).error(problem)?);
        }
        let name = agent.member("name");
        if name.text()?.trim().is_empty() {
            return Ok(name.error("must not be blank")?);
        }
        let tools = agent.member("tools");
        let Some(list) = tools.value.and_then(Value::as_array) else {
            return Ok(tools.error("must be a list")?);
        };
        Ok(Self {
            name: name.text()?.to_owned(),
            instructions: agent
                .present("instructions")
                .map(|instructions| instructions.text().map(str::to_owned))
                .transpose()?,
            tools: ToolDeclaration::list_from_json(list, built_in)?,
            script: agent
                .present("script")
                .and_then(|script| script.value)
                .map(TutorScript::from_json)
                .transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tool() -> Value {
        json!({"type":"custom","name":"read_playback_progress","description":"读取播放进度","input_schema":{"type":"object","properties":{}}})
    }

    /// The error for a tool that is `tool()` but for `field`; `Null` takes it away.
    fn refused(field: &str, value: Value) -> String {
        let mut tool = tool();
        if value.is_null() {
            tool.as_object_mut().unwrap().remove(field);
        } else {
            tool[field] = value;
        }
        let error = ToolDeclaration::list_from_json(&[self::tool(), tool], &["web_search"]).unwrap_err();
        error.to_string()
    }

    #[test]
    fn k1_a_declaration_round_trips() {
        let read = ToolDeclaration::list_from_json(&[tool()], &["web_search"]).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), json!([tool()]));
        for name in ["a", "A-b_9", &"x".repeat(64)] {
            assert_eq!(ToolName::new(name).unwrap().as_str(), name);
        }
    }

    #[test]
    fn k1_a_refusal_names_the_tool_and_the_field() {
        let pattern = "name: must match ^[a-zA-Z0-9_-]{1,64}$";
        for name in ["a b", "", "课", "a.b", "a\n"] {
            assert_eq!(refused("name", json!(name)), format!("tool {name:?}: {pattern}"));
        }
        assert!(refused("name", json!("x".repeat(65))).ends_with(pattern));
        assert_eq!(refused("name", Value::Null), "tool \"tools[1]\": name: must be a string");
        assert_eq!(refused("name", json!(7)), "tool \"tools[1]\": name: must be a string");
        let named = |problem: &str| ["tool \"read_playback_progress\": ", problem].concat();
        assert_eq!(refused("type", json!("function")), named("type: must be \"custom\""));
        assert_eq!(refused("type", Value::Null), named("type: must be \"custom\""));
        for description in [json!(" \n"), json!(5), Value::Null] {
            assert_eq!(
                refused("description", description),
                named("description: must be a text that says when to call the tool")
            );
        }
        for schema in [Value::Null, json!("object"), json!([])] {
            assert_eq!(refused("input_schema", schema), named("input_schema: must be a JSON Schema object"));
        }
        for schema in [json!({}), json!({"type":"string"}), json!({"type":["object"]})] {
            assert_eq!(refused("input_schema", schema), named("input_schema: its type must be \"object\""));
        }
    }

    #[test]
    fn k1_names_are_unique_among_custom_and_built_in_tools() {
        assert_eq!(
            refused("input_schema", json!({"type":"object"})),
            "tool \"read_playback_progress\": name: is declared twice"
        );
        assert_eq!(
            refused("name", json!("web_search")),
            "tool \"web_search\": name: is the name of a built-in tool"
        );
    }

    #[test]
    fn k1_an_agent_round_trips_and_a_refusal_names_what_is_wrong() {
        let whole = json!({"name":"tutor","instructions":"Be brief.","tools":[tool()],"script":{"intents":[],"fallback":{"zh-CN":"？","en":"?"}}});
        let agent = AgentDefinition::from_json(&whole, &[]).unwrap();
        assert_eq!((agent.name.as_str(), agent.instructions.as_deref()), ("tutor", Some("Be brief.")));
        assert_eq!((agent.tools.len(), agent.script.is_some()), (1, true));
        let written = serde_json::to_value(&agent).unwrap();
        assert_eq!(AgentDefinition::from_json(&written, &[]).unwrap(), agent);
        assert!(AgentDefinition::from_json(&json!({"name":"a","tools":[]}), &[]).is_ok());

        let refused =
            |agent: Value| AgentDefinition::from_json(&agent, &["current_time"]).unwrap_err().to_string();
        let mut named = tool();
        named["name"] = json!("current_time");
        assert_eq!(
            refused(json!({"name":"a","tools":[named]})),
            "tool \"current_time\": name: is the name of a built-in tool"
        );
        for (agent, expected) in [
            (json!([]), "agent: must be an object"),
            (json!({"tools":[]}), "agent.name: must be a string"),
            (json!({"name":" ","tools":[]}), "agent.name: must not be blank"),
            (json!({"name":"a"}), "agent.tools: must be a list"),
            (json!({"name":"a","tools":[],"instructions":1}), "agent.instructions: must be a string"),
            (
                json!({"name":"a","tools":[],"tool":1}),
                "agent.tool: is not known; there are name, instructions, tools, script",
            ),
            (json!({"name":"a","tools":[{}]}), "tool \"tools[0]\": type: must be \"custom\""),
        ] {
            assert_eq!(refused(agent), expected);
        }
        assert!(refused(json!({"name":"a","tools":[],"script":{}})).starts_with("script"));
    }
}
