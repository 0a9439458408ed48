//! Whole turns through the element, over a network that breaks: every call runs once, every result arrives or is
//! logged (K22, K23), and what the page shows is what the service has.

use serde_json::{Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::network::{Network, all};
use crate::stage::with_stage;

#[wasm_bindgen_test]
async fn reads_may_end_at_any_byte_of_a_turn() {
    let whole = with_stage(
        "{}",
        "const sent = [];
         service.send = (stream, bytes) => { sent.push(...bytes); stream.send(bytes) };
         await turn(stage);
         globalThis.whole = Uint8Array.from(sent);
         return sent.length",
    )
    .await;
    let network = Network::new(
        "const s = streamed(); s.send(whole.slice(0, cut)); s.send(whole.slice(cut)); s.end(); return s",
    );
    let backend = network.backend("");
    let length = whole.as_u64().expect("a count of bytes");
    let mut expected = None;
    for cut in 0..=length {
        network.run(&format!("globalThis.cut = {cut}")).await;
        let (items, error) = all(backend.open_stream(&"sesn_1".into()).await.unwrap().items).await;
        assert_eq!(error, None, "cut at {cut}");
        // Four events up to the waiting, the result and three after it; three previews.
        assert_eq!(items.len(), 11, "cut at {cut}");
        assert_eq!(*expected.get_or_insert_with(|| items.clone()), items, "cut at {cut}");
    }
}

#[wasm_bindgen_test]
async fn frames_that_come_twice_late_and_while_the_history_is_read_change_nothing() {
    let wrong = with_stage(
        "{}",
        "service.send = (stream, bytes) => { stream.send(bytes); stream.send(bytes) };
         const twice = await turn(stage);
         let sending = Promise.resolve();
         service.send = (stream, bytes) => { sending = sending.then(moment).then(moment).then(() => stream.send(bytes)) };
         const late = await turn(stage);
         service.send = (stream, bytes) => stream.send(bytes);
         // The stream breaks as soon as the call is there; while the history is read, the turn goes on.
         let broken = false;
         service.send = (stream, bytes) => {
             stream.send(bytes);
             if (!broken && new TextDecoder().decode(bytes).includes('requires_action')) { broken = true; stream.break() }
         };
         service.answered = async (request, answer) => {
             if (request.method === 'GET' && !answer.response) for (let wait = 0; wait < 30; wait += 1) await moment();
             return answer;
         };
         const overlapping = await turn(stage, () => window.dispatchEvent(new Event('online')));
         await new Promise(requestAnimationFrame);
         await moment();
         const shown = [...element.shadowRoot.querySelectorAll('[part=message]')].map((message) => message.dataset.role);
         return [twice, late, overlapping, shown]",
    )
    .await;
    assert_eq!(wrong, json!([[], [], [], ["user", "agent"]]));
}

/// Posts of a result that are answered with `status`, the first `times` of them: how many were posted, how many
/// different ones, how often the handler ran, how many ends and errors there were.
async fn refused(status: u16, times: u32) -> Value {
    let body = format!(
        "let left = {times};
         service.instead = ({{ method, body }}) =>
             method === 'POST' && body.includes('custom_tool_result') && left-- > 0
                 ? refusal({status}, 'api_error', 'refused by the test') : undefined;
         await element.sendUserMessage('go');
         await until(() => seen.ends.length + seen.errors.length > 0, () => pass(50));
         for (let wait = 0; wait < 20; wait += 1) {{ pass(1000); await moment() }}
         const posted = service.results().map((result) => JSON.stringify(result));
         return [posted.length, new Set(posted).size, Object.values(seen.runs), seen.ends.length, seen.errors.length]"
    );
    with_stage("{}", &body).await
}

#[wasm_bindgen_test]
async fn k22_a_result_that_is_refused_for_now_is_posted_again() {
    for status in [408, 429, 500, 502, 503] {
        assert_eq!(refused(status, 1).await, json!([2, 1, [1], 1, 0]), "{status}");
    }
}

#[wasm_bindgen_test]
async fn k22_a_result_is_posted_at_most_four_times() {
    assert_eq!(refused(503, 3).await, json!([4, 1, [1], 1, 0]));
    for status in [408, 429, 500, 502, 503] {
        assert_eq!(refused(status, 100).await, json!([4, 1, [1], 0, 1]), "{status}");
    }
}

#[wasm_bindgen_test]
async fn k22_a_result_that_is_refused_for_good_is_logged_at_once() {
    for status in [400, 401, 403, 404, 409, 413] {
        assert_eq!(refused(status, 100).await, json!([1, 1, [1], 0, 1]), "{status}");
    }
}

#[wasm_bindgen_test]
async fn a_lost_answer_of_a_result_is_made_up_for_by_the_stream() {
    let seen = with_stage(
        "{}",
        "service.answered = ({ body }, answer) => {
             if (body?.includes('custom_tool_result')) throw new TypeError('Failed to fetch');
             return answer;
         };
         const wrong = await turn(stage);
         for (let wait = 0; wait < 20; wait += 1) { pass(1000); await moment() }
         return [wrong, service.results().length, seen.ends.length, seen.errors]",
    )
    .await;
    assert_eq!(seen, json!([[], 1, 1, []]));
}

