//! Requests over real sockets.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use super::*;

/// How long a client waits before its test fails.
const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// A server of a small page and a small project.
struct Fixture {
    server: Server,
    dir: TempDir,
}

fn fixture() -> Fixture {
    fixture_with(Limits::default())
}

fn fixture_with(limits: Limits) -> Fixture {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("page/index.html", "<!doctype html>");
    write("page/a.js", "1");
    write("outside", CANARY);
    write("work/.agent-messages/inbox/bob/a b.json", "{}");
    write("work/.agent-messages/log.jsonl", "0123456789");
    write("work/.agent-messages/page.html", "<script>");
    write("work/secret", CANARY);
    write("work/.env", CANARY);
    write("work/.git/config", CANARY);
    write("work/.agent-messages/large.jsonl", &"x".repeat(32 << 20));
    let sources = Sources::open(&[dir.path().join("work")]).unwrap();
    let server = Server::start_with(Page::in_dir(dir.path().join("page")), sources, 0, limits).unwrap();
    Fixture { server, dir }
}

/// What is in the files that may not be served.
const CANARY: &str = "TOKEN=canary";

impl Fixture {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.server.port)).unwrap();
        stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
        stream.set_write_timeout(Some(TEST_TIMEOUT)).unwrap();
        stream
    }

    /// Sends text unchanged and returns everything that comes back until the connection is closed.
    fn send(&self, text: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(text.as_bytes()).unwrap();
        let mut response = Vec::new();
        stream.read_to_end(&mut response).unwrap();
        String::from_utf8(response).unwrap()
    }

    /// Sends a request with further headers, each with its line end; returns head and body.
    fn request(&self, method: &str, target: &str, headers: &str) -> (String, String) {
        let text = format!("{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n");
        let response = self.send(&text);
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    fn status(&self, method: &str, target: &str) -> String {
        self.request(method, target, "").0.split(' ').nth(1).unwrap().to_owned()
    }

    fn listing(&self) -> Value {
        serde_json::from_str(&self.request("GET", "/session/", "").1).unwrap()
    }
}

fn has(head: &str, header: &str) -> bool {
    head.lines().any(|line| line == header)
}

#[test]
fn page_is_served_with_its_types_and_policy() {
    let fixture = fixture();
    let (head, body) = fixture.request("GET", "/?src=session/", "");
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    for header in [
        "content-type: text/html; charset=utf-8",
        "cache-control: no-cache",
        "cross-origin-resource-policy: same-origin",
        "x-content-type-options: nosniff",
        &format!("content-security-policy: {}", page::POLICY),
    ] {
        assert!(has(&head, header), "{header}: {head}");
    }
    assert_eq!(body, "<!doctype html>");
    let (head, body) = fixture.request("HEAD", "/a.js", "");
    assert!(has(&head, "content-type: text/javascript; charset=utf-8") && has(&head, "content-length: 1"), "{head}");
    assert_eq!(body, "");
}

#[test]
fn sources_are_listed_and_served_as_text() {
    let fixture = fixture();
    let (head, _) = fixture.request("GET", "/session/", "");
    assert!(has(&head, "content-type: application/json"), "{head}");
    let listing = fixture.listing();
    assert_eq!(listing["name"], "work");
    assert_eq!(listing["files"][0]["path"], ".agent-messages/inbox/bob/a b.json");
    assert_eq!(listing["files"][2]["size"], 10);
    assert_eq!(fixture.request("GET", "/session/.agent-messages/inbox/bob/a%20b.json", "").1, "{}");
    let (head, body) = fixture.request("GET", "/session/.agent-messages/page.html", "");
    assert!(has(&head, "content-type: text/plain; charset=utf-8"), "{head}");
    assert!(has(&head, "content-security-policy: default-src 'none'; frame-ancestors 'none'; sandbox"), "{head}");
    assert!(has(&head, "x-content-type-options: nosniff") && has(&head, "content-length: 8"), "{head}");
    assert_eq!(body, "<script>");
    let (head, body) = fixture.request("HEAD", "/session/.agent-messages/large.jsonl", "");
    assert!(has(&head, "content-length: 33554432") && body.is_empty(), "{head}");
}

