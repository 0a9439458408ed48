//! A request's body, up to its limit.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use futures_util::StreamExt;

use super::answer::Refusal;
use crate::protocol::{ApiError, ErrorKind};
use crate::service::api::{self, MAX_BODY_BYTES};

/// How long a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(60);
/// How much of a body that is too long is read all the same: who is still sending does not hear the answer.
const READ_ON: usize = 16 * MAX_BODY_BYTES;

/// A body that is within its limit.
pub(super) struct Limited(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for Limited {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        let late = || {
            let error = ApiError::new(ErrorKind::InvalidRequestError, "body: did not arrive in time");
            Refusal::new(StatusCode::REQUEST_TIMEOUT, error)
        };
        tokio::time::timeout(PATIENCE, read(request.into_body())).await.map_err(|_| late())?
    }
}

async fn read(body: Body) -> Result<Limited, Refusal> {
    let mut pieces = body.into_data_stream();
    let (mut bytes, mut length) = (Vec::new(), 0_usize);
    while let Some(piece) = pieces.next().await {
        let broken = |_| {
            Refusal::from(ApiError::new(ErrorKind::InvalidRequestError, "body: did not arrive as a whole"))
        };
        let piece = piece.map_err(broken)?;
        length = length.saturating_add(piece.len());
        if length <= MAX_BODY_BYTES {
            bytes.extend_from_slice(&piece);
        } else if length > READ_ON {
            break;
        }
    }
    api::check_body(length).map_err(|error| Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, error))?;
    Ok(Limited(bytes.into()))
}
