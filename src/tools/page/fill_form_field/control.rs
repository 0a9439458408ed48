//! The kinds of form controls: what each takes, how a person would set it, and what it then holds.
//!
//! Controls are told apart by their names, and set by the setter of their own prototype: what a framework put on the
//! element itself does not see it, and an element of another frame has a prototype of its own (C01, C03).

use serde_json::Value;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement};

use super::as_typed::{click_to, set_property, tell, tell_input};
use super::choices::{choose, choose_many, label, one, options, plan_checks};
use super::editable;
use super::element::{is_checked, is_within_reach, kind, matches, refusal, text_of};
use crate::protocol::json_text::value_to_json_text;
use crate::tools::page::dom::{one_line, property};

/// A field that can be filled.
pub(super) enum Control {
    /// One text: `input` of most types, `textarea`.
    Text(Element),
    /// A `select` and whether it takes several.
    Select(Element, bool),
    /// A checkbox of its own.
    Check(Element),
    /// Checkboxes of one name.
    Checks(Vec<Element>),
    /// Radio buttons of one name.
    Radios(Vec<Element>),
    /// An element that is edited in place.
    Editable(HtmlElement),
}

/// Whether a call could fill it, so that its name may be told.
pub(super) fn can_be_filled(element: &Element) -> bool {
    Control::of(vec![element.clone()]).is_ok()
}

/// What a control will hold.
pub(super) enum Wanted {
    /// This text.
    Text(String),
    /// Whether it is checked.
    Checked(bool),
    /// The choices at these places, in the page's order.
    Chosen(Vec<usize>),
}

impl Control {
    /// What the elements of a field are, if they can be filled.
    ///
    /// # Errors
    /// Why not, for the agent.
    pub(super) fn of(elements: Vec<Element>) -> Result<Self, String> {
        let Some(first) = elements.first() else { return Err("there is no such field".to_owned()) };
        let hidden = refusal(first).unwrap_or("it is not shown on the page").to_owned();
        // What people neither see nor reach, they do not fill: another step of a form, a trap for robots.
        let mut elements = elements;
        elements.retain(is_within_reach);
        let Some(first) = elements.first().cloned() else { return Err(hidden) };
        let kind = kind(&first);
        if first.local_name() == "input" && matches!(kind.as_str(), "radio" | "checkbox") {
            elements.retain(|element| text_of(element, "type") == kind);
            if elements.iter().all(|element| matches(element, ":disabled")) {
                return Err("it is disabled".to_owned());
            }
            return Ok(match kind.as_str() {
                "radio" => Self::Radios(elements),
                _ if elements.len() > 1 => Self::Checks(elements),
                _ => Self::Check(first),
            });
        }
        let reason = refusal(&first);
        let mut open = elements.into_iter().filter(|element| refusal(element).is_none());
        let Some(element) = open.next() else { return Err(reason.unwrap_or_default().to_owned()) };
        if open.next().is_some() {
            return Err("several fields of the form have this name".to_owned());
        }
        Ok(match element.local_name().as_str() {
            "select" => {
                let multiple = property(&element, "multiple").is_truthy();
                Self::Select(element, multiple)
            }
            "input" | "textarea" => Self::Text(element),
            _ => Self::Editable(element.unchecked_into()),
        })
    }

    /// What it is made of.
    pub(super) fn elements(&self) -> &[Element] {
        match self {
            Self::Text(element) | Self::Select(element, _) | Self::Check(element) => {
                std::slice::from_ref(element)
            }
            Self::Checks(elements) | Self::Radios(elements) => elements,
            Self::Editable(element) => std::slice::from_ref(element),
        }
    }

