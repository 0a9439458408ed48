//! What stands where nothing can be shown: why, and what to do about it.

use yew::prelude::*;

use super::{IconName, icon};

/// Nothing is here yet: what will be, and the way to it.
pub fn empty_state(picture: IconName, hint: &'static str, way_on: Html) -> Html {
    html! {
        <div class="empty-state">
            <span class="empty-state-icon">{ icon(picture) }</span>
            <p class="empty-state-hint">{ hint }</p>
            <div class="empty-state-actions">{ way_on }</div>
        </div>
    }
}

/// Something went wrong, which is read out at once: what it is, what it means, what exactly happened (for who has to
/// mend it), and the way back.
pub fn failure(title: &'static str, hint: &'static str, detail: &str, way_back: Html) -> Html {
    html! {
        <div class="empty-state empty-state-failed" role="alert">
            <span class="empty-state-icon">{ icon(IconName::Warning) }</span>
            <p class="empty-state-title">{ title }</p>
            <p class="empty-state-hint">{ hint }</p>
            <p class="empty-state-detail"><code>{ detail.to_owned() }</code></p>
            <div class="empty-state-actions">{ way_back }</div>
        </div>
    }
}

/// The button that is the way back from a failure.
pub fn way_back(label: &'static str, onclick: Callback<MouseEvent>) -> Html {
    html! { <button type="button" class="button button-primary" {onclick}>{ label }</button> }
}
