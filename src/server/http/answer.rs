//! Answers: JSON, and errors as WIRE.md has them.

use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::protocol::{ApiError, ErrorKind, SessionId};
use crate::server::sessions::PostError;
use crate::server::store::StoreError;
use crate::service::api;

/// JSON text, with a status.
pub(super) struct Json(pub StatusCode, pub String);

impl IntoResponse for Json {
    fn into_response(self) -> Response {
        (self.0, [(header::CONTENT_TYPE, "application/json")], self.1).into_response()
    }
}

/// A refused request.
#[derive(Debug)]
pub(in crate::server) struct Refusal {
    status: StatusCode,
    error: ApiError,
}

impl Refusal {
    pub fn new(status: StatusCode, error: ApiError) -> Self {
        Self { status, error }
    }

    /// What the store says of a session.
    pub fn of_store(error: StoreError, session: &SessionId) -> Self {
        match error {
            StoreError::Gone => api::no_such_session(session).into(),
            StoreError::UnknownCursor => api::unknown_cursor().into(),
            StoreError::Unavailable(problem) => {
                tracing::error!(session = session.as_str(), problem, "a request could not be answered");
                let error = ApiError::new(ErrorKind::ApiError, "the service cannot do this now; try again");
                Self::new(StatusCode::SERVICE_UNAVAILABLE, error)
            }
        }
    }

    pub fn of_post(error: PostError, session: &SessionId) -> Self {
        match error {
            PostError::Refused(error) => error.into(),
            PostError::Store(error) => Self::of_store(error, session),
        }
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        let status = StatusCode::from_u16(error.kind.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self { status, error }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = serde_json::json!({"type": "error", "error": self.error});
        let mut response = Json(self.status, body.to_string()).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// 404, for a path that is none of ours.
pub(super) async fn nothing_here(uri: Uri) -> Refusal {
    ApiError::new(ErrorKind::NotFoundError, format!("there is nothing at {}", uri.path())).into()
}

/// 405; which methods there are stands in `Allow`.
pub(super) async fn wrong_method() -> Refusal {
    let error = ApiError::new(ErrorKind::InvalidRequestError, "there is no such method here; see Allow");
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, error)
}

/// What the service answers is nobody's to keep, and is what it says it is.
pub(super) async fn not_stored(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
