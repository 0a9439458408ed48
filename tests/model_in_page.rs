//! A model behind HTTP, asked by the page: with `fetch`, through the element, to the turn's end.
#![cfg(target_arch = "wasm32")]

#[path = "http_backend/network.rs"]
mod network;
mod page;

use network::new_address;
use page::{define_with, run};
use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen(module = "/tests/http_backend/fetch.js")]
extern "C" {
    #[wasm_bindgen(js_name = load)]
    fn load_network();
}

/// What every test of this file knows: `origin`, which is asked; `agent`, an element that asks it; `chunk`, a piece of a
/// chat completion; `said`, the agent's messages.
const BEGIN: &str = "
    const { json, streamed } = http;
    const origin = new http.Origin(URL_OF_THE_TEST);
    const agent = document.createElement('praxis-agent');
    document.body.append(agent);
    const tools = [{ type: 'custom', name: 'look', description: 'A tool.', input_schema: { type: 'object' } }];
    const api = { protocol: 'openai-chat-completions', url: URL_OF_THE_TEST + '/v1', model: 'm', ...API };
    agent.onClientTool = () => 'seen';
    const errors = [];
    agent.addEventListener('praxis.error', ({ detail }) => errors.push(detail.message));
    const ended = () => next(agent, 'praxis.response.end');
    const chunk = (delta, more = {}) => `data: ${JSON.stringify({ choices: [{ index: 0, delta, ...more }] })}\\n\\n`;
    const answers = (text) => {
        const stream = streamed();
        stream.send(chunk({ content: text }));
        stream.send(chunk({}, { finish_reason: 'stop' }));
        stream.send('data: [DONE]\\n\\n');
        stream.end();
        return stream.response;
    };
    const said = () => [...agent.shadowRoot.querySelectorAll('[part~=message][data-role=agent]')].map((message) => message.textContent);
    const shows = async (text) => { while (!agent.shadowRoot.textContent.includes(text)) await new Promise(requestAnimationFrame); };
    try {";

async fn with_model(api: &str, body: &str) -> Value {
    load_network();
    define_with(praxis::backends::backend);
    let address = format!("'{}'", new_address());
    let begin = BEGIN.replace("URL_OF_THE_TEST", &address).replace("API", api);
    run(&JsValue::NULL, &[&begin, body, "} finally { agent.remove() }"].concat()).await
}

#[wasm_bindgen_test]
async fn e15_a_call_goes_to_the_page_and_its_result_back_to_the_model() {
    let answer = with_model(
        "{ headers: { authorization: 'Bearer sk-1', 'x-tenant': '7' }, request: { temperature: 0.5 } }",
        "agent.setOptions({ api, agent: { tools } });
         origin.answer = ({ body }) => {
             const { messages } = JSON.parse(body);
             if (messages.at(-1).role === 'tool') return answers(`it was ${messages.at(-1).content}`);
             const stream = streamed();
             stream.send(chunk({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'look', arguments: '' } }] }));
             for (const piece of '{\"n\":1}') stream.send(chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] }));
             stream.send(chunk({}, { finish_reason: 'tool_calls' }));
             stream.end();
             return stream.response;
         };
         const end = ended();
         await agent.sendUserMessage('please look');
         await end;
         await shows('it was seen');
         const [first, second] = origin.requests;
         const { model, temperature, stream, messages } = JSON.parse(first.body);
         return { paths: origin.requests.map(({ path }) => path), headers: first.headers, model, temperature, stream,
             asked: messages.map(({ role }) => role), answered: JSON.parse(second.body).messages.at(-1) }",
    )
    .await;
    assert_eq!(answer["paths"], json!(["/v1/chat/completions", "/v1/chat/completions"]));
    assert_eq!(
        (&answer["model"], &answer["temperature"], &answer["stream"]),
        (&json!("m"), &json!(0.5), &json!(true))
    );
    assert_eq!(answer["headers"]["authorization"], "Bearer sk-1");
    assert_eq!(answer["headers"]["x-tenant"], "7");
    assert_eq!(answer["headers"]["content-type"], "application/json");
    assert_eq!(answer["asked"], json!(["system", "user"]));
    assert_eq!(answer["answered"], json!({"role":"tool","tool_call_id":"c1","content":"seen"}));
}

#[wasm_bindgen_test]
async fn e16_stop_aborts_the_request_and_what_was_said_stays() {
    let answer = with_model(
        "{}",
        "agent.setOptions({ api });
         let stream;
         origin.answer = (request) => { request.stream = stream = streamed(); return stream.response; };
         await agent.sendUserMessage('tell me a story');
         while (!stream) await new Promise(requestAnimationFrame);
         stream.send(chunk({ content: 'Once upon a time' }));
         await shows('Once upon a time');
         const end = ended();
         await agent.interrupt();
         await end;
         const { aborted } = origin.requests[0];
         origin.answer = () => answers('Yes?');
         const again = ended();
         await agent.sendUserMessage('again');
         await again;
         await shows('Yes?');
         const { messages } = JSON.parse(origin.requests[1].body);
         return { aborted, story: messages.filter(({ role }) => role === 'assistant').map(({ content }) => content), errors }",
    )
    .await;
    assert_eq!(answer["aborted"], true);
    assert_eq!(answer["story"].as_array().unwrap().len(), 1);
    assert!(answer["story"][0].as_str().unwrap().starts_with("Once upon a time"), "{answer}");
    assert_eq!(answer["errors"], json!([]));
}

