//! Many streams in which nothing happens, beside sessions in which much does.

use futures_util::future::join_all;
use serde_json::json;

use crate::rig::{Rig, Stream};
use crate::suite::message;

const IDLE: usize = 500;
const SHARED: usize = 4;
const BUSY: usize = 8;
const TURNS: usize = 10;

#[tokio::test(flavor = "multi_thread")]
async fn five_hundred_idle_streams_keep_nobody_from_working() {
    let rig = Rig::new().await;
    let reader = rig.visitor().await;
    let open = async |_| {
        let session = reader.session().await;
        // Several pages show one session.
        let streams = join_all((0..SHARED).map(|_| reader.stream(&session, &[]))).await;
        (session, streams)
    };
    let mut idle = join_all((0..IDLE / SHARED).map(open)).await;
    let mut busy = Vec::new();
    for _ in 0..BUSY {
        let visitor = rig.visitor().await;
        busy.push(tokio::spawn(async move {
            let session = visitor.session().await;
            let mut stream = visitor.stream(&session, &[]).await;
            for turn in 0..TURNS {
                let said = format!("turn {turn}");
                let answer = visitor.post(&session, &[message(&format!("say {said}"))]).await;
                assert_eq!(answer.status, 200, "{answer:?}");
                assert_eq!(stream.until("agent.message").await.data["content"][0]["text"], said);
                stream.until("session.status_idle").await;
            }
            visitor.history(&session).await.len()
        }));
    }
    for busy in busy {
        assert_eq!(busy.await.unwrap(), 4 * TURNS);
    }
    // Each of them is alive: what happens in its session comes.
    let wake = async |(session, streams): &mut (String, Vec<Stream>)| {
        reader.post(session, &[json!({"type":"user.interrupt"})]).await;
        for stream in streams {
            assert_eq!(stream.frame().await.unwrap().event, "user.interrupt");
        }
    };
    join_all(idle.iter_mut().map(wake)).await;
}
