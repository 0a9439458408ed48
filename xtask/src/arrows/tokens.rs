//! Rust's words, braces and path separators, without comments and the insides of texts.

/// A word or a sign, and its line from 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    pub text: &'a str,
    pub line: usize,
}

/// What a file consists of. Of a text, a character or a number nothing is left.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let (length, is_token) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), false)
        } else if rest.starts_with("/*") {
            (block_comment(rest), false)
        } else if let Some(length) = raw_text(rest) {
            (length, false)
        } else if first == '"' {
            (quoted(rest, '"'), false)
        } else if first == '\'' {
            (character_or_lifetime(rest), false)
        } else if is_word(first) {
            (rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()), !first.is_numeric())
        } else if rest.starts_with("::") {
            (2, true)
        } else {
            (first.len_utf8(), !first.is_whitespace())
        };
        let (this, after) = rest.split_at(length);
        if is_token {
            tokens.push(Token { text: this, line });
        }
        line += this.matches('\n').count();
        rest = after;
    }
    tokens
}

/// The length of a comment that may hold others.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// The length of a raw text such as `br#"…"#`.
fn raw_text(text: &str) -> Option<usize> {
    let prefix = ["r", "br", "cr"].into_iter().find(|prefix| text.starts_with(prefix))?;
    let after = &text[prefix.len()..];
    let hashes = after.len() - after.trim_start_matches('#').len();
    let inside = after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(prefix.len() + hashes + 1 + inside.find(&end).map_or(inside.len(), |at| at + end.len()))
}

/// The length of a text up to the quote that ends it.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            letter if letter == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// `'a'` and `'\n'` are characters; `'a` is a lifetime.
fn character_or_lifetime(text: &str) -> usize {
    let mut letters = text.chars().skip(1);
    let first = letters.next();
    if first == Some('\\') || letters.next() == Some('\'') { quoted(text, '\'') } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn words_and_separators_are_tokens_with_their_lines() {
        let found = tokens("use a::b;\n// no\nc");
        assert_eq!(found.last(), Some(&Token { text: "c", line: 3 }));
        assert_eq!(texts("use a::b;"), ["use", "a", "::", "b", ";"]);
    }

    #[test]
    fn what_is_quoted_leaves_nothing() {
        assert!(texts(r##""a\"b" r"c" br#"d"e"# '\'' 'f' '长' 12"##).is_empty());
        assert_eq!(texts("fn f<'a>() r1"), ["fn", "f", "<", "a", ">", "(", ")", "r1"]);
        assert_eq!(texts("/* a /* b */ c */ d"), ["d"]);
    }
}
