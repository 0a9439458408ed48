//! The panel as a whole.

use yew::prelude::*;

use super::journal::Filter;
use super::journal_list::journal_list;
use super::readables::readables_table;
use super::tools::tools_list;
use super::use_changes::use_changes;
use super::use_journal::use_journal;
use super::visibility::use_visibility;
use super::words::Words;
use crate::binding::{AgentState, AgentStatus};
use crate::protocol::SessionId;

/// What a [`DebugPanel`] takes.
#[derive(PartialEq, Properties)]
pub struct DebugPanelProps {
    /// The language of its words: `zh-CN` or `en`.
    pub lang: AttrValue,
}

/// The debug panel. Mount it once, below the provider, where [`is_offered`](super::is_offered) says so.
///
/// It is closed at first, and opens with Ctrl+Shift+D or with `?debug` in the address. It writes down what happens
/// while it is closed, too. It brings its styles, so that pages without it do not load them.
#[component]
pub fn DebugPanel(props: &DebugPanelProps) -> Html {
    let words = Words::of(&props.lang);
    let journal = use_journal();
    let update = use_force_update();
    let filter = use_state_eq(Filter::default);
    let context = use_changes();
    let (panel, heading) = (use_node_ref(), use_node_ref());
    let visibility = use_visibility(panel.clone(), heading.clone());
    let clear = {
        let journal = journal.clone();
        Callback::from(move |_| {
            journal.borrow_mut().clear();
            update.force_update();
        })
    };
    let onkeydown = {
        let visibility = visibility.clone();
        move |event: KeyboardEvent| {
            if event.key() == "Escape" && !event.is_composing() {
                event.stop_propagation();
                visibility.set(false);
            }
        }
    };
    html! {
        <div class="debug" ref={panel}>
            <link rel="stylesheet" href="/debug.css" />
            if visibility.is_open() {
                <aside class="debug-panel" lang={words.lang} aria-labelledby="debug-title" {onkeydown}>
                    <header class="debug-bar">
                        <h2 id="debug-title" tabindex="-1" ref={heading}>{ words.title }</h2>
                        { agent_line(words, &context.agent_state()) }
                        <button
                            type="button"
                            class="debug-button debug-close"
                            aria-label={words.close}
                            onclick={move |_| visibility.set(false)}
                        >
                            { "×" }
                        </button>
                    </header>
                    <div class="debug-body">
                        { journal_list(words, &journal.borrow(), &filter, clear) }
                        { readables_table(words, &context.readables()) }
                        { tools_list(words, &context.tools().tools()) }
                    </div>
                </aside>
            }
        </div>
    }
}

/// The agent's session and status (K25).
fn agent_line(words: &Words, agent: &AgentState) -> Html {
    let status = match agent.status {
        AgentStatus::Idle => words.status[0],
        AgentStatus::Running => words.status[1],
        AgentStatus::Error => words.status[2],
    };
    html! {
        <p class="debug-agent">
            { words.session }{ " " }
            <code>{ agent.session_id.as_ref().map_or(words.no_session, SessionId::as_str) }</code>
            { " · " }{ status }
        </p>
    }
}
