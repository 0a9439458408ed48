//! The kinds of form controls: what each takes, how a person would set it, and what it then holds.
//!
//! Controls are told apart by their names, and set by the setter of their own prototype: what a framework put on the
//! element itself does not see it, and an element of another frame has a prototype of its own (C01, C03).

use js_sys::{Function, Object, Reflect};
use serde_json::Value;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Element, Event, EventInit, HtmlElement, InputEvent, InputEventInit};

use super::editable;
use super::password::is_password_like;
use crate::protocol::json_text::value_to_json_text;
use crate::tools::page::dom::{all, one_line, property, visible_text};

/// More choices would not help whoever corrects a call.
const MOST_CHOICES: usize = 30;

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

/// Whether an element is one of HTML's own controls.
pub(super) fn is_native(element: &Element) -> bool {
    matches!(element.local_name().as_str(), "input" | "select" | "textarea" | "button")
}

/// Whether it is `<input type=hidden>`.
pub(super) fn is_hidden_input(element: &Element) -> bool {
    element.local_name() == "input" && kind(element) == "hidden"
}

/// Whether a call could fill it, so that its name may be told.
pub(super) fn can_be_filled(element: &Element) -> bool {
    Control::of(vec![element.clone()]).is_ok()
}

fn kind(element: &Element) -> String {
    property(element, "type").as_string().unwrap_or_default()
}

fn text_of(element: &Element, name: &str) -> String {
    property(element, name).as_string().unwrap_or_default()
}

fn is_checked(element: &Element) -> bool {
    property(element, "checked").is_truthy()
}

fn matches(element: &Element, selector: &str) -> bool {
    element.matches(selector).unwrap_or_default()
}

impl Control {
    /// What the elements of a field are, if they can be filled.
    ///
    /// # Errors
    /// Why not, for the agent.
    pub(super) fn of(mut elements: Vec<Element>) -> Result<Self, String> {
        let refused = |reason: &str| Err(reason.to_owned());
        let Some(first) = elements.first().cloned() else { return refused("there is no such field") };
        let name = first.local_name();
        let kind = kind(&first);
        if name == "button"
            || (name == "input" && matches!(kind.as_str(), "submit" | "button" | "reset" | "image"))
        {
            return refused("it is a button, which is not filled");
        }
        if name == "input" && matches!(kind.as_str(), "radio" | "checkbox") {
            elements.retain(|element| text_of(element, "type") == kind);
            if elements.iter().all(|element| matches(element, ":disabled")) {
                return refused("it is disabled");
            }
            return Ok(match kind.as_str() {
                "radio" => Self::Radios(elements),
                _ if elements.len() > 1 => Self::Checks(elements),
                _ => Self::Check(first),
            });
        }
        if matches(&first, ":disabled") {
            return refused("it is disabled");
        }
        match name.as_str() {
            "select" => {
                let multiple = property(&first, "multiple").is_truthy();
                Ok(Self::Select(first, multiple))
            }
            "input" if kind == "hidden" => refused("hidden fields are not filled"),
            "input" if kind == "file" => refused("only the person can choose a file"),
            "input" | "textarea" if is_password_like(&first) => {
                refused("passwords and codes are left to the person")
            }
            "input" | "textarea" if property(&first, "readOnly").is_truthy() => refused("it is read-only"),
            "input" | "textarea" => Ok(Self::Text(first)),
            _ if property(&first, "isContentEditable").is_truthy() => {
                Ok(Self::Editable(first.unchecked_into()))
            }
            _ => refused("it cannot be filled"),
        }
    }

    /// What the control will hold when it takes `value`. Nothing is touched yet.
    ///
    /// # Errors
    /// Why it does not take it: nothing is guessed and nothing is cut.
    pub(super) fn plan(&self, value: &Value) -> Result<Vec<String>, String> {
        match self {
            Self::Text(element) => Ok(vec![plan_text(element, &one(value)?)?]),
            Self::Editable(_) => Ok(vec![one(value)?]),
            Self::Check(element) if value.is_array() => plan_checks(std::slice::from_ref(element), value),
            Self::Checks(elements) => plan_checks(elements, value),
            Self::Check(_) => match value {
                Value::Bool(checked) => Ok(vec![checked.to_string()]),
                Value::String(word) if word.eq_ignore_ascii_case("true") => Ok(vec!["true".to_owned()]),
                Value::String(word) if word.eq_ignore_ascii_case("false") => Ok(vec!["false".to_owned()]),
                _ => Err("it is a checkbox, which takes true or false".to_owned()),
            },
            Self::Radios(elements) => Ok(vec![choose(elements, &one(value)?)?]),
            Self::Select(select, false) => Ok(vec![choose(&options(select), &one(value)?)?]),
            Self::Select(select, true) => {
                let options = options(select);
                let wanted = many(value, |text| choose(&options, &text))?;
                Ok(in_order(&options, &wanted))
            }
        }
    }

