//! The routes, as `openapi.json` describes them.

use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::{CONTENT_RANGE, CONTENT_TYPE, ETAG, LAST_MODIFIED, RANGE};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, get, post};
use serde::Serialize;
use tower_http::compression::predicate::SizeAbove;
use tower_http::compression::{CompressionLayer, CompressionLevel};
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_http::services::ServeDir;

use crate::observe::observe;
use crate::problem::Problem;
use crate::reply::{Keep, Reply};
use crate::shared::Shared;
use crate::{chess, games, page, solve, tables};

/// What the routes are asked, and what they answer. A test makes its schemas from the types.
pub(crate) const DOCUMENT: &str = include_str!("../openapi.json");

/// Every path with its methods.
pub const ROUTES: &[(&str, &[&str])] = &[
    ("/", &["get"]),
    ("/page/{file}", &["get"]),
    ("/health", &["get"]),
    ("/metrics", &["get"]),
    ("/openapi.json", &["get"]),
    ("/standard", &["get", "post"]),
    ("/standard/mainline", &["get"]),
    ("/tables", &["get"]),
    ("/tables/{name}", &["get"]),
    ("/tables/{name}/stats", &["get"]),
    ("/tables/{name}/probe", &["get", "post"]),
    ("/tables/{name}/line", &["get"]),
    ("/tables/{name}/longest", &["get"]),
    ("/tables/{name}/random", &["get"]),
    ("/games", &["get"]),
    ("/solve/{game}", &["post"]),
];

/// The handler of a path of [`ROUTES`].
fn answers(path: &str) -> MethodRouter<Arc<Shared>> {
    match path {
        "/" => get(page::index),
        "/page/{file}" => get(page::file),
        "/health" => get(health),
        "/metrics" => get(metrics),
        "/openapi.json" => get(openapi),
        "/standard" => get(chess::probe).post(chess::probe_many),
        "/standard/mainline" => get(chess::mainline),
        "/tables" => get(tables::list),
        "/tables/{name}" => get(tables::about),
        "/tables/{name}/stats" => get(tables::stats),
        "/tables/{name}/probe" => get(tables::probe).post(tables::probe_many),
        "/tables/{name}/line" => get(tables::line),
        "/tables/{name}/longest" => get(tables::longest),
        "/tables/{name}/random" => get(tables::random),
        "/games" => get(games::list),
        "/solve/{game}" => post(solve::solve),
        path => unreachable!("{path} is a route without a handler"),
    }
}

/// All routes, and the layers around them.
pub(crate) fn router(shared: Arc<Shared>, cors: &[HeaderValue], site: Option<&Path>) -> Router {
    /// Smaller answers fit in one packet anyway.
    const COMPRESSED_FROM: u64 = 1024;
    let mut router = Router::new();
    for (path, _) in ROUTES {
        router = router.route(path, answers(path));
    }
    // Its tables are read in ranges.
    if let Some(site) = site {
        router = router.nest_service("/site", ServeDir::new(site));
    }
    let router = router
        .fallback(async || {
            Problem::missing("there is nothing here: GET /openapi.json says what is")
        })
        .method_not_allowed_fallback(async || {
            let text = "this path has no such method: GET /openapi.json says which";
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, text)
        })
        .layer(DefaultBodyLimit::max(shared.limits.body_bytes))
        .layer(from_fn_with_state(Arc::clone(&shared), observe))
        .layer(
            CompressionLayer::new()
                .quality(CompressionLevel::Fastest)
                .compress_when(SizeAbove::new(COMPRESSED_FROM)),
        );
    let router = if cors.is_empty() { router } else { router.layer(cross_origin(cors)) };
    router.with_state(shared)
}

/// The headers for pages of other origins.
fn cross_origin(origins: &[HeaderValue]) -> CorsLayer {
    let any = origins.iter().any(|origin| origin == "*");
    let origins = if any { AllowOrigin::any() } else { AllowOrigin::list(origins.to_vec()) };
    let methods = [Method::GET, Method::POST];
    let exposed = [CONTENT_RANGE, LAST_MODIFIED, ETAG];
    let layer = CorsLayer::new().allow_origin(origins).allow_methods(methods);
    layer.allow_headers([CONTENT_TYPE, RANGE]).expose_headers(exposed)
}

/// Whether the server works.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Health {
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["ok"])))]
    status: &'static str,
    version: &'static str,
    /// How many tables there are.
    tables: usize,
}

async fn health(State(shared): State<Arc<Shared>>) -> Reply {
    let tables = shared.folder.last().tables().len();
    let health = Health { status: "ok", version: env!("CARGO_PKG_VERSION"), tables };
    Reply::json(&health, Keep::Never)
}

async fn metrics(State(shared): State<Arc<Shared>>) -> Reply {
    let waiting = shared.work.waiting() + shared.solve_work.waiting();
    let text =
        shared.metrics.text(shared.folder.last().tables().len(), waiting, shared.solves.count());
    Reply::text(text, "text/plain; version=0.0.4; charset=utf-8", Keep::Never)
}

async fn openapi() -> Reply {
    Reply::text(DOCUMENT, "application/json", Keep::Asked)
}
