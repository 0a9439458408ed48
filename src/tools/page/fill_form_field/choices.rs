//! Choices, of a `select` or of buttons of one name: which of them a call means, and what to tell it otherwise.

use serde_json::Value;
use wasm_bindgen::JsCast as _;
use web_sys::Element;

use super::control::Wanted;
use super::element::{is_checked, matches, text_of};
use crate::protocol::json_text::value_to_json_text;
use crate::tools::page::dom::{all, label_text, one_line, property};

/// More choices would not help whoever corrects a call.
const MOST_CHOICES: usize = 30;

/// One text: strings and numbers; a number is written as JavaScript writes it.
pub(super) fn one(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(_) => Ok(value_to_json_text(value)),
        _ => Err("it takes one text".to_owned()),
    }
}

pub(super) fn plan_checks(elements: &[Element], value: &Value) -> Result<Wanted, String> {
    if value.is_boolean() {
        return Err(["it is a group of checkboxes, which takes a list of: ", &choices(elements)].concat());
    }
    let wanted = choose_many(elements, value)?;
    let is_chosen = |at: usize| matches!(&wanted, Wanted::Chosen(places) if places.contains(&at));
    let is_locked = |(at, element): (usize, &Element)| {
        matches(element, ":disabled") && is_checked(element) != is_chosen(at)
    };
    if elements.iter().enumerate().any(is_locked) {
        return Err("one of its checkboxes is disabled and would have to change".to_owned());
    }
    Ok(wanted)
}

pub(super) fn choose_many(among: &[Element], value: &Value) -> Result<Wanted, String> {
    let mut places = match value {
        Value::Array(values) => {
            values.iter().map(|value| choose(among, &one(value)?)).collect::<Result<Vec<_>, _>>()?
        }
        _ => vec![choose(among, &one(value)?)?],
    };
    places.sort_unstable();
    places.dedup();
    Ok(Wanted::Chosen(places))
}

/// The place of the choice that a text means: by its value, else by its label. Where several have both, nothing is
/// guessed.
pub(super) fn choose(among: &[Element], text: &str) -> Result<usize, String> {
    let wanted = one_line(text);
    let value = |choice: &Element| text_of(choice, "value") == text;
    let name = |choice: &Element| label(choice) == wanted;
    let place = [&value as &dyn Fn(&Element) -> bool, &name].into_iter().find_map(|is_meant| {
        let mut places = (0..among.len()).filter(|at| among.get(*at).is_some_and(is_meant));
        places.next().filter(|_| places.next().is_none())
    });
    let chosen = place.and_then(|place| Some((place, among.get(place)?)));
    let Some((place, chosen)) = chosen else {
        let begin = if among.iter().any(|choice| value(choice) || name(choice)) {
            "there is more than one choice "
        } else {
            "there is no choice "
        };
        return Err([begin, &value_to_json_text(&text.into()), "; there are: ", &choices(among)].concat());
    };
    if matches(chosen, ":disabled") {
        return Err("this choice is disabled".to_owned());
    }
    Ok(place)
}

pub(super) fn choices(among: &[Element]) -> String {
    let said: Vec<String> = among
        .iter()
        .take(MOST_CHOICES)
        .map(|choice| {
            let (value, label) = (text_of(choice, "value"), label(choice));
            let value = value_to_json_text(&value.into());
            if label.is_empty() { value } else { [&value, " (", &label, ")"].concat() }
        })
        .collect();
    said.join(", ")
}

/// What people read beside a choice.
pub(super) fn label(choice: &Element) -> String {
    if choice.local_name() == "option" {
        return one_line(&text_of(choice, "label"));
    }
    let labels = property(choice, "labels");
    let first = property(&labels, "0");
    if first.is_object() { label_text(first.unchecked_ref()) } else { String::new() }
}

pub(super) fn options(select: &Element) -> Vec<Element> {
    all(select, "option")
}
