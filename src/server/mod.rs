//! `praxis-server`: the agent service behind HTTP, with SQLite under it.
//!
//! It carries out what the [`service`](crate::service)'s state machine decides, and it knows sockets, files, clocks
//! and secrets, which the machine must not. What a session does, it must not decide itself.
//!
//! | | |
//! |---|---|
//! | [`command_line`] | what the program is started with |
//! | [`agent_file`] | the agent, from a file (K1) |
//! | `store` | sessions in SQLite: group commit, schema, migrations |
//! | `sessions` | the sessions that are loaded, their tasks and their streams |
//! | `model` | who answers: the tutor, or a model behind HTTP |
//! | `tokens` | who asks: tokens, the visitor's cookie, the server key |
//! | `http` | WIRE.md's endpoints, and the pages |

pub mod agent_file;
pub mod clock;
pub mod command_line;
mod http;
mod model;
mod sessions;
mod store;
mod tokens;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::protocol::AgentDefinition;
use crate::service::model::run::Endpoint;
use crate::service::session::TOOL_TIMEOUT;

use clock::Clock;
use http::App;
use model::Model;
use sessions::Sessions;
use store::Store;
use tokens::Tokens;

pub use store::OpenError;

/// How long requests that are under way may take to end when the server stops.
const GRACE: Duration = Duration::from_secs(10);

/// What a server is started with.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to listen; port 0 picks a free one.
    pub listen: SocketAddr,
    /// The folder of pages.
    pub dist: PathBuf,
    /// The data file.
    pub data: PathBuf,
    /// The only agent.
    pub agent: AgentDefinition,
    /// How long a client tool may take; can shorten 120 s, never lengthen it (K21).
    pub client_tool_timeout: Duration,
    /// Where the model is asked; without it the tutor answers.
    pub model: Option<Endpoint>,
    /// How long the tutor pauses between two pieces of its answer.
    pub pace: Duration,
    /// The key that may post `system.message` (K19); without it nobody may.
    pub server_key: Option<String>,
    /// What tokens are signed with; without it one is made and kept in the data file.
    pub token_secret: Option<String>,
    /// The time.
    pub clock: Arc<Clock>,
}

impl Options {
    /// The defaults of the command line, for this agent.
    #[must_use]
    pub fn new(agent: AgentDefinition) -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8787)),
            dist: "dist".into(),
            data: "praxis.sqlite".into(),
            agent,
            client_tool_timeout: TOOL_TIMEOUT,
            model: None,
            pace: Duration::from_millis(24),
            server_key: None,
            token_secret: None,
            clock: Arc::default(),
        }
    }
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address cannot be listened at.
    #[error("cannot listen at {0}: {1}")]
    Listen(SocketAddr, std::io::Error),
    /// The data file cannot be used.
    #[error("cannot use the data file {path}: {1}", path = .0.display())]
    Data(PathBuf, OpenError),
    /// The token secret.
    #[error("PRAXIS_TOKEN_SECRET: {0}")]
    Secret(String),
    /// The client of the model's server.
    #[error("cannot speak to a model's server: {0}")]
    Model(String),
    /// A session that was interrupted could not be taken up.
    #[error("cannot take up the sessions that were interrupted: {0}")]
    TakeUp(String),
}

/// A server that runs.
#[derive(Debug)]
#[must_use = "stop it to have everything stored and every stream ended"]
pub struct Server {
    address: SocketAddr,
    stopping: watch::Sender<bool>,
    serving: JoinHandle<std::io::Result<()>>,
    sessions: Arc<Sessions>,
    store: Arc<Store>,
}

impl Server {
    /// Starts a server: takes up the sessions that were interrupted, then listens.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn start(options: Options) -> Result<Self, StartError> {
        let store =
            Store::open(&options.data).map_err(|error| StartError::Data(options.data.clone(), error))?;
        let store = Arc::new(store);
        let listener = TcpListener::bind(options.listen)
            .await
            .map_err(|error| StartError::Listen(options.listen, error))?;
        let address = listener.local_addr().map_err(|error| StartError::Listen(options.listen, error))?;
        let secret = match &options.token_secret {
            Some(secret) => secret.clone().into_bytes(),
            None => store.token_secret().map_err(|error| StartError::Data(options.data.clone(), error))?,
        };
        let tokens = Tokens::new(&secret, options.server_key.as_deref())
            .map_err(|error| StartError::Secret(error.to_string()))?;
        let model = match options.model.clone() {
            Some(endpoint) => Model::http(endpoint).map_err(StartError::Model)?,
            None => Model::Tutor(options.pace),
        };
        let sessions = Arc::new(Sessions::new(store.clone(), model, &options));
        sessions.take_up_interrupted().await.map_err(|error| StartError::TakeUp(error.to_string()))?;

        let (stopping, stop) = watch::channel(false);
        let app = App::new(store.clone(), sessions.clone(), tokens, &options);
        let serving = tokio::spawn(http::serve(listener, app, stop));
        Ok(Self { address, stopping, serving, sessions, store })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops it: ends the streams, lets requests end, then the sessions, and closes the data file. Says whether every
    /// request ended by itself.
    pub async fn stop(self) -> bool {
        self.sessions.end_streams();
        self.stopping.send_replace(true);
        let mut serving = self.serving;
        let ended = tokio::time::timeout(GRACE, &mut serving).await.is_ok();
        if !ended {
            tracing::warn!("some requests did not end in time");
            serving.abort();
        }
        self.sessions.stop().await;
        self.store.close().await;
        ended
    }
}
