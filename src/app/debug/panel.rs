//! The panel as a whole.

use yew::prelude::*;

use super::journal_list::JournalList;
use super::readables::ReadablesTable;
use super::tools::Tools;
use super::use_journal::use_journal;
use super::visibility::{VisibilityAction, use_visibility};
use super::words::Words;
use crate::binding::{AgentStatus, use_praxis_agent};

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
    let (panel, heading) = (use_node_ref(), use_node_ref());
    let visibility = use_visibility(panel.clone(), heading.clone());
    let close = {
        let dispatcher = visibility.dispatcher();
        Callback::from(move |()| dispatcher.dispatch(VisibilityAction::Close))
    };
    let onkeydown = {
        let close = close.clone();
        move |event: KeyboardEvent| {
            if event.key() == "Escape" && !event.is_composing() {
                event.stop_propagation();
                close.emit(());
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
                        <AgentLine {words} />
                        <button
                            type="button"
                            class="debug-button debug-close"
                            aria-label={words.close}
                            onclick={move |_| close.emit(())}
                        >
                            { "×" }
                        </button>
                    </header>
                    <div class="debug-body">
                        <JournalList {words} {journal} />
                        <ReadablesTable {words} />
                        <Tools {words} />
                    </div>
                </aside>
            }
        </div>
    }
}

#[derive(PartialEq, Properties)]
struct AgentLineProps {
    words: &'static Words,
}

/// The agent's session and status (K25).
#[component]
fn AgentLine(AgentLineProps { words }: &AgentLineProps) -> Html {
    let agent = use_praxis_agent();
    let status = match agent.status() {
        AgentStatus::Idle => words.status[0],
        AgentStatus::Running => words.status[1],
        AgentStatus::Error => words.status[2],
    };
    html! {
        <p class="debug-agent">
            { words.session }{ " " }
            <code>{ agent.session_id().map_or(words.no_session, |session| session.as_str()) }</code>
            { " · " }{ status }
        </p>
    }
}
