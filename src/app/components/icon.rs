//! The app's icons, drawn with lines on a 24 × 24 field.

use yew::prelude::*;

/// An icon.
#[allow(missing_docs, reason = "each shows what its name says")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IconName {
    Course,
    Records,
    Profile,
    Settings,
    Assistant,
    Play,
    Check,
    Close,
    Previous,
    Next,
    Sun,
    Moon,
    System,
    Warning,
    Edit,
    Delete,
    Note,
    Keyboard,
    Restart,
    Follow,
}

impl IconName {
    const fn path(self) -> &'static str {
        match self {
            Self::Course => {
                "M3.5 5.5h6a2.5 2.5 0 0 1 2.5 2.5v11a2 2 0 0 0-2-2H3.5zM20.5 5.5h-6A2.5 2.5 0 0 0 12 8v11a2 2 0 0 1 2-2h6.5z"
            }
            Self::Records => "M4.5 19.5v-6h3.5v6zM10.25 19.5v-15h3.5v15zM16 19.5v-10h3.5v10z",
            Self::Profile => {
                "M12 11.5a3.75 3.75 0 1 0 0-7.5 3.75 3.75 0 0 0 0 7.5zM4.5 20c.6-3.4 3.7-5.5 7.5-5.5s6.900 2.100 7.500 5.500"
            }
            Self::Settings => {
                "M4 7h9M18 7h2M4 17h2M11 17h9M15.500 4.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5zM8.500 14.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5z"
            }
            Self::Assistant => {
                "M20 11.500c0 4.100-3.600 7.500-8 7.500-1.100 0-2.200-.2-3.100-.6L4.500 19.500l1-3.900A7.100 7.100 0 0 1 4 11.500C4 7.400 7.600 4 12 4s8 3.400 8 7.500zM12 8.300l.9 2.300 2.300.9-2.300.9-.9 2.300-.9-2.300-2.300-.9 2.300-.9z"
            }
            Self::Play => "M8 5.500v13l10.500-6.500z",
            Self::Check => "M5 12.500l4.500 4.500L19 7.500",
            Self::Close => "M6 6l12 12M18 6L6 18",
            Self::Previous => "M14.500 5.500L8 12l6.500 6.500",
            Self::Next => "M9.500 5.500L16 12l-6.500 6.500",
            Self::Sun => {
                "M12 8.200a3.800 3.800 0 1 0 0 7.600 3.800 3.800 0 0 0 0-7.600zM12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M18.700 5.300l-1.400 1.400M6.700 17.300l-1.400 1.400"
            }
            Self::Moon => "M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z",
            Self::System => "M4 5h16v11H4zM9 20h6M12 16v4",
            Self::Warning => "M12 4l9 15.500H3zM12 10v4.500M12 16.800v.4",
            Self::Edit => {
                "M5 19l1-4L15.800 5.200a1.800 1.800 0 0 1 2.600 0l.4.4a1.800 1.800 0 0 1 0 2.600L9 18z"
            }
            Self::Delete => "M5 7h14M9.500 7V4.500h5V7M7 7l.8 12.500h8.400L17 7M10.500 11v5M13.500 11v5",
            Self::Note => "M5.500 4.500h13v10l-5 5h-8zM18.500 14.500h-5v5M8.500 8.500h7M8.500 12h4.500",
            Self::Keyboard => "M3.500 6.500h17v11h-17zM7 10h.1M10.300 10h.1M13.600 10h.1M17 10h.1M8.500 14h7",
            Self::Restart => "M5 5v4.500h4.500M5.500 9.300A7.300 7.300 0 1 1 4.700 13",
            Self::Follow => "M12 4v13M6.500 11.500L12 17l5.500-5.500M5 20.500h14",
        }
    }
}

/// An icon beside a text that says the same.
pub fn icon(name: IconName) -> Html {
    let class = if name == IconName::Play { "icon icon-solid" } else { "icon" };
    html! {
        <svg {class} viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d={name.path()} /></svg>
    }
}
