//! Connections, and the limits that keep one client from the others' way.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

/// The longest head of a request, in bytes.
const MAX_HEAD: usize = 16 << 10;

/// How long to wait after a connection could not be accepted: usually too many files are open, and some will be closed.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);

/// What a client may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The number of connections at once. Further ones wait until one of these ends. A browser keeps about six.
    pub(crate) connections: usize,
    /// The time from the end of a response, or from the beginning of the connection, to the end of a request's head.
    pub(crate) head: Duration,
    /// The time in which a client has to accept some of the bytes that are waiting for it.
    pub(crate) stall: Duration,
    /// The time after which a connection takes no further request. Browsers open another.
    pub(crate) connection: Duration,
    /// The time that the response then has left.
    pub(crate) last_response: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 128,
            head: Duration::from_secs(5),
            stall: Duration::from_secs(5),
            connection: Duration::from_secs(60),
            last_response: Duration::from_secs(60),
        }
    }
}

/// Accepts connections and answers their requests; never returns.
pub(crate) async fn accept(listener: TcpListener, router: Router, limits: Limits) {
    let permits = Arc::new(Semaphore::new(limits.connections));
    // Nobody closes the semaphore, so there is always a permit in the end.
    while let Ok(permit) = Arc::clone(&permits).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                let router = router.clone();
                tokio::spawn(async move {
                    serve(stream, router, limits).await;
                    drop(permit);
                });
            }
            Err(_) => sleep(ACCEPT_RETRY).await,
        }
    }
}

/// Answers the requests of one connection until either side closes it or its time is over.
async fn serve(stream: TcpStream, router: Router, limits: Limits) {
    // Without it, small responses arrive later.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.stall));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(router));
    let mut connection = pin!(connection);
    // Errors are of the client's making, and nobody reads them.
    if timeout(limits.connection, connection.as_mut()).await.is_err() {
        connection.as_mut().graceful_shutdown();
        let _ = timeout(limits.last_response, connection).await;
    }
}
