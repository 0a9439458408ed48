//! What an engine wants done.

use std::rc::Rc;

use serde_json::Value;

use super::CallKey;
use crate::tools::{Confirmation, FrontendTool};

/// What an engine wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Check arguments against a schema; answer with [`Input::Checked`](super::Input::Checked).
    Check {
        /// The call.
        call: CallKey,
        /// The tool, whose parameters are the schema.
        tool: Rc<FrontendTool>,
        /// The arguments, as JSON text.
        arguments: String,
    },
    /// Take active markup out of arguments; answer with [`Input::Sanitised`](super::Input::Sanitised).
    Sanitise {
        /// The call.
        call: CallKey,
        /// The arguments.
        arguments: Value,
    },
    /// Ask the tool's own closure; answer with [`Input::Prepared`](super::Input::Prepared).
    Prepare {
        /// The call.
        call: CallKey,
        /// The tool.
        tool: Rc<FrontendTool>,
        /// The arguments.
        arguments: Value,
    },
    /// Ask the person; answer with [`Input::Decided`](super::Input::Decided).
    Ask(Confirmation),
    /// A question needs no answer any more: it is over, and counts as refused.
    Withdraw {
        /// The question's id.
        id: Rc<str>,
    },
    /// Run the handler; answer with [`Input::Finished`](super::Input::Finished).
    Run {
        /// The call.
        call: CallKey,
        /// The arguments: for a tool that was asked about, exactly those that were shown.
        arguments: Value,
    },
    /// The call is over and in the log. This is its only answer.
    Answer {
        /// The call.
        call: CallKey,
        /// The text of the result, or of the error.
        outcome: Result<String, String>,
    },
}