#[test]
fn listing_is_live() {
    let fixture = fixture();
    let messages = fixture.dir.path().join("work/.agent-messages");
    fs::write(messages.join("new.json"), "1").unwrap();
    assert!(fixture.listing().to_string().contains("new.json"));
    fs::remove_dir_all(&messages).unwrap();
    fs::create_dir(&messages).unwrap();
    fs::write(messages.join("newer.json"), "1").unwrap();
    assert_eq!(fixture.listing()["files"].as_array().unwrap().len(), 1);
    assert_eq!(fixture.request("GET", "/session/.agent-messages/newer.json", "").1, "1");
}

#[test]
fn ranges_are_served() {
    let fixture = fixture();
    let get =
        |range: &str| fixture.request("GET", "/session/.agent-messages/log.jsonl", &format!("Range: {range}\r\n"));
    let (head, body) = get("bytes=7-");
    assert!(head.starts_with("HTTP/1.1 206 ") && has(&head, "content-range: bytes 7-9/10"), "{head}");
    assert!(has(&head, "content-length: 3") && has(&head, "accept-ranges: bytes"), "{head}");
    assert_eq!(body, "789");
    assert_eq!(get("bytes=2-3").1, "23");
    let (head, _) = get("bytes=10-");
    assert!(head.starts_with("HTTP/1.1 416 ") && has(&head, "content-range: bytes */10"), "{head}");
}

#[test]
fn huge_and_odd_ranges_stay_within_the_file() {
    let fixture = fixture();
    let many = format!("bytes={}", "0-,".repeat(1000));
    let cases = [
        ("bytes=0-18446744073709551615", "206", 10),
        ("bytes=-18446744073709551615", "206", 10),
        ("bytes=0-99999999999999999999999999", "200", 10),
        ("bytes=18446744073709551615-18446744073709551615", "416", 26),
        ("bytes=-0", "416", 26),
        (many.as_str(), "200", 10),
    ];
    for (range, status, length) in cases {
        let (head, body) = fixture.request("GET", "/session/.agent-messages/log.jsonl", &format!("Range: {range}\r\n"));
        assert_eq!((head.split(' ').nth(1), body.len()), (Some(status), length), "{range}: {head}");
    }
}

#[cfg(unix)]
#[test]
fn files_that_are_not_listed_are_not_served() {
    let fixture = fixture();
    let work = fixture.dir.path().join("work");
    let link = |to: &std::path::Path, name: &str| {
        std::os::unix::fs::symlink(to, work.join(".agent-messages").join(name)).unwrap();
    };
    link(&fixture.dir.path().join("outside"), "out.json");
    link(fixture.dir.path(), "up");
    link("../.env".as_ref(), "env.json");
    link("../.git".as_ref(), "git");
    for target in [
        "/absent",
        "/session",
        "/session/absent",
        "/session//",
        "/session/../page/a.js",
        "/session/%2e%2e/page/a.js",
        "/session/.agent-messages/%2e%2e/%2e%2e/outside",
        "/session/.agent-messages/..%2f..%2foutside",
        "/session/.agent-messages/..%5c..%5coutside",
        "/session/%2e%2e%2foutside",
        "/session/%252e%252e/outside",
        "/session/%2foutside",
        "/session/.agent-messages/log.jsonl%00",
        "/session/.agent-messages/log.jsonl/",
        "/session/.agent-messages/./log.jsonl",
        "/session/.agent-messages//log.jsonl",
        "/session/.agent-messages",
        "/session/.agent-messages/",
        "/session/.agent-messages/out.json",
        "/session/.agent-messages/up/outside",
        "/session/.agent-messages/env.json",
        "/session/.agent-messages/git/config",
        "/session/.env",
        "/session/%2eenv",
        "/session/.git/config",
        "/session/secret",
        "/session/.agent-messages/../.env",
        "/../outside",
        "/..%2foutside",
        "/%2e%2e/outside",
        "//etc/passwd",
        "/%2fetc/passwd",
        "/etc/passwd",
        "http://127.0.0.1/../outside",
    ] {
        let (head, body) = fixture.request("GET", target, "");
        assert!(head.starts_with("HTTP/1.1 404 "), "{target}: {head}");
        assert!(!body.contains(CANARY), "{target}");
    }
    assert!(fixture.request("GET", "/session/%ff", "").0.starts_with("HTTP/1.1 400 "));
    let listing = fixture.listing().to_string();
    for name in ["secret", ".env", "config", "out.json", "env.json", "up"] {
        assert!(!listing.contains(name), "{listing}");
    }
}

