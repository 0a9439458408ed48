//! Begins a lesson where the learner stopped, and remembers where they stop.

use std::cell::Cell;
use std::rc::Rc;

use web_sys::HtmlVideoElement;
use yew::prelude::*;

use crate::app::clock::now;
use crate::app::language::Language;
use crate::app::learner::{Change, LearnerStore};
use crate::app::player::{Player, known, show_captions};
use crate::binding::EventListener;

/// How much is lost at most when the browser ends without a word, in seconds of the video.
const KEEP_EVERY: f64 = 5.0;

/// Sets the video up once: speed, captions, and the position that the address names or where the learner stopped.
/// Gives the latter where it is not the beginning.
#[hook]
pub fn use_beginning(
    player: &Player,
    store: &LearnerStore,
    app_language: Language,
    named: Option<f64>,
) -> Option<f64> {
    let resumed = use_state_eq(|| None);
    use_effect_with((), {
        let (player, store, set_resumed) = (player.clone(), store.clone(), resumed.setter());
        move |()| {
            let learner = store.get();
            let preferences = &learner.preferences;
            // Stored speeds are among those that every video takes.
            let _ = player.set_speed(preferences.speed);
            let captions = preferences.captions.language(app_language);
            let listener = player.video.cast::<HtmlVideoElement>().map(|video| {
                show_captions(&video, captions);
                // With the metadata, browsers turn on tracks of the person's languages by themselves.
                let of = video.clone();
                EventListener::new(&video, "loadedmetadata", move |_| show_captions(&of, captions))
            });
            let stopped = learner.lesson_progress(player.lesson.number).and_then(|entry| entry.resume_at());
            if let Some(position) = named.or(stopped) {
                // Before the metadata is there, the browser takes this as the place to begin.
                if player.seek(position).is_ok() && named.is_none() {
                    set_resumed.set(stopped);
                }
            }
            move || drop(listener)
        }
    });
    // The address may name another moment of the lesson that is open.
    let first = use_mut_ref(|| true);
    use_effect_with(named, {
        let player = player.clone();
        move |named| {
            if !first.replace(false)
                && let Some(position) = *named
            {
                // An address that names no moment of the lesson changes nothing.
                let _ = player.seek(position);
            }
        }
    });
    *resumed
}

/// Remembers the position while the video plays, and whenever it may be the last chance.
#[hook]
pub fn use_keeping(player: &Player, store: &LearnerStore) {
    use_effect_with((), {
        let (player, store) = (player.clone(), store.clone());
        move |()| {
            let listeners = player.video.cast::<HtmlVideoElement>().map(|video| {
                let keep = keeper(&video, &player, store);
                let window = gloo::utils::window();
                let document = gloo::utils::document();
                let always = |target: &web_sys::EventTarget, kind| {
                    let keep = keep.clone();
                    EventListener::new(target, kind, move |_| keep(0.0))
                };
                let while_playing = {
                    let keep = keep.clone();
                    EventListener::new(&video, "timeupdate", move |_| keep(KEEP_EVERY))
                };
                let listeners = [
                    always(&video, "pause"),
                    always(&video, "seeked"),
                    always(&video, "ended"),
                    always(&window, "pagehide"),
                    always(&document, "visibilitychange"),
                    while_playing,
                ];
                (keep, listeners)
            });
            move || {
                if let Some((keep, listeners)) = listeners {
                    drop(listeners);
                    keep(0.0);
                }
            }
        }
    });
}

/// Keeps the position, when it has moved by more than this many seconds since it was last kept.
fn keeper(video: &HtmlVideoElement, player: &Player, store: LearnerStore) -> Rc<dyn Fn(f64)> {
    let (video, lesson) = (video.clone(), player.lesson.clone());
    // Where the lesson begins by itself is not progress.
    let kept = Cell::new(video.current_time());
    Rc::new(move |least| {
        let position = video.current_time();
        if (position - kept.get()).abs() > least {
            kept.set(position);
            let duration = known(video.duration()).unwrap_or(lesson.duration_seconds);
            store.apply(Change::Watched { lesson: lesson.number, position, duration, now: now() });
        }
    })
}
