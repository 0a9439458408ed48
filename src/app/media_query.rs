//! Follows a media query.

use yew::prelude::*;

use crate::binding::EventListener;

/// Whether the query holds; the component follows it.
#[hook]
pub fn use_media_query(query: &'static str) -> bool {
    let list = use_memo(query, |query| gloo::utils::window().match_media(query).ok().flatten());
    let holds = use_state_eq(|| list.as_ref().as_ref().is_some_and(web_sys::MediaQueryList::matches));
    use_effect_with(query, {
        let set_holds = holds.setter();
        move |_| {
            let listener = list.as_ref().clone().map(|list| {
                EventListener::new(&list.clone(), "change", move |_| set_holds.set(list.matches()))
            });
            move || drop(listener)
        }
    });
    *holds
}
