//! What the agent knows of the lesson that is open, and what it can do with it.
//!
//! The declarations stand in `agent/tools.json`; a test compares the names.

use std::rc::Rc;

use serde::Serialize;
use serde_json::Value;
use yew::prelude::*;
use yew_router::prelude::*;

use crate::app::agent::{OpenedLesson, Refusal, declared, open_lesson};
use crate::app::clock::{now, tenths};
use crate::app::course::{Course, Lesson};
use crate::app::fetch::Loading;
use crate::app::language::Language;
use crate::app::learner::{Change, LONGEST_NOTE, Note, use_learner_store};
use crate::app::player::{Cue, Playback, Player, PlayerError, known};
use crate::app::throttle::use_throttled;
use crate::app::words::use_words;
use crate::binding::{use_frontend_tool, use_praxis_readable, use_praxis_tool};
use crate::protocol::json_place::{Place, PlaceError};
use crate::tools::{Category, RiskLevel};

/// How often the page context follows the video at most, in milliseconds.
const CONTEXT_EVERY: u32 = 1000;
/// How much of the transcript is read before and after a position, in seconds.
const TRANSCRIPT_AROUND: f64 = 12.0;

/// Properties of [`LessonTools`].
#[derive(Properties, PartialEq)]
pub struct LessonToolsProps {
    /// The video.
    pub player: Player,
    /// What it shows.
    pub playback: Playback,
    /// The transcript.
    pub cues: Loading<Rc<[Cue]>>,
    /// The course that the lesson belongs to.
    pub course: Course,
    /// Chooses the captions, as the person would.
    pub choose_captions: Callback<Option<Language>>,
}

/// The page context `playback`.
#[derive(Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct PlaybackContext {
    position_seconds: f64,
    duration_seconds: Option<f64>,
    paused: bool,
}

/// The captions that are shown, as the agent is told them.
#[derive(Serialize)]
struct ShownCaptions {
    captions: &'static str,
}

/// A chapter, as the agent is told it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChapterEntry {
    number: usize,
    title: Rc<str>,
    start_seconds: f64,
    end_seconds: f64,
    current: bool,
}

/// What is said around a position, as the agent is told it.
#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Excerpt {
    /// The chapter's title.
    pub chapter: Option<Rc<str>>,
    /// From where on, in seconds.
    pub from_seconds: f64,
    /// Up to where, in seconds.
    pub to_seconds: f64,
    /// What is said.
    pub text: String,
}

