//! A tool's handler, whatever closure it was made of.

use std::any::Any;
use std::fmt;
use std::rc::Rc;

use futures_util::future::LocalBoxFuture;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::output::settled;
use super::{HandlerValue, ToolCall, ToolOutput};

/// What a handler gives back, or the text of its error, when it is there.
pub type HandlerOutcome = LocalBoxFuture<'static, Result<HandlerValue, String>>;

/// Runs a tool's calls. Clones run the same closure and are equal.
#[derive(Clone)]
pub struct ToolHandler(Rc<dyn Fn(Value, ToolCall) -> HandlerOutcome>);

impl ToolHandler {
    /// A handler from a closure that takes the call's arguments as any `Deserialize` type and gives back
    /// any [`ToolOutput`]: a `Serialize` value, nothing, a `Result`, or a future of one of these.
    ///
    /// Arguments that do not fit the type are answered with an error that names the path, what was expected
    /// and what came; the closure is not called. Nothing is coerced.
    ///
    /// # Example
    /// ```
    /// use praxis::tools::ToolHandler;
    /// use serde::Deserialize;
    /// use serde_json::Value;
    ///
    /// #[derive(Deserialize)]
    /// struct SeekTo { position_seconds: f64 }
    ///
    /// let plain = ToolHandler::new(|_input: Value, _call| 83.0);
    /// let nothing = ToolHandler::new(|_input: Value, _call| ());
    /// let fallible = ToolHandler::new(|input: SeekTo, _call| {
    ///     if input.position_seconds < 0.0 { Err("a position is not negative") } else { Ok("done") }
    /// });
    /// let later = ToolHandler::new(|input: SeekTo, call| async move {
    ///     if call.signal().aborted() { return Err("stopped".to_owned()) }
    ///     Ok(input.position_seconds)
    /// });
    /// ```
    pub fn new<I, O, Kind, F>(handler: F) -> Self
    where
        I: DeserializeOwned + 'static,
        O: ToolOutput<Kind>,
        F: Fn(I, ToolCall) -> O + 'static,
    {
        Self(Rc::new(move |input, call| match read_input(input) {
            Ok(input) => handler(input, call).into_outcome(),
            Err(problem) => settled(Err(problem)),
        }))
    }

    /// A handler that runs whichever handler `current` gives when a call comes.
    pub fn forwarding(current: impl Fn() -> Self + 'static) -> Self {
        Self(Rc::new(move |input, call| current().call(input, call)))
    }

    /// Runs a call; a plain closure has run when this returns.
    #[must_use = "the result comes with the future"]
    pub fn call(&self, input: Value, call: ToolCall) -> HandlerOutcome {
        (self.0)(input, call)
    }
}

/// Once for each type of input, not for each handler. A [`Value`] is what it is: whoever takes no other type links
/// nothing that reads one.
fn read_input<I: DeserializeOwned + 'static>(input: Value) -> Result<I, String> {
    let mut input = Some(input);
    if let Some(value) = (&mut input as &mut dyn Any).downcast_mut::<Option<I>>() {
        return value.take().ok_or_else(String::new);
    }
    let input = input.unwrap_or_default();
    serde_path_to_error::deserialize(input).map_err(|error| invalid_input(&error))
}

fn invalid_input(error: &serde_path_to_error::Error<serde_json::Error>) -> String {
    let path = error.path().to_string();
    let problem = error.inner().to_string();
    if path == "." {
        ["invalid input: ", &problem].concat()
    } else {
        ["invalid input at ", &path, ": ", &problem].concat()
    }
}

impl PartialEq for ToolHandler {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for ToolHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ToolHandler")
    }
}
