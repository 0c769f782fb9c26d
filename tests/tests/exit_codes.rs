//! How the command ends: the same cases as a component, as a module and as a native program.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use huddle_tests::{Project, Run, artifact, is_thorough};
use serde_json::Value;
use tempfile::TempDir;

/// The three forms in which the command is shipped.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// `huddle.wasm`, which can exit only with 0 or 1.
    Component,
    /// `huddle-p1.wasm`.
    Module,
    /// `huddle`.
    Native,
}

/// Returns the forms to try. The module is the same code as the component, and few have a use for it.
fn forms() -> &'static [Form] {
    if is_thorough() { &[Form::Component, Form::Native, Form::Module] } else { &[Form::Component, Form::Native] }
}

/// What a start of the command came to.
#[derive(Debug)]
struct Ended {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Form {
    /// Runs the command in a project directory.
    fn run(self, root: &Path, agent: &str, args: &[&str]) -> Ended {
        let guest = match self {
            Form::Component => artifact::component().unwrap(),
            Form::Module => artifact::module().unwrap(),
            Form::Native => return run_native(root, agent, args),
        };
        let run = Run::new(guest).env("HUDDLE_AGENT", agent).dir(root, ".").args(args.iter().copied());
        let outcome = run.start().unwrap();
        assert_eq!(outcome.trap, None);
        Ended { code: outcome.code, stdout: outcome.stdout, stderr: outcome.stderr }
    }

