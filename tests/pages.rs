//! The app as a whole, with another implementation of the element: its pages, its tools and page context (D1, K13).
#![cfg(target_arch = "wasm32")]

mod foreign;

use foreign::{ForeignAgent, Mounted, mount};
use gloo::timers::future::TimeoutFuture;
use praxis::app::App;
use serde_json::Value;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{HtmlElement, HtmlTextAreaElement, HtmlVideoElement};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen(inline_js = r#"
  const files = {};
  const answer = async (url) => {
    const { pathname } = new URL(url, location);
    return pathname in files ? new Response(files[pathname]) : new Response("", { status: 404 });
  };
  // The tests themselves are loaded before the first file is served.
  export function serve(path, text) { files[path] = text; window.fetch = answer; }
  // There are no videos here, and when a browser finds that out is a matter of luck.
  HTMLMediaElement.prototype.setAttribute = function (name, value) {
    if (name !== "src") Element.prototype.setAttribute.call(this, name, value);
  };
  // What the schema worker judges is tested with it; here all arguments are right.
  const judge = `onmessage = ({ data: [id] }) => postMessage([id, '{"verdict":"valid"}']); postMessage("ready");`;
  const judging = URL.createObjectURL(new Blob([judge], { type: "text/javascript" }));
  globalThis.Worker = class extends globalThis.Worker { constructor(url, options) { super(judging, options); } };
  export function pretend(video, name, value) { Object.defineProperty(video, name, { value, configurable: true }); }
  /** As browsers do for a site whose data is blocked: the mere look at a storage throws. */
  export function blockStorage(blocked) {
    for (const name of ["localStorage", "sessionStorage"]) {
      const real = window[`real ${name}`] ??= Object.getOwnPropertyDescriptor(window, name);
      const refuse = { configurable: true, get() { throw new DOMException("blocked for the test", "SecurityError"); } };
      Object.defineProperty(window, name, blocked ? refuse : real);
    }
  }
  export function goTo(path) { history.replaceState(null, "", path); }
  /** Clicks a link in an open shadow root; says whether somebody took the click. The page is never left. */
  export function clickInShadow(href, ctrlKey) {
    const host = document.body.appendChild(document.createElement("div"));
    const link = host.attachShadow({ mode: "open" }).appendChild(document.createElement("a"));
    link.href = href;
    let taken;
    window.addEventListener("click", (event) => { taken = event.defaultPrevented; event.preventDefault(); }, { once: true });
    link.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true, cancelable: true, ctrlKey }));
    host.remove();
    return taken;
  }
"#)]
extern "C" {
    fn serve(path: &str, text: &str);
    fn pretend(video: &HtmlVideoElement, name: &str, value: f64);
    #[wasm_bindgen(js_name = blockStorage)]
    fn block_storage(blocked: bool);
    #[wasm_bindgen(js_name = goTo)]
    fn go_to(path: &str);
    #[wasm_bindgen(js_name = clickInShadow)]
    fn click_in_shadow(href: &str, ctrl: bool) -> bool;
}

const COURSE: &str = r#"[
  {"number":1,"title":{"zh-CN":"前端工具","en":"Client tools"},"summary":{"zh-CN":"要","en":"Sum"},"durationSeconds":100,
   "video":"none.mp4","poster":"none.webp","captions":{"zh-CN":"zh.vtt","en":"en.vtt"},
   "chapters":[{"start":0,"title":{"zh-CN":"一","en":"One"}},{"start":40,"title":{"zh-CN":"二","en":"Two"}}]},
  {"number":2,"title":{"zh-CN":"页面上下文","en":"Page context"},"summary":{"zh-CN":"要","en":"Sum"},"durationSeconds":50,
   "video":"none.mp4","poster":"none.webp","captions":{"zh-CN":"zh.vtt","en":"en.vtt"}}]"#;
const CAPTIONS: &str = "WEBVTT\n\n00:00.000 --> 00:10.000\n第一句\n\n00:10.000 --> 00:20.000\n第二句\n";
const PREFERENCES: &str = r#"{"language":"zh-CN"}"#;

fn storage() -> web_sys::Storage {
    gloo::utils::window().local_storage().unwrap().unwrap()
}

fn kept(key: &str) -> String {
    storage().get_item(key).unwrap().unwrap_or_default()
}

fn path() -> String {
    gloo::utils::window().location().pathname().unwrap()
}

