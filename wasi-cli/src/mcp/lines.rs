//! Lines of standard input, with a limit to how long they are waited for.

use huddle_core::model::Span;

/// What came of waiting.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// A line, without its end.
    Line(Vec<u8>),
    /// A line that is longer than anybody should send; it was passed over.
    TooLong,
    /// Nothing, in the time that was given.
    #[cfg_attr(
        all(target_os = "wasi", not(target_env = "p2")),
        expect(dead_code, reason = "WASI 0.1 waits for as long as it takes")
    )]
    Nothing,
    /// Nothing, and nothing will come.
    End,
}

/// Where lines come from.
pub(crate) trait Lines {
    /// Gives the next line; with a span, waits for about so long at most.
    fn next(&mut self, wait: Option<Span>) -> Heard;
}

/// A line that is longer is nobody's message.
const LONGEST: usize = 16 << 20;

/// Bytes that become lines.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    held: Vec<u8>,
    /// How many of them are known to have no line's end.
    looked: usize,
    passing_over: bool,
}

impl Pieces {
    /// Takes bytes as they come.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.held.extend_from_slice(bytes);
    }

    /// Gives the next whole line, if there is one.
    pub(super) fn take(&mut self) -> Option<Heard> {
        let end = self.held[self.looked..].iter().position(|byte| *byte == b'\n').map(|end| self.looked + end);
        let Some(end) = end else {
            self.looked = self.held.len();
            if self.held.len() > LONGEST {
                self.passing_over = true;
                self.held = Vec::new();
                self.looked = 0;
            }
            return None;
        };
        let mut line: Vec<u8> = self.held.drain(..=end).collect();
        line.pop();
        self.looked = 0;
        if std::mem::take(&mut self.passing_over) { Some(Heard::TooLong) } else { Some(Heard::Line(line)) }
    }

    /// Gives what is left when nothing more comes.
    pub(super) fn rest(&mut self) -> Heard {
        self.looked = 0;
        let rest = std::mem::take(&mut self.held);
        if rest.is_empty() { Heard::End } else { Heard::Line(rest) }
    }
}

pub(crate) use system::stdin;

/// WASI 0.2: one thread, and a host that tells when there is something to read.
#[cfg(all(target_os = "wasi", target_env = "p2"))]
mod system {
    use huddle_core::model::Span;
    use wasip2::cli::stdin::{InputStream, get_stdin};
    use wasip2::clocks::monotonic_clock::subscribe_duration;
    use wasip2::io::poll::poll;

    use super::{Heard, Lines, Pieces};

    /// How many bytes are asked for at once.
    const CHUNK: u64 = 64 << 10;

    struct Stdin {
        stream: InputStream,
        pieces: Pieces,
        ended: bool,
    }

    /// Gives the lines of standard input.
    pub(crate) fn stdin() -> impl Lines {
        Stdin { stream: get_stdin(), pieces: Pieces::default(), ended: false }
    }

    impl Lines for Stdin {
        fn next(&mut self, wait: Option<Span>) -> Heard {
            loop {
                if let Some(line) = self.pieces.take() {
                    return line;
                }
                if self.ended {
                    return self.pieces.rest();
                }
                if let Some(wait) = wait {
                    let ready = self.stream.subscribe();
                    let nanos = u64::try_from(wait.millis()).unwrap_or(0) * 1_000_000;
                    // The first of the two is the stream; only the clock having struck means that nothing came.
                    if !poll(&[&ready, &subscribe_duration(nanos)]).contains(&0) {
                        return Heard::Nothing;
                    }
                }
                let read = if wait.is_some() { self.stream.read(CHUNK) } else { self.stream.blocking_read(CHUNK) };
                match read {
                    Ok(bytes) => self.pieces.add(&bytes),
                    Err(_) => self.ended = true,
                }
            }
        }
    }
}

/// WASI 0.1: one thread that can only wait for input. Changes are told when the client says something.
#[cfg(all(target_os = "wasi", not(target_env = "p2")))]
mod system {
    use std::io::Read;

    use huddle_core::model::Span;

    use super::{Heard, Lines, Pieces};

    struct Stdin(Pieces);

    /// Gives the lines of standard input.
    pub(crate) fn stdin() -> impl Lines {
        Stdin(Pieces::default())
    }

    impl Lines for Stdin {
        fn next(&mut self, _: Option<Span>) -> Heard {
            let mut chunk = [0; 8192];
            loop {
                if let Some(line) = self.0.take() {
                    return line;
                }
                match std::io::stdin().read(&mut chunk) {
                    Ok(0) | Err(_) => return self.0.rest(),
                    Ok(read) => self.0.add(&chunk[..read]),
                }
            }
        }
    }
}

/// Elsewhere a thread waits for input.
#[cfg(not(target_os = "wasi"))]
mod system {
    use std::io::Read;
    use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
    use std::thread;
    use std::time::Duration;

    use huddle_core::model::Span;

    use super::{Heard, Lines, Pieces};

    struct Stdin {
        chunks: Receiver<Vec<u8>>,
        pieces: Pieces,
    }

    /// Gives the lines of standard input.
    pub(crate) fn stdin() -> impl Lines {
        let (send, chunks) = sync_channel(1);
        thread::spawn(move || {
            let mut chunk = vec![0; 64 << 10];
            while let Ok(read @ 1..) = std::io::stdin().read(&mut chunk) {
                if send.send(chunk[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        Stdin { chunks, pieces: Pieces::default() }
    }

    impl Lines for Stdin {
        fn next(&mut self, wait: Option<Span>) -> Heard {
            loop {
                if let Some(line) = self.pieces.take() {
                    return line;
                }
                let chunk = match wait {
                    None => self.chunks.recv().map_err(|_| RecvTimeoutError::Disconnected),
                    Some(wait) => {
                        self.chunks.recv_timeout(Duration::from_millis(u64::try_from(wait.millis()).unwrap_or(0)))
                    }
                };
                match chunk {
                    Ok(chunk) => self.pieces.add(&chunk),
                    Err(RecvTimeoutError::Timeout) => return Heard::Nothing,
                    Err(RecvTimeoutError::Disconnected) => return self.pieces.rest(),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_the_same_however_they_come() {
        let text = b"one\n\ntwo\r\nlast";
        for size in 1..text.len() {
            let (mut pieces, mut lines) = (Pieces::default(), Vec::new());
            for chunk in text.chunks(size) {
                pieces.add(chunk);
                lines.extend(std::iter::from_fn(|| pieces.take()));
            }
            lines.push(pieces.rest());
            let wanted = ["one", "", "two\r", "last"].map(|line| Heard::Line(line.into()));
            assert_eq!(lines, wanted, "{size}");
            assert_eq!(pieces.rest(), Heard::End);
        }
    }

    #[test]
    fn a_line_without_an_end_in_sight_is_passed_over() {
        let mut pieces = Pieces::default();
        for _ in 0..=LONGEST / (1 << 20) {
            pieces.add(&vec![b'x'; 1 << 20]);
            assert_eq!(pieces.take(), None);
        }
        assert!(pieces.held.len() <= LONGEST);
        pieces.add(b"x\nnext\n");
        assert_eq!(pieces.take(), Some(Heard::TooLong));
        assert_eq!(pieces.take(), Some(Heard::Line(b"next".to_vec())));
    }
}
