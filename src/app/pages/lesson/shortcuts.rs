//! Single keys that act on the lesson.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent};
use yew::prelude::*;

use crate::app::words::Words;
use crate::binding::EventListener;

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortcut {
    /// Play or pause.
    Play,
    /// Ten seconds back.
    Back,
    /// Ten seconds on.
    Forward,
    /// Other captions.
    Captions,
    /// Write a note.
    Note,
    /// The next lesson.
    NextLesson,
    /// The lesson before.
    PreviousLesson,
}

/// What is shown of the keys: a key or two, and what they do.
pub fn described(words: &Words) -> [(&'static str, &'static str); 6] {
    [
        ("K", words.shortcut_play),
        ("J", words.shortcut_back),
        ("L", words.shortcut_forward),
        ("C", words.shortcut_captions),
        ("N", words.shortcut_note),
        ("] [", words.shortcut_lessons),
    ]
}

fn shortcut_of(key: &str) -> Option<Shortcut> {
    Some(match key {
        "k" | "K" => Shortcut::Play,
        "j" | "J" => Shortcut::Back,
        "l" | "L" => Shortcut::Forward,
        "c" | "C" => Shortcut::Captions,
        "n" | "N" => Shortcut::Note,
        "]" => Shortcut::NextLesson,
        "[" => Shortcut::PreviousLesson,
        _ => return None,
    })
}

/// Listens to the keys while `enabled`; they rest where the person writes, and with any modifier.
#[hook]
pub fn use_shortcuts(enabled: bool, onshortcut: Callback<Shortcut>) {
    use_effect_with((enabled, onshortcut), |(enabled, onshortcut)| {
        let listener = enabled.then(|| {
            let onshortcut = onshortcut.clone();
            EventListener::new(&gloo::utils::document(), "keydown", move |event| {
                let Some(key) = event.dyn_ref::<KeyboardEvent>() else { return };
                let modified = key.ctrl_key() || key.meta_key() || key.alt_key() || key.is_composing();
                if modified || key.default_prevented() || is_writing(&event) {
                    return;
                }
                if let Some(shortcut) = shortcut_of(&key.key()) {
                    event.prevent_default();
                    onshortcut.emit(shortcut);
                }
            })
        });
        move || drop(listener)
    });
}

/// Whether the event comes from where letters are text, also inside the agent's element, or from a dialog.
fn is_writing(event: &Event) -> bool {
    let Some(origin) = event.composed_path().iter().next().and_then(|node| node.dyn_into::<Element>().ok())
    else {
        return false;
    };
    matches!(origin.local_name().as_str(), "input" | "textarea" | "select")
        || origin.dyn_ref::<HtmlElement>().is_some_and(HtmlElement::is_content_editable)
        || origin.closest("dialog").is_ok_and(|dialog| dialog.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::language::Language;

    #[test]
    fn every_key_that_is_described_does_something() {
        for language in Language::ALL {
            for (keys, _) in described(language.words()) {
                assert!(keys.split(' ').all(|key| shortcut_of(key).is_some()), "{keys}");
            }
        }
        assert_eq!(shortcut_of("Enter"), None);
    }
}