#[wasm_bindgen_test]
async fn e15_what_passes_is_asked_again_and_a_cut_is_not() {
    let answer = with_model(
        "{}",
        "agent.setOptions({ api });
         origin.answer = () => origin.requests.length === 1
             ? new Response('later', { status: 429, headers: { 'retry-after': '0' } })
             : answers('Here I am.');
         const end = ended();
         await agent.sendUserMessage('hello');
         await end;
         await shows('Here I am.');
         const repeated = origin.requests.length;
         origin.requests.length = 0;
         origin.answer = () => {
             const stream = streamed();
             stream.send(chunk({ content: 'I was about' }));
             setTimeout(() => stream.break(), 0);
             return stream.response;
         };
         const failed = next(agent, 'praxis.error');
         await agent.sendUserMessage('and now?');
         await failed;
         return { repeated, cut: origin.requests.length }",
    )
    .await;
    assert_eq!(answer, json!({"repeated": 2, "cut": 1}));
}

#[wasm_bindgen_test]
async fn e15_a_model_that_cannot_be_reached_is_said_to_be_tried_again_and_is_stopped_at_once() {
    let answer = with_model(
        "{}",
        "agent.setOptions({ api, locale: 'en' });
         origin.answer = () => { throw new TypeError('Failed to fetch') };
         await agent.sendUserMessage('hello');
         const waits = () => agent.shadowRoot.querySelector('.thinking').textContent;
         await shows('No answer yet, trying again');
         await shows('does not let this page use it (CORS)');
         const told = waits().includes('trying again');
         const { status } = agent;
         const tried = origin.requests.length;
         const end = ended();
         await agent.interrupt();
         await end;
         while (waits()) await new Promise(requestAnimationFrame);
         origin.answer = () => answers('Here I am.');
         await agent.sendUserMessage('again');
         await shows('Here I am.');
         return { status, tried, told, errors }",
    )
    .await;
    // The second attempt, half a second after the first, told it.
    assert_eq!(answer, json!({"status": "running", "tried": 2, "told": true, "errors": []}));
}

#[wasm_bindgen_test]
async fn k5_a_token_that_is_refused_is_fetched_anew_and_the_request_sent_once_more() {
    let answer = with_model(
        "{ getToken: async () => `token-${(globalThis.modelTokens = (globalThis.modelTokens ?? 0) + 1)}` }",
        "agent.setOptions({ api });
         origin.answer = ({ headers }) =>
             headers.authorization === 'Bearer token-2' ? answers('welcome') : json(401, { error: { message: 'who?' } });
         const end = ended();
         await agent.sendUserMessage('hello');
         await end;
         await shows('welcome');
         return origin.requests.map(({ headers }) => headers.authorization)",
    )
    .await;
    assert_eq!(answer, json!(["Bearer token-1", "Bearer token-2"]));
}

#[wasm_bindgen_test]
async fn a_refusal_is_said_without_the_key() {
    let answer = with_model(
        "{ headers: { authorization: 'Bearer sk-very-secret' } }",
        "agent.setOptions({ api });
         origin.answer = () => json(401, { error: { message: 'Incorrect key sk-very-secret' } });
         const failed = next(agent, 'praxis.error');
         await agent.sendUserMessage('hello');
         await failed;
         const kept = Object.values(localStorage).join();
         return { errors, kept: kept.includes('sk-very-secret'), asked: origin.requests.length }",
    )
    .await;
    assert!(answer["errors"][0].as_str().unwrap().contains("Incorrect key …"), "{answer}");
    assert_eq!((&answer["kept"], &answer["asked"]), (&json!(false), &json!(1)));
}

#[wasm_bindgen_test]
async fn k23_conversations_of_one_connection_are_not_another_s() {
    let answer = with_model(
        "{}",
        "origin.answer = () => answers('hello yourself');
         const counts = [];
         const ask = async (url) => {
             agent.setOptions({ api: { ...api, url } });
             if (agent.sessionId === null) {
                 const end = ended();
                 await agent.sendUserMessage('hello');
                 await end;
             }
             return agent.sessionId;
         };
         const one = await ask(`${api.url}/one`);
         const other = await ask(`${api.url}/other`);
         agent.setOptions({ api: { ...api, url: `${api.url}/one` } });
         if (agent.sessionId !== one) await next(agent, 'praxis.session.change', ({ sessionId }) => sessionId === one);
         const stranger = await rejected(agent.setSession(other));
         return { different: one !== other, stranger }",
    )
    .await;
    assert_eq!(answer["different"], true);
    assert_ne!(answer["stranger"], "nothing", "another connection's conversation was opened");
}

#[wasm_bindgen_test]
async fn k5_an_endpoint_without_a_model_is_refused() {
    let answer = with_model(
        "{}",
        "delete api.model;
         return [thrown(() => agent.setOptions({ api })), thrown(() => agent.setOptions({ api: { ...api, model: 'm', request: { temperature: 'hot' } } }))]",
    )
    .await;
    assert!(
        answer[0].as_str().unwrap().starts_with("TypeError: setOptions: api.model: expected"),
        "{answer}"
    );
    assert!(
        answer[1].as_str().unwrap().starts_with("TypeError: setOptions: api.request.temperature: expected"),
        "{answer}"
    );
}
