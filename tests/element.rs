//! `<praxis-agent>` as a page sees it: its property, its options, its readables, its events.
#![cfg(target_arch = "wasm32")]

mod page;

use page::{Page, define};
use serde_json::{Value, json};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
async fn an_element_that_is_already_defined_stays() {
    define();
    let again = praxis::kit::element::define_element(|_| Err(String::new()));
    assert!(!again);
    assert!(Page::ready().await.run("return agent.status").await.is_string());
}

#[wasm_bindgen_test]
async fn k2_the_property_takes_a_function_or_nothing() {
    let page = Page::bare();
    let seen = page
        .run(
            "const handler = () => 1;
             const seen = [agent.onClientTool];
             agent.onClientTool = handler;
             seen.push(thrown(() => { agent.onClientTool = 'handler' }), agent.onClientTool === handler);
             agent.onClientTool = undefined;
             return [...seen, agent.onClientTool]",
        )
        .await;
    let error = "TypeError: onClientTool: expected a function or null, got string";
    assert_eq!(seen, json!([null, error, true, null]));
}

#[wasm_bindgen_test]
async fn k5_a_bad_value_throws_a_type_error_that_names_it_and_changes_nothing() {
    let page = Page::ready().await;
    let cases = [
        ("undefined", "the options: expected an object, got undefined"),
        ("[]", "the options: expected an object, got an array"),
        ("{}", "api: expected an object, got undefined"),
        ("{api: null}", "api: expected an object, got null"),
        ("{api: {}}", "api.url: expected the address of the agent service, got undefined"),
        ("{api: {url: 5}}", "api.url: expected a string, got number"),
        (
            "{api: {url: 'ftp://a'}}",
            "api.url: expected an http or https address without query, fragment and user name, got \"ftp://a\"",
        ),
        (
            "{api: {protocol: 'x'}}",
            "api.protocol: expected \"praxis\" or \"demo\" or \"openai-chat-completions\" or \"ag-ui\", got \"x\"",
        ),
        (
            "{api: {url: URL, getToken: 'token'}}",
            "api.getToken: expected an async function that yields a token, got \"token\"",
        ),
        ("{api: {url: URL, headers: {a: 1}}}", "api.headers.a: expected a string, got number"),
        ("{api: {url: URL}, agent: 'a'}", "agent: expected an object, got \"a\""),
        (
            "{api: {url: 'https://service.test/?'}}",
            "api.url: expected an http or https address without query, fragment and user name, got \"https://service.test/?\"",
        ),
        (
            "{api: {url: 'https://service.test/#'}}",
            "api.url: expected an http or https address without query, fragment and user name, got \"https://service.test/#\"",
        ),
        (
            "{api: {url: 'https://u:p@service.test/'}}",
            "api.url: expected an http or https address without query, fragment and user name, got \"https://u:p@service.test/\"",
        ),
        (
            "{api: {url: ''}}",
            "api.url: expected an http or https address without query, fragment and user name, got \"\"",
        ),
        ("{api: {url: URL}, agent: {name: ' '}}", "agent.name: expected the agent's name: it is blank"),
        ("{api: {url: URL}, agent: {name: {}}}", "agent.name: expected a string, got object"),
        (
            "{api: {url: URL}, agent: {tools: {}}}",
            "agent.tools: expected an array of tool declarations, got object",
        ),
        (
            "{api: {url: URL}, agent: {tools: [{type: 'custom', name: 'a b'}]}}",
            "agent.tools: expected tools as K1 declares them: tool \"a b\": name: must match ^[a-zA-Z0-9_-]{1,64}$",
        ),
        ("{api: {url: URL}, locale: 'fr'}", "locale: expected \"zh-CN\" or \"en\", got \"fr\""),
        ("{api: {url: URL}, theme: 1}", "theme: expected \"light\" or \"dark\" or \"system\", got number"),
        (
            "{api: {url: URL}, startScreen: {prompts: 'a'}}",
            "startScreen.prompts: expected an array of {label, prompt}, got \"a\"",
        ),
        (
            "{api: {url: URL}, startScreen: {prompts: [{label: 'a'}]}}",
            "startScreen.prompts[0].prompt: expected a text, got undefined",
        ),
        (
            "{api: {url: URL}, composer: {placeholder: false}}",
            "composer.placeholder: expected a string, got boolean",
        ),
        (
            "{api: {url: URL}, history: {enabled: 'no'}}",
            "history.enabled: expected true or false, got \"no\"",
        ),
    ];
    for (options, problem) in cases {
        let options = options.replace("URL", "'https://service.test/other'");
        let body = ["return thrown(() => agent.setOptions(", &options, "))"].concat();
        assert_eq!(page.run(&body).await, ["TypeError: setOptions: ", problem].concat(), "{options}");
    }
    let sent = page.run("await agent.sendUserMessage('still here'); return agent.status").await;
    assert_eq!(sent, "running");
    assert_eq!(page.service.next_message().await.0, "still here");
}

