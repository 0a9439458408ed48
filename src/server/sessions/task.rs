//! A loaded session's task: gives the machine its inputs, and carries out what it says.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;

use super::{Frame, Post, PostError, Sessions, Streams};
use crate::protocol::{Event, SessionId, Timestamp};
use crate::server::store::{Append, StoreError, StoredRecord};
use crate::service::model::{ModelOutput, ModelRequest};
use crate::service::session::{Effect, Input, RequestId, RunNumber, Session};

/// How long a session in which nothing goes on stays loaded.
const REST: Duration = Duration::from_secs(30);

type Reply = oneshot::Sender<Result<Vec<Event>, PostError>>;

/// The model's run: ends when it is dropped.
struct Run {
    number: RunNumber,
    output: mpsc::Receiver<ModelOutput>,
    answering: AbortHandle,
}

impl Drop for Run {
    fn drop(&mut self) {
        self.answering.abort();
    }
}

struct Driver {
    sessions: Arc<Sessions>,
    streams: Arc<Streams>,
    machine: Session,
    /// The place that the next record takes in the log.
    next: u64,
    requests: u64,
    replies: HashMap<RequestId, Reply>,
    run: Option<Run>,
    wake: Option<Timestamp>,
}

/// Loads a session and runs it until nothing goes on in it, it is closed, or something cannot be stored.
pub(super) async fn run(
    sessions: Arc<Sessions>,
    id: SessionId,
    number: u64,
    mut mailbox: mpsc::UnboundedReceiver<Post>,
    streams: Arc<Streams>,
    loaded: Option<oneshot::Sender<()>>,
) {
    let outcome = match Driver::load(&sessions, &id, streams).await {
        Ok(mut driver) => {
            drop(loaded);
            driver.run(&id, number, &mut mailbox).await
        }
        Err(error) => Err(error),
    };
    if let Err(error) = outcome {
        if !matches!(error, StoreError::Gone) {
            tracing::error!(session = id.as_str(), %error, "a session was left");
        }
        sessions.retire(&id, number, &mailbox, false);
        while let Ok(Post { reply, .. }) = mailbox.try_recv() {
            let _ = reply.send(Err(PostError::Store(again(&error))));
        }
    }
}

/// The same error, for everybody who waits.
fn again(error: &StoreError) -> StoreError {
    match error {
        StoreError::Gone => StoreError::Gone,
        other => StoreError::Unavailable(other.to_string()),
    }
}

impl Driver {
    async fn load(
        sessions: &Arc<Sessions>,
        id: &SessionId,
        streams: Arc<Streams>,
    ) -> Result<Self, StoreError> {
        let (description, records) = sessions.store.load(id).await?;
        let next = records.len() as u64;
        let (agent, settings) = (sessions.agent.clone(), sessions.settings);
        let (machine, effects) =
            Session::restore(description, records, agent, settings, sessions.clock.now());
        let mut driver = Self {
            sessions: sessions.clone(),
            streams,
            machine,
            next,
            requests: 0,
            replies: HashMap::new(),
            run: None,
            wake: None,
        };
        driver.carry_out(effects).await?;
        Ok(driver)
    }

    async fn run(
        &mut self,
        id: &SessionId,
        number: u64,
        mailbox: &mut mpsc::UnboundedReceiver<Post>,
    ) -> Result<(), StoreError> {
        let sessions = self.sessions.clone();
        loop {
            let idle = !self.machine.has_turn();
            let input = tokio::select! {
                post = mailbox.recv() => match post {
                    Some(Post { events, reply }) => {
                        let request = RequestId(self.requests);
                        self.requests += 1;
                        self.replies.insert(request, reply);
                        Input::Post { request, events }
                    }
                    // Closed; what the model still says is not wanted.
                    None => return Ok(()),
                },
                input = next_output(&mut self.run) => input,
                () = sessions.clock.reach_if(self.wake) => Input::Wake,
                () = tokio::time::sleep(REST), if idle => {
                    if sessions.retire(id, number, mailbox, true) {
                        return Ok(());
                    }
                    continue;
                }
            };
            let effects = self.machine.handle(sessions.clock.now(), input);
            self.carry_out(effects).await?;
        }
    }

    /// # Errors
    /// Something could not be stored: the machine is ahead of its log, and must be dropped. Who waits has been told.
    async fn carry_out(&mut self, effects: Vec<Effect>) -> Result<(), StoreError> {
        // Given to the machine when its effects so far are carried out: what is stored with them is as it says.
        let mut outcomes = VecDeque::new();
        let mut effects = VecDeque::from(effects);
        loop {
            let Some(effect) = effects.pop_front() else {
                match outcomes.pop_front() {
                    Some(outcome) => effects.extend(self.machine.handle(self.sessions.clock.now(), outcome)),
                    None => return Ok(()),
                }
                continue;
            };
            match effect {
                Effect::Append(records) => {
                    let records: Vec<_> = records.iter().map(StoredRecord::new).collect();
                    if let Err(error) = self.append(records).await {
                        for (_, reply) in self.replies.drain() {
                            let _ = reply.send(Err(PostError::Store(again(&error))));
                        }
                        self.streams.end();
                        return Err(error);
                    }
                }
                Effect::Reply { request, reply } => {
                    if let Some(waiting) = self.replies.remove(&request) {
                        let _ = waiting.send(reply.map_err(PostError::Refused));
                    }
                }
                Effect::Preview(preview) => self.streams.publish(&Frame::preview(&preview)),
                Effect::AskModel { run, request } => self.run = Some(self.ask_model(run, request)),
                Effect::CancelModel(number) => {
                    self.run.take_if(|run| run.number == number);
                }
                Effect::RunBuiltIn { call, tool, input } => {
                    let result = tool.run(&input, self.sessions.clock.now());
                    outcomes.push_back(Input::BuiltIn { call, result });
                }
                Effect::WakeAt(at) => self.wake = at,
            }
        }
    }

    /// Stores records, then publishes them.
    async fn append(&mut self, records: Vec<StoredRecord>) -> Result<(), StoreError> {
        let frames: Vec<_> =
            (self.next..).zip(&records).map(|(number, record)| Frame::stored(number, record)).collect();
        let append = Append {
            session: self.machine.describe().clone(),
            unfinished: self.machine.has_turn(),
            first: self.next,
            records,
        };
        self.sessions.store.append(append).await?;
        self.next += frames.len() as u64;
        for frame in &frames {
            self.streams.publish(frame);
        }
        Ok(())
    }

    fn ask_model(&self, number: RunNumber, request: ModelRequest) -> Run {
        let (sender, output) = mpsc::channel(64);
        let sessions = self.sessions.clone();
        let answering = tokio::spawn(async move {
            sessions.model.answer(&sessions.agent, &request, &sessions.clock, sender).await;
        });
        Run { number, output, answering: answering.abort_handle() }
    }
}

/// The next piece of the model's output; never where no model was asked.
async fn next_output(run: &mut Option<Run>) -> Input {
    let Some(Run { number, output, .. }) = run else { return std::future::pending().await };
    let number = *number;
    let piece = output.recv().await;
    if matches!(piece, None | Some(ModelOutput::Done | ModelOutput::Failed(_))) {
        *run = None;
    }
    // A run that ends without a word about it has broken off.
    let output = piece.unwrap_or_else(|| ModelOutput::Failed("The answer broke off.".to_owned()));
    Input::Model { run: number, output }
}
