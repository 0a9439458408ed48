//! One lesson that is open.

use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::HtmlSelectElement;
use yew::prelude::*;
use yew_router::prelude::*;

use super::chapters::{chapter_bar, chapter_list};
use super::keeping::{use_beginning, use_keeping};
use super::notes::Notes;
use super::parts::{Part, panel_id, tab_id, tabs};
use super::shortcuts::{Shortcut, described, use_shortcuts};
use super::tools::LessonTools;
use super::transcript::Transcript;
use crate::app::agent::use_agent_panel;
use crate::app::clock::clock;
use crate::app::components::{IconName, PageHeading, icon};
use crate::app::course::{Course, Lesson};
use crate::app::fetch::{Loading, site_url, use_file};
use crate::app::language::Language;
use crate::app::learner::{CaptionsChoice, Change, SPEEDS, use_learner, use_learner_store};
use crate::app::links::{href, moment_of};
use crate::app::player::{
    CaptionsError, Cue, MediaProblem, Player, cue_at, parse_captions, use_playback, use_shown_captions,
};
use crate::app::routes::Route;
use crate::app::words::{Words, use_words};
use crate::protocol::json_text::number_text;

/// How far the video has to move on before the note on where it began goes away, in seconds.
const RESUMED_NOTICE: f64 = 8.0;

/// Properties of [`LessonView`].
#[derive(Properties, PartialEq)]
pub struct LessonViewProps {
    /// The lesson.
    pub lesson: Rc<Lesson>,
    /// The course it belongs to.
    pub course: Course,
}

fn parse_cues(text: &str) -> Result<Rc<[Cue]>, CaptionsError> {
    parse_captions(text).map(Rc::from)
}

