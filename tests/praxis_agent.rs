//! `<PraxisAgent>`: how it drives an element, by its public interface alone (K11–K13).
#![cfg(target_arch = "wasm32")]

mod foreign;

use std::cell::RefCell;

use foreign::{Watch, mount, take_only_documented};
use js_sys::{Function, Promise, Reflect};
use praxis::binding::{
    AgentError, AgentOptions, ApiOptions, GetToken, LogEntry, LogLevel, PraxisAgent, PraxisOptions, Protocol,
    ToolChange, ToolStatus, use_praxis_readable, use_praxis_tool,
};
use praxis::protocol::{SessionId, ToolDeclaration};
use praxis::tools::ToolHandler;
use serde_json::{Value, json};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use yew::prelude::*;

wasm_bindgen_test_configure!(run_in_browser);

#[derive(Clone, PartialEq, Properties)]
struct PageProps {
    #[prop_or_default]
    options: PraxisOptions,
    #[prop_or_default]
    get_token: Option<GetToken>,
    #[prop_or_default]
    on_client_tool: Option<ToolHandler>,
}

fn props() -> PageProps {
    PageProps { options: PraxisOptions::default(), get_token: None, on_client_tool: None }
}

thread_local!(static HEARD: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) });

fn hear(what: impl Into<String>) {
    HEARD.with_borrow_mut(|heard| heard.push(what.into()));
}

fn take_heard() -> Vec<String> {
    HEARD.take()
}

#[component]
fn Bridge() -> Html {
    use_praxis_readable("lesson", "正在看第 3 课");
    use_praxis_readable("playback", json!({ "positionSeconds": 83 }));
    use_praxis_tool("known", |_: Value, _call| "by the hook");
    html! { <span hidden=true /> }
}

#[component]
fn Page(props: &PageProps) -> Html {
    html! {
        <PraxisAgent
            class="beside"
            options={props.options.clone()}
            get_token={props.get_token.clone()}
            on_client_tool={props.on_client_tool.clone()}
            on_tool_change={|change: ToolChange| hear(format!(
                "{} {} {}",
                change.name,
                if change.status == ToolStatus::Start { "starts" } else { "ends" },
                change.is_error,
            ))}
            on_log={|entry: LogEntry| hear(format!("{} {} {:?}", entry.level.as_str(), entry.message, entry.data))}
            on_ready={|()| hear("ready")}
            on_session_change={|session: Option<SessionId>| hear(format!("session {session:?}"))}
            on_response_start={|_| hear("response starts")}
            on_response_end={|_| hear("response ends")}
            on_error={|error: AgentError| hear(error.message)}
        >
            <Bridge />
        </PraxisAgent>
    }
}

#[wasm_bindgen_test]
async fn k12_handler_first_then_readables_then_options() {
    let page = mount::<Page>(props()).await;
    assert_eq!(
        page.agent().take_done(),
        [
            "onClientTool function",
            "setReadable lesson 正在看第 3 课",
            r#"setReadable playback {"positionSeconds":83}"#,
            "setOptions"
        ]
    );
    assert_eq!(page.agent().class_name(), "beside");
    let agent = page.agent();
    page.unmount().await;
    assert_eq!(agent.take_done().last().map(String::as_str), Some("onClientTool undefined"));
}

