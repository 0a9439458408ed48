//! How the learner wants the app, and what to forget.

use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::app::components::{Choice, ConfirmButton, PageHeading, segmented};
use crate::app::conversations::clear_conversations;
use crate::app::fetch::site_url;
use crate::app::language::Language;
use crate::app::learner::{
    CaptionsChoice, Change, Part, Preferences, SPEEDS, Theme, use_learner, use_learner_store,
};
use crate::app::words::{Words, use_words};
use crate::protocol::json_text::number_text;

#[wasm_bindgen(module = "/src/app/agent/load.js")]
extern "C" {
    #[wasm_bindgen(js_name = loadForm)]
    fn load_form(address: &str, place: &Element);
}

/// The page of settings.
#[component]
pub fn SettingsPage() -> Html {
    let words = use_words();
    let preferences = use_learner().preferences;
    let store = use_learner_store();
    let status = use_state_eq(|| "");
    let connection = use_node_ref();
    use_effect_with(connection.clone(), |connection| {
        if let Some(place) = connection.cast::<Element>() {
            load_form(&site_url("connection/settings.js"), &place);
        }
    });

    // Applies a change to the preferences that hold when it is made.
    let prefer = {
        let store = store.clone();
        move |change: fn(&mut Preferences, &str)| {
            let store = store.clone();
            Callback::from(move |value: String| {
                let mut preferences = (*store.get().preferences).clone();
                change(&mut preferences, &value);
                store.apply(Change::Preferences(preferences));
            })
        }
    };
    let reset = |part: Part| {
        let (store, set_status) = (store.clone(), status.setter());
        Callback::from(move |()| {
            store.apply(Change::Reset(part));
            set_status.set(words.reset_done);
        })
    };
    let languages = Language::ALL.map(|language| Choice {
        value: language.tag(),
        label: language.own_name(),
        lang: Some(language.tag()),
    });
    let themes =
        Theme::ALL.map(|theme| Choice { value: theme.name(), label: theme_words(words, theme), lang: None });
    let select_value = |onchoose: Callback<String>| {
        Callback::from(move |event: Event| {
            if let Some(select) =
                event.target().and_then(|target| target.dyn_into::<HtmlSelectElement>().ok())
            {
                onchoose.emit(select.value());
            }
        })
    };
    let onshortcuts = {
        let prefer = prefer(|preferences, value| preferences.shortcuts = value == "on");
        Callback::from(move |event: Event| {
            let checked = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
            prefer.emit(if checked.is_some_and(|input| input.checked()) { "on" } else { "off" }.to_owned());
        })
    };
    html! {
        <div class="page page-narrow">
            <PageHeading title={words.settings_title} />
            <section class="card form" aria-labelledby="settings-display">
                <h2 id="settings-display">{ words.settings_display }</h2>
                { segmented("language", words.settings_language, &languages, words.language.tag(), prefer(|preferences, value| preferences.language = Language::from_tag(value))) }
                { segmented("theme", words.theme, &themes, preferences.theme.name(), prefer(|preferences, value| if let Some(theme) = Theme::ALL.into_iter().find(|theme| theme.name() == value) { preferences.theme = theme; })) }
            </section>
            <section class="card form" aria-labelledby="settings-playback">
                <h2 id="settings-playback">{ words.settings_playback }</h2>
                <div class="field">
                    <label for="settings-captions">{ words.settings_captions }</label>
                    <select id="settings-captions" onchange={select_value(prefer(|preferences, value| {
                        if let Some(choice) = CaptionsChoice::ALL.into_iter().find(|choice| captions_name(*choice) == value) { preferences.captions = choice; }
                    }))}>
                        for choice in CaptionsChoice::ALL {
                            <option value={captions_name(choice)} selected={choice == preferences.captions}>{ captions_words(words, choice) }</option>
                        }
                    </select>
                </div>
                <div class="field">
                    <label for="settings-speed">{ words.settings_speed }</label>
                    <select id="settings-speed" onchange={select_value(prefer(|preferences, value| {
                        if let Some(speed) = SPEEDS.into_iter().find(|speed| number_text(*speed) == value) { preferences.speed = speed; }
                    }))}>
                        for speed in SPEEDS {
                            <option value={number_text(speed)} selected={speed == preferences.speed}>{ number_text(speed) }{ "×" }</option>
                        }
                    </select>
                </div>
                <label class="check">
                    <input type="checkbox" checked={preferences.shortcuts} onchange={onshortcuts} />
                    <span>{ words.settings_shortcuts }</span>
                </label>
            </section>
            <section class="card form" aria-labelledby="settings-connection">
                <h2 id="settings-connection">{ words.settings_connection }</h2>
                <connection-settings ref={connection} lang={words.language.tag()} data-failed={words.connection_failed}>
                    <p class="field-hint">{ words.loading }</p>
                </connection-settings>
            </section>
            <section class="card form" aria-labelledby="settings-data">
                <h2 id="settings-data">{ words.settings_data }</h2>
                <p class="field-hint">{ words.settings_data_hint }</p>
                <ConfirmButton label={words.reset_progress} question={words.reset_progress_ask} confirm={words.reset_confirm} onconfirm={reset(Part::Progress)} />
                <ConfirmButton label={words.reset_notes} question={words.reset_notes_ask} confirm={words.reset_confirm} onconfirm={reset(Part::Notes)} />
                <ConfirmButton label={words.reset_conversations} question={words.reset_conversations_ask} confirm={words.reset_confirm} onconfirm={Callback::from(|()| clear_conversations())} />
                <p class="form-status" role="status">{ *status }</p>
            </section>
        </div>
    }
}

/// A theme in words.
pub(in crate::app) fn theme_words(words: &Words, theme: Theme) -> &'static str {
    match theme {
        Theme::System => words.theme_system,
        Theme::Light => words.theme_light,
        Theme::Dark => words.theme_dark,
    }
}

fn captions_name(choice: CaptionsChoice) -> &'static str {
    match choice {
        CaptionsChoice::AppLanguage => "app",
        CaptionsChoice::ZhCn => Language::ZhCn.tag(),
        CaptionsChoice::En => Language::En.tag(),
        CaptionsChoice::Off => "off",
    }
}

fn captions_words(words: &Words, choice: CaptionsChoice) -> &'static str {
    match choice {
        CaptionsChoice::AppLanguage => words.captions_app,
        CaptionsChoice::ZhCn => Language::ZhCn.own_name(),
        CaptionsChoice::En => Language::En.own_name(),
        CaptionsChoice::Off => words.captions_off,
    }
}
