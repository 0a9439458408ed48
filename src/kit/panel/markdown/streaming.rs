//! What to show of Markdown that is still being written.
//!
//! A half-written construct reads as something else until its end arrives: `**bol` as asterisks, `para\n-` as a
//! heading, `[text](https://exa` as brackets, a table's first line as a paragraph. Shown as they are, answers
//! flicker. [`settle`] closes what will surely close and holds back what cannot be told yet; the finished text
//! never goes through it. An unclosed code fence needs nothing: CommonMark runs it to the end.

use std::borrow::Cow;

/// The part of `text` that can be shown now, with what is open at its end closed.
pub fn settle(text: &str) -> Cow<'_, str> {
    let Some(block_start) = last_block(text) else {
        return Cow::Borrowed(text);
    };
    let (done, mut block) = text.split_at(block_start);
    if is_half_table(block) {
        return Cow::Borrowed(done);
    }
    let line_start = block.rfind('\n').map_or(0, |newline| newline + 1);
    if let Some(line) = block.get(line_start..)
        && is_only_marks(line)
    {
        block = block.get(..line_start).unwrap_or_default();
    }
    let (shown, closing) = close_inline(block);
    if shown.len() == block.len() && closing.is_empty() && done.len() + block.len() == text.len() {
        return Cow::Borrowed(text);
    }
    // A space before the closing marks would keep them from closing.
    let shown = if closing.is_empty() { &*shown } else { shown.trim_end() };
    Cow::Owned([done, shown, &closing].concat())
}

/// Where the last block begins: after the last blank line. `None` inside a code fence.
fn last_block(text: &str) -> Option<usize> {
    let mut fence: Option<&str> = None;
    let (mut block, mut at) = (0, 0);
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        let run = |mark: char| content.len() - content.trim_start_matches(mark).len();
        let marks = content.get(..run('`').max(run('~'))).filter(|marks| marks.len() >= 3);
        match (fence, marks) {
            (None, Some(marks))
                if !(marks.starts_with('`') && content.len() > marks.len() && content.ends_with('`')) =>
            {
                fence = Some(marks);
            }
            (Some(open), Some(marks)) if marks.starts_with(open) && marks.len() == content.len() => {
                fence = None;
                block = at + line.len();
            }
            (None, None) if content.is_empty() => block = at + line.len(),
            _ => {}
        }
        at += line.len();
    }
    fence.is_none().then_some(block)
}

/// A table shows once its second line, which says that it is one, is whole.
fn is_half_table(block: &str) -> bool {
    let mut lines = block.split_inclusive('\n');
    let Some(head) = lines.next() else { return false };
    let rule = lines.next().unwrap_or_default();
    head.trim_start().starts_with('|')
        && lines.next().is_none()
        && !rule.ends_with('\n')
        && rule.chars().all(|character| matches!(character, '|' | '-' | ':' | ' '))
}

/// A line of nothing but marks may yet become a list, a heading, a rule or an emphasis.
fn is_only_marks(line: &str) -> bool {
    let line = line.trim();
    let number = line.trim_end_matches(['.', ')']);
    !line.is_empty()
        && (line.chars().all(|character| "-=#>*+_~`|:".contains(character))
            || (number.len() < line.len() && number.bytes().all(|byte| byte.is_ascii_digit())))
}

