//! The learner's study records as a table: what they have watched, and what they have handed in.

use yew::prelude::*;

use super::course::{standing_class, standing_words};
use crate::app::clock::clock;
use crate::app::components::{failure, progress_bar, way_back};
use crate::app::course::{Course, Lesson};
use crate::app::fetch::Loading;
use crate::app::learner::{Learner, LessonProgress, Review, SAMPLES, Standing, Submission, SubmissionKind};
use crate::app::links::href;
use crate::app::routes::Route;
use crate::app::site::Site;
use crate::app::words::Words;

/// The table, as soon as the course is there: a row for each lesson's video, and for each thing handed in.
pub(super) fn records_table(words: &Words, site: &Site, learner: &Learner) -> Html {
    match &site.course {
        Loading::Ready(course) => table(words, course, learner),
        Loading::Pending => {
            html! { <div class="skeleton skeleton-block" role="status" aria-label={words.loading} /> }
        }
        Loading::Failed(reason) => {
            let retry = way_back(words.retry, site.reload_course.reform(|_| ()));
            failure(words.course_failed, words.course_failed_hint, reason, retry)
        }
    }
}

fn table(words: &Words, course: &Course, learner: &Learner) -> Html {
    let columns = [
        words.column_lesson,
        words.column_kind,
        words.column_state,
        words.column_result,
        words.column_updated,
    ];
    let rows = course.lessons().iter().flat_map(|lesson| {
        let handed_in = SAMPLES.iter().filter(|submission| submission.lesson == lesson.number);
        let handed_in = handed_in.map(|submission| submission_row(words, lesson, submission));
        std::iter::once(video_row(words, lesson, learner)).chain(handed_in)
    });
    html! {
        <div class="table-scroll" role="region" aria-labelledby="records-caption" tabindex="0">
            <table class="table">
                <caption id="records-caption">{ words.records_table }<p class="field-hint">{ words.records_samples }</p></caption>
                <thead><tr>for column in columns { <th scope="col">{ column }</th> }</tr></thead>
                <tbody>{ rows.collect::<Html>() }</tbody>
            </table>
        </div>
    }
}

fn video_row(words: &Words, lesson: &Lesson, learner: &Learner) -> Html {
    let progress = learner.lesson_progress(lesson.number);
    let standing = progress.map_or(Standing::New, LessonProgress::standing);
    let fraction = progress.map_or(0.0, LessonProgress::fraction);
    let watched = progress.map(|entry| [&clock(entry.position), " / ", &clock(entry.duration)].concat());
    let result = html! {
        <div class="table-progress">
            { progress_bar(fraction, words.column_result) }<span>{ (fraction * 100.0).round() as u32 }{ "%" }</span>
            <span class="muted">{ watched }</span>
        </div>
    };
    let state = (standing_class(standing), standing_words(words, standing));
    row(words, lesson, words.kind_video, state, result, progress.map(|entry| entry.studied_at))
}

fn submission_row(words: &Words, lesson: &Lesson, submission: &Submission) -> Html {
    let kind = match submission.kind {
        SubmissionKind::Quiz => words.kind_quiz,
        SubmissionKind::Exercise => words.kind_exercise,
    };
    let state = match submission.review {
        Review::Pending => ("state-pending", words.state_pending),
        Review::Passed => ("state-completed", words.state_passed),
        Review::Returned => ("state-returned", words.state_returned),
    };
    let result = submission.score.map_or_else(|| words.never.to_owned(), |score| score.to_string());
    row(words, lesson, kind, state, result.into(), Some(submission.handed_in_at))
}

fn row(
    words: &Words,
    lesson: &Lesson,
    kind: &'static str,
    (class, state): (&'static str, &'static str),
    result: Html,
    updated: Option<f64>,
) -> Html {
    html! {
        <tr>
            <th scope="row">
                <a href={href(Route::Lesson { number: lesson.number })}>
                    <span class="muted">{ words.language.lesson_number(lesson.number) }</span>{ " " }{ lesson.title.get(words.language) }
                </a>
            </th>
            <td>{ kind }</td>
            <td><span class={classes!("state", class)}>{ state }</span></td>
            <td class="number">{ result }</td>
            <td class="number">{ updated.map_or_else(|| words.never.to_owned(), |at| day(at, words)) }</td>
        </tr>
    }
}

/// A day and a time as the reader's language writes them.
fn day(milliseconds: f64, words: &Words) -> String {
    let date = js_sys::Date::new(&milliseconds.into());
    let options = js_sys::Object::new();
    for (name, value) in [
        ("year", "numeric"),
        ("month", "2-digit"),
        ("day", "2-digit"),
        ("hour", "2-digit"),
        ("minute", "2-digit"),
    ] {
        // Setting a property of a new object cannot fail.
        let _ = js_sys::Reflect::set(&options, &name.into(), &value.into());
    }
    date.to_locale_string(words.language.tag(), &options).into()
}
