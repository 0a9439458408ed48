//! The lesson's video: what it is asked to do, what it answers, and what of it is followed (H01, H04–H08).
#![cfg(target_arch = "wasm32")]

mod foreign;

use std::rc::Rc;

use foreign::{Mounted, mount};
use praxis::app::course::{Course, Lesson};
use praxis::app::language::Language;
use praxis::app::player::{Playback, Player, PlayerError, show_captions, use_playback, use_shown_captions};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{HtmlVideoElement, TextTrackMode};
use yew::prelude::*;

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen(inline_js = r#"
  export function pretend(video, name, value) { Object.defineProperty(video, name, { value, configurable: true }); }
  export function refuseToPlay(video, name) { video.play = () => Promise.reject(new DOMException("refused for the test", name)); }
  export function modes(video) { return Array.from(video.textTracks, (track) => track.mode).join(" "); }
"#)]
extern "C" {
    fn pretend(video: &HtmlVideoElement, name: &str, value: f64);
    #[wasm_bindgen(js_name = refuseToPlay)]
    fn refuse_to_play(video: &HtmlVideoElement, name: &str);
    fn modes(video: &HtmlVideoElement) -> String;
}

/// A lesson of 100 s with two chapters.
fn lesson() -> Rc<Lesson> {
    let course = Course::from_json(
        r#"[{"number":3,"title":{"zh-CN":"题","en":"Title"},"summary":{"zh-CN":"要","en":"Sum"},"durationSeconds":100,
        "video":"none.mp4","poster":"none.webp","captions":{"zh-CN":"zh.vtt","en":"en.vtt"},
        "chapters":[{"start":0,"title":{"zh-CN":"一","en":"One"}},{"start":40,"title":{"zh-CN":"二","en":"Two"}}]}]"#,
    );
    course.unwrap().lessons()[0].clone()
}

#[derive(PartialEq, Properties)]
struct StageProps {
    player: Callback<Player>,
}

/// A video without a source.
#[component]
fn Stage(props: &StageProps) -> Html {
    let video = use_node_ref();
    props.player.emit(Player { lesson: lesson(), video: video.clone() });
    html! { <video ref={video} /> }
}

async fn video() -> (Mounted<Stage>, HtmlVideoElement, Player) {
    let given = Rc::new(std::cell::RefCell::new(None));
    let player = {
        let given = given.clone();
        Callback::from(move |player| drop(given.replace(Some(player))))
    };
    let mounted = mount::<Stage>(StageProps { player }).await;
    let element = mounted.query("video").unchecked_into();
    let player = given.take().expect("a player");
    (mounted, element, player)
}

