//! The layer around every request. It limits the time, counts and logs the request, and answers 304 if the client has
//! the answer already.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::shared::Shared;

/// The layer around all routes.
pub(crate) async fn observe(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let began = Instant::now();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let known = request.headers().get(IF_NONE_MATCH).cloned();
    let counted = Counted::new(&shared.metrics);
    let answered = async {
        match too_long(request.headers(), shared.limits.body_bytes) {
            None => next.run(request).await,
            Some(problem) => problem.into_response(),
        }
    };
    let answered = tokio::time::timeout(shared.limits.request_time, answered).await;
    drop(counted);
    let mut response = answered.unwrap_or_else(|_| {
        let text = "the request took too long to arrive or to be answered";
        Problem::new(StatusCode::REQUEST_TIMEOUT, text).into_response()
    });
    if known.is_some_and(|known| has(response.headers(), known.as_bytes())) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = axum::body::Body::empty();
        response.headers_mut().remove(CONTENT_TYPE);
        response.headers_mut().remove(CONTENT_LENGTH);
    }
    let (status, took) = (response.status().as_u16(), began.elapsed());
    shared.metrics.count(route.as_ref().map(MatchedPath::as_str), status, took);
    tracing::debug!(%method, path, status, micros = took.as_micros() as u64);
    response
}

/// Refuses a body that declares too great a length, without waiting for it.
fn too_long(headers: &HeaderMap, bytes_max: usize) -> Option<Problem> {
    let told: usize = headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()?;
    (told > bytes_max).then(|| {
        let text = format!("a body of {told} bytes is too long: send {bytes_max} at most");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, text)
    })
}

/// Whether the client has this answer already, according to its headers.
fn has(headers: &HeaderMap, known: &[u8]) -> bool {
    let Some(tag) = headers.get(ETAG) else { return false };
    let mut known = known.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    known.any(|each| each == b"*" || each == tag.as_bytes())
}

/// A request that is being answered. It is dropped after the answer, or when the client hangs up.
struct Counted<'a>(&'a Metrics);

impl Counted<'_> {
    fn new(metrics: &Metrics) -> Counted<'_> {
        metrics.requests.fetch_add(1, Relaxed);
        Counted(metrics)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.requests.fetch_sub(1, Relaxed);
    }
}