#[wasm_bindgen_test]
async fn a_message_is_never_repeated() {
    for (fault, said) in [
        ("throw new TypeError('Failed to fetch')", "连不上服务。The service cannot be reached."),
        ("return refusal(503, 'api_error', 'not now')", "not now"),
        ("return refusal(429, 'rate_limit_error', 'slowly')", "slowly"),
    ] {
        let body = format!(
            "service.instead = ({{ body }}) => {{ if (body?.includes('user.message')) {{ {fault} }} }};
             const message = await element.sendUserMessage('go').then(() => 'sent', (error) => error.message);
             for (let wait = 0; wait < 20; wait += 1) {{ pass(2000); await moment() }}
             return [message, service.requests.filter(({{ body }}) => body?.includes('user.message')).length]"
        );
        assert_eq!(with_stage("{}", &body).await, json!([said, 1]), "{fault}");
    }
}

#[wasm_bindgen_test]
async fn tokens_that_expire_at_any_request_of_a_turn_are_asked_for_once_more() {
    let api = "{ getToken: async () => { const { expiring } = globalThis; expiring.asked += 1; return expiring.good = 't' + expiring.asked } }";
    let seen = with_stage(
        api,
        "globalThis.expiring = { asked: 0, good: '' };
         let expireAt = -1;
         let count = 0;
         service.instead = (request) => {
             if (count++ === expireAt) expiring.good = 'gone';
             return request.headers.authorization === `Bearer ${expiring.good}`
                 ? undefined : refusal(401, 'authentication_error', 'expired');
         };
         const wrong = [await turn(stage)];
         const requests = count;
         for (expireAt = 0; expireAt < requests; expireAt += 1) {
             [count, expiring.asked] = [0, 10 * expireAt + 10];
             wrong.push(await turn(stage));
             if (expiring.asked !== 10 * expireAt + 11) wrong.push([expireAt, expiring.asked]);
         }
         return [requests >= 5, wrong.flat()]",
    )
    .await;
    assert_eq!(seen, json!([true, []]));
}

#[wasm_bindgen_test]
async fn silence_of_45_seconds_opens_the_stream_again() {
    let opened = with_stage(
        "{}",
        "await turn(stage);
         const streams = () => service.requests.filter(({ path }) => path.endsWith('/stream')).length;
         const before = streams();
         for (let beat = 0; beat < 6; beat += 1) {
             pass(15_000);
             for (const { streams } of service.sessions.values()) for (const stream of streams) stream.send(':\\n\\n');
             await moment();
         }
         const alive = streams() - before;
         pass(46_000);
         await until(() => streams() > before, () => pass(500));
         return [alive, service.requests.filter(({ path, aborted }) => path.endsWith('/stream') && aborted).length]",
    )
    .await;
    assert_eq!(opened, json!([0, 1]));
}

#[wasm_bindgen_test]
async fn the_history_lists_page_by_page_opens_and_deletes_after_a_question() {
    let seen = with_stage(
        "{}",
        "for (let count = 0; count < 3; count += 1) await turn(stage);
         const drawn = async () => { await new Promise(requestAnimationFrame); await moment(); await moment() };
         const root = element.shadowRoot;
         const all = (selector) => [...root.querySelectorAll(selector)];
         const labelled = (label) => all('button').find((button) => button.ariaLabel === label || button.textContent.trim() === label);
         await drawn();
         labelled('Conversations').click();
         await until(() => all('.session-open').length === 2);
         labelled('More').click();
         await until(() => all('.session-open').length === 3);
         all('.session-open')[2].click();
         await until(() => element.sessionId === 'sesn_000001');
         await until(() => all('[part=message]').length === 2);
         labelled('Conversations').click();
         await until(() => all('.session-row button').length > 3);
         const rubbish = all('.session-row button').find((button) => button.ariaLabel?.startsWith('Delete'));
         rubbish.click();
         await until(() => labelled('Cancel'));
         const asked = service.requests.some(({ method }) => method === 'DELETE');
         all('.question .danger')[0].click();
         await until(() => service.requests.some(({ method }) => method === 'DELETE'));
         await drawn();
         return [asked, service.requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path)]",
    )
    .await;
    assert_eq!(seen, json!([false, ["/v1/sessions/sesn_000003"]]));
}
