//! What stands around every page: the bar at the top, the navigation, notices, and the agent.

use yew::prelude::*;
use yew_router::prelude::*;

use super::agent::{AgentPanel, AppTools, ConfirmationDialog, use_agent_panel};
use super::components::{IconName, icon};
use super::language::Language;
use super::learner::{Change, StorageProblem, Theme, use_learner, use_learner_store};
use super::links::{href, use_in_app_links};
use super::pages::{CoursePage, LessonPage, NotFoundPage, ProfilePage, RecordsPage, SettingsPage};
use super::routes::Route;
use super::words::use_words;

/// The frame around the pages.
#[component]
pub fn Shell() -> Html {
    let words = use_words();
    let is_open = use_agent_panel().is_open;
    use_in_app_links();
    html! {
        <div class="shell" data-agent={if is_open { "open" } else { "closed" }}>
            <a class="skip-link" href="#content">{ words.skip_to_content }</a>
            <TopBar />
            <main id="content" class="content" tabindex="-1">
                <StorageNotice />
                <Switch<Route> render={page} />
            </main>
            <AgentPanel />
            <AppTools />
            <ConfirmationDialog />
        </div>
    }
}

fn page(route: Route) -> Html {
    match route {
        Route::Course => html! { <CoursePage /> },
        Route::Lesson { number } => html! { <LessonPage {number} /> },
        Route::Records => html! { <RecordsPage /> },
        Route::Profile => html! { <ProfilePage /> },
        Route::Settings => html! { <SettingsPage /> },
        Route::NotFound => html! { <NotFoundPage /> },
    }
}

#[component]
fn TopBar() -> Html {
    let words = use_words();
    let store = use_learner_store();
    let theme = use_learner().preferences.theme;
    let control = use_agent_panel();
    let current = use_route::<Route>();
    let (theme_icon, theme_now, theme_next) = match theme {
        Theme::System => (IconName::System, words.theme_system, Theme::Light),
        Theme::Light => (IconName::Sun, words.theme_light, Theme::Dark),
        Theme::Dark => (IconName::Moon, words.theme_dark, Theme::System),
    };
    let theme_label = [words.theme, " · ", theme_now].concat();
    let other = match words.language {
        Language::ZhCn => Language::En,
        Language::En => Language::ZhCn,
    };
    let prefer = move |change: Box<dyn Fn(&mut super::learner::Preferences)>| {
        let store = store.clone();
        Callback::from(move |_: MouseEvent| {
            let mut preferences = (*store.get().preferences).clone();
            change(&mut preferences);
            store.apply(Change::Preferences(preferences));
        })
    };
    let places = [
        (Route::Course, IconName::Course, words.nav_course),
        (Route::Records, IconName::Records, words.nav_records),
        (Route::Profile, IconName::Profile, words.nav_profile),
        (Route::Settings, IconName::Settings, words.nav_settings),
    ];
    let is_current = |place: Route| match (place, current) {
        (Route::Course, Some(Route::Lesson { .. })) => Some("true"),
        (place, Some(current)) if place == current => Some("page"),
        _ => None,
    };
    html! {
        <header class="top-bar">
            <a class="brand" href={href(Route::Course)}>
                <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" /><path d="M11 9.500v13l7.500-6.500zM21.500 9.500l.9 2.300 2.300.9-2.300.9-.9 2.300-.9-2.300-2.300-.9 2.300-.9z" /></svg>
                <span>{ words.course_name }</span>
            </a>
            <nav class="main-nav" aria-label={words.main_navigation}>
                for (place, picture, label) in places {
                    <a key={label} href={href(place)} aria-current={is_current(place)}>{ icon(picture) }<span>{ label }</span></a>
                }
            </nav>
            <div class="top-bar-actions">
                <button type="button" class="icon-button language-button" lang={other.tag()} aria-label={words.switch_language} title={words.switch_language}
                    onclick={prefer(Box::new(move |preferences| preferences.language = Some(other)))}>{ words.switch_language_short }</button>
                <button type="button" class="icon-button" aria-label={theme_label.clone()} title={theme_label}
                    onclick={prefer(Box::new(move |preferences| preferences.theme = theme_next))}>{ icon(theme_icon) }</button>
                <button type="button" class="icon-button agent-toggle" aria-controls="assistant" aria-expanded={if control.is_open { "true" } else { "false" }}
                    aria-label={words.assistant} title={if control.is_open { words.assistant_close } else { words.assistant_open }}
                    onclick={control.set_open.reform({ let open = control.is_open; move |_| !open })}>{ icon(IconName::Assistant) }</button>
            </div>
        </header>
    }
}

/// What went wrong with the browser's storage, once.
#[component]
fn StorageNotice() -> Html {
    let words = use_words();
    let store = use_learner_store();
    let problem = use_learner().problem;
    let text = problem.map(|problem| match problem {
        StorageProblem::Disabled => words.storage_disabled,
        StorageProblem::Full => words.storage_full,
        StorageProblem::Unreadable => words.storage_unreadable,
    });
    let onclick = Callback::from(move |_: MouseEvent| store.apply(Change::ProblemRead));
    html! {
        <div class="notice-place" role="status">
            if let Some(text) = text {
                <div class="notice">
                    { icon(IconName::Warning) }
                    <p>{ text }</p>
                    <button type="button" class="button button-small" {onclick}>{ words.dismiss }</button>
                </div>
            }
        </div>
    }
}
