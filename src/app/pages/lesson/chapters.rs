//! The lesson's chapters: a list, and a bar below the video.

use yew::prelude::*;

use crate::app::clock::clock;
use crate::app::course::Lesson;
use crate::app::words::Words;
use crate::protocol::json_text::number_text;

/// The chapters as a list; `current` is the one that plays.
pub fn chapter_list(words: &Words, lesson: &Lesson, current: Option<usize>, onseek: &Callback<f64>) -> Html {
    html! {
        <ol class="chapter-list">
            for (index, chapter) in lesson.chapters.iter().enumerate() {
                <li key={index}>
                    <button type="button" class="chapter" aria-current={(current == Some(index)).then_some("true")} onclick={seek(onseek, chapter.start)}>
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

/// The chapters as parts of a bar, for pointers; who uses a keyboard or a screen reader has the list.
pub fn chapter_bar(words: &Words, lesson: &Lesson, position: f64, onseek: &Callback<f64>) -> Html {
    html! {
        <div class="chapter-bar" aria-hidden="true">
            for (index, chapter) in lesson.chapters.iter().enumerate() {
                { {
                    let length = (lesson.chapter_end(index) - chapter.start).max(1.0);
                    let seen = ((position - chapter.start) / length).clamp(0.0, 1.0);
                    let style = ["flex-grow:", &number_text(length), ";--seen:", &number_text(seen)].concat();
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
