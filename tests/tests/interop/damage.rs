//! A bus on which something is wrong: it is said, the rest works, and nothing is lost.

use std::fs;

use huddle_tests::Clock;
use huddle_tests::test_project::{TestProject, at, files};
use serde_json::Value;

use super::{bus, each, findings};

/// A bus with two messages for Bob, before something happened to it.
struct DamageFixture {
    project: TestProject,
    ids: [String; 2],
}

impl DamageFixture {
    fn new() -> Self {
        let project = bus();
        let ids = ["One", "Two"].map(|subject| {
            let sent = project.json("ann", at("2025-11-29T14:31:00Z"), &["send", "bob", subject]).unwrap();
            sent["id"].as_str().unwrap().to_owned()
        });
        Self { project, ids }
    }

    fn now() -> Clock {
        at("2025-11-29T14:40:00Z")
    }

    fn json(&self, agent: &str, args: &[&str]) -> Value {
        self.project.json(agent, Self::now(), args).unwrap()
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        fs::write(self.project.bus(path), bytes).unwrap();
    }

    /// Runs `check`, which ends with a failure when data cannot be used and says all the same what it found.
    fn check(&self) -> Vec<String> {
        let outcome = self.project.run("", Self::now(), &["check", "--json"]).unwrap();
        let answer: Value = serde_json::from_str(&outcome.stdout).unwrap();
        assert_eq!(outcome.code == 0, answer["ok"] == true, "{outcome:?}");
        findings(&answer)
    }

    /// Checks what an inbox tells as text and as JSON: what is wrong, and every message that can be read.
    fn check_inbox(&self, found: &[&str], ids: &[&str]) {
        let answer = self.json("bob", &["inbox"]);
        assert_eq!(findings(&answer), found);
        assert_eq!(each(&answer["notifications"], "id"), ids);
        let outcome = self.project.run("bob", Self::now(), &["inbox"]).unwrap();
        assert_eq!(outcome.code, 0, "{outcome:?}");
        for finding in found {
            let (code, place) = finding.split_once(' ').unwrap();
            // A terminal would break the line there.
            let place = place.replace('\u{2028}', "\\u{2028}");
            assert!(outcome.stderr.contains(&format!("[{code}]")) && outcome.stderr.contains(&place), "{outcome:?}");
        }
    }

    /// Does a bit of everything on the bus, and checks that every byte of before is still somewhere.
    fn goes_on(&self) {
        let before = files(self.project.root(), Some(".huddle")).unwrap();
        self.json("ann", &["send", "bob", "Three"]);
        self.json("ann", &["broadcast", "To all"]);
        self.json("bob", &["read", &self.ids[1]]);
        self.json("bob", &["reply", &self.ids[1], "--body", "fine"]);
        self.json("cyd", &["heartbeat"]);
        self.json("cyd", &["sweep"]);
        self.json("ann", &["threads"]);
        let after = files(self.project.root(), None).unwrap();
        for (path, bytes) in before.iter().filter(|(path, _)| !path.ends_with("/registry.json")) {
            assert!(after.iter().any(|(_, kept)| kept == bytes), "{path} is gone");
        }
    }
}

/// Puts something into Bob's inbox, and checks what is found there while all else works.
fn check_stray(name: &str, bytes: &[u8], code: &str) {
    let fixture = DamageFixture::new();
    fixture.write(&format!("inbox/bob/{name}"), bytes);
    let finding = format!("{code} inbox/bob/{name}");
    fixture.check_inbox(&[&finding], &[&fixture.ids[0], &fixture.ids[1]]);
    assert_eq!(fixture.check(), [finding.as_str()]);
    fixture.goes_on();
    assert_eq!(fixture.check(), [finding.as_str()]);
    assert_eq!(fs::read(fixture.project.bus(&format!("inbox/bob/{name}"))).unwrap(), bytes, "it is left alone");
}

const LETTER: &str =
    r#"{"message_id":"msg_20251129_143500_x","from_agent":"ann","to_agent":"bob","timestamp":"2025-11-29T14:35:00Z"#;

