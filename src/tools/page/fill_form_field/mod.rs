//! `fill_form_field` (E3): fills a form's fields as a person would, and reads back what the page kept.
//!
//! `find` knows where fields are, `control` what each kind of them takes (with `element`, `choices`, `as_typed` and
//! `editable`), `password` which are left to the person,
//! `shown_fields` which of them the person was asked about.

mod as_typed;
mod choices;
mod control;
mod editable;
mod element;
mod find;
mod password;
mod shown_fields;

use gloo::timers::future::TimeoutFuture;
use serde_json::{Map, Value, json};
use web_sys::Element;

use self::control::{Control, Wanted};
use self::find::Form;
pub use self::password::watch_password_fields;
use self::shown_fields::ShownField;
use super::dom::document;
use super::words::{PageWords, fill, shown};
use crate::protocol::json_place::{Place, PlaceError};
use crate::tools::ToolResult;
use crate::tools::secret::is_secret_name;

/// Each field is looked for among all others of the page, several times: more would hold the page up for seconds.
const MOST_FIELDS: usize = 200;

struct Input<'a> {
    fields: Vec<(&'a str, &'a Value)>,
    form: Option<&'a str>,
}

fn read_input(input: &Value) -> Result<Input<'_>, PlaceError> {
    let input = Place::root("", input);
    let mut fields = Vec::new();
    let places = input.member("fields").elements()?;
    for place in &places {
        let value = place.member("value");
        let Some(value) = value.value else { return value.error("must be given") };
        fields.push((place.member("name").text()?, value));
    }
    if fields.is_empty() {
        return input.member("fields").error("must not be empty");
    }
    if fields.len() > MOST_FIELDS {
        return input.member("fields").error("must have at most 200 fields");
    }
    let form = match input.present("formId") {
        Some(id) => Some(id.text()?).filter(|id| !id.is_empty()),
        None => None,
    };
    Ok(Input { fields, form })
}

/// Checks a call before the person is asked, and says what they will be asked: which fields would be filled. The call
/// of this serial number then fills these and no others.
///
/// # Errors
/// The result to answer with: when the call names a field for passwords or codes, on the page or by its name (C14),
/// whose value should reach neither the dialog nor the log; and when none of the fields could be filled, so that there
/// is nothing to ask about.
pub fn confirm_fill_form_field(input: &Value, call: u32, words: &PageWords) -> Result<String, ToolResult> {
    let input = read_input(input).map_err(|error| ToolResult::failed(error.to_string(), words.not_filled))?;
    remember_passwords();
    let form = Form::find(input.form).map_err(|reason| nothing_filled(&input, reason, words))?;
    let mut outcomes: Vec<Outcome<'_>> = Vec::new();
    let (mut names, mut shown) = (Vec::new(), Vec::new());
    for (name, value) in &input.fields {
        if outcomes.iter().any(|(other, _)| other == name) {
            outcomes.push((name, Err(NAMED_TWICE.to_owned())));
            continue;
        }
        names.push(for_people(&form, name));
        let elements = form.field(name);
        let on_page =
            elements.iter().any(|element| element::is_native(element) && element::is_for_secrets(element));
        if on_page || (elements.is_empty() && is_secret_name(name)) {
            let reason = ["`", name, "` is for a password or code, which is left to the person"].concat();
            return Err(nothing_filled(&input, reason, words));
        }
        let outcome = control_of(&form, elements).and_then(|control| {
            let planned = control.plan(value);
            let told = planned.as_ref().map_or_else(|_| Vec::new(), |wanted| control.told(wanted));
            let elements = control.elements().to_vec();
            shown.push(ShownField { name: (*name).to_owned(), elements, told });
            planned
        });
        outcomes.push((name, outcome));
    }
    if outcomes.iter().all(|(_, outcome)| outcome.is_err()) {
        return Err(result(&outcomes, Vec::new(), words));
    }
    shown_fields::remember(call, shown);
    Ok(fill(words.will_fill, &[&names.len().to_string(), &names.join(words.between)]))
}

/// A field as people know it: by its label, and by its name, which alone says what is filled.
fn for_people(form: &Form, name: &str) -> String {
    match form.label(name) {
        Some(label) if label != name => [&*shown(&label), " (", &*shown(name), ")"].concat(),
        _ => shown(name),
    }
}

fn remember_passwords() {
    if let Some(document) = document() {
        password::remember(&document);
    }
}

/// What a field was set to, or why it was not.
type Outcome<'a> = (&'a str, Result<Wanted, String>);

const NAMED_TWICE: &str = "it is named twice in this call";
const PAGE_HAS_CHANGED: &str = "the page has changed since the person was asked";

