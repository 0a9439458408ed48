//! What happens to an engine.

use std::rc::Rc;

use serde_json::Value;

use crate::tools::{FrontendTool, HandlerValue, ToolResult, Verdict};

/// Tells one call from all others of the same engine; its caller chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallKey(pub u64);

/// What happens to an engine.
#[derive(Debug)]
pub enum Input {
    /// The agent calls a tool.
    Call {
        /// A key that no call before had.
        key: CallKey,
        /// The name by which it was called.
        name: String,
        /// The arguments.
        arguments: Value,
        /// What is registered under the name.
        tool: CalledTool,
    },
    /// The schema was consulted.
    Checked(CallKey, CheckOutcome),
    /// Markup was taken out: the arguments as they are now, and what changed. An error: nothing is known about them.
    Sanitised(CallKey, Result<(Value, Vec<String>), String>),
    /// The tool's own judgement of the arguments.
    Prepared {
        /// The call.
        key: CallKey,
        /// What the call will do in words, or the result to answer with. `None`: the tool does not say.
        judgement: Option<Result<String, ToolResult>>,
        /// The id for a question about the call: one that no other question on the page has.
        question_id: Rc<str>,
    },
    /// Somebody answered a question, maybe one that is not open.
    Decided {
        /// The question's id.
        id: String,
        /// Whether the call may run.
        confirmed: bool,
    },
    /// The handler has settled.
    Finished(CallKey, Result<HandlerValue, String>),
    /// Nobody waits for the call any more (E16). A handler that runs learns of it by its own signal, and its outcome
    /// is the result.
    Aborted(CallKey),
    /// Nothing but that time has passed.
    Time,
}

/// What is registered under the name of a call.
#[derive(Clone, Debug)]
pub enum CalledTool {
    /// Nothing.
    Unknown,
    /// A plain client tool: it runs, and is recorded.
    Plain,
    /// A front-end tool.
    Frontend(Rc<FrontendTool>),
}

/// What came of asking the schema worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckOutcome {
    /// It has judged.
    Verdict(Verdict),
    /// It did not come to an end in time.
    TimedOut,
    /// There is no worker, and why.
    Unavailable(String),
}
