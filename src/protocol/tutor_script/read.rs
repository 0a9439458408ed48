//! Reading a script from JSON, with errors that name the place.

use serde_json::Value;

use super::{Intent, KnownError, Pattern, Say, ScriptError, ScriptedCall, Template, TutorScript};
use crate::protocol::json_place::Place;
use crate::protocol::{JsonObject, ToolName};

/// Which values templates may name at a place.
#[derive(Default)]
struct Scope<'a> {
    patterns: &'a [Pattern],
    results: Vec<&'a str>,
    words: &'a [&'a str],
}

/// An object with no other members than `known`.
fn only(at: &Place<'_>, known: &[&str]) -> Result<(), ScriptError> {
    match at.object()?.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => {
            let (last, others) = known.split_last().unwrap_or((&"", &[]));
            at.member(key).error(["is not known; there are ", &others.join(", "), " and ", last].concat())
        }
    }
}

fn template(at: &Place<'_>, scope: &Scope<'_>) -> Result<Template, ScriptError> {
    let template = Template::parse(at.text()?).or_else(|problem| at.error(problem))?;
    for path in template.paths() {
        scope.check(path).or_else(|problem| at.error(problem))?;
    }
    Ok(template)
}

fn say(at: &Place<'_>, scope: &Scope<'_>) -> Result<Say, ScriptError> {
    only(at, &["zh-CN", "en"])?;
    let language = |name| {
        let at = at.member(name);
        let templates = match at.value {
            Some(Value::String(_)) => vec![Place { path: [&at.path, "[0]"].concat(), value: at.value }],
            Some(Value::Array(_)) => at.elements()?,
            _ => return at.error("must be a text or a list of texts"),
        };
        if templates.is_empty() {
            return at.error("must have a text");
        }
        templates.iter().map(|at| template(at, scope)).collect()
    };
    Ok(Say { chinese: language("zh-CN")?, english: language("en")? })
}

fn optional_say(at: &Place<'_>, scope: &Scope<'_>) -> Result<Option<Say>, ScriptError> {
    at.value.map(|_| say(at, scope)).transpose()
}

/// Checks the templates in a call's arguments.
fn arguments(at: &Place<'_>, scope: &Scope<'_>) -> Result<(), ScriptError> {
    match at.value {
        Some(Value::String(_)) => template(at, scope).map(|_| ()),
        Some(Value::Array(_)) => at.elements()?.iter().try_for_each(|at| arguments(at, scope)),
        Some(Value::Object(object)) => object.keys().try_for_each(|name| arguments(&at.member(name), scope)),
        _ => Ok(()),
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
    let at = &Place::root("script", value);
    only(at, &["intents", "fallback", "failed", "unavailable", "missing", "errors"])?;
    let intents = at.member("intents").elements()?;
    let fallback = at.member("fallback");
    if fallback.value.is_none() {
        return fallback.error("is missing");
    }
    Ok(TutorScript {
        intents: intents.iter().map(intent).collect::<Result<_, _>>()?,
        fallback: optional_say(&fallback, &Scope::default())?,
        failed: optional_say(&at.member("failed"), &Scope { words: &["error", "tool"], ..Scope::default() })?,
        unavailable: optional_say(
            &at.member("unavailable"),
            &Scope { words: &["tool"], ..Scope::default() },
        )?,
        missing: optional_say(&at.member("missing"), &Scope::default())?,
        errors: match at.present("errors") {
            Some(errors) => errors.elements()?.iter().map(known_error).collect::<Result<_, _>>()?,
            None => Vec::new(),
        },
    })
}

fn known_error(at: &Place<'_>) -> Result<KnownError, ScriptError> {
    only(at, &["error", "say"])?;
    let error = at.member("error");
    match error.text()? {
        "" => error.error("must not be empty"),
        text => Ok(KnownError { error: text.to_owned(), say: say(&at.member("say"), &Scope::default())? }),
    }
}

fn intent(at: &Place<'_>) -> Result<Intent, ScriptError> {
    only(at, &["patterns", "calls", "answer", "missing"])?;
    let listed = at.member("patterns").elements()?;
    if listed.is_empty() {
        return at.member("patterns").error("must have a text");
    }
    let pattern = |at: &Place<'_>| Pattern::parse(at.text()?).or_else(|problem| at.error(problem));
    let patterns = listed.iter().map(pattern).collect::<Result<Vec<_>, _>>()?;

    let mut calls: Vec<ScriptedCall> = Vec::new();
    let listed = match at.member("calls") {
        Place { value: None, .. } => Vec::new(),
        calls => calls.elements()?,
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
    let answer = optional_say(&at.member("answer"), &scope)?;
    let missing = optional_say(&at.member("missing"), &scope)?;
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

fn call(at: &Place<'_>, patterns: &[Pattern]) -> Result<ScriptedCall, ScriptError> {
    only(at, &["tool", "as", "when", "unless", "input", "answer", "failed"])?;
    let name = at.member("tool");
    let tool = ToolName::new(name.text()?).or_else(|error| name.error(error.to_string()))?;
    let alias = at.member("as");
    let alias = alias.value.map(|_| alias.text().map(str::to_owned)).transpose()?;
    let input = at.member("input");
    let scope = Scope { patterns, ..Scope::default() };
    arguments(&input, &scope)?;
    let results = vec![alias.as_deref().unwrap_or(tool.as_str())];
    let answer =
        optional_say(&at.member("answer"), &Scope { patterns, results: results.clone(), words: &[] })?;
    let failed = optional_say(
        &at.member("failed"),
        &Scope { patterns, results: Vec::new(), words: &["error", "tool"] },
    )?;
    Ok(ScriptedCall {
        tool,
        alias,
        when: conditions(&at.member("when"))?,
        unless: conditions(&at.member("unless"))?,
        input: object(&input)?,
        answer,
        failed,
    })
}

fn object(at: &Place<'_>) -> Result<JsonObject, ScriptError> {
    match at.value {
        None => Ok(JsonObject::new()),
        Some(Value::Object(object)) => Ok(object.clone()),
        Some(_) => at.error("must be an object"),
    }
}

/// What page context must say.
fn conditions(at: &Place<'_>) -> Result<JsonObject, ScriptError> {
    let conditions = object(at)?;
    match conditions.keys().find(|path| !path.starts_with("page.")) {
        None => Ok(conditions),
        Some(path) => at.member(path).error("must be the path of a readable: page. and its name"),
    }
}
