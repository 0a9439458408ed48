//! WIRE.md's endpoints, but for the stream.

use std::sync::Arc;

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::App;
use super::answer::{Json, Refusal};
use super::body::Limited;
use crate::protocol::{ApiError, ErrorKind, Session, SessionId};
use crate::server::tokens::Caller;
use crate::service::api;

/// How many sessions a page has where none is asked for.
const SESSIONS_PER_PAGE: usize = 20;
/// How many events a page has where none is asked for.
const EVENTS_PER_PAGE: usize = 1000;

type Answer = Result<Json, Refusal>;
type Parameters = Result<Query<Vec<(String, String)>>, QueryRejection>;
pub(super) type Id = Result<Path<String>, PathRejection>;

pub(super) async fn create_session(
    State(app): State<Arc<App>>,
    caller: Caller,
    Limited(body): Limited,
) -> Answer {
    api::check_agent(api::parse_new_session(&body)?.as_deref(), &app.agent)?;
    let session = app.sessions.create(caller.user().to_owned()).await;
    let session = session.map_err(|error| Refusal::of_store(error, &SessionId::from("")))?;
    Ok(Json(StatusCode::CREATED, session.to_json().to_string()))
}

pub(super) async fn list_sessions(
    State(app): State<Arc<App>>,
    caller: Caller,
    parameters: Parameters,
) -> Answer {
    let (limit, page) = page(parameters, SESSIONS_PER_PAGE)?;
    let after = page.as_deref().map(api::read_session_cursor).transpose()?;
    let user = match &caller {
        Caller::User(user) => Some(user.clone()),
        Caller::Host => None,
    };
    let found = app.store.sessions(user, after, limit).await;
    let found = found.map_err(|error| Refusal::of_store(error, &SessionId::from("")))?;
    let next_page = found.data.last().filter(|_| found.more).map(api::session_cursor);
    let data: Value = found.data.iter().map(Session::to_json).collect();
    Ok(Json(StatusCode::OK, json!({"data": data, "next_page": next_page}).to_string()))
}

pub(super) async fn get_session(State(app): State<Arc<App>>, caller: Caller, id: Id) -> Answer {
    let (_, session) = app.visible(&caller, id).await?;
    Ok(Json(StatusCode::OK, session.to_json().to_string()))
}

pub(super) async fn delete_session(State(app): State<Arc<App>>, caller: Caller, id: Id) -> Answer {
    let (id, _) = app.visible(&caller, id).await?;
    app.store.delete(id.clone()).await.map_err(|error| Refusal::of_store(error, &id))?;
    app.sessions.close(&id);
    Ok(Json(StatusCode::OK, json!({"id": id, "type": "session_deleted"}).to_string()))
}

pub(super) async fn post_events(
    State(app): State<Arc<App>>,
    caller: Caller,
    id: Id,
    Limited(body): Limited,
) -> Answer {
    let (id, _) = app.visible(&caller, id).await?;
    let posted_by = match caller {
        Caller::User(_) => api::Caller::Browser,
        Caller::Host => api::Caller::Server,
    };
    let events = api::parse_events(&body, posted_by)?;
    let stored = app.sessions.post(&id, events).await.map_err(|error| Refusal::of_post(error, &id))?;
    Ok(Json(StatusCode::OK, json!({"data": stored}).to_string()))
}

pub(super) async fn list_events(
    State(app): State<Arc<App>>,
    caller: Caller,
    id: Id,
    parameters: Parameters,
) -> Answer {
    let (id, _) = app.visible(&caller, id).await?;
    let (limit, page) = page(parameters, EVENTS_PER_PAGE)?;
    let after = page.as_deref().map(api::read_event_cursor).transpose()?;
    let found = app.store.events(&id, after, limit).await.map_err(|error| Refusal::of_store(error, &id))?;
    let next_page = found.data.last().filter(|_| found.more).map(|last| api::event_cursor(last.id.as_str()));
    // The events are JSON text already.
    let events: Vec<&str> = found.data.iter().map(|row| row.event.as_str()).collect();
    let body = ["{\"data\":[", &events.join(","), "],\"next_page\":", &json!(next_page).to_string(), "}"];
    Ok(Json(StatusCode::OK, body.concat()))
}

pub(super) async fn issue_token(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let issued = app.tokens.issue(&headers)?;
    let body = json!({"token": issued.token, "expires_at": issued.expires_at});
    let mut response = Json(StatusCode::OK, body.to_string()).into_response();
    if let Some(cookie) = issued.cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Well is who can store something.
pub(super) async fn health(State(app): State<Arc<App>>) -> Result<&'static str, Refusal> {
    app.store.check().await.map_err(|error| Refusal::of_store(error, &SessionId::from("")))?;
    Ok("ok\n")
}

impl App {
    /// The session of a path, where it is there and this caller may see it.
    pub async fn visible(&self, caller: &Caller, id: Id) -> Result<(SessionId, Session), Refusal> {
        let id = match id {
            Ok(Path(id)) => SessionId::from(id),
            Err(error) => {
                return Err(ApiError::new(ErrorKind::InvalidRequestError, error.body_text()).into());
            }
        };
        let owned = self.store.session(&id).await.map_err(|error| Refusal::of_store(error, &id))?;
        if caller.may_see(&owned.user) {
            Ok((id, owned.session))
        } else {
            Err(api::no_such_session(&id).into())
        }
    }
}

/// A query's `limit` and `page`.
fn page(parameters: Parameters, default: usize) -> Result<(usize, Option<String>), ApiError> {
    let Query(parameters) =
        parameters.map_err(|error| ApiError::new(ErrorKind::InvalidRequestError, error.body_text()))?;
    let value = |name: &str| parameters.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    Ok((api::limit(value("limit"), default)?, value("page").map(str::to_owned)))
}
