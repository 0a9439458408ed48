//! Seconds as people read them.

/// `1:23`, from an hour on `1:02:03`; `--:--` for what is not known or endless (H01, H04).
#[must_use]
pub fn clock(seconds: f64) -> String {
    let Some(whole) = whole_seconds(seconds) else { return "--:--".to_owned() };
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// The same for `datetime` attributes: `PT83S`.
#[must_use]
pub fn iso_duration(seconds: f64) -> String {
    format!("PT{}S", whole_seconds(seconds).unwrap_or_default())
}

/// The whole seconds, where they are a length of time.
#[must_use]
pub fn whole_seconds(seconds: f64) -> Option<u64> {
    (0.0..=86_400_000.0).contains(&seconds).then_some(seconds as u64)
}

/// Cut to tenths, as an agent is told a position: rounded up it would be a second that no clock on the page shows.
#[must_use]
pub fn tenths(seconds: f64) -> f64 {
    (seconds * 10.0).floor() / 10.0
}

/// Milliseconds since 1970.
#[must_use]
pub fn now() -> f64 {
    js_sys::Date::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_read_as_a_clock() {
        let shown = [0.0, 5.9, 83.0, 600.0, 3723.4].map(clock);
        assert_eq!(shown, ["0:00", "0:05", "1:23", "10:00", "1:02:03"]);
    }

    #[test]
    fn case_h01_case_h04_no_length_is_never_shown_as_a_number() {
        for unknown in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 1e300] {
            assert_eq!(clock(unknown), "--:--", "{unknown}");
            assert_eq!(iso_duration(unknown), "PT0S");
        }
    }
}
