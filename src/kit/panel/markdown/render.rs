//! From Markdown's events to virtual nodes.

use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use yew::virtual_dom::{Key, VNode, VTag};
use yew::{Html, html};

use super::code_block::code_block;
use super::emphasis::{mark_emphasis, without_marks};
use super::link::Link;
use crate::kit::panel::words::Words;

/// Elements inside one another at most; what lies deeper is shown at this depth. Virtual nodes are built, compared
/// and dropped recursively, and a text of nothing but `>` must not overflow the stack.
const MAX_DEPTH: usize = 32;

/// Above this many bytes a text is shown as it was written: nobody reads it, and it must not hold up the page.
const MAX_BYTES: usize = 256 * 1024;

fn parse(marked: &str) -> Parser<'_> {
    Parser::new_ext(marked, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH)
}

/// Renders `text`.
pub fn render(text: &str, words: &'static Words) -> Html {
    if text.len() > MAX_BYTES {
        return html! { <p class="as-written">{ text.to_owned() }</p> };
    }
    let marked = mark_emphasis(text);
    let mut builder = Builder::new(words);
    for event in parse(&marked) {
        builder.take(event);
    }
    builder.finish()
}

/// What is said in `text`, without the marks: for announcements.
pub fn plain_text(text: &str) -> String {
    let marked = mark_emphasis(text);
    let mut plain = String::new();
    for event in parse(&marked) {
        match event {
            Event::Text(part) | Event::Code(part) | Event::Html(part) | Event::InlineHtml(part) => {
                plain.push_str(&without_marks(&part));
            }
            Event::SoftBreak
            | Event::HardBreak
            | Event::End(
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::Item
                | TagEnd::CodeBlock
                | TagEnd::TableCell
                | TagEnd::TableHead
                | TagEnd::TableRow,
            ) => plain.push('\n'),
            _ => {}
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// An element that is still open, or the place where one would be that is too deep.
enum Open {
    Element(VTag),
    /// Its children go into the element around it.
    Transparent,
    /// Collects the text of a code block.
    Code {
        language: String,
        text: String,
    },
}

struct Builder {
    words: &'static Words,
    open: Vec<Open>,
    /// How many of `open` are elements.
    depth: usize,
    /// Numbers the elements. Yew matches children without keys from the last one back, so that one more block at
    /// the end would rewrite every block before it.
    number: usize,
    top: Vec<VNode>,
    /// Links cannot lie inside links; how many are open.
    links: usize,
    alignments: Vec<Alignment>,
    column: usize,
    in_table_head: bool,
    /// The level of the last heading, and which of ours it became.
    last_heading: Option<(usize, usize)>,
}

impl Builder {
    fn new(words: &'static Words) -> Self {
        Self {
            words,
            open: Vec::new(),
            depth: 0,
            number: 0,
            top: Vec::new(),
            links: 0,
            alignments: Vec::new(),
            column: 0,
            in_table_head: false,
            last_heading: None,
        }
    }

    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(text) => {
                let mut code = VTag::new("code");
                code.add_child(VNode::from(without_marks(&text).into_owned()));
                self.add(code.into());
            }
            // Agents break lines inside table cells with this tag; it is the only one that means anything here.
            Event::InlineHtml(text) if matches!(&*text, "<br>" | "<br/>" | "<br />") => {
                self.add(VTag::new("br").into())
            }
            Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            // A chat is not typeset: where the agent breaks a line, it means it.
            Event::SoftBreak | Event::HardBreak => self.add(VTag::new("br").into()),
            Event::Rule => {
                let mut rule = VTag::new("hr");
                rule.key = Some(self.next_key());
                self.add(rule.into());
            }
            // Not enabled.
            Event::FootnoteReference(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.text(&text)
            }
            Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph => self.push("p"),
            Tag::HtmlBlock => self.push_with_class("p", "as-written"),
            Tag::Heading { level, .. } => {
                let name = self.heading(level);
                self.push(name);
            }
            Tag::BlockQuote(_) => self.push("blockquote"),
            Tag::List(None) => self.push("ul"),
            Tag::List(Some(first)) => {
                let mut list = VTag::new("ol");
                if first != 1 {
                    list.add_attribute("start", first.to_string());
                }
                self.push_element(list);
            }
            Tag::Item => self.push("li"),
            Tag::Emphasis => self.push("em"),
            Tag::Strong => self.push("strong"),
            Tag::Strikethrough => self.push("del"),
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) => {
                        info.split([' ', ',', '{']).next().unwrap_or_default().to_owned()
                    }
                    CodeBlockKind::Indented => String::new(),
                };
                self.open.push(Open::Code { language, text: String::new() });
            }
            Tag::Table(alignments) => {
                self.alignments = alignments;
                let mut table = VTag::new("div");
                table.add_attribute("class", "table");
                // It scrolls sideways, so the keyboard must reach it.
                table.add_attribute("tabindex", "0");
                table.add_attribute("role", "region");
                table.add_attribute("aria-label", self.words.table);
                self.push_element(table);
                self.push("table");
            }
            Tag::TableHead => {
                self.in_table_head = true;
                self.column = 0;
                self.push("thead");
                self.push("tr");
            }
            Tag::TableRow => {
                self.column = 0;
                self.push("tr");
            }
            Tag::TableCell => {
                let mut cell = VTag::new(if self.in_table_head { "th" } else { "td" });
                match self.alignments.get(self.column) {
                    Some(Alignment::Center) => cell.add_attribute("class", "center"),
                    Some(Alignment::Right) => cell.add_attribute("class", "right"),
                    _ => {}
                }
                self.column += 1;
                self.push_element(cell);
            }
            Tag::Link { dest_url, .. } => self.push_link(&dest_url, false),
            Tag::Image { dest_url, .. } => self.push_link(&dest_url, true),
            // Not enabled.
            Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => self.open.push(Open::Transparent),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::TableHead => {
                self.in_table_head = false;
                self.pop();
                self.pop();
                self.push("tbody");
            }
            TagEnd::Table => {
                self.pop();
                self.pop();
                self.pop();
            }
            TagEnd::Link | TagEnd::Image => {
                self.links = self.links.saturating_sub(1);
                self.pop();
            }
            _ => self.pop(),
        }
    }

    /// An image is not loaded: the agent, or who wrote what it read, would learn that it was looked at. What
    /// is shown is its description, as a link to it.
    fn push_link(&mut self, address: &str, is_image: bool) {
        let address = without_marks(address);
        let link = Link::from_address(&address).filter(|_| self.links == 0);
        self.links += 1;
        let mut element = VTag::new(if link.is_some() { "a" } else { "span" });
        match link {
            Some(Link::External(address)) => {
                element.add_attribute("href", address.to_owned());
                element.add_attribute("target", "_blank");
                element.add_attribute("rel", "noopener noreferrer");
            }
            Some(Link::InApp(address)) => element.add_attribute("href", address.to_owned()),
            None => {}
        }
        if is_image {
            element.add_attribute("class", "image");
            element.add_child(VNode::from(self.words.about(self.words.image, "")));
        }
        self.push_element(element);
    }

    fn text(&mut self, text: &str) {
        let text = without_marks(text);
        if let Some(Open::Code { text: code, .. }) = self.open.last_mut() {
            code.push_str(&text);
        } else {
            self.add(VNode::from(text.into_owned()));
        }
    }

    /// The page and the panel have the first two levels. Agents begin at any level; here no level is left out.
    fn heading(&mut self, level: HeadingLevel) -> &'static str {
        const NAMES: [&str; 4] = ["h3", "h4", "h5", "h6"];
        let level = level as usize;
        let at = match self.last_heading {
            None => 0,
            Some((last, at)) if level > last => at + 1,
            Some((last, at)) => at.saturating_sub(last - level),
        };
        let at = at.min(NAMES.len() - 1);
        self.last_heading = Some((level, at));
        NAMES.get(at).copied().unwrap_or("h6")
    }

    fn next_key(&mut self) -> Key {
        self.number += 1;
        Key::from(self.number)
    }

    fn push(&mut self, name: &'static str) {
        self.push_element(VTag::new(name));
    }

    fn push_with_class(&mut self, name: &'static str, class: &'static str) {
        let mut element = VTag::new(name);
        element.add_attribute("class", class);
        self.push_element(element);
    }

    fn push_element(&mut self, mut element: VTag) {
        element.key = Some(self.next_key());
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            self.open.push(Open::Element(element));
        } else {
            self.open.push(Open::Transparent);
        }
    }

    fn pop(&mut self) {
        match self.open.pop() {
            Some(Open::Element(element)) => {
                self.depth -= 1;
                self.add(element.into());
            }
            Some(Open::Code { language, text }) => {
                let (key, words) = (self.next_key(), self.words);
                self.add(code_block(key, language, text, words));
            }
            Some(Open::Transparent) | None => {}
        }
    }

    fn add(&mut self, node: VNode) {
        let around = self.open.iter_mut().rev().find_map(|open| match open {
            Open::Element(element) => Some(element),
            Open::Transparent | Open::Code { .. } => None,
        });
        match around {
            Some(element) => element.add_child(node),
            None => self.top.push(node),
        }
    }

    fn finish(mut self) -> Html {
        while !self.open.is_empty() {
            self.pop();
        }
        self.top.into_iter().collect()
    }
}
