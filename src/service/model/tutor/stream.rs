//! Cutting an answer into the pieces in which a stream would bring it.

/// `text` in pieces of a word or a character each; nothing that belongs together on screen is cut.
pub(super) fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (place, character) in text.char_indices() {
        if before.is_some_and(|before| may_cut(before, character)) {
            pieces.extend(text.get(start..place));
            start = place;
        }
        before = Some(character);
    }
    pieces.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    pieces
}

fn may_cut(before: char, after: char) -> bool {
    const JOINER: char = '\u{200D}';
    let in_word = |character: char| character.is_alphanumeric() && character < '\u{2E80}';
    let extends = matches!(
        after,
        JOINER | '\u{200C}' | '\u{0300}'..='\u{036F}' | '\u{20D0}'..='\u{20FF}' | '\u{FE00}'..='\u{FE0F}'
            | '\u{1F3FB}'..='\u{1F3FF}' | '\u{E0020}'..='\u{E007F}' | '\u{E0100}'..='\u{E01EF}'
    );
    let flag = |character: char| ('\u{1F1E6}'..='\u{1F1FF}').contains(&character);
    let marks = |character: char| character.is_ascii_punctuation();
    !(extends
        || before == JOINER
        || after.is_whitespace()
        || (in_word(before) && in_word(after))
        || (flag(before) && flag(after))
        // `**` and the like come whole, so that half a mark never shows.
        || (marks(before) && marks(after)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_words_and_characters() {
        assert_eq!(pieces("你看到 1:23 了"), ["你", "看", "到 ", "1", ":", "23 ", "了"]);
        assert_eq!(pieces("You are **here**."), ["You ", "are ", "**", "here", "**."]);
        assert_eq!(pieces("é 👩‍🏫 🇨🇳 1️⃣ 👍🏽"), ["é ", "👩‍🏫 ", "🇨🇳 ", "1️⃣ ", "👍🏽"]);
        assert_eq!(pieces(""), Vec::<&str>::new());
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

        #[test]
        fn no_text_is_lost(text in ".*") {
            proptest::prop_assert_eq!(pieces(&text).concat(), text);
        }
    }
}
