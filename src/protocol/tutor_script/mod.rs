//! What the tutor understands and says, as data that an app brings (`api.script`).
//!
//! This module reads scripts and checks them; what becomes of a question, the service's tutor decides.

mod pattern;
mod quantity;
mod read;
mod template;

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::Value;

pub use pattern::Pattern;
pub use template::{Language, Say, Template};

/// What is wrong in a script: where, and what was expected.
pub use super::json_place::PlaceError as ScriptError;

use super::{JsonObject, ToolName};

/// A tutor's script: a list of intents, and what to say when none fits.
///
/// The tutor looks for the **first** intent one of whose `patterns` ([`Pattern`]) stands in the question, so
/// special ones come before general ones. It answers in the language of the question: Chinese when there is a
/// Chinese character in it, English otherwise.
///
/// - An intent without `calls` is answered at once, from page context and captures.
/// - `calls` are made in one response, side by side. The strings in a call's `input` are templates; one that is a
///   place alone (`"{position}"`) gives the value itself, a number for a `number` or `time` capture. Tools that
///   the model was not given are not called: the tutor says `unavailable`.
/// - When all calls have succeeded, the intent's `answer` is said; without one, the `answer` of each call.
///   When some have failed, each call gets its own sentence: its `answer` (or a plain "done") or its `failed`.
/// - A call with `when` or `unless` is made only where page context says so: `"unless": {"page.page.route": "/profile"}`.
/// - Errors are written for agents, in English. One that holds an `error` of the script's `errors` is said as its `say`.
/// - When a value is not there (no such readable, `null` in a result), the next template of the list is tried, and
///   at last `missing` is said.
///
/// # Values in templates
///
/// | path | is |
/// |---|---|
/// | `{position}` | what a pattern of the intent captured; each of its patterns must capture it |
/// | `{read_playback_progress.positionSeconds}` | a value in the result of the call of that tool, read as JSON; `{read_playback_progress}` is the whole result. Of two calls of one tool, the second needs another name: `"as"` |
/// | `{page.playback.positionSeconds}` | a value in the readable `playback`, read as JSON; `{page.lesson}` is a readable that is a text |
/// | `{error}`, `{tool}` | in `failed`: what the call said, and its tool; `{tool}` also in `unavailable` |
///
/// Steps into lists are numbers: `{query_data.data.rows.0.title}`. For filters (`|clock`) see [`Template`].
///
/// # Example
///
/// ```
/// use praxis::protocol::TutorScript;
/// use serde_json::json;
///
/// let script = TutorScript::from_json(&json!({
///     "intents": [
///         {
///             "patterns": ["(跳到|快进到){position:time}", "(jump|go) to {position:time}"],
///             "calls": [{
///                 "tool": "seek_to",
///                 "input": {"position_seconds": "{position}"},
///                 "failed": {"zh-CN": "没能跳过去：{error}", "en": "I could not jump there: {error}"},
///             }],
///             "answer": {"zh-CN": "好，已经跳到 {position|clock}。", "en": "Done: you are at {position|clock} now."},
///         },
///         {
///             "patterns": ["看到哪", "where am i"],
///             "calls": [{"tool": "read_playback_progress"}],
///             "answer": {
///                 "zh-CN": ["你看到 {read_playback_progress.positionSeconds|clock}，全长 {read_playback_progress.durationSeconds|clock}。",
///                           "你看到 {read_playback_progress.positionSeconds|clock}。"],
///                 "en": "You are at {read_playback_progress.positionSeconds|clock}.",
///             },
///         },
///         {
///             "patterns": ["第几课", "which lesson"],
///             "answer": {"zh-CN": "{page.lesson}。", "en": "The page says: {page.lesson}."},
///             "missing": {"zh-CN": "你现在没有打开课程。", "en": "No lesson is open."},
///         },
///         {
///             "patterns": ["用户名*填成{username}*状态(为|是){status}的记录"],
///             "calls": [
///                 {"tool": "fill_form_field", "input": {"fields": [{"name": "username", "value": "{username}"}]}},
///                 {"tool": "query_data", "input": {"target": "table", "filters": {"状态": "{status}"}}},
///             ],
///             "answer": {
///                 "zh-CN": "用户名已填成“{username}”，{status}的记录有 {query_data.data.total} 条。",
///                 "en": "The user name is now {username}; {query_data.data.total} records are {status}.",
///             },
///         },
///     ],
///     "fallback": {"zh-CN": "我能告诉你看到了哪里，也能跳到某个时间。", "en": "I can tell you where you are, and jump to a time."},
///     "errors": [{"error": "the person refused", "say": {"zh-CN": "你没有同意", "en": "you did not agree"}}],
/// })).unwrap();
/// assert_eq!(script.intents.len(), 4);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TutorScript {
    /// What it understands, special things first.
    pub intents: Vec<Intent>,
    /// What to say when no intent fits: what the tutor can do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<Say>,
    /// What to say when a call has failed that has no `failed` of its own. `{tool}`, `{error}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<Say>,
    /// What to say when this page does not have a tool. `{tool}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<Say>,
    /// What to say when a value is not there and the intent has no `missing` of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Say>,
    /// What errors mean to people, special ones first: `{error}` is filled with the first that fits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<KnownError>,
}

