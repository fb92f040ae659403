//! The server: a folder, limits, and what all requests share.

use std::future::Future;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::http::HeaderValue;
use tokio::net::TcpListener;

use crate::folder::{Folder, FolderError};
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::work::Work;
use crate::{listen, routes};

/// What is not a limit.
#[derive(Clone, Debug)]
pub struct Options {
    /// The origins whose pages may ask, or `*`; without any, only the server's own page may.
    pub cors: Vec<HeaderValue>,
    /// How many bytes of tables are kept in memory, about.
    pub cache_bytes: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { cors: Vec::new(), cache_bytes: 256 << 20 }
    }
}

/// A folder of tables, ready to answer.
pub struct Server {
    shared: Arc<Shared>,
    router: Router,
}

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) folder: Folder,
    pub(crate) limits: Limits,
    pub(crate) metrics: Metrics,
    /// Where states are looked up.
    pub(crate) work: Work,
    /// Where games are solved: in places of their own, so that a client who only looks something up never waits for a solve.
    pub(crate) solves: Work,
}

impl Shared {
    /// Looks something up, on a thread for such work.
    pub(crate) async fn look_up(
        self: Arc<Self>,
        act: impl FnOnce(&Shared) -> Result<Reply, Problem> + Send + 'static,
    ) -> Result<Reply, Problem> {
        let shared = Arc::clone(&self);
        self.work.run(move || act(&shared)).await
    }
}

impl Server {
    /// Looks at a folder.
    pub fn open(path: &Path, options: Options, limits: Limits) -> Result<Server, FolderError> {
        let folder = Folder::open(path, options.cache_bytes)?;
        let shared = Arc::new(Shared {
            folder,
            metrics: Metrics::new(),
            work: Work::new(limits.threads, limits.waiting),
            solves: Work::new(limits.threads.div_ceil(2), limits.waiting),
            limits,
        });
        let router = routes::router(Arc::clone(&shared), &options.cors);
        Ok(Server { shared, router })
    }

    /// What is in the folder and not served, and why: one line each.
    pub fn left_out(&self) -> &[String] {
        self.shared.folder.left_out()
    }

    /// How many tables there are.
    pub fn tables(&self) -> usize {
        self.shared.folder.len()
    }

    /// Answers until `stop` is done, and what has been asked by then.
    pub async fn serve(self, listener: TcpListener, stop: impl Future<Output = ()>) {
        listen::serve(listener, self.router, self.shared, stop).await;
    }
}
