//! The heading of a page: it names the document, and takes the focus when a page is opened from another.

use std::cell::RefCell;
use std::rc::Rc;

use web_sys::{FocusOptions, HtmlElement};
use yew::prelude::*;

use crate::app::context::use_app_context;
use crate::app::words::use_words;

/// The visit to the app: which page was shown before the one that is shown now. Provided by the app.
#[derive(Clone, Debug, Default)]
pub struct Visit(Rc<RefCell<Option<Shown>>>);

#[derive(Debug)]
struct Shown {
    path: String,
    took_focus: bool,
}

impl PartialEq for Visit {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// Properties of [`PageHeading`].
#[derive(Properties, PartialEq)]
pub struct PageHeadingProps {
    /// What the page is called.
    pub title: AttrValue,
    /// What the document is called, where that is more.
    #[prop_or_default]
    pub document_title: Option<AttrValue>,
}

/// The page's heading.
#[component]
pub fn PageHeading(props: &PageHeadingProps) -> Html {
    let words = use_words();
    let visit = use_app_context().visit;
    let heading = use_node_ref();
    let document_title = props.document_title.clone().unwrap_or_else(|| props.title.clone());
    use_effect_with((document_title, words.course_name), |(title, course)| {
        gloo::utils::document().set_title(&[title.as_str(), " · ", course].concat());
    });
    use_effect_with((), {
        let heading = heading.clone();
        move |()| {
            let window = gloo::utils::window();
            let path = window.location().pathname().unwrap_or_default();
            let took_focus = match visit.0.borrow().as_ref() {
                None => false,
                // The page's content has replaced what stood for it while it was loading.
                Some(shown) if shown.path == path => shown.took_focus,
                Some(_) => {
                    window.scroll_to_with_x_and_y(0.0, 0.0);
                    true
                }
            };
            visit.0.replace(Some(Shown { path, took_focus }));
            if !took_focus {
                return;
            }
            // The agent navigates too: its composer keeps the focus, so that the person can go on typing.
            if let Some(heading) = heading.cast::<HtmlElement>()
                && !agent_has_focus()
            {
                let without_scrolling = FocusOptions::new();
                without_scrolling.set_prevent_scroll(true);
                let _ = heading.focus_with_options(&without_scrolling);
            }
        }
    });
    html! { <h1 ref={heading} tabindex="-1">{ &props.title }</h1> }
}

fn agent_has_focus() -> bool {
    gloo::utils::document().active_element().is_some_and(|element| element.local_name() == "praxis-agent")
}