/// Registers the lesson's tools and page context. It shows nothing, but has an element of its own
/// (yewstack/yew#4092).
#[component]
pub fn LessonTools(props: &LessonToolsProps) -> Html {
    let LessonToolsProps { player, playback, cues, course, choose_captions } = props;
    let words = use_words();
    let language = words.language;
    let store = use_learner_store();
    let lesson = &player.lesson;

    let watching =
        [words.watching, &language.lesson_heading(lesson.number, lesson.title.get(language))].concat();
    use_praxis_readable("lesson", watching);
    let context = PlaybackContext {
        position_seconds: playback.position.floor(),
        duration_seconds: playback.duration.map(tenths),
        paused: playback.paused,
    };
    let context = use_throttled(context, CONTEXT_EVERY);
    use_praxis_readable("playback", context);

    use_praxis_tool("read_playback_progress", {
        let player = player.clone();
        move |_input: Value, _call| player.progress()
    });
    use_frontend_tool(declared("seek_to").risk_level(RiskLevel::Safe), {
        let player = player.clone();
        move |input: Value, _call| {
            let input = Place::root("", &input);
            let chapter = input.present("chapter").map(|chapter| chapter.count_u32()).transpose()?;
            Ok::<_, Refusal>(match (position_seconds(&input)?, chapter) {
                (Some(position), None) => player.seek(position)?,
                (None, Some(chapter)) => player.seek_to_chapter(chapter)?,
                _ => return Err(PlayerError::SeekWhere.into()),
            })
        }
    });
    use_frontend_tool(declared("play").risk_level(RiskLevel::Safe), {
        let player = player.clone();
        move |_input: Value, _call| {
            let player = player.clone();
            async move { player.play().await }
        }
    });
    use_frontend_tool(declared("pause").risk_level(RiskLevel::Safe), {
        let player = player.clone();
        move |_input: Value, _call| player.pause()
    });
    use_frontend_tool(declared("set_playback_speed").risk_level(RiskLevel::Safe), {
        let player = player.clone();
        move |input: Value, _call| {
            player.set_speed(Place::root("", &input).member("speed").number()?)?;
            Ok::<_, Refusal>(player.progress()?)
        }
    });
    use_frontend_tool(declared("set_captions"), {
        let (player, choose) = (player.clone(), choose_captions.clone());
        move |input: Value, _call| {
            let input = Place::root("", &input);
            let wanted = match input.present("language") {
                None => Some(language),
                Some(tag) => match tag.text()? {
                    "off" => None,
                    known => Some(match Language::from_tag(known) {
                        Some(language) => language,
                        None => tag.error("must be zh-CN, en or off")?,
                    }),
                },
            };
            player.set_captions(wanted)?;
            choose.emit(wanted);
            Ok::<_, Refusal>(ShownCaptions { captions: wanted.map_or("off", Language::tag) })
        }
    });
    let navigator = use_navigator();
    use_frontend_tool(declared("next_lesson").category(Category::Navigation).risk_level(RiskLevel::Safe), {
        let (navigator, next) = (navigator.clone(), course.next(lesson.number).cloned());
        move |_input: Value, _call| open(&navigator, &next, language, "this is the last lesson")
    });
    use_frontend_tool(
        declared("previous_lesson").category(Category::Navigation).risk_level(RiskLevel::Safe),
        {
            let previous = course.previous(lesson.number).cloned();
            move |_input: Value, _call| open(&navigator, &previous, language, "this is the first lesson")
        },
    );
    use_praxis_tool("list_chapters", {
        let player = player.clone();
        move |_input: Value, _call| {
            let current = player.lesson.chapter_at(player.position());
            let chapters = player.lesson.chapters.iter().enumerate();
            let entries = chapters.map(|(index, chapter)| ChapterEntry {
                number: index + 1,
                title: chapter.title.get(language).into(),
                start_seconds: chapter.start,
                end_seconds: player.lesson.chapter_end(index),
                current: current == Some(index),
            });
            entries.collect::<Vec<_>>()
        }
    });
    use_praxis_tool("read_transcript", {
        let (player, cues) = (player.clone(), cues.clone());
        move |input: Value, _call| {
            let position = position_seconds(&Place::root("", &input))?;
            let position = position.and_then(known).unwrap_or_else(|| player.position());
            match &cues {
                Loading::Ready(cues) => {
                    let chapter = player
                        .lesson
                        .chapter_at(position)
                        .and_then(|index| player.lesson.chapters.get(index));
                    Ok::<_, Refusal>(excerpt(
                        cues,
                        position,
                        chapter.map(|chapter| chapter.title.get(language).into()),
                    ))
                }
                Loading::Pending => Err("the transcript is still loading; try again in a moment".into()),
                Loading::Failed(reason) => {
                    Err(["the transcript could not be loaded: ", reason].concat().into())
                }
            }
        }
    });
    use_frontend_tool(declared("add_note"), {
        let (player, store, cues) = (player.clone(), store, cues.clone());
        move |input: Value, _call| {
            let input = Place::root("", &input);
            let position = match position_seconds(&input)? {
                Some(position) => player.check(position)?,
                None => player.position(),
            };
            let text = input.present("text").map(|text| text.text()).transpose()?;
            let text = text.filter(|text| !text.trim().is_empty());
            let text = text.or_else(|| line_at(&cues, position)).unwrap_or(words.marked_here);
            let text: String = text.trim().chars().take(LONGEST_NOTE).collect();
            let id = store.get().next_note_id();
            let note = Note { id, lesson: player.lesson.number, position, text, written_at: now() };
            store.apply(Change::Note(note.clone()));
            Ok::<_, Refusal>(AddedNote { id, position_seconds: tenths(position), text: note.text })
        }
    });
    html! { <span hidden=true /> }
}

fn position_seconds(input: &Place<'_>) -> Result<Option<f64>, PlaceError> {
    input.present("position_seconds").map(|position| position.number()).transpose()
}

fn open(
    navigator: &Option<Navigator>,
    lesson: &Option<Rc<Lesson>>,
    language: Language,
    none: &'static str,
) -> impl Future<Output = Result<OpenedLesson, &'static str>> + use<> {
    let opened = lesson.as_ref().map(|lesson| open_lesson(navigator.as_ref(), lesson, "", language));
    async move {
        match opened {
            Some(opened) => Ok(opened.await),
            None => Err(none),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AddedNote {
    id: u64,
    position_seconds: f64,
    text: String,
}

fn line_at(cues: &Loading<Rc<[Cue]>>, position: f64) -> Option<&str> {
    let Loading::Ready(cues) = cues else { return None };
    Some(&cues.get(crate::app::player::cue_at(cues, position)?)?.text)
}

/// What is said around `position`.
fn excerpt(cues: &[Cue], position: f64, chapter: Option<Rc<str>>) -> Excerpt {
    let from = cues.partition_point(|cue| cue.end < position - TRANSCRIPT_AROUND);
    let to = cues.partition_point(|cue| cue.start <= position + TRANSCRIPT_AROUND);
    let cues = cues.get(from..to).unwrap_or_default();
    let text: Vec<&str> = cues.iter().map(|cue| &*cue.text).collect();
    Excerpt {
        chapter,
        from_seconds: cues.first().map_or(position, |cue| cue.start),
        to_seconds: cues.last().map_or(position, |cue| cue.end),
        text: text.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_what_is_said_around_a_position() {
        let cues: Vec<Cue> = (0..10)
            .map(|index| {
                let start = f64::from(index) * 10.0;
                Cue { start, end: start + 9.0, text: index.to_string().into() }
            })
            .collect();
        let of = |position| excerpt(&cues, position, None).text;
        assert_eq!(of(0.0), "0 1");
        assert_eq!(of(45.0), "3 4 5");
        assert_eq!(of(500.0), "");
        assert_eq!(
            excerpt(&[], 3.0, None),
            Excerpt { chapter: None, from_seconds: 3.0, to_seconds: 3.0, text: String::new() }
        );
    }
}