/// Runs the call of this serial number, which went through [`confirm_fill_form_field`] before. The data is
/// `{filled, skipped: [{name, reason}]}`, with `invalid: [{name, message}]` for fields that kept a value which the
/// browser itself objects to. It is a success only if every field was kept.
///
/// Where the page has other fields of these names than those that the person was shown, nothing is filled: they agreed
/// to what they saw. When another form comes during the run, the rest is left.
pub async fn fill_form_field(input: &Value, call: u32, words: &PageWords) -> ToolResult {
    let input = match read_input(input) {
        Ok(input) => input,
        Err(error) => return ToolResult::failed(error.to_string(), words.not_filled),
    };
    remember_passwords();
    let form = match as_shown(&input, call) {
        Ok(form) => form,
        Err(reason) => return nothing_filled(&input, reason, words),
    };
    let mut outcomes: Vec<Outcome<'_>> = Vec::new();
    for (name, value) in &input.fields {
        let outcome = if outcomes.iter().any(|(other, _)| other == name) {
            Err(NAMED_TWICE.to_owned())
        } else {
            fill_one(&form, input.form, name, value).await
        };
        outcomes.push((name, outcome));
    }
    // What is filled later can undo what was filled before.
    let mut invalid = Vec::new();
    for (name, outcome) in &mut outcomes {
        if let Ok(wanted) = outcome {
            match find_control(&form, input.form, name)
                .and_then(|control| control.check_kept(wanted).map(|()| control))
            {
                Ok(control) => invalid
                    .extend(control.complaint().map(|message| json!({"name": name, "message": message}))),
                Err(reason) => *outcome = Err(reason),
            }
        }
    }
    result(&outcomes, invalid, words)
}

/// The form, with the fields in it that the person was shown.
fn as_shown(input: &Input<'_>, call: u32) -> Result<Form, String> {
    let shown = shown_fields::take(call).ok_or("nobody was asked about this call")?;
    let form = Form::find(input.form)?;
    let is_same = |field: &ShownField| {
        let Ok(control) = control_of(&form, form.field(&field.name)) else { return false };
        let asked = input.fields.iter().find(|(name, _)| *name == field.name);
        let planned = asked.and_then(|(_, value)| control.plan(value).ok());
        let told = planned.map_or_else(Vec::new, |wanted| control.told(&wanted));
        control.elements() == field.elements && told == field.told
    };
    match shown.iter().find(|field| !is_same(field)) {
        Some(ShownField { name, .. }) => {
            Err([PAGE_HAS_CHANGED, ": `", name, "` is not the field that they saw"].concat())
        }
        None => Ok(form),
    }
}

/// The control of a field, looked up anew: a page may have rendered another one meanwhile, in the same form.
fn find_control(form: &Form, id: Option<&str>, name: &str) -> Result<Control, String> {
    let now = Form::find(id)?;
    if !now.is(form) {
        return Err(PAGE_HAS_CHANGED.to_owned());
    }
    let elements = now.field(name);
    control_of(&now, elements)
}

fn control_of(form: &Form, elements: Vec<Element>) -> Result<Control, String> {
    if elements.is_empty() { Err(form.no_field()) } else { Control::of(elements) }
}

async fn fill_one(form: &Form, id: Option<&str>, name: &str, value: &Value) -> Result<Wanted, String> {
    let control = find_control(form, id, name)?;
    let wanted = control.plan(value)?;
    control.set(&wanted)?;
    // Frameworks render after the event, in a task of their own.
    TimeoutFuture::new(0).await;
    TimeoutFuture::new(0).await;
    let control =
        find_control(form, id, name).map_err(|reason| ["after it was filled, ", &reason].concat())?;
    control.check_kept(&wanted)?;
    Ok(wanted)
}

/// All of the fields are skipped for the same reason, which is said once.
fn nothing_filled(input: &Input<'_>, reason: String, words: &PageWords) -> ToolResult {
    let skipped = input.fields.iter().map(|(name, _)| json!({"name": name, "reason": reason}));
    let data = json!({"filled": [], "skipped": skipped.collect::<Value>()});
    ToolResult::failed(reason, words.not_filled).with_data(data)
}

fn result(outcomes: &[Outcome<'_>], invalid: Vec<Value>, words: &PageWords) -> ToolResult {
    let mut filled: Vec<&str> = Vec::new();
    let mut skipped: Vec<(&str, &str)> = Vec::new();
    for (name, outcome) in outcomes {
        match outcome {
            Ok(_) => filled.push(name),
            Err(reason) => skipped.push((name, reason)),
        }
    }
    let mut data = Map::new();
    data.insert("filled".to_owned(), filled.iter().copied().collect());
    let reasons = skipped.iter().map(|(name, reason)| json!({"name": name, "reason": reason}));
    data.insert("skipped".to_owned(), reasons.collect());
    if !invalid.is_empty() {
        data.insert("invalid".to_owned(), invalid.into());
    }
    let list =
        |names: &mut dyn Iterator<Item = &str>| names.map(shown).collect::<Vec<_>>().join(words.between);
    let filled_names = list(&mut filled.iter().copied());
    if skipped.is_empty() {
        return ToolResult::done(Value::from(data), fill(words.filled, &[&filled_names]));
    }
    let summary = if filled.is_empty() {
        words.not_filled.to_owned()
    } else {
        fill(words.filled_partly, &[&filled_names, &list(&mut skipped.iter().map(|(name, _)| *name))])
    };
    let errors: Vec<String> =
        skipped.iter().map(|(name, reason)| ["`", name, "`: ", reason].concat()).collect();
    ToolResult::failed(errors.join("; "), summary).with_data(data.into())
}
