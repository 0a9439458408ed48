//! The learner's notes on a lesson.

use std::rc::Rc;

use web_sys::{HtmlTextAreaElement, KeyboardEvent};
use yew::prelude::*;

use crate::app::clock::{clock, now};
use crate::app::components::{IconName, empty_state, icon};
use crate::app::course::Lesson;
use crate::app::learner::{Change, LONGEST_NOTE, Note, NoteId, use_learner, use_learner_store};
use crate::app::words::{Words, use_words};

/// Properties of [`Notes`].
#[derive(Properties, PartialEq)]
pub struct NotesProps {
    /// The lesson.
    pub lesson: Rc<Lesson>,
    /// Where the video stands, in whole seconds.
    pub position: f64,
    /// Grows each time the learner asks to write.
    pub write: u32,
    /// Go to this second.
    pub onseek: Callback<f64>,
}

/// The notes on a lesson: a field for a new one, and the list.
#[component]
pub fn Notes(props: &NotesProps) -> Html {
    let words = use_words();
    let learner = use_learner();
    let store = use_learner_store();
    let field = use_node_ref();
    // A note belongs to the moment at which its first letter was written.
    let moment = use_state_eq(|| None::<f64>);
    let editing = use_state_eq(|| None::<NoteId>);
    let removed = use_state_eq(|| None::<Note>);

    use_effect_with(props.write, {
        let field = field.clone();
        move |write| {
            if let Some(field) = field.cast::<HtmlTextAreaElement>().filter(|_| *write > 0) {
                let _ = field.focus();
            }
        }
    });
    let oninput = {
        let (set_moment, moment, position) = (moment.setter(), *moment, props.position);
        Callback::from(move |event: InputEvent| {
            let empty = event.target_unchecked_into::<HtmlTextAreaElement>().value().is_empty();
            set_moment.set(if empty { None } else { moment.or(Some(position)) });
        })
    };
    let add = {
        let (store, field, set_moment, lesson) =
            (store.clone(), field.clone(), moment.setter(), props.lesson.number);
        let position = moment.unwrap_or(props.position);
        Callback::from(move |()| {
            let Some(field) = field.cast::<HtmlTextAreaElement>() else { return };
            let text = field.value().trim().to_owned();
            if !text.is_empty() {
                let id = store.get().next_note_id();
                store.apply(Change::Note(Note { id, lesson, position, text, written_at: now() }));
                field.set_value("");
                set_moment.set(None);
            }
            let _ = field.focus();
        })
    };
    let onsubmit = {
        let add = add.clone();
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            add.emit(());
        })
    };
    let onkeydown = on_command_enter(add);
    let restore = removed.as_ref().map(|note| {
        let (store, set_removed, note) = (store.clone(), removed.setter(), note.clone());
        Callback::from(move |_: MouseEvent| {
            store.apply(Change::Note(note.clone()));
            set_removed.set(None);
        })
    });
    let notes: Vec<&Note> = learner.lesson_notes(props.lesson.number).collect();
    html! {
        <div class="notes">
            <form class="note-form" {onsubmit}>
                <label class="visually-hidden" for="new-note">{ words.note_label }</label>
                <textarea id="new-note" ref={field} rows="2" maxlength={LONGEST_NOTE.to_string()} placeholder={words.note_placeholder} {oninput} {onkeydown} />
                <button type="submit" class="button button-primary">{ words.note_add }{ " " }<span class="number">{ clock(moment.unwrap_or(props.position)) }</span></button>
            </form>
            <div class="note-removed" role="status">
                if let Some(restore) = restore {
                    <p>{ words.note_deleted }</p>
                    <button type="button" class="button button-small" onclick={restore}>{ words.undo }</button>
                }
            </div>
            if notes.is_empty() {
                { empty_state(IconName::Note, words.notes_empty, Html::default()) }
            } else {
                <ul class="note-list">
                    for note in notes {
                        <li class="note" key={note.id}>
                            <button type="button" class="moment" aria-label={[words.go_to, " ", &clock(note.position)].concat()} onclick={seek(&props.onseek, note.position)}>{ clock(note.position) }</button>
                            if *editing == Some(note.id) {
                                <NoteEditor note={note.clone()} onend={end_editing(&editing)} />
                            } else {
                                { shown(words, note, &editing, remove(&store, note, &removed)) }
                            }
                        </li>
                    }
                </ul>
            }
        </div>
    }
}