    /// Returns the exit code with which this form tells of a failure.
    fn shows(self, code: i32) -> i32 {
        if self == Form::Component { code.min(1) } else { code }
    }
}

fn run_native(root: &Path, agent: &str, args: &[&str]) -> Ended {
    let mut command = Command::new(artifact::native().unwrap());
    command.current_dir(root).env_remove("HUDDLE_ROOT").env("HUDDLE_AGENT", agent).args(args);
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    Ended { code: output.status.code().unwrap(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
}

/// A command that is refused: its exit code and kind, who gives it, and what is said about it.
type Refusal = (i32, &'static str, &'static str, &'static [&'static str], &'static str);

/// Words in braces stand for what is on the bus.
const REFUSALS: &[Refusal] = &[
    (2, "usage", "ann", &["shout"], "shout"),
    (2, "usage", "ann", &["inbox", "--nope"], "--nope"),
    (2, "usage", "ann", &["inbox", "--limit", "many"], "limit"),
    (2, "usage", "ann", &["send", "bob"], "SUBJECT"),
    (2, "usage", "ann", &["send", "bob", ""], "subject"),
    (2, "usage", "", &["inbox"], "which agent is acting"),
    (2, "usage", "../ann", &["inbox"], "../ann"),
    (2, "usage", ".ann", &["inbox"], ".ann"),
    (2, "usage", "ann", &["send", "a/b", "subject"], "a/b"),
    (2, "usage", "ann", &["send", "a\\b", "subject"], "a\\\\b"),
    (2, "usage", "ann", &["send", "bob,", "subject"], "name"),
    (2, "usage", "ann", &["register", "a\u{7}b", "--role", "r"], "control"),
    (2, "usage", "ann", &["register", LONG_NAME, "--role", "r"], "long"),
    (2, "usage", "ann", &["publish", "../Event"], "../Event"),
    (2, "usage", "ann", &["context", "show", "../registry"], "../registry"),
    (2, "usage", "ann", &["context", "update", "api", " "], "empty"),
    (2, "usage", "ann", &["ack", "{ack}"], "acknowledgment"),
    (3, "not-found", "ann", &["--root", "elsewhere", "inbox"], "no message bus"),
    (3, "not-found", "ann", &["send", "bop", "subject"], "ann, bob, broken, cid"),
    (3, "not-found", "zoe", &["inbox"], "ann, bob, broken, cid"),
    (3, "not-found", "ann", &["read", "msg_absent"], "msg_absent"),
    (3, "not-found", "ann", &["reply", "msg_absent", "--body", "{}"], "msg_absent"),
    (3, "not-found", "ann", &["trace", "msg_absent"], "msg_absent"),
    (3, "not-found", "ann", &["thread", "conv_absent"], "conv_absent"),
    (3, "not-found", "ann", &["context", "show", "absent"], "absent"),
    (3, "not-found", "bob", &["handoff", "accept", "handoff_absent"], "handoff_absent"),
    (4, "timed-out", "cid", &["inbox", "--wait", "0"], "cid"),
    (5, "conflict", "ann", &["context", "create", "api", "again"], "api"),
    (5, "conflict", "ann", &["context", "update", "api", "text", "--expect-version", "9"], "version 9"),
    (5, "conflict", "ann", &["context", "update", "held", "text", "--lock-wait", "0"], "a-shell-agent"),
    (5, "conflict", "ann", &["send", "bob", "another", "--key", "k1"], "k1"),
    (5, "conflict", "cid", &["handoff", "accept", "{handoff}"], "bob"),
    (6, "invalid", "ann", &["send", "bob", "s", "--type", "task", "--body", "{\"title\":7}"], "taskId"),
    (6, "invalid", "ann", &["send", "bob", "s", "--body", "@big.json"], "handoff create"),
];

/// What is refused when there is a file where an agent's inbox should be.
const BROKEN: Refusal = (1, "failed", "broken", &["inbox"], "inbox/broken");

const LONG_NAME: &str = "a-name-of-more-than-a-hundred-bytes-a-name-of-more-than-a-hundred-bytes-\
                         a-name-of-more-than-a-hundred-bytes-a-name-of-more-than-a-hundred-bytes";

/// A bus on which everything is that the cases need, and the ids that they use.
struct ExitCodeFixture {
    dir: TempDir,
    ids: BTreeMap<&'static str, String>,
}

impl ExitCodeFixture {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let project = Project::with_agents(dir.path(), &["ann", "bob", "broken", "cid"]).unwrap();
        let id = |answer: Value| answer["id"].as_str().unwrap().to_owned();
        let question = id(project.json("ann", &["send", "bob", "question", "--needs-reply"]).unwrap());
        let ack = id(project.json("bob", &["ack", &question]).unwrap());
        project.json("ann", &["send", "bob", "one", "--key", "k1"]).unwrap();
        for context in ["api", "held"] {
            project.json("ann", &["context", "create", context, "text"]).unwrap();
        }
        fs::write(dir.path().join("part.txt"), "one").unwrap();
        let create = ["handoff", "create", "bob", "--task", "the task", "--artifact", "part.txt"];
        let handoff = id(project.json("ann", &create).unwrap());
        fs::write(dir.path().join("big.json"), format!("\"{}\"", "x".repeat(11 << 10))).unwrap();
        fs::create_dir(dir.path().join("elsewhere")).unwrap();
        // Far ahead, so that it does not look as if its holder had died.
        let lock = "{\"locked\": true, \"locked_by\": \"a-shell-agent\", \"locked_at\": \"2999-01-01T00:00:00Z\"}";
        fs::write(project.path("shared-context/held.md.lock"), lock).unwrap();
        Self { dir, ids: BTreeMap::from([("{ack}", ack), ("{handoff}", handoff)]) }
    }

    /// Writes a file where an agent's inbox was.
    fn break_inbox(&self) {
        let inbox = Project::at(self.dir.path()).path("inbox/broken");
        fs::remove_dir_all(&inbox).unwrap();
        fs::write(inbox, "not a directory").unwrap();
    }

    fn words<'a>(&'a self, args: &[&'a str]) -> Vec<&'a str> {
        args.iter().map(|word| self.ids.get(word).map_or(*word, String::as_str)).collect()
    }
}

/// Reads every file below a directory.
fn tree(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(tree(&path));
        } else {
            found.insert(path.display().to_string(), fs::read(&path).unwrap());
        }
    }
    found
}

fn check_refusal(form: Form, fixture: &ExitCodeFixture, (code, kind, agent, args, about): &Refusal) {
    let root = fixture.dir.path();
    let args = fixture.words(args);
    let before = tree(root);
    let text = form.run(root, agent, &args);
    let json = form.run(root, agent, &[&args[..], &["--json"]].concat());
    let case = format!("{form:?}, {agent}$ huddle {args:?}: {text:?} {json:?}");
    assert_eq!((text.code, json.code), (form.shows(*code), form.shows(*code)), "{case}");

    assert_eq!(text.stdout, "", "{case}");
    assert!(text.stderr.lines().any(|line| line.starts_with(&format!("error[{kind}]: "))), "{case}");
    assert!(text.stderr.contains(about), "{case}");

    let answer: Value = serde_json::from_str(&json.stdout).unwrap_or_else(|_| panic!("not one document: {case}"));
    assert_eq!((&answer["error"]["code"], &answer["error"]["kind"]), (&(*code).into(), &(*kind).into()), "{case}");
    assert!(answer["error"]["message"].as_str().is_some_and(|message| text.stderr.contains(message)), "{case}");
    assert!(answer["error"]["hint"].is_string(), "{case}");
    assert_eq!(json.stderr, "", "{case}");
    // Leases are taken before it shows that another has what was wanted; nothing else is ever touched.
    if !matches!(*kind, "conflict") {
        assert!(tree(root) == before, "a refusal writes nothing: {case}");
    }
}

#[test]
fn failures_have_a_code_a_kind_and_one_document() {
    for &form in forms() {
        let fixture = ExitCodeFixture::new();
        for refusal in REFUSALS {
            check_refusal(form, &fixture, refusal);
        }
        fixture.break_inbox();
        check_refusal(form, &fixture, &BROKEN);
    }
    for code in 2..=6 {
        assert!(REFUSALS.iter().any(|refusal| refusal.0 == code), "a case for every code");
    }
}

#[test]
fn success_exits_with_0_and_one_document() {
    let commands: &[(&str, &[&str])] = &[
        ("", &["init"]),
        ("", &["agents"]),
        ("ann", &["heartbeat", "--status", "busy"]),
        ("ann", &["send", "bob,cid", "hello", "--body", "-"]),
        ("bob", &["inbox"]),
        ("bob", &["inbox", "--wait", "1"]),
        ("ann", &["broadcast", "to all"]),
        ("cid", &["subscribe", "Done"]),
        ("ann", &["publish", "Done", "--data", "{\"n\":1}"]),
        ("ann", &["read", "{ack}"]),
        ("ann", &["context", "update", "api", "more"]),
        ("bob", &["handoff", "accept", "{handoff}"]),
        ("ann", &["threads"]),
        ("ann", &["sweep"]),
        ("ann", &["primer"]),
    ];
    for &form in forms() {
        let fixture = ExitCodeFixture::new();
        for (agent, args) in commands {
            let args = fixture.words(args);
            let ended = form.run(fixture.dir.path(), agent, &[&args[..], &["--json"]].concat());
            let case = format!("{form:?}, {agent}$ huddle {args:?}: {ended:?}");
            assert_eq!(ended.code, 0, "{case}");
            let answer: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{case}"));
            assert!(answer.is_object() && answer.get("error").is_none(), "{case}");
        }
    }
}

#[test]
fn a_check_that_finds_damage_ends_with_6_and_its_findings() {
    for &form in forms() {
        let dir = tempfile::tempdir().unwrap();
        let project = Project::with_agents(dir.path(), &["ann"]).unwrap();
        fs::write(project.path("inbox/ann/msg_half.json"), "{\"message_id\": \"msg_ha").unwrap();
        let ended = form.run(dir.path(), "ann", &["check", "--json"]);
        assert_eq!(ended.code, form.shows(6), "{form:?}: {ended:?}");
        let checkup: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!((&checkup["ok"], &checkup["findings"][0]["code"]), (&false.into(), &"damaged-message".into()));
    }
}

#[test]
fn a_call_without_a_word_shows_the_help_and_is_a_failure() {
    for &form in forms() {
        let dir = tempfile::tempdir().unwrap();
        let help = form.run(dir.path(), "", &["--help"]);
        let ended = form.run(dir.path(), "", &[]);
        assert_eq!((ended.code, ended.stdout.as_str()), (form.shows(2), ""), "{form:?}");
        assert_eq!(ended.stderr, help.stdout, "{form:?}");
    }
}

#[test]
fn the_help_tells_the_exit_codes() {
    for &form in forms() {
        let dir = tempfile::tempdir().unwrap();
        let ended = form.run(dir.path(), "", &["--help"]);
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{form:?}");
        for words in ["0 done", "1 failed", "2 usage", "3 not found", "4 timed out", "5 conflict", "6 invalid"] {
            assert!(ended.stdout.contains(words), "{form:?}: {words}");
        }
        assert!(ended.stdout.contains("WASI 0.2"), "{form:?}: it says where there is only 0 and 1");
    }
}

#[test]
fn every_form_works_on_a_directory_that_another_made() {
    let dir = tempfile::tempdir().unwrap();
    for &form in forms() {
        let name = format!("{form:?}").to_lowercase();
        for args in [&["init"][..], &["register", &name, "--role", "builder"]] {
            assert_eq!(form.run(dir.path(), &name, args).code, 0, "{form:?}");
        }
    }
    let name_of = |form: &Form| format!("{form:?}").to_lowercase();
    // Each writes to the next, and the last to the first.
    let next = forms().iter().cycle().skip(1);
    for (form, to) in forms().iter().zip(next.clone()) {
        let message = ["send", &name_of(to), &format!("from the {}", name_of(form))];
        assert_eq!(form.run(dir.path(), &name_of(form), &message).code, 0, "{form:?}");
    }
    for (from, form) in forms().iter().zip(next) {
        let name = name_of(form);
        let inbox = form.run(dir.path(), &name, &["inbox", "--json"]);
        let inbox: Value = serde_json::from_str(&inbox.stdout).unwrap();
        assert_eq!(inbox["count"], 1, "{form:?}");
        assert_eq!(inbox["notifications"][0]["subject"], format!("from the {}", name_of(from)));
    }
}