    /// What people are told of what it will hold: a text, or the choices' values and labels.
    pub(super) fn told(&self, wanted: &Wanted) -> Vec<String> {
        let choices = match (self, wanted) {
            (_, Wanted::Text(text)) => return vec![text.clone()],
            (_, Wanted::Checked(checked)) => return vec![checked.to_string()],
            (Self::Select(select, _), _) => &options(select),
            _ => self.elements(),
        };
        let Wanted::Chosen(places) = wanted else { return Vec::new() };
        let chosen = places.iter().filter_map(|at| choices.get(*at));
        chosen.flat_map(|choice| [text_of(choice, "value"), label(choice)]).collect()
    }

    /// What the control will hold when it takes `value`. Nothing is touched yet.
    ///
    /// # Errors
    /// Why it does not take it: nothing is guessed and nothing is cut.
    pub(super) fn plan(&self, value: &Value) -> Result<Wanted, String> {
        match self {
            Self::Text(element) => Ok(Wanted::Text(plan_text(element, &one(value)?)?)),
            Self::Editable(_) => Ok(Wanted::Text(one(value)?)),
            Self::Check(element) if value.is_array() => plan_checks(std::slice::from_ref(element), value),
            Self::Checks(elements) => plan_checks(elements, value),
            Self::Check(_) => match value {
                Value::Bool(checked) => Ok(Wanted::Checked(*checked)),
                Value::String(word) if word.eq_ignore_ascii_case("true") => Ok(Wanted::Checked(true)),
                Value::String(word) if word.eq_ignore_ascii_case("false") => Ok(Wanted::Checked(false)),
                _ => Err("it is a checkbox, which takes true or false".to_owned()),
            },
            Self::Radios(elements) => Ok(Wanted::Chosen(vec![choose(elements, &one(value)?)?])),
            Self::Select(select, false) => Ok(Wanted::Chosen(vec![choose(&options(select), &one(value)?)?])),
            Self::Select(select, true) => choose_many(&options(select), value),
        }
    }

    /// Sets it as a person would; `wanted` is what [`plan`](Self::plan) gave.
    pub(super) fn set(&self, wanted: &Wanted) -> Result<(), String> {
        match (self, wanted) {
            (Self::Text(element), Wanted::Text(text)) => {
                set_property(element, "value", &text.as_str().into())?;
                tell_input(element, "input", "insertReplacementText", text);
                tell(element, "change");
            }
            (Self::Editable(element), Wanted::Text(text)) => editable::set(element, text),
            (Self::Check(element), Wanted::Checked(checked)) => click_to(element, *checked),
            (Self::Check(element), Wanted::Chosen(places)) => click_to(element, !places.is_empty()),
            (Self::Checks(elements), Wanted::Chosen(places)) => {
                for (at, element) in elements.iter().enumerate() {
                    click_to(element, places.contains(&at));
                }
            }
            (Self::Radios(elements), Wanted::Chosen(places)) => {
                for at in places {
                    elements.get(*at).into_iter().for_each(|element| click_to(element, true));
                }
            }
            (Self::Select(select, multiple), Wanted::Chosen(places)) => {
                for (at, option) in options(select).iter().enumerate() {
                    let choose = places.contains(&at);
                    if *multiple && property(option, "selected").is_truthy() != choose {
                        set_property(option, "selected", &choose.into())?;
                    } else if choose && !*multiple {
                        set_property(select, "selectedIndex", &(at as f64).into())?;
                    }
                }
                tell(select, "input");
                tell(select, "change");
            }
            // The page has put another kind of control there.
            _ => return Err("it is another kind of field now".to_owned()),
        }
        Ok(())
    }

