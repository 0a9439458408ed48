//! WIRE.md over HTTP, and the pages.

mod answer;
mod body;
mod endpoints;
mod pages;
mod stream;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::extract::FromRequestParts;
use axum::http::{HeaderName, Method, header, request::Parts};
use axum::middleware::map_response;
use axum::routing::{any, get, post};
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tower_http::cors::{Any, CorsLayer};
use tower_http::trace::TraceLayer;

use super::Options;
use super::sessions::Sessions;
use super::store::Store;
use super::tokens::{Caller, Tokens};
use crate::protocol::AgentDefinition;
use answer::Refusal;

/// What every request's handler has.
pub(super) struct App {
    store: Arc<Store>,
    sessions: Arc<Sessions>,
    tokens: Tokens,
    agent: AgentDefinition,
    dist: PathBuf,
}

impl App {
    pub fn new(store: Arc<Store>, sessions: Arc<Sessions>, tokens: Tokens, options: &Options) -> Arc<Self> {
        let (agent, dist) = (options.agent.clone(), options.dist.clone());
        Arc::new(Self { store, sessions, tokens, agent, dist })
    }
}

/// Serves until `stop` says to stop, and then until the requests that are under way have ended.
pub(super) async fn serve(
    listener: TcpListener,
    app: Arc<App>,
    mut stop: watch::Receiver<bool>,
) -> io::Result<()> {
    // Events go out one by one; waiting for more would only make them late.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    let stopped = async move { drop(stop.wait_for(|stop| *stop).await) };
    axum::serve(listener, router(app)).with_graceful_shutdown(stopped).await
}

fn router(app: Arc<App>) -> Router {
    let service = Router::new()
        .route("/sessions", post(endpoints::create_session).get(endpoints::list_sessions))
        .route("/sessions/{id}", get(endpoints::get_session).delete(endpoints::delete_session))
        .route("/sessions/{id}/events", post(endpoints::post_events).get(endpoints::list_events))
        .route("/sessions/{id}/events/stream", get(stream::open))
        .fallback(answer::nothing_here)
        .method_not_allowed_fallback(answer::wrong_method)
        .layer(cors());
    let host = Router::new()
        .route("/praxis-token", post(endpoints::issue_token))
        .fallback(answer::nothing_here)
        .method_not_allowed_fallback(answer::wrong_method);
    Router::new()
        .nest("/v1", service)
        .nest("/api", host)
        // What `nest` leaves out.
        .route("/v1/", any(answer::nothing_here))
        .route("/api/", any(answer::nothing_here))
        .route("/healthz", get(endpoints::health))
        .method_not_allowed_fallback(answer::wrong_method)
        .layer(map_response(answer::not_stored))
        .merge(pages::router(&app))
        .layer(TraceLayer::new_for_http())
        .with_state(app)
}

/// Any page may ask, with a token; cookies are not sent along.
fn cors() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            HeaderName::from_static("last-event-id"),
        ])
        .max_age(std::time::Duration::from_secs(24 * 60 * 60))
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Refusal> {
        app.tokens.caller(&parts.headers).map_err(Refusal::from)
    }
}