#[wasm_bindgen_test]
async fn k5_options_of_another_frame_are_as_good_as_the_page_s_own() {
    let page = Page::ready().await;
    let body = "const frame = document.body.appendChild(document.createElement('iframe')); \
        const foreign = frame.contentWindow.Function('url', \
            'return {api: {url, getToken: async () => null}, agent: Object.assign(Object.create(null), {name: \"test\"}), \
             startScreen: {prompts: [{label: \"a\", prompt: \"b\"}]}}'); \
        const mine = OPTIONS; agent.setOptions(foreign(mine.api.url)); frame.remove(); return 'taken'";
    assert_eq!(page.run(body).await, "taken");
}

#[wasm_bindgen_test]
async fn k5_a_protocol_that_this_build_does_not_have_is_refused() {
    define();
    let page = Page::bare();
    let body = "return thrown(() => agent.setOptions({ api: { url: 'https://elsewhere.test' } }))";
    assert_eq!(page.run(body).await, "TypeError: setOptions: api.url: no such service");
    let body = "return rejected(agent.sendUserMessage('hello'))";
    assert!(page.run(body).await.as_str().is_some_and(|error| error.contains("setOptions")));
}

#[wasm_bindgen_test]
async fn k5_unknown_keys_warn_and_a_misplaced_handler_is_told_where_it_belongs() {
    let page = Page::bare();
    let seen = page
        .run(
            "const logs = [];
             agent.addEventListener('praxis.log', (event) => logs.push(event.detail));
             const options = { ...OPTIONS, colour: 'red', composer: { rows: 3 }, onClientTool: () => 'wrong place' };
             agent.setOptions(options);
             agent.setOptions({ ...options });
             return [logs, agent.onClientTool]",
        )
        .await;
    assert_eq!(seen[1], Value::Null);
    let logs = seen[0].as_array().unwrap();
    assert_eq!(logs.len(), 2, "equal options do nothing: {logs:?}");
    assert_eq!((&logs[0]["level"], &logs[0]["data"]["keys"]), (&json!("warn"), &json!(["onClientTool"])));
    assert!(logs[0]["message"].as_str().unwrap().contains("element.onClientTool"));
    assert_eq!(
        (&logs[1]["level"], &logs[1]["data"]["keys"]),
        (&json!("warn"), &json!(["colour", "composer.rows"]))
    );
}

#[wasm_bindgen_test]
async fn k5_only_another_address_or_agent_opens_anew() {
    let (page, session) = Page::in_session().await;
    let changes = page
        .run(
            "const changes = [];
             agent.addEventListener('praxis.session.change', (event) => changes.push(event.detail.sessionId));
             const options = OPTIONS;
             agent.setOptions({ ...options, theme: 'dark' });
             agent.setOptions({ ...options, api: { ...options.api, getToken: async () => 'a' } });
             agent.setOptions({ ...options, api: { ...options.api, url: options.api.url + '/' } });
             const kept = agent.sessionId;
             agent.setOptions({ ...options, agent: { name: 'another' } });
             return [kept, agent.sessionId, changes]",
        )
        .await;
    assert_eq!(changes, json!([session, null, [null]]));
}

