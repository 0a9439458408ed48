//! Reading a script from JSON, with errors that name the place.

use serde_json::Value;

use super::{Intent, Pattern, Say, ScriptError, ScriptedCall, Template, TutorScript};
use crate::protocol::{JsonObject, ToolName};

/// A value and where it stands.
#[derive(Clone)]
struct At<'a> {
    path: String,
    value: Option<&'a Value>,
}

/// Which values templates may name at a place.
#[derive(Default)]
struct Scope<'a> {
    patterns: &'a [Pattern],
    results: Vec<&'a str>,
    words: &'a [&'a str],
}

impl<'a> At<'a> {
    fn error<T>(&self, problem: impl Into<String>) -> Result<T, ScriptError> {
        Err(ScriptError { path: self.path.clone(), problem: problem.into() })
    }

    fn member(&self, name: &str) -> Self {
        let value = self.value.and_then(|value| value.get(name));
        At { path: [&self.path, ".", name].concat(), value }
    }

    fn elements(&self, of: &str) -> Result<Vec<Self>, ScriptError> {
        let Some(list) = self.value.and_then(Value::as_array) else {
            return self.error(["must be a list", of].concat());
        };
        let element = |(index, value)| At { path: format!("{}[{index}]", self.path), value: Some(value) };
        Ok(list.iter().enumerate().map(element).collect())
    }

    fn text(&self) -> Result<&'a str, ScriptError> {
        self.value.and_then(Value::as_str).map_or_else(|| self.error("must be a text"), Ok)
    }

    /// An object with no other members than `known`.
    fn object(&self, known: &[&str]) -> Result<(), ScriptError> {
        let Some(object) = self.value.and_then(Value::as_object) else {
            return self.error("must be an object");
        };
        match object.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => {
                let (last, others) = known.split_last().unwrap_or((&"", &[]));
                self.member(key)
                    .error(["is not known; there are ", &others.join(", "), " and ", last].concat())
            }
        }
    }

    fn template(&self, scope: &Scope<'_>) -> Result<Template, ScriptError> {
        let template = Template::parse(self.text()?).or_else(|problem| self.error(problem))?;
        for path in template.paths() {
            scope.check(path).or_else(|problem| self.error(problem))?;
        }
        Ok(template)
    }

    fn say(&self, scope: &Scope<'_>) -> Result<Say, ScriptError> {
        self.object(&["zh-CN", "en"])?;
        let language = |name| {
            let at = self.member(name);
            let templates = match at.value {
                Some(Value::String(_)) => vec![At { path: [&at.path, "[0]"].concat(), value: at.value }],
                Some(Value::Array(_)) => at.elements("")?,
                _ => return at.error("must be a text or a list of texts"),
            };
            if templates.is_empty() {
                return at.error("must have a text");
            }
            templates.iter().map(|at| at.template(scope)).collect()
        };
        Ok(Say { chinese: language("zh-CN")?, english: language("en")? })
    }

    fn optional_say(&self, scope: &Scope<'_>) -> Result<Option<Say>, ScriptError> {
        self.value.map(|_| self.say(scope)).transpose()
    }

    /// Checks the templates in a call's arguments.
    fn arguments(&self, scope: &Scope<'_>) -> Result<(), ScriptError> {
        match self.value {
            Some(Value::String(_)) => self.template(scope).map(|_| ()),
            Some(Value::Array(_)) => self.elements("")?.iter().try_for_each(|at| at.arguments(scope)),
            Some(Value::Object(object)) => {
                object.keys().try_for_each(|name| self.member(name).arguments(scope))
            }
            _ => Ok(()),
        }
    }
}

impl Scope<'_> {
    fn check(&self, path: &str) -> Result<(), String> {
        let root = path.split('.').next().unwrap_or_default();
        if root == "page" || self.results.contains(&root) || self.words.contains(&path) {
            return Ok(());
        }
        let captures = |pattern: &Pattern| pattern.names().any(|name| name == path);
        match self.patterns.iter().position(|pattern| !captures(pattern)) {
            None if !self.patterns.is_empty() => Ok(()),
            Some(without) if self.patterns.iter().any(captures) => {
                Err(format!("{{{path}}} is not captured by patterns[{without}]"))
            }
            _ => Err(["{", path, "} is not known here"].concat()),
        }
    }
}