    /// Sets it as a person would; `wanted` is what [`plan`](Self::plan) gave.
    pub(super) fn set(&self, wanted: &[String]) -> Result<(), String> {
        let text = wanted.first().map_or("", String::as_str);
        match self {
            Self::Text(element) => {
                set_property(element, "value", &text.into())?;
                tell_input(element, "input", "insertReplacementText", text);
                tell(element, "change");
            }
            Self::Editable(element) => editable::set(element, text),
            Self::Check(element) if matches!(text, "true" | "false") && wanted.len() == 1 => {
                click_to(element, text == "true");
            }
            Self::Check(element) => click_to(element, wanted.contains(&text_of(element, "value"))),
            Self::Checks(elements) => {
                for element in elements {
                    click_to(element, wanted.contains(&text_of(element, "value")));
                }
            }
            Self::Radios(elements) => {
                let chosen = elements.iter().find(|element| text_of(element, "value") == text);
                chosen.into_iter().for_each(|element| click_to(element, true));
            }
            Self::Select(select, multiple) => {
                for (at, option) in options(select).iter().enumerate() {
                    let choose = wanted.contains(&text_of(option, "value"));
                    if *multiple && property(option, "selected").is_truthy() != choose {
                        set_property(option, "selected", &choose.into())?;
                    } else if choose && !*multiple {
                        set_property(select, "selectedIndex", &(at as f64).into())?;
                        break;
                    }
                }
                tell(select, "input");
                tell(select, "change");
            }
        }
        Ok(())
    }

    /// What it holds now, as [`plan`](Self::plan) writes it.
    fn held(&self, wanted: &[String]) -> Vec<String> {
        let checked = |elements: &[Element]| {
            let checked = elements.iter().filter(|element| is_checked(element));
            checked.map(|element| text_of(element, "value")).collect()
        };
        match self {
            Self::Text(element) => vec![text_of(element, "value")],
            Self::Editable(element) => vec![one_line(&text_of(element, "innerText"))],
            Self::Check(element) if matches!(wanted, [word] if word == "true" || word == "false") => {
                vec![is_checked(element).to_string()]
            }
            Self::Check(element) => checked(std::slice::from_ref(element)),
            Self::Checks(elements) | Self::Radios(elements) => checked(elements),
            Self::Select(select, _) => {
                let chosen =
                    options(select).into_iter().filter(|option| property(option, "selected").is_truthy());
                chosen.map(|option| text_of(&option, "value")).collect()
            }
        }
    }

    /// Whether it holds what it was set to.
    ///
    /// # Errors
    /// What it holds instead.
    pub(super) fn check_kept(&self, wanted: &[String]) -> Result<(), String> {
        let held = self.held(wanted);
        let is_kept = match self {
            Self::Editable(_) => wanted.iter().map(|text| one_line(text)).eq(held.iter().cloned()),
            _ => held == wanted,
        };
        if is_kept {
            return Ok(());
        }
        let [wanted, held] = [wanted, &held].map(|values| value_to_json_text(&values.join(", ").into()));
        Err(["the page did not keep ", &wanted, "; the field now holds ", &held].concat())
    }

    /// What the browser says against the value it holds: too small, no e-mail address.
    pub(super) fn complaint(&self) -> Option<String> {
        let element = match self {
            Self::Text(element) | Self::Select(element, _) | Self::Check(element) => element,
            Self::Checks(elements) | Self::Radios(elements) => elements.first()?,
            Self::Editable(_) => return None,
        };
        Some(text_of(element, "validationMessage")).filter(|message| !message.is_empty())
    }
}

/// One text: strings and numbers; a number is written as JavaScript writes it.
fn one(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(_) => Ok(value_to_json_text(value)),
        _ => Err("it takes one text".to_owned()),
    }
}

