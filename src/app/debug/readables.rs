//! The page context, measured against its limits.

use yew::prelude::*;

use super::use_changes::use_changes;
use super::words::Words;
use crate::binding::ContextChange;
use crate::protocol::page_context::{MAX_BYTES, MAX_ENTRIES, snapshot_bytes};

#[derive(PartialEq, Properties)]
pub(super) struct ReadablesProps {
    pub words: &'static Words,
}

/// Lists the readables in the order in which they would go out, and says which would be dropped (K17).
#[component]
pub(super) fn ReadablesTable(ReadablesProps { words }: &ReadablesProps) -> Html {
    let context = use_changes(|change| matches!(change, ContextChange::Readable(_)));
    let readables = context.map(|context| context.readables()).unwrap_or_default();
    let entries = readables.entries();
    let dropped = readables.snapshot().dropped;
    html! {
        <section class="debug-section" aria-labelledby="debug-readables">
            <h3 id="debug-readables">{ words.readables }</h3>
            if entries.is_empty() {
                <p class="debug-empty">{ words.readables_empty }</p>
            } else {
                <div class="debug-limits">
                    <Limit used={entries.len()} most={MAX_ENTRIES} unit={words.entries} />
                    <Limit used={snapshot_bytes(entries)} most={MAX_BYTES} unit={words.bytes} />
                </div>
                <div class="debug-scroll">
                    <table class="debug-readables">
                        <thead>
                            <tr>
                                <th scope="col">{ words.name }</th>
                                <th scope="col">{ words.value }</th>
                                <th scope="col" class="debug-number">{ words.bytes }</th>
                            </tr>
                        </thead>
                        <tbody>
                            for entry in entries {
                                <tr key={entry.name.clone()}>
                                    <th scope="row">
                                        <code>{ &entry.name }</code>
                                        if dropped.contains(&entry.name) {
                                            <span class="debug-problem">{ words.dropped }</span>
                                        }
                                    </th>
                                    <td>{ &entry.value }</td>
                                    <td class="debug-number">{ snapshot_bytes(std::slice::from_ref(entry)) - 2 }</td>
                                </tr>
                            }
                        </tbody>
                    </table>
                </div>
            }
        </section>
    }
}

#[derive(PartialEq, Properties)]
struct LimitProps {
    used: usize,
    most: usize,
    unit: &'static str,
}

/// How much of a limit is used.
#[component]
fn Limit(LimitProps { used, most, unit }: &LimitProps) -> Html {
    html! {
        <label class={classes!("debug-limit", (used > most).then_some("debug-problem"))}>
            <span>{ used }{ " / " }{ most }{ " " }{ unit }</span>
            <meter min="0" max={most.to_string()} high={most.to_string()} value={used.to_string()}></meter>
        </label>
    }
}
