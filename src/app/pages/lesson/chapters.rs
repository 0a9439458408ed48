//! The lesson's chapters: a list, and a bar below the video.

use std::rc::Rc;

use yew::prelude::*;

use crate::app::clock::clock;
use crate::app::course::Lesson;
use crate::app::words::use_words;

/// Properties of [`ChapterList`].
#[derive(Properties, PartialEq)]
pub struct ChapterListProps {
    /// The lesson.
    pub lesson: Rc<Lesson>,
    /// The chapter that plays.
    pub current: Option<usize>,
    /// Go to this second.
    pub onseek: Callback<f64>,
}

/// The chapters as a list.
#[component]
pub fn ChapterList(ChapterListProps { lesson, current, onseek }: &ChapterListProps) -> Html {
    let words = use_words();
    html! {
        <ol class="chapter-list">
            for (index, chapter) in lesson.chapters.iter().enumerate() {
                <li key={index}>
                    <button type="button" class="chapter" aria-current={(*current == Some(index)).then_some("true")} onclick={seek(onseek, chapter.start)}>
                        <span class="chapter-number">{ index + 1 }</span>
                        <span class="chapter-title">{ chapter.title.get(words.language) }</span>
                        <span class="chapter-length">{ clock(lesson.chapter_end(index) - chapter.start) }</span>
                        <span class="moment">{ clock(chapter.start) }</span>
                    </button>
                </li>
            }
        </ol>
    }
}

/// Properties of [`ChapterBar`].
#[derive(Properties, PartialEq)]
pub struct ChapterBarProps {
    /// The lesson.
    pub lesson: Rc<Lesson>,
    /// Where the video stands, in seconds.
    pub position: f64,
    /// Go to this second.
    pub onseek: Callback<f64>,
}

/// The chapters as parts of a bar, for pointers; who uses a keyboard or a screen reader has the list.
#[component]
pub fn ChapterBar(ChapterBarProps { lesson, position, onseek }: &ChapterBarProps) -> Html {
    let words = use_words();
    html! {
        <div class="chapter-bar" aria-hidden="true">
            for (index, chapter) in lesson.chapters.iter().enumerate() {
                { {
                    let length = (lesson.chapter_end(index) - chapter.start).max(1.0);
                    let seen = ((position - chapter.start) / length).clamp(0.0, 1.0);
                    let style = ["flex-grow:", &length.to_string(), ";--seen:", &seen.to_string()].concat();
                    html! {
                        <button key={index} type="button" tabindex="-1" ~style={style} title={chapter.title.get(words.language).to_owned()} onclick={seek(onseek, chapter.start)}>
                            <span class="chapter-bar-title">{ chapter.title.get(words.language) }</span>
                        </button>
                    }
                } }
            }
        </div>
    }
}

fn seek(onseek: &Callback<f64>, to: f64) -> Callback<MouseEvent> {
    onseek.reform(move |_| to)
}
