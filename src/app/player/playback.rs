//! Follows a video element.

use web_sys::HtmlVideoElement;
use yew::prelude::*;

use super::known;
use crate::binding::EventListener;

/// What a video shows at this moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    /// Seconds from the start.
    pub position: f64,
    /// The length in seconds, where it is known and has an end (H01, H04).
    pub duration: Option<f64>,
    /// Whether it stands still.
    pub paused: bool,
    /// The speed; 1 is the usual one.
    pub speed: f64,
    /// Why it cannot be played.
    pub problem: Option<MediaProblem>,
}

impl Default for Playback {
    fn default() -> Self {
        Self { position: 0.0, duration: None, paused: true, speed: 1.0, problem: None }
    }
}

/// Why a video cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaProblem {
    /// It could not be loaded.
    Network,
    /// It is broken, or of a kind that the browser does not know.
    Unplayable,
}

impl Playback {
    fn of(video: &HtmlVideoElement) -> Self {
        Self {
            position: video.current_time(),
            duration: known(video.duration()),
            paused: video.paused(),
            speed: video.playback_rate(),
            problem: video.error().map(|error| match error.code() {
                web_sys::MediaError::MEDIA_ERR_NETWORK => MediaProblem::Network,
                _ => MediaProblem::Unplayable,
            }),
        }
    }
}

const EVENTS: [&str; 11] = [
    "timeupdate",
    "seeking",
    "seeked",
    "play",
    "pause",
    "ended",
    "durationchange",
    "loadedmetadata",
    "emptied",
    "ratechange",
    "error",
];

/// What the video shows, followed while the component is mounted. The video must be rendered by this component,
/// under a key of its lesson: then no late event of another lesson arrives here (H06).
#[hook]
pub fn use_playback(video: &NodeRef) -> Playback {
    let playback = use_state_eq(Playback::default);
    use_effect_with(video.clone(), {
        let set_playback = playback.setter();
        move |video| {
            let listeners = video.cast::<HtmlVideoElement>().map(|video| {
                set_playback.set(Playback::of(&video));
                EVENTS.map(|kind| {
                    let (of, set_playback) = (video.clone(), set_playback.clone());
                    EventListener::new(&video, kind, move |_| set_playback.set(Playback::of(&of)))
                })
            });
            move || drop(listeners)
        }
    });
    *playback
}