/// An error in words for people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KnownError {
    /// What stands in the error's text.
    pub error: String,
    /// What is said instead of it.
    pub say: Say,
}

/// One thing that the tutor understands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Intent {
    /// What a question may look like; one of them is enough.
    pub patterns: Vec<Pattern>,
    /// The calls to make, side by side; may be none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ScriptedCall>,
    /// What to say when all calls have succeeded. May be absent where each call has an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Say>,
    /// What to say when a value is not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Say>,
}

/// A call that an intent makes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScriptedCall {
    /// The tool.
    pub tool: ToolName,
    /// The name of its result in templates; the tool's where absent.
    #[serde(rename = "as", skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// Made only where the readables say this: paths such as `page.page.route`, each with the value it must have.
    #[serde(skip_serializing_if = "JsonObject::is_empty")]
    pub when: JsonObject,
    /// Not made where they say this.
    #[serde(skip_serializing_if = "JsonObject::is_empty")]
    pub unless: JsonObject,
    /// The arguments; strings in it are templates.
    pub input: JsonObject,
    /// What to say when it has succeeded and the intent has no answer, or another call has failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Say>,
    /// What to say when it has failed. `{tool}`, `{error}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<Say>,
}

impl ScriptedCall {
    /// The name of its result in templates.
    #[must_use]
    pub fn result_name(&self) -> &str {
        self.alias.as_deref().unwrap_or(self.tool.as_str())
    }
}

impl TutorScript {
    /// Reads a script.
    ///
    /// # Errors
    /// [`ScriptError`] for the first thing that is wrong: a member that is missing, misspelt or of another type, a
    /// pattern or template that cannot be read, a value that a template names and nothing gives.
    pub fn from_json(script: &Value) -> Result<Self, ScriptError> {
        read::script(script)
    }
}

