//! A model asked with `fetch`: carries out what its run decides. Dropping the future aborts the request (E16).

use std::pin::Pin;

use futures_util::future::{Either, pending, ready, select};

use super::words;
use crate::kit::backend::BackendError;
use crate::kit::http::client::{Answer, Body, Client, Request};
use crate::kit::page::{now, sleep};
use crate::protocol::Timestamp;
use crate::protocol::tutor_script::Language;
use crate::service::model::run::{Endpoint, ModelRun, RunEffect, RunInput};
use crate::service::model::{HttpRequest, ModelOutput, ModelRequest};

/// What the network brings.
enum Arrival {
    Head(Answer),
    Bytes(Body, Vec<u8>),
    End,
    /// What is said to people of it.
    Broken(&'static str),
    /// There is no token to send; the reason is the host's own.
    NoToken(String),
}

type Arriving<'a> = Pin<Box<dyn Future<Output = Arrival> + 'a>>;

/// Has the model answer: `output` gets each piece in turn.
pub(super) async fn answer(
    client: &Client,
    endpoint: &Endpoint,
    request: &ModelRequest,
    mut output: impl FnMut(ModelOutput),
) {
    let language = Language::of(request.said());
    let mut run = ModelRun::new(endpoint, request, now());
    let mut arriving: Arriving<'_> = Box::pin(pending());
    let mut alarm: Pin<Box<dyn Future<Output = ()>>> = Box::pin(pending());
    let mut effects = run.handle(now(), RunInput::Wake);
    loop {
        for effect in effects {
            match effect {
                RunEffect::Send(request) => arriving = Box::pin(send(client, request, language)),
                RunEffect::WakeAt(at) => alarm = Box::pin(reach(at)),
                RunEffect::Output(piece) => output(piece),
                RunEffect::Finished => return,
            }
        }
        effects = match select(&mut arriving, &mut alarm).await {
            Either::Right(_) => {
                alarm = Box::pin(pending());
                run.handle(now(), RunInput::Wake)
            }
            Either::Left((Arrival::Head(answer), _)) => {
                let status = answer.response.status();
                let [content_type, retry_after] =
                    ["content-type", "retry-after"].map(|name| answer.header(name));
                arriving = match answer.body() {
                    Some(body) => Box::pin(read(body, language)),
                    None => Box::pin(ready(Arrival::End)),
                };
                let (content_type, retry_after) = (present(&content_type), present(&retry_after));
                run.handle(now(), RunInput::Head { status, content_type, retry_after })
            }
            Either::Left((Arrival::Bytes(body, bytes), _)) => {
                arriving = Box::pin(read(body, language));
                run.handle(now(), RunInput::Bytes(&bytes))
            }
            Either::Left((arrival, _)) => {
                arriving = Box::pin(pending());
                match arrival {
                    Arrival::NoToken(reason) => return output(ModelOutput::Failed(reason)),
                    Arrival::Broken(why) => run.handle(now(), RunInput::Broken(why)),
                    _ => run.handle(now(), RunInput::End),
                }
            }
        };
    }
}

async fn send(client: &Client, request: HttpRequest, language: Language) -> Arrival {
    let HttpRequest { url, body, .. } = request;
    let request = Request { method: "POST", path: url, body: Some(body) };
    match client.exchange(&request, "text/event-stream, application/json").await {
        Ok(answer) => Arrival::Head(answer),
        Err(BackendError::Token(reason)) => Arrival::NoToken(reason),
        Err(_) => Arrival::Broken(words::model_unreachable(language)),
    }
}

async fn read(body: Body, language: Language) -> Arrival {
    match body.read().await {
        Ok(Some(bytes)) => Arrival::Bytes(body, bytes),
        Ok(None) => Arrival::End,
        Err(_) => Arrival::Broken(words::model_broke(language)),
    }
}

/// Waits for a moment.
async fn reach(moment: Timestamp) {
    // A timer's delay has 31 bits; who is woken too early waits again.
    sleep(moment.since(now()).as_millis().min(i32::MAX as u128) as u32).await;
}

fn present(header: &str) -> Option<&str> {
    Some(header).filter(|text| !text.is_empty())
}