/// The app at `path`, for a new learner who reads Chinese.
async fn open(path: &str) -> Mounted<App> {
    storage().clear().unwrap();
    storage().set_item("lesson-player.preferences", PREFERENCES).unwrap();
    open_again(path).await
}

/// The same, for the learner who was there before.
async fn open_again(path: &str) -> Mounted<App> {
    serve("/config.json", "{}");
    serve("/tutor_script.json", "{}");
    serve("/lessons/lessons.json", COURSE);
    serve("/zh.vtt", CAPTIONS);
    serve("/en.vtt", CAPTIONS);
    go_to(path);
    let app = mount::<App>(()).await;
    until(|| app.has("h1") && app.has("praxis-agent"), "the page").await;
    app
}

async fn until(condition: impl Fn() -> bool, what: &str) {
    for _ in 0..300 {
        yew::scheduler::flush().await;
        if condition() {
            return;
        }
        TimeoutFuture::new(10).await;
    }
    panic!("{what} did not come");
}

fn video(app: &Mounted<App>) -> HtmlVideoElement {
    app.query("#lesson-video").unchecked_into()
}

async fn tell(video: &HtmlVideoElement, kind: &str) {
    video.dispatch_event(&web_sys::Event::new(kind).unwrap()).unwrap();
    yew::scheduler::flush().await;
}

/// The outcome of a call: of a front-end tool's, the data or the error in its result (E1).
async fn outcome(agent: &ForeignAgent, name: &str, input: &str) -> String {
    let text = agent.run(name, input).await;
    let result = text.split_once(' ').map(|(_, json)| serde_json::from_str::<Value>(json));
    match result {
        Some(Ok(result)) if result["toolName"] == name => match result["success"].as_bool() {
            Some(true) => format!("result {}", result["data"]),
            _ => format!("error {}", result["error"].as_str().unwrap_or_default()),
        },
        _ => text,
    }
}

async fn expect(agent: &ForeignAgent, name: &str, input: &str, answer: &str) {
    assert_eq!(outcome(agent, name, input).await, answer, "{name} {input}");
}

