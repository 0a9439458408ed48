//! A turn over HTTP whose stream is cut, at every byte of it: the call runs once, its result arrives, the turn ends.
//! A file of its own, because it takes its time.
#![cfg(target_arch = "wasm32")]

#[path = "http_backend/network.rs"]
mod network;
mod page;
#[path = "http_backend/stage.rs"]
mod stage;

use serde_json::json;
use stage::with_stage;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// A test that runs over positions of a stream's bytes, every `SHARE`th of them.
const SHARE: u32 = 3;

/// Goes over every position of the bytes of a turn's stream; `cut` does something there.
async fn at_every_position(share: u32, cut: &str) {
    let body = format!(
        "let sent = 0;
         service.send = (stream, bytes) => {{ sent += bytes.length; stream.send(bytes) }};
         const first = await turn(stage);
         if (first.length) return first;
         const length = sent;
         let cutAt = 0;
         const reconnect = async () => {{ await moment(); await moment(); pass(1000) }};
         service.send = (stream, bytes) => {{
             const at = cutAt - sent;
             sent += bytes.length;
             if (at < 0 || at >= bytes.length) return stream.send(bytes);
             {cut}
         }};
         const wrong = [];
         for (cutAt = {share}; cutAt < length && wrong.length < 5; cutAt += {SHARE}) {{
             sent = 0;
             const found = await turn(stage);
             if (found.length) wrong.push([cutAt, found]);
         }}
         return length > 1000 ? wrong : [length]"
    );
    assert_eq!(with_stage("{}", &body).await, json!([]));
}

/// Bytes that are lost are not followed by others. After a second the stream is opened again.
const STREAM_BREAKS: &str = "
    stream.send(bytes.slice(0, at));
    for (const { streams } of service.sessions.values()) streams.delete(stream);
    moment().then(() => stream.break()).then(reconnect);
";
const STREAM_ENDS: &str = "stream.send(bytes.slice(0, at)); stream.end(); reconnect();";

#[wasm_bindgen_test]
async fn a_stream_may_break_at_any_byte_of_a_turn_1() {
    at_every_position(0, STREAM_BREAKS).await;
}

#[wasm_bindgen_test]
async fn a_stream_may_break_at_any_byte_of_a_turn_2() {
    at_every_position(1, STREAM_ENDS).await;
}

#[wasm_bindgen_test]
async fn a_stream_may_break_at_any_byte_of_a_turn_3() {
    at_every_position(2, STREAM_BREAKS).await;
}
