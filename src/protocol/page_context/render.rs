//! How page context looks to a model (K18): untrusted text that cannot close its tag and hides nothing.

use super::ContextItem;

/// The text that the service puts at the end of this turn's user message (K18).
///
/// `&`, `<` and `>` are escaped, quotes are not. Characters that people do not see and models do (bidirectional
/// controls, zero-width and tag characters) are written out, as `[U+202E]`; joiners stay where writing needs them.
///
/// ```
/// use praxis::protocol::{ContextItem, page_context::render};
///
/// let items = [ContextItem { name: "lesson".into(), value: "正在看第 3 课".into() }];
/// assert_eq!(
///     render(&items),
///     "<page_context untrusted=\"true\">\n<item name=\"lesson\">正在看第 3 课</item>\n</page_context>"
/// );
/// ```
#[must_use]
pub fn render(items: &[ContextItem]) -> String {
    let mut text = String::from("<page_context untrusted=\"true\">\n");
    for item in items {
        text.push_str("<item name=\"");
        text.push_str(&item.name);
        text.push_str("\">");
        push_escaped(&mut text, &item.value);
        text.push_str("</item>\n");
    }
    text.push_str("</page_context>");
    text
}

/// A text of others as people may be shown it, in a question or a log: what they would not see is written out, as
/// `[U+202E]`, and cannot turn the text around.
#[must_use]
pub fn make_visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    push_visible(&mut visible, text, String::push);
    visible
}

fn push_escaped(text: &mut String, value: &str) {
    push_visible(text, value, |text, character| match character {
        '&' => text.push_str("&amp;"),
        '<' => text.push_str("&lt;"),
        '>' => text.push_str("&gt;"),
        other => text.push(other),
    });
}

fn push_visible(text: &mut String, value: &str, push: fn(&mut String, char)) {
    let mut before = Neighbours::default();
    let mut characters = value.chars().peekable();
    while let Some(character) = characters.next() {
        if is_hidden(character) && !before.need_joiner(character, characters.peek().copied()) {
            text.push_str(&format!("[U+{:04X}]", u32::from(character)));
        } else {
            push(text, character);
        }
        before.go_past(character);
    }
}

const NON_JOINER: char = '\u{200C}';
const JOINER: char = '\u{200D}';

/// What Unicode lets software ignore when it shows text, variation selectors apart.
fn is_hidden(character: char) -> bool {
    matches!(
        character,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180E}'
            | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}'
            | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E00FF}' | '\u{E01F0}'..='\u{E0FFF}'
    )
}

/// What stands before a character.
#[derive(Default)]
struct Neighbours {
    last: Option<char>,
    /// The last one that is no variation selector.
    base: Option<char>,
}

impl Neighbours {
    fn go_past(&mut self, character: char) {
        self.last = Some(character);
        if !matches!(character, '\u{FE00}'..='\u{FE0F}') {
            self.base = self.last;
        }
    }

    /// Whether a joiner here does what joiners are for: inside an emoji, or beside a letter of a script that is
    /// written with them. A second one in a row does nothing, and is there to hide something.
    fn need_joiner(&self, joiner: char, next: Option<char>) -> bool {
        if !matches!(joiner, JOINER | NON_JOINER)
            || self.last.is_some_and(is_hidden)
            || next.is_some_and(is_hidden)
        {
            return false;
        }
        let in_emoji = self.base.is_some_and(is_emoji) && next.is_some_and(is_emoji);
        let after_letter = self.last.is_some_and(is_joining);
        let before_letter = next.is_some_and(is_joining);
        match joiner {
            JOINER => in_emoji || after_letter || before_letter,
            _ => after_letter,
        }
    }
}

fn is_emoji(character: char) -> bool {
    matches!(
        character,
        '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{23FF}' | '\u{25A0}'..='\u{27BF}' | '\u{2900}'..='\u{297F}'
            | '\u{2B00}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}'
    )
}

/// Letters and marks of scripts in which joiners decide how a word is written: Arabic and its relatives, Mongolian,
/// and the scripts of South and South-East Asia.
fn is_joining(character: char) -> bool {
    let blocks = matches!(
        character,
        '\u{0600}'..='\u{08FF}' | '\u{0900}'..='\u{0DFF}' | '\u{0F00}'..='\u{109F}' | '\u{1780}'..='\u{18AF}'
            | '\u{1A20}'..='\u{1AAF}' | '\u{1B00}'..='\u{1BFF}' | '\u{A840}'..='\u{A8FF}' | '\u{A930}'..='\u{A9FF}'
            | '\u{AA60}'..='\u{AAFF}' | '\u{ABC0}'..='\u{ABFF}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}'
            | '\u{11000}'..='\u{11FFF}'
    );
    blocks && !is_hidden(character)
}
