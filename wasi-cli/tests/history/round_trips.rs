//! From one format to another and back: what a format has room for comes back, and what it has none for is told.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::history::support::{Scratch, files, json, list, run, text};

const MAILBOXES: [&str; 2] = ["mailbox-by-spec-scripts", "troubled-mailbox"];
const SESSIONS: [&str; 2] = ["session-by-spec-example", "troubled-session"];

/// What a history comes to, apart from the files that it lies in.
const MODEL: [&str; 8] = ["entries", "from", "to", "agents", "talk", "threads", "states", "sessions"];

/// Exports, and gives the findings.
fn export(path: &str, format: &str, out: &str) -> Vec<(String, String)> {
    let told = json(&["export", path, "--to", format, "--out", out]);
    let findings = told.get("findings").map_or_else(Vec::new, |found| list(found).clone());
    let shown = |finding: &Value| (text(&finding["code"]).to_owned(), text(&finding["message"]).to_owned());
    findings.iter().map(shown).collect()
}

/// Returns what a history comes to.
fn model(path: &str) -> BTreeMap<&'static str, Value> {
    let told = json(&["history", path]);
    MODEL.into_iter().map(|field| (field, told[field].clone())).collect()
}

/// Returns every conversation with what became of each message, without where it lies.
fn conversations(path: &str) -> Vec<Value> {
    let threads = json(&["threads", path, "--limit", "1000"]);
    let ids = list(&threads["threads"]).iter().map(|thread| text(&thread["threadId"]).to_owned());
    let told = ids.map(|id| {
        let mut thread = json(&["thread", &id, path]);
        for message in thread["messages"].as_array_mut().expect("a list") {
            for field in ["place", "record"] {
                message.as_object_mut().expect("an object").remove(field);
            }
        }
        thread
    });
    told.collect()
}

#[test]
fn a_mailbox_goes_to_documents_and_back() {
    for fixture in MAILBOXES {
        let scratch = Scratch::new();
        let (documents, back) = (scratch.path("documents.jsonl"), scratch.path("back"));
        let losses = export(fixture, "documents", &documents);
        assert!(losses.iter().any(|(code, _)| code == "not-exported"), "{fixture}: {losses:?}");
        let told = claims(&documents);
        assert!(told.iter().all(|(code, _)| code != "repeated-id"), "each is a copy of its own: {told:?}");
        export(&documents, "mailbox", &back);
        assert_eq!(conversations(&back), conversations(fixture), "{fixture}");
        let (mut old, new) = (model(fixture), model(&back));
        if fixture == "troubled-mailbox" {
            without_nobody(&mut old);
        }
        assert_eq!(new, old, "{fixture}");
    }
}

/// Takes the message without a sender out of a model: it is none, and was told as a loss.
fn without_nobody(model: &mut BTreeMap<&'static str, Value>) {
    let less = |count: &mut Value| *count = (count.as_u64().expect("a count") - 1).into();
    less(model.get_mut("entries").expect("it is counted"));
    less(&mut model.get_mut("states").expect("states are told")["unread"]);
    let agents = model.get_mut("agents").and_then(Value::as_array_mut).expect("a list");
    let writer = agents.iter_mut().find(|agent| agent["name"] == "writer").expect("it was sent to the writer");
    less(&mut writer["received"]);
    less(&mut writer["unread"]);
}

#[test]
fn documents_export_reports_losses() {
    let scratch = Scratch::new();
    let losses = export("troubled-mailbox", "documents", &scratch.path("documents.jsonl"));
    let told = |code: &str, part: &str| losses.iter().any(|(found, what)| found == code && what.contains(part));
    assert!(told("not-exported", "roles, capabilities"), "{losses:?}");
    assert!(told("not-exported", "subscriptions"), "{losses:?}");
    assert!(told("not-exported", "documents only hold messages"), "{losses:?}");
    assert!(told("not-exported", "1 piece that cannot be read, 128 bytes in all"), "{losses:?}");
    assert!(told("damaged-message", "\"from_agent\" is missing"), "{losses:?}");
    let losses = export("troubled-session", "jsonl", &scratch.path("session.jsonl"));
    assert!(losses.iter().any(|(code, what)| code == "not-exported" && what.contains("no part of a session")));
}

#[test]
fn sessions_and_mailboxes_in_one_file_are_the_same() {
    for fixture in SESSIONS.into_iter().chain(MAILBOXES) {
        let scratch = Scratch::new();
        let bundle = scratch.path("all.jsonl");
        export(fixture, "jsonl", &bundle);
        assert_eq!(model(&bundle), model(fixture), "{fixture}");
        assert_eq!(conversations(&bundle), conversations(fixture), "{fixture}");
        assert_eq!(claims(&bundle), claims(fixture), "{fixture}");
    }
}

/// Lists what is found wrong, apart from where; a file that does not belong where it lies is not taken along.
fn claims(path: &str) -> Vec<(String, String)> {
    let told = json(&["check", path]);
    let found = list(&told["findings"]).iter().filter(|finding| finding["code"] != "foreign-file");
    let mut claims: Vec<_> =
        found.map(|finding| (text(&finding["code"]).to_owned(), text(&finding["message"]).to_owned())).collect();
    claims.sort();
    claims
}

#[test]
fn a_session_comes_out_of_its_file_as_it_went_in() {
    for fixture in SESSIONS {
        let (project, scratch) = (Scratch::of(fixture), Scratch::new());
        let (bundle, back) = (scratch.path("session.jsonl"), scratch.path("back"));
        export(project.root(), "jsonl", &bundle);
        export(&bundle, "session", &back);
        let sources = json(&["history", project.root()]);
        let session = text(&sources["sources"][0]["path"]);
        let mut wanted = documents(session);
        wanted.remove("scratch.txt");
        assert_eq!(documents(&back), wanted, "{fixture}");
    }
}

/// Reads every file of a directory, documents as what they say and not how it is laid out.
fn documents(dir: &str) -> BTreeMap<String, Value> {
    let read = files(Path::new(dir)).into_iter().map(|(path, bytes)| {
        let as_text = || Value::String(String::from_utf8_lossy(&bytes).into_owned());
        let value = if path.ends_with(".json") { serde_json::from_slice(&bytes).ok() } else { None };
        (path, value.unwrap_or_else(as_text))
    });
    read.collect()
}

#[test]
fn existing_files_are_not_overwritten() {
    let scratch = Scratch::new();
    let taken = scratch.write("taken.jsonl", b"mine\n");
    let mailbox = scratch.path("project");
    scratch.write("project/.agent-messages/registry.json", b"{}");
    scratch.write("session/notes.txt", b"mine\n");
    let before = files(Path::new(scratch.root()));
    for (format, out) in [("documents", &taken), ("jsonl", &taken), ("markdown", &taken), ("mailbox", &mailbox)] {
        let ran = run(&["export", "documents", "--to", format, "--out", out]);
        assert_eq!(ran.code, 5, "{format}: {ran:?}");
    }
    let ran = run(&["export", "documents", "--to", "session", "--out", &scratch.path("session")]);
    assert_eq!(ran.code, 5, "{ran:?}");
    assert_eq!(files(Path::new(scratch.root())), before);
}