#[test]
fn other_hosts_methods_and_garbage_are_refused() {
    let fixture = fixture();
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
        let (head, _) = fixture.request(method, "/session/.agent-messages/log.jsonl", "");
        assert!(head.starts_with("HTTP/1.1 405 ") && has(&head, "allow: GET,HEAD"), "{method}: {head}");
    }
    for hosts in [
        "Host: evil.example\r\n",
        "Host: 127.0.0.1.evil.example\r\n",
        "Host: localhost\r\nHost: evil.example\r\n",
        "Host: \r\n",
        "Host: [::1]\r\n",
        "",
    ] {
        let response = fixture.send(&format!("GET / HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n"));
        assert!(response.starts_with("HTTP/1.1 403 "), "{hosts:?}: {response}");
    }
    let (head, _) = fixture.request("GET", "http://evil.example/", "");
    assert!(head.starts_with("HTTP/1.1 403 "), "{head}");
    for garbage in ["hello\r\n\r\n", "\0\0\0\0\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"]
    {
        let response = fixture.send(garbage);
        assert!(response.starts_with("HTTP/1.1 400 "), "{garbage:?}: {response}");
    }
    let long = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(20_000));
    assert!(fixture.send(&long).starts_with("HTTP/1.1 431 "));
    assert_eq!(fixture.status("GET", "/a.js"), "200");
}

#[test]
fn connection_carries_several_requests() {
    let fixture = fixture();
    let one = "GET /a.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    let responses = fixture.send(&format!("{one}{one}{}", one.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")));
    assert_eq!(responses.matches("HTTP/1.1 200 OK").count(), 3, "{responses}");
}

#[test]
fn single_file_is_served_without_its_neighbors() {
    let Fixture { dir, .. } = fixture();
    let sources = Sources::open(&[dir.path().join("work/.agent-messages/log.jsonl")]).unwrap();
    let server = Server::start(Page::in_dir(dir.path().join("page")), sources, 0).unwrap();
    let fixture = Fixture { server, dir };
    let listing = fixture.listing();
    assert_eq!((&listing["name"], listing["files"].as_array().unwrap().len()), (&"log.jsonl".into(), 1));
    assert_eq!(listing["files"][0]["explicit"], true);
    assert_eq!(fixture.status("GET", "/session/log.jsonl"), "200");
    for path in ["inbox/bob/a%20b.json", "large.jsonl", "./log.jsonl", ".agent-messages/log.jsonl"] {
        assert_eq!(fixture.status("GET", &format!("/session/{path}")), "404", "{path}");
    }
}

#[test]
fn port_in_use_is_an_error_and_dropping_the_server_frees_it() {
    let Fixture { server, dir } = fixture();
    let start = |port| Server::start(Page::in_dir("absent"), Sources::open(&[dir.path()]).unwrap(), port);
    let port = server.port();
    let error = start(port).unwrap_err().to_string();
    assert!(error.starts_with(&format!("cannot listen on 127.0.0.1:{port}: ")), "{error}");
    drop(server);
    assert_eq!(start(port).unwrap().url(), format!("http://127.0.0.1:{port}/"));
}

