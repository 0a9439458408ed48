//! The options of the app's agent, from `config.json` and the learner's preferences.

use std::rc::Rc;

use serde_json::Value;
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use web_sys::{RequestInit, Response};

use super::tools;
use crate::app::config::{Api, Config, Key};
use crate::app::learner::Theme;
use crate::app::words::Words;
use crate::binding::{
    AgentOptions, ApiOptions, ComposerOptions, GetToken, PraxisOptions, Prompt, Protocol, StartScreenOptions,
    Theme as PanelTheme,
};

/// What the tutor understands: a file of the site, for the demo alone.
pub const TUTOR_SCRIPT: &str = "tutor_script.json";

/// What the agent is told by the app.
#[must_use]
pub fn options(
    config: &Config,
    script: Option<Rc<Value>>,
    words: &Words,
    theme: Theme,
    in_lesson: bool,
) -> Rc<PraxisOptions> {
    let text = |text: &Rc<str>| Some(text.to_string());
    let mut api = ApiOptions::default();
    match &config.api {
        Api::Demo => {
            api.protocol = Some(Protocol::Demo);
            api.script = script;
        }
        Api::Praxis { url, .. } => {
            api.protocol = Some(Protocol::Praxis);
            api.url = text(url);
        }
        Api::ChatCompletions { url, model, request } => {
            api.protocol = Some(Protocol::OpenAiChatCompletions);
            api.url = text(url);
            api.model = text(model);
            api.request = request.clone();
        }
        Api::AgUi { url } => {
            api.protocol = Some(Protocol::AgUi);
            api.url = text(url);
        }
    }
    if let Some(Key(key)) = &config.key {
        api.headers.push(("authorization".to_owned(), ["Bearer ", key].concat()));
    }
    let prompt = |text: &str| Prompt { label: text.to_owned(), prompt: text.to_owned() };
    Rc::new(PraxisOptions {
        api,
        agent: AgentOptions {
            name: config.agent_name.as_ref().and_then(text),
            instructions: None,
            tools: tools(),
        },
        locale: Some(words.language.tag().to_owned()),
        theme: Some(match theme {
            Theme::System => PanelTheme::System,
            Theme::Light => PanelTheme::Light,
            Theme::Dark => PanelTheme::Dark,
        }),
        start_screen: Some(StartScreenOptions {
            greeting: Some(words.assistant_greeting.to_owned()),
            prompts: prompts(words, in_lesson).iter().map(|text| prompt(text)).collect(),
        }),
        composer: Some(ComposerOptions { placeholder: Some(words.assistant_placeholder.to_owned()) }),
        history: None,
    })
}

/// What the start screen suggests: what the page that is shown can do.
fn prompts(words: &Words, in_lesson: bool) -> Vec<&'static str> {
    if in_lesson {
        vec![
            words.prompt_where,
            words.prompt_here,
            words.prompt_seek,
            words.prompt_several,
            words.prompt_subject,
        ]
    } else {
        vec![words.prompt_open, words.prompt_form, words.prompt_subject]
    }
}

/// Where tokens come from, where the deployment gives them out.
#[must_use]
pub fn get_token(config: &Config, words: &'static Words) -> Option<GetToken> {
    let Config { api: Api::Praxis { token_url: Some(url), .. }, key: None, .. } = config else { return None };
    let url = url.clone();
    Some(GetToken::new(move || {
        let url = url.clone();
        async move { fetch_token(&url).await.ok_or(words.assistant_no_token) }
    }))
}

async fn fetch_token(url: &str) -> Option<String> {
    let init = RequestInit::new();
    init.set_method("POST");
    let response = JsFuture::from(gloo::utils::window().fetch_with_str_and_init(url, &init)).await.ok()?;
    let response: Response = response.unchecked_into();
    let body = JsFuture::from(response.ok().then(|| response.json().ok())??).await.ok()?;
    js_sys::Reflect::get(&body, &"token".into()).ok()?.as_string()
}
