//! Reads a file of the site.

use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;
use yew::prelude::*;

/// Why a file cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The server could not be reached.
    #[error("no connection")]
    Unreachable,
    /// The server has it not, or refuses it.
    #[error("HTTP status {0}")]
    Status(u16),
}

/// The address of a file of the site, given relative to its base; a page's own path does not matter.
#[must_use]
pub fn site_url(path: &str) -> String {
    let base = yew_router::utils::fetch_base_url().unwrap_or_default();
    [base.as_str(), "/", path].concat()
}

/// Reads the text of a file of the site.
///
/// # Errors
/// [`FetchError`].
pub async fn fetch_text(path: &str) -> Result<Rc<str>, FetchError> {
    let response = JsFuture::from(gloo::utils::window().fetch_with_str(&site_url(path))).await;
    let response: Response = response.map_err(|_| FetchError::Unreachable)?.unchecked_into();
    if !response.ok() {
        return Err(FetchError::Status(response.status()));
    }
    let text = response.text().map_err(|_| FetchError::Unreachable)?;
    let text = JsFuture::from(text).await.map_err(|_| FetchError::Unreachable)?;
    Ok(text.as_string().unwrap_or_default().into())
}

/// A file that is read, was read, or could not be.
#[derive(Clone, Debug, PartialEq)]
pub enum Loading<T> {
    /// It is on its way.
    Pending,
    /// Here it is.
    Ready(T),
    /// Why it could not be read, for people.
    Failed(Rc<str>),
}

/// Reads a file of the site and makes a value of it; without a path nothing is read, and the file stays pending. The
/// second value reads it again.
#[hook]
pub fn use_file<T, E>(path: Option<&str>, parse: fn(&str) -> Result<T, E>) -> (Loading<T>, Callback<()>)
where
    T: Clone + PartialEq + 'static,
    E: ToString + 'static,
{
    let (text, again) = use_text(path);
    let parsed = use_memo(text, |text| match text {
        Loading::Pending => Loading::Pending,
        Loading::Ready(text) => {
            parse(text).map_or_else(|error| Loading::Failed(error.to_string().into()), Loading::Ready)
        }
        Loading::Failed(reason) => Loading::Failed(reason.clone()),
    });
    ((*parsed).clone(), again)
}

/// What [`use_file`] does for every kind of file.
#[hook]
fn use_text(path: Option<&str>) -> (Loading<Rc<str>>, Callback<()>) {
    let path = path.map(Rc::<str>::from);
    let loading = use_state(|| (None, Loading::Pending));
    let attempt = use_state(|| 0_u32);
    use_effect_with((path.clone(), *attempt), {
        let set_loading = loading.setter();
        move |(path, _)| {
            set_loading.set((path.clone(), Loading::Pending));
            // An answer that comes after the component has gone, or has asked for another file, is dropped.
            let wanted = Rc::new(());
            let still_wanted = Rc::downgrade(&wanted);
            if let Some(path) = path.clone() {
                wasm_bindgen_futures::spawn_local(async move {
                    let outcome = match fetch_text(&path).await {
                        Ok(text) => Loading::Ready(text),
                        Err(error) => Loading::Failed([&*path, ": ", &error.to_string()].concat().into()),
                    };
                    if still_wanted.strong_count() > 0 {
                        set_loading.set((Some(path), outcome));
                    }
                });
            }
            move || drop(wanted)
        }
    });
    let again = {
        let (set_attempt, next) = (attempt.setter(), attempt.wrapping_add(1));
        use_callback(next, move |(), next| set_attempt.set(*next))
    };
    let (of, state) = &*loading;
    (if *of == path { state.clone() } else { Loading::Pending }, again)
}
