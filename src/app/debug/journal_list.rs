//! The journal as people read it.

use std::rc::Rc;

use yew::prelude::*;

use super::journal::{Entry, Filter, Journal, JournalAction, JournalEvent};
use super::words::Words;
use crate::binding::{LogEntry, ToolChange, ToolStatus};

#[derive(PartialEq, Properties)]
pub(super) struct JournalListProps {
    pub words: &'static Words,
    pub journal: UseReducerHandle<Journal>,
}

/// Lists what has happened, newest first, so that the newest is in sight wherever the list was scrolled to.
#[component]
pub(super) fn JournalList(JournalListProps { words, journal }: &JournalListProps) -> Html {
    let filter = use_state(Filter::default);
    let clear = {
        let dispatcher = journal.dispatcher();
        move |_| dispatcher.dispatch(JournalAction::Clear)
    };
    html! {
        <section class="debug-section debug-journal" aria-labelledby="debug-journal">
            <div class="debug-bar">
                <h3 id="debug-journal">{ words.journal }</h3>
                <fieldset class="debug-filters">
                    <legend class="visually-hidden">{ words.filter }</legend>
                    for choice in Filter::ALL {
                        <FilterChoice key={words.of_filter(choice)} {words} {choice} chosen={filter.clone()} />
                    }
                </fieldset>
                <button type="button" class="debug-button" onclick={clear} disabled={journal.is_empty()}>{ words.clear }</button>
            </div>
            if journal.is_empty() {
                <p class="debug-empty">{ words.journal_empty }</p>
            } else {
                <ol class="debug-entries" tabindex="0" aria-labelledby="debug-journal">
                    for entry in journal.shown(*filter) {
                        <EntryItem key={entry.serial} {words} entry={entry.clone()} />
                    }
                </ol>
            }
        </section>
    }
}

#[derive(PartialEq, Properties)]
struct FilterChoiceProps {
    words: &'static Words,
    choice: Filter,
    chosen: UseStateHandle<Filter>,
}

#[component]
fn FilterChoice(FilterChoiceProps { words, choice, chosen }: &FilterChoiceProps) -> Html {
    let onchange = {
        let (set_filter, choice) = (chosen.setter(), *choice);
        move |_| set_filter.set(choice)
    };
    html! {
        <label class="debug-filter">
            <input type="radio" name="debug-filter" checked={**chosen == *choice} {onchange} />
            <span>{ words.of_filter(*choice) }</span>
        </label>
    }
}

#[derive(PartialEq, Properties)]
struct EntryItemProps {
    words: &'static Words,
    entry: Rc<Entry>,
}

#[component]
fn EntryItem(EntryItemProps { words, entry }: &EntryItemProps) -> Html {
    let (kind, shown) = match &entry.event {
        JournalEvent::Call(change) => ("tool", call(words, change)),
        JournalEvent::Log(entry) => (entry.level.as_str(), log(entry)),
    };
    html! {
        <li class={classes!("debug-entry", entry.event.is_problem().then_some("debug-entry-problem"))}>
            <time>{ &entry.time }</time>
            <span class={classes!("debug-kind", ["debug-kind-", kind].concat())}>{ kind }</span>
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

fn log(entry: &LogEntry) -> Html {
    let Some(data) = &entry.data else {
        return html! { <div class="debug-what">{ &entry.message }</div> };
    };
    // Printing a JSON value does not fail.
    let data = serde_json::to_string_pretty(data).unwrap_or_default();
    html! {
        <details class="debug-what">
            <summary>{ &entry.message }</summary>
            <pre>{ data }</pre>
        </details>
    }
}
