//! A server for this machine only: the page, and beside it the files that it shows.
//!
//! A handful of threads take connections one after the other. What is asked for goes from [`request`] to [`site`],
//! which says what lies at an address, and comes back as a [`response`].

mod listing;
mod paths;
mod range;
mod request;
mod response;
mod session;
mod site;
mod timed;

use std::io::{BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use request::Asked;
use response::Response;
pub use session::Session;
pub use site::Site;
use timed::Timed;

/// How many connections are looked after at once; more wait for their turn. A browser keeps up to six.
const WORKERS: usize = 32;

/// How long clients may take: a slow one keeps a worker from all others.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// How long a connection may be silent, and how long it may not take what it is sent.
    idle: Duration,
    /// How long a request may take, from waiting for it to the last byte of its answer.
    request: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { idle: Duration::from_secs(5), request: Duration::from_secs(30) }
    }
}

/// A server that runs until it is dropped.
pub struct Server {
    port: u16,
    ended: Arc<AtomicBool>,
}

impl Server {
    /// Listens at a port of this machine, or at a free one for 0, and answers from then on.
    pub fn start(site: Site, port: u16) -> Result<Self> {
        Self::start_with(site, port, Limits::default())
    }

    fn start_with(site: Site, port: u16, limits: Limits) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .with_context(|| format!("listening at 127.0.0.1:{port} failed; choose another port with --port"))?;
        let port = listener.local_addr()?.port();
        let (listener, site) = (Arc::new(listener), Arc::new(site));
        let ended = Arc::new(AtomicBool::new(false));
        for number in 0..WORKERS {
            let (listener, site, ended) = (Arc::clone(&listener), Arc::clone(&site), Arc::clone(&ended));
            let worker = thread::Builder::new().name(format!("server {number}"));
            worker.spawn(move || work(&listener, &site, &ended, limits)).context("starting a thread failed")?;
        }
        Ok(Self { port, ended })
    }

    /// Gives the port that it listens at.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Gives the address of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Gives the address at which the page shows what is served beside it.
    pub fn shown(&self) -> String {
        format!("{}?src=session/", self.address())
    }

    /// Stays until somebody ends the program.
    pub fn wait(&self) -> ! {
        loop {
            thread::park();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::SeqCst);
        // Threads that wait for a connection get one, and see that it is over. One that has a silent connection
        // sees it when its time is over.
        for _ in 0..WORKERS {
            drop(TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)));
        }
    }
}

/// Takes connections until it is over.
fn work(listener: &TcpListener, site: &Site, ended: &AtomicBool, limits: Limits) {
    while !ended.load(Ordering::SeqCst) {
        match listener.accept() {
            // A peer that hangs up, or says nothing, has nobody to tell it to.
            Ok((stream, _)) => drop(talk(&stream, site, ended, limits)),
            // Too many open files, most likely: others will close theirs.
            Err(_) => thread::sleep(Duration::from_millis(50)),
        }
    }
}

/// Answers what comes over a connection until one side has enough.
fn talk(stream: &TcpStream, site: &Site, ended: &AtomicBool, limits: Limits) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let timed = Timed::new(stream, limits);
    let (mut reader, mut writer) = (BufReader::new(&timed), &timed);
    while !ended.load(Ordering::SeqCst) {
        timed.begin_request();
        match request::read(&mut reader)? {
            Asked::Nothing => break,
            Asked::Nonsense(why) => {
                Response::refusal(400, why).write(&mut writer, true, false)?;
                break;
            }
            Asked::For(request) => {
                let answer = site.answer(&request);
                answer.write(&mut writer, request.method != "HEAD", request.keep)?;
                if !request.keep {
                    break;
                }
            }
        }
    }
    writer.flush()
}

#[cfg(test)]
mod tests;
