//! The agent's Markdown as virtual nodes.
//!
//! Never as HTML text: raw HTML is shown as it was written, images are not loaded, and only the addresses that
//! [`link`] allows are links. It must not know messages or conversations.

mod code_block;
mod emphasis;
mod link;
mod render;
mod streaming;

use yew::{AttrValue, Html, Properties, component, html};

use super::words::Words;
pub(super) use code_block::CopyButton;
pub(super) use render::plain_text;

/// Properties of [`Markdown`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct MarkdownProps {
    /// The Markdown.
    pub text: AttrValue,
    /// Whether more of it is coming.
    #[prop_or_default]
    pub streaming: bool,
    /// The panel's words.
    pub words: &'static Words,
}

/// Shows Markdown: CommonMark with tables and strikethrough.
#[component]
pub fn Markdown(props: &MarkdownProps) -> Html {
    markdown(&props.text, props.streaming, props.words)
}

/// The same as virtual nodes, for a component that has its own reasons to render.
pub(super) fn markdown(text: &str, streaming: bool, words: &'static Words) -> Html {
    let content =
        if streaming { render::render(&streaming::settle(text), words) } else { render::render(text, words) };
    html! { <div class="markdown">{ content }</div> }
}
