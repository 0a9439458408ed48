//! The learner's study records: a table of lessons, and all notes.

use yew::prelude::*;

use super::course::{standing_class, standing_words};
use crate::app::clock::clock;
use crate::app::components::{IconName, PageHeading, empty_state, failure, progress_bar, way_back};
use crate::app::course::{Course, Lesson};
use crate::app::fetch::Loading;
use crate::app::learner::{Learner, LessonProgress, Standing, use_learner};
use crate::app::links::{href, moment_href};
use crate::app::routes::Route;
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
            {
                match &site.course {
                    Loading::Ready(course) => records(words, course, &learner),
                    Loading::Pending => html! { <div class="skeleton skeleton-block" role="status" aria-label={words.loading} /> },
                    Loading::Failed(reason) => failure(words.course_failed, words.course_failed_hint, reason, way_back(words.retry, site.reload_course.reform(|_| ()))),
                }
            }
        </div>
    }
}

fn records(words: &Words, course: &Course, learner: &Learner) -> Html {
    let first = course.lessons().first();
    if learner.progress.is_empty() && learner.notes.is_empty() {
        let way_on = first.map(|lesson| {
            html! { <a class="button button-primary" href={href(Route::Lesson { number: lesson.number })}>{ words.start_course }</a> }
        });
        return empty_state(IconName::Records, words.records_empty, way_on.unwrap_or_default());
    }
    html! { <>
        <div class="table-scroll" role="region" aria-labelledby="records-caption" tabindex="0">
            <table class="table">
                <caption id="records-caption">{ words.records_table }</caption>
                <thead>
                    <tr>
                        for column in [words.column_lesson, words.column_state, words.column_progress, words.column_position, words.column_notes, words.column_studied] {
                            <th scope="col">{ column }</th>
                        }
                    </tr>
                </thead>
                <tbody>
                    for lesson in course.lessons() { { row(words, lesson, learner) } }
                </tbody>
            </table>
        </div>
        { notes(words, course, learner) }
    </> }
}

fn row(words: &Words, lesson: &Lesson, learner: &Learner) -> Html {
    let progress = learner.lesson_progress(lesson.number);
    let standing = progress.map_or(Standing::New, LessonProgress::standing);
    let fraction = progress.map_or(0.0, LessonProgress::fraction);
    html! {
        <tr key={lesson.number}>
            <th scope="row">
                <a href={href(Route::Lesson { number: lesson.number })}>
                    <span class="muted">{ words.language.lesson_number(lesson.number) }</span>{ " " }{ lesson.title.get(words.language) }
                </a>
            </th>
            <td><span class={classes!("state", standing_class(standing))}>{ standing_words(words, standing) }</span></td>
            <td><div class="table-progress">{ progress_bar(fraction, words.column_progress) }<span>{ (fraction * 100.0).round() as u32 }{ "%" }</span></div></td>
            <td class="number">{ progress.map_or_else(|| words.never.to_owned(), |entry| [&clock(entry.position), " / ", &clock(entry.duration)].concat()) }</td>
            <td class="number">{ learner.lesson_notes(lesson.number).count() }</td>
            <td>{ progress.map_or_else(|| words.never.to_owned(), |entry| day(entry.studied_at, words)) }</td>
        </tr>
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

/// A day and a time as the reader's language writes them.
fn day(milliseconds: f64, words: &Words) -> String {
    let date = js_sys::Date::new(&milliseconds.into());
    let options = js_sys::Object::new();
    for (name, value) in [("month", "short"), ("day", "numeric"), ("hour", "2-digit"), ("minute", "2-digit")]
    {
        // Setting a property of a new object cannot fail.
        let _ = js_sys::Reflect::set(&options, &name.into(), &value.into());
    }
    date.to_locale_string(words.language.tag(), &options).into()
}
