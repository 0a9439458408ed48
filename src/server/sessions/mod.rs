//! The sessions that are loaded, each with a task of its own, and everybody's streams.
//!
//! A session is loaded when something is posted to it, or when the service starts and its turn was interrupted; it
//! is unloaded when nothing goes on in it. Streams need no loaded session.

mod streams;
mod task;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{mpsc, oneshot};

use super::Options;
use super::clock::Clock;
use super::model::Model;
use super::store::{Store, StoreError};
use crate::protocol::{self, AgentDefinition, ApiError, Event, EventBody, SessionId};
use crate::service::built_in::BuiltInTool;
use crate::service::session::{Session, Settings};

use streams::Streams;
pub(super) use streams::{Frame, Subscription};

/// Why a post was not stored.
#[derive(Debug)]
pub(super) enum PostError {
    /// The session refused it.
    Refused(ApiError),
    /// It could not be stored.
    Store(StoreError),
}

/// A post, and whom to answer.
struct Post {
    events: Vec<EventBody>,
    reply: oneshot::Sender<Result<Vec<Event>, PostError>>,
}

/// The sessions of a server.
pub(super) struct Sessions {
    pub(super) clock: Arc<Clock>,
    agent: Arc<AgentDefinition>,
    settings: Settings,
    model: Model,
    store: Arc<Store>,
    live: Mutex<Live>,
    tasks: AtomicU64,
    /// Each task has a clone; when the last one is gone, so are the tasks.
    running: Mutex<Option<mpsc::Sender<()>>>,
    ended: tokio::sync::Mutex<mpsc::Receiver<()>>,
}

#[derive(Default)]
struct Live {
    entries: HashMap<SessionId, Entry>,
    /// Whether streams are over.
    streams_ended: bool,
}

/// What is known of a session that is loaded or read.
#[derive(Default)]
struct Entry {
    task: Option<Task>,
    streams: Arc<Streams>,
}

/// A loaded session's task.
struct Task {
    number: u64,
    posts: mpsc::UnboundedSender<Post>,
}

impl std::fmt::Debug for Sessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}

impl Sessions {
    pub fn new(store: Arc<Store>, model: Model, options: &Options) -> Self {
        let (running, ended) = mpsc::channel(1);
        Self {
            clock: options.clock.clone(),
            agent: Arc::new(options.agent.clone()),
            settings: Settings { tool_timeout: options.client_tool_timeout, built_in: &BuiltInTool::ALL },
            model,
            store,
            live: Mutex::default(),
            tasks: AtomicU64::new(0),
            running: Mutex::new(Some(running)),
            ended: tokio::sync::Mutex::new(ended),
        }
    }

    /// Takes up every session whose turn was going on when the service ended: calls go on waiting (K21), model turns
    /// end.
    pub async fn take_up_interrupted(self: &Arc<Self>) -> Result<(), StoreError> {
        let interrupted = self.store.unfinished().await?;
        let mut taken = Vec::with_capacity(interrupted.len());
        for id in interrupted {
            let (loaded, done) = oneshot::channel();
            self.start(&mut self.lock(), &id, Some(loaded));
            taken.push(done);
        }
        for done in taken {
            // One that cannot be read is reported by its task; the others are served.
            let _ = done.await;
        }
        Ok(())
    }

    /// Makes a session.
    pub async fn create(&self, user: String) -> Result<protocol::Session, StoreError> {
        let mut random = [0_u8; 16];
        getrandom::fill(&mut random).map_err(|error| StoreError::Unavailable(error.to_string()))?;
        // Hard to guess: the ids of its events are made from it.
        let id = SessionId::from(format!("sesn_{:032x}", u128::from_be_bytes(random)));
        let machine = Session::new(id, self.agent.clone(), self.settings, self.clock.now());
        let session = machine.describe().clone();
        self.store.create(user, session.clone()).await?;
        Ok(session)
    }

