//! The native command touches the project and what its caller named, nothing else: links lead nowhere.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::support::Project;

const SECRET: &str = "s3cret-of-somebody-else";

/// A project with mail, a session, shared state and a handoff, beside a directory that belongs to somebody else.
struct Neighbors {
    project: Project,
    outside: Project,
}

fn neighbors() -> Neighbors {
    let (project, outside) = (Project::new(), Project::empty());
    for name in ["message.json", "log.jsonl", "notes.md"] {
        outside
            .write(name, &format!(r#"{{"message_id":"m","from":"{SECRET}","subject":"{SECRET}","body":"{SECRET}"}}"#));
    }
    fs::create_dir(outside.path("inbox")).expect("a directory can be made");
    fs::copy(outside.path("message.json"), outside.path("inbox/message.json")).expect("a file can be copied");
    project.send("Port", &["--body", "8080"]);
    project.ok(&["context", "create", "api", "text", "--as", "ann"]);
    project.ok(&["handoff", "create", "bob", "--task", "parser", "--as", "ann"]);
    project.ok(&["session", "start", "--id", "s1", "--agent", "ann", "--as", "ann"]);
    project.ok(&["state", "objective", "ship", "--as", "ann"]);
    Neighbors { project, outside }
}

/// Lists the directories of a project that agents keep files in.
fn directories(root: &Path, below: &str, all: &mut Vec<String>) {
    all.push(below.to_owned());
    for entry in fs::read_dir(root.join(below)).expect("the directory can be listed").flatten() {
        if entry.path().is_dir() {
            directories(root, &format!("{below}/{}", entry.file_name().to_string_lossy()), all);
        }
    }
}

#[test]
fn no_command_reads_or_writes_through_a_planted_link() {
    let Neighbors { project, outside } = neighbors();
    let mut dirs = Vec::new();
    directories(&project.path(""), ".agent-messages", &mut dirs);
    directories(&project.path(""), ".claude", &mut dirs);
    let before = outside.files();
    let mut planted = 0;
    for dir in &dirs {
        for (name, target) in [
            ("msg_planted.json", "message.json"),
            ("planted.jsonl", "log.jsonl"),
            ("planted.md", "notes.md"),
            ("planted", "inbox"),
            ("made.jsonl", "made"),
        ] {
            symlink(outside.path(target), project.path(&format!("{dir}/{name}"))).unwrap();
            planted += 1;
        }
    }
    let commands: &[&[&str]] = &[
        &["search", SECRET],
        &["history"],
        &["timeline"],
        &["export", "--to", "jsonl"],
        &["export", "--to", "markdown"],
        &["export", "--to", "documents"],
        &["threads"],
        &["check"],
        &["inbox", "--as", "bob"],
        &["inbox", "--all", "--as", "bob"],
        &["read", "msg_planted", "--as", "bob"],
        &["handoff", "list"],
        &["context", "list"],
        &["context", "show", "planted"],
        &["context", "update", "planted", "x", "--as", "ann"],
        &["session", "list"],
        &["session", "status", "--id", "s1"],
        &["session", "events", "--id", "s1"],
        &["session", "report", "list", "--id", "s1"],
        &["session", "data", "list", "--id", "s1"],
        &["session", "log", "ann", "finding", "--message", "x", "--id", "s1"],
        &["state", "show"],
        &["send", "bob", "Again", "--as", "ann"],
        &["sweep"],
        &["archive", "--before", "0s"],
        &["dead-letters"],
    ];
    for args in commands {
        let ran = project.run(args);
        let shown = ran.out.replace(&format!("{SECRET:?}"), "");
        assert!(!shown.contains(SECRET) && !ran.err.contains(SECRET), "{args:?}: {ran:?}");
    }
    assert_eq!(outside.files(), before, "nothing outside has changed");
    println!("{planted} planted links, {} commands: 0 read or written outside", commands.len());
}

#[test]
fn a_bus_that_is_a_link_out_of_the_project_is_refused() {
    let Neighbors { project, outside } = neighbors();
    let before = outside.files();
    for name in [".agent-messages", ".claude"] {
        fs::rename(project.path(name), project.path("kept")).unwrap();
        symlink(outside.path(""), project.path(name)).unwrap();
        for args in [
            &["init"][..],
            &["inbox", "--as", "bob"],
            &["send", "bob", "x", "--as", "ann"],
            &["search", SECRET],
            &["history"],
            &["session", "start", "--id", "s2", "--agent", "ann"],
            &["state", "objective", "x", "--as", "ann"],
        ] {
            let ran = project.run(args);
            let shown = ran.out.replace(&format!("{SECRET:?}"), "");
            assert!(!shown.contains(SECRET) && !ran.err.contains(SECRET), "{args:?}: {ran:?}");
        }
        assert_eq!(outside.files(), before, "{name}");
        fs::remove_file(project.path(name)).unwrap();
        fs::rename(project.path("kept"), project.path(name)).unwrap();
    }
    project.ok(&["inbox", "--as", "bob"]);
}

#[test]
fn a_bus_that_is_out_of_reach_is_named_as_the_cause() {
    let Neighbors { project, outside } = neighbors();
    fs::rename(project.path(".agent-messages"), project.path("kept")).unwrap();
    symlink(outside.path(""), project.path(".agent-messages")).unwrap();
    let ran = project.run(&["inbox", "--as", "bob"]);
    assert!(ran.code != 0 && ran.err.contains("a symbolic link leads out"), "{ran:?}");
}

#[test]
fn a_named_file_is_a_regular_one_and_a_link_of_the_project_stays_in_it() {
    let Neighbors { project, outside } = neighbors();
    symlink(outside.path("notes.md"), project.path("notes.md")).unwrap();
    symlink(outside.path(""), project.path("docs")).unwrap();
    let pipe = project.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let [link, through, pipe] =
        ["notes.md", "docs/notes.md", "pipe"].map(|name| project.path(name).display().to_string());
    for path in [&link, &through, &pipe] {
        let at = format!("@{path}");
        for args in [
            &["handoff", "create", "bob", "--task", "x", "--artifact", path, "--as", "ann"][..],
            &["handoff", "create", "bob", "--task", "x", "--summary", "x", "--snapshot", path, "--as", "ann"],
            &["send", "bob", "x", "--body", &at, "--as", "ann"],
            &["context", "create", "c", &at, "--as", "ann"],
            &["compress", path],
            &["import", path],
            &["session", "report", "put", "ann", path, "--id", "s1"],
            &["session", "data", "put", "d", path, "--from", "ann", "--id", "s1"],
            &["search", SECRET, path],
            &["history", path],
            &["export", "--to", "jsonl", path],
        ] {
            let ran = project.run(args);
            assert!(ran.code != 0 && ran.out.is_empty(), "{args:?}: {ran:?}");
            let told = ran.err.contains("leads out of the directory") || ran.err.contains("not a regular file");
            assert!(told && !ran.err.contains(&format!("\"{SECRET}")), "{args:?}: {ran:?}");
        }
    }
    // Who names somebody else's file by its own path means it.
    let named = outside.path("notes.md").display().to_string();
    assert!(project.ok(&["compress", &named]).contains(SECRET));
}

#[test]
fn links_below_a_named_directory_are_not_followed() {
    let Neighbors { project, outside } = neighbors();
    let logs = Project::empty();
    fs::create_dir(logs.path("a")).unwrap();
    logs.write("own.jsonl", r#"{"from":"ann","message":"mine"}"#);
    symlink(outside.path("log.jsonl"), logs.path("a/out.jsonl")).unwrap();
    symlink(outside.path(""), logs.path("dir")).unwrap();
    symlink("../own.jsonl", logs.path("a/in.jsonl")).unwrap();
    let dir = logs.path("").display().to_string();
    let found = project.run(&["search", "mine", &dir]);
    assert!(found.out.starts_with("🔎 2 matches"), "a link within counts: {found:?}");
    let found = project.run(&["search", SECRET, &dir]);
    assert!(found.out.starts_with("🔎 0 matches") && found.err.contains("not-a-regular-file"), "{found:?}");
    // Of the directory below, the link leads out.
    let found = project.run(&["search", "mine", &format!("{dir}a")]);
    assert!(found.out.starts_with("🔎 0 matches"), "{found:?}");
}

#[test]
fn an_export_is_written_where_it_was_told_and_not_where_a_link_leads() {
    let Neighbors { project, outside } = neighbors();
    symlink(outside.path(""), project.path("docs")).unwrap();
    fs::create_dir(project.path("out")).unwrap();
    fs::create_dir(outside.path("empty")).unwrap();
    symlink(outside.path("empty"), project.path("out/.agent-messages")).unwrap();
    let before = outside.files();
    let out = |name: &str| project.path(name).display().to_string();
    for (format, to) in [("jsonl", "docs/x.jsonl"), ("mailbox", "docs/x"), ("mailbox", "out")] {
        let ran = project.run(&["export", "--to", format, "--out", &out(to)]);
        assert!(ran.code != 0, "{format} {to}: {ran:?}");
    }
    assert_eq!(outside.files(), before);
    let elsewhere = outside.path("x.jsonl").display().to_string();
    for (format, to) in [("jsonl", out("x.jsonl")), ("mailbox", out("new/deep")), ("jsonl", elsewhere)] {
        let ran = project.run(&["export", "--to", format, "--out", &to]);
        assert_eq!(ran.code, 0, "{format} {to}: {ran:?}");
    }
    assert!(project.path("new/deep/.agent-messages/inbox").is_dir() && outside.path("x.jsonl").is_file());
}

#[test]
fn a_file_of_a_mailbox_that_is_too_large_costs_that_file() {
    let Neighbors { project, .. } = neighbors();
    let huge = fs::File::create(project.path(".agent-messages/inbox/bob/msg_huge.json")).unwrap();
    huge.set_len(3 << 30).unwrap();
    let found = project.run(&["search", "Port"]);
    assert!(found.out.contains("Port") && found.err.contains("too large"), "{found:?}");
    let ran =
        project.run(&["compress", &project.path(".agent-messages/inbox/bob/msg_huge.json").display().to_string()]);
    assert!(ran.code != 0 && ran.err.contains("too large"), "{ran:?}");
}
