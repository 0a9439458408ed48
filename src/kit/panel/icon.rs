//! The panel's symbols, drawn on a grid of 24 by 24.

use yew::{Html, html};

/// A symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A new conversation.
    Compose,
    /// The list of conversations.
    History,
    /// Send.
    ArrowUp,
    /// Go to the newest.
    ArrowDown,
    /// Stop.
    Stop,
    /// Close.
    Close,
    /// Delete.
    Trash,
    /// Copy.
    Copy,
    /// It worked.
    Check,
    /// It did not.
    Warning,
    /// Open or close something.
    Chevron,
    /// The agent.
    Spark,
    /// Only to be read.
    Lock,
}

impl Symbol {
    const fn path(self) -> &'static str {
        match self {
            Self::Compose => {
                "M12 5H7a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-5M18.4 3.6a1.9 1.9 0 0 1 2.7 2.7L13 14.4l-3.4.7.7-3.4z"
            }
            Self::History => "M4 6h16M4 12h16M4 18h10",
            Self::ArrowUp => "M12 19V5M6 11l6-6 6 6",
            Self::ArrowDown => "M12 5v14M6 13l6 6 6-6",
            Self::Stop => "M8 8h8v8H8z",
            Self::Close => "M6 6l12 12M18 6L6 18",
            Self::Trash => {
                "M4 7h16M9 7V4.8c0-.4.4-.8.8-.8h4.4c.4 0 .8.4.8.8V7M6.5 7l.8 12c0 .6.5 1 1 1h7.4c.5 0 1-.4 1-1l.8-12M10 11v5M14 11v5"
            }
            Self::Copy => {
                "M9 9h9a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2zM5.5 15A1.5 1.5 0 0 1 4 13.5V6a2 2 0 0 1 2-2h7.5A1.5 1.5 0 0 1 15 5.5"
            }
            Self::Check => "M5 12.5l4.5 4.5L19 7.5",
            Self::Warning => "M12 8v5M12 16.5v.1M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z",
            Self::Chevron => "M9 6l6 6-6 6",
            Self::Spark => {
                "M12 3l1.9 5.6a2.4 2.4 0 0 0 1.5 1.5L21 12l-5.6 1.9a2.4 2.4 0 0 0-1.5 1.5L12 21l-1.9-5.6a2.4 2.4 0 0 0-1.5-1.5L3 12l5.6-1.9a2.4 2.4 0 0 0 1.5-1.5z"
            }
            Self::Lock => "M7 11V8a5 5 0 0 1 10 0v3M6 11h12v9H6z",
        }
    }
}

/// A symbol beside words that say the same: readers of the screen pass it over.
pub fn icon(symbol: Symbol) -> Html {
    let class = if symbol == Symbol::Stop { "icon filled" } else { "icon" };
    html! { <svg {class} viewBox="0 0 24 24" aria-hidden="true"><path d={symbol.path()} /></svg> }
}
