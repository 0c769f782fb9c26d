//! Answers as HTTP writes them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use super::range::{Part, part};

/// How many bytes of a file are sent at once.
const CHUNK: usize = 256 << 10;

/// An answer that is ready to be written.
#[derive(Debug)]
pub(super) struct Response {
    /// The status code.
    pub(super) status: u16,
    /// The media type.
    kind: &'static str,
    /// Headers that only this answer has.
    headers: Vec<(&'static str, String)>,
    body: Body,
}

#[derive(Debug)]
enum Body {
    Bytes(Vec<u8>),
    /// As many bytes of a file, from where it stands.
    Part(File, u64),
}

impl Response {
    /// Answers with bytes.
    pub(super) fn bytes(kind: &'static str, bytes: Vec<u8>) -> Self {
        Self { status: 200, kind, headers: Vec::new(), body: Body::Bytes(bytes) }
    }

    /// Says no, and why.
    pub(super) fn refusal(status: u16, why: &str) -> Self {
        Self { status, ..Self::bytes("text/plain; charset=utf-8", format!("{why}\n").into_bytes()) }
    }

    /// Answers with a file, or with the part of it that is wanted.
    pub(super) fn file(kind: &'static str, mut file: File, range: Option<&str>) -> io::Result<Self> {
        let size = file.metadata()?.len();
        let answer = |status, Range { start, end }: Range<u64>, file| {
            let mut headers = vec![("Accept-Ranges", "bytes".to_owned())];
            if status == 206 {
                headers.push(("Content-Range", format!("bytes {start}-{}/{size}", end - 1)));
            }
            Self { status, kind, headers, body: Body::Part(file, end - start) }
        };
        match part(range, size) {
            Part::All => Ok(answer(200, 0..size, file)),
            Part::Some(range) => {
                file.seek(SeekFrom::Start(range.start))?;
                Ok(answer(206, range, file))
            }
            Part::Beyond => Ok(Self {
                headers: vec![("Content-Range", format!("bytes */{size}"))],
                ..Self::refusal(416, "the file has no such part")
            }),
        }
    }

    /// Adds a header.
    pub(super) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// Writes the answer, without its body for who wants only the head.
    pub(super) fn write(self, out: &mut impl Write, body: bool, keep: bool) -> io::Result<()> {
        let length = match &self.body {
            Body::Bytes(bytes) => bytes.len() as u64,
            Body::Part(_, length) => *length,
        };
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        let mut add = |name: &str, value: &str| head.extend([name, ": ", value, "\r\n"]);
        add("Content-Type", self.kind);
        add("Content-Length", &length.to_string());
        add("Cache-Control", "no-cache");
        add("X-Content-Type-Options", "nosniff");
        add("Cross-Origin-Resource-Policy", "same-origin");
        add("Connection", if keep { "keep-alive" } else { "close" });
        self.headers.iter().for_each(|(name, value)| add(name, value));
        head.push_str("\r\n");
        out.write_all(head.as_bytes())?;
        match self.body {
            _ if !body => Ok(()),
            Body::Bytes(bytes) => out.write_all(&bytes),
            Body::Part(file, length) => send(&file, length, out),
        }
    }
}

/// Sends part of a file. One that has become shorter meanwhile ends the connection: its length is already told.
fn send(file: &File, length: u64, out: &mut impl Write) -> io::Result<()> {
    let mut part = file.take(length);
    let mut buffer = vec![0; CHUNK];
    loop {
        match part.read(&mut buffer)? {
            0 if part.limit() == 0 => return Ok(()),
            0 => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file became shorter")),
            read => out.write_all(&buffer[..read])?,
        }
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        206 => "Partial Content",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        416 => "Range Not Satisfiable",
        _ => "Internal Server Error",
    }
}