    /// Posts events to a session; answers when they are stored.
    pub async fn post(
        self: &Arc<Self>,
        id: &SessionId,
        events: Vec<EventBody>,
    ) -> Result<Vec<Event>, PostError> {
        let (reply, answer) = oneshot::channel();
        self.deliver(id, Post { events, reply });
        let ended = || StoreError::Unavailable("the session was closed".to_owned());
        answer.await.unwrap_or_else(|_| Err(PostError::Store(ended())))
    }

    /// Gives a post to the session's task; to a new one where there is none.
    fn deliver(self: &Arc<Self>, id: &SessionId, post: Post) {
        let mut live = self.lock();
        let task = live.entries.get(id).and_then(|entry| entry.task.as_ref());
        let post = match task.map(|task| &task.posts) {
            Some(posts) => match posts.send(post) {
                Ok(()) => return,
                Err(refused) => refused.0,
            },
            None => post,
        };
        if let Some(posts) = self.start(&mut live, id, None) {
            let _ = posts.send(post);
        }
    }

    /// A stream of what happens in a session from now on.
    pub fn subscribe(self: &Arc<Self>, id: &SessionId) -> Subscription {
        let mut live = self.lock();
        if live.streams_ended {
            return Subscription::over();
        }
        live.entries.entry(id.clone()).or_default().streams.subscribe(self, id)
    }

    /// A session was deleted: its task stops, its streams end.
    pub fn close(&self, id: &SessionId) {
        let entry = self.lock().entries.remove(id);
        if let Some(entry) = entry {
            entry.streams.end();
        }
    }

    /// Ends every stream; there are no new ones.
    pub fn end_streams(&self) {
        let streams: Vec<_> = {
            let mut live = self.lock();
            live.streams_ended = true;
            live.entries.values().map(|entry| entry.streams.clone()).collect()
        };
        for streams in streams {
            streams.end();
        }
    }

    /// Stops every session and waits until each has stored what it was storing.
    pub async fn stop(&self) {
        self.end_streams();
        self.lock().entries.clear();
        drop(self.running.lock().unwrap_or_else(PoisonError::into_inner).take());
        let _ = self.ended.lock().await.recv().await;
    }

    /// Starts a session's task, which loads it.
    fn start(
        self: &Arc<Self>,
        live: &mut Live,
        id: &SessionId,
        loaded: Option<oneshot::Sender<()>>,
    ) -> Option<mpsc::UnboundedSender<Post>> {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        let (posts, mailbox) = mpsc::unbounded_channel();
        let number = self.tasks.fetch_add(1, Ordering::Relaxed);
        let entry = live.entries.entry(id.clone()).or_default();
        entry.task = Some(Task { number, posts: posts.clone() });
        let (sessions, streams, id) = (self.clone(), entry.streams.clone(), id.clone());
        tokio::spawn(async move {
            task::run(sessions, id, number, mailbox, streams, loaded).await;
            drop(running);
        });
        Some(posts)
    }

    /// Takes a task off the list, so that the next post starts another. With `if_idle`, only when nothing waits for it;
    /// says whether it was done.
    fn retire(
        &self,
        id: &SessionId,
        number: u64,
        mailbox: &mpsc::UnboundedReceiver<Post>,
        if_idle: bool,
    ) -> bool {
        let mut live = self.lock();
        // Posts are sent under this lock, so none comes in between.
        if if_idle && !mailbox.is_empty() {
            return false;
        }
        if let Some(entry) = live.entries.get_mut(id)
            && entry.task.as_ref().is_some_and(|task| task.number == number)
        {
            entry.task = None;
            if entry.streams.is_empty() {
                live.entries.remove(id);
            }
        }
        true
    }

    /// A stream was closed.
    fn tidy(&self, id: &SessionId) {
        let mut live = self.lock();
        if live.entries.get(id).is_some_and(|entry| entry.task.is_none() && entry.streams.is_empty()) {
            live.entries.remove(id);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
