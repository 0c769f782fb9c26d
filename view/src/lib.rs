//! Serves the viewer to this machine: the page at `/`, the files that it shows at `/session/`.
//!
//! ```no_run
//! use huddle_view::{Page, Server, Sources};
//!
//! let server = Server::start(Page::in_dir("dist/web"), Sources::open(&["project"])?, 0)?;
//! println!("{}", server.sources_url());
//! server.wait();
//! # Ok::<(), huddle_view::Error>(())
//! ```
//!
//! The server only reads. It listens on 127.0.0.1, and answers only requests whose host is this machine, because a
//! page elsewhere can have its name resolve to this address. Of the sources it serves the files that it lists and no
//! others, each as text that no browser runs. Links out of a source lead nowhere. Slow clients are disconnected, and
//! the number of connections is bounded.
//!
//! It does not authenticate anybody: every user of this machine can connect.

mod connection;
mod error;
mod page;
mod range;
mod router;
mod sources;
mod tree;

#[cfg(test)]
mod tests;

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::thread::{self, JoinHandle};

use tokio::runtime;
use tokio::sync::oneshot;

use connection::Limits;
pub use error::Error;
pub use page::Page;
pub use sources::Sources;

/// The number of threads that read files and list directories. Everything else happens on one thread.
const FILE_THREADS: usize = 8;

/// A running server. Dropping it closes the port and all connections.
#[derive(Debug)]
pub struct Server {
    port: u16,
    /// The server ends when this end of the channel is dropped.
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts to serve on a port of 127.0.0.1; 0 stands for any free port.
    pub fn start(page: Page, sources: Sources, port: u16) -> Result<Self, Error> {
        Self::start_with(page, sources, port, Limits::default())
    }

    fn start_with(page: Page, sources: Sources, port: u16, limits: Limits) -> Result<Self, Error> {
        let refused = |source| Error::Listen { port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(refused)?;
        let port = listener.local_addr().map_err(refused)?.port();
        listener.set_nonblocking(true).map_err(refused)?;
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(FILE_THREADS)
            .build()
            .map_err(Error::Start)?;
        let entered = runtime.enter();
        let listener = tokio::net::TcpListener::from_std(listener).map_err(refused)?;
        drop(entered);
        let router = router::router(page, sources);
        let (stop, stopped) = oneshot::channel();
        let serve = move || {
            runtime.spawn(connection::accept(listener, router, limits));
            // The error is that the sender was dropped, which is how it stops.
            let _ = runtime.block_on(stopped);
            // Does not wait for a directory that is being listed.
            runtime.shutdown_background();
        };
        let thread = thread::Builder::new().name("huddle-view".to_owned()).spawn(serve).map_err(Error::Start)?;
        Ok(Self { port, stop: Some(stop), thread: Some(thread) })
    }

    /// Returns the port that the server listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the address of the page, with a slash at its end.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Returns the address at which the page shows the sources.
    pub fn sources_url(&self) -> String {
        format!("{}?src=session/", self.url())
    }

    /// Opens the sources in the user's browser, without waiting for it.
    pub fn open_browser(&self) -> io::Result<()> {
        open::that_detached(self.sources_url())
    }

    /// Blocks for as long as the server runs: until the process ends.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic has been reported by the thread itself.
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
