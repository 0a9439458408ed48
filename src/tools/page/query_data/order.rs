//! The order in which people expect the texts of a column: numbers and dates by what they say, not letter by letter
//! (G06, G07). Pure.

use super::number::{digits, magnitude, number};
use super::writing::Writing;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Whether a cell says nothing: it is empty, or a dash or `N/A` stands for that.
#[must_use]
pub fn is_empty(text: &str) -> bool {
    let text = text.trim();
    text.chars().all(|character| matches!(character, '-' | '–' | '—' | '―' | '－'))
        || text.eq_ignore_ascii_case("n/a")
}

/// A number for each text, so that ordering the numbers orders the column; `None` for texts that say nothing.
///
/// All are read as numbers if all can be, else as dates or times if all can be, else `collate` ranks them as text.
pub fn sort_keys(
    texts: &[&str],
    writing: Writing,
    collate: impl FnOnce(&[&str]) -> Vec<f64>,
) -> Vec<Option<f64>> {
    let said: Vec<&str> = texts.iter().copied().filter(|text| !is_empty(text)).collect();
    let keys = numbers(&said, writing)
        .or_else(|| said.iter().map(|text| instant(text, writing)).collect())
        .unwrap_or_else(|| collate(&said));
    let mut keys = keys.into_iter();
    texts.iter().map(|text| if is_empty(text) { None } else { keys.next() }).collect()
}

/// The values of numbers that can be compared: of one unit, or plain ones and those of a sign such as `%` or `元`.
///
/// Plain ones are not compared with those of a unit in letters: nobody knows whether `900` is less than `2 lakh`. Zero
/// is the same in all units.
fn numbers(texts: &[&str], writing: Writing) -> Option<Vec<f64>> {
    let mut unit: Option<String> = None;
    let mut plain = false;
    let mut values = Vec::with_capacity(texts.len());
    for text in texts {
        let (value, of) = number(text, writing)?;
        values.push(value);
        if of.is_empty() {
            plain |= value != 0.0;
        } else if unit.get_or_insert_with(|| of.clone()) != &of {
            return None;
        }
    }
    let unit = unit.unwrap_or_default();
    let ends = [unit.as_bytes().first(), unit.as_bytes().last()];
    let in_letters = ends.into_iter().flatten().any(u8::is_ascii_alphabetic);
    (!(plain && in_letters)).then_some(values)
}

/// A date, a time, or both, as seconds on a line that keeps their order.
///
/// `2026-12-01`, `2026/12/1 9:05`, `2026年12月1日`, `1.12.2026`, `12/1/2026`, `Dec 1, 2026`, `2026-12`, `9:05`, `1:02:03`.
#[must_use]
pub fn instant(text: &str, writing: Writing) -> Option<f64> {
    let text = text.trim();
    let Some(colon) = text.find(':') else { return date(text, writing) };
    let before = text.get(..colon)?;
    let start = before.len() - before.chars().rev().take_while(char::is_ascii_digit).count();
    let day = text.get(..start)?.trim_end_matches([' ', 'T', 't', ',', '，', '\u{A0}']);
    let time = time(text.get(start..)?)?;
    if day.is_empty() { Some(time) } else { Some(date(day, writing)? + time) }
}

/// `9:05`, `9:05:30.5`, `9:05 pm`, `09:05Z`, `09:05+08:00`. Two figures are read as minutes and seconds of what
/// three would be hours of.
fn time(text: &str) -> Option<f64> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.'))).unwrap_or(text.len());
    let (clock, rest) = (text.get(..end)?, text.get(end..)?.trim().to_ascii_lowercase());
    let mut parts = Vec::new();
    for part in clock.split(':') {
        parts.push(magnitude(part, Writing::default())?);
    }
    let dated = !rest.is_empty();
    let seconds = match *parts.as_slice() {
        [hours, minutes, seconds] => hours * 3600.0 + minutes * 60.0 + seconds,
        [hours, minutes] if dated => hours * 3600.0 + minutes * 60.0,
        [minutes, seconds] => minutes * 60.0 + seconds,
        _ => return None,
    };
    let noon = if dated { 12.0 * 3600.0 } else { 12.0 * 60.0 };
    match rest.as_str() {
        "" | "z" => Some(seconds),
        "am" if seconds >= noon => Some(seconds - noon),
        "am" => Some(seconds),
        "pm" if seconds < noon => Some(seconds + noon),
        "pm" => Some(seconds),
        zone => {
            let sign = match zone.chars().next()? {
                '+' => -1.0,
                '-' | '−' => 1.0,
                _ => return None,
            };
            let figures: String = zone.chars().filter(char::is_ascii_digit).collect();
            let (hours, minutes) = (figures.get(..2)?, figures.get(2..4).unwrap_or("0"));
            Some(seconds + sign * (digits(hours)? * 3600.0 + digits(minutes)? * 60.0))
        }
    }
}

