//! The server: its folder and its limits.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::http::HeaderValue;
use retrograde_answers::Solves;
use tokio::net::TcpListener;

use crate::folder::FolderError;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::shared::Shared;
use crate::watched::Watched;
use crate::work::Work;
use crate::{listen, routes};

/// The options besides the limits.
#[derive(Clone, Debug)]
pub struct Options {
    /// The origins whose pages may use this server, or `*`. Without any, only its own page may.
    pub cors: Vec<HeaderValue>,
    /// A folder that `scripts/site` has written, served below `/site/`.
    pub site: Option<PathBuf>,
    /// About how many bytes of tables are kept in memory.
    pub cache_bytes: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { cors: Vec::new(), site: None, cache_bytes: 256 << 20 }
    }
}

/// A folder of tables, ready to answer.
pub struct Server {
    shared: Arc<Shared>,
    router: Router,
}

impl Server {
    /// Reads a folder.
    pub fn open(path: &Path, options: Options, limits: Limits) -> Result<Server, FolderError> {
        let folder = Watched::open(path, options.cache_bytes)?;
        let shared = Arc::new(Shared {
            folder,
            metrics: Metrics::new(routes::ROUTES.iter().map(|(path, _)| *path)),
            work: Work::new(limits.threads, limits.waiting),
            solve_work: Work::new(limits.threads.div_ceil(2), limits.waiting),
            solves: Solves::new(limits.questions.clone()),
            limits,
        });
        let site = options.site.as_deref();
        let router = routes::router(Arc::clone(&shared), &options.cors, site);
        Ok(Server { shared, router })
    }

    /// The files of the folder that are not served, and why: one line each.
    pub fn left_out(&self) -> Vec<String> {
        self.shared.folder.last().left_out().to_vec()
    }

    /// How many tables there are.
    pub fn tables(&self) -> usize {
        self.shared.folder.last().tables().len()
    }

    /// Answers requests until `stop` resolves, and finishes those that have begun by then.
    pub async fn serve(self, listener: TcpListener, stop: impl Future<Output = ()>) {
        listen::serve(listener, self.router, self.shared, stop).await;
    }
}