#[wasm_bindgen_test]
async fn case_h01_case_h04_a_length_that_is_not_known_or_endless_is_null() {
    let (_stage, element, player) = video().await;
    for unknown in [f64::NAN, f64::INFINITY] {
        pretend(&element, "duration", unknown);
        let json = serde_json::to_string(&player.progress().unwrap()).unwrap();
        assert_eq!(json, r#"{"lesson":3,"positionSeconds":0.0,"durationSeconds":null,"paused":true}"#);
    }
    pretend(&element, "duration", 99.96);
    pretend(&element, "currentTime", 83.2399);
    let progress = player.progress().unwrap();
    assert_eq!((progress.position_seconds, progress.duration_seconds), (83.2, Some(99.9)));
}

#[wasm_bindgen_test]
fn without_a_video_every_request_says_so() {
    let player = Player { lesson: lesson(), video: NodeRef::default() };
    assert_eq!(player.progress(), Err(PlayerError::NoVideo));
    assert_eq!(player.seek(3.0), Err(PlayerError::NoVideo));
    assert_eq!(player.pause(), Err(PlayerError::NoVideo));
    assert_eq!(player.set_speed(1.0), Err(PlayerError::NoVideo));
}

#[wasm_bindgen_test]
async fn a_position_outside_of_the_lesson_names_the_range_and_moves_nothing() {
    let (_stage, element, player) = video().await;
    player.seek(83.0).unwrap();
    assert_eq!(element.current_time(), 83.0);
    for (asked, shown) in [(100.5, "100.5"), (-1.0, "-1"), (f64::NAN, "NaN"), (f64::INFINITY, "Infinity")] {
        let error = player.seek(asked).unwrap_err().to_string();
        let expected =
            format!("position_seconds must be from 0 to 100 (the length of this lesson), but was {shown}");
        assert_eq!(error, expected);
    }
    // The video's own length counts once it is known.
    pretend(&element, "duration", 50.0);
    assert_eq!(player.seek(60.0), Err(PlayerError::OutOfRange { asked: 60.0, duration: 50.0 }));
    assert_eq!(element.current_time(), 83.0);
}

#[wasm_bindgen_test]
async fn chapters_are_counted_from_one() {
    let (_stage, element, player) = video().await;
    player.seek_to_chapter(2).unwrap();
    assert_eq!(element.current_time(), 40.0);
    for asked in [0, 3, u32::MAX] {
        assert_eq!(player.seek_to_chapter(asked), Err(PlayerError::NoChapter { asked, count: 2 }));
    }
    assert_eq!(element.current_time(), 40.0);
}

#[wasm_bindgen_test]
async fn moving_by_seconds_stops_at_both_ends() {
    let (_stage, element, player) = video().await;
    player.seek_by(-10.0);
    assert_eq!(element.current_time(), 0.0);
    player.seek(95.0).unwrap();
    player.seek_by(10.0);
    assert_eq!(element.current_time(), 100.0);
}

#[wasm_bindgen_test]
async fn case_h05_a_browser_that_wants_a_click_first_is_explained() {
    let (_stage, element, player) = video().await;
    refuse_to_play(&element, "NotAllowedError");
    let error = player.play().await.unwrap_err();
    assert_eq!(error, PlayerError::NotAllowed);
    assert!(error.to_string().contains("only after the person has clicked"));
    assert!(player.progress().unwrap().paused);
}

#[wasm_bindgen_test]
async fn case_h06_playing_that_something_else_stopped_is_no_error() {
    let (_stage, element, player) = video().await;
    refuse_to_play(&element, "AbortError");
    assert!(player.play().await.unwrap().paused);
    refuse_to_play(&element, "NotSupportedError");
    assert_eq!(player.play().await, Err(PlayerError::Failed("refused for the test".to_owned())));
}

#[wasm_bindgen_test]
async fn case_h08_speeds_that_browsers_refuse_change_nothing() {
    let (_stage, element, player) = video().await;
    player.set_speed(1.5).unwrap();
    for asked in [0.0, -1.0, 32.0, f64::NAN, f64::INFINITY] {
        let error = player.set_speed(asked).unwrap_err().to_string();
        assert!(error.starts_with("speed must be from 0.25 to 4, but was "), "{error}");
    }
    assert_eq!((element.playback_rate(), element.default_playback_rate()), (1.5, 1.5));
}

#[derive(PartialEq, Properties)]
struct ScreenProps {
    tracks: bool,
    shown: Callback<(Playback, Option<Language>)>,
}

/// A video with what is followed of it.
#[component]
fn Screen(props: &ScreenProps) -> Html {
    let video = use_node_ref();
    let playback = use_playback(&video);
    let captions = use_shown_captions(&video);
    props.shown.emit((playback, captions));
    html! {
        <video ref={video}>
            if props.tracks {
                for language in Language::ALL { <track kind="subtitles" srclang={language.tag()} /> }
            }
        </video>
    }
}

type Seen = Rc<std::cell::RefCell<(Playback, Option<Language>)>>;

fn seen() -> (Seen, Callback<(Playback, Option<Language>)>) {
    let seen = Seen::default();
    let shown = {
        let seen = seen.clone();
        Callback::from(move |now| _ = seen.replace(now))
    };
    (seen, shown)
}

async fn tell(video: &HtmlVideoElement, kind: &str) {
    video.dispatch_event(&web_sys::Event::new(kind).unwrap()).unwrap();
    yew::scheduler::flush().await;
}

#[wasm_bindgen_test]
async fn the_video_is_followed() {
    let (seen, shown) = seen();
    let mounted = mount::<Screen>(ScreenProps { tracks: false, shown }).await;
    let video: HtmlVideoElement = mounted.query("video").unchecked_into();
    assert_eq!(seen.borrow().0, Playback::default());
    pretend(&video, "currentTime", 12.5);
    tell(&video, "timeupdate").await;
    pretend(&video, "duration", f64::INFINITY);
    tell(&video, "durationchange").await;
    assert_eq!((seen.borrow().0.position, seen.borrow().0.duration), (12.5, None));
    pretend(&video, "duration", 90.0);
    tell(&video, "durationchange").await;
    assert_eq!(seen.borrow().0.duration, Some(90.0));
}

#[wasm_bindgen_test]
async fn case_h07_captions_are_what_the_tracks_show() {
    let (seen, shown) = seen();
    let mounted = mount::<Screen>(ScreenProps { tracks: true, shown }).await;
    let video: HtmlVideoElement = mounted.query("video").unchecked_into();
    let changed = || async {
        // The list's `change` comes with a task of its own.
        gloo::timers::future::TimeoutFuture::new(0).await;
        gloo::timers::future::TimeoutFuture::new(0).await;
        yew::scheduler::flush().await;
    };
    // By themselves, browsers turn on tracks of the person's languages once, after they have come.
    changed().await;
    for (language, expected) in [
        (Some(Language::En), "disabled showing"),
        (Some(Language::ZhCn), "showing disabled"),
        (None, "disabled disabled"),
    ] {
        show_captions(&video, language);
        assert_eq!(modes(&video), expected);
        changed().await;
        assert_eq!(seen.borrow().1, language);
    }
    // The browser's own menu changes them too.
    video.text_tracks().unwrap().get_track_by_id("").unwrap().set_mode(TextTrackMode::Showing);
    changed().await;
    assert_eq!(seen.borrow().1, Some(Language::ZhCn));
}

#[wasm_bindgen_test]
async fn case_h07_a_video_without_tracks_has_no_captions() {
    let (seen, shown) = seen();
    let mounted = mount::<Screen>(ScreenProps { tracks: false, shown }).await;
    let video: HtmlVideoElement = mounted.query("video").unchecked_into();
    show_captions(&video, Some(Language::En));
    assert_eq!((modes(&video).as_str(), seen.borrow().1), ("", None));
}
