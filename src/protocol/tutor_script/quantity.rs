//! Reading numbers and positions in time out of a sentence, in Chinese and English.
//!
//! Works on folded characters (see [`pattern`](super::pattern)); it must not know patterns or scripts.

/// The number at `start`: digits with an optional fraction, Chinese numerals up to 999, or an English word up
/// to twelve. Says where it ends.
pub(super) fn number(text: &[char], start: usize) -> Option<(f64, usize)> {
    digits(text, start).or_else(|| chinese(text, start)).or_else(|| word(text, start))
}

/// The position in time at `start`, in seconds: `1:23`, `1:02:03`, `83秒`, `1分23秒`, `一分半`, `1m23s`,
/// `1 minute 23 seconds`; a bare number counts seconds. Says where it ends.
pub(super) fn time(text: &[char], start: usize) -> Option<(f64, usize)> {
    clock(text, start).or_else(|| with_units(text, start)).or_else(|| number(text, start))
}

fn digits(text: &[char], start: usize) -> Option<(f64, usize)> {
    let run = |from: usize| text[from.min(text.len())..].iter().take_while(|c| c.is_ascii_digit()).count();
    let mut end = start + run(start);
    if end == start {
        return None;
    }
    if text.get(end) == Some(&'.') && run(end + 1) > 0 {
        end += 1 + run(end + 1);
    }
    let digits = text.get(start..end)?;
    let number =
        digits.iter().filter_map(|c| c.to_digit(10)).fold(0.0, |n, digit| n * 10.0 + f64::from(digit));
    let decimals = digits.iter().position(|c| *c == '.').map_or(0, |point| digits.len() - point - 1);
    Some((number / 10_f64.powi(i32::try_from(decimals).ok()?), end))
}

fn chinese(text: &[char], start: usize) -> Option<(f64, usize)> {
    if text.get(start) == Some(&'半') {
        return Some((0.5, start + 1));
    }
    let (mut total, mut pending, mut end) = (0_u32, None, start);
    while let Some(&character) = text.get(end).filter(|_| end - start < 6) {
        let digit = match character {
            '两' => Some(2),
            '〇' => Some(0),
            other => "零一二三四五六七八九".chars().position(|numeral| numeral == other),
        };
        match (digit, character) {
            (Some(digit), _) => pending = Some(pending.unwrap_or(0) * 10 + u32::try_from(digit).ok()?),
            (None, '十') => total += pending.take().unwrap_or(1) * 10,
            (None, '百') => total += pending.take().unwrap_or(1) * 100,
            _ => break,
        }
        end += 1;
    }
    (end > start).then(|| (f64::from(total + pending.unwrap_or(0)), end))
}

fn word(text: &[char], start: usize) -> Option<(f64, usize)> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    (0_u32..).zip(WORDS).find_map(|(value, word)| Some((f64::from(value), whole_word(text, start, word)?)))
}

/// `h:mm:ss` or `m:ss`.
fn clock(text: &[char], start: usize) -> Option<(f64, usize)> {
    let (mut seconds, mut end) = digits(text, start)?;
    let mut parts = 1;
    while parts < 3 && text.get(end) == Some(&':') {
        let Some((part, after)) = digits(text, end + 1) else { break };
        (seconds, end) = (seconds * 60.0 + part, after);
        parts += 1;
    }
    (parts > 1).then_some((seconds, end))
}

/// Parts of falling units: `1小时2分3秒`, `1m23s`.
fn with_units(text: &[char], start: usize) -> Option<(f64, usize)> {
    const UNITS: [(f64, &[&str]); 3] = [
        (3600.0, &["小时", "hours", "hour", "h"]),
        (60.0, &["分钟", "分", "minutes", "minute", "min", "m"]),
        (1.0, &["秒钟", "秒", "seconds", "second", "sec", "s"]),
    ];
    let (mut seconds, mut end, mut smallest) = (0.0, start, f64::MAX);
    loop {
        let mut at = skip_spaces(text, end);
        if smallest < f64::MAX {
            at = whole_word(text, at, "and").map_or(at, |after| skip_spaces(text, after));
        }
        let Some((count, after)) = number(text, at) else { break };
        let after = skip_spaces(text, after);
        let unit = UNITS.iter().find_map(|(size, names)| {
            let ends = names.iter().find_map(|name| whole_word(text, after, name))?;
            (*size < smallest).then_some((*size, ends))
        });
        let Some((size, after)) = unit else {
            // `1分半`: half of the unit before; `1分23` leaves out the last unit.
            if smallest == 60.0 && (count == 0.5 || text.get(end).is_some_and(char::is_ascii_digit)) {
                seconds += if count == 0.5 { 30.0 } else { count };
                end = after;
            }
            break;
        };
        (seconds, end, smallest) = (seconds + count * size, after, size);
    }
    (smallest < f64::MAX).then_some((seconds, end))
}

fn skip_spaces(text: &[char], start: usize) -> usize {
    start + text.get(start..).unwrap_or_default().iter().take_while(|c| c.is_whitespace()).count()
}

/// Where `word` ends, when it stands at `start` and no Latin letter goes on after it.
fn whole_word(text: &[char], start: usize, word: &str) -> Option<usize> {
    let mut end = start;
    for character in word.chars() {
        (*text.get(end)? == character).then_some(())?;
        end += 1;
    }
    let goes_on = word.is_ascii() && text.get(end).is_some_and(char::is_ascii_alphabetic);
    (!goes_on).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_both_languages() {
        let cases = [
            ("1:23", 83.0, ""),
            ("01:02:03 x", 3723.0, " x"),
            ("83秒吧", 83.0, "吧"),
            ("1分23秒", 83.0, ""),
            ("1分23", 83.0, ""),
            ("一分半", 90.0, ""),
            ("半分钟", 30.0, ""),
            ("两分钟的地方", 120.0, "的地方"),
            ("1m23s", 83.0, ""),
            ("1 minute 23 seconds please", 83.0, " please"),
            ("one minute and ten seconds", 70.0, ""),
            ("2 hours", 7200.0, ""),
            ("83", 83.0, ""),
            ("83.5", 83.5, ""),
            ("5 more", 5.0, " more"),
            ("二十五", 25.0, ""),
            ("1:", 1.0, ":"),
        ];
        for (text, seconds, rest) in cases {
            let characters: Vec<char> = text.chars().collect();
            let (value, end) = time(&characters, 0).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(
                (value, characters[end..].iter().collect::<String>().as_str()),
                (seconds, rest),
                "{text}"
            );
        }
    }

    #[test]
    fn numbers_are_read_in_both_languages() {
        for (text, value) in
            [("2", 2.0), ("第", -1.0), ("二", 2.0), ("十二", 12.0), ("一百二十", 120.0), ("two", 2.0)]
        {
            let characters: Vec<char> = text.chars().collect();
            assert_eq!(number(&characters, 0).map_or(-1.0, |found| found.0), value, "{text}");
        }
    }
}
