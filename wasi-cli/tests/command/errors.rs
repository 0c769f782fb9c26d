//! Every kind of failure, its exit code and its two forms.

use serde_json::json;

use crate::command::support::{Project, document};

/// Runs a command that must fail in both forms with the same code, kind and words.
fn check(project: &Project, args: &[&str], code: u8, kind: &str, message: &str) {
    let ran = project.run(args);
    assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{args:?}: {ran:?}");
    let first = ran.err.lines().next().unwrap_or_default();
    assert!(first.starts_with(&format!("error[{kind}]: ")) && first.contains(message), "{args:?}: {first}");
    let ran = project.run(&[args, &["--json"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (code, ""), "{args:?}: {ran:?}");
    let error = &document(&ran.out)["error"];
    assert_eq!((&error["code"], &error["kind"]), (&json!(code), &json!(kind)), "{args:?}");
    assert!(error["message"].as_str().expect("a text").contains(message), "{args:?}: {error}");
    assert!(error["hint"].is_string());
}

#[test]
fn misuse_is_exit_code_2() {
    let project = Project::new();
    let misuse = |args: &[&str], message: &str| check(&project, args, 2, "usage", message);
    misuse(&["snd"], "there is no command huddle snd; did you mean send?");
    misuse(&["send", "bob", "--as", "ann"], "SUBJECT is missing");
    misuse(&["send", "--as", "ann"], "TO is missing");
    misuse(&["send", "bob", "x", "--batch", "--as", "ann"], "with --batch");
    misuse(&["send", "bob", "x", "--prio", "low", "--as", "ann"], "has no option --prio");
    misuse(&["send", "bob", "x", "--priority", "urgent", "--as", "ann"], "give critical, high, normal or low");
    misuse(&["send", "bob", "x", "--deadline", "soon", "--as", "ann"], "give a time such as");
    misuse(&["send", "bob", "two\nlines", "--as", "ann"], "not one line");
    misuse(&["register", "eve"], "--role is missing");
    misuse(&["register", "eve", "--role", " "], "needs a role");
    misuse(&["inbox", "--limit", "few", "--as", "ann"], "give a whole number");
    misuse(&["inbox", "--watch", "--wait", "1", "--as", "ann"], "do not go together");
    misuse(&["inbox", "--for", "1", "--as", "ann"], "--for goes with --watch");
    misuse(&["inbox", "--lock-wait", "long", "--as", "ann"], "--lock-wait");
    misuse(&["context"], "needs a command: create, show, list, update");
    misuse(&["subscribe", "--as", "ann"], "EVENT is missing");
}

#[test]
fn a_command_that_needs_an_agent_says_so() {
    let project = Project::new();
    check(&project, &["inbox", "--as", ""], 2, "usage", "which agent is acting");
    assert!(
        project.run(&["inbox", "--as", ""]).err.ends_with("hint: say who you are: --as AGENT, or set HUDDLE_AGENT\n")
    );
}

#[test]
fn names_that_could_leave_the_bus_are_refused() {
    let project = Project::new();
    let before = project.files();
    let long = "x".repeat(101);
    for bad in ["", "../x", "a/b", "a\\b", "a..b", ".x", "a\nb", " a", long.as_str()] {
        for args in [
            ["register", bad, "--role", "x", "--as", "ann"],
            ["send", bad, "x", "--as", "ann", "--large"],
            ["publish", bad, "--data", "x", "--as", "ann"],
            ["context", "create", bad, "x", "--as", "ann"],
            ["inbox", "--from", bad, "--all", "--as", "ann"],
        ] {
            check(&project, &args, 2, "usage", " name ");
        }
        check(&project, &["read", bad, "--as", "ann"], 2, "usage", "message id");
        check(&project, &["handoff", "show", bad], 2, "usage", "handoff id");
    }
    check(&project, &["send", "bob", "x", "--as", "../ann"], 2, "usage", "agent name");
    assert_eq!(project.files(), before);
}

#[test]
fn missing_items_exit_with_code_3() {
    let project = Project::new();
    let missing = |args: &[&str], message: &str| check(&project, args, 3, "not-found", message);
    missing(&["read", "msg_1", "--as", "ann"], "ann has no message msg_1");
    missing(&["reply", "msg_1", "--body", "x", "--as", "ann"], "ann has no message msg_1");
    missing(&["trace", "msg_1"], "msg_1");
    missing(&["thread", "t"], "t");
    missing(&["context", "show", "api"], "api");
    missing(&["handoff", "show", "h"], "h");
    missing(&["send", "bob", "x", "--body", "@/no/such/file", "--as", "ann"], "/no/such/file");
    missing(&["inbox", "--as", "eve"], "eve");
    let bare = Project::empty();
    check(&bare, &["agents"], 3, "not-found", "no message bus here");
    assert_eq!(bare.files(), []);
}

#[test]
fn a_send_to_a_stranger_lists_who_is_there_and_writes_nothing() {
    let project = Project::new();
    project.ok(&["register", "builder-1", "--role", "builder"]);
    let before = project.files();
    for to in ["bilder-1", "bob,bilder-1"] {
        check(&project, &["send", to, "x", "--as", "ann"], 3, "not-found", "ann, bob, builder-1");
        assert!(project.run(&["send", to, "x", "--as", "ann"]).err.contains("did you mean builder-1?"));
    }
    check(&project, &["send", "bob", "x", "--as", "an"], 3, "not-found", "registered");
    assert_eq!(project.files(), before);
}

#[test]
fn data_of_the_wrong_form_is_exit_code_6() {
    let project = Project::new();
    let before = project.files();
    let invalid = |args: &[&str], message: &str| check(&project, args, 6, "invalid", message);
    invalid(
        &["send", "bob", "x", "--type", "task", "--body", r#"{"taskId": "t"}"#, "--as", "ann"],
        "\"title\" is missing",
    );
    let big = "x".repeat(11_000);
    invalid(&["send", "bob", "x", "--body", &big, "--as", "ann"], "bytes");
    invalid(&["publish", "E", "--data", &big, "--as", "ann"], "bytes");
    assert_eq!(project.files(), before);
    project.ok(&["send", "bob", "x", "--body", &big, "--large", "--as", "ann"]);
}

#[test]
fn an_answer_that_cannot_be_written_is_exit_code_1() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut err = Vec::new();
    let code = huddle::run(["huddle", "primer"], &mut std::io::empty(), &mut Full, &mut err);
    assert_eq!(code, 1);
    assert!(err.starts_with(b"error[failed]: writing the answer failed"));
}