/// A lesson: the video, and what belongs to it.
#[component]
pub fn LessonView(LessonViewProps { lesson, course }: &LessonViewProps) -> Html {
    let words = use_words();
    let language = words.language;
    let learner = use_learner();
    let store = use_learner_store();
    let navigator = use_navigator();
    let named = use_location().and_then(|location| moment_of(location.query_str()));
    let video = use_node_ref();
    let player = use_memo((), {
        let (lesson, video) = (lesson.clone(), video.clone());
        move |()| Player { lesson, video }
    });

    let panel = use_agent_panel();
    let playback = use_playback(&video);
    let captions = use_shown_captions(&video);
    let resumed = use_beginning(&player, &store, language, named);
    use_keeping(&player, &store);

    let open = use_state_eq(|| Part::Transcript);
    let write = use_state_eq(|| 0_u32);
    let notice_read = use_state_eq(|| false);
    let chosen_language = use_state_eq(|| None::<Language>);
    let text_language = chosen_language.unwrap_or(language);
    let (cues, reload_cues) = use_file(Some(lesson.captions.get(text_language)), parse_cues);
    let current_cue = match &cues {
        Loading::Ready(cues) => cue_at(cues, playback.position),
        Loading::Pending | Loading::Failed(_) => None,
    };

    let onseek = {
        let player = player.clone();
        use_callback((), move |seconds: f64, ()| {
            // Lines, chapters and notes are within the lesson; where a file says otherwise, nothing moves.
            let _ = player.seek(seconds);
        })
    };
    let choose_captions = {
        let (player, store) = (player.clone(), store.clone());
        use_callback((), move |language: Option<Language>, ()| {
            // Both languages are offered; one that the video does not have shows nothing.
            let _ = player.set_captions(language);
            let captions = match language {
                Some(Language::ZhCn) => CaptionsChoice::ZhCn,
                Some(Language::En) => CaptionsChoice::En,
                None => CaptionsChoice::Off,
            };
            let mut preferences = (*store.get().preferences).clone();
            preferences.captions = captions;
            store.apply(Change::Preferences(preferences));
        })
    };
    let onshortcut = {
        let (player, onopen, set_write) = (player.clone(), open.setter(), write.setter());
        let (choose_captions, navigator) = (choose_captions.clone(), navigator.clone());
        let neighbours = (course.previous(lesson.number).cloned(), course.next(lesson.number).cloned());
        use_callback((captions, *write, neighbours), move |shortcut, (captions, write, (previous, next))| {
            let go = |to: &Option<Rc<Lesson>>| {
                if let (Some(navigator), Some(to)) = (&navigator, to) {
                    navigator.push(&Route::Lesson { number: to.number });
                }
            };
            match shortcut {
                Shortcut::Play => player.toggle(),
                Shortcut::Back => player.seek_by(-10.0),
                Shortcut::Forward => player.seek_by(10.0),
                Shortcut::Captions => choose_captions.emit(match captions {
                    Some(Language::ZhCn) => Some(Language::En),
                    Some(Language::En) => None,
                    None => Some(Language::ZhCn),
                }),
                Shortcut::Note => {
                    onopen.set(Part::Notes);
                    set_write.set(write + 1);
                }
                Shortcut::NextLesson => go(next),
                Shortcut::PreviousLesson => go(previous),
            }
        })
    };
    use_shortcuts(learner.preferences.shortcuts, onshortcut);

    let onopen = {
        let set_open = open.setter();
        use_callback((), move |part, ()| set_open.set(part))
    };
    let onlanguage = {
        let set_language = chosen_language.setter();
        use_callback((), move |language, ()| set_language.set(Some(language)))
    };
    let notice = resumed
        .filter(|at| !*notice_read && playback.position < at + RESUMED_NOTICE && playback.problem.is_none());
    let hide_notice = {
        let set_read = notice_read.setter();
        Callback::from(move |_: MouseEvent| set_read.set(true))
    };
    let from_start = {
        let (onseek, set_read) = (onseek.clone(), notice_read.setter());
        Callback::from(move |_: MouseEvent| {
            set_read.set(true);
            onseek.emit(0.0);
        })
    };
    let title = lesson.title.get(language);
    let heading = language.lesson_heading(lesson.number, title);
    let count = |part| match part {
        Part::Notes => learner.lesson_notes(lesson.number).count(),
        Part::Transcript | Part::Chapters => 0,
    };
    let hidden = |part| *open != part;
    html! {
        <div class="page lesson">
            <div class="lesson-stage">
                // Siblings of the video are single elements: a list beside it would build it anew (yewstack/yew#3262).
                <div class="lesson-frame">
                    <video id="lesson-video" ref={video} key={lesson.number} src={site_url(&lesson.video)} poster={site_url(&lesson.poster)}
                        controls=true playsinline=true preload="metadata" aria-label={heading.clone()}>
                        for track in Language::ALL {
                            <track key={track.tag()} kind="subtitles" srclang={track.tag()} label={track.own_name()} src={site_url(lesson.captions.get(track))} />
                        }
                    </video>
                    <div class="lesson-notice" hidden={notice.is_none()}>
                        <p role="status">{ notice.map(|at| [words.resumed_at, " ", &clock(at)].concat()) }</p>
                        <button type="button" class="button button-small" onclick={from_start}>{ icon(IconName::Restart) }{ words.from_the_start }</button>
                        <button type="button" class="icon-button" aria-label={words.dismiss} onclick={hide_notice}>{ icon(IconName::Close) }</button>
                    </div>
                    <div class="lesson-problem" hidden={playback.problem.is_none()}>{ problem(words, playback.problem, &player) }</div>
                </div>
                { chapter_bar(words, lesson, playback.position, &onseek) }
            </div>
            <div class="lesson-head">
                <div class="lesson-title">
                    <p class="eyebrow">
                        <a href={href(Route::Course)}>{ words.course_name }</a>
                        <span>{ language.lesson_number(lesson.number) }</span>
                    </p>
                    <PageHeading title={title.to_string()} document_title={AttrValue::from(heading)} />
                </div>
                <div class="lesson-controls">
                    { captions_select(words, captions, &choose_captions) }
                    { speed_select(words, playback.speed, &player, &store) }
                    { ask_about_this(words, &panel.ask) }
                </div>
                <p class="lesson-summary">{ lesson.summary.get(language) }</p>
            </div>
            <section class="lesson-parts" aria-label={words.lesson_parts}>
                { tabs(words, *open, count, &onopen) }
                <div id={panel_id(Part::Transcript)} role="tabpanel" aria-labelledby={tab_id(Part::Transcript)} hidden={hidden(Part::Transcript)}>
                    <Transcript cues={cues.clone()} current={current_cue} visible={!hidden(Part::Transcript)} language={text_language} {onlanguage} onseek={onseek.clone()} onretry={reload_cues} />
                </div>
                <div id={panel_id(Part::Chapters)} role="tabpanel" aria-labelledby={tab_id(Part::Chapters)} hidden={hidden(Part::Chapters)}>
                    { chapter_list(words, lesson, lesson.chapter_at(playback.position), &onseek) }
                </div>
                <div id={panel_id(Part::Notes)} role="tabpanel" aria-labelledby={tab_id(Part::Notes)} hidden={hidden(Part::Notes)}>
                    <Notes lesson={lesson.clone()} position={playback.position.floor()} write={*write} {onseek} />
                </div>
            </section>
            <nav class="lesson-neighbours" aria-label={words.lesson_navigation}>
                { neighbour(words.previous_lesson, course.previous(lesson.number), language, false) }
                { neighbour(words.next_lesson, course.next(lesson.number), language, true) }
            </nav>
            if learner.preferences.shortcuts {
                <details class="shortcuts">
                    <summary>{ icon(IconName::Keyboard) }{ words.shortcuts }</summary>
                    <dl>
                        for (keys, meaning) in described(words) {
                            <div><dt>for key in keys.split(' ') { <kbd>{ key }</kbd> }</dt><dd>{ meaning }</dd></div>
                        }
                    </dl>
                    <p class="field-hint">{ words.shortcuts_hint }</p>
                </details>
            }
            <LessonTools player={(*player).clone()} {playback} {cues} course={course.clone()} {choose_captions} />
        </div>
    }
}