#[wasm_bindgen_test]
async fn the_lessons_tools_answer_and_explain_what_they_refuse() {
    let app = open("/lessons/1").await;
    let agent = app.agent();
    let at = |position: &str| {
        format!(r#"result {{"lesson":1,"positionSeconds":{position},"durationSeconds":null,"paused":true}}"#)
    };
    // H01: the length is not known yet.
    expect(&agent, "read_playback_progress", "{}", &at("0")).await;
    expect(&agent, "seek_to", r#"{"position_seconds":83}"#, &at("83")).await;
    expect(&agent, "seek_to", r#"{"chapter":2}"#, &at("40")).await;
    let range = "error position_seconds must be from 0 to 100 (the length of this lesson), but was 500";
    expect(&agent, "seek_to", r#"{"position_seconds":500}"#, range).await;
    expect(&agent, "seek_to", "{}", "error give either position_seconds or chapter").await;
    let chapter = "error chapter must be from 1 to 2 (this lesson has 2 chapters), but was 9";
    expect(&agent, "seek_to", r#"{"chapter":9}"#, chapter).await;
    expect(&agent, "set_playback_speed", r#"{"speed":0}"#, "error speed must be from 0.25 to 4, but was 0")
        .await;
    expect(&agent, "pause", "{}", &at("40")).await;
    let chapters = r#"result [{"number":1,"title":"一","startSeconds":0,"endSeconds":40,"current":false},{"number":2,"title":"二","startSeconds":40,"endSeconds":100,"current":true}]"#;
    expect(&agent, "list_chapters", "{}", chapters).await;
    let refused = outcome(&agent, "seek_to", r#"{"position_seconds":"83"}"#).await;
    assert!(refused.starts_with("error ") && refused.contains("position_seconds"), "{refused}");
    // K13.
    expect(&agent, "no_such_tool", "{}", "error unknown tool no_such_tool").await;
}

#[wasm_bindgen_test]
async fn the_transcript_is_read_around_a_position() {
    let app = open("/lessons/1").await;
    until(|| app.has(".line"), "the transcript").await;
    let excerpt = r#"result {"chapter":"一","fromSeconds":0,"toSeconds":20,"text":"第一句 第二句"}"#;
    expect(&app.agent(), "read_transcript", r#"{"position_seconds":12}"#, excerpt).await;
}

#[wasm_bindgen_test]
async fn a_note_of_the_agent_is_the_learners_note() {
    let app = open("/lessons/1").await;
    let agent = app.agent();
    agent.run("seek_to", r#"{"position_seconds":12.34}"#).await;
    let note = r#"result {"id":1,"positionSeconds":12.3,"text":"记一笔"}"#;
    expect(&agent, "add_note", r#"{"text":"  记一笔 "}"#, note).await;
    until(|| app.has(".note"), "the note").await;
    assert!(app.text(".note").contains("记一笔"));
    assert!(kept("lesson-player.notes").contains("记一笔"));
    let range = "error position_seconds must be from 0 to 100 (the length of this lesson), but was 101";
    expect(&agent, "add_note", r#"{"text":"x","position_seconds":101}"#, range).await;
}

#[wasm_bindgen_test]
async fn elsewhere_the_lessons_tools_say_that_no_lesson_is_open() {
    let app = open("/").await;
    let agent = app.agent();
    let refusal = "error no lesson is open on this page; open one with open_lesson first";
    expect(&agent, "read_playback_progress", "{}", refusal).await;
    expect(&agent, "open_lesson", r#"{"number":9}"#, "error there is no lesson 9; there are 1, 2").await;
    let range = "error position_seconds must be from 0 to 50 (the length of lesson 2), but was 60";
    expect(&agent, "open_lesson", r#"{"number":2,"position_seconds":60}"#, range).await;
    assert_eq!(path(), "/");
    let opened = r#"result {"number":2,"title":"页面上下文"}"#;
    expect(&agent, "open_lesson", r#"{"number":2,"position_seconds":30}"#, opened).await;
    assert_eq!(path(), "/lessons/2");
    // The next call finds the lesson's tools.
    let at = r#"result {"lesson":2,"positionSeconds":30,"durationSeconds":null,"paused":true}"#;
    expect(&agent, "read_playback_progress", "{}", at).await;
}

#[wasm_bindgen_test]
async fn the_page_context_follows_the_page() {
    let app = open("/lessons/2").await;
    let agent = app.agent();
    let mut snapshot = agent.snapshot();
    snapshot.sort();
    let playback = r#"playback={"positionSeconds":0,"durationSeconds":null,"paused":true}"#;
    let page = r#"page={"route":"/lessons/2","title":"第 2 课","language":"zh-CN"}"#;
    assert_eq!(snapshot, ["lesson=正在看第 2 课：页面上下文", page, playback]);
    assert!(click_in_shadow("/records", false));
    until(|| agent.snapshot().len() == 1, "the records page").await;
    assert_eq!(agent.snapshot(), [r#"page={"route":"/records","title":"学习记录","language":"zh-CN"}"#]);
}

#[wasm_bindgen_test]
async fn the_page_context_follows_the_video_at_most_once_a_second() {
    let app = open("/lessons/1").await;
    let (agent, video) = (app.agent(), video(&app));
    agent.take_done();
    for tenth in 0..50 {
        pretend(&video, "currentTime", f64::from(tenth));
        tell(&video, "timeupdate").await;
    }
    // The first is told at once or after what is left of the second; the last comes through in the end.
    until(
        || agent.snapshot().iter().any(|entry| entry.contains(r#""positionSeconds":49"#)),
        "the last position",
    )
    .await;
    let told = agent.take_done().into_iter().filter(|done| done.starts_with("setReadable playback")).count();
    assert!(told <= 3, "{told} updates");
}

#[wasm_bindgen_test]
async fn the_video_stays_the_same_element_while_lists_beside_it_change() {
    let app = open("/lessons/1").await;
    let before = video(&app);
    let agent = app.agent();
    for text in ["一", "二", "三"] {
        agent.run("add_note", &format!(r#"{{"text":"{text}"}}"#)).await;
    }
    until(|| app.query(".note-list").child_element_count() == 3, "the notes").await;
    app.query(r#".note-actions button:last-child"#).click();
    until(|| app.query(".note-list").child_element_count() == 2, "one note less").await;
    app.query(".language-button").click();
    until(|| app.text("h1") == "Client tools", "English").await;
    pretend(&before, "currentTime", 15.0);
    tell(&before, "timeupdate").await;
    assert!(before.is_same_node(Some(&video(&app))));
    assert!(before.is_connected());
}

#[wasm_bindgen_test]
async fn the_transcript_follows_the_video() {
    let app = open("/lessons/1").await;
    until(|| app.has(".line"), "the transcript").await;
    let video = video(&app);
    for (position, line) in [(3.0, "0:00第一句"), (15.0, "0:10第二句"), (99.0, "0:10第二句")] {
        pretend(&video, "currentTime", position);
        tell(&video, "timeupdate").await;
        assert_eq!(app.text(".line[aria-current]"), line);
    }
}

#[wasm_bindgen_test]
async fn a_line_takes_the_video_to_it() {
    let app = open("/lessons/1").await;
    until(|| app.has(".line"), "the transcript").await;
    app.query("li:nth-child(2) > .line").click();
    assert_eq!(video(&app).current_time(), 10.0);
}

#[wasm_bindgen_test]
async fn progress_is_remembered_across_visits() {
    let app = open("/lessons/1").await;
    let old = video(&app);
    pretend(&old, "currentTime", 42.0);
    tell(&old, "pause").await;
    app.unmount().await;
    let app = open_again("/lessons/1").await;
    assert_eq!(video(&app).current_time(), 42.0);
    assert!(app.text(".lesson-notice").contains("0:42"));
    app.query(".lesson-notice .button").click();
    assert_eq!(video(&app).current_time(), 0.0);
}

#[wasm_bindgen_test]
async fn case_h06_late_events_of_a_lesson_do_not_touch_the_next() {
    let app = open("/lessons/1").await;
    let old = video(&app);
    assert!(click_in_shadow("/lessons/2", false));
    until(|| app.text("h1") == "页面上下文", "the next lesson").await;
    pretend(&old, "currentTime", 33.0);
    for kind in ["timeupdate", "pause", "ended", "error"] {
        tell(&old, kind).await;
    }
    assert_eq!(video(&app).current_time(), 0.0);
    assert!(!kept("lesson-player.progress").contains(r#""lesson":2"#));
}

#[wasm_bindgen_test]
async fn only_plain_clicks_on_pages_of_the_app_are_taken() {
    let app = open("/").await;
    for (href, ctrl) in
        [("/records", true), ("https://example.com/records", false), ("/zh.vtt", false), ("#content", false)]
    {
        assert!(!click_in_shadow(href, ctrl), "{href}");
        assert_eq!(path(), "/");
    }
    assert!(click_in_shadow("/lessons/1?t=20", false));
    until(|| app.has("#lesson-video"), "the lesson").await;
    assert_eq!(video(&app).current_time(), 20.0);
}

#[wasm_bindgen_test]
async fn the_focus_goes_to_the_new_pages_heading_but_not_away_from_the_agent() {
    let app = open("/").await;
    let active = || gloo::utils::document().active_element().map(|element| element.local_name());
    assert_ne!(active().as_deref(), Some("h1"));
    click_in_shadow("/records", false);
    until(|| app.text("h1") == "学习记录", "the records").await;
    assert_eq!(active().as_deref(), Some("h1"));
    // In a narrow window the agent is in a sheet, and nothing in a closed one takes the focus.
    if app.has(r#".agent[data-open="false"]"#) {
        app.query(".agent-opener").click();
        until(|| app.has(r#".agent[data-open="true"]"#), "the sheet").await;
    }
    let agent: HtmlElement = app.query("praxis-agent");
    agent.set_tab_index(0);
    agent.focus().unwrap();
    app.agent().run("open_lesson", r#"{"number":1}"#).await;
    assert_eq!((active().as_deref(), app.text("h1").as_str()), (Some("praxis-agent"), "前端工具"));
}

#[wasm_bindgen_test]
async fn what_cannot_be_read_is_said_once_and_set_aside() {
    storage().clear().unwrap();
    storage().set_item("lesson-player.preferences", PREFERENCES).unwrap();
    storage().set_item("lesson-player.progress", r#"{"1":83}"#).unwrap();
    let app = open_again("/lessons/1").await;
    assert!(app.text(".notice").contains("无法读取"));
    app.query(".notice button").click();
    until(|| !app.has(".notice"), "the notice's end").await;
    let video = video(&app);
    pretend(&video, "currentTime", 42.0);
    tell(&video, "pause").await;
    assert!(kept("lesson-player.progress").contains("42"));
    assert_eq!(kept("lesson-player.progress.unreadable"), r#"{"1":83}"#);
}

#[wasm_bindgen_test]
async fn case_f01_the_app_opens_where_the_browser_blocks_its_storage() {
    block_storage(true);
    let app = open_again("/lessons/1").await;
    let video = video(&app);
    pretend(&video, "currentTime", 42.0);
    tell(&video, "pause").await;
    let note = app.agent().run("add_note", r#"{"text":"x"}"#).await;
    until(|| app.has(".note"), "the note").await;
    block_storage(false);
    assert!(note.starts_with("result "), "{note}");
}

#[wasm_bindgen_test]
async fn a_broken_configuration_is_explained_and_can_be_tried_again() {
    storage().clear().unwrap();
    serve("/lessons/lessons.json", COURSE);
    serve("/config.json", r#"{"api":{"protocol":"grpc"}}"#);
    go_to("/");
    let app = mount::<App>(()).await;
    until(|| app.has(".agent .empty-state"), "the message").await;
    assert!(app.text(".agent .empty-state").contains(r#"unknown protocol "grpc""#));
    serve("/config.json", "{}");
    serve("/tutor_script.json", "{}");
    app.query(".agent .empty-state button").click();
    until(|| app.has("praxis-agent"), "the agent").await;
}

#[wasm_bindgen_test]
async fn keys_act_on_the_lesson_but_not_while_the_person_writes() {
    let app = open("/lessons/1").await;
    let video = video(&app);
    let press = |target: &HtmlElement, key: &str| foreign::press(target, key, false);
    video.set_current_time(50.0);
    assert!(press(&app.query("h1"), "j"));
    assert_eq!(video.current_time(), 40.0);
    assert!(press(&app.query("h1"), "n"));
    until(|| !app.query("#panel-notes").hidden(), "the notes").await;
    let field: HtmlTextAreaElement = app.query("#new-note").unchecked_into();
    assert!(!press(&field, "j"));
    assert_eq!(video.current_time(), 40.0);
}

fn set_value(app: &Mounted<App>, selector: &str, value: &str) {
    let field = app.query(selector);
    js_sys::Reflect::set(&field, &"value".into(), &value.into()).unwrap();
    let init = web_sys::InputEventInit::new();
    init.set_bubbles(true);
    field.dispatch_event(&web_sys::InputEvent::new_with_event_init_dict("input", &init).unwrap()).unwrap();
}

fn value(app: &Mounted<App>, selector: &str) -> String {
    js_sys::Reflect::get(&app.query(selector), &"value".into()).unwrap().as_string().unwrap()
}

#[wasm_bindgen_test]
async fn e17_the_records_say_what_is_watched_and_what_waits_for_review() {
    let app = open("/records").await;
    until(|| app.has(".table"), "the table").await;
    let texts = |selector: &str| {
        let cells = gloo::utils::document().query_selector_all(selector).unwrap();
        let cells = (0..cells.length()).filter_map(|index| cells.get(index)?.text_content());
        cells.collect::<Vec<_>>()
    };
    assert_eq!(texts(".table thead th"), ["课时", "类型", "状态", "结果", "最近更新"]);
    // The course of these tests has two lessons of three: a video, a quiz and an exercise each.
    assert_eq!(texts(".table td:nth-child(3)"), ["未开始", "已通过", "待审核", "未开始", "需修改", "待审核"]);
    assert!(app.text(".table caption").contains("演示数据"));
}

#[wasm_bindgen_test]
async fn the_profile_keeps_every_kind_of_field_and_shows_the_records_below() {
    let app = open("/profile").await;
    until(|| app.has("form ~ .table-scroll .table"), "the records").await;
    set_value(&app, "#username", "张三");
    set_value(&app, "#dailyMinutes", "30");
    set_value(&app, "#startDate", "2026-12-01");
    set_value(&app, "#role", "student");
    app.query("[name=studyTime][value=evening]").click();
    app.query("[name=reminder]").click();
    for topic in ["tools", "safety"] {
        let option = app.query(&format!("#topics [value={topic}]"));
        js_sys::Reflect::set(&option, &"selected".into(), &true.into()).unwrap();
    }
    app.query("[contenteditable]").set_inner_text("你好\n世界");
    app.query("form [type=submit]").click();
    until(|| app.text(".form-status") == "资料已保存。", "the notice").await;
    let profile = r#"{"name":"张三","email":"","role":"student","daily_minutes":30,"start_date":"2026-12-01","topics":["tools","safety"],"study_time":"evening","reminder":true,"aim":"","about":"你好\n世界"}"#;
    assert_eq!(kept("lesson-player.profile"), profile);

    // What is typed after saving is not taken back.
    set_value(&app, "#username", "李四");
    until(|| app.text(".form-status").is_empty(), "the notice's end").await;
    assert_eq!(value(&app, "#username"), "李四");
    app.unmount().await;

    let app = open_again("/profile").await;
    assert_eq!((value(&app, "#username"), value(&app, "#startDate")), ("张三".into(), "2026-12-01".into()));
    assert_eq!(app.query("[contenteditable]").inner_text(), "你好\n世界");
    assert!(app.has("[name=studyTime][value=evening]:checked") && app.has("[name=reminder]:checked"));
    assert!(app.has("#topics [value=safety]:checked") && !app.has("#topics [value=context]:checked"));
}

#[wasm_bindgen_test]
async fn what_the_profile_cannot_keep_is_said_at_its_field() {
    let app = open("/profile").await;
    set_value(&app, "#email", "nobody");
    app.query("form [type=submit]").click();
    until(|| app.has("#email[aria-invalid=true]"), "the message").await;
    assert!(app.text("#email-note").contains("完整的邮箱"));
    set_value(&app, "#email", "");
    set_value(&app, "#dailyMinutes", "601");
    app.query("form [type=submit]").click();
    until(|| app.has("#dailyMinutes[aria-invalid=true]"), "the message").await;
    assert!(!app.has("#email[aria-invalid]"));
    assert_eq!(kept("lesson-player.profile"), "");
}

#[wasm_bindgen_test]
async fn the_agent_goes_to_the_lessons_beside_this_one() {
    let app = open("/lessons/1").await;
    let agent = app.agent();
    expect(&agent, "previous_lesson", "{}", "error this is the first lesson").await;
    expect(&agent, "next_lesson", "{}", r#"result {"number":2,"title":"页面上下文"}"#).await;
    assert_eq!(path(), "/lessons/2");
    expect(&agent, "next_lesson", "{}", "error this is the last lesson").await;
    expect(&agent, "previous_lesson", "{}", r#"result {"number":1,"title":"前端工具"}"#).await;
    assert_eq!(path(), "/lessons/1");
}

#[wasm_bindgen_test]
async fn case_h07_the_agent_changes_the_captions_that_are_shown() {
    let app = open("/lessons/1").await;
    let agent = app.agent();
    let shown = || {
        let tracks = video(&app).text_tracks().unwrap();
        let shown = (0..tracks.length()).filter_map(|index| {
            let track: web_sys::TextTrack =
                js_sys::Reflect::get_u32(&tracks, index).unwrap().unchecked_into();
            (track.mode() == web_sys::TextTrackMode::Showing).then(|| track.language())
        });
        shown.collect::<Vec<_>>()
    };
    expect(&agent, "set_captions", r#"{"language":"en"}"#, r#"result {"captions":"en"}"#).await;
    assert_eq!(shown(), ["en"]);
    expect(&agent, "set_captions", r#"{"language":"off"}"#, r#"result {"captions":"off"}"#).await;
    assert!(shown().is_empty());
    // Kept, as if the person had chosen it; without a language: the app's.
    assert!(kept("lesson-player.preferences").contains(r#""captions":"off""#));
    expect(&agent, "set_captions", "{}", r#"result {"captions":"zh-CN"}"#).await;
    assert_eq!(shown(), ["zh-CN"]);
    let refused = "error language: must be zh-CN, en or off";
    expect(&agent, "set_captions", r#"{"language":"fr"}"#, refused).await;
}

#[wasm_bindgen_test]
async fn e15_the_calls_after_a_navigation_find_the_new_pages_tools() {
    let app = open("/").await;
    let calls = [
        ("open_lesson", r#"{"number":1}"#),
        ("read_playback_progress", "{}"),
        ("next_lesson", "{}"),
        ("read_playback_progress", "{}"),
    ];
    let calls = calls.map(|(name, input)| outcome_later(&app, name, input));
    let mut outcomes = Vec::new();
    for call in calls {
        outcomes.push(call.await.unwrap());
    }
    assert!(outcomes[0].starts_with(r#"result {"number":1"#), "{}", outcomes[0]);
    assert!(outcomes[1].contains(r#""lesson":1"#), "{}", outcomes[1]);
    assert_eq!(outcomes[2], r#"result {"number":2,"title":"页面上下文"}"#);
    assert!(outcomes[3].contains(r#""lesson":2"#), "{}", outcomes[3]);
    assert_eq!(path(), "/lessons/2");
}

/// Makes a call and goes on; what comes of it is received later.
fn outcome_later(
    app: &Mounted<App>,
    name: &'static str,
    input: &'static str,
) -> futures_channel::oneshot::Receiver<String> {
    let (sender, receiver) = futures_channel::oneshot::channel();
    let agent = app.agent();
    wasm_bindgen_futures::spawn_local(async move {
        let _ = sender.send(outcome(&agent, name, input).await);
    });
    receiver
}
