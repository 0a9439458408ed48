//! Numbers as tables write them: figures with a sign, a multiplier and a unit around them (G06). Pure.

use super::writing::Writing;

/// What money is called in front of figures, beside signs such as `¥`.
const MONEY: [&str; 12] = ["cny", "rmb", "usd", "eur", "gbp", "jpy", "hkd", "inr", "chf", "kr", "rs", "rs."];
/// Units in which `k` and `M` are thousand and million.
const MEASURES: [&str; 11] = ["", "+", "b", "b/s", "bps", "g", "m", "w", "wh", "hz", "元"];

/// A number and its unit, which is whatever stands around it: `¥1,234.50` is 1234.5 in `¥`.
///
/// - A sign counts, and so does a point before all figures, where nothing but money's name stands before it:
///   `INV-001` is 1 in `inv-`, `No.5` is 5 in `no.`. Parentheses are a minus where they are around the whole.
/// - 百, 千, 万, 亿 and 兆 multiply, and so do `k`, `M`, `G` and `T` alone or before a measure such as `g`, `Hz` and `B`,
///   which is a byte: `1.2万元` is 12000 in `元`, `1.5k` is 1500, `2 km` is 2000 in `m`, `2 KB` is 2048 in `b`. Others
///   (`m` for million, `bn`, `lakh`) are units.
/// - Letters before figures with a point are a version, such as `v1.10`, and no number.
/// - Full-width forms are the same as others: `￥` is `¥`.
#[must_use]
pub fn number(text: &str, writing: Writing) -> Option<(f64, String)> {
    let narrowed: String;
    let mut text = text.trim();
    if !text.is_ascii() {
        narrowed = text.chars().map(narrow).collect();
        text = &narrowed;
    }
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let mut negative = inner.is_some();
    let text = inner.unwrap_or(text);
    let digit = text.bytes().position(|byte| byte.is_ascii_digit())?;
    let last = text.bytes().rposition(|byte| byte.is_ascii_digit())? + 1;
    let (mut before, figures, after) = (text.get(..digit)?, text.get(digit..last)?, text.get(last..)?);
    let mut money = "";
    if let Some(sign) = before.bytes().position(|byte| matches!(byte, b'-' | b'+'))
        && let (Some(name), Some(rest)) = (before.get(..sign), before.get(sign + 1..))
        && is_money(name)
        // `USD -5`, but not `RS-001`.
        && !name.as_bytes().last().is_some_and(u8::is_ascii_alphabetic)
    {
        negative |= before.as_bytes().get(sign) == Some(&b'-');
        (money, before) = (name, rest);
    }
    let point = if writing.decimal_comma { ',' } else { '.' };
    let below_one = before.strip_suffix(point).filter(|before| is_money(before));
    before = below_one.unwrap_or(before);
    if figures.contains('.') && has_letters(before) && !is_money(before) {
        return None;
    }
    let value = if below_one.is_some() { fraction(figures)? } else { magnitude(figures, writing)? };
    let (times, rest) = multiplier(after);
    let value = value * times;
    let unit = [money, before, rest].concat();
    let unit: String = unit.chars().filter(|c| !c.is_whitespace()).collect();
    Some((if negative { -value } else { value }, unit.to_lowercase()))
}

fn has_letters(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// The usual form of a full-width one and of a minus.
fn narrow(wide: char) -> char {
    match wide {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(wide) - 0xFEE0).unwrap_or(wide),
        '−' => '-',
        '￠' => '¢',
        '￡' => '£',
        '￥' => '¥',
        '￦' => '₩',
        _ => wide,
    }
}

/// Whether a text is nothing, or ends as money is written.
fn is_money(text: &str) -> bool {
    let text = text.trim();
    match text.chars().next_back() {
        None | Some('$' | '¢'..='¥' | '฿' | '\u{20A0}'..='\u{20CF}') => true,
        _ => is_any_of(text, &MONEY),
    }
}

fn is_any_of(text: &str, names: &[&str]) -> bool {
    names.iter().any(|name| text.eq_ignore_ascii_case(name))
}

/// By how much the text after figures multiplies them, and what is left of it.
fn multiplier(after: &str) -> (f64, &str) {
    let mut rest = after.trim();
    let mut times = 1.0;
    loop {
        let mut characters = rest.chars();
        times *= match characters.next() {
            Some('百') => 1e2,
            Some('千') => 1e3,
            Some('万' | '萬' | '만') => 1e4,
            Some('亿' | '億' | '억') => 1e8,
            Some('兆' | '조') => 1e12,
            _ => break,
        };
        rest = characters.as_str();
    }
    let power = match rest.chars().next() {
        Some('k' | 'K') => 1,
        Some('M') => 2,
        Some('G') => 3,
        Some('T') => 4,
        _ => return (times, rest),
    };
    let measure = rest.get(1..).unwrap_or_default().trim_start();
    // `KiB` is what most mean by `KB`.
    let measure = measure.strip_prefix('i').unwrap_or(measure);
    if !is_any_of(measure, &MEASURES) {
        return (times, rest);
    }
    let base = if is_any_of(measure, &["b", "b/s"]) { 1024.0 } else { 1000.0 };
    ((0..power).fold(times, |times, _| times * base), measure)
}

/// The value of figures with no more than marks of groups and of decimals in them.
pub(super) fn magnitude(figures: &str, writing: Writing) -> Option<f64> {
    let point = if writing.decimal_comma { ',' } else { '.' };
    let (whole, decimals) = match figures.split_once(point) {
        Some((whole, decimals)) => (whole, fraction(decimals)?),
        None => (figures, 0.0),
    };
    let group = whole.chars().find(|c| !c.is_ascii_digit());
    let groups: Vec<&str> = match group {
        None => vec![whole],
        Some(mark) if is_group_mark(mark, writing) => whole.split(mark).collect(),
        Some(_) => return None,
    };
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    let grouped = match lengths.as_slice() {
        [_] => true,
        [first, between @ .., last] => {
            (1..=3).contains(first) && between.iter().all(|length| matches!(length, 2 | 3)) && *last == 3
        }
        [] => false,
    };
    let value = grouped.then(|| digits(&groups.concat())).flatten()?;
    Some(value + decimals)
}

fn is_group_mark(mark: char, writing: Writing) -> bool {
    let stop = if writing.decimal_comma { '.' } else { ',' };
    mark == stop || mark.is_whitespace() || matches!(mark, '\'' | '’')
}

/// The value of digits alone.
pub(super) fn digits(text: &str) -> Option<f64> {
    let value = |sum: f64, c: char| Some(sum * 10.0 + f64::from(c.to_digit(10)?));
    text.chars().try_fold(0.0, value).filter(|_| !text.is_empty())
}

fn fraction(text: &str) -> Option<f64> {
    let scale = text.chars().fold(1.0, |scale, _| scale * 10.0);
    Some(digits(text)? / scale)
}