#[wasm_bindgen_test]
async fn k6_k14_bad_names_and_values_throw_and_the_old_value_stays() {
    let page = Page::bare();
    let long = "a".repeat(65);
    let names =
        ["''", "'a b'", "'课'", "'a\\n'", "'a/b'", "5", "undefined", "Symbol()", &format!("'{long}'")];
    for name in names {
        let body = ["return thrown(() => agent.setReadable(", name, ", 1))"].concat();
        let error = page.run(&body).await;
        assert!(
            error.as_str().is_some_and(|error| error.starts_with("TypeError: setReadable: ")),
            "{name}: {error}"
        );
    }
    let values = [
        "undefined",
        "() => 1",
        "Symbol('s')",
        "10n",
        "(() => { const a = {}; a.a = a; return a })()",
        "{ toJSON() { throw new RangeError('no') } }",
        "{ toJSON() {} }",
    ];
    page.run("agent.setReadable('p', 'old')").await;
    for value in values {
        let body = ["return thrown(() => agent.setReadable('p', ", value, "))"].concat();
        let error = page.run(&body).await;
        assert!(
            error.as_str().is_some_and(|error| error.starts_with("TypeError: setReadable: p: ")),
            "{value}: {error}"
        );
    }
    assert_eq!(page.run("return agent.readables").await, json!([{ "name": "p", "value": "old" }]));
}

#[wasm_bindgen_test]
async fn case_i06_k14_values_are_written_as_json_stringify_writes_them() {
    let page = Page::bare();
    let cases = [
        ("''", ""),
        ("'{\"a\":1}'", "{\"a\":1}"),
        ("{ a: undefined }", "{}"),
        ("NaN", "null"),
        ("-0", "0"),
        ("null", "null"),
        ("[undefined, 83.0, 1e21]", "[null,83,1e+21]"),
        ("new Date(0)", "\"1970-01-01T00:00:00.000Z\""),
        ("new Map([[1, 2]])", "{}"),
        ("'a\\ud83d'", "a\u{fffd}"),
        (
            "{ '\\udc00k': ['\\ud83d', '\\\\ud83d', '\\ud83d\\ude00'] }",
            "{\"\u{fffd}k\":[\"\u{fffd}\",\"\\\\ud83d\",\"😀\"]}",
        ),
    ];
    for (value, text) in cases {
        let body = ["agent.setReadable('p', ", value, "); return agent.readables[0].value"].concat();
        assert_eq!(page.run(&body).await, text, "{value}");
    }
}

#[wasm_bindgen_test]
async fn k15_an_update_keeps_its_place_and_the_list_is_a_copy() {
    let page = Page::bare();
    let seen = page
        .run(
            "agent.setReadable('a', 1); agent.setReadable('b', 2); agent.setReadable('a', 3);
             agent.readables.push('mine'); agent.readables[0].value = 'mine';
             const updated = agent.readables.map(({ name, value }) => name + value);
             const removed = [agent.removeReadable('a'), agent.removeReadable('a'), agent.removeReadable()];
             agent.setReadable('a', 4);
             return [updated, removed, agent.readables.map(({ name, value }) => name + value)]",
        )
        .await;
    assert_eq!(seen, json!([["a3", "b2"], [true, false, false], ["b2", "a4"]]));
}

#[wasm_bindgen_test]
async fn k16_every_message_carries_the_readables_of_the_moment_it_was_sent() {
    let page = Page::ready().await;
    page.run("await agent.sendUserMessage('none')").await;
    assert_eq!(page.service.next_message().await, ("none".to_owned(), None));
    page.run(
        "agent.setReadable('lesson', '正在看第 3 课');
         const sent = agent.sendUserMessage({ text: 'now' });
         agent.setReadable('lesson', 'changed later');
         await sent",
    )
    .await;
    let (text, context) = page.service.next_message().await;
    assert_eq!(text, "now");
    assert_eq!(context.unwrap()[0].value, "正在看第 3 课");
}

#[wasm_bindgen_test]
async fn k16_the_composer_sends_the_readables_too() {
    let page = Page::ready().await;
    page.drawn().await;
    page.run(
        "agent.setReadable('a', 1);
         const field = agent.shadowRoot.querySelector('textarea');
         field.value = 'typed';
         field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))",
    )
    .await;
    page.drawn().await;
    page.run("agent.shadowRoot.querySelector('[part~=send]').click()").await;
    let (text, context) = page.service.next_message().await;
    assert_eq!((text.as_str(), context.unwrap().len()), ("typed", 1));
}

