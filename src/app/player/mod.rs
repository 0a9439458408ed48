//! The lesson's video, as the rest of the app uses it.
//!
//! [`Player`] acts on the video element and checks before it acts; [`use_playback`] follows it. Neither may know
//! pages, the agent or the learner's storage.

mod captions;
mod playback;
mod text_tracks;

use std::rc::Rc;

use serde::Serialize;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DomException, HtmlVideoElement};
use yew::NodeRef;

pub use captions::{CaptionsError, Cue, cue_at, parse as parse_captions};
pub use playback::{MediaProblem, Playback, use_playback};
pub use text_tracks::{show_captions, use_shown_captions};

use super::clock::tenths;
use super::course::Lesson;
use super::language::Language;
use crate::protocol::json_text::number_text;

/// The speeds that a video takes in every browser.
pub const SPEED_RANGE: std::ops::RangeInclusive<f64> = 0.25..=4.0;

/// Where a lesson's video stands, as an agent is told it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlaybackProgress {
    /// The lesson's number.
    pub lesson: u32,
    /// Seconds from its start, to a tenth.
    pub position_seconds: f64,
    /// Its length in seconds; `null` until the video's metadata is known, or without an end (H01, H04).
    pub duration_seconds: Option<f64>,
    /// Whether it stands still.
    pub paused: bool,
}

/// Why the player does not do what it was asked for. The messages are for the agent.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlayerError {
    /// The video is not in the page.
    #[error("the lesson's video is not on the page yet; try again in a moment")]
    NoVideo,
    /// A position that the lesson does not have.
    #[error(
        "position_seconds must be from 0 to {} (the length of this lesson), but was {}",
        number_text(*duration),
        number_text(*asked)
    )]
    OutOfRange {
        /// What was asked for.
        asked: f64,
        /// The lesson's length.
        duration: f64,
    },
    /// Neither a position nor a chapter, or both.
    #[error("give either position_seconds or chapter")]
    SeekWhere,
    /// A chapter that the lesson does not have.
    #[error("chapter must be from 1 to {count} (this lesson has {count} chapters), but was {asked}")]
    NoChapter {
        /// What was asked for.
        asked: u32,
        /// How many there are.
        count: usize,
    },
    /// A speed that videos do not take.
    #[error(
        "speed must be from {} to {}, but was {}",
        number_text(*SPEED_RANGE.start()),
        number_text(*SPEED_RANGE.end()),
        number_text(*asked)
    )]
    Speed {
        /// What was asked for.
        asked: f64,
    },
    /// Captions that the video does not have (H07).
    #[error("this video has no captions in {0}")]
    NoCaptions(&'static str),
    /// The browser wants a person to start it (H05).
    #[error(
        "the browser lets a video play only after the person has clicked on the page: ask them to press play once"
    )]
    NotAllowed,
    /// The video cannot be played.
    #[error("the video cannot be played: {0}")]
    Failed(String),
}

/// The video of one lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// The lesson.
    pub lesson: Rc<Lesson>,
    /// The video's place.
    pub video: NodeRef,
}

impl Player {
    fn element(&self) -> Result<HtmlVideoElement, PlayerError> {
        self.video.cast().ok_or(PlayerError::NoVideo)
    }

    /// Where it stands.
    ///
    /// # Errors
    /// [`PlayerError::NoVideo`].
    pub fn progress(&self) -> Result<PlaybackProgress, PlayerError> {
        let video = self.element()?;
        Ok(PlaybackProgress {
            lesson: self.lesson.number,
            position_seconds: tenths(video.current_time()),
            duration_seconds: known(video.duration()).map(tenths),
            paused: video.paused(),
        })
    }

    /// The position in seconds; 0 while there is no video.
    #[must_use]
    pub fn position(&self) -> f64 {
        self.element().map_or(0.0, |video| video.current_time())
    }

    /// Moves to `position` seconds.
    ///
    /// # Errors
    /// [`PlayerError::OutOfRange`] when the lesson is shorter, or the position is no number.
    pub fn seek(&self, position: f64) -> Result<PlaybackProgress, PlayerError> {
        self.element()?.set_current_time(self.check(position)?);
        self.progress()
    }

    /// Gives `position` back where the lesson has it.
    ///
    /// # Errors
    /// [`PlayerError::OutOfRange`].
    pub fn check(&self, position: f64) -> Result<f64, PlayerError> {
        let duration = self.duration();
        if (0.0..=duration).contains(&position) {
            Ok(position)
        } else {
            Err(PlayerError::OutOfRange { asked: position, duration: tenths(duration) })
        }
    }

