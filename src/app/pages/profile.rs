//! Who the learner is: a form, kept in this browser.

use wasm_bindgen::JsCast as _;
use web_sys::{HtmlElement, HtmlFormElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

use crate::app::components::PageHeading;
use crate::app::learner::{Change, Profile, use_learner, use_learner_store};
use crate::app::words::use_words;

/// What the form says that cannot be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Invalid {
    Email,
    DailyMinutes,
}

/// The page of the learner's profile.
#[component]
pub fn ProfilePage() -> Html {
    let words = use_words();
    let profile = use_learner().profile;
    let store = use_learner_store();
    let form = use_node_ref();
    let invalid = use_state_eq(|| None::<Invalid>);
    let saved = use_state_eq(|| false);

    let onsubmit = {
        let (form, set_invalid, set_saved) = (form.clone(), invalid.setter(), saved.setter());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let Some(form) = form.cast::<HtmlFormElement>() else { return };
            match read_form(&form) {
                Ok(profile) => {
                    set_invalid.set(None);
                    set_saved.set(true);
                    store.apply(Change::Profile(profile));
                }
                Err(problem) => {
                    set_saved.set(false);
                    set_invalid.set(Some(problem));
                    let name = if problem == Invalid::Email { "email" } else { "dailyMinutes" };
                    if let Some(field) = field::<HtmlElement>(&form, name) {
                        let _ = field.focus();
                    }
                }
            }
        })
    };
    let oninput = {
        let set_saved = saved.setter();
        Callback::from(move |_: InputEvent| set_saved.set(false))
    };
    let problem = |which: Invalid, id: &'static str, text: &'static str| {
        html! { <p {id} class="field-problem" role="alert">{ if *invalid == Some(which) { text } else { "" } }</p> }
    };
    let roles = [
        ("", words.field_role_none),
        ("frontend", words.role_frontend),
        ("backend", words.role_backend),
        ("product", words.role_product),
        ("student", words.role_student),
        ("other", words.role_other),
    ];
    let minutes = profile.daily_minutes.map(|minutes| minutes.to_string()).unwrap_or_default();
    html! {
        <div class="page page-narrow">
            <PageHeading title={words.profile_title} />
            <p class="lead">{ words.profile_intro }</p>
            <form ref={form} class="card form" novalidate=true {onsubmit} {oninput}>
                <div class="field">
                    <label for="profile-name">{ words.field_name }</label>
                    <input id="profile-name" name="name" type="text" autocomplete="nickname" maxlength="80" value={profile.name.clone()} />
                </div>
                <div class="field">
                    <label for="profile-email">{ words.field_email }</label>
                    <input id="profile-email" name="email" type="email" autocomplete="email" maxlength="200" value={profile.email.clone()}
                        aria-invalid={(*invalid == Some(Invalid::Email)).then_some("true")} aria-describedby="profile-email-problem" />
                    { problem(Invalid::Email, "profile-email-problem", words.email_invalid) }
                </div>
                <div class="field">
                    <label for="profile-role">{ words.field_role }</label>
                    <select id="profile-role" name="role">
                        for (value, label) in roles { <option {value} selected={profile.role == value}>{ label }</option> }
                    </select>
                </div>
                <div class="field">
                    <label for="profile-daily">{ words.field_daily }</label>
                    <input id="profile-daily" name="dailyMinutes" type="text" inputmode="numeric" maxlength="6" value={minutes}
                        aria-invalid={(*invalid == Some(Invalid::DailyMinutes)).then_some("true")} aria-describedby="profile-daily-hint profile-daily-problem" />
                    <p id="profile-daily-hint" class="field-hint">{ words.field_daily_hint }</p>
                    { problem(Invalid::DailyMinutes, "profile-daily-problem", words.daily_invalid) }
                </div>
                <div class="field field-wide">
                    <label for="profile-aim">{ words.field_aim }</label>
                    <textarea id="profile-aim" name="aim" rows="4" maxlength="1000" value={profile.aim.clone()} />
                </div>
                <div class="form-actions">
                    <button type="submit" class="button button-primary">{ words.save }</button>
                    <p class="form-status" role="status">{ if *saved { words.profile_saved } else { "" } }</p>
                </div>
            </form>
        </div>
    }
}

fn field<T: wasm_bindgen::JsCast>(form: &HtmlFormElement, name: &str) -> Option<T> {
    form.query_selector(&["[name=", name, "]"].concat()).ok()??.dyn_into().ok()
}

fn read_form(form: &HtmlFormElement) -> Result<Profile, Invalid> {
    let text = |name| {
        field::<HtmlInputElement>(form, name).map(|input| input.value().trim().to_owned()).unwrap_or_default()
    };
    // The browser knows what an address looks like.
    if field::<HtmlInputElement>(form, "email").is_some_and(|email| !email.check_validity()) {
        return Err(Invalid::Email);
    }
    let minutes = text("dailyMinutes");
    let daily_minutes = match minutes.as_str() {
        "" => None,
        digits => {
            let minutes = digits.parse().ok().filter(|minutes| Profile::DAILY_MINUTES.contains(minutes));
            Some(minutes.ok_or(Invalid::DailyMinutes)?)
        }
    };
    Ok(Profile {
        name: text("name"),
        email: text("email"),
        role: field::<HtmlSelectElement>(form, "role").map(|select| select.value()).unwrap_or_default(),
        daily_minutes,
        aim: field::<HtmlTextAreaElement>(form, "aim").map(|area| area.value()).unwrap_or_default(),
    })
}
