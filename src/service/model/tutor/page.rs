//! Reading page context back out of a message, as a chat model would.

use serde_json::Value;

const START: &str = "<page_context untrusted=\"true\">\n";
const END: &str = "</page_context>";

/// The question in a message, and the readables behind it by name. A value that is JSON is read as JSON.
pub(super) fn read(message: &str) -> (&str, Vec<(String, Value)>) {
    // The service puts it at the end; whatever else looks like it was written by the person.
    let Some((question, block)) = message
        .rfind(START)
        .and_then(|start| Some((message.get(..start)?, message.get(start + START.len()..)?)))
    else {
        return (message, Vec::new());
    };
    let Some(items) = block.strip_suffix(END) else { return (message, Vec::new()) };
    let item = |item: &str| {
        let (name, value) = item.strip_suffix("</item>\n")?.split_once("\">")?;
        let text = value.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        Some((name.to_owned(), serde_json::from_str(&text).unwrap_or(Value::String(text))))
    };
    (question.trim_end(), items.split("<item name=\"").filter_map(item).collect())
}
