//! The course: its lessons, and how far the learner has come.

use std::rc::Rc;

use yew::prelude::*;

use crate::app::clock::{clock, iso_duration};
use crate::app::components::{IconName, PageHeading, failure, icon, progress_bar, progress_ring, way_back};
use crate::app::course::{Course, Lesson};
use crate::app::fetch::{Loading, site_url};
use crate::app::language::Language;
use crate::app::learner::{Learner, LessonProgress, Standing, use_learner};
use crate::app::links::href;
use crate::app::routes::Route;
use crate::app::site::use_site;
use crate::app::words::{Words, use_words};

/// The course's page.
#[component]
pub fn CoursePage() -> Html {
    let words = use_words();
    let learner = use_learner();
    let site = use_site();
    html! {
        <div class="page course">
            {
                match &site.course {
                    Loading::Ready(course) => html! { <>
                        { hero(words, course, &learner) }
                        <section class="lessons" aria-labelledby="lessons-heading">
                            <h2 id="lessons-heading">{ words.lessons }</h2>
                            <ol class="lesson-cards">
                                for lesson in course.lessons() {
                                    <li key={lesson.number}>{ lesson_card(words, lesson, learner.lesson_progress(lesson.number)) }</li>
                                }
                            </ol>
                        </section>
                    </> },
                    Loading::Pending => skeleton(words),
                    Loading::Failed(reason) => html! { <>
                        <PageHeading title={words.course_name} />
                        { failure(words.course_failed, words.course_failed_hint, reason, way_back(words.retry, site.reload_course.reform(|_| ()))) }
                    </> },
                }
            }
        </div>
    }
}

/// What the course is, how far the learner has come, and the way on.
fn hero(words: &Words, course: &Course, learner: &Learner) -> Html {
    let lessons = course.lessons();
    let progress = |lesson: &Rc<Lesson>| learner.lesson_progress(lesson.number);
    let completed =
        lessons.iter().filter(|lesson| progress(lesson).is_some_and(|entry| entry.completed)).count();
    let watched: f64 = lessons
        .iter()
        .map(|lesson| progress(lesson).map_or(0.0, LessonProgress::fraction) * lesson.duration_seconds)
        .sum();
    let whole: f64 = lessons.iter().map(|lesson| lesson.duration_seconds).sum();
    let percent = (watched / whole * 100.0).round() as u32;
    let (label, target) = way_on(words, course, learner);
    html! {
        <header class="hero">
            <div class="hero-text">
                <p class="eyebrow">{ words.course_eyebrow }</p>
                <PageHeading title={words.course_name} />
                <p class="lead">{ words.course_tagline }</p>
                if let Some(lesson) = target {
                    <a class="button button-primary button-large" href={href(Route::Lesson { number: lesson.number })}>
                        { icon(IconName::Play) }
                        <span>{ label }<span class="button-detail">{ words.language.lesson_number(lesson.number) }</span></span>
                    </a>
                }
            </div>
            <div class="hero-progress">
                { progress_ring(watched / whole, words.course_progress, html! { <strong>{ percent }<span>{ "%" }</span></strong> }) }
                <dl>
                    <div><dt>{ words.lessons_completed }</dt><dd>{ completed }{ " / " }{ lessons.len() }</dd></div>
                    <div><dt>{ words.whole_length }</dt><dd>{ words.language.minutes(whole) }</dd></div>
                    <div><dt>{ words.notes_count }</dt><dd>{ learner.notes.len() }</dd></div>
                </dl>
            </div>
        </header>
    }
}

/// Where the learner goes on: the lesson watched last, or the next that is not completed.
fn way_on<'a>(
    words: &Words,
    course: &'a Course,
    learner: &Learner,
) -> (&'static str, Option<&'a Rc<Lesson>>) {
    let completed = |number| learner.lesson_progress(number).is_some_and(|entry| entry.completed);
    let open = |lesson: &&Rc<Lesson>| !completed(lesson.number);
    let last = learner.last_watched().and_then(|entry| course.lesson(entry.lesson));
    match last {
        None => (words.start_course, course.lessons().first()),
        Some(last) if !completed(last.number) => (words.continue_course, Some(last)),
        Some(last) => {
            let after = course.lessons().iter().filter(|lesson| lesson.number > last.number).find(open);
            match after.or_else(|| course.lessons().iter().find(open)) {
                Some(lesson) => (words.continue_course, Some(lesson)),
                None => (words.watch_again, course.lessons().first()),
            }
        }
    }
}

fn lesson_card(words: &Words, lesson: &Lesson, progress: Option<&LessonProgress>) -> Html {
    let language: Language = words.language;
    let standing = progress.map_or(Standing::New, LessonProgress::standing);
    let state = standing_words(words, standing);
    html! {
        <a class="lesson-card" href={href(Route::Lesson { number: lesson.number })}>
            <div class="lesson-card-poster">
                <img src={site_url(&lesson.poster)} alt="" width="640" height="360" loading="lazy" decoding="async" />
                <span class="lesson-card-play">{ icon(IconName::Play) }</span>
                <time class="lesson-card-length" datetime={iso_duration(lesson.duration_seconds)}>{ clock(lesson.duration_seconds) }</time>
                if standing != Standing::New {
                    { progress_bar(progress.map_or(0.0, LessonProgress::fraction), words.course_progress) }
                }
            </div>
            <div class="lesson-card-text">
                <p class="lesson-card-top">
                    <span class="eyebrow">{ language.lesson_number(lesson.number) }</span>
                    <span class={classes!("state", standing_class(standing))}>
                        if standing == Standing::Completed { { icon(IconName::Check) } }
                        { state }
                    </span>
                </p>
                <h3>{ lesson.title.get(language) }</h3>
                <p class="lesson-card-summary">{ lesson.summary.get(language) }</p>
            </div>
        </a>
    }
}

/// A standing in words.
pub(super) fn standing_words(words: &Words, standing: Standing) -> &'static str {
    match standing {
        Standing::New => words.lesson_new,
        Standing::Begun => words.lesson_begun,
        Standing::Completed => words.lesson_completed,
    }
}

/// The colours of a standing.
pub(super) fn standing_class(standing: Standing) -> &'static str {
    match standing {
        Standing::New => "state-new",
        Standing::Begun => "state-begun",
        Standing::Completed => "state-completed",
    }
}

/// The page's shape while the course is on its way.
fn skeleton(words: &Words) -> Html {
    html! { <>
        <header class="hero"><div class="hero-text"><PageHeading title={words.course_name} /><p class="lead">{ words.course_tagline }</p></div></header>
        <div class="lesson-cards" role="status" aria-label={words.loading}>
            for _ in 0..3 {
                <div class="lesson-card lesson-card-skeleton"><div class="lesson-card-poster skeleton" /><div class="lesson-card-text"><span class="skeleton skeleton-line" /><span class="skeleton skeleton-line" /></div></div>
            }
        </div>
    </> }
}
