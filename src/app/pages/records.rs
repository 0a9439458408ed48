//! The learner's study records: a table, and all notes.

use yew::prelude::*;

use super::records_table::records_table;
use crate::app::clock::clock;
use crate::app::components::{IconName, PageHeading, empty_state};
use crate::app::course::Course;
use crate::app::fetch::Loading;
use crate::app::learner::{Learner, use_learner};
use crate::app::links::moment_href;
use crate::app::site::use_site;
use crate::app::words::{Words, use_words};

/// The page of study records.
#[component]
pub fn RecordsPage() -> Html {
    let words = use_words();
    let learner = use_learner();
    let site = use_site();
    html! {
        <div class="page">
            <PageHeading title={words.records_title} />
            <p class="lead">{ words.records_intro }</p>
            { records_table(words, &site, &learner) }
            if let Loading::Ready(course) = &site.course { { notes(words, course, &learner) } }
        </div>
    }
}

fn notes(words: &Words, course: &Course, learner: &Learner) -> Html {
    html! {
        <section class="records-notes" aria-labelledby="records-notes-heading">
            <h2 id="records-notes-heading">{ words.notes }</h2>
            if learner.notes.is_empty() {
                { empty_state(IconName::Note, words.notes_empty, Html::default()) }
            } else {
                for lesson in course.lessons().iter().filter(|lesson| learner.lesson_notes(lesson.number).next().is_some()) {
                    <h3 key={lesson.number}><span class="muted">{ words.language.lesson_number(lesson.number) }</span>{ " " }{ lesson.title.get(words.language) }</h3>
                    <ul class="note-list" key={-i64::from(lesson.number)}>
                        for note in learner.lesson_notes(lesson.number) {
                            <li class="note" key={note.id}>
                                <a class="moment" href={moment_href(note.lesson, note.position)} aria-label={[words.go_to, " ", &clock(note.position)].concat()}>{ clock(note.position) }</a>
                                <p>{ &note.text }</p>
                            </li>
                        }
                    </ul>
                }
            }
        </section>
    }
}