#[test]
fn half_a_message() {
    check_stray("msg_20251129_143500_x.json", LETTER.as_bytes(), "damaged-message");
}

#[test]
fn an_empty_message() {
    check_stray("msg_20251129_143500_x.json", b"", "damaged-message");
}

#[test]
fn a_message_that_is_no_text() {
    let bytes = [LETTER.as_bytes(), b"\",\"subject\":\"\xff\xfe\"}"].concat();
    check_stray("msg_20251129_143500_x.json", &bytes, "damaged-message");
}

#[test]
fn json_that_is_no_message() {
    check_stray("msg_20251129_143500_x.json", b"[1, 2]", "damaged-message");
    check_stray("msg_20251129_143500_x.json", br#"{"from_agent":"../../etc","message_id":"x"}"#, "damaged-message");
}

#[test]
fn a_foreign_file() {
    check_stray("notes.txt", b"\x00\xffnotes", "foreign-file");
    check_stray(".DS_Store", b"\x00\x00\x00\x01Bud1", "foreign-file");
    check_stray("two words…\u{2028}.md", b"# Notes", "foreign-file");
}

#[test]
fn a_marker_without_its_message() {
    check_stray("msg_20251129_143500_x.json.read", b"2025-11-29T14:35:00Z\n", "orphan-marker");
}

#[test]
fn a_directory_among_messages() {
    let fixture = DamageFixture::new();
    fs::create_dir_all(fixture.project.bus("inbox/bob/msg_1.json/deeper")).unwrap();
    fixture.write("inbox/bob/msg_1.json/deeper/file", b"kept");
    fixture.check_inbox(&["foreign-file inbox/bob/msg_1.json"], &[&fixture.ids[0], &fixture.ids[1]]);
    assert_eq!(fixture.check(), ["foreign-file inbox/bob/msg_1.json"]);
    fixture.goes_on();
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_no_text_is_told_and_hides_nothing() {
    use std::os::unix::ffi::OsStrExt;
    let fixture = DamageFixture::new();
    let foreign = fixture.project.bus("inbox/bob").join(std::ffi::OsStr::from_bytes(b"note-\xff.txt"));
    fs::write(&foreign, b"kept").unwrap();
    // The host does not tell the name.
    fixture.check_inbox(&["foreign-file inbox/bob/\u{fffd}"], &[&fixture.ids[0], &fixture.ids[1]]);
    fs::remove_file(&foreign).unwrap();
    assert_eq!(fixture.json("bob", &["inbox"])["count"], 2);
    fixture.goes_on();
}

#[test]
fn a_file_that_holds_a_message_of_another_name() {
    let fixture = DamageFixture::new();
    let letter = fs::read(fixture.project.bus(&format!("inbox/bob/{}.json", fixture.ids[0]))).unwrap();
    fixture.write("inbox/bob/msg_20251129_143500_copy.json", &letter);
    let finding = "misnamed-message inbox/bob/msg_20251129_143500_copy.json";
    fixture.check_inbox(&[finding], &[&fixture.ids[0], &fixture.ids[1], "msg_20251129_143500_copy"]);
    assert!(fixture.check().contains(&finding.to_owned()));
    // The name is what readers have, so the name is what they can use.
    let read = fixture.json("bob", &["read", "msg_20251129_143500_copy"]);
    assert_eq!((&read["subject"], &read["firstRead"]), (&"One".into(), &true.into()));
    fixture.goes_on();
}

#[test]
fn a_subject_with_a_line_separator_is_no_fault() {
    let fixture = DamageFixture::new();
    let subject = "one\u{2028}two\u{2029}three \u{1F642}";
    let letter = format!("{LETTER}\",\"message_type\":\"note\",\"subject\":\"{subject}\",\"payload\":\"{subject}\"}}");
    fixture.write("inbox/bob/msg_20251129_143500_x.json", letter.as_bytes());
    let inbox = fixture.json("bob", &["inbox"]);
    assert_eq!(findings(&inbox), [""; 0]);
    assert_eq!(inbox["notifications"][2]["subject"], subject);
    let read = fixture.json("bob", &["read", "msg_20251129_143500_x"]);
    assert_eq!((&read["subject"], &read["content"]), (&subject.into(), &subject.into()));
    fixture.goes_on();
}

#[test]
fn a_damaged_registry() {
    for bytes in [&b"{\"agents\": {\"ann\": {\"role\": \"arch"[..], b"", b"\xff\xfe", b"[]"] {
        let fixture = DamageFixture::new();
        fixture.write("registry.json", bytes);
        let answer = fixture.json("", &["agents"]);
        assert_eq!(findings(&answer), ["damaged-registry registry.json"]);
        assert_eq!(each(&answer["agents"], "name"), ["ann", "bob", "cyd"], "those who have an inbox");
        fixture.check_inbox(&["damaged-registry registry.json"], &[&fixture.ids[0], &fixture.ids[1]]);
        assert!(fixture.check().contains(&"damaged-registry registry.json".to_owned()));
        let before = files(&fixture.project.bus(""), Some(".huddle")).unwrap();
        assert!(before.contains(&("registry.json".to_owned(), bytes.to_vec())), "looking leaves it as it is");

        let sent = fixture.json("ann", &["send", "bob", "Still here"]);
        assert_eq!(findings(&sent), ["damaged-registry registry.json"]);
        let after = files(&fixture.project.bus(""), Some(".huddle")).unwrap();
        assert!(after.iter().any(|(path, kept)| path.starts_with("registry.json.damaged-") && kept == bytes));
        assert_eq!(findings(&fixture.json("", &["agents"])), [""; 0], "it was written anew");

        // Once more, within the same second: the first is not given up for the second.
        fixture.write("registry.json", b"{\"again\"");
        fixture.json("", &["register", "ann", "--role", "architect"]);
        let after = files(&fixture.project.bus(""), Some(".huddle")).unwrap();
        assert!(after.iter().any(|(_, kept)| kept == bytes) && after.iter().any(|(_, kept)| kept == b"{\"again\""));
        fixture.goes_on();
    }
}

#[test]
fn damaged_records_and_documents() {
    let fixture = DamageFixture::new();
    let places = [
        ("outbox/msg_x_to_bob.json", "damaged-message"),
        ("broadcasts/bcast_x.json", "damaged-message"),
        ("events/TaskCompleted/evt_x.json", "damaged-message"),
        ("handoffs/handoff_x/metadata.json", "damaged-handoff"),
    ];
    for (path, _) in places {
        fs::create_dir_all(fixture.project.bus(path).parent().unwrap()).unwrap();
        fixture.write(path, b"{\"half");
    }
    let mut expected = places.map(|(path, code)| format!("{code} {}", path.trim_end_matches("/metadata.json")));
    expected.sort();
    let mut found = fixture.check();
    found.sort();
    assert_eq!(found, expected);
    assert_eq!(findings(&fixture.json("", &["handoff", "list"])), ["damaged-handoff handoffs/handoff_x"]);
    fixture.goes_on();
}

#[test]
fn a_damaged_lock_is_held_by_nobody() {
    let fixture = DamageFixture::new();
    fixture.json("ann", &["context", "create", "plan", "# Plan"]);
    fixture.write("shared-context/plan.md.lock", b"{\"locked\": tr");
    assert_eq!(fixture.json("bob", &["context", "update", "plan", "More."])["version"], 2);
}

#[test]
fn a_context_that_is_not_all_text_is_shown_and_not_rewritten() {
    let fixture = DamageFixture::new();
    fixture.write("shared-context/plan.md", b"# Plan \xff\n");
    assert_eq!(fixture.json("bob", &["context", "show", "plan"])["content"], "# Plan \u{FFFD}\n");
    let refused =
        fixture.project.refusal("bob", DamageFixture::now(), &["context", "update", "plan", "More."]).unwrap();
    assert_eq!(refused["kind"], "invalid");
    assert_eq!(fs::read(fixture.project.bus("shared-context/plan.md")).unwrap(), b"# Plan \xff\n");
    fixture.goes_on();
}
