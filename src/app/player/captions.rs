//! Captions as text: reads WebVTT.
//!
//! The transcript reads the files itself and not the video's text tracks, whose cues are `null` while a track is
//! off (H07). It must not know the page.

use std::rc::Rc;

use crate::app::in_order::in_order;

/// One caption.
#[derive(Clone, Debug, PartialEq)]
pub struct Cue {
    /// Seconds from the start of the video.
    pub start: f64,
    /// Seconds from the start of the video.
    pub end: f64,
    /// What is said, without markup, on one line.
    pub text: Rc<str>,
}

/// Why a text is no captions file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CaptionsError {
    /// The first line is not the format's signature.
    #[error("not a WebVTT file")]
    NotWebVtt,
}

/// Reads a WebVTT file. As the format asks, a block that is no cue is passed over and the rest is kept.
///
/// # Errors
/// [`CaptionsError::NotWebVtt`] when the signature is missing.
pub fn parse(text: &str) -> Result<Vec<Cue>, CaptionsError> {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    let after_signature = text.strip_prefix("WEBVTT").ok_or(CaptionsError::NotWebVtt)?;
    if !after_signature.is_empty() && !after_signature.starts_with([' ', '\t', '\n']) {
        return Err(CaptionsError::NotWebVtt);
    }
    let mut lines = text.lines().skip_while(|line| !line.is_empty());
    let mut cues = Vec::new();
    while let Some(line) = lines.next() {
        let Some((start, end)) = timing(line) else { continue };
        let mut words = String::new();
        for line in lines.by_ref().take_while(|line| !line.is_empty()) {
            if !words.is_empty() {
                words.push(' ');
            }
            push_plain(&mut words, line);
        }
        if !words.trim().is_empty() {
            cues.push(Cue { start, end, text: words.trim().into() });
        }
    }
    Ok(in_order(cues, |cue| cue.start))
}

/// The cue to show as the current one at `position` (seconds): in a gap, the one that was said last.
#[must_use]
pub fn cue_at(cues: &[Cue], position: f64) -> Option<usize> {
    cues.partition_point(|cue| cue.start <= position).checked_sub(1)
}

/// `00:01.000 --> 00:04.000 align:start`.
fn timing(line: &str) -> Option<(f64, f64)> {
    let (start, rest) = line.split_once("-->")?;
    let start = seconds(start.trim())?;
    let end = seconds(rest.split_whitespace().next()?)?;
    (end > start).then_some((start, end))
}

/// `mm:ss.ttt` or `h…:mm:ss.ttt`.
fn seconds(text: &str) -> Option<f64> {
    let (whole, thousandths) = text.split_once('.')?;
    if thousandths.len() != 3 {
        return None;
    }
    let parts: Option<Vec<u32>> =
        whole.split(':').map(|part| digits(part).filter(|_| part.len() >= 2)).collect();
    let (hours, minutes, seconds) = match parts?.as_slice() {
        [minutes, seconds] => (0, *minutes, *seconds),
        [hours, minutes, seconds] => (*hours, *minutes, *seconds),
        _ => return None,
    };
    let fits = minutes < 60 && seconds < 60;
    let whole = f64::from(hours) * 3600.0 + f64::from(minutes * 60 + seconds);
    fits.then_some(whole + f64::from(digits(thousandths)?) / 1000.0)
}

fn digits(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Appends a line without its tags and with its character references read.
fn push_plain(words: &mut String, line: &str) {
    let mut in_tag = false;
    let mut rest = line;
    while let Some(character) = rest.chars().next() {
        let mut taken = character.len_utf8();
        match character {
            '<' => in_tag = true,
            '>' if in_tag => in_tag = false,
            _ if in_tag => {}
            '&' => match REFERENCES.iter().find(|(name, _)| rest.starts_with(name)) {
                Some((name, meaning)) => {
                    words.push_str(meaning);
                    taken = name.len();
                }
                None => words.push('&'),
            },
            other => words.push(other),
        }
        rest = &rest[taken..];
    }
}

const REFERENCES: [(&str, &str); 6] =
    [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", "\u{a0}"), ("&lrm;", ""), ("&rlm;", "")];

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(cues: &[Cue]) -> Vec<&str> {
        cues.iter().map(|cue| &*cue.text).collect()
    }

    #[test]
    fn cues_are_read_without_identifiers_markup_and_settings() {
        let file = "\u{feff}WEBVTT - a title\r\nKind: captions\r\n\r\nNOTE of\r\nthe author\r\n\r\ncue-01\r\n00:00.000 --> 00:02.600 align:start line:0\r\n<v 讲师>大家好，</v>\r\n这是 <b>&lt;video&gt;</b> &amp; 字幕\r\n\r\n1:02:03.450 --> 1:02:04.000\r\nlate\r\n";
        // An hour needs two digits or more.
        let file = file.replace("1:02:0", "01:02:0");
        let cues = parse(&file).expect("a captions file");
        assert_eq!(texts(&cues), ["大家好， 这是 <video> & 字幕", "late"]);
        assert_eq!((cues[0].start, cues[0].end), (0.0, 2.6));
        assert_eq!(cues[1].start, 3723.45);
    }

    #[test]
    fn a_broken_cue_costs_only_itself() {
        let file = "WEBVTT\n\n00:05.000 --> 00:01.000\nbackwards\n\n00:99.000 --> 01:00.000\nno second\n\n00:01,000 --> 00:02.000\ncomma\n\n0x:01.000 --> 00:02.000\nletters\n\n00:03.000 -->\nno end\n\n00:08.000 --> 00:09.000\n\n00:06.000 --> 00:07.000\nkept";
        assert_eq!(texts(&parse(file).expect("a captions file")), ["kept"]);
    }

    #[test]
    fn other_files_are_refused() {
        for file in ["", "<!doctype html>", "WEBVTTX\n\n", "1\n00:00:01,000 --> 00:00:02,000\nsrt"] {
            assert_eq!(parse(file), Err(CaptionsError::NotWebVtt), "{file}");
        }
        assert_eq!(parse("WEBVTT"), Ok(Vec::new()));
    }

    #[test]
    fn a_gap_belongs_to_the_cue_before_it() {
        let cues =
            parse("WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n00:04.000 --> 00:05.000\nb\n").expect("captions");
        let at = |position| cue_at(&cues, position);
        assert_eq!(
            (at(0.5), at(1.0), at(3.0), at(4.0), at(99.0)),
            (None, Some(0), Some(0), Some(1), Some(1))
        );
        assert_eq!(at(f64::NAN), None);
        assert_eq!(cue_at(&[], 3.0), None);
    }
}
