//! A lesson: its video, and what belongs to it.

mod chapters;
mod keeping;
mod notes;
mod parts;
mod shortcuts;
mod tools;
mod transcript;
mod view;

use yew::prelude::*;

use self::view::LessonView;
use crate::app::components::{IconName, PageHeading, failure, icon, way_back};
use crate::app::fetch::Loading;
use crate::app::links::href;
use crate::app::routes::Route;
use crate::app::site::use_site;
use crate::app::words::use_words;

/// Properties of [`LessonPage`].
#[derive(Properties, PartialEq)]
pub struct LessonPageProps {
    /// The lesson's number.
    pub number: u32,
}

/// A lesson's page.
#[component]
pub fn LessonPage(LessonPageProps { number }: &LessonPageProps) -> Html {
    let words = use_words();
    let site = use_site();
    match &site.course {
        Loading::Ready(course) => match course.lesson(*number) {
            // A lesson of its own key: no state and no late event of one lesson reaches another (H06).
            Some(lesson) => {
                html! { <LessonView key={*number} lesson={lesson.clone()} course={course.clone()} /> }
            }
            None => html! {
                <div class="page page-message">
                    <span class="empty-state-icon">{ icon(IconName::Warning) }</span>
                    <PageHeading title={words.no_such_lesson} />
                    <p class="lead">{ words.no_such_lesson_hint }</p>
                    <a class="button button-primary" href={href(Route::Course)}>{ words.back_to_course }</a>
                </div>
            },
        },
        Loading::Pending => html! {
            <div class="page lesson" role="status" aria-label={words.loading}>
                <div class="lesson-stage"><div class="lesson-frame skeleton" /></div>
                <div class="skeleton skeleton-line" />
            </div>
        },
        Loading::Failed(reason) => html! {
            <div class="page page-message">
                <PageHeading title={words.language.lesson_number(*number)} />
                { failure(words.course_failed, words.course_failed_hint, reason, way_back(words.retry, site.reload_course.reform(|_| ()))) }
            </div>
        },
    }
}
