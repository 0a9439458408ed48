//! What a question must look like: [`Pattern`].

use std::cell::Cell;
use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Map, Number, Value};

use super::quantity;

/// How far into a question patterns are looked for, in characters.
const LONGEST_QUESTION: usize = 400;

/// A pattern: literal text, `(one|of these)`, `*` for anything, and captures `{name}` or `{name:kind}`.
///
/// It may stand anywhere in the question. Letter case, full-width forms, spaces and punctuation make no
/// difference; a Latin word matches whole words only.
///
/// ```
/// use praxis::protocol::tutor_script::Pattern;
///
/// let pattern = Pattern::parse("(jump|go) to {position:time}").unwrap();
/// let captured = pattern.captures("Please, JUMP to 1:23!").unwrap();
/// assert_eq!(captured["position"], 83);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    source: String,
    pieces: Vec<Piece>,
}

/// What a capture takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// What stands in quotes; else everything up to the next piece, or to the end of the clause.
    Text,
    /// `2`, `2.5`, `二`, `two`.
    Number,
    /// Seconds: `1:23`, `83秒`, `1分23秒`, `1 minute 23 seconds`.
    Time,
}

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    /// One of these, folded.
    Literal(Vec<Vec<char>>),
    /// Anything, as little as possible.
    Any,
    Capture {
        name: String,
        kind: Kind,
    },
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// A message that says what is wrong and where.
    pub fn parse(source: &str) -> Result<Self, String> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut rest = source;
        while let Some(start) = rest.find(['{', '(', '*', '}', ')', '|']) {
            push_literal(&mut pieces, &[&rest[..start]]);
            let (mark, after) = rest[start..].split_at(1);
            rest = match mark {
                "*" => {
                    pieces.push(Piece::Any);
                    after
                }
                "{" => {
                    let (inside, after) = after.split_once('}').ok_or("a { has no }")?;
                    let piece = capture(inside)?;
                    if matches!((pieces.last(), &piece), (Some(Piece::Capture { kind: Kind::Text, .. }), _)) {
                        return Err("something must stand between a text and the capture after it".to_owned());
                    }
                    if names(&pieces)
                        .any(|name| matches!(&piece, Piece::Capture { name: other, .. } if other == name))
                    {
                        return Err(["captures {", inside, "} twice"].concat());
                    }
                    pieces.push(piece);
                    after
                }
                "(" => {
                    let (inside, after) = after.split_once(')').ok_or("a ( has no )")?;
                    if inside.contains(['{', '(', '*', '}']) {
                        return Err("only plain text may stand in ( )".to_owned());
                    }
                    push_literal(&mut pieces, &inside.split('|').collect::<Vec<_>>());
                    after
                }
                other => return Err([other, " stands alone"].concat()),
            };
        }
        push_literal(&mut pieces, &[rest]);
        if !pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Literal(texts) if texts.iter().all(|text| !text.is_empty())))
        {
            return Err("must have some text of its own".to_owned());
        }
        Ok(Self { source: source.to_owned(), pieces })
    }

    /// The names of its captures.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        names(&self.pieces)
    }

    /// What it captures in `question`; `None` when it does not stand there. Texts become strings, numbers and
    /// times (in seconds) numbers.
    #[must_use]
    pub fn captures(&self, question: &str) -> Option<Map<String, Value>> {
        let original: Vec<char> = question.chars().take(LONGEST_QUESTION).collect();
        let folded: Vec<char> = original.iter().map(|&character| fold(character)).collect();
        let failed = vec![Cell::new(false); (self.pieces.len() + 1) * (folded.len() + 1)];
        let search = Search { original: &original, folded: &folded, failed: &failed };
        (0..=folded.len()).find_map(|start| {
            let mut captured = Map::new();
            search.matches(&self.pieces, start, &mut captured).then_some(captured)
        })
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

impl Serialize for Pattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.source)
    }
}

fn names(pieces: &[Piece]) -> impl Iterator<Item = &str> {
    pieces.iter().filter_map(|piece| match piece {
        Piece::Capture { name, .. } => Some(name.as_str()),
        _ => None,
    })
}

fn push_literal(pieces: &mut Vec<Piece>, texts: &[&str]) {
    let fold_all =
        |text: &&str| text.chars().map(fold).filter(|c| c.is_alphanumeric()).collect::<Vec<char>>();
    let texts: Vec<Vec<char>> = texts.iter().map(fold_all).collect();
    if texts.iter().any(|text| !text.is_empty()) {
        pieces.push(Piece::Literal(texts));
    }
}

