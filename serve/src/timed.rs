//! A connection whose reads and writes end when the time for them is over.

use std::cell::Cell;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::Limits;

/// A connection that gives each request so much time, and each read and write of it at most so much.
#[derive(Debug)]
pub(super) struct Timed<'s> {
    stream: &'s TcpStream,
    limits: Limits,
    /// When the request that is being answered has to be done.
    deadline: Cell<Instant>,
}

impl<'s> Timed<'s> {
    /// Takes a connection; the time of its first request begins.
    pub(super) fn new(stream: &'s TcpStream, limits: Limits) -> Self {
        Self { stream, limits, deadline: Cell::new(Instant::now() + limits.request) }
    }

    /// Starts the time of the next request.
    pub(super) fn begin_request(&self) {
        self.deadline.set(Instant::now() + self.limits.request);
    }

    /// Returns how long the next read or write may take; none may when the time of the request is over.
    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.deadline.get().saturating_duration_since(Instant::now());
        if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(Some(left.min(self.limits.idle))) }
    }
}

impl Read for &Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        (&mut &*self.stream).read(buffer)
    }
}

impl Write for &Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        (&mut &*self.stream).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&mut &*self.stream).flush()
    }
}
