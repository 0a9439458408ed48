//! The page's own tools (E2–E6), with what they need of this app: its router and its language.
//!
//! Their code is a module of its own (`src/bin/page_tools.rs`), which comes beside the kit, so that a lesson does not
//! wait for what only its agent needs. JSON texts go in and out.

use std::rc::Rc;

use js_sys::Promise;
use serde_json::Value;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise, spawn_local};
use yew::prelude::*;
use yew_router::prelude::*;

use crate::app::course::Course;
use crate::app::fetch::{Loading, site_url};
use crate::app::links::{address_shown, navigate, page_shown};
use crate::app::routes::Route;
use crate::app::site::use_site;
use crate::app::words::use_words;
use crate::binding::use_frontend_tool;
use crate::protocol::json_text::value_to_json_text;
use crate::tools::{FrontendTool, HandlerValue, ToolCall, ToolResult, js_error_text};

pub(super) const NO_SUCH_PAGE: &str =
    "the app has no such page; its pages are /, /lessons/:number, /records, /profile, /settings";

#[wasm_bindgen(module = "/src/app/agent/load.js")]
extern "C" {
    /// Loads the module, again and again until it is there; `failed` is told of each time that is in vain or takes long.
    #[wasm_bindgen(js_name = loadPageTools)]
    fn load(address: &str, failed: &Closure<dyn FnMut(JsValue)>) -> Promise;
}

#[wasm_bindgen]
extern "C" {
    /// What `src/bin/page_tools.rs` exports. After a trap each of it throws.
    #[derive(Clone, PartialEq)]
    pub type PageToolsModule;

    #[wasm_bindgen(method, catch)]
    fn declarations(this: &PageToolsModule) -> Result<String, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn prepare(
        this: &PageToolsModule,
        call: u32,
        name: &str,
        arguments: &str,
        language: &str,
    ) -> Result<String, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn run(
        this: &PageToolsModule,
        call: u32,
        name: &str,
        arguments: &str,
        language: &str,
        navigate: &JsValue,
    ) -> Result<Promise, JsValue>;
}

/// The page's tools: their code, and what they say of themselves.
#[derive(Clone, PartialEq)]
pub struct PageTools {
    module: PageToolsModule,
    tools: Rc<[Rc<FrontendTool>]>,
}

impl PageTools {
    fn of(module: PageToolsModule) -> Result<Self, JsValue> {
        let declared: Value = serde_json::from_str(&module.declarations()?).unwrap_or_default();
        let declared = declared.as_array().into_iter().flatten();
        let tools = declared.filter_map(FrontendTool::from_json).map(Rc::new).collect();
        Ok(Self { module, tools })
    }
}

/// The tools, once their module is there.
#[hook]
pub fn use_page_tools() -> Loading<PageTools> {
    let tools = use_state(|| Loading::Pending);
    use_effect_with((), {
        let set_tools = tools.setter();
        move |()| {
            let fail = {
                let set_tools = set_tools.clone();
                move |error: JsValue| {
                    // The agent can do without them until they come; what it calls is unknown to it (K13).
                    gloo::console::warn!("page-tools.js", &error);
                    set_tools.set(Loading::Failed(js_error_text(&error).into()));
                }
            };
            spawn_local(async move {
                let failed = Closure::new(fail.clone());
                let loaded = JsFuture::from(load(&site_url("page-tools.js"), &failed)).await;
                match loaded.and_then(|module| PageTools::of(module.unchecked_into())) {
                    Ok(tools) => set_tools.set(Loading::Ready(tools)),
                    Err(error) => fail(error),
                }
            });
        }
    });
    (*tools).clone()
}

/// Registers the tools that are there.
pub fn page_tools_of(tools: &Loading<PageTools>) -> Html {
    let Loading::Ready(PageTools { module, tools }) = tools else { return html! {} };
    let tool = |tool: &Rc<FrontendTool>| html! { <PageTool module={module.clone()} tool={tool.clone()} /> };
    tools.iter().map(tool).collect()
}

#[derive(Properties, PartialEq)]
struct PageToolProps {
    module: PageToolsModule,
    tool: Rc<FrontendTool>,
}

/// Registers one. It shows nothing, but has an element of its own (yewstack/yew#4092).
#[component]
fn PageTool(PageToolProps { module, tool }: &PageToolProps) -> Html {
    let language = use_words().language.tag();
    let navigator = use_navigator();
    let course = match use_site().course {
        Loading::Ready(course) => Some(course),
        Loading::Pending | Loading::Failed(_) => None,
    };
    let prepare = {
        let (module, tool) = (module.clone(), tool.clone());
        move |arguments: &Value, call: &ToolCall| {
            let prepared =
                module.prepare(call.serial(), tool.name(), &value_to_json_text(arguments), language);
            match read(prepared) {
                Ok(Value::String(text)) => Ok(text),
                Ok(refusal) => Err(ToolResult::from_json(&refusal)),
                Err(error) => Err(ToolResult::failed(error, "")),
            }
        }
    };
    use_frontend_tool((**tool).clone().prepare(prepare), {
        let (module, tool) = (module.clone(), tool.clone());
        move |arguments: Value, call: ToolCall| {
            let navigate = navigate_function(navigator.clone(), course.clone());
            let arguments = value_to_json_text(&arguments);
            let run = module.run(call.serial(), tool.name(), &arguments, language, &navigate);
            async move {
                let text = match run {
                    Ok(promise) => JsFuture::from(promise).await,
                    Err(error) => Err(error),
                };
                read(text.map(|text| text.as_string().unwrap_or_default()))
                    .map(|result| HandlerValue::Result(ToolResult::from_json(&result)))
            }
        }
    });
    html! { <span /> }
}

/// What the module says, or why it says nothing.
fn read(text: Result<String, JsValue>) -> Result<Value, String> {
    let text = text.map_err(|error| js_error_text(&error))?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

/// Moves the app's router to a path and a query; the promise is kept when the page is there, with what its address is
/// then, and else broken with an error for the agent.
fn navigate_function(navigator: Option<Navigator>, course: Option<Course>) -> JsValue {
    let function = move |path: String, query: String| {
        let (navigator, course) = (navigator.clone(), course.clone());
        future_to_promise(async move {
            let refused = |reason: &str| Err(JsError::new(reason).into());
            let navigator = match (navigator, Route::recognize(&path), course) {
                (None, ..) | (_, None | Some(Route::NotFound), _) => return refused(NO_SUCH_PAGE),
                (_, Some(Route::Lesson { number }), Some(course)) if course.lesson(number).is_none() => {
                    return refused(&course.no_lesson(number));
                }
                (Some(navigator), ..) => navigator,
            };
            navigate(&navigator, &path, &query);
            page_shown().await;
            Ok(address_shown().into())
        })
    };
    Closure::<dyn FnMut(String, String) -> Promise>::new(function).into_js_value()
}