#[wasm_bindgen_test]
async fn k12_options_travel_as_json_and_equal_ones_do_nothing() {
    let tools = ToolDeclaration::list_from_json(
        &[json!({"type":"custom","name":"seek_to","description":"跳转","input_schema":{"type":"object","properties":{}}})],
        &[],
    )
    .unwrap();
    let options = |theme| PraxisOptions {
        api: ApiOptions {
            protocol: Some(Protocol::OpenAiChatCompletions),
            url: Some("http://localhost:11434/v1".into()),
            model: Some("qwen3".into()),
            headers: [("x-a".to_owned(), "b".to_owned())].into(),
            request: Some(std::rc::Rc::new(json!({ "temperature": 0.5 }))),
            ..ApiOptions::default()
        },
        agent: AgentOptions {
            name: Some("课程助手".into()),
            instructions: None,
            tools: tools.clone().into(),
        },
        theme: Some(theme),
        ..PraxisOptions::default()
    };
    let mut page =
        mount::<Page>(PageProps { options: options(praxis::binding::Theme::Dark), ..props() }).await;
    let agent = page.agent();
    let given = js_sys::JSON::stringify(&agent.options()).unwrap();
    assert_eq!(
        String::from(given),
        concat!(
            r#"{"api":{"protocol":"openai-chat-completions","url":"http://localhost:11434/v1","headers":{"x-a":"b"},"model":"qwen3","request":{"temperature":0.5}},"#,
            r#""agent":{"name":"课程助手","tools":[{"type":"custom","name":"seek_to","description":"跳转","input_schema":{"type":"object","properties":{}}}]},"#,
            r#""theme":"dark"}"#
        )
    );
    agent.take_done();
    page.update(PageProps { options: options(praxis::binding::Theme::Dark), ..props() }).await;
    assert_eq!(agent.take_done(), [""; 0]);
    page.update(PageProps { options: options(praxis::binding::Theme::Light), ..props() }).await;
    assert_eq!(agent.take_done(), ["setOptions"]);
}

#[wasm_bindgen_test]
async fn k5_the_newest_get_token_is_used_by_the_one_function_that_the_element_has() {
    let token = |token: &'static str| PageProps {
        get_token: Some(GetToken::new(move || async move { Ok::<_, String>(token) })),
        ..props()
    };
    let function = |options: JsValue| -> Function {
        let api = Reflect::get(&options, &"api".into()).unwrap();
        Reflect::get(&api, &"getToken".into()).unwrap().unchecked_into()
    };
    let call = |function: &Function| {
        JsFuture::from(function.call0(&JsValue::UNDEFINED).unwrap().unchecked_into::<Promise>())
    };
    let mut page = mount::<Page>(token("first")).await;
    let agent = page.agent();
    let get_token = function(agent.options());
    assert_eq!(call(&get_token).await.unwrap(), "first");
    agent.take_done();
    page.update(token("second")).await;
    assert_eq!((call(&get_token).await.unwrap(), agent.take_done()), ("second".into(), vec![]));
    let refusing = GetToken::new(|| async { Err::<String, _>("暂时无法使用") });
    page.update(PageProps { get_token: Some(refusing), ..props() }).await;
    let error: js_sys::Error = call(&get_token).await.unwrap_err().unchecked_into();
    assert_eq!(error.message(), "暂时无法使用");
    page.update(props()).await;
    assert_eq!(agent.take_done(), ["setOptions"]);
    assert!(function(agent.options()).is_undefined());
}

