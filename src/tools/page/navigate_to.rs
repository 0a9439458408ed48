//! `navigate_to` (E2): moves the app's own router to a page of the app.

use serde_json::{Value, json};

use super::words::{PageWords, fill, shown};
use crate::protocol::json_place::Place;
use crate::tools::ToolResult;
use crate::tools::path::InAppPath;

/// The app's router, as the tool sees it.
pub trait NavigationPort {
    /// Moves to a page as a link would: one entry in the history, one page shown. Resolves when the page is there, so
    /// that the calls after it find its tools (E15), with the path and query that the app shows then: it may have
    /// dropped what it has no use for.
    ///
    /// # Errors
    /// Why there is no such page, for the agent.
    fn navigate(&self, path: InAppPath) -> impl Future<Output = Result<String, String>>;
}

/// Checks a call before the person is asked (E14), and says what they would be asked.
///
/// # Errors
/// When the path leaves the app: the result to answer with.
pub fn confirm_navigate_to(input: &Value, words: &PageWords) -> Result<String, ToolResult> {
    let path = path_of(input).map_err(|error| ToolResult::failed(error, words.not_opened))?;
    Ok(fill(words.will_open, &[&shown(&path.to_string())]))
}

/// Runs a call. The data is `{path}`, the path and query that are open now.
pub async fn navigate_to(input: &Value, router: &impl NavigationPort, words: &PageWords) -> ToolResult {
    let moved = match path_of(input) {
        Ok(path) => router.navigate(path).await,
        Err(error) => Err(error),
    };
    match moved {
        Ok(path) => ToolResult::done(json!({"path": path}), fill(words.opened, &[&shown(&path)])),
        Err(error) => ToolResult::failed(error, words.not_opened),
    }
}

fn path_of(input: &Value) -> Result<InAppPath, String> {
    let input = Place::root("", input);
    let path = input.member("path").text().map_err(|error| error.to_string())?;
    let params = match input.present("params") {
        Some(params) => Some(params.object().map_err(|error| error.to_string())?),
        None => None,
    };
    InAppPath::with_params(path, params).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e2_e14_the_path_is_checked_before_anybody_is_asked() {
        let ask = |input: Value| confirm_navigate_to(&input, &PageWords::EN);
        assert_eq!(
            ask(json!({"path": "/a/:b", "params": {"b": 1, "c": "x"}})).unwrap(),
            "Will open the page /a/1?c=x"
        );
        for input in [
            json!({"path": "//evil.test"}),
            json!({"path": "/a/../b"}),
            json!({}),
            json!({"path": 5}),
            json!({"path": "/:a", "params": {"a": ".."}}),
            json!({"path": "/a", "params": "b"}),
        ] {
            let refused = ask(input.clone()).unwrap_err();
            assert!(!refused.success && refused.error.is_some(), "{input}");
        }
    }
}
