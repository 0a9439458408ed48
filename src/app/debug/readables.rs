//! The page context, measured against its limits.

use yew::prelude::*;

use super::words::Words;
use crate::protocol::page_context::{MAX_BYTES, MAX_ENTRIES, Readables, snapshot_bytes};

/// Lists the readables in the order in which they would go out, and says which would be dropped (K17).
pub(super) fn readables_table(words: &Words, readables: &Readables) -> Html {
    let entries = readables.entries();
    let dropped = readables.snapshot().dropped;
    html! {
        <section class="debug-section" aria-labelledby="debug-readables">
            <h3 id="debug-readables">{ words.readables }</h3>
            if entries.is_empty() {
                <p class="debug-empty">{ words.readables_empty }</p>
            } else {
                <div class="debug-limits">
                    { limit(entries.len(), MAX_ENTRIES, words.entries) }
                    { limit(snapshot_bytes(entries), MAX_BYTES, words.bytes) }
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

/// How much of a limit is used.
fn limit(used: usize, most: usize, unit: &'static str) -> Html {
    let class = if used > most { "debug-limit debug-problem" } else { "debug-limit" };
    let most = most.to_string();
    html! {
        <label {class}>
            <span>{ used }{ " / " }{ &most }{ " " }{ unit }</span>
            <meter min="0" max={most.clone()} high={most} value={used.to_string()}></meter>
        </label>
    }
}
