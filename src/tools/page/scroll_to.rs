//! `scroll_to` (E5): an element, or the top of the page.

use serde_json::Value;
use web_sys::{ScrollBehavior, ScrollIntoViewOptions, ScrollLogicalPosition, ScrollToOptions};

use super::dom::{document, is_rendered};
use super::words::PageWords;
use crate::protocol::json_place::{Place, PlaceError};
use crate::tools::ToolResult;

/// Runs a call. Who asked for less motion gets none, whatever the call says.
#[must_use]
pub fn scroll_to(input: &Value, words: &PageWords) -> ToolResult {
    match scroll(input) {
        Ok(true) => ToolResult::done(None, words.scrolled),
        Ok(false) => ToolResult::done(None, words.scrolled_to_top),
        Err(error) => ToolResult::failed(error, words.not_scrolled),
    }
}

/// Whether it went to an element.
fn scroll(input: &Value) -> Result<bool, String> {
    let (selector, smooth) = read_input(input).map_err(|error| error.to_string())?;
    let (Some(window), Some(document)) = (web_sys::window(), document()) else {
        return Err("there is no page".to_owned());
    };
    let less_motion = window.match_media("(prefers-reduced-motion: reduce)").ok().flatten();
    let smooth = smooth && !less_motion.is_some_and(|query| query.matches());
    let behavior = if smooth { ScrollBehavior::Smooth } else { ScrollBehavior::Auto };
    let Some(selector) = selector else {
        let options = ScrollToOptions::new();
        options.set_top(0.0);
        options.set_behavior(behavior);
        window.scroll_to_with_scroll_to_options(&options);
        return Ok(false);
    };
    let found = document.query_selector(selector);
    let found = found.map_err(|_| ["`", selector, "` is no CSS selector"].concat())?;
    let element = found.ok_or_else(|| ["nothing on the page matches `", selector, "`"].concat())?;
    if !is_rendered(&element) {
        return Err(["what matches `", selector, "` is not visible"].concat());
    }
    let options = ScrollIntoViewOptions::new();
    options.set_behavior(behavior);
    options.set_block(ScrollLogicalPosition::Start);
    element.scroll_into_view_with_scroll_into_view_options(&options);
    Ok(true)
}

fn read_input(input: &Value) -> Result<(Option<&str>, bool), PlaceError> {
    let input = Place::root("", input);
    let selector = match input.present("selector") {
        Some(selector) => Some(selector.text()?.trim()).filter(|text| !text.is_empty()),
        None => None,
    };
    let smooth = match input.present("behavior") {
        None => true,
        Some(behavior) => match behavior.text()? {
            "smooth" => true,
            "auto" => false,
            _ => return behavior.error("must be \"smooth\" or \"auto\""),
        },
    };
    Ok((selector, smooth))
}
