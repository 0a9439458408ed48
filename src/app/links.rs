//! Links within the app, wherever they stand.
//!
//! Pages write plain `<a href>`, and so does the agent in its answers. One listener on the document hands those that
//! stay in the app to the router. It is native because Yew's events do not leave the agent's element.

use serde_json::Value;
use wasm_bindgen::JsCast as _;
use web_sys::{Event, HtmlAnchorElement, MouseEvent};
use yew::prelude::*;
use yew_router::prelude::*;

use super::routes::Route;
use crate::binding::EventListener;
use crate::protocol::json_text::number_text;

/// The address of a page.
#[must_use]
pub fn href(route: Route) -> String {
    with_base(&route.to_path())
}

/// The address of a moment of a lesson.
#[must_use]
pub fn moment_href(lesson: u32, seconds: f64) -> String {
    format!(
        "{}?t={}",
        href(Route::Lesson { number: lesson }),
        super::clock::whole_seconds(seconds).unwrap_or(0)
    )
}

/// The moment that a page's query names: `?t=83`, in seconds.
#[must_use]
pub fn moment_of(query: &str) -> Option<f64> {
    let pairs = query.trim_start_matches('?').split('&');
    let seconds = pairs.filter_map(|pair| pair.strip_prefix("t=")).next()?;
    let seconds = serde_json::from_str::<Value>(seconds).ok()?.as_f64()?;
    (seconds.is_finite() && seconds >= 0.0).then_some(seconds)
}

fn with_base(path: &str) -> String {
    [yew_router::utils::fetch_base_url().unwrap_or_default().as_str(), path].concat()
}

fn without_base(path: &str) -> Option<&str> {
    let base = yew_router::utils::fetch_base_url().unwrap_or_default();
    path.strip_prefix(&base).filter(|path| path.starts_with('/'))
}

/// Follows links within the app without loading the page anew.
#[hook]
pub fn use_in_app_links() {
    let navigator = use_navigator();
    use_effect_with(navigator, |navigator| {
        let listener = navigator.clone().map(|navigator| {
            EventListener::new(&gloo::utils::document(), "click", move |event| {
                if let Some((path, query)) = in_app_target(&event) {
                    event.prevent_default();
                    navigate(&navigator, &path, &query);
                }
            })
        });
        move || drop(listener)
    });
}

/// Moves the router to a path, without the site's base, and a query such as `?t=83`.
pub fn navigate(navigator: &Navigator, path: &str, query: &str) {
    let route = Route::recognize(path).unwrap_or(Route::NotFound);
    // The router encodes pairs by itself; the only query that the app knows is the moment.
    match moment_of(query) {
        Some(seconds) => _ = navigator.push_with_query(&route, [("t", number_text(seconds))]),
        None => navigator.push(&route),
    }
}

/// Waits for the page that was navigated to: it is there after the router's and Yew's own turns of the event loop.
pub async fn page_shown() {
    gloo::timers::future::TimeoutFuture::new(0).await;
}

/// The path without the site's base, and the query, of the page that is shown.
#[must_use]
pub fn address_shown() -> String {
    let location = gloo::utils::window().location();
    let [path, query] = [location.pathname(), location.search()].map(Result::unwrap_or_default);
    [without_base(&path).unwrap_or(&path), &query].concat()
}

/// The path without the site's base, and the query, of a link that a plain click follows within the app.
fn in_app_target(event: &Event) -> Option<(String, String)> {
    let mouse: &MouseEvent = event.dyn_ref()?;
    let plain = mouse.button() == 0
        && !(mouse.meta_key() || mouse.ctrl_key() || mouse.shift_key() || mouse.alt_key())
        && !event.default_prevented();
    if !plain {
        return None;
    }
    let anchor = event.composed_path().iter().find_map(|node| node.dyn_into::<HtmlAnchorElement>().ok())?;
    let other_place = !matches!(anchor.target().as_str(), "" | "_self") || anchor.has_attribute("download");
    let location = gloo::utils::window().location();
    if other_place || anchor.origin() != location.origin().ok()? {
        return None;
    }
    // A place on this page: the browser goes there by itself.
    if !anchor.hash().is_empty() && Some(anchor.pathname()) == location.pathname().ok() {
        return None;
    }
    let path = without_base(&anchor.pathname())?.to_owned();
    // A file of the site, such as captions, is no page.
    let last = path.rsplit('/').next().unwrap_or_default();
    (!last.contains('.')).then(|| (path, anchor.search()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_read_only_where_it_is_one() {
        assert_eq!(moment_of("?t=83"), Some(83.0));
        assert_eq!(moment_of("?x=1&t=0"), Some(0.0));
        for query in ["", "?", "?t=", "?t=-4", "?t=NaN", "?t=inf", "?at=3"] {
            assert_eq!(moment_of(query), None, "{query}");
        }
    }
}
