//! What the tutor says, with places for values: [`Template`] and [`Say`].

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::protocol::json_text::to_json_text;

/// A text with places for values: `你看到 {progress.positionSeconds|clock} 了`.
///
/// A place is a path and filters: `{path}`, `{path|filter}`. `{{` stands for a brace. Which paths there are,
/// [`TutorScript`](super::TutorScript) says. Filters: `clock` (83 → `1:23`), `round` (83.4 → `83`), `percent`
/// (0.42 → `42%`), `count` (how many elements a list has).
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    source: String,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Text(String),
    Place { path: String, filters: Vec<Filter> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filter {
    Clock,
    Round,
    Percent,
    Count,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// A message that says what is wrong.
    pub fn parse(source: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut rest = source;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            if let Some(after) = after.strip_prefix('{') {
                text.push('{');
                rest = after;
                continue;
            }
            let (inside, after) = after.split_once('}').ok_or("a { has no }")?;
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            let mut parts = inside.split('|').map(str::trim);
            let path = parts.next().unwrap_or_default().to_owned();
            if path.is_empty() {
                return Err(["{", inside, "} names no value"].concat());
            }
            pieces.push(Piece::Place { path, filters: parts.map(Filter::parse).collect::<Result<_, _>>()? });
            rest = after;
        }
        text.push_str(rest);
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        Ok(Self { source: source.to_owned(), pieces })
    }

    /// The paths of its places.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Place { path, .. } => Some(path.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// The text with the values that `lookup` gives for its paths; `None` when one is not there, is `null`, or
    /// is nothing that its filter can show.
    #[must_use]
    pub fn fill(&self, lookup: &impl Fn(&str) -> Option<Value>) -> Option<String> {
        let mut filled = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => filled.push_str(text),
                Piece::Place { path, filters } => match value(path, filters, lookup)? {
                    Value::String(text) => filled.push_str(&text),
                    other => filled.push_str(&to_json_text(&other).ok()?),
                },
            }
        }
        Some(filled)
    }

    /// As [`fill`](Self::fill), for arguments: a template that is one place alone gives the value itself.
    #[must_use]
    pub fn fill_value(&self, lookup: &impl Fn(&str) -> Option<Value>) -> Option<Value> {
        match self.pieces.as_slice() {
            [Piece::Place { path, filters }] => value(path, filters, lookup),
            _ => self.fill(lookup).map(Value::String),
        }
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

impl Serialize for Template {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.source)
    }
}

fn value(path: &str, filters: &[Filter], lookup: &impl Fn(&str) -> Option<Value>) -> Option<Value> {
    let found = lookup(path).filter(|value| !value.is_null())?;
    filters.iter().try_fold(found, |value, filter| filter.apply(&value))
}

impl Filter {
    fn parse(name: &str) -> Result<Self, String> {
        Ok(match name {
            "clock" => Self::Clock,
            "round" => Self::Round,
            "percent" => Self::Percent,
            "count" => Self::Count,
            other => {
                return Err(["no filter ", other, "; there are clock, round, percent and count"].concat());
            }
        })
    }

    fn apply(self, value: &Value) -> Option<Value> {
        // Beyond this, seconds and counts are no longer whole numbers.
        let number = || value.as_f64().filter(|number| number.abs() < 9e15);
        Some(match self {
            Self::Clock => Value::String(clock(number()?)),
            Self::Round => Value::from(number()?.round() as i64),
            Self::Percent => Value::String([&((number()? * 100.0).round() as i64).to_string(), "%"].concat()),
            Self::Count => Value::from(value.as_array()?.len()),
        })
    }
}

/// A position as players show it: `1:23`, `1:02:03`; a running second counts only when it is over.
fn clock(seconds: f64) -> String {
    let seconds = seconds.max(0.0) as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// A language that the tutor speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Simplified Chinese, `zh-CN`.
    Chinese,
    /// English, `en`.
    English,
}

impl Language {
    /// The language to answer `question` in: Chinese when it has a Chinese character.
    #[must_use]
    pub fn of(question: &str) -> Self {
        let chinese = |character| matches!(character, '\u{3400}'..='\u{9FFF}' | '\u{20000}'..='\u{3FFFF}');
        if question.chars().any(chinese) { Self::Chinese } else { Self::English }
    }
}

/// What to say, in both languages: `{"zh-CN": …, "en": …}`.
///
/// Each is a template or a list of them. Of a list, the first is said whose values are all there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Say {
    /// In Chinese.
    #[serde(rename = "zh-CN")]
    pub chinese: Vec<Template>,
    /// In English.
    #[serde(rename = "en")]
    pub english: Vec<Template>,
}

impl Say {
    /// The first template in `language` whose values are all there, filled.
    #[must_use]
    pub fn fill(&self, language: Language, lookup: &impl Fn(&str) -> Option<Value>) -> Option<String> {
        let templates = match language {
            Language::Chinese => &self.chinese,
            Language::English => &self.english,
        };
        templates.iter().find_map(|template| template.fill(lookup))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn filled(template: &str) -> Option<String> {
        let values = json!({"t": 83.9, "h": 3723, "n": "张三", "rows": [1, 2], "none": null, "part": 0.416});
        Template::parse(template).unwrap().fill(&|path| values.get(path).cloned())
    }

    #[test]
    fn places_are_filled_through_their_filters() {
        assert_eq!(filled("到 {t|clock}，{h|clock}").as_deref(), Some("到 1:23，1:02:03"));
        assert_eq!(
            filled("{n}: {rows|count} {{x} {t|round} {part|percent} {rows}").as_deref(),
            Some("张三: 2 {x} 84 42% [1,2]")
        );
        for missing in ["{none}", "{nothing}", "{n|clock}", "{t|count}"] {
            assert_eq!(filled(missing), None, "{missing}");
        }
    }

    #[test]
    fn a_place_alone_keeps_its_type() {
        let lookup = |_: &str| Some(json!(83));
        assert_eq!(Template::parse("{t}").unwrap().fill_value(&lookup), Some(json!(83)));
        assert_eq!(Template::parse("{t}s").unwrap().fill_value(&lookup), Some(json!("83s")));
    }

    #[test]
    fn a_bad_template_says_why() {
        for (template, reason) in
            [("{a", "has no }"), ("{}", "names no value"), ("{a|upper}", "no filter upper")]
        {
            assert!(Template::parse(template).unwrap_err().contains(reason), "{template}");
        }
    }

    #[test]
    fn the_answer_follows_the_question() {
        assert_eq!(Language::of("where 哪"), Language::Chinese);
        assert_eq!(Language::of("where am I?"), Language::English);
    }
}
