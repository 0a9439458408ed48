//! Which addresses may be links.
//!
//! It must not know Markdown: it judges an address as text, before a browser sees it.

/// What an address of the agent may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link<'a> {
    /// A page elsewhere, or a mail: opened beside this page, which it cannot reach back into.
    External(&'a str),
    /// A path in this application, followed by its own router.
    InApp(&'a str),
}

impl<'a> Link<'a> {
    /// Reads an address. `None` for everything but `http://`, `https://`, `mailto:` and in-app paths: such a link
    /// loses its address and keeps its words.
    #[must_use]
    pub fn from_address(address: &'a str) -> Option<Self> {
        // Browsers drop tabs and line breaks inside an address and read `\` as `/`, so `/\t/host` and `/\host`
        // would lead to another host.
        let misread = |character: char| character.is_control() || character == '\\';
        if address.contains(misread) {
            return None;
        }
        if address.starts_with('/') {
            return (!address.starts_with("//")).then_some(Self::InApp(address));
        }
        ["https://", "http://", "mailto:"]
            .iter()
            .any(|scheme| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
            .then_some(Self::External(address))
    }
}

#[cfg(test)]
mod tests {
    use super::Link;

    #[test]
    fn only_web_mail_and_in_app_addresses_are_links() {
        for address in ["https://example.org/a?b#c", "HTTP://example.org", "mailto:a@example.org"] {
            assert_eq!(Link::from_address(address), Some(Link::External(address)), "{address}");
        }
        for address in ["/", "/lessons/3", "/lessons/3?at=83"] {
            assert_eq!(Link::from_address(address), Some(Link::InApp(address)), "{address}");
        }
        for address in [
            "",
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            " javascript:alert(1)",
            "java\nscript:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "blob:https://example.org/x",
            "file:///etc/passwd",
            "//example.org",
            "/\\example.org",
            "/\t/example.org",
            "\\\\example.org",
            "https:example.org",
            "lessons/3",
            "#top",
            "课程",
        ] {
            assert_eq!(Link::from_address(address), None, "{address:?}");
        }
    }
}
