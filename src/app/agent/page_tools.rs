//! The page's own tools (E2–E6), with what they need of this app: its router, the keys that it opens, its words.

use serde_json::Value;
use yew::prelude::*;
use yew_router::prelude::*;

use crate::app::language::Language;
use crate::app::links::navigate;
use crate::app::routes::Route;
use crate::app::words::use_words;
use crate::binding::use_frontend_tool;
use crate::tools::InAppPath;
use crate::tools::page::{
    BrowserStorage, NavigationPort, PageWords, fill_form_field, fill_form_field_tool, navigate_to,
    navigate_to_tool, query_data, query_data_tool, read_storage, read_storage_tool, scroll_to,
    scroll_to_tool,
};

/// The keys that the agent may read, each time with the person's consent. Who the learner is is not among them.
const OPEN_KEYS: BrowserStorage =
    BrowserStorage(&["lesson-player.preferences", "lesson-player.progress", "lesson-player.notes"]);

/// The app's router.
struct Router(Option<Navigator>);

impl NavigationPort for Router {
    async fn navigate(&self, path: InAppPath) -> Result<(), String> {
        let navigator = self.0.as_ref().ok_or("the app has no router here")?;
        if Route::recognize(path.path()).is_none_or(|route| route == Route::NotFound) {
            let pages = "/, /lessons/:number, /records, /profile, /settings";
            return Err(["the app has no such page; its pages are ", pages].concat());
        }
        navigate(navigator, path.path(), path.query());
        // The page is there after the router's and Yew's own turns of the event loop.
        gloo::timers::future::TimeoutFuture::new(0).await;
        Ok(())
    }
}

/// Registers the page's tools. It shows nothing, but has an element of its own (yewstack/yew#4092).
#[component]
pub fn PageTools() -> Html {
    let words = match use_words().language {
        Language::ZhCn => &PageWords::ZH_CN,
        Language::En => &PageWords::EN,
    };
    let navigator = use_navigator();
    use_frontend_tool(navigate_to_tool(words), move |input: Value, _call| {
        let router = Router(navigator.clone());
        async move { navigate_to(&input, &router, words).await }
    });
    use_frontend_tool(fill_form_field_tool(words), move |input: Value, _call| async move {
        fill_form_field(&input, words).await
    });
    use_frontend_tool(query_data_tool(), move |input: Value, _call| query_data(&input, words));
    use_frontend_tool(scroll_to_tool(), move |input: Value, _call| scroll_to(&input, words));
    use_frontend_tool(read_storage_tool(OPEN_KEYS, words), move |input: Value, _call| {
        read_storage(&input, &OPEN_KEYS, words)
    });
    html! { <span hidden=true /> }
}
