//! Control characters that others wrote never reach a terminal, whichever command prints them.

use huddle_core::model::Json;

use crate::support::{Project, Ran, text};

/// OSC 52, OSC 0, CSI 2J, the C1 form of CSI, a bidirectional override and a zero-width space.
const PAYLOAD: &str = "x\u{1b}]52;c;cm0=\u{7}\u{1b}]0;t\u{1b}\\\u{1b}[2J\u{9b}2J\u{202e}y\u{200b}\u{7f}\rz";

fn is_raw(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
        || ('\u{200b}'..='\u{202e}').contains(&character) && !('\u{2010}'..='\u{2027}').contains(&character)
}

/// A project whose every free text has the payload in it, with the ids of a message, a handoff and an event.
struct Planted {
    project: Project,
    message: String,
    handoff: String,
    broadcast: String,
}

fn planted() -> Planted {
    let project = Project::new();
    let run = |args: &[&str]| {
        let ran = project.run(&[args, &["--json"]].concat());
        assert_eq!(ran.code, 0, "{args:?}: {ran:?}");
        serde_json::from_str::<Json>(&ran.out).expect("the answer is JSON")
    };
    run(&["register", "eve", "--role", PAYLOAD]);
    let sent = run(&["send", "bob", "Port", "--body", PAYLOAD, "--needs-reply", "--as", "ann", "--file", PAYLOAD]);
    let announced = run(&["broadcast", "All", "--body", PAYLOAD, "--as", "ann"]);
    let handoff = run(&["handoff", "create", "bob", "--task", PAYLOAD, "--next", PAYLOAD, "--as", "ann"]);
    run(&["context", "create", "api", PAYLOAD, "--as", "ann"]);
    run(&["context", "update", "api", PAYLOAD, "--as", "bob"]);
    run(&["heartbeat", "--as", "ann"]);
    run(&["session", "start", "--id", "s1", "--agent", "ann", "--type", PAYLOAD, "--as", "ann"]);
    run(&["session", "join", "ann", "--id", "s1", "--as", "ann"]);
    run(&["session", "progress", "ann", PAYLOAD, "--id", "s1", "--as", "ann"]);
    run(&["session", "log", "ann", "finding", "--message", PAYLOAD, "--severity", "high", "--id", "s1"]);
    let report = format!(r#"{{"status": "completed", "summary": {}, "findings": []}}"#, Json::from(PAYLOAD));
    run(&["session", "report", "put", "ann", &report, "--id", "s1"]);
    run(&[
        "session",
        "data",
        "put",
        "d",
        &Json::from(PAYLOAD).to_string(),
        "--description",
        PAYLOAD,
        "--from",
        "ann",
        "--id",
        "s1",
    ]);
    run(&["state", "objective", PAYLOAD, "--as", "ann"]);
    run(&["state", "decide", PAYLOAD, "--as", "ann"]);
    run(&["state", "note", PAYLOAD, "--as", "ann"]);
    run(&["state", "block", PAYLOAD, "--as", "ann"]);
    // Files that nobody checked on their way in: a message with such a subject, and one that is damaged.
    let subject = Json::from(PAYLOAD);
    let forged = format!(
        r#"{{"message_id":"msg_forged","timestamp":"2025-11-29T14:30:52Z","from_agent":"ann","to_agent":"bob","message_type":{subject},"subject":{subject},"requires_response":true,"thread_id":"conv_1","payload":{subject}}}"#
    );
    project.write(".agent-messages/inbox/bob/msg_forged.json", &forged);
    project.write(".agent-messages/inbox/bob/msg_\u{1b}[2J.json", "{");
    Planted { message: text(&sent["id"]), handoff: text(&handoff["id"]), broadcast: text(&announced["id"]), project }
}

#[test]
fn no_text_command_prints_a_raw_control_character() {
    let Planted { project, message, handoff, broadcast } = planted();
    let commands: Vec<Vec<&str>> = vec![
        vec!["agents"],
        vec!["inbox", "--as", "bob"],
        vec!["inbox", "--count", "--as", "bob"],
        vec!["inbox", "--peek", "--as", "bob"],
        vec!["inbox", "--watch", "--for", "0", "--as", "bob"],
        vec!["read", &message, "--peek", "--as", "bob"],
        vec!["read", "msg_forged", "--as", "bob"],
        vec!["read", &message, "--as", "bob"],
        vec!["read", PAYLOAD, "--as", "bob"],
        vec!["ack", "msg_forged", "--as", "bob"],
        vec!["reply", "msg_forged", "--body", PAYLOAD, "--as", "bob"],
        vec!["send", "bob", PAYLOAD, "--as", "ann"],
        vec!["send", PAYLOAD, "x", "--as", "ann"],
        vec![PAYLOAD],
        vec!["handoff", "list"],
        vec!["handoff", "show", &handoff],
        vec!["handoff", "accept", &handoff, "--as", "bob"],
        vec!["context", "list"],
        vec!["context", "show", "api"],
        vec!["session", "list"],
        vec!["session", "status", "--id", "s1"],
        vec!["session", "ready", "--id", "s1"],
        vec!["session", "events", "--id", "s1"],
        vec!["session", "events", "--count-by", "severity", "--id", "s1"],
        vec!["session", "events", "--follow", "--for", "0", "--id", "s1"],
        vec!["session", "report", "list", "--id", "s1"],
        vec!["session", "report", "show", "ann", "--id", "s1"],
        vec!["session", "report", "merge", "--id", "s1"],
        vec!["session", "data", "list", "--id", "s1"],
        vec!["session", "recover", "--id", "s1"],
        vec!["state", "show"],
        vec!["protocol", PAYLOAD],
        vec!["thread", "conv_1"],
        vec!["thread", &message],
        vec!["threads"],
        vec!["summary", &message],
        vec!["summary", "conv_1"],
        vec!["report", &broadcast],
        vec!["trace", &message],
        vec!["trace", "msg_forged"],
        vec!["history"],
        vec!["timeline"],
        vec!["search", "x"],
        vec!["sweep"],
        vec!["dead-letters"],
        vec!["check"],
        vec!["archive", "--before", "0s"],
        vec!["hooks", "--run", PAYLOAD],
        vec!["primer"],
        vec!["skill"],
    ];
    let (mut shown, mut failed) = (0, 0);
    for args in &commands {
        let Ran { code, out, err } = project.run(args);
        assert!(!out.contains(is_raw), "{args:?}: {out:?}");
        assert!(!err.contains(is_raw), "{args:?}: {err:?}");
        shown += usize::from(out.contains(r"\u{1b}") || err.contains(r"\u{1b}"));
        failed += usize::from(code != 0);
        let Ran { out, err, .. } = project.run(&[args.as_slice(), &["--json"]].concat());
        assert!(!out.contains(is_raw) && !err.contains(is_raw), "{args:?}: {out:?} {err:?}");
    }
    println!("{} commands, {shown} showed an escaped payload, {failed} failed, 0 printed it raw", commands.len());
    assert!(shown > 20, "the payload is there to be shown: {shown}");
}

#[test]
fn texts_of_any_length_are_listed() {
    let project = Project::new();
    let long = "x".repeat(70_000);
    project.ok(&["send", "bob", &long, "--type", &long, "--as", "ann"]);
    project.ok(&["register", "eve", "--role", &long]);
    project.ok(&["handoff", "create", "bob", "--task", &long, "--as", "ann"]);
    for args in [&["threads"][..], &["agents"], &["handoff", "list"], &["inbox", "--as", "bob"]] {
        assert!(project.ok(args).contains("xxx"), "{args:?}");
    }
}
