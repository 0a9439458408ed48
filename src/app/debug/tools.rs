//! The registered tools.

use yew::prelude::*;

use super::use_changes::use_changes;
use super::words::Words;
use crate::binding::ContextChange;

#[derive(PartialEq, Properties)]
pub(super) struct ToolsProps {
    pub words: &'static Words,
}

/// Lists the registered tools, and says which name is registered more than once (K9).
#[component]
pub(super) fn Tools(ToolsProps { words }: &ToolsProps) -> Html {
    let context = use_changes(|change| *change == ContextChange::Tools);
    let tools = context.map(|context| context.tools().tools()).unwrap_or_default();
    html! {
        <section class="debug-section" aria-labelledby="debug-tools">
            <h3 id="debug-tools">{ words.tools }<span class="debug-count">{ tools.len() }</span></h3>
            if tools.is_empty() {
                <p class="debug-empty">{ words.tools_empty }</p>
            } else {
                <ul class="debug-tools">
                    for tool in tools {
                        <li key={tool.name.clone()}>
                            <code>{ &tool.name }</code>
                            if tool.registrations > 1 {
                                <span class="debug-problem">{ tool.registrations }{ " " }{ words.registrations }</span>
                            }
                        </li>
                    }
                </ul>
            }
        </section>
    }
}
