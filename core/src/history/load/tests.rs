use huddle_scan::clean;
use serde_json::json;

use crate::history::fuzzing::memory_files::{File, MemoryFiles};
use crate::history::source::Role;
use crate::history::{History, Loader};
use crate::model::Json;

/// Loads one file, in chunks of several sizes; all must say the same.
fn load(path: &'static str, text: &str) -> (MemoryFiles, History) {
    let memory_files = MemoryFiles(vec![File { path, explicit: true, bytes: text.into() }]);
    let whole = memory_files.load(usize::MAX);
    for chunk in 1..8 {
        let parts = memory_files.load(chunk);
        assert_eq!(parts.files[0].account, whole.files[0].account, "chunks of {chunk}");
        assert_eq!(parts.table.offset(), whole.table.offset(), "chunks of {chunk}");
    }
    (memory_files, whole)
}

/// Checks the subjects of the rows, read from where they lie; then the damage and the findings.
fn check(path: &'static str, text: &str, wanted: &[&str]) {
    let (mut memory_files, history) = load(path, text);
    let mut found = Vec::new();
    for row in 0..history.table.len() as u32 {
        let bytes = history.bytes(row, &mut memory_files).unwrap();
        let record: Json = serde_json::from_slice(&clean(&bytes)).unwrap();
        found.push(record["subject"].as_str().unwrap_or("?").to_owned());
    }
    for damage in &history.table.damages {
        let end = damage.offset + damage.length;
        found.push(format!("!{}", &text[damage.offset as usize..end as usize]));
    }
    found.extend(history.findings.iter().map(|finding| format!("{}: {}", finding.code, finding.place)));
    assert_eq!(found, wanted, "{text}");
}

fn record(subject: &str) -> Json {
    json!({"timestamp": "2025-01-23T10:00:00Z", "from": "ann", "to": "bob", "subject": subject})
}

#[test]
fn a_file_that_ends_being_readable_is_there_as_far_as_it_goes() {
    let text = format!("{}\n", record("a"));
    let files = ["torn.jsonl", "gone.jsonl"].map(|path| (path.to_owned(), 2 * text.len() as u64, true));
    let mut loader = Loader::new(files.to_vec());
    loader.feed(0, text.as_bytes());
    loader.mark_incomplete(0);
    loader.mark_incomplete(1);
    let history = loader.finish();
    assert_eq!(history.entries.len(), 1);
    let [finding] = &history.findings[..] else { panic!("{:?}", history.findings) };
    assert_eq!((finding.code, finding.place.as_str()), ("cut-short", "torn.jsonl"));
    assert!(finding.message.contains(&format!("first {} bytes", text.len())), "{}", finding.message);
    assert!(matches!(history.files[1].role, Role::Ignored(_)), "{:?}", history.files[1].role);
}

#[test]
fn file_role_is_independent_of_chunk_sizes() {
    let (a, b) = (record("a"), record("b"));
    check("notes", &format!("{a}\n{b}\n"), &["a", "b"]);
    check("notes", &format!("{a:#}\n"), &["a"]);
    check("notes", &format!("\u{feff}\n\n {a:#}\n{b:#}"), &["a", "b"]);
    check("notes", &format!(" \n[\n{a},\n{b}\n]"), &["a", "b"]);
    check("notes", "", &[]);
    check("notes", "text\n", &["!text"]);
}

#[test]
fn rows_of_files_that_a_log_carries_are_read_from_the_log() {
    let (a, b) = (record("a"), record("b"));
    let line = |path: &str, content: &str| format!("{{\"huddle_file\":\"{path}\",\"content\" : {content} }}\n");
    let check = |log: String, wanted: &[&str]| check("bundle.jsonl", &log, wanted);
    check(line("a.json", &a.to_string()), &["a"]);
    check(format!("{b}\n{}\r\n", line("a.json", &a.to_string()).trim()), &["b", "a"]);
    check(format!("{{\"content\":{a},\"huddle_file\":\"a.json\"}}\n"), &["a"]);
    check(line("inboxes/lead.json", &format!("[{a}, {b}]")), &["a", "b"]);
    check(line("inboxes/lead.json", &format!("[{a}, 5]")), &["a", "!5]"]);
    check(line("inboxes/lead.json", "[{\"content\":{\"subject\":\"inner\"}}]"), &["?"]);
}

#[test]
fn a_file_in_a_file_that_a_log_carries_is_a_record() {
    let bundled_line = |content: Json| json!({"huddle_file": "inboxes/lead.json", "content": content});
    let log = format!("{}\n", bundled_line(bundled_line(record("a"))));
    check("bundle.jsonl", &log, &["?"]);
    check("named.json", &bundled_line(record("a")).to_string(), &["?"]);
}

#[test]
fn records_that_do_not_lie_in_the_log_as_they_are_are_told_of() {
    let text = format!("{}\n", json!({"huddle_file": "inboxes/lead.json", "content": record("a").to_string()}));
    check("bundle.jsonl", &text, &["damaged-file: bundle.jsonl!/inboxes/lead.json"]);
    let cut = json!({"huddle_file": "inboxes/lead.json", "content": "{\"from\":"}).to_string();
    check("bundle.jsonl", &format!("{cut}\n"), &[&format!("!{cut}")]);
    let marked = format!("\u{feff}{}\n", json!({"huddle_file": "inboxes/lead.json", "content": record("a")}));
    check("bundle.jsonl", &marked, &["damaged-file: bundle.jsonl!/inboxes/lead.json"]);
    let (a, b) = (record("a"), record("b"));
    let twice = format!("{{\"huddle_file\":\"inboxes/lead.json\",\"content\":{a},\"content\":{b}}}\n");
    check("bundle.jsonl", &twice, &["damaged-file: bundle.jsonl!/inboxes/lead.json"]);
}
