//! The events that the element dispatches, all bubbling and composed (K7).

use js_sys::JSON;
use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use web_sys::{CustomEvent, CustomEventInit, HtmlElement};

use crate::kit::conversation::{LogLevel, Notice};
use crate::protocol::SessionId;
use crate::protocol::json_text::to_json_text;

/// The name and the detail of the event that tells `notice`; `None` where no event does.
pub(super) fn of_notice(session: Option<&SessionId>, notice: &Notice) -> Option<(&'static str, Value)> {
    Some(match notice {
        Notice::ToolStart { id, name } => {
            ("praxis.tool.change", json!({ "id": id, "name": name, "status": "start" }))
        }
        Notice::ToolEnd { id, name, is_error } => {
            ("praxis.tool.change", json!({ "id": id, "name": name, "status": "end", "isError": is_error }))
        }
        Notice::Log { level, message, data } => ("praxis.log", log(*level, message, data.clone())),
        Notice::ResponseStart => ("praxis.response.start", json!({ "sessionId": session })),
        Notice::ResponseEnd => ("praxis.response.end", json!({ "sessionId": session })),
        Notice::Error { message } => ("praxis.error", json!({ "message": message })),
        // The element watches its session and its opening itself: it may show another conversation by now.
        Notice::SessionMade(_) | Notice::Opened => return None,
    })
}

/// The detail of a `praxis.log`.
pub(super) fn log(level: LogLevel, message: &str, data: Option<Value>) -> Value {
    let level = match level {
        LogLevel::Info => "info",
        LogLevel::Warn => "warn",
        LogLevel::Error => "error",
    };
    match data {
        Some(data) => json!({ "level": level, "message": message, "data": data }),
        None => json!({ "level": level, "message": message }),
    }
}

/// Dispatches an event with `detail`, a plain object; without a detail where it is `null`. A listener that
/// throws is the browser's to report.
pub(super) fn dispatch(element: &HtmlElement, name: &str, detail: &Value) {
    let init = CustomEventInit::new();
    init.set_bubbles(true);
    init.set_composed(true);
    let detail = to_json_text(detail).ok().and_then(|text| JSON::parse(&text).ok());
    init.set_detail(&detail.unwrap_or(JsValue::NULL));
    if let Ok(event) = CustomEvent::new_with_event_init_dict(name, &init) {
        let _ = element.dispatch_event(&event);
    }
}
