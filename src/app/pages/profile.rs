//! Who the learner is: a form, kept in this browser; below it their study records.
//!
//! The form is controlled: what its fields hold is read as a whole at each input. So it is the same to it who fills
//! a field, a person or the agent.

use wasm_bindgen::JsCast as _;
use web_sys::{FormData, HtmlElement, HtmlFormElement};
use yew::prelude::*;

use super::records_table::records_table;
use crate::app::components::{Choice, PageHeading, segmented};
use crate::app::learner::{Change, Profile, use_learner, use_learner_store};
use crate::app::site::use_site;
use crate::app::words::use_words;

/// The page of the learner's profile.
#[component]
pub fn ProfilePage() -> Html {
    let words = use_words();
    let learner = use_learner();
    let site = use_site();
    let store = use_learner_store();
    let form = use_node_ref();
    let about = use_node_ref();
    let draft = use_state_eq(|| (*learner.profile).clone());
    // The name of the field that cannot be kept as it is.
    let invalid = use_state_eq(|| None::<String>);
    let saved = use_state_eq(|| false);

    // What is edited in place is the browser's: it is set once, when the page opens.
    use_effect_with(about.clone(), {
        let text = draft.about.clone();
        move |about| {
            if let Some(about) = about.cast::<HtmlElement>() {
                about.set_inner_text(&text);
            }
        }
    });
    let read = {
        let (form, about) = (form.clone(), about.clone());
        move || Some(read_form(&form.cast()?, &about.cast()?))
    };
    let oninput = {
        let (set_draft, set_saved, read) = (draft.setter(), saved.setter(), read.clone());
        Callback::from(move |_: InputEvent| {
            set_saved.set(false);
            if let Some(profile) = read() {
                set_draft.set(profile);
            }
        })
    };
    let onsubmit = {
        let (set_invalid, set_saved) = (invalid.setter(), saved.setter());
        let form = form.clone();
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let wrong =
                form.cast::<HtmlFormElement>().and_then(|form| form.query_selector(":invalid").ok()?);
            set_saved.set(wrong.is_none());
            set_invalid.set(wrong.as_ref().and_then(|field| field.get_attribute("name")));
            if let Some(field) = wrong.and_then(|field| field.dyn_into::<HtmlElement>().ok()) {
                let _ = field.focus();
            } else if let Some(profile) = read() {
                store.apply(Change::Profile(profile));
            }
        })
    };
    let problem = |name: &str| *invalid == Some(name.to_owned());
    let roles = [
        ("", words.field_role_none),
        ("frontend", words.role_frontend),
        ("backend", words.role_backend),
        ("product", words.role_product),
        ("student", words.role_student),
        ("other", words.role_other),
    ];
    let topics = [
        ("tools", words.topic_tools),
        ("context", words.topic_context),
        ("reliability", words.topic_reliability),
        ("safety", words.topic_safety),
    ];
    let times = [
        ("", words.time_any),
        ("morning", words.time_morning),
        ("afternoon", words.time_afternoon),
        ("evening", words.time_evening),
    ];
    let times = times.map(|(value, label)| Choice { value, label, lang: None });
    let time = times.iter().find(|time| time.value == draft.study_time).map_or("", |time| time.value);
    let minutes = draft.daily_minutes.map(|minutes| minutes.to_string()).unwrap_or_default();
    html! {
        <div class="page page-narrow">
            <PageHeading title={words.profile_title} />
            <p class="lead">{ words.profile_intro }</p>
            <form ref={form} id="profile-form" class="card form" novalidate=true {onsubmit} {oninput}>
                { field("username", words.field_name, "", html! {
                    <input id="username" name="username" data-field={words.field_name} type="text" autocomplete="nickname" maxlength="80" value={draft.name.clone()} />
                }) }
                { field("email", words.field_email, message(problem("email"), words.email_invalid), html! {
                    <input id="email" name="email" data-field={words.field_email} type="email" autocomplete="email" maxlength="200" value={draft.email.clone()}
                        aria-invalid={problem("email").then_some("true")} aria-describedby="email-note" />
                }) }
                { field("role", words.field_role, "", html! {
                    <select id="role" name="role" data-field={words.field_role}>
                        for (value, label) in roles { <option {value} selected={draft.role == value}>{ label }</option> }
                    </select>
                }) }
                { field("dailyMinutes", words.field_daily, if problem("dailyMinutes") { words.daily_invalid } else { words.field_daily_hint }, html! {
                    <input id="dailyMinutes" name="dailyMinutes" data-field={words.field_daily} type="number" inputmode="numeric" min="1" max="600" step="1" value={minutes}
                        aria-invalid={problem("dailyMinutes").then_some("true")} aria-describedby="dailyMinutes-note" />
                }) }
                { field("startDate", words.field_start, message(problem("startDate"), words.start_invalid), html! {
                    <input id="startDate" name="startDate" data-field={words.field_start} type="date" value={draft.start_date.clone()}
                        aria-invalid={problem("startDate").then_some("true")} aria-describedby="startDate-note" />
                }) }
                { field("topics", words.field_topics, "", html! {
                    <select id="topics" name="topics" data-field={words.field_topics} multiple=true size="4">
                        for (value, label) in topics { <option {value} selected={draft.topics.iter().any(|topic| topic == value)}>{ label }</option> }
                    </select>
                }) }
                <div class="field-wide">{ segmented("studyTime", words.field_time, &times, time, Callback::noop()) }</div>
                { field("aim", words.field_aim, "", html! {
                    <textarea id="aim" name="aim" data-field={words.field_aim} rows="3" maxlength="1000" value={draft.aim.clone()} />
                }) }
                <div class="field">
                    <span id="about-label" class="label">{ words.field_about }</span>
                    <div ref={about} class="editable" data-field={words.field_about} contenteditable="plaintext-only" role="textbox" aria-multiline="true" aria-labelledby="about-label" />
                </div>
                <label class="check field-wide">
                    <input type="checkbox" name="reminder" data-field={words.field_reminder} checked={draft.reminder} />
                    <span>{ words.field_reminder }</span>
                </label>
                <div class="form-actions">
                    <button type="submit" class="button button-primary">{ words.save }</button>
                    <p class="form-status" role="status">{ if *saved { words.profile_saved } else { "" } }</p>
                </div>
            </form>
            { records_table(words, &site, &learner) }
        </div>
    }
}

fn message(is_wrong: bool, text: &'static str) -> &'static str {
    if is_wrong { text } else { "" }
}

/// A field with its label, and a note below it: how to fill it in, or what is wrong.
fn field(id: &'static str, label: &'static str, note: &'static str, control: Html) -> Html {
    html! {
        <div class="field">
            <label for={id}>{ label }</label>
            { control }
            <p id={[id, "-note"].concat()} class="field-hint" role="status">{ note }</p>
        </div>
    }
}

fn read_form(form: &HtmlFormElement, about: &HtmlElement) -> Profile {
    // It fails for no form that exists.
    let Ok(data) = FormData::new_with_form(form) else { return Profile::default() };
    let text = |name| data.get(name).as_string().unwrap_or_default();
    Profile {
        name: text("username"),
        email: text("email"),
        role: text("role"),
        daily_minutes: text("dailyMinutes").parse().ok(),
        start_date: text("startDate"),
        topics: data.get_all("topics").iter().filter_map(|topic| topic.as_string()).collect(),
        study_time: text("studyTime"),
        reminder: data.has("reminder"),
        aim: text("aim"),
        about: about.inner_text(),
    }
}