    /// Whether it holds what it was set to.
    ///
    /// # Errors
    /// What it holds instead.
    pub(super) fn check_kept(&self, wanted: &Wanted) -> Result<(), String> {
        let chosen = |choices: &[Element], state: &str| -> Vec<usize> {
            let is_chosen = |(_, choice): &(usize, &Element)| property(choice, state).is_truthy();
            choices.iter().enumerate().filter(is_chosen).map(|(at, _)| at).collect()
        };
        let values = |choices: &[Element], places: &[usize]| -> String {
            let values = places.iter().filter_map(|at| Some(text_of(choices.get(*at)?, "value")));
            values.collect::<Vec<_>>().join(", ")
        };
        let (wanted, held) = match (self, wanted) {
            (Self::Text(element), Wanted::Text(text)) => (text.clone(), text_of(element, "value")),
            (Self::Editable(element), Wanted::Text(text)) => {
                (one_line(text), one_line(&text_of(element, "innerText")))
            }
            (Self::Check(element), Wanted::Checked(checked)) => {
                (checked.to_string(), is_checked(element).to_string())
            }
            (_, Wanted::Chosen(places)) => {
                let (choices, state) = match self {
                    Self::Check(element) => (vec![element.clone()], "checked"),
                    Self::Checks(elements) | Self::Radios(elements) => (elements.clone(), "checked"),
                    Self::Select(select, _) => (options(select), "selected"),
                    Self::Text(_) | Self::Editable(_) => (Vec::new(), ""),
                };
                let held = chosen(&choices, state);
                if held == *places {
                    return Ok(());
                }
                (values(&choices, places), values(&choices, &held))
            }
            _ => return Err("it is another kind of field now".to_owned()),
        };
        if matches!(self, Self::Text(_) | Self::Editable(_) | Self::Check(_)) && wanted == held {
            return Ok(());
        }
        let [wanted, held] = [wanted, held].map(|text| value_to_json_text(&text.into()));
        Err(["the page did not keep ", &wanted, "; the field now holds ", &held].concat())
    }

    /// What the browser says against the value it holds: too small, no e-mail address.
    pub(super) fn complaint(&self) -> Option<String> {
        let element = self.elements().first().filter(|_| !matches!(self, Self::Editable(_)))?;
        Some(text_of(element, "validationMessage")).filter(|message| !message.is_empty())
    }
}

fn plan_text(element: &Element, text: &str) -> Result<String, String> {
    // Scripts may set more than people may type.
    let most = property(element, "maxLength").as_f64().unwrap_or(-1.0);
    let length = text.encode_utf16().count();
    if most >= 0.0 && length as f64 > most {
        let [length, most] = [length.to_string(), most.to_string()];
        return Err(["it takes at most ", &most, " characters, but the text has ", &length].concat());
    }
    if element.local_name() == "textarea" {
        return Ok(text.replace("\r\n", "\n").replace('\r', "\n"));
    }
    if text.contains(['\n', '\r']) {
        return Err("it takes one line".to_owned());
    }
    let kind = kind(element);
    if matches!(kind.as_str(), "text" | "search" | "tel") {
        return Ok(text.to_owned());
    }
    // Such fields empty themselves on a text that they do not take; a field that nobody sees shows it first.
    let probe = element.clone_node_with_deep(false).map_err(|_| "it cannot be filled")?;
    set_property(&probe, "value", &text.into())?;
    let taken = property(&probe, "value").as_string().unwrap_or_default();
    let alike = match kind.as_str() {
        // They trim, write a date in their way, or in small letters.
        "email" | "url" => true,
        "datetime-local" => !taken.is_empty(),
        "color" => taken.eq_ignore_ascii_case(text),
        _ => taken == text,
    };
    if alike || text.is_empty() {
        return Ok(taken);
    }
    Err(match kind.as_str() {
        "number" => "it takes a plain number such as 1234.5, without separators or spaces",
        "range" => "it takes a number within its range and on its steps",
        "date" => "it takes a date as YYYY-MM-DD",
        "datetime-local" => "it takes a date and time as YYYY-MM-DDTHH:MM",
        "month" => "it takes a month as YYYY-MM",
        "week" => "it takes a week as YYYY-Www",
        "time" => "it takes a time as HH:MM",
        "color" => "it takes a colour as #rrggbb",
        _ => "it does not take this text",
    }
    .to_owned())
}
