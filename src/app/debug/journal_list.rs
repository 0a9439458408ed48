//! The journal as people read it.

use yew::prelude::*;

use super::journal::{Entry, Filter, Journal, JournalEvent};
use super::words::Words;
use crate::binding::{LogEntry, ToolChange, ToolStatus};

/// Lists what has happened, newest first, so that the newest is in sight wherever the list was scrolled to.
pub(super) fn journal_list(
    words: &Words,
    journal: &Journal,
    filter: &UseStateHandle<Filter>,
    clear: Callback<MouseEvent>,
) -> Html {
    let choose = |choice: Filter| {
        let filter = filter.setter();
        Callback::from(move |_| filter.set(choice))
    };
    html! {
        <section class="debug-section debug-journal" aria-labelledby="debug-journal">
            <div class="debug-bar">
                <h3 id="debug-journal">{ words.journal }</h3>
                <fieldset class="debug-filters">
                    <legend class="visually-hidden">{ words.filter }</legend>
                    for choice in Filter::ALL {
                        <label key={words.of_filter(choice)} class="debug-filter">
                            <input type="radio" name="debug-filter" checked={**filter == choice} onchange={choose(choice)} />
                            <span>{ words.of_filter(choice) }</span>
                        </label>
                    }
                </fieldset>
                <button type="button" class="debug-button" onclick={clear} disabled={journal.is_empty()}>{ words.clear }</button>
            </div>
            if journal.is_empty() {
                <p class="debug-empty">{ words.journal_empty }</p>
            } else {
                <ol class="debug-entries" tabindex="0" aria-labelledby="debug-journal">
                    for entry in journal.shown(**filter) {
                        { entry_item(words, entry) }
                    }
                </ol>
            }
        </section>
    }
}

fn entry_item(words: &Words, entry: &Entry) -> Html {
    let (kind, shown) = match &entry.event {
        JournalEvent::Call(change) => ("tool", call(words, change)),
        JournalEvent::Log(log_entry) => (log_entry.level.as_str(), log(log_entry, entry.data.as_ref())),
    };
    let class = if entry.event.is_problem() { "debug-entry debug-entry-problem" } else { "debug-entry" };
    html! {
        <li key={entry.serial} {class}>
            <time>{ &entry.time }</time>
            <span class={["debug-kind debug-kind-", kind].concat()}>{ kind }</span>
            { shown }
        </li>
    }
}

fn call(words: &Words, change: &ToolChange) -> Html {
    let what = match (change.status, change.is_error) {
        (ToolStatus::Start, _) => words.call_starts,
        (ToolStatus::End, false) => words.call_ends,
        (ToolStatus::End, true) => words.call_fails,
    };
    html! { <div class="debug-what"><code>{ &change.name }</code>{ " " }{ what }{ " " }<small>{ &change.id }</small></div> }
}

fn log(entry: &LogEntry, data: Option<&AttrValue>) -> Html {
    let Some(data) = data else {
        return html! { <div class="debug-what">{ &entry.message }</div> };
    };
    html! {
        <details class="debug-what">
            <summary>{ &entry.message }</summary>
            <pre>{ data }</pre>
        </details>
    }
}
