//! Makes `**注意：**请看` bold.
//!
//! CommonMark decides whether `**` may open or close by the characters beside it, and its rule for punctuation
//! expects spaces between words. Chinese has none, so what agents write as bold stays full of asterisks. A mark
//! that counts as punctuation, put between the asterisks and their neighbour, lets the run both open and close;
//! [`without_marks`] takes it out again of everything that is shown.

use std::borrow::Cow;

/// The Aegean word separator: punctuation to CommonMark, and in no text that people write today.
const MARK: char = '\u{10100}';

/// The text with marks where a run of `*` or `~` stands between a letter and punctuation, one of them not ASCII.
pub fn mark_emphasis(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(['*', '~']) || text.contains(MARK) {
        return Cow::Borrowed(text);
    }
    let mut marked = String::with_capacity(text.len() + 16);
    let mut before = None;
    let mut rest = text;
    while let Some(start) = rest.find(['*', '~']) {
        let (plain, from_run) = rest.split_at(start);
        let run_length = from_run.len() - from_run.trim_start_matches(['*', '~']).len();
        let (run, after_run) = from_run.split_at(run_length);
        before = plain.chars().next_back().or(before);
        let after = after_run.chars().next();
        marked.push_str(plain);
        match (before.map(Neighbour::of), after.map(Neighbour::of)) {
            (Some(Neighbour::Letter { ascii }), Some(Neighbour::Punctuation { ascii: also }))
                if !(ascii && also) =>
            {
                marked.push(MARK);
                marked.push_str(run);
            }
            (Some(Neighbour::Punctuation { ascii }), Some(Neighbour::Letter { ascii: also }))
                if !(ascii && also) =>
            {
                marked.push_str(run);
                marked.push(MARK);
            }
            _ => marked.push_str(run),
        }
        before = run.chars().next_back();
        rest = after_run;
    }
    marked.push_str(rest);
    Cow::Owned(marked)
}

/// The text as it was before [`mark_emphasis`].
pub fn without_marks(text: &str) -> Cow<'_, str> {
    if text.contains(MARK) { Cow::Owned(text.replace(MARK, "")) } else { Cow::Borrowed(text) }
}

enum Neighbour {
    Letter { ascii: bool },
    Punctuation { ascii: bool },
    Space,
}

impl Neighbour {
    fn of(character: char) -> Self {
        let ascii = character.is_ascii();
        if character.is_whitespace() {
            Self::Space
        } else if character.is_ascii_punctuation() || is_wide_punctuation(character) {
            Self::Punctuation { ascii }
        } else {
            Self::Letter { ascii }
        }
    }
}

/// The punctuation that Chinese and Japanese text uses.
fn is_wide_punctuation(character: char) -> bool {
    matches!(character, '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205E}' | '\u{3001}'..='\u{3003}'
        | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301F}' | '\u{30FB}' | '\u{FE10}'..='\u{FE6B}'
        | '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' | '\u{FF3B}'..='\u{FF40}' | '\u{FF5B}'..='\u{FF65}' | '·')
}

#[cfg(test)]
mod tests {
    use super::{mark_emphasis, without_marks};
    use pulldown_cmark::{Event, Options, Parser, Tag};

    fn bold(text: &str) -> Vec<String> {
        let marked = mark_emphasis(text);
        assert_eq!(without_marks(&marked), text);
        let mut found = Vec::new();
        let mut open = false;
        for event in Parser::new_ext(&marked, Options::ENABLE_STRIKETHROUGH) {
            match event {
                Event::Start(Tag::Strong) => {
                    open = true;
                    found.push(String::new());
                }
                Event::End(pulldown_cmark::TagEnd::Strong) => open = false,
                Event::Text(part) if open => {
                    found.last_mut().unwrap().push_str(&without_marks(&part));
                }
                _ => {}
            }
        }
        found
    }

    #[test]
    fn bold_works_beside_chinese_punctuation() {
        assert_eq!(bold("**注意：**请看下面"), ["注意："]);
        assert_eq!(bold("请看**「上下文」**一节"), ["「上下文」"]);
        assert_eq!(bold("**第一**（重点），**第二：**其余"), ["第一", "第二："]);
        assert_eq!(bold("冒号：**重点**之后"), ["重点"]);
        assert_eq!(bold("**Tip:**看这里"), ["Tip:"]);
        assert_eq!(bold("plain **bold**, and 2 * 3 ** 4"), ["bold"]);
        assert!(bold("2 * 3，4 * 5").is_empty());
    }
}
