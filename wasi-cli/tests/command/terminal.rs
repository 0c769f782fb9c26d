//! Control characters that others wrote never reach a terminal, whichever command prints them.

use huddle_core::model::Json;

use crate::command::support::{Project, Ran, text};

/// OSC 52, OSC 0, CSI 2J, the C1 form of CSI, bidirectional controls, zero-width characters and a line separator.
const PAYLOAD: &str =
    "x\u{1b}]52;c;cm0=\u{7}\u{1b}]0;t\u{1b}\\\u{1b}[2J\u{9b}2J\u{202e}y\u{200b}\u{7f}\rz\u{2066}\u{feff}\u{2028}";

fn is_raw(character: char) -> bool {
    let hidden = ['\u{61c}', '\u{2028}', '\u{2029}', '\u{2060}', '\u{feff}'];
    character.is_control() && !matches!(character, '\n' | '\t')
        || hidden.contains(&character)
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A project whose every free text has the payload in it, with the ids of a message, a handoff and an event.
struct Planted {
    project: Project,
    message: String,
    handoff: String,
    /// One that is still to be decided on.
    other_handoff: String,
    broadcast: String,
    blocker: String,
    question: String,
    /// What a compressed text refers to.
    reference: String,
    /// Documents, as another program exported them.
    documents: String,
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
    let blocker = format!(r#"{{"task_id":"t-1","blocker_id":"b-1","description":{}}}"#, Json::from(PAYLOAD));
    let blocked = run(&["publish", "BlockerEncountered", "--data", &blocker, "--as", "ann"]);
    let artifact = project.write("artifact", PAYLOAD);
    let package = |to: &str| {
        let [task, next] = [["--task", PAYLOAD], ["--next", PAYLOAD]];
        run(&[&["handoff", "create", to][..], &task, &next, &["--artifact", &artifact, "--as", "ann"]].concat())
    };
    let (handoff, other_handoff) = (package("bob"), package("bob"));
    run(&["ask", "bob", PAYLOAD, "--context", PAYLOAD, "--timeout", "0", "--fallback", PAYLOAD, "--as", "ann"]);
    let inbox = run(&["inbox", "--peek", "--as", "bob"]);
    let asked = inbox["notifications"].as_array().into_iter().flatten().find(|one| one["type"] == "query");
    let question = text(&asked.unwrap_or_else(|| panic!("{inbox}"))["id"]);
    let long = format!("# {PAYLOAD}\n\n{}", format!("Some words about {PAYLOAD} and others.\n").repeat(400));
    let compressed = run(&["compress", &project.write("long.md", &long)]);
    let reference = text(&compressed["text"]);
    let reference =
        reference.split("[expand:").nth(1).and_then(|rest| rest.split(']').next()).expect(&reference).to_owned();
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
    project.write(".agent-messages/shared-context/api\u{1b}[2J.md", PAYLOAD);
    project.write(".agent-messages/broadcasts/x\u{9b}2J.json", &forged);
    for dir in
        [".agent-messages/handoffs/\u{1b}[2J", ".agent-messages/inbox/\u{1b}[2J", ".claude/agents/context/\u{1b}[2J"]
    {
        std::fs::create_dir_all(project.path(dir)).expect("a directory can be made");
        project.write(&format!("{dir}/metadata.json"), &forged);
        project.write(&format!("{dir}/coordination.json"), &forged);
    }
    let logged = format!(
        r#"{{"timestamp":{subject},"from":{subject},"to":{subject},"type":{subject},"severity":{subject},"message":{subject},"error":{subject}}}"#
    );
    let line =
        format!("{logged}\n{}\n\u{1b}[2J\n", logged.replacen(&subject.to_string(), r#""2025-11-29T14:30:52Z""#, 1));
    for log in [".claude/agents/context/s1/messages.jsonl", ".claude/state/decisions.jsonl"] {
        let before = std::fs::read_to_string(project.path(log)).unwrap_or_default();
        project.write(log, &format!("{before}{line}"));
    }
    let document = format!(
        r#"{{"_id":{subject},"from":{subject},"to":{subject},"type":{subject},"content":{subject},"createdAt":{subject}}}"#
    );
    let documents = project.write("documents.jsonl", &format!("{document}\n\u{1b}[2J\n"));
    Planted {
        message: text(&sent["id"]),
        handoff: text(&handoff["id"]),
        other_handoff: text(&other_handoff["id"]),
        broadcast: text(&announced["id"]),
        blocker: text(&blocked["id"]),
        question,
        reference,
        documents,
        project,
    }
}

/// Commands that print a file or an export byte for byte, where standard output is no terminal.
const BYTES: [&str; 4] = ["expand", "export", "handoff artifact", "session data get"];

/// Names every command that there is, by what the help pages list.
fn all_commands(project: &Project, words: &[&str]) -> Vec<String> {
    let page = project.ok(&[words, &["--help"]].concat());
    let listed = page.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter_map(|line| line.split_whitespace().next());
    let mut all: Vec<String> = names.flat_map(|name| all_commands(project, &[words, &[name]].concat())).collect();
    if !words.is_empty() && (all.is_empty() || page.contains(" [COMMAND]")) {
        all.push(words.join(" "));
    }
    all
}

#[test]
fn no_text_command_prints_a_raw_control_character() {
    let planted = planted();
    let Planted { project, message, handoff, other_handoff, broadcast, blocker, question, reference, documents } =
        &planted;
    let [new, odd] = ["new", PAYLOAD].map(|name| project.path(name).display().to_string());
    let commands: Vec<Vec<&str>> = vec![
        vec!["init"],
        vec!["register", "fay", "--role", PAYLOAD, "--capability", PAYLOAD],
        vec!["register", PAYLOAD, "--role", "x"],
        vec!["agents"],
        vec!["heartbeat", "--as", "ann"],
        vec!["heartbeat", "--as", PAYLOAD],
        vec!["inbox", "--as", "bob"],
        vec!["inbox", "--count", "--as", "bob"],
        vec!["inbox", "--peek", "--as", "bob"],
        vec!["inbox", "--watch", "--for", "0", "--as", "bob"],
        vec!["read", message, "--peek", "--as", "bob"],
        vec!["read", "msg_forged", "--as", "bob"],
        vec!["read", message, "--as", "bob"],
        vec!["read", PAYLOAD, "--as", "bob"],
        vec!["ack", "msg_forged", "--as", "bob"],
        vec!["reply", "msg_forged", "--body", PAYLOAD, "--as", "bob"],
        vec!["send", "bob", PAYLOAD, "--as", "ann"],
        vec!["send", "bob", "x", "--type", PAYLOAD, "--key", PAYLOAD, "--as", "ann"],
        vec!["send", "bob", "y", "--key", PAYLOAD, "--as", "ann"],
        vec!["send", PAYLOAD, "x", "--as", "ann"],
        vec!["broadcast", "All", "--body", PAYLOAD, "--as", "ann"],
        vec!["publish", PAYLOAD, "--as", "ann"],
        vec!["publish", "Done", "--data", PAYLOAD, "--as", "ann"],
        vec!["subscribe", PAYLOAD, "--as", "ann"],
        vec!["unsubscribe", PAYLOAD, "--as", "ann"],
        vec!["ask", "bob", PAYLOAD, "--timeout", "0", "--fallback", PAYLOAD, "--format", PAYLOAD, "--as", "ann"],
        vec!["answer", question, "--body", PAYLOAD, "--as", "bob"],
        vec![PAYLOAD],
        vec![PAYLOAD, "--help"],
        vec!["send", "--help", PAYLOAD],
        vec!["send", "--x\u{1b}[2J"],
        vec!["inbox", "--limit", PAYLOAD],
        vec!["inbox", "--lock-wait", PAYLOAD],
        vec!["inbox", "--root", PAYLOAD, "--as", "bob"],
        vec!["handoff", "create", "bob", "--task", PAYLOAD, "--artifact", PAYLOAD, "--as", "ann"],
        vec!["handoff", "create", "bob", "--task", PAYLOAD, "--as", "ann"],
        vec!["handoff", "list"],
        vec!["handoff", "show", handoff],
        vec!["handoff", "artifact", handoff, "artifact"],
        vec!["handoff", "artifact", handoff, PAYLOAD],
        vec!["handoff", "request-context", handoff, "--timeout", "0", "--as", "bob"],
        vec!["handoff", "accept", handoff, "--notes", PAYLOAD, "--as", "bob"],
        vec!["handoff", "decline", other_handoff, "--reason", PAYLOAD, "--as", "bob"],
        vec!["context", "create", "more", PAYLOAD, "--as", "ann"],
        vec!["context", "create", PAYLOAD, "x", "--as", "ann"],
        vec!["context", "update", "api", PAYLOAD, "--as", "ann"],
        vec!["context", "list"],
        vec!["context", "show", "api"],
        vec!["session", "start", "--id", "s2", "--agent", "ann", "--type", PAYLOAD, "--path", PAYLOAD],
        vec!["session", "start", "--id", PAYLOAD, "--agent", PAYLOAD],
        vec!["session", "list"],
        vec!["session", "status", "--id", "s1"],
        vec!["session", "status", PAYLOAD, "--id", "s1"],
        vec!["session", "join", "ann", "--id", "s2"],
        vec!["session", "progress", "ann", PAYLOAD, "--id", "s2"],
        vec!["session", "fail", "ann", "--error", PAYLOAD, "--id", "s2"],
        vec!["session", "status", "--id", "s2"],
        vec!["session", "wait", "ann", "--timeout", "0", "--id", "s2"],
        vec!["session", "retry", "ann", "--id", "s2"],
        vec!["session", "complete", "ann", "--id", "s2"],
        vec!["session", "ready", "--id", "s1"],
        vec!["session", "log", "ann", PAYLOAD, "--message", PAYLOAD, "--id", "s1"],
        vec!["session", "events", "--id", "s1"],
        vec!["session", "events", "--count-by", "severity", "--id", "s1"],
        vec!["session", "events", "--follow", "--for", "0", "--id", "s1"],
        vec!["session", "report", "put", "ann", PAYLOAD, "--id", "s1"],
        vec!["session", "report", "list", "--id", "s1"],
        vec!["session", "report", "show", "ann", "--id", "s1"],
        vec!["session", "report", "merge", "--id", "s1"],
        vec!["session", "data", "put", PAYLOAD, "1", "--from", "ann", "--id", "s1"],
        vec!["session", "data", "list", "--id", "s1"],
        vec!["session", "data", "get", "d", "--id", "s1"],
        vec!["session", "data", "get", PAYLOAD, "--id", "s1"],
        vec!["session", "recover", "--id", "s1"],
        vec!["session", "close", "--force", "--id", "s2"],
        vec!["state", "objective", PAYLOAD, "--as", "ann"],
        vec!["state", "phase", PAYLOAD, "--as", "ann"],
        vec!["state", "decide", PAYLOAD, "--as", "ann"],
        vec!["state", "artifact", PAYLOAD, "--as", "ann"],
        vec!["state", "block", PAYLOAD, "--as", "ann"],
        vec!["state", "unblock", PAYLOAD, "--as", "ann"],
        vec!["state", "note", PAYLOAD, "--as", "ann"],
        vec!["state", "agent", PAYLOAD, "--as", "ann"],
        vec!["state", "settings"],
        vec!["state", "show"],
        vec!["protocol", PAYLOAD],
        vec!["thread", "conv_1"],
        vec!["thread", message],
        vec!["thread", PAYLOAD],
        vec!["threads"],
        vec!["summary", message],
        vec!["summary", "conv_1"],
        vec!["report", "broadcast", broadcast],
        vec!["report", "blocker", blocker],
        vec!["report", "blocker", PAYLOAD],
        vec!["trace", message],
        vec!["trace", "msg_forged"],
        vec!["history"],
        vec!["history", PAYLOAD],
        vec!["timeline"],
        vec!["timeline", "--after", PAYLOAD],
        vec!["view", "--port", PAYLOAD],
        vec!["search", "x"],
        vec!["search", "from:\u{1b}("],
        vec!["export", "--to", PAYLOAD],
        vec!["export", "--to", "markdown"],
        vec!["export", "--to", "jsonl", "--out", &new],
        vec!["export", "--to", "mailbox", "--out", &odd],
        vec!["import", documents],
        vec!["migrate", "--from", PAYLOAD, "--to", PAYLOAD],
        vec!["compress", documents],
        vec!["compress", PAYLOAD],
        vec!["expand", reference],
        vec!["expand", PAYLOAD],
        vec!["sweep"],
        vec!["dead-letters"],
        vec!["dead-letters", "retry", PAYLOAD, "--as", "ann"],
        vec!["check"],
        vec!["check", documents],
        vec!["archive", "--before", "0s"],
        vec!["archive", "--before", PAYLOAD],
        vec!["deregister", "fay"],
        vec!["hooks", "--run", PAYLOAD],
        vec!["primer"],
        vec!["skill"],
        vec!["mcp", "--allow", PAYLOAD],
    ];
    let (mut shown, mut failed) = (0, 0);
    for args in &commands {
        let is_bytes = BYTES.iter().any(|words| args.join(" ").starts_with(words));
        let Ran { code, out, err } = project.run(args);
        assert!(is_bytes && code == 0 || !out.contains(is_raw), "{args:?}: {out:?}");
        assert!(!err.contains(is_raw), "{args:?}: {err:?}");
        shown += usize::from(out.contains(r"\u{1b}") || err.contains(r"\u{1b}"));
        failed += usize::from(code != 0);
        let Ran { out, err, .. } = project.run(&[args.as_slice(), &["--json"]].concat());
        let is_bytes = code == 0 && (args[0] == "expand" || args.starts_with(&["handoff", "artifact"]));
        assert!((is_bytes || !out.contains(is_raw)) && !err.contains(is_raw), "{args:?}: {out:?} {err:?}");
    }
    println!("{} commands, {shown} showed an escaped payload, {failed} failed, 0 printed it raw", commands.len());
    assert!(shown > 60, "the payload is there to be shown: {shown}");
    for command in all_commands(project, &[]) {
        let is_run = |args: &Vec<&str>| args.join(" ").starts_with(&command);
        assert!(commands.iter().any(is_run), "nobody looked at what {command} prints");
    }
}
