//! What stands where nothing can be shown: why, and what to do about it.

use yew::prelude::*;

use super::{IconName, icon};

/// Properties of [`EmptyState`].
#[derive(Properties, PartialEq)]
pub struct EmptyStateProps {
    /// A picture of it.
    pub icon: IconName,
    /// Whether something went wrong: then it is read out at once.
    #[prop_or_default]
    pub failed: bool,
    /// What it is, in a few words.
    #[prop_or_default]
    pub title: AttrValue,
    /// What it means.
    #[prop_or_default]
    pub hint: AttrValue,
    /// What exactly went wrong, for who has to mend it.
    #[prop_or_default]
    pub detail: AttrValue,
    /// What to do about it.
    #[prop_or_default]
    pub children: Html,
}

/// What stands where nothing can be shown.
#[component]
pub fn EmptyState(props: &EmptyStateProps) -> Html {
    html! {
        <div class={classes!("empty-state", props.failed.then_some("empty-state-failed"))}
            role={props.failed.then_some("alert")}>
            <span class="empty-state-icon">{ icon(props.icon) }</span>
            if !props.title.is_empty() { <p class="empty-state-title">{ &props.title }</p> }
            if !props.hint.is_empty() { <p class="empty-state-hint">{ &props.hint }</p> }
            if !props.detail.is_empty() { <p class="empty-state-detail"><code>{ &props.detail }</code></p> }
            <div class="empty-state-actions">{ props.children.clone() }</div>
        </div>
    }
}
