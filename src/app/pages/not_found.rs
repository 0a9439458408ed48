//! An address without a page.

use yew::prelude::*;

use crate::app::components::{IconName, PageHeading, icon};
use crate::app::links::href;
use crate::app::routes::Route;
use crate::app::words::use_words;

/// An address without a page.
#[component]
pub fn NotFoundPage() -> Html {
    let words = use_words();
    html! {
        <div class="page page-message">
            <span class="empty-state-icon">{ icon(IconName::Warning) }</span>
            <PageHeading title={words.not_found_title} />
            <p class="lead">{ words.not_found_hint }</p>
            <a class="button button-primary" href={href(Route::Course)}>{ words.back_to_course }</a>
        </div>
    }
}