#[wasm_bindgen_test]
async fn k13_a_name_that_no_hook_registered_goes_to_on_client_tool_else_it_is_unknown() {
    let mut page = mount::<Page>(props()).await;
    let agent = page.agent();
    assert_eq!(agent.run("known", "{}").await, "result by the hook");
    assert_eq!(agent.run("other", "{}").await, "error unknown tool other");
    let all = ToolHandler::new(|input: Value, call| async move { format!("{} of all {input}", call.name()) });
    page.update(PageProps { on_client_tool: Some(all), ..props() }).await;
    assert_eq!(agent.run("other", r#"{"a":1}"#).await, r#"result other of all {"a":1}"#);
    assert_eq!(agent.run("known", "{}").await, "result by the hook");
    page.update(props()).await;
    assert_eq!(agent.run("other", "{}").await, "error unknown tool other");
}

#[wasm_bindgen_test]
async fn k7_the_element_s_events_reach_the_callbacks() {
    let page = mount::<Page>(props()).await;
    let agent = page.agent();
    take_heard();
    agent.run("known", "{}").await;
    agent.run("other", "{}").await;
    agent.emit("praxis.ready", &JsValue::UNDEFINED);
    agent.begin_turn("sesn_1");
    agent.end_turn();
    agent.fail("没有网络");
    let data = js_sys::JSON::parse(r#"{"level":"warn","message":"dropped","data":{"names":["a"]}}"#).unwrap();
    agent.emit("praxis.log", &data);
    assert_eq!(
        take_heard(),
        [
            "known starts false",
            "known ends false",
            "other starts false",
            "other ends true",
            "ready",
            r#"session Some(SessionId("sesn_1"))"#,
            "response starts",
            "response ends",
            "没有网络",
            r#"warn dropped Some(Object {"names": Array [String("a")]})"#
        ]
    );
    // Events that are not as K7 says are nobody's business, and break nothing.
    for kind in ["praxis.log", "praxis.tool.change", "praxis.session.change", "praxis.error"] {
        for detail in [JsValue::NULL, JsValue::from_str("?"), js_sys::Object::new().into()] {
            agent.emit(kind, &detail);
        }
    }
    assert_eq!(take_heard(), ["session None", "session None", "session None", "", "", ""]);
}

#[wasm_bindgen_test]
async fn case_j11_a_listener_may_cause_the_next_event() {
    thread_local!(static AGENT: RefCell<Option<foreign::ForeignAgent>> = const { RefCell::new(None) });
    #[component]
    fn Echo() -> Html {
        let on_log = |entry: LogEntry| {
            hear(entry.message.clone());
            if entry.message == "one" {
                let detail = js_sys::JSON::parse(r#"{"level":"info","message":"two"}"#).unwrap();
                AGENT.with_borrow(Clone::clone).unwrap().emit("praxis.log", &detail);
            }
            assert_eq!(entry.level, LogLevel::Info);
        };
        html! { <PraxisAgent options={PraxisOptions::default()} {on_log} /> }
    }
    let page = mount::<Echo>(()).await;
    AGENT.set(Some(page.agent()));
    take_heard();
    page.agent().emit("praxis.log", &js_sys::JSON::parse(r#"{"level":"info","message":"one"}"#).unwrap());
    assert_eq!(take_heard(), ["one", "two"]);
    AGENT.set(None);
}

#[wasm_bindgen_test]
async fn k12_an_element_that_lacks_methods_or_refuses_is_heard_and_nothing_breaks() {
    let mut page = mount::<Page>(props()).await;
    let agent = page.agent();
    let log = Watch::events(&["praxis.log"]);
    for method in ["setOptions", "setReadable", "removeReadable"] {
        Reflect::set(&agent, &method.into(), &JsValue::NULL).unwrap();
    }
    let named = PraxisOptions { locale: Some("en".into()), ..PraxisOptions::default() };
    page.update(PageProps { options: named, ..props() }).await;
    assert_eq!(
        log.take(),
        [r#"praxis.log {"level":"error","message":"this page's <praxis-agent> has no setOptions()"}"#]
    );
    assert_eq!(agent.run("known", "{}").await, "result by the hook");
}

#[wasm_bindgen_test]
async fn k12_another_make_that_refuses_our_options_gets_the_documented_ones() {
    take_only_documented(true);
    let options = |protocol| PraxisOptions {
        api: ApiOptions { protocol, url: Some("https://agent.example".into()), ..ApiOptions::default() },
        agent: AgentOptions { name: Some("课程助手".into()), ..AgentOptions::default() },
        locale: Some("zh-CN".into()),
        ..PraxisOptions::default()
    };
    let log = Watch::events(&["praxis.log"]);
    let get_token = Some(GetToken::new(|| async { Ok::<_, String>("a token") }));
    let mut page = mount::<Page>(PageProps { options: options(None), get_token, ..props() }).await;
    let agent = page.agent();
    let given = || String::from(js_sys::JSON::stringify(&agent.options()).unwrap());
    assert_eq!(given(), r#"{"api":{"url":"https://agent.example"},"agent":{"name":"课程助手"}}"#);
    let api = Reflect::get(&agent.options(), &"api".into()).unwrap();
    assert!(Reflect::get(&api, &"getToken".into()).unwrap().is_function());
    let said = log.take().concat();
    assert!(said.contains("\"warn\"") && said.contains("locale"), "{said}");
    assert_eq!(agent.run("known", "{}").await, "result by the hook");

    // It cannot be told to speak another protocol, so it keeps what it has.
    page.update(PageProps { options: options(Some(Protocol::Demo)), ..props() }).await;
    assert!(given().contains("agent.example"));
    let said = log.take().concat();
    assert!(said.contains("\"error\"") && said.contains("refused setOptions"), "{said}");
    take_only_documented(false);
}
