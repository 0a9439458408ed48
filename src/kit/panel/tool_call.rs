//! A call of a tool: a row with its name and how it went, which opens to its arguments and its result.

use serde_json::Value;
use yew::{AttrValue, Callback, Html, Properties, component, html, use_state_eq};

use super::icon::{Icon, Symbol};
use super::words::Words;

/// How a call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallState {
    /// It waits or runs.
    Running,
    /// It ended well.
    Ended,
    /// It did not.
    Failed,
}

impl CallState {
    /// The value of `data-status`.
    #[must_use]
    pub const fn status(self) -> &'static str {
        match self {
            Self::Running => "start",
            Self::Ended => "end",
            Self::Failed => "error",
        }
    }
}

/// Properties of [`ToolCall`].
#[derive(Clone, PartialEq, Properties)]
pub struct ToolCallProps {
    /// The call's id; `None` for a tool that ran in the service.
    #[prop_or_default]
    pub id: Option<AttrValue>,
    /// The tool's name.
    pub name: AttrValue,
    /// How it stands.
    pub state: CallState,
    /// The arguments, as JSON text; `None` when they are not known here.
    #[prop_or_default]
    pub input: Option<AttrValue>,
    /// The result's text, once there is one.
    pub result: Option<AttrValue>,
    /// Called before the row opens or closes.
    pub on_toggle: Callback<()>,
    /// The panel's words.
    pub words: &'static Words,
}

/// A call of a tool.
#[component]
pub fn ToolCall(props: &ToolCallProps) -> Html {
    let ToolCallProps { id, name, state, input, result, on_toggle, words } = props;
    let words = *words;
    let open = use_state_eq(|| false);
    let onclick = {
        let (open, on_toggle) = (open.clone(), on_toggle.clone());
        Callback::from(move |_| {
            on_toggle.emit(());
            open.set(!*open);
        })
    };
    let (symbol, said) = match state {
        CallState::Running => (None, words.call_running),
        CallState::Ended => (Some(Symbol::Check), words.call_ended),
        CallState::Failed => (Some(Symbol::Warning), words.call_failed),
    };
    let part = if id.is_some() { "tool-call" } else { "service-tool" };
    html! {
        <div {part} class="tool" data-id={id} data-name={name} data-status={state.status()}>
            <button type="button" class="tool-row" aria-expanded={open.to_string()} {onclick}>
                <span class="tool-state">
                    if let Some(symbol) = symbol { <Icon {symbol} /> } else { <span class="spinner" /> }
                </span>
                <span class="tool-said">{ said }{ " " }<code>{ name }</code></span>
                <Icon symbol={Symbol::Chevron} />
            </button>
            if *open {
                <div class="tool-detail">
                    if let Some(input) = input {
                        <p class="tool-label">{ words.arguments }</p>
                        <Excerpt text={input} label={words.arguments} {words} />
                    }
                    <p class="tool-label">{ words.result }</p>
                    if let Some(result) = result {
                        <Excerpt text={result} label={words.result} {words} />
                    } else {
                        <p class="tool-nothing">{ words.no_result }</p>
                    }
                </div>
            }
        </div>
    }
}

/// How many characters of a text are shown before the person asks for all of it.
const EXCERPT: usize = 1_500;

/// Above this many bytes JSON is not laid out.
const LAID_OUT_BYTES: usize = 64 * 1024;

#[derive(Clone, PartialEq, Properties)]
struct ExcerptProps {
    text: AttrValue,
    label: &'static str,
    words: &'static Words,
}

/// A text of any length: JSON laid out, and long ones cut until the person asks for all.
#[component]
fn Excerpt(props: &ExcerptProps) -> Html {
    let ExcerptProps { text, label, words } = props;
    let all = use_state_eq(|| false);
    let laid_out = lay_out(text);
    let end = if *all { None } else { laid_out.char_indices().nth(EXCERPT).map(|(end, _)| end) };
    let shown = end.and_then(|end| laid_out.get(..end)).unwrap_or(&laid_out);
    let onclick = {
        let all = all.clone();
        Callback::from(move |_| all.set(true))
    };
    html! {
        <div class="excerpt">
            if text.is_empty() {
                <p class="tool-nothing">{ words.empty_result }</p>
            } else {
                <pre tabindex="0" role="region" aria-label={*label}>{ shown.to_owned() }{ end.map(|_| "…") }</pre>
            }
            if end.is_some() {
                <button type="button" class="quiet" {onclick}>{ words.show_all }</button>
            }
        </div>
    }
}

fn lay_out(text: &str) -> String {
    let parsed = (text.len() <= LAID_OUT_BYTES).then(|| serde_json::from_str::<Value>(text).ok()).flatten();
    match parsed {
        Some(value @ (Value::Object(_) | Value::Array(_))) => {
            serde_json::to_string_pretty(&value).unwrap_or_else(|_| text.to_owned())
        }
        _ => text.to_owned(),
    }
}
