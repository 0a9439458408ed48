//! Thoughts that stand in the answer: where a server does not know its model's way of thinking, the text begins with
//! `<think>…</think>`. They are no part of what is said, and do not go back.

const BEGIN: &str = "<think>";
const END: &str = "</think>";

/// Parts the thoughts at the beginning of a text from the rest of it.
#[derive(Debug, Default)]
pub(super) struct Thinking {
    stage: Stage,
    /// What cannot be told yet.
    held: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Stage {
    /// Nothing but blanks and the beginning of `<think>` has come.
    #[default]
    Before,
    Within,
    /// Only blanks have come since.
    Behind,
    Text,
}

/// What a piece holds.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Parted {
    pub(super) thoughts: String,
    pub(super) text: String,
}

impl Thinking {
    /// The next piece of the text.
    pub(super) fn part(&mut self, piece: &str) -> Parted {
        let mut parted = Parted::default();
        if self.stage == Stage::Text {
            piece.clone_into(&mut parted.text);
            return parted;
        }
        self.held.push_str(piece);
        if self.stage == Stage::Before {
            let begun = self.held.trim_start();
            if let Some(thoughts) = begun.strip_prefix(BEGIN) {
                self.held = thoughts.to_owned();
                self.stage = Stage::Within;
            } else if BEGIN.starts_with(begun) {
                return parted;
            } else {
                self.stage = Stage::Text;
                parted.text = std::mem::take(&mut self.held);
            }
        }
        if self.stage == Stage::Within {
            if let Some((thoughts, text)) = self.held.split_once(END) {
                thoughts.clone_into(&mut parted.thoughts);
                self.held = text.to_owned();
                self.stage = Stage::Behind;
            } else {
                let may_end = |at: &usize| self.held.get(*at..).is_some_and(|rest| END.starts_with(rest));
                let at = (0..self.held.len()).find(may_end).unwrap_or(self.held.len());
                let rest = self.held.split_off(at);
                parted.thoughts = std::mem::replace(&mut self.held, rest);
            }
        }
        if self.stage == Stage::Behind {
            self.held = self.held.trim_start().to_owned();
            if !self.held.is_empty() {
                self.stage = Stage::Text;
                parted.text = std::mem::take(&mut self.held);
            }
        }
        parted
    }

    /// What was held when the text is over. Blanks alone are no text.
    pub(super) fn end(&mut self) -> Parted {
        let held = std::mem::take(&mut self.held);
        match self.stage {
            Stage::Within => Parted { thoughts: held, text: String::new() },
            _ if held.trim().is_empty() => Parted::default(),
            _ => Parted { thoughts: String::new(), text: held },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of a text, whole, cut in two anywhere, and character by character.
    fn parted(text: &str) -> [String; 2] {
        let part = |pieces: &mut dyn Iterator<Item = &str>| {
            let mut thinking = Thinking::default();
            let mut parts = [String::new(), String::new()];
            let mut add = |parted: Parted| {
                parts[0].push_str(&parted.thoughts);
                parts[1].push_str(&parted.text);
            };
            pieces.for_each(|piece| add(thinking.part(piece)));
            add(thinking.end());
            parts
        };
        let whole = part(&mut [text].into_iter());
        for (at, _) in text.char_indices() {
            assert_eq!(part(&mut [&text[..at], &text[at..]].into_iter()), whole, "{text} cut at {at}");
        }
        assert_eq!(part(&mut text.split_inclusive(|_| true)), whole, "{text}");
        whole
    }

    #[test]
    fn thoughts_at_the_beginning_are_no_text_and_nothing_else_is_touched() {
        let cases = [
            ("你好", ["", "你好"]),
            ("<think>嗯</think>\n\n你好", ["嗯", "你好"]),
            (" \n<think>a < b </thin k></think>x</think>", ["a < b </thin k>", "x</think>"]),
            ("<think></think>", ["", ""]),
            ("<think>没完", ["没完", ""]),
            ("<think>没完</thi", ["没完</thi", ""]),
            ("<thi", ["", "<thi"]),
            ("<thinking>x", ["", "<thinking>x"]),
            ("I <think> so </think>", ["", "I <think> so </think>"]),
            ("  x", ["", "  x"]),
            (" \n", ["", ""]),
            ("<think>x</think> ", ["x", ""]),
        ];
        for (text, expected) in cases {
            assert_eq!(parted(text), expected, "{text}");
        }
    }
}
