//! Which captions a video shows: read from its text tracks and set there, never remembered beside them (H07).

use wasm_bindgen::JsCast as _;
use web_sys::{HtmlVideoElement, TextTrack, TextTrackMode};
use yew::prelude::*;

use crate::app::language::Language;
use crate::binding::EventListener;

fn tracks(video: &HtmlVideoElement) -> Vec<TextTrack> {
    let Some(list) = video.text_tracks() else { return Vec::new() };
    (0..list.length())
        .filter_map(|index| js_sys::Reflect::get_u32(&list, index).ok()?.dyn_into().ok())
        .collect()
}

/// The language of the captions that the video shows.
#[must_use]
pub fn shown_captions(video: &HtmlVideoElement) -> Option<Language> {
    let shown = tracks(video).into_iter().find(|track| track.mode() == TextTrackMode::Showing)?;
    Language::from_tag(&shown.language())
}

/// Shows the captions in `language` and no others.
pub fn show_captions(video: &HtmlVideoElement, language: Option<Language>) {
    for track in tracks(video) {
        let wanted = language.is_some() && Language::from_tag(&track.language()) == language;
        let mode = if wanted { TextTrackMode::Showing } else { TextTrackMode::Disabled };
        if track.mode() != mode {
            track.set_mode(mode);
        }
    }
}

/// The language of the captions that the video shows, followed also where the browser's own menu changes it.
#[hook]
pub fn use_shown_captions(video: &NodeRef) -> Option<Language> {
    let shown = use_state_eq(|| None);
    use_effect_with(video.clone(), {
        let set_shown = shown.setter();
        move |video| {
            let listener = video.cast::<HtmlVideoElement>().and_then(|video| {
                let list = video.text_tracks()?;
                set_shown.set(shown_captions(&video));
                Some(EventListener::new(&list, "change", move |_| set_shown.set(shown_captions(&video))))
            });
            move || drop(listener)
        }
    });
    *shown
}
