//! The two languages of the app's words.

/// A language that the app speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// 简体中文.
    #[default]
    ZhCn,
    /// English.
    En,
}

impl Language {
    /// Both, in the order in which people see them.
    pub const ALL: [Self; 2] = [Self::ZhCn, Self::En];

    /// The BCP 47 tag: what `lang`, `srclang` and the element's `locale` take.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::ZhCn => "zh-CN",
            Self::En => "en",
        }
    }

    /// The language's name in itself.
    #[must_use]
    pub const fn own_name(self) -> &'static str {
        match self {
            Self::ZhCn => "中文",
            Self::En => "English",
        }
    }

    /// The language that a tag such as `zh-Hant-TW` or `en-GB` asks for, where the app speaks it.
    #[must_use]
    pub fn from_tag(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next().unwrap_or_default();
        if primary.eq_ignore_ascii_case("zh") {
            Some(Self::ZhCn)
        } else if primary.eq_ignore_ascii_case("en") {
            Some(Self::En)
        } else {
            None
        }
    }

    /// The first of the browser's languages that the app speaks, else Chinese.
    #[must_use]
    pub fn of_browser() -> Self {
        let languages = gloo::utils::window().navigator().languages();
        languages.iter().filter_map(|tag| Self::from_tag(&tag.as_string()?)).next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_names_the_language_whatever_its_region_and_case() {
        assert_eq!(Language::from_tag("zh-Hant-TW"), Some(Language::ZhCn));
        assert_eq!(Language::from_tag("EN-gb"), Some(Language::En));
        assert_eq!(Language::from_tag("zhx"), None);
        assert_eq!(Language::from_tag(""), None);
    }
}
