//! How languages write numbers and dates (G06). Pure.

/// How the page's language writes numbers and dates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Writing {
    /// `1.000,5` is a thousand and a half, not `1,000.5`.
    pub decimal_comma: bool,
    /// In `1/12/2026` the month comes first.
    pub month_first: bool,
}

/// Languages that write a comma before decimals.
const DECIMAL_COMMA: [&str; 27] = [
    "bg", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hr", "hu", "id", "it", "lt", "lv", "nb", "nl",
    "pl", "pt", "ro", "ru", "sk", "sl", "sv", "tr", "uk", "vi",
];

impl Writing {
    /// That of a language tag such as `de-AT`.
    #[must_use]
    pub fn of_language(tag: &str) -> Self {
        let tag = tag.to_ascii_lowercase();
        let primary = tag.split('-').next().unwrap_or_default();
        Self {
            decimal_comma: DECIMAL_COMMA.contains(&primary),
            month_first: matches!(tag.as_str(), "" | "en" | "en-us"),
        }
    }
}