/// Why the video does not play, and the way back.
fn problem(words: &Words, problem: Option<MediaProblem>, player: &Player) -> Html {
    let Some(problem) = problem else { return Html::default() };
    let player = player.clone();
    let retry = Callback::from(move |_: MouseEvent| player.reload());
    html! {
        <div role="alert">
            { icon(IconName::Warning) }
            <p>{ match problem { MediaProblem::Network => words.media_network, MediaProblem::Unplayable => words.media_unplayable } }</p>
            <button type="button" class="button" onclick={retry}>{ words.retry }</button>
        </div>
    }
}

fn captions_select(words: &Words, shown: Option<Language>, onchoose: &Callback<Option<Language>>) -> Html {
    let onchange = onchoose.reform(|event: Event| {
        let select = event.target().and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
        select.and_then(|select| Language::from_tag(&select.value()))
    });
    html! {
        <label class="select">
            <span>{ words.captions }</span>
            <select {onchange}>
                <option value="off" selected={shown.is_none()}>{ words.captions_off }</option>
                for language in Language::ALL {
                    <option value={language.tag()} lang={language.tag()} selected={shown == Some(language)}>{ language.own_name() }</option>
                }
            </select>
        </label>
    }
}

fn speed_select(
    words: &Words,
    speed: f64,
    player: &Rc<Player>,
    store: &crate::app::learner::LearnerStore,
) -> Html {
    let onchange = {
        let (player, store) = (player.clone(), store.clone());
        Callback::from(move |event: Event| {
            let select = event.target().and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
            let chosen =
                select.and_then(|select| SPEEDS.get(usize::try_from(select.selected_index()).ok()?).copied());
            if let Some(speed) = chosen.filter(|speed| player.set_speed(*speed).is_ok()) {
                let mut preferences = (*store.get().preferences).clone();
                preferences.speed = speed;
                store.apply(Change::Preferences(preferences));
            }
        })
    };
    html! {
        <label class="select">
            <span>{ words.speed }</span>
            <select {onchange}>
                for offered in SPEEDS { <option value={number_text(offered)} selected={offered == speed}>{ number_text(offered) }{ "×" }</option> }
                // The browser's own menu knows others.
                if !SPEEDS.contains(&speed) { <option value={number_text(speed)} selected=true>{ number_text(speed) }{ "×" }</option> }
            </select>
        </label>
    }
}

fn neighbour(label: &'static str, lesson: Option<&Rc<Lesson>>, language: Language, is_next: bool) -> Html {
    let Some(lesson) = lesson else { return html! { <span /> } };
    html! {
        <a class={classes!("neighbour", is_next.then_some("neighbour-next"))} href={href(Route::Lesson { number: lesson.number })}>
            { icon(if is_next { IconName::Next } else { IconName::Previous }) }
            <span><span class="muted">{ label }</span><strong>{ lesson.title.get(language) }</strong></span>
        </a>
    }
}

/// Asks the assistant what the lesson is about at this moment.
fn ask_about_this(words: &'static Words, ask: &Callback<AttrValue>) -> Html {
    let onclick = ask.reform(move |_: MouseEvent| words.ask_about_this.into());
    html! {
        <button type="button" class="button button-small button-accent" {onclick}>{ icon(IconName::Assistant) }{ words.ask_about_this }</button>
    }
}
