//! A call of a tool: a row with its name and how it went, which opens to its arguments and its result.

use std::rc::Rc;

use js_sys::JSON;
use wasm_bindgen::JsValue;
use yew::{Callback, Html, UseStateHandle, html};

use super::icon::{Symbol, icon};
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

/// A call of a tool.
pub struct ToolCall<'a> {
    /// The call's id; `None` for a tool that ran in the service.
    pub id: Option<&'a str>,
    /// The tool's name.
    pub name: &'a Rc<str>,
    /// How it stands.
    pub state: CallState,
    /// The arguments, as JSON text; `None` when they are not known here.
    pub input: Option<&'a str>,
    /// The result's text, once there is one.
    pub result: Option<&'a str>,
}

/// How far the person has opened a call.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Opened {
    detail: bool,
    /// All of a long text is shown: of the arguments, and of the result.
    all: [bool; 2],
}

/// Shows a call. `on_toggle` is called before the row opens or closes.
pub fn tool_call(
    call: &ToolCall<'_>,
    opened: &UseStateHandle<Opened>,
    on_toggle: &Callback<()>,
    words: &Words,
) -> Html {
    let Opened { detail, all } = **opened;
    let onclick = {
        let (opened, on_toggle) = (opened.setter(), on_toggle.clone());
        Callback::from(move |_| {
            on_toggle.emit(());
            opened.set(Opened { detail: !detail, ..Opened::default() });
        })
    };
    let (symbol, said) = match call.state {
        CallState::Running => (html! { <span class="spinner" /> }, words.call_running),
        CallState::Ended => (icon(Symbol::Check), words.call_ended),
        CallState::Failed => (icon(Symbol::Warning), words.call_failed),
    };
    let text = |label: &'static str, text: Option<&str>, at: usize| {
        let show_all = {
            let opened = opened.setter();
            move || {
                let mut all = all;
                all.iter_mut().skip(at).take(1).for_each(|all| *all = true);
                opened.set(Opened { detail, all });
            }
        };
        let shown = match text {
            Some(text) => excerpt(text, label, all.get(at) == Some(&true), show_all, words),
            None => html! { <p class="tool-nothing">{ words.no_result }</p> },
        };
        html! { <><p class="tool-label">{ label }</p>{ shown }</> }
    };
    let part = if call.id.is_some() { "tool-call" } else { "service-tool" };
    html! {
        <div {part} class="tool" data-id={call.id.map(str::to_owned)} data-name={call.name.clone()}
            data-status={call.state.status()}>
            <button type="button" class="tool-row" aria-expanded={detail.to_string()} {onclick}>
                <span class="tool-state">{ symbol }</span>
                <span class="tool-said">{ said }{ " " }<code>{ &**call.name }</code></span>
                { icon(Symbol::Chevron) }
            </button>
            if detail {
                <div class="tool-detail">
                    if call.input.is_some() {
                        { text(words.arguments, call.input, 0) }
                    }
                    { text(words.result, call.result, 1) }
                </div>
            }
        </div>
    }
}

/// How many characters of a text are shown before the person asks for all of it.
const EXCERPT: usize = 1_500;

/// Above this many bytes JSON is not laid out.
const LAID_OUT_BYTES: usize = 64 * 1024;

/// A text of any length: JSON laid out, and long ones cut until the person asks for all.
fn excerpt(text: &str, label: &'static str, all: bool, show_all: impl Fn() + 'static, words: &Words) -> Html {
    let laid_out = lay_out(text);
    let end = if all { None } else { laid_out.char_indices().nth(EXCERPT).map(|(end, _)| end) };
    let shown = end.and_then(|end| laid_out.get(..end)).unwrap_or(&laid_out);
    html! {
        <div class="excerpt">
            if text.is_empty() {
                <p class="tool-nothing">{ words.empty_result }</p>
            } else {
                <pre tabindex="0" role="region" aria-label={label}>{ shown.to_owned() }{ end.map(|_| "…") }</pre>
            }
            if end.is_some() {
                <button type="button" class="quiet" onclick={move |_| show_all()}>{ words.show_all }</button>
            }
        </div>
    }
}

fn lay_out(text: &str) -> String {
    let holds_parts = text.len() <= LAID_OUT_BYTES && text.trim_start().starts_with(['{', '[']);
    let parsed = holds_parts.then(|| JSON::parse(text).ok()).flatten();
    let laid_out = parsed.and_then(|value| {
        JSON::stringify_with_replacer_and_space(&value, &JsValue::NULL, &JsValue::from(2)).ok()
    });
    laid_out.and_then(|text| text.as_string()).unwrap_or_else(|| text.to_owned())
}
