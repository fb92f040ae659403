//! An answer with all its bytes, and a tag. With the tag, a client can ask whether the answer is still the same.

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

/// How long a client may keep an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// A day: tables do not change. A person who builds them again can wait that long.
    Long,
    /// Until the server answers that it has changed.
    Asked,
    /// Not at all.
    Never,
}

/// An answer.
pub(crate) struct Reply {
    body: Bytes,
    kind: &'static str,
    keep: Keep,
}

impl Reply {
    /// A value as JSON.
    pub(crate) fn json(said: &impl Serialize, keep: Keep) -> Reply {
        // All keys are texts, and all numbers are valid in JSON.
        let body = serde_json::to_vec(said).expect("an answer is JSON");
        Reply { body: body.into(), kind: "application/json", keep }
    }

    /// A text with its media type.
    pub(crate) fn text(body: impl Into<Bytes>, kind: &'static str, keep: Keep) -> Reply {
        Reply { body: body.into(), kind, keep }
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let Reply { body, kind, keep } = self;
        // A weak tag, because the same answer also goes out compressed.
        let tag = (keep != Keep::Never).then(|| format!("W/\"{:016x}\"", xxh3_64(&body)));
        let mut response = Response::new(Body::from(body));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        headers.insert("x-content-type-options", HeaderValue::from_static("nosniff"));
        headers.insert(
            CACHE_CONTROL,
            HeaderValue::from_static(match keep {
                Keep::Long => "public, max-age=86400",
                Keep::Asked => "no-cache",
                Keep::Never => "no-store",
            }),
        );
        if let Some(tag) = tag.and_then(|tag| HeaderValue::try_from(tag).ok()) {
            headers.insert(ETAG, tag);
        }
        response
    }
}
