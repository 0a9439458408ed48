//! The registered tools.

use yew::prelude::*;

use super::words::Words;
use crate::tools::RegisteredTool;

/// Lists the registered tools, and says which name is registered more than once (K9).
pub(super) fn tools_list(words: &Words, tools: &[RegisteredTool]) -> Html {
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