#[wasm_bindgen_test]
async fn case_i07_k17_entries_are_dropped_from_the_earliest_on_with_one_warning() {
    let page = Page::ready().await;
    let logs = page
        .run(
            "const logs = [];
             agent.addEventListener('praxis.log', (event) => logs.push(event.detail));
             for (let i = 0; i < 34; i += 1) agent.setReadable(`n${i}`, i);
             await agent.sendUserMessage('many');
             return [logs, agent.readables.length]",
        )
        .await;
    assert_eq!(page.service.next_message().await.1.unwrap().len(), 32);
    assert_eq!(logs[1], 34, "what is registered stays");
    assert_eq!(logs[0].as_array().unwrap().len(), 1);
    assert_eq!(logs[0][0]["level"], "warn");
    assert_eq!(logs[0][0]["data"], json!({ "names": ["n0", "n1"] }));

    page.run("agent.setReadable('huge', 'x'.repeat(5000)); await agent.sendUserMessage('huge')").await;
    assert_eq!(page.service.next_message().await.1, None, "all dropped: the field is absent");
}

#[wasm_bindgen_test]
async fn case_i02_a_message_leaves_the_page_as_well_formed_unicode() {
    let page = Page::ready().await;
    page.run("await agent.sendUserMessage('a\\ud83d b')").await;
    assert_eq!(page.service.next_message().await.0, "a\u{fffd} b");
}

#[wasm_bindgen_test]
async fn messages_that_cannot_be_sent_are_rejected_with_a_reason() {
    let page = Page::ready().await;
    for message in ["5", "undefined", "{}", "{ text: 5 }", "{ text: 'a', newSession: 1 }"] {
        let body = ["return rejected(agent.sendUserMessage(", message, "))"].concat();
        let error = page.run(&body).await;
        assert!(
            error.as_str().is_some_and(|error| error.starts_with("TypeError: sendUserMessage: ")),
            "{error}"
        );
    }
    let blank = page.run("return [await rejected(agent.sendUserMessage(' \\n')), agent.sessionId]").await;
    assert!(blank[0].as_str().unwrap().contains("blank"));
    assert_eq!(blank[1], Value::Null, "a blank text makes no session");
}

#[wasm_bindgen_test]
async fn two_messages_at_once_make_one_session_and_keep_their_order() {
    let page = Page::ready().await;
    page.run("await Promise.all([agent.sendUserMessage('one'), agent.sendUserMessage('two')])").await;
    let (first, _) = page.service.next_post().await;
    assert_eq!(page.service.next_message().await.0, "two");
    assert_eq!(page.run("return agent.sessionId").await, first.as_str());
}

#[wasm_bindgen_test]
async fn k7_events_bubble_out_of_an_outer_shadow_root() {
    let page = Page::bare();
    let seen = page
        .run(
            "const outer = document.createElement('div');
             outer.attachShadow({ mode: 'closed' }).append(agent);
             document.body.append(outer);
             const logged = new Promise((resolve) => document.addEventListener('praxis.log', resolve, { once: true }));
             agent.setOptions({ ...OPTIONS, unknown: 1 });
             const event = await logged;
             return [event.target === outer, event.bubbles, event.composed, Object.getPrototypeOf(event.detail) === Object.prototype]",
        )
        .await;
    assert_eq!(seen, json!([true, true, true, true]));
}

#[wasm_bindgen_test]
async fn ready_comes_once_and_never_while_set_options_runs() {
    let page = Page::bare();
    let seen = page
        .run(
            "const seen = [];
             agent.addEventListener('praxis.ready', (event) => seen.push(event.detail));
             agent.setOptions(OPTIONS);
             const at_once = seen.length;
             await settled();
             agent.setOptions({ ...OPTIONS, theme: 'dark' });
             await settled();
             return [at_once, seen]",
        )
        .await;
    assert_eq!(seen, json!([0, [null]]));
}