/// Limits that end before a test does.
const SHORT: Limits = Limits {
    connections: 8,
    head: Duration::from_millis(400),
    stall: Duration::from_millis(400),
    connection: Duration::from_millis(800),
    last_response: Duration::from_millis(400),
};

const LARGE: &str = "GET /session/.agent-messages/large.jsonl HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// Waits until the server has closed a connection.
fn is_closed(mut stream: TcpStream) -> bool {
    let mut rest = Vec::new();
    // Bytes that the client has not taken make it a reset.
    stream.read_to_end(&mut rest).map_or_else(|error| error.kind() == io::ErrorKind::ConnectionReset, |_| true)
}

#[test]
fn client_that_reads_nothing_is_disconnected() {
    let fixture = fixture_with(Limits { connection: TEST_TIMEOUT, ..SHORT });
    let stuck: Vec<TcpStream> = (0..SHORT.connections).map(|_| fixture.connect()).collect();
    stuck.iter().for_each(|mut stream| stream.write_all(LARGE.as_bytes()).unwrap());
    // It gets its turn when the others have lost theirs.
    assert_eq!(fixture.status("GET", "/a.js"), "200");
    drop(stuck);
}

#[test]
fn client_that_sends_a_byte_now_and_then_is_disconnected() {
    let fixture = fixture_with(Limits { connection: TEST_TIMEOUT, ..SHORT });
    let mut streams: Vec<TcpStream> = (0..SHORT.connections).map(|_| fixture.connect()).collect();
    let head = format!("GET /a.js HTTP/1.1\r\nHost: localhost\r\nX: {}", "x".repeat(1000));
    for byte in head.as_bytes() {
        thread::sleep(SHORT.head / 16);
        streams.retain_mut(|stream| stream.write_all(&[*byte]).is_ok());
        if streams.is_empty() {
            break;
        }
    }
    assert_eq!(streams.len(), 0, "the server waits for no head this long");
    assert_eq!(fixture.status("GET", "/a.js"), "200");
}

#[test]
fn client_that_reads_slowly_is_disconnected() {
    let fixture = fixture_with(SHORT);
    let mut stream = fixture.connect();
    stream.write_all(LARGE.as_bytes()).unwrap();
    let (mut chunk, mut received) = (vec![0; 64 << 10], 0);
    while let Ok(length @ 1..) = stream.read(&mut chunk) {
        received += length;
        thread::sleep(SHORT.stall / 16);
    }
    assert!(received < 32 << 20, "it got everything");
}

#[test]
fn connection_is_closed_in_the_end() {
    let fixture = fixture_with(SHORT);
    let mut stream = fixture.connect();
    let request = b"GET /a.js HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let end = Instant::now() + TEST_TIMEOUT;
    // Each request comes in time, and still the server takes no more of them some time.
    while Instant::now() < end {
        let mut response = [0; 4096];
        if stream.write_all(request).is_err() || !matches!(stream.read(&mut response), Ok(1..)) {
            assert_eq!(fixture.status("GET", "/a.js"), "200");
            return;
        }
        thread::sleep(SHORT.head / 8);
    }
    panic!("still connected");
}

#[test]
fn server_outlives_200_slow_clients() {
    let fixture = fixture_with(Limits { connections: 64, ..SHORT });
    let clients: Vec<TcpStream> = (0..200)
        .map(|number| {
            let mut stream = fixture.connect();
            let text = match number % 4 {
                0 => "",
                1 => "GET /a.js HTTP/1.1\r\nHost: local",
                2 => "POST /a.js HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nx",
                _ => LARGE,
            };
            stream.write_all(text.as_bytes()).unwrap();
            stream
        })
        .collect();
    assert_eq!(fixture.status("GET", "/a.js"), "200");
    assert!(clients.into_iter().all(is_closed));
    assert_eq!(fixture.listing()["name"], "work");
}
