//! The answers to requests that fail.

use std::error::Error;

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use retrograde_answers::ProblemKind;
use serde::Serialize;

use crate::reply::{Keep, Reply};

/// A request that fails: the status, and a text that says what to do about it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Problem {
    #[serde(skip)]
    status: StatusCode,
    /// The error, and what to do about it.
    #[serde(rename = "error")]
    text: String,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, text: impl Into<String>) -> Problem {
        Problem { status, text: text.into() }
    }

    /// The request makes no sense.
    pub(crate) fn bad(text: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, text)
    }

    /// There is no such thing.
    pub(crate) fn missing(text: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, text)
    }

    /// The server is overloaded.
    pub(crate) fn busy(text: impl Into<String>) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, text)
    }

    /// An error of the server. File names go to its log, not to the client.
    pub(crate) fn fault(cause: impl std::fmt::Display) -> Problem {
        tracing::error!("{cause}");
        let text = "a table here cannot be read; the log of the server says why";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, text)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = Reply::json(&self, Keep::Never).into_response();
        *response.status_mut() = self.status;
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert("retry-after", 1.into());
        }
        response
    }
}

impl From<retrograde_answers::Problem> for Problem {
    fn from(problem: retrograde_answers::Problem) -> Problem {
        match problem.kind() {
            ProblemKind::Fault => Problem::fault(problem),
            kind => {
                let status = StatusCode::from_u16(kind.status());
                Problem::new(status.expect("it is a status of HTTP"), problem.text())
            }
        }
    }
}

// The framework's messages name its own types, so the server writes messages of its own.

impl From<QueryRejection> for Problem {
    fn from(_: QueryRejection) -> Problem {
        Problem::bad(
            "the part of the address after ? cannot be read: GET /openapi.json says what may stand there",
        )
    }
}

impl From<PathRejection> for Problem {
    fn from(_: PathRejection) -> Problem {
        Problem::bad("the address is no UTF-8: GET /openapi.json says which there are")
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Problem {
        let text = match &rejection {
            JsonRejection::MissingJsonContentType(_) => {
                "send the body as JSON, with the header `content-type: application/json`".to_owned()
            }
            JsonRejection::JsonSyntaxError(error) => {
                format!("the body is no JSON: {}", cause(error))
            }
            JsonRejection::JsonDataError(error) => {
                format!(
                    "the body has another shape: {}; GET /openapi.json says which",
                    cause(error)
                )
            }
            _ if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                "the body is too long".to_owned()
            }
            _ => "the body did not arrive".to_owned(),
        };
        Problem::new(rejection.status(), text)
    }
}

/// The cause of an error in JSON, without the framework's words before it.
fn cause(error: &dyn Error) -> String {
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}