fn many<T>(value: &Value, mut each: impl FnMut(String) -> Result<T, String>) -> Result<Vec<T>, String> {
    match value {
        Value::Array(values) => values.iter().map(|value| each(one(value)?)).collect(),
        _ => Ok(vec![each(one(value)?)?]),
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

fn plan_checks(elements: &[Element], value: &Value) -> Result<Vec<String>, String> {
    if value.is_boolean() {
        return Err(["it is a group of checkboxes, which takes a list of: ", &choices(elements)].concat());
    }
    let wanted = many(value, |text| choose(elements, &text))?;
    let is_locked = |element: &&Element| {
        matches(element, ":disabled") && is_checked(element) != wanted.contains(&text_of(element, "value"))
    };
    if elements.iter().any(|element| is_locked(&element)) {
        return Err("one of its checkboxes is disabled and would have to change".to_owned());
    }
    Ok(in_order(elements, &wanted))
}

/// The choices that are wanted, in the page's order.
fn in_order(choices: &[Element], wanted: &[String]) -> Vec<String> {
    let values = choices.iter().map(|choice| text_of(choice, "value"));
    values.filter(|value| wanted.contains(value)).collect()
}

/// The value of the choice that a text means: by its value, else by its label, if only one has it.
fn choose(among: &[Element], text: &str) -> Result<String, String> {
    let by_value = among.iter().find(|choice| text_of(choice, "value") == text);
    let wanted = one_line(text);
    let mut by_label = among.iter().filter(|choice| label(choice) == wanted);
    let chosen = match by_value.or_else(|| by_label.next().filter(|_| by_label.next().is_none())) {
        Some(chosen) => chosen,
        None => {
            let wanted = value_to_json_text(&text.into());
            return Err(["there is no choice ", &wanted, "; there are: ", &choices(among)].concat());
        }
    };
    if matches(chosen, ":disabled") {
        return Err("this choice is disabled".to_owned());
    }
    Ok(text_of(chosen, "value"))
}

fn choices(among: &[Element]) -> String {
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
    if first.is_object() { visible_text_without_controls(first.unchecked_ref()) } else { String::new() }
}

fn visible_text_without_controls(label: &Element) -> String {
    if all(label, "select,textarea,input").is_empty() {
        return visible_text(label);
    }
    one_line(&label.text_content().unwrap_or_default())
}

fn options(select: &Element) -> Vec<Element> {
    all(select, "option")
}

/// Sets a property by the setter of the element's own prototype (C01, C03).
fn set_property(element: &JsValue, name: &str, value: &JsValue) -> Result<(), String> {
    let name: JsValue = name.into();
    let mut prototype = Object::get_prototype_of(element);
    while prototype.is_object() {
        let descriptor = Reflect::get_own_property_descriptor(&prototype, &name);
        let setter = descriptor.map_or(JsValue::UNDEFINED, |descriptor| property(&descriptor, "set"));
        if let Ok(setter) = setter.dyn_into::<Function>() {
            return setter
                .call1(element, value)
                .map(drop)
                .map_err(|_| "the browser refuses this value".to_owned());
        }
        prototype = Object::get_prototype_of(&prototype);
    }
    Err("it cannot be filled".to_owned())
}

fn click_to(element: &Element, checked: bool) {
    if is_checked(element) != checked {
        element.unchecked_ref::<HtmlElement>().click();
    }
}

fn tell(element: &Element, kind: &str) {
    let init = EventInit::new();
    init.set_bubbles(true);
    init.set_composed(true);
    if let Ok(event) = Event::new_with_event_init_dict(kind, &init) {
        let _ = element.dispatch_event(&event);
    }
}

/// Sends an event of somebody's typing; whether nobody cancelled it.
pub(super) fn tell_input(element: &Element, event: &str, kind: &str, text: &str) -> bool {
    let init = InputEventInit::new();
    init.set_bubbles(true);
    init.set_composed(true);
    init.set_cancelable(event == "beforeinput");
    init.set_input_type(kind);
    init.set_data(Some(text).filter(|text| !text.is_empty()));
    let event = InputEvent::new_with_event_init_dict(event, &init);
    event.is_ok_and(|event| element.dispatch_event(&event).unwrap_or_default())
}

/// Whether a control is for passwords or codes.
pub(super) fn is_for_secrets(element: &Element) -> bool {
    matches!(element.local_name().as_str(), "input" | "textarea")
        && !matches!(kind(element).as_str(), "checkbox" | "radio" | "hidden")
        && is_password_like(element)
}