/// Closes the emphasis, code span and link that are open at the end of `block`: what to show of it, and what to
/// put after it.
fn close_inline(block: &str) -> (Cow<'_, str>, String) {
    let bytes = block.as_bytes();
    let byte = |at: usize| bytes.get(at).copied();
    let mut open: Vec<&str> = Vec::new();
    let mut bracket = None;
    let mut at = 0;
    while let Some(current) = byte(at) {
        let run = bytes.iter().skip(at).take_while(|next| **next == current).count();
        match current {
            b'\\' => at += 2,
            b'`' => {
                let marks = block.get(at..at + run).unwrap_or_default();
                match find_run(block, at + run, run) {
                    Some(end) => at = end,
                    None if at + run == block.len() => return cut(block, at, &open),
                    None => {
                        open.push(marks);
                        break;
                    }
                }
            }
            b'*' | b'~' => {
                let marks = block.get(at..at + run.min(3)).unwrap_or_default();
                let space = |near: Option<u8>| near.is_none_or(|byte| byte.is_ascii_whitespace());
                let before = at.checked_sub(1).and_then(byte);
                if open.last() == Some(&marks) && !space(before) {
                    open.pop();
                } else if at + run == block.len() {
                    return cut(block, at, &open);
                } else if !space(byte(at + run)) && (current == b'*' || run == 2) {
                    open.push(marks);
                }
                at += run;
            }
            b'[' => {
                bracket = Some((at, at.checked_sub(1).and_then(byte) == Some(b'!')));
                at += 1;
            }
            b']' if byte(at + 1) == Some(b'(') => {
                let closed = block
                    .get(at..)
                    .is_some_and(|rest| rest.split('\n').next().is_some_and(|line| line.contains(')')));
                if let (Some((start, is_image)), false) = (bracket, closed) {
                    let before = block.get(..start - usize::from(is_image)).unwrap_or_default();
                    let words = block.get(start + 1..at).unwrap_or_default();
                    return (Cow::Owned([before, words].concat()), closing(&open));
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    (Cow::Borrowed(block), closing(&open))
}

fn cut<'a>(block: &'a str, at: usize, open: &[&str]) -> (Cow<'a, str>, String) {
    (Cow::Borrowed(block.get(..at).unwrap_or_default()), closing(open))
}

fn closing(open: &[&str]) -> String {
    open.iter().rev().copied().collect()
}

/// The end of the next run of exactly `length` backticks.
fn find_run(text: &str, from: usize, length: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += text.get(at..)?.find('`')?;
        let run = text.get(at..)?.bytes().take_while(|byte| *byte == b'`').count();
        at += run;
        if run == length {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::settle;
    use proptest::prelude::*;

    #[test]
    fn closes_what_is_open_and_holds_back_what_cannot_be_told() {
        for (text, shown) in [
            ("plain", "plain"),
            ("a **bol", "a **bol**"),
            ("a **bold *and", "a **bold *and***"),
            ("a **bold and ", "a **bold and**"),
            ("a **bold**", "a **bold**"),
            ("a **", "a "),
            ("a `cod", "a `cod`"),
            ("a `code` b", "a `code` b"),
            ("a ~~gon", "a ~~gon~~"),
            ("see [the docs](https://exam", "see the docs"),
            ("see [the docs](https://example.org)", "see [the docs](https://example.org)"),
            ("see ![a chart](https://exam", "see a chart"),
            ("para\n-", "para\n"),
            ("para\n---", "para\n"),
            ("para\n\n#", "para\n\n"),
            ("1. one\n2.", "1. one\n"),
            ("| a | b |", ""),
            ("text\n\n| a | b |\n|---|-", "text\n\n"),
            ("| a | b |\n|---|---|\n", "| a | b |\n|---|---|\n"),
            ("```rust\nlet a = 1; // **", "```rust\nlet a = 1; // **"),
            ("```\n**\n```\n\nb **c", "```\n**\n```\n\nb **c**"),
            ("2 * 3", "2 * 3"),
            ("* one\n* **two", "* one\n* **two**"),
        ] {
            assert_eq!(settle(text), shown, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn never_panics_and_never_reaches_back_beyond_the_last_block(text in "[ab*_~`\\[\\]()!|:#>\\\\ \n中-]{0,40}") {
            let shown = settle(&text);
            let done = text.rfind("\n\n").map_or("", |end| &text[..end]);
            prop_assert!(shown.starts_with(done));
        }
    }
}
