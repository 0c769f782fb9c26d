//! Real requests over TCP.

use std::fs;
use std::io::{Read, Write};

use serde_json::Value;
use tempfile::TempDir;

use super::*;

/// A server of a small page and a small session.
struct Scene {
    server: Server,
    dir: TempDir,
}

fn scene() -> Scene {
    scene_with(Limits::default())
}

fn scene_with(limits: Limits) -> Scene {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("page/index.html", "<!doctype html>");
    write("page/a.js", "1");
    write("work/.agent-messages/inbox/bob/a b.json", "{}");
    write("work/.agent-messages/log.jsonl", "0123456789");
    write("work/secret", "");
    write("work/.env", "TOKEN=x");
    write("work/.git/config", "x");
    write("work/.agent-messages/large.jsonl", &"x".repeat(32 << 20));
    let session = Session::open(&dir.path().join("work")).unwrap();
    let server = Server::start_with(Site::new(dir.path().join("page"), Some(session)), 0, limits).unwrap();
    Scene { server, dir }
}

impl Scene {
    /// Connects as a client that gives up rather than hang when nobody answers.
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.server.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends text as it is and returns all that comes back until the connection is closed.
    fn send(&self, text: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Asks with some more headers, each with its line end; returns the head and the body.
    fn ask(&self, method: &str, target: &str, more: &str) -> (String, String) {
        let text = format!("{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n");
        let answer = self.send(&text);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    /// Asks and returns the status.
    fn status(&self, method: &str, target: &str) -> String {
        self.ask(method, target, "").0.split(' ').nth(1).unwrap().to_owned()
    }
}

#[test]
fn the_page_is_served_with_its_types() {
    let scene = scene();
    let (head, body) = scene.ask("GET", "/?src=session/", "");
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    assert!(head.contains("Content-Type: text/html; charset=utf-8\r\n"), "{head}");
    assert!(head.contains("Cache-Control: no-cache\r\n"), "{head}");
    assert!(head.contains("Cross-Origin-Resource-Policy: same-origin\r\n"), "{head}");
    assert_eq!(body, "<!doctype html>");
    let (head, body) = scene.ask("HEAD", "/a.js", "");
    assert!(head.contains("text/javascript") && head.contains("Content-Length: 1\r\n"), "{head}");
    assert_eq!(body, "");
}

#[test]
fn the_session_is_listed_and_its_files_are_served() {
    let scene = scene();
    let (head, body) = scene.ask("GET", "/session/", "");
    assert!(head.contains("Content-Type: application/json\r\n"), "{head}");
    let listing: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(listing["name"], "work");
    assert_eq!(listing["files"][0]["path"], ".agent-messages/inbox/bob/a b.json");
    assert_eq!(listing["files"][2]["size"], 10);
    assert_eq!(scene.ask("GET", "/session/.agent-messages/inbox/bob/a%20b.json", "").1, "{}");
    fs::write(scene.dir.path().join("work/.agent-messages/new.json"), "1").unwrap();
    assert!(scene.ask("GET", "/session/", "").1.contains("new.json"));
}

#[test]
fn parts_are_served() {
    let scene = scene();
    let part = |range: &str| scene.ask("GET", "/session/.agent-messages/log.jsonl", &format!("Range: {range}\r\n"));
    let (head, body) = part("bytes=7-");
    assert!(head.starts_with("HTTP/1.1 206 ") && head.contains("Content-Range: bytes 7-9/10"), "{head}");
    assert_eq!(body, "789");
    assert_eq!(part("bytes=2-3").1, "23");
    let (head, _) = part("bytes=10-");
    assert!(head.starts_with("HTTP/1.1 416 ") && head.contains("Content-Range: bytes */10"), "{head}");
}

#[test]
fn what_may_not_be_shown_is_not_there() {
    let scene = scene();
    for target in ["/absent", "/session", "/session/absent", "/session/../page/a.js", "/session/%2e%2e/page/a.js", "x"]
    {
        assert_eq!(scene.status("GET", target), "404", "{target}");
    }
    for target in ["/session/.env", "/session/.git/config", "/session/secret", "/session/.agent-messages/../.env"] {
        assert_eq!(scene.status("GET", target), "404", "it is not listed: {target}");
    }
    assert_eq!(scene.status("POST", "/"), "405");
    let (nonsense, stranger) = (scene.send("hello\r\n\r\n"), "GET / HTTP/1.1\r\nHost: evil.example\r\n");
    assert!(nonsense.starts_with("HTTP/1.1 400 "), "{nonsense}");
    for host in [stranger, "GET / HTTP/1.1\r\n"] {
        assert!(scene.send(&format!("{host}Connection: close\r\n\r\n")).starts_with("HTTP/1.1 403 "), "{host}");
    }
}

#[test]
fn a_connection_carries_several_requests() {
    let scene = scene();
    let one = "GET /a.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    let answer = scene.send(&format!("{one}{one}{}", one.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")));
    assert_eq!(answer.matches("HTTP/1.1 200 OK").count(), 3, "{answer}");
}

#[test]
fn a_single_file_hides_what_lies_beside_it() {
    let Scene { dir, .. } = scene();
    let session = Session::open(&dir.path().join("work/.agent-messages/log.jsonl")).unwrap();
    let server = Server::start(Site::new(dir.path().join("page"), Some(session)), 0).unwrap();
    let scene = Scene { server, dir };
    let listing: Value = serde_json::from_str(&scene.ask("GET", "/session/", "").1).unwrap();
    assert_eq!((&listing["name"], listing["files"].as_array().unwrap().len()), (&"log.jsonl".into(), 1));
    assert_eq!(scene.status("GET", "/session/log.jsonl"), "200");
    assert_eq!(scene.status("GET", "/session/inbox/bob/a%20b.json"), "404");
}

#[test]
fn what_is_not_there_cannot_be_shown() {
    let error = format!("{:#}", Session::open(std::path::Path::new("/absent/log")).unwrap_err());
    assert!(error.contains("/absent/log"), "{error}");
}

/// Limits that are over before a test is.
const SHORT: Limits = Limits { idle: Duration::from_millis(200), request: Duration::from_millis(400) };

#[test]
fn clients_that_take_nothing_do_not_keep_the_workers() {
    let scene = scene_with(SHORT);
    let request = "GET /session/.agent-messages/large.jsonl HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let stuck: Vec<TcpStream> = (0..WORKERS).map(|_| scene.connect()).collect();
    stuck.iter().for_each(|mut stream| stream.write_all(request.as_bytes()).unwrap());
    assert_eq!(scene.status("GET", "/a.js"), "200");
    drop(stuck);
}

#[test]
fn a_client_that_sends_a_byte_now_and_then_is_cut_off() {
    let scene = scene_with(SHORT);
    let mut streams: Vec<TcpStream> = (0..WORKERS).map(|_| scene.connect()).collect();
    let head = format!("GET /a.js HTTP/1.1\r\nHost: localhost\r\nX: {}", "x".repeat(1000));
    // Each byte comes well within the time that a connection may be silent.
    for byte in head.as_bytes() {
        thread::sleep(SHORT.idle / 8);
        streams.retain_mut(|stream| stream.write_all(&[*byte]).is_ok());
        if streams.is_empty() {
            break;
        }
    }
    assert_eq!(streams.len(), 0, "none of them was still listened to when the head was complete");
    assert_eq!(scene.status("GET", "/a.js"), "200");
}
