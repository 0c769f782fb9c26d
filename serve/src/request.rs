//! Reads what a client asks for: the few parts of HTTP/1.1 that a browser needs for plain files.

use std::io::{self, BufRead, Read};

/// How long the head of a request may be.
const HEAD: u64 = 16 << 10;

/// What a connection brought.
#[derive(Debug, PartialEq)]
pub(super) enum Asked {
    /// A request.
    For(Request),
    /// Nothing more: the other side has closed it.
    Nothing,
    /// Something that is no request that we understand, and why.
    Nonsense(&'static str),
}

/// A request without its body, which none that we answer has.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Request {
    /// The method, such as `GET`.
    pub(super) method: String,
    /// The path and query as they were sent.
    pub(super) target: String,
    /// Whom the client believes to talk to.
    pub(super) host: Option<String>,
    /// The part of the file that is wanted.
    pub(super) range: Option<String>,
    /// Whether another request may follow on the same connection.
    pub(super) keep: bool,
}

/// Reads one request.
pub(super) fn read(reader: &mut impl BufRead) -> io::Result<Asked> {
    let mut head = reader.take(HEAD);
    let Some(first) = line(&mut head)? else { return Ok(Asked::Nothing) };
    let mut request = match first_line(&first) {
        Ok(request) => request,
        Err(why) => return Ok(Asked::Nonsense(why)),
    };
    loop {
        let Some(header) = line(&mut head)? else { return Ok(Asked::Nonsense("the request is cut short or too long")) };
        if header.is_empty() {
            return Ok(Asked::For(request));
        }
        if let Err(why) = take_header(&mut request, &header) {
            return Ok(Asked::Nonsense(why));
        }
    }
}

/// Reads a line without its end; there is none when the connection or the room for the head ends before.
fn line(head: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    head.read_until(b'\n', &mut bytes)?;
    if bytes.pop() != Some(b'\n') {
        return Ok(None);
    }
    bytes.pop_if(|last| *last == b'\r');
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

fn first_line(line: &str) -> Result<Request, &'static str> {
    let mut words = line.split(' ');
    let (Some(method), Some(target), Some(version), None) = (words.next(), words.next(), words.next(), words.next())
    else {
        return Err("the first line is not `METHOD PATH VERSION`");
    };
    let keep = match version {
        "HTTP/1.1" => true,
        "HTTP/1.0" => false,
        _ => return Err("only HTTP/1.1 and HTTP/1.0 are spoken here"),
    };
    Ok(Request { method: method.to_owned(), target: target.to_owned(), keep, ..Request::default() })
}

fn take_header(request: &mut Request, header: &str) -> Result<(), &'static str> {
    let (name, value) = header.split_once(':').ok_or("a header has no colon")?;
    let value = value.trim();
    match name.to_ascii_lowercase().as_str() {
        "host" if request.host.is_some() => return Err("there are two hosts"),
        "host" => request.host = Some(value.to_owned()),
        "range" => request.range = Some(value.to_owned()),
        "connection" if value.eq_ignore_ascii_case("close") => request.keep = false,
        // What we do not read would be taken for the next request.
        "content-length" if value != "0" => request.keep = false,
        "transfer-encoding" => request.keep = false,
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Asked {
        read(&mut text.as_bytes()).unwrap()
    }

    #[test]
    fn a_request_has_its_parts() {
        let text = "GET /a?b HTTP/1.1\r\nHost: localhost:1\r\nrange:bytes=3-\r\nAccept: */*\r\n\r\n";
        let request = Request {
            method: "GET".to_owned(),
            target: "/a?b".to_owned(),
            host: Some("localhost:1".to_owned()),
            range: Some("bytes=3-".to_owned()),
            keep: true,
        };
        assert_eq!(asked(text), Asked::For(request));
    }

    #[test]
    fn a_connection_is_kept_when_both_know_where_the_next_request_begins() {
        let kept = |text: &str| matches!(asked(text), Asked::For(request) if request.keep);
        assert!(kept("GET / HTTP/1.1\r\n\r\n"));
        assert!(!kept("GET / HTTP/1.0\r\n\r\n"));
        assert!(!kept("GET / HTTP/1.1\r\nConnection: Close\r\n\r\n"));
        assert!(!kept("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"));
        assert!(!kept("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"));
    }

    #[test]
    fn nonsense_is_told_apart_from_silence() {
        assert_eq!(asked(""), Asked::Nothing);
        for text in ["\r\n", "GET /\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n"] {
            assert!(matches!(asked(text), Asked::Nonsense(_)), "{text:?}");
        }
        let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(20_000));
        assert!(matches!(asked(&long), Asked::Nonsense(_)));
    }
}
