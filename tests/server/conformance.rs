//! The conformance suite of WIRE.md, unchanged.

use std::time::Duration;

use tokio::sync::Mutex;

use crate::rig::{Rig, Stream, Visitor};
use crate::suite::{self, Answer, EventStream, Frame, Service};

macro_rules! tests {
    ($($group:ident::$check:ident,)*) => {
        $(
            #[tokio::test]
            async fn $check() {
                suite::$group::$check(&Server::new().await).await;
            }
        )*
    };
}

every_check!(tests);

/// A server, and a visitor whose sessions outlive a restart.
struct Server {
    rig: Mutex<Rig>,
    visitor: Mutex<Visitor>,
}

impl Server {
    async fn new() -> Self {
        let rig = Rig::new().await;
        let visitor = rig.visitor().await;
        Self { rig: Mutex::new(rig), visitor: Mutex::new(visitor) }
    }
}

impl Service for Server {
    type Stream = Stream;

    async fn request(&self, method: &str, path: &str, body: Option<&str>) -> Answer {
        let answer = self.visitor.lock().await.request(method, path, body).await;
        Answer { status: answer.status, body: answer.json() }
    }

    async fn open_stream(&self, session: &str) -> Stream {
        self.visitor.lock().await.stream(&format!("/v1/sessions/{session}"), &[]).await
    }

    async fn pass(&self, time: Duration) {
        self.rig.lock().await.options.clock.advance(time);
    }

    async fn restart(&self) -> bool {
        let mut rig = self.rig.lock().await;
        rig.restart().await;
        self.visitor.lock().await.address = rig.address();
        true
    }
}

impl EventStream for Stream {
    async fn next(&mut self) -> Frame {
        self.frame().await.expect("the stream goes on")
    }
}