impl<'de> Deserialize<'de> for TutorScript {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_json(&Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn say(text: &str) -> Value {
        json!({"zh-CN": text, "en": [text]})
    }

    #[test]
    fn a_script_round_trips() {
        let script = json!({
            "intents": [{
                "patterns": ["跳到{position:time}"],
                "calls": [{"tool": "seek_to", "as": "seek", "when": {"page.a": 1}, "unless": {"page.a.b": "c"}, "input": {"to": ["{position}"]},
                           "answer": {"zh-CN": ["a"], "en": ["b {seek.at|clock}"]}, "failed": {"zh-CN": ["{error}"], "en": ["{tool}"]}}],
                "answer": {"zh-CN": ["{position} {page.a:b-c.d.0}"], "en": ["x"]},
                "missing": {"zh-CN": ["m"], "en": ["m"]},
            }],
            "fallback": {"zh-CN": ["f"], "en": ["f"]},
        });
        let read = TutorScript::from_json(&script).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), script);
        assert_eq!(serde_json::from_value::<TutorScript>(script).unwrap(), read);
    }

    #[test]
    fn an_error_names_its_place() {
        let intent = |intent: Value| json!({"intents": [{"patterns": ["a"], "answer": say("x")}, intent], "fallback": say("x")});
        let cases = [
            (json!([]), "script: must be an object"),
            (json!({"fallback": say("x")}), "script.intents: must be a list"),
            (json!({"intents": []}), "script.fallback: is missing"),
            (
                json!({"intents": [], "fallback": say("x"), "fallbck": 1}),
                "script.fallbck: is not known; there are intents, fallback, failed, unavailable, missing and errors",
            ),
            (
                json!({"intents": [], "fallback": {"zh-CN": "x"}}),
                "script.fallback.en: must be a text or a list of texts",
            ),
            (
                json!({"intents": [], "fallback": {"zh-CN": "x", "en": []}}),
                "script.fallback.en: must have a text",
            ),
            (
                json!({"intents": [], "fallback": say("{x}")}),
                "script.fallback.zh-CN[0]: {x} is not known here",
            ),
            (intent(json!({"answer": say("x")})), "script.intents[1].patterns: must be a list"),
            (
                intent(json!({"patterns": [], "answer": say("x")})),
                "script.intents[1].patterns: must have a text",
            ),
            (
                intent(json!({"patterns": ["b", 1], "answer": say("x")})),
                "script.intents[1].patterns[1]: must be a string",
            ),
            (
                intent(json!({"patterns": ["b", "{"], "answer": say("x")})),
                "script.intents[1].patterns[1]: a { has no }",
            ),
            (intent(json!({"patterns": ["b"]})), "script.intents[1].answer: is missing"),
            (
                intent(json!({"patterns": ["b{x}", "c"], "answer": say("{x}")})),
                "script.intents[1].answer.zh-CN[0]: {x} is not captured by patterns[1]",
            ),
            (
                intent(json!({"patterns": ["b"], "answer": say("{y.z}")})),
                "script.intents[1].answer.zh-CN[0]: {y.z} is not known here",
            ),
            (
                intent(json!({"patterns": ["b"], "calls": [{"input": {}}], "answer": say("x")})),
                "script.intents[1].calls[0].tool: must be a string",
            ),
            (
                intent(json!({"patterns": ["b"], "calls": [{"tool": "a b"}], "answer": say("x")})),
                "script.intents[1].calls[0].tool: tool \"a b\": name: must match ^[a-zA-Z0-9_-]{1,64}$",
            ),
            (
                intent(
                    json!({"patterns": ["b"], "calls": [{"tool": "t", "input": {"a": [{"b": "{c}"}]}}], "answer": say("x")}),
                ),
                "script.intents[1].calls[0].input.a[0].b: {c} is not known here",
            ),
            (
                intent(
                    json!({"patterns": ["b"], "calls": [{"tool": "t", "when": {"route": 1}}], "answer": say("x")}),
                ),
                "script.intents[1].calls[0].when.route: must be the path of a readable: page. and its name",
            ),
            (
                intent(
                    json!({"patterns": ["b"], "calls": [{"tool": "t"}, {"tool": "t"}], "answer": say("x")}),
                ),
                "script.intents[1].calls[1].as: another call is named \"t\"; give this one another name",
            ),
            (
                intent(json!({"patterns": ["b"], "calls": [{"tool": "t"}]})),
                "script.intents[1].calls[0].answer: is missing, and the intent has none",
            ),
        ];
        for (script, message) in cases {
            assert_eq!(TutorScript::from_json(&script).unwrap_err().to_string(), message);
        }
    }
}
