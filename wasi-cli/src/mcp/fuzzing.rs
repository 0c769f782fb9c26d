//! What must hold of the server whatever a client writes: for fuzzers, and for tests that replay what they found.
//!
//! Every line gets at most one answer, which is valid JSON-RPC; a request gets exactly one. Afterwards the server works.

use huddle_core::host::FixedHost;
use huddle_core::model::{Json, Span};
use huddle_core::wire;

use super::lines::Pieces;
use super::{Heard, Lines, Server};
use crate::args::Global;
use crate::files::Reach;
use crate::project::{Places, Project};
use crate::scratch::Scratch;

/// Serves a client that writes these bytes; the first says in chunks of which size.
///
/// # Panics
/// When something does not hold.
pub fn mcp(data: &[u8]) {
    let [chunk, bytes @ ..] = data else { return };
    let lines = lines(bytes, usize::from(*chunk).max(1));
    let (dir, host) = (Scratch::new(), FixedHost::at("2025-11-29T14:30:52Z"));
    let (root, lock_wait) = (dir.path().to_owned(), Span::from_seconds(1));
    let global = Global { agent: None, root, bus: None, json: false, lock_wait, reach: Reach::Project(Vec::new()) };
    let places = Places::of(&global).expect("a directory can be the place of a bus");
    let project = Project::open(&places, &host, lock_wait);
    let mut server = Server::new(&project, global);
    for line in lines {
        let answers = serve(&mut server, &line);
        answered(&line, &answers);
    }
    usable(&mut server);
}

/// Splits the bytes into lines as standard input does.
fn lines(bytes: &[u8], chunk: usize) -> Vec<Vec<u8>> {
    let mut pieces = Pieces::default();
    let mut heard = Vec::new();
    for chunk in bytes.chunks(chunk) {
        pieces.add(chunk);
        heard.extend(std::iter::from_fn(|| pieces.take()));
    }
    heard.push(pieces.rest());
    let lines: Vec<Vec<u8>> =
        heard.into_iter().filter_map(|one| if let Heard::Line(line) = one { Some(line) } else { None }).collect();
    let wanted: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let wanted = if bytes.ends_with(b"\n") || bytes.is_empty() { &wanted[..wanted.len() - 1] } else { &wanted[..] };
    assert_eq!(lines, wanted, "in chunks of {chunk}");
    lines
}

/// Has the server take a line and look for changes, and returns its answers; what else it says has to be a notification.
fn serve(server: &mut Server<'_>, line: &[u8]) -> Vec<Json> {
    let mut answers = Vec::new();
    let mut say = |said: &str| {
        assert!(!said.contains('\n'), "an answer is one line: {said}");
        let said = wire::parse(said.as_bytes()).expect("what is said is JSON");
        answers.extend(Some(said).filter(|said| !is_notice(said)));
        Ok(())
    };
    let mut lines = Script(vec![Heard::End, Heard::Nothing, Heard::Line(line.to_vec())]);
    server.serve(&mut lines, &mut say).expect("what was said was heard");
    answers
}

/// What is heard, last first.
struct Script(Vec<Heard>);

impl Lines for Script {
    fn next(&mut self, _: Option<Span>) -> Heard {
        self.0.pop().unwrap_or(Heard::End)
    }
}

fn is_notice(said: &Json) -> bool {
    said["method"].is_string() && said.get("id").is_none()
}

/// A line has at most one answer; a request has one that names it.
fn answered(line: &[u8], answers: &[Json]) {
    let shown = || String::from_utf8_lossy(line).into_owned();
    assert!(answers.len() <= 1, "{} answers to {}", answers.len(), shown());
    match answers.first() {
        Some(Json::Array(all)) => {
            assert!(!all.is_empty(), "an empty answer to {}", shown());
            all.iter().filter(|one| !is_notice(one)).for_each(valid);
        }
        Some(answer) => valid(answer),
        None => {}
    }
    let Ok(message) = wire::parse(line) else {
        let is_blank = line.iter().all(u8::is_ascii_whitespace);
        assert_eq!(answers.is_empty(), is_blank, "{}", shown());
        return;
    };
    // Whoever listens is answered by a notice.
    let is_request = message["jsonrpc"] == "2.0" && message["method"].is_string();
    let is_request = is_request && message["method"] != "subscriptions/listen";
    if is_request && (message["id"].is_string() || message["id"].is_number()) {
        let answer = answers.first().map(|answer| &answer["id"]);
        assert_eq!(answer, Some(&message["id"]), "{}", shown());
    }
}

/// An answer has what JSON-RPC asks for: an id, and a result or an error.
fn valid(answer: &Json) {
    assert_eq!(answer["jsonrpc"], "2.0", "{answer}");
    let id = answer.get("id");
    assert!(id.is_some_and(|id| id.is_string() || id.is_number() || id.is_null()), "{answer}");
    let error = &answer["error"];
    match answer.get("result") {
        Some(result) => assert!(result.is_object() && error.is_null(), "{answer}"),
        None => assert!(error["code"].is_i64() && error["message"].is_string(), "{answer}"),
    }
}

/// The server answers, makes changes and lists what there is.
fn usable(server: &mut Server<'_>) {
    let mut ask = |method: &str, params: &str| {
        let line = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{params}}}"#);
        let answers = serve(server, line.as_bytes());
        assert!(answers.len() == 1 && answers[0]["result"].is_object(), "{method} {params}: {answers:?}");
        answers[0]["result"].clone()
    };
    ask("ping", "{}");
    assert!(ask("tools/list", "{}")["tools"].is_array());
    let registered = ask("tools/call", r#"{"name":"register","arguments":{"name":"last-of-all","role":"tester"}}"#);
    assert_eq!(registered["isError"], false, "{registered}");
    for name in ["list_agents", "check_inbox"] {
        let listed = ask("tools/call", &format!(r#"{{"name":"{name}","arguments":{{}}}}"#));
        assert_eq!(listed["isError"], false, "{listed}");
    }
    assert!(ask("resources/list", "{}")["resources"].is_array());
}

// A component does not see the corpus.
#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use std::fs;
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn what_clients_wrote_is_answered_again() {
        let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/fuzz/corpus/mcp");
        let mut inputs: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        inputs.sort();
        assert!(!inputs.is_empty(), "there is nothing to replay in {dir}");
        let fails = |input: &_| {
            let data = fs::read(input).unwrap();
            catch_unwind(|| mcp(&data)).is_err()
        };
        let failed: Vec<_> = inputs.iter().filter(|input| fails(input)).collect();
        assert!(failed.is_empty(), "{} of {} inputs fail: {failed:?}", failed.len(), inputs.len());
    }
}