fn capture(inside: &str) -> Result<Piece, String> {
    let (name, kind) = inside.split_once(':').unwrap_or((inside, "text"));
    let kind = match kind {
        "text" => Kind::Text,
        "number" => Kind::Number,
        "time" => Kind::Time,
        other => return Err(["{", inside, "}: ", other, " is no kind; text, number and time are"].concat()),
    };
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return Err(["{", inside, "}: a name is made of letters, digits and _"].concat());
    }
    Ok(Piece::Capture { name: name.to_owned(), kind })
}

/// Lower case, and ASCII in place of its full-width forms.
fn fold(character: char) -> char {
    let narrow = match character {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(character) - 0xFEE0).unwrap_or(character),
        '\u{3000}' => ' ',
        other => other,
    };
    narrow.to_lowercase().next().unwrap_or(narrow)
}

fn closing_quote(opening: char) -> Option<char> {
    Some(match opening {
        '"' | '\'' => opening,
        '“' | '”' => '”',
        '‘' => '’',
        '「' => '」',
        '『' => '』',
        '《' => '》',
        '«' => '»',
        _ => return None,
    })
}

struct Search<'a> {
    original: &'a [char],
    folded: &'a [char],
    /// Which rests of the pattern are known not to stand at which places: without it, a pattern with several
    /// gaps would try every combination of their ends.
    failed: &'a [Cell<bool>],
}

impl Search<'_> {
    fn matches(&self, pieces: &[Piece], at: usize, captured: &mut Map<String, Value>) -> bool {
        let Some((piece, rest)) = pieces.split_first() else { return true };
        let Some(failed) = self.failed.get(pieces.len() * (self.folded.len() + 1) + at) else { return false };
        if failed.get() {
            return false;
        }
        let matches = self.piece_matches(piece, rest, at, captured);
        failed.set(!matches);
        matches
    }

    fn piece_matches(
        &self,
        piece: &Piece,
        rest: &[Piece],
        at: usize,
        captured: &mut Map<String, Value>,
    ) -> bool {
        match piece {
            Piece::Literal(texts) => texts
                .iter()
                .any(|text| self.literal(text, at).is_some_and(|end| self.matches(rest, end, captured))),
            Piece::Any => (at..=self.folded.len()).any(|end| self.matches(rest, end, captured)),
            Piece::Capture { name, kind } => {
                let mut take = |value: Value, end: usize| {
                    let whole = self.matches(rest, end, captured);
                    if whole {
                        captured.insert(name.clone(), value);
                    }
                    whole
                };
                let quantity = match kind {
                    Kind::Number => quantity::number(self.folded, self.skip_marks(at)),
                    Kind::Time => quantity::time(self.folded, self.skip_marks(at)),
                    Kind::Text => return self.text(at, rest, &mut take),
                };
                quantity.is_some_and(|(value, end)| take(number(value), end))
            }
        }
    }

    /// Where `text` ends, when it stands at `at`.
    fn literal(&self, text: &[char], at: usize) -> Option<usize> {
        let Some(first) = text.first() else { return Some(at) };
        let inside_word = |left: Option<&char>, right: Option<&char>| {
            left.is_some_and(char::is_ascii_alphabetic) && right.is_some_and(char::is_ascii_alphabetic)
        };
        let mut end = self.skip_marks(at);
        if inside_word(end.checked_sub(1).and_then(|before| self.folded.get(before)), Some(first)) {
            return None;
        }
        for character in text {
            end = self.skip_marks(end);
            (self.folded.get(end)? == character).then_some(())?;
            end += 1;
        }
        (!inside_word(text.last(), self.folded.get(end))).then_some(end)
    }

    fn skip_marks(&self, at: usize) -> usize {
        let rest = self.folded.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|character| !character.is_alphanumeric()).count()
    }

    fn text(&self, at: usize, rest: &[Piece], take: &mut impl FnMut(Value, usize) -> bool) -> bool {
        let word = self.skip_marks(at);
        let quoted = (at..word).rev().find_map(|open| {
            let close = closing_quote(*self.original.get(open)?)?;
            let length = self.original.get(open + 1..)?.iter().position(|&character| character == close)?;
            (length > 0).then_some((open + 1, open + 1 + length))
        });
        if let Some((start, end)) = quoted
            && let Some(inside) = self.original.get(start..end)
        {
            return take(Value::String(inside.iter().collect()), end);
        }
        let clause = self.clause_end(word);
        let ends = if rest.first().is_none_or(|next| *next == Piece::Any) {
            clause..=clause
        } else {
            word + 1..=self.folded.len()
        };
        for end in ends {
            let text: String = self.original.get(word..end).unwrap_or_default().iter().collect();
            let text = text.trim_end_matches(|character: char| {
                !character.is_alphanumeric() && !")）】]".contains(character)
            });
            if !text.is_empty() && take(Value::String(text.to_owned()), end) {
                return true;
            }
        }
        false
    }

    /// Where the clause that runs at `at` ends: at a mark that ends one, or with the question.
    fn clause_end(&self, at: usize) -> usize {
        (at..self.folded.len())
            .find(|&position| match self.folded[position] {
                ',' | ';' | '!' | '?' | '。' | '、' | '\n' => true,
                // Not the point in 3.5 or in index.html.
                '.' => self.folded.get(position + 1).is_none_or(|next| next.is_whitespace()),
                _ => false,
            })
            .unwrap_or(self.folded.len())
    }
}

fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        return Value::from(value as i64);
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn captured(pattern: &str, question: &str) -> Option<Value> {
        Pattern::parse(pattern).unwrap().captures(question).map(Value::Object)
    }

    #[test]
    fn matching_ignores_case_width_spaces_and_punctuation() {
        assert!(captured("看到哪", "我 看到，哪了？").is_some());
        assert!(captured("what's up", "WHAT’S　ＵＰ?!").is_some());
        assert!(captured("hi", "this is").is_none());
        assert!(captured("play", "the playback").is_none());
        assert!(captured("hi", "oh, Hi!").is_some());
        assert_eq!(captured("跳到{t:time}", "请跳到１：２３吧"), Some(json!({"t": 83})));
        assert_eq!(captured("第{n:number}章", "打开第二章"), Some(json!({"n": 2})));
        assert_eq!(captured("(jump|skip) to {t:time}", "skip to 1m23s"), Some(json!({"t": 83})));
        assert!(captured("跳到{t:time}", "跳到后面").is_none());
        assert!(captured("暂停", "").is_none());
    }

    #[test]
    fn e17_sentence_is_taken_apart() {
        let pattern = "用户名*(填成|改成|设为){username}*状态(为|是){status}的(记录|行)";
        let expected = Some(json!({"status": "待审核", "username": "张三"}));
        assert_eq!(
            captured(pattern, "帮我把表单里的用户名填成\"张三\"，然后查询表格中状态为\"待审核\"的记录"),
            expected
        );
        assert_eq!(captured(pattern, "用户名填成“张三”，状态为「待审核」的记录"), expected);
        assert_eq!(captured(pattern, "把用户名填成张三，再查状态为待审核的记录"), expected);
    }

    #[test]
    fn a_text_runs_to_the_next_piece_or_the_end_of_its_clause() {
        assert_eq!(
            captured("记下{note}", "记下：学习 3.5 小时。谢谢"),
            Some(json!({"note": "学习 3.5 小时"}))
        );
        assert_eq!(captured("note {note}", "Note Buy milk, please"), Some(json!({"note": "Buy milk"})));
        assert_eq!(captured("把{a}改成{b}", "把 A 改成 B（二）"), Some(json!({"a": "A", "b": "B（二）"})));
        assert!(captured("note {note}", "note ...").is_none());
    }

    #[test]
    fn a_long_question_costs_little() {
        let pattern = Pattern::parse("甲*乙*甲*乙*甲*乙*{x}丙{y}丁*戊").unwrap();
        assert_eq!(pattern.captures(&"甲乙".repeat(1_000_000)), None);
    }

    #[test]
    fn a_bad_pattern_says_why() {
        for (pattern, reason) in [
            ("{a", "has no }"),
            ("x{a}{b}", "between"),
            ("x{a:date}", "no kind"),
            ("x{a} y {a}", "twice"),
            ("{a}", "text of its own"),
            ("x)", "stands alone"),
            ("x({a})", "plain text"),
            ("x{ä}", "letters"),
            ("", "text of its own"),
            ("(a|)", "text of its own"),
        ] {
            assert!(Pattern::parse(pattern).unwrap_err().contains(reason), "{pattern}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

        #[test]
        fn what_is_captured_stands_in_the_question(before in "\\PC{0,20}", text in "[\\p{L}][\\p{L} ]{0,10}[\\p{L}]", after in ".{0,20}") {
            let question = [&before, " note down “", &text, "” at 1:23 ", &after].concat();
            let captured = Pattern::parse("note down {text} at {time:time}").unwrap().captures(&question).unwrap();
            // The question may hold a note of its own before ours.
            proptest::prop_assume!(!before.to_lowercase().contains("note"));
            proptest::prop_assert_eq!(&captured["text"], &json!(text));
            proptest::prop_assert_eq!(&captured["time"], &json!(83));
        }

        #[test]
        fn no_pattern_and_no_question_panics(pattern in "[a{}:|(*)数 number]{0,12}", question in ".{0,40}") {
            if let Ok(pattern) = Pattern::parse(&pattern) {
                let _ = pattern.captures(&question);
            }
        }
    }
}