pub(super) fn script(value: &Value) -> Result<TutorScript, ScriptError> {
    let at = At { path: "script".to_owned(), value: Some(value) };
    at.object(&["intents", "fallback", "failed", "unavailable", "missing"])?;
    let intents = at.member("intents").elements("")?;
    let fallback = at.member("fallback");
    if fallback.value.is_none() {
        return fallback.error("is missing");
    }
    Ok(TutorScript {
        intents: intents.iter().map(intent).collect::<Result<_, _>>()?,
        fallback: fallback.optional_say(&Scope::default())?,
        failed: at.member("failed").optional_say(&Scope { words: &["error", "tool"], ..Scope::default() })?,
        unavailable: at
            .member("unavailable")
            .optional_say(&Scope { words: &["tool"], ..Scope::default() })?,
        missing: at.member("missing").optional_say(&Scope::default())?,
    })
}

fn intent(at: &At<'_>) -> Result<Intent, ScriptError> {
    at.object(&["patterns", "calls", "answer", "missing"])?;
    let listed = at.member("patterns").elements(" of texts")?;
    if listed.is_empty() {
        return at.member("patterns").error("must have a text");
    }
    let pattern = |at: &At<'_>| Pattern::parse(at.text()?).or_else(|problem| at.error(problem));
    let patterns = listed.iter().map(pattern).collect::<Result<Vec<_>, _>>()?;

    let mut calls: Vec<ScriptedCall> = Vec::new();
    let listed = match at.member("calls") {
        At { value: None, .. } => Vec::new(),
        calls => calls.elements("")?,
    };
    for at in listed {
        let call = call(&at, &patterns)?;
        if calls.iter().any(|other| other.result_name() == call.result_name()) {
            let problem =
                format!("another call is named {:?}; give this one another name", call.result_name());
            return at.member("as").error(problem);
        }
        calls.push(call);
    }

    let results = calls.iter().map(ScriptedCall::result_name).collect();
    let scope = Scope { patterns: &patterns, results, ..Scope::default() };
    let answer = at.member("answer").optional_say(&scope)?;
    let missing = at.member("missing").optional_say(&scope)?;
    if answer.is_none() {
        if calls.is_empty() {
            return at.member("answer").error("is missing");
        }
        if let Some(silent) = calls.iter().position(|call| call.answer.is_none()) {
            let path = format!("calls[{silent}].answer");
            return at.member(&path).error("is missing, and the intent has none");
        }
    }
    Ok(Intent { patterns, calls, answer, missing })
}

fn call(at: &At<'_>, patterns: &[Pattern]) -> Result<ScriptedCall, ScriptError> {
    at.object(&["tool", "as", "input", "answer", "failed"])?;
    let name = at.member("tool");
    let tool = ToolName::new(name.text()?).or_else(|error| name.error(error.to_string()))?;
    let alias = at.member("as");
    let alias = alias.value.map(|_| alias.text().map(str::to_owned)).transpose()?;
    let input = at.member("input");
    let scope = Scope { patterns, ..Scope::default() };
    let object = match input.value {
        None => JsonObject::new(),
        Some(Value::Object(object)) => object.clone(),
        Some(_) => return input.error("must be an object"),
    };
    input.arguments(&scope)?;
    let results = vec![alias.as_deref().unwrap_or(tool.as_str())];
    let answer =
        at.member("answer").optional_say(&Scope { patterns, results: results.clone(), words: &[] })?;
    let failed = at.member("failed").optional_say(&Scope {
        patterns,
        results: Vec::new(),
        words: &["error", "tool"],
    })?;
    Ok(ScriptedCall { tool, alias, input: object, answer, failed })
}