fn shown(
    words: &Words,
    note: &Note,
    editing: &UseStateHandle<Option<NoteId>>,
    onremove: Callback<MouseEvent>,
) -> Html {
    let (id, set_editing) = (note.id, editing.setter());
    let onedit = Callback::from(move |_: MouseEvent| set_editing.set(Some(id)));
    let of_this = |action: &str| [action, ": ", &note.text].concat();
    html! { <>
        <p>{ &note.text }</p>
        <div class="note-actions">
            <button type="button" class="icon-button" title={words.note_edit} aria-label={of_this(words.note_edit)} onclick={onedit}>{ icon(IconName::Edit) }</button>
            <button type="button" class="icon-button" title={words.note_delete} aria-label={of_this(words.note_delete)} onclick={onremove}>{ icon(IconName::Delete) }</button>
        </div>
    </> }
}

fn remove(
    store: &crate::app::learner::LearnerStore,
    note: &Note,
    removed: &UseStateHandle<Option<Note>>,
) -> Callback<MouseEvent> {
    let (store, note, set_removed) = (store.clone(), note.clone(), removed.setter());
    Callback::from(move |_| {
        store.apply(Change::RemoveNote(note.id));
        set_removed.set(Some(note.clone()));
    })
}

fn end_editing(editing: &UseStateHandle<Option<NoteId>>) -> Callback<()> {
    let set_editing = editing.setter();
    Callback::from(move |()| set_editing.set(None))
}

fn seek(onseek: &Callback<f64>, to: f64) -> Callback<MouseEvent> {
    onseek.reform(move |_| to)
}

#[derive(Properties, PartialEq)]
struct NoteEditorProps {
    note: Note,
    onend: Callback<()>,
}

/// A note while it is changed.
#[component]
fn NoteEditor(NoteEditorProps { note, onend }: &NoteEditorProps) -> Html {
    let words = use_words();
    let store = use_learner_store();
    let field = use_node_ref();
    use_effect_with((), {
        let (field, text) = (field.clone(), note.text.clone());
        move |()| {
            if let Some(field) = field.cast::<HtmlTextAreaElement>() {
                field.set_value(&text);
                let _ = field.focus();
            }
        }
    });
    let save = {
        let (field, note, onend) = (field.clone(), note.clone(), onend.clone());
        Callback::from(move |()| {
            let text = field.cast::<HtmlTextAreaElement>().map(|field| field.value().trim().to_owned());
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                store.apply(Change::Note(Note { text, written_at: now(), ..note.clone() }));
            }
            onend.emit(());
        })
    };
    let onsubmit = {
        let save = save.clone();
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            save.emit(());
        })
    };
    let onkeydown = {
        let (on_enter, onend) = (on_command_enter(save), onend.clone());
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" && !event.is_composing() {
                onend.emit(());
            } else {
                on_enter.emit(event);
            }
        })
    };
    html! {
        <form class="note-form" {onsubmit}>
            <textarea ref={field} rows="3" aria-label={words.note_edit} maxlength={LONGEST_NOTE.to_string()} {onkeydown} />
            <div class="note-form-actions">
                <button type="button" class="button button-small" onclick={onend.reform(|_| ())}>{ words.cancel }</button>
                <button type="submit" class="button button-small button-primary">{ words.save }</button>
            </div>
        </form>
    }
}

/// Ctrl+Enter or ⌘+Enter, but not the Enter that confirms an input method's candidate.
fn on_command_enter(act: Callback<()>) -> Callback<KeyboardEvent> {
    Callback::from(move |event: KeyboardEvent| {
        if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) && !event.is_composing() {
            event.prevent_default();
            act.emit(());
        }
    })
}
