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

/// A run of an agent's: its state, and a text.
const AGENT_RUN: &str = "
     origin.answer = ({ body }) => {
         const { runId, messages } = JSON.parse(body);
         const stream = streamed();
         const tell = (event) => stream.send(`data: ${JSON.stringify(event)}\\n\\n`);
         tell({ type: 'RUN_STARTED', runId });
         tell({ type: 'STATE_SNAPSHOT', snapshot: { run: origin.requests.length, large: 'x'.repeat(size) } });
         tell({ type: 'TEXT_MESSAGE_CHUNK', messageId: `m-${runId}`, delta: `answer ${origin.requests.length}` });
         tell({ type: 'RUN_FINISHED', runId });
         stream.end();
         return stream.response;
     };
     const turn = async (text) => { const end = ended(); await agent.sendUserMessage(text); await end; };";

#[wasm_bindgen_test]
async fn e17_of_an_agents_states_only_the_newest_is_stored() {
    let body = "agent.setOptions({ api });
         let size = 2_000_000;
         TURNS
         for (const text of ['one', 'two', 'three', 'four']) await turn(text);
         const { state, messages } = JSON.parse(origin.requests[3].body);
         const stored = Object.keys(localStorage).filter((key) => key.includes(agent.sessionId)).map((key) => localStorage[key]);
         const kept = stored.filter((batch) => batch.includes('\"state\"')).length;
         return { run: state.run, messages: messages.map(({ content }) => content), kept, errors }";
    let answer = with_model("{ protocol: 'ag-ui' }", &body.replace("TURNS", AGENT_RUN)).await;
    assert_eq!((&answer["run"], &answer["kept"], &answer["errors"]), (&json!(3), &json!(1), &json!([])));
    let said = json!(["one", "answer 1", "two", "answer 2", "three", "answer 3", "four"]);
    assert_eq!(answer["messages"], said);
}

#[wasm_bindgen_test]
async fn e17_a_state_that_no_storage_takes_ends_its_turn_and_not_the_conversation() {
    let body = "agent.setOptions({ api });
         let size = 6_000_000;
         TURNS
         await turn('第一个问题');
         await shows('浏览器的存储空间已满');
         await shows('answer 1');
         const { status } = agent;
         size = 10;
         await turn('and now?');
         const { state, messages } = JSON.parse(origin.requests[1].body);
         return { status, after: agent.status, run: state.run, said: messages[1].content, errors: errors.length }";
    let answer = with_model("{ protocol: 'ag-ui' }", &body.replace("TURNS", AGENT_RUN)).await;
    let expected = json!({"status": "error", "after": "idle", "run": 1, "said": "answer 1", "errors": 1});
    assert_eq!(answer, expected);
}

#[wasm_bindgen_test]
async fn an_answer_that_cannot_be_stored_is_no_broken_connection() {
    let answer = with_model(
        "{}",
        "agent.setOptions({ api, locale: 'en' });
         let stream;
         origin.answer = () => { stream = streamed(); return stream.response; };
         await agent.sendUserMessage('tell me');
         while (!stream) await new Promise(requestAnimationFrame);
         stream.send(chunk({ content: 'Once upon a time' }));
         await shows('Once upon a time');
         let size = 4_000_000;
         for (let i = 0; size > 0; i += 1) {
             try { localStorage.setItem(`filler ${i}`, 'x'.repeat(size)) } catch { size = Math.floor(size / 2) }
         }
         const texts = new Set();
         const look = setInterval(() => texts.add(agent.shadowRoot.textContent));
         const end = ended();
         stream.send(chunk({}, { finish_reason: 'stop' }));
         stream.end();
         await end;
         await shows('storage is full');
         clearInterval(look);
         for (const key of Object.keys(localStorage)) if (key.startsWith('filler')) localStorage.removeItem(key);
         const { status } = agent;
         origin.answer = () => answers('Here I am.');
         const again = ended();
         await agent.sendUserMessage('go on');
         await again;
         await shows('Here I am.');
         const broken = [...texts].some((text) => /connect/i.test(text));
         return { status, broken, said: said()[0].includes('Once upon a time'), asked: origin.requests.length, after: agent.status }",
    )
    .await;
    let expected = json!({"status": "error", "broken": false, "said": true, "asked": 2, "after": "idle"});
    assert_eq!(answer, expected);
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
