use std::rc::Rc;

use serde::Serialize;
use yew::prelude::*;

use super::use_praxis_context::use_provided_context;
use crate::binding::{LogLevel, ReadableRegistration};
use crate::protocol::ReadableName;
use crate::protocol::json_text::to_text;

/// Keeps the page context's entry `name` at `value`, as long as the component is mounted: each message of the
/// person carries it to the agent (K16).
///
/// - A string goes as it is, anything else as the JSON text that `JSON.stringify` would write. An equal text
///   changes nothing; another one keeps the entry's place (K10, K15).
/// - Of two components that use one name, the last one mounted counts; when it goes, the one before counts again.
/// - `name` matches `[A-Za-z0-9_.:-]{1,64}`. Another name, or a value that cannot be serialised, is logged as an
///   error and the old value stays (K14).
/// - All entries of a message together have 32 entries and 4096 bytes at most (K17): keep values short, and let
///   the agent ask for more with a tool. The first to be dropped is the first that was registered; of components
///   that mount together, children register before those around them and siblings in the document's order.
///
/// # Panics
/// In debug builds, outside of a `<PraxisProvider>` and a `<PraxisAgent>` (K11). In release builds it logs an
/// error and does nothing.
///
/// # Example
/// ```
/// use praxis::binding::use_praxis_readable;
/// use serde::Serialize;
/// use yew::prelude::*;
///
/// #[derive(Serialize)]
/// #[serde(rename_all = "camelCase")]
/// struct Playback {
///     position_seconds: f64,
/// }
///
/// #[derive(PartialEq, Properties)]
/// struct LessonContextProps {
///     number: u32,
///     position_seconds: f64,
/// }
///
/// #[component]
/// fn LessonContext(props: &LessonContextProps) -> Html {
///     use_praxis_readable("lesson", format!("正在看第 {} 课", props.number));
///     use_praxis_readable("playback", Playback { position_seconds: props.position_seconds });
///     html! { <span hidden=true /> }
/// }
/// ```
#[hook]
pub fn use_praxis_readable<N, T>(name: N, value: T)
where
    N: Into<AttrValue>,
    T: Serialize,
{
    use_readable_text(name.into(), to_text(&value).map(Rc::from).map_err(|error| error.to_string()));
}

#[hook]
fn use_readable_text(name: AttrValue, text: Result<Rc<str>, String>) {
    let context = use_provided_context("use_praxis_readable");
    let registration = use_mut_ref(|| None::<ReadableRegistration>);

    // Ends the registration with the component, or when the name changes; the effect below makes the next one.
    use_effect_with((context.clone(), name.clone()), {
        let registration = registration.clone();
        move |_| move || drop(registration.take())
    });

    use_effect_with((context, name, text), move |(context, name, text)| {
        let Some(context) = context else { return };
        let checked = text.as_ref().map_err(Clone::clone);
        let checked = checked.and_then(|text| match ReadableName::new(name.as_str()) {
            Ok(name) => Ok((name, text.clone())),
            Err(error) => Err(error.to_string()),
        });
        match checked {
            Ok((name, text)) => {
                let current = registration.take();
                let current = match current {
                    Some(current) => {
                        current.set(text);
                        current
                    }
                    None => context.register_readable(&name, text),
                };
                registration.replace(Some(current));
            }
            Err(problem) => {
                context.log(LogLevel::Error, &["readable ", name, ": ", &problem].concat());
            }
        }
    });
}