fn date(text: &str, writing: Writing) -> Option<f64> {
    let mut figures: Vec<&str> = Vec::new();
    let mut month_name = None;
    let marks = |c: char| " -/.,，年月日号\u{A0}".contains(c);
    for part in text.split(marks).filter(|part| !part.is_empty()) {
        if part.bytes().all(|byte| byte.is_ascii_digit()) {
            figures.push(part);
        } else {
            let name = part.get(..3)?.to_ascii_lowercase();
            let month = MONTHS.iter().position(|month| *month == name)?;
            if month_name.replace(month + 1).is_some() {
                return None;
            }
        }
    }
    let is_year = |part: &str| part.len() == 4;
    let values: Vec<f64> = figures.iter().map(|part| digits(part)).collect::<Option<_>>()?;
    let (year, month, day) = match (figures.as_slice(), values.as_slice(), month_name) {
        ([first, _, _], &[year, month, day], None) if is_year(first) => (year, month, day),
        ([_, _, last], &[first, second, year], None) if is_year(last) => {
            let month_first = if writing.month_first { first <= 12.0 } else { second > 12.0 };
            if month_first { (year, first, second) } else { (year, second, first) }
        }
        ([first, _], &[year, month], None) if is_year(first) => (year, month, 1.0),
        ([_, _], &[month, day], None) if text.contains('月') => (0.0, month, day),
        ([_, last], &[day, year], Some(month)) if is_year(last) => (year, month as f64, day),
        ([last], &[year], Some(month)) if is_year(last) => (year, month as f64, 1.0),
        _ => return None,
    };
    let real = (1.0..=12.0).contains(&month) && (1.0..=31.0).contains(&day);
    real.then_some(((year * 12.0 + month) * 31.0 + day) * 86_400.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted<'a>(texts: &[&'a str], writing: Writing) -> Vec<&'a str> {
        let keys = sort_keys(texts, writing, |texts| {
            let mut ordered = texts.to_vec();
            ordered.sort_unstable();
            texts.iter().map(|text| ordered.partition_point(|other| other < text) as f64).collect()
        });
        let mut order: Vec<usize> = (0..texts.len()).filter(|at| keys[*at].is_some()).collect();
        order.sort_by(|a, b| keys[*a].partial_cmp(&keys[*b]).unwrap());
        order.into_iter().map(|at| texts[at]).collect()
    }

    fn english(texts: &[&'static str]) -> Vec<&'static str> {
        sorted(texts, Writing::of_language("en"))
    }

    #[test]
    fn case_g06_numbers_are_ordered_by_their_value() {
        assert_eq!(
            english(&["2", "2 300", "10", "1,000", "-5", "12%", "3.5", "", "-"]),
            ["-5", "2", "3.5", "10", "12%", "1,000", "2 300"]
        );
        assert_eq!(english(&["¥1,200.50", "¥99", "-¥3", "(¥5)"]), ["(¥5)", "-¥3", "¥99", "¥1,200.50"]);
        assert_eq!(english(&["100 分", "9 分", "20分"]), ["9 分", "20分", "100 分"]);
        assert_eq!(english(&["12,34,567", "1,000", ".5", "−1"]), ["−1", ".5", "1,000", "12,34,567"]);
        // What only looks like numbers is text.
        assert_eq!(english(&["1.5 g", "200 mg"]), ["1.5 g", "200 mg"]);
        assert_eq!(english(&["10a1", "9a1"]), ["10a1", "9a1"]);
        assert_eq!(english(&["1,5", "10"]), ["1,5", "10"]);
        assert_eq!(english(&["v2", "v10"]), ["v2", "v10"]);
    }

    #[test]
    fn case_g06_a_hyphen_a_point_and_parentheses_of_an_id_are_no_sign_and_no_decimals() {
        let ids = |texts: &[&'static str]| {
            assert_eq!(english(&texts.iter().rev().copied().collect::<Vec<_>>()), texts)
        };
        ids(&["INV-001", "INV-002", "INV-010"]);
        ids(&["A-1", "A-2", "A-10"]);
        ids(&["No.5", "No.12", "No.100"]);
        ids(&["附件(1)", "附件(2)", "附件(10)"]);
        ids(&["附件（1）", "附件（2）", "附件（10）"]);
        ids(&["USD-1", "USD-2", "USD-10"]);
        ids(&["-$10", "$ -2", "$.5", "$3"]);
        ids(&["US$ -10", "US$-2", "US$.5", "US$3.25"]);
        ids(&["USD -10", "USD 2.50", "USD 10"]);
        ids(&["（10）", "(2)", "－1", "+３"]);
    }

    #[test]
    fn case_g06_multipliers_count_and_what_may_be_one_is_not_compared_with_plain_numbers() {
        let values = |texts: &[&'static str]| {
            assert_eq!(english(&texts.iter().rev().copied().collect::<Vec<_>>()), texts)
        };
        values(&["0", "9000", "1.2万", "3 万", "5百万", "1,200万", "1.5亿", "2万亿"]);
        values(&["800元", "1.5千元", "3万元"]);
        values(&["900", "1.5k", "20K", "2M", "1G", "1T"]);
        values(&["0 B", "900 B", "1,023 KB", "1 MB", "1.5 MiB", "2 GB"]);
        values(&["800 m", "1.5 km"]);
        let as_text = |texts: &[&str]| assert_eq!(numbers(texts, Writing::default()), None, "{texts:?}");
        as_text(&["9000", "5 lakh"]);
        as_text(&["2m", "500k"]);
        as_text(&["1.2B", "900M"]);
        as_text(&["1.2bn", "900mn"]);
        assert!(numbers(&["0", "5 lakh"], Writing::default()).is_some());
    }

    #[test]
    fn case_g06_versions_are_no_numbers_and_full_width_units_are_the_same() {
        for version in ["v1.9", "V1.10", "iOS 17.10", "1.2.3"] {
            assert_eq!(number(version, Writing::default()), None, "{version}");
        }
        assert_eq!(
            english(&["¥1,200", "￥99.5", "¥5", "￥１，０００"]),
            ["¥5", "￥99.5", "￥１，０００", "¥1,200"]
        );
        assert_eq!(english(&["12％", "9%"]), ["9%", "12％"]);
    }

    #[test]
    fn case_g06_the_pages_language_says_what_a_point_is() {
        let german = Writing::of_language("de-AT");
        assert_eq!(sorted(&["1.000", "2", "1,5"], german), ["1,5", "2", "1.000"]);
        assert_eq!(english(&["1.000", "2", "1,500"]), ["1.000", "2", "1,500"]);
        assert_eq!(number("1.000", german), Some((1000.0, String::new())));
        assert_eq!(number("1.000", Writing::of_language("zh-CN")), Some((1.0, String::new())));
    }

    #[test]
    fn case_g07_what_says_nothing_has_no_key() {
        let keys = sort_keys(&["3", "", " ", "-", "—", "--", "N/A", "1"], Writing::default(), |_| vec![]);
        assert_eq!(keys, [Some(3.0), None, None, None, None, None, None, Some(1.0)]);
    }

    #[test]
    fn e4_dates_and_times_are_ordered_by_when_they_are() {
        assert_eq!(
            english(&[
                "2026-12-01",
                "2026/2/3",
                "2025年11月30日",
                "2026-12-01 09:05",
                "Dec 2, 2026",
                "3 January 2027"
            ]),
            ["2025年11月30日", "2026/2/3", "2026-12-01", "2026-12-01 09:05", "Dec 2, 2026", "3 January 2027"]
        );
        assert_eq!(english(&["10:00", "9:59", "1:00:00"]), ["9:59", "10:00", "1:00:00"]);
        assert_eq!(english(&["9:05 pm", "10:00 am", "12:30 am"]), ["12:30 am", "10:00 am", "9:05 pm"]);
        assert_eq!(english(&["12/1/2026", "2/3/2026"]), ["2/3/2026", "12/1/2026"]);
        assert_eq!(
            sorted(&["1/12/2026", "2/3/2026"], Writing::of_language("en-GB")),
            ["2/3/2026", "1/12/2026"]
        );
        assert_eq!(
            sorted(&["1.12.2026", "31.1.2026"], Writing::of_language("de")),
            ["31.1.2026", "1.12.2026"]
        );
        assert_eq!(english(&["2026-12", "2026-02"]), ["2026-02", "2026-12"]);
        assert_eq!(english(&["12月1日", "2月30日"]), ["2月30日", "12月1日"]);
        assert!(
            instant("2026-12-01T09:00:00+08:00", Writing::default())
                < instant("2026-12-01T02:00:00Z", Writing::default())
        );
        for text in ["", ":", "a:b", "2026-13-01", "138-0000-0000", "1.2.3", "课", "::", "0:0:0:0", "éé"] {
            assert_eq!(instant(text, Writing::default()), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn e4_no_text_panics(texts in proptest::collection::vec(".*", 0..4), comma: bool) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let writing = Writing { decimal_comma: comma, month_first: !comma };
            let keys = sort_keys(&texts, writing, |texts| vec![0.0; texts.len()]);
            proptest::prop_assert_eq!(keys.len(), texts.len());
            for text in texts {
                let _ = (number(text, writing), instant(text, writing));
            }
        }
    }
}