    /// The length in seconds: the video's own, or the course's until that is known.
    fn duration(&self) -> f64 {
        let of_video = self.element().ok().and_then(|video| known(video.duration()));
        of_video.unwrap_or(self.lesson.duration_seconds)
    }

    /// Moves by `seconds`, at most to the beginning or the end.
    pub fn seek_by(&self, seconds: f64) {
        if let Ok(video) = self.element() {
            video.set_current_time((video.current_time() + seconds).clamp(0.0, self.duration()));
        }
    }

    /// Moves to the beginning of a chapter, counted from 1.
    ///
    /// # Errors
    /// [`PlayerError::NoChapter`].
    pub fn seek_to_chapter(&self, number: u32) -> Result<PlaybackProgress, PlayerError> {
        let chapters = &self.lesson.chapters;
        let chapter = (number as usize).checked_sub(1).and_then(|index| chapters.get(index));
        let chapter = chapter.ok_or(PlayerError::NoChapter { asked: number, count: chapters.len() })?;
        self.seek(chapter.start)
    }

    /// Plays, and waits until it does. That something else stopped it meanwhile is no error (H06): the
    /// progress says what came of it.
    ///
    /// # Errors
    /// [`PlayerError::NotAllowed`] (H05), [`PlayerError::Failed`].
    pub async fn play(&self) -> Result<PlaybackProgress, PlayerError> {
        let video = self.element()?;
        let played = match video.play() {
            Ok(promise) => JsFuture::from(promise).await.map(drop),
            Err(error) => Err(error),
        };
        if let Err(error) = played {
            match error_name(&error).as_deref() {
                Some("AbortError") => {}
                Some("NotAllowedError") => return Err(PlayerError::NotAllowed),
                _ => return Err(PlayerError::Failed(error_text(&error))),
            }
        }
        self.progress()
    }

    /// Stands still.
    ///
    /// # Errors
    /// [`PlayerError::NoVideo`].
    pub fn pause(&self) -> Result<PlaybackProgress, PlayerError> {
        // It throws on no element that exists.
        let _ = self.element()?.pause();
        self.progress()
    }

    /// Plays where it stands still, and the other way round. Why it does not is seen at the video itself.
    pub fn toggle(&self) {
        if let Ok(video) = self.element() {
            if video.paused() {
                let player = self.clone();
                wasm_bindgen_futures::spawn_local(async move { _ = player.play().await });
            } else {
                _ = self.pause();
            }
        }
    }

    /// Sets the speed, of which 1 is the usual one.
    ///
    /// # Errors
    /// [`PlayerError::Speed`] outside of [`SPEED_RANGE`], where browsers throw or fall silent (H08).
    pub fn set_speed(&self, speed: f64) -> Result<(), PlayerError> {
        let video = self.element()?;
        if !SPEED_RANGE.contains(&speed) {
            return Err(PlayerError::Speed { asked: speed });
        }
        // The default is what loading the video again goes back to.
        video.set_default_playback_rate(speed);
        video.set_playback_rate(speed);
        Ok(())
    }

    /// Shows the captions in a language, or none.
    ///
    /// # Errors
    /// [`PlayerError::NoCaptions`] where the video has no such track (H07).
    pub fn set_captions(&self, language: Option<Language>) -> Result<(), PlayerError> {
        let video = self.element()?;
        show_captions(&video, language);
        match language {
            Some(wanted) if text_tracks::shown_captions(&video) != language => {
                Err(PlayerError::NoCaptions(wanted.tag()))
            }
            _ => Ok(()),
        }
    }

    /// Loads the video again after an error, and goes back to where it stood.
    pub fn reload(&self) {
        if let Ok(video) = self.element() {
            let position = video.current_time();
            video.load();
            video.set_current_time(position);
        }
    }
}

/// A length that is known and has an end (H01, H04).
#[must_use]
pub fn known(seconds: f64) -> Option<f64> {
    seconds.is_finite().then_some(seconds)
}

fn error_name(error: &JsValue) -> Option<String> {
    Some(error.dyn_ref::<DomException>()?.name())
}

fn error_text(error: &JsValue) -> String {
    match error.dyn_ref::<DomException>() {
        Some(exception) => exception.message(),
        None => error.dyn_ref::<js_sys::Error>().map_or_else(String::new, |error| error.message().into()),
    }
}
