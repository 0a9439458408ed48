//! What the agent knows and can do on every page of the app.

use std::rc::Rc;

use serde::Serialize;
use serde_json::Value;
use yew::prelude::*;
use yew_router::prelude::*;

use super::declarations::declared;
use super::refusal::Refusal;
use crate::app::clock::tenths;
use crate::app::course::{Course, Lesson};
use crate::app::fetch::Loading;
use crate::app::language::Language;
use crate::app::learner::{LessonProgress, Standing, use_learner_store};
use crate::app::links::{navigate, page_shown};
use crate::app::routes::Route;
use crate::app::site::use_site;
use crate::app::words::use_words;
use crate::binding::{use_frontend_tool, use_praxis_readable, use_praxis_tool};
use crate::protocol::json_place::Place;
use crate::protocol::json_text::number_text;
use crate::tools::{Category, RiskLevel};

/// The page context `page`.
#[derive(PartialEq, Serialize)]
struct PageContext {
    route: String,
    title: String,
    /// The language of what the person sees.
    language: &'static str,
}

/// A lesson, as the agent is told it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LessonEntry {
    number: u32,
    title: Rc<str>,
    duration_seconds: f64,
    state: &'static str,
    progress: f64,
    notes: usize,
}

/// Registers the tools and the page context of the whole app. It shows nothing, but has an element of its own
/// (yewstack/yew#4092).
#[component]
pub fn AppTools() -> Html {
    let words = use_words();
    let language = words.language;
    let store = use_learner_store();
    let navigator = use_navigator();
    let route = use_route::<Route>().unwrap_or(Route::NotFound);
    let course = match use_site().course {
        Loading::Ready(course) => Some(course),
        Loading::Pending | Loading::Failed(_) => None,
    };
    let title = match route {
        Route::Course => words.nav_course.to_owned(),
        Route::Lesson { number } => language.lesson_number(number),
        Route::Records => words.records_title.to_owned(),
        Route::Profile => words.profile_title.to_owned(),
        Route::Settings => words.settings_title.to_owned(),
        Route::NotFound => words.not_found_title.to_owned(),
    };
    use_praxis_readable("page", PageContext { route: route.to_path(), title, language: language.tag() });

    use_frontend_tool(declared("open_lesson").category(Category::Navigation).risk_level(RiskLevel::Safe), {
        let (course, navigator) = (course.clone(), navigator.clone());
        move |input: Value, _call| {
            let opened = lesson_of(course.as_ref(), &input)
                .map(|(lesson, query)| open_lesson(navigator.as_ref(), &lesson, &query, language));
            async move {
                match opened {
                    Ok(opened) => Ok(opened.await),
                    Err(error) => Err(error),
                }
            }
        }
    });
    use_praxis_tool("list_lessons", move |_input: Value, _call| {
        let course = course.as_ref().ok_or("the course is not loaded")?;
        let learner = store.get();
        let entries = course.lessons().iter().map(|lesson| {
            let progress = learner.lesson_progress(lesson.number);
            LessonEntry {
                number: lesson.number,
                title: lesson.title.get(language).into(),
                duration_seconds: tenths(lesson.duration_seconds),
                state: match progress.map_or(Standing::New, LessonProgress::standing) {
                    Standing::New => "not started",
                    Standing::Begun => "in progress",
                    Standing::Completed => "completed",
                },
                progress: progress.map_or(0.0, LessonProgress::fraction),
                notes: learner.lesson_notes(lesson.number).count(),
            }
        });
        Ok::<_, &str>(entries.collect::<Vec<_>>())
    });
    html! { <span hidden=true /> }
}

/// The lesson that was opened, as the agent is told it.
#[derive(Serialize)]
pub struct OpenedLesson {
    number: u32,
    title: Rc<str>,
}

/// Opens a lesson's page, with a query such as `?t=83`. It is there when the future is done.
pub fn open_lesson(
    navigator: Option<&Navigator>,
    lesson: &Lesson,
    query: &str,
    language: Language,
) -> impl Future<Output = OpenedLesson> + use<> {
    if let Some(navigator) = navigator {
        navigate(navigator, &Route::Lesson { number: lesson.number }.to_path(), query);
    }
    let opened = OpenedLesson { number: lesson.number, title: lesson.title.get(language).into() };
    async move {
        page_shown().await;
        opened
    }
}

/// The lesson that a call names, and the query that names the position.
fn lesson_of(course: Option<&Course>, input: &Value) -> Result<(Rc<Lesson>, String), Refusal> {
    let course = course.ok_or("the course is not loaded")?;
    let input = Place::root("", input);
    let number = input.member("number").count_u32()?;
    let lesson = course.lesson(number).ok_or_else(|| course.no_lesson(number))?;
    let query = match input.present("position_seconds").map(|position| position.number()).transpose()? {
        None => String::new(),
        Some(position) if (0.0..=lesson.duration_seconds).contains(&position) => {
            ["?t=", &number_text(position)].concat()
        }
        Some(position) => {
            let (length, position) = (number_text(lesson.duration_seconds), number_text(position));
            return Err(format!(
                "position_seconds must be from 0 to {length} (the length of lesson {number}), but was {position}"
            )
            .into());
        }
    };
    Ok((lesson.clone(), query))
}
