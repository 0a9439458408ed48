//! One entry of the conversation.

use std::rc::Rc;

use yew::{Callback, Html, Properties, component, html, use_state_eq};

use super::icon::{Symbol, icon};
use super::markdown::{CopyButton, markdown};
use super::tool_call::{CallState, Opened, ToolCall, tool_call};
use super::words::Words;
use crate::kit::transcript::{Entry, EntryKind, ToolCallStatus};
use crate::protocol::MessageStop;

/// Properties of [`EntryView`].
#[derive(Clone, Properties)]
pub struct EntryViewProps {
    /// The entry.
    pub entry: Rc<Entry>,
    /// Called before the entry changes its height at the person's wish.
    pub on_toggle: Callback<()>,
    /// The panel's words.
    pub words: &'static Words,
}

/// An entry that is the same object is not looked at again, so that only the message that grows is parsed. What
/// `on_toggle` does stays the same as long as the conversation is shown.
impl PartialEq for EntryViewProps {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words && (Rc::ptr_eq(&self.entry, &other.entry) || self.entry == other.entry)
    }
}

/// One entry of the conversation. Its element stays the same element while the entry lives.
#[component]
pub fn EntryView(props: &EntryViewProps) -> Html {
    let EntryViewProps { entry, on_toggle, words } = props;
    let words = *words;
    let opened = use_state_eq(Opened::default);
    match &entry.kind {
        EntryKind::User { text, stored } => html! {
            <article part="message" class={if *stored { "message user" } else { "message user pending" }}
                data-role="user" aria-label={words.you}>
                <div class="bubble">{ &**text }</div>
                <span class="unseen">{ if *stored { "" } else { words.sending } }</span>
            </article>
        },
        EntryKind::Agent { text, streaming, stop } => {
            let stopped = stop.as_ref().map(|stop| match stop {
                MessageStop::Interrupted => words.interrupted,
                MessageStop::Incomplete => words.incomplete,
            });
            html! {
                <article part="message" class={if *streaming { "message agent streaming" } else { "message agent" }}
                    data-role="agent" aria-label={words.agent} aria-busy={streaming.to_string()}>
                    { markdown(text, *streaming, words) }
                    if let Some(stopped) = stopped {
                        <p class="stopped">{ stopped }</p>
                    }
                    if !streaming && !text.is_empty() {
                        <div class="message-actions"><CopyButton text={text.clone()} {words} /></div>
                    }
                </article>
            }
        }
        EntryKind::ToolCall { id, name, input, status, result } => {
            let state = match status {
                ToolCallStatus::Start => CallState::Running,
                ToolCallStatus::End => CallState::Ended,
                ToolCallStatus::Error => CallState::Failed,
            };
            let (id, input, result) = (Some(id.as_str()), Some(&**input), result.as_deref());
            tool_call(&ToolCall { id, name, state, input, result }, &opened, on_toggle, words)
        }
        EntryKind::ServiceTool { name, is_error, result } => {
            let state = match is_error {
                None => CallState::Running,
                Some(false) => CallState::Ended,
                Some(true) => CallState::Failed,
            };
            let call = ToolCall { id: None, name, state, input: None, result: result.as_deref() };
            tool_call(&call, &opened, on_toggle, words)
        }
        EntryKind::Error { message } => html! {
            <div part="error" class="turn-error">
                { icon(Symbol::Warning) }
                <div>
                    <p class="strong">{ words.turn_failed }</p>
                    <p>{ &**message }</p>
                    <p class="hint">{ words.turn_failed_hint }</p>
                </div>
            </div>
        },
    }
}
