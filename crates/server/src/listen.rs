//! Accepts connections one by one, up to a maximum. Limits on time keep slow clients from holding them.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;

use crate::limits::Limits;
use crate::patient::Patient;
use crate::shared::Shared;

/// Answers on all connections until `stop` is done. Then open connections may finish their requests.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    shared: Arc<Shared>,
    stop: impl Future<Output = ()>,
) {
    let places = Arc::new(Semaphore::new(shared.limits.connections));
    let http = http(&shared.limits);
    let graceful = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        let (stream, place) = tokio::select! {
            next = next(&listener, &places) => next,
            () = &mut stop => break,
        };
        let io = TokioIo::new(Patient::new(stream, shared.limits.write_time));
        let service = TowerToHyperService::new(router.clone());
        let connection = graceful.watch(http.serve_connection(io, service));
        let shared = Arc::clone(&shared);
        shared.metrics.connections.fetch_add(1, Relaxed);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                // Clients hang up, which is normal.
                tracing::debug!("a connection ended: {error}");
            }
            shared.metrics.connections.fetch_sub(1, Relaxed);
            drop(place);
        });
    }
    drop(listener);
    tokio::select! {
        () = graceful.shutdown() => {}
        () = sleep(shared.limits.stop_time) => tracing::warn!("some requests were not done in time"),
    }
}

/// The HTTP settings of a connection.
fn http(limits: &Limits) -> http1::Builder {
    /// The longest head of a request.
    const HEAD_BYTES_MAX: usize = 16 << 10;
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.head_time)
        .max_buf_size(HEAD_BYTES_MAX)
        // A client that has finished sending may still receive the answer.
        .half_close(true);
    http
}

/// The next connection, once a slot is free.
async fn next(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (TcpStream, OwnedSemaphorePermit) {
    /// Long enough for some connection to end, if the system has no more file handles.
    const PAUSE: Duration = Duration::from_millis(50);
    let place = Arc::clone(places).acquire_owned().await;
    let place = place.expect("the semaphore is never closed");
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // An answer is written at once and whole, so there is nothing to wait for.
                let _ = stream.set_nodelay(true);
                return (stream, place);
            }
            Err(error) if hung_up(&error) => {}
            Err(error) => {
                tracing::error!("no connection could be taken: {error}");
                sleep(PAUSE).await;
            }
        }
    }
}

/// Whether a client has gone before its first answer.
fn hung_up(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
