//! Forged journal entries: carried out by nobody, in nobody's way, and reported.

use serde_json::{Value, json};

use crate::audit::{Audit, Expect};
use crate::project::TX;
use crate::{AttackedProject, Counts, Target, Template};

/// What all agents do after an entry was planted.
const COMMANDS: &[&str] = &[
    "inbox --count --as bob",
    "inbox --as bob",
    "agents",
    "send bob Next --as ann",
    "send cyd Keyed --key k3 --as ann",
    "read {q} --as bob",
    "context update api more --as ann",
    "handoff accept {h} --as bob",
    "session status --id s1",
    "session log ann status --message x --id s1",
    "session complete ann --id s1",
    "state decide No --as ann",
    "sweep",
];

/// The journals of a project.
const JOURNALS: [&str; 2] = [".agent-messages/.huddle/work", ".claude/.huddle/work"];

/// A forged entry, planted as a file or as something else in its place.
enum Forged {
    Entry(Value),
    Bytes(Vec<u8>),
    Odd(fn(&AttackedProject, &str)),
}

/// Returns an entry of one step, with one content of its own.
fn step(words: &Value) -> Forged {
    Forged::Entry(json!({"tx": TX, "contents": 1, "steps": [words], "key": null, "note": null}))
}

fn entry(fields: Value) -> Forged {
    let mut entry = json!({"tx": TX, "contents": 0, "steps": [], "key": null, "note": null});
    let Value::Object(fields) = fields else { panic!("an entry is made of fields") };
    fields.into_iter().for_each(|(name, value)| entry[name] = value);
    Forged::Entry(entry)
}

fn note(fields: &Value) -> Forged {
    entry(json!({"note": fields}))
}

/// Returns all forged entries for a journal.
fn forged(journal: &str) -> Vec<(&'static str, Forged)> {
    let own = format!(".huddle/work/{TX}.0");
    let deep = format!("{}1{}", "[".repeat(200_000), "]".repeat(200_000));
    let mut cases = vec![
        ("a hook of version control", step(&json!(["move", own, "../.git/hooks/pre-commit"]))),
        ("settings with hooks", step(&json!(["move", own, "../.claude/settings.local.json"]))),
        ("settings with hooks, from within", step(&json!(["move", own, "settings.local.json"]))),
        ("an absolute path", step(&json!(["link", own, "/tmp/huddle-made-by-an-absolute-path.json"]))),
        ("a path through the inbox", step(&json!(["link", own, "inbox/../../x.json"]))),
        ("a path through an artifact", step(&json!(["link", own, "handoffs/h/artifacts/../../../../x"]))),
        ("a path through nothing", step(&json!(["dir", "nonexist/../../../outside/new"]))),
        ("the registry replaced", step(&json!(["move", own, "registry.json"]))),
        ("the registry stolen", step(&json!(["link", "registry.json", "inbox/bob/msg_stolen.json"]))),
        ("the registry archived", step(&json!(["move", "registry.json", "archive/2025-11-29/registry.json"]))),
        ("the registry removed", step(&json!(["remove", "registry.json"]))),
        ("an inbox removed", step(&json!(["remove", "inbox"]))),
        ("a message removed", step(&json!(["remove", "inbox/bob/msg_1.json"]))),
        ("a message of another", step(&json!(["move", "inbox/bob/x.json", "inbox/ann/x.json"]))),
        ("a file outside linked", step(&json!(["link", "../../outside/secret.json", "inbox/bob/msg_secret.json"]))),
        ("a file outside moved", step(&json!(["move", "../../outside/secret.json", "inbox/bob/msg_secret.json"]))),
        ("a zero byte", step(&json!(["dir", "a\u{0}b"]))),
        ("a file as directory", step(&json!(["link", own, "registry.json/x.json"]))),
        ("a message under a file", step(&json!(["link", own, "inbox/bob/a.json/b.json"]))),
        ("an append with an empty mark", step(&json!(["append", "agents/context/s1/messages.jsonl", "x\n", ""]))),
        ("an append elsewhere", step(&json!(["append", "../.git/config", "x\n", "x"]))),
        ("an append of many lines", step(&json!(["append", "agents/context/s1/messages.jsonl", "x\ny\n", "x"]))),
        ("an operation that is none", step(&json!(["explode", "x"]))),
        ("a step that is no list", step(&json!("move"))),
        ("huge contents", entry(json!({"contents": 4_294_967_295_u64}))),
        ("negative contents", entry(json!({"contents": -1}))),
        ("too many steps", entry(json!({"steps": vec![json!(["remove", "inbox/bob/x.json.read"]); 50_000]}))),
        ("another transaction", entry(json!({"tx": "019ad00000007000800000000000000b"}))),
        ("no transaction", entry(json!({"tx": "../../x"}))),
        ("a key elsewhere", entry(json!({"key": ["../../x.json", "y"]}))),
        (
            "a tally of u64::MAX",
            note(&json!({"by": "ann", "at": "2025-11-29T14:30:52Z", "message": null,
            "messages": u64::MAX, "direct": {"bob": u64::MAX, "cyd": u64::MAX}})),
        ),
        ("a lease that is no name", note(&json!({"lease": "../../x"}))),
        ("an empty file", Forged::Bytes(Vec::new())),
        ("no JSON", Forged::Bytes(b"\xff\xfe\0{".to_vec())),
        ("nested deeply", Forged::Bytes(deep.into_bytes())),
        ("100 MB", Forged::Bytes(b"0,".repeat(50 << 20))),
        ("a directory", Forged::Odd(|project, path| project.make_dir(path))),
        ("a directory with a file", Forged::Odd(|project, path| project.write(&format!("{path}/x"), "x"))),
        ("a loop", Forged::Odd(|project, path| project.link(path, project.path(path)))),
        ("a named pipe", Forged::Odd(|project, path| project.make_fifo(path))),
        ("a socket", Forged::Odd(|project, path| project.make_socket(path))),
        ("8 GB", Forged::Odd(|project, path| project.make_sparse(path, 8 << 30))),
        ("a link out", Forged::Odd(|project, path| project.link(path, project.outside("secret.json")))),
    ];
    if journal == JOURNALS[0] {
        cases.push((
            "a name that is not UTF-8",
            Forged::Odd(|project, _| {
                project.write_non_utf8(JOURNALS[0], ".json", b"{}");
            }),
        ));
        cases.push((
            "a directory as litter",
            Forged::Odd(|project, _| project.make_dir(&format!("{}/{TX}.1", JOURNALS[0]))),
        ));
        cases.push((
            "a pipe as litter",
            Forged::Odd(|project, _| project.make_fifo(&format!("{}/{TX}.part", JOURNALS[0]))),
        ));
    }
    cases
}

/// Plants every forged entry, in a journal that was written here and in one that came with a clone.
pub fn forged_entries(target: &dyn Target) -> Counts {
    let template = Template::new(target);
    let mut audit = Audit::new(target);
    for journal in JOURNALS {
        for (what, forged) in forged(journal) {
            for is_clone in [false, true] {
                audit.begin(format!("{journal}: {what}{}", if is_clone { ", in a clone" } else { "" }));
                let project = if is_clone { template.cloned() } else { template.copy() };
                let path = format!("{journal}/{TX}.json");
                project.write(&format!("{journal}/{TX}.0"), "#!/bin/sh\necho forged\n");
                match &forged {
                    Forged::Entry(entry) => project.write(&path, entry.to_string()),
                    Forged::Bytes(bytes) => project.write(&path, bytes),
                    Forged::Odd(plant) => plant(&project, &path),
                }
                for command in COMMANDS {
                    audit.run(&project, command, Expect::Success);
                }
                check_counters(&mut audit, &project);
                audit.check_leaks(&project);
            }
        }
    }
    audit.finish()
}

/// Checks that what was sent before and after has arrived, and was counted once.
fn check_counters(audit: &mut Audit<'_>, project: &AttackedProject) {
    let agents = audit.run(project, "agents --json", Expect::Success).out;
    let agents: Value = serde_json::from_str(&agents).unwrap_or_default();
    let bob = agents["agents"].as_array().and_then(|all| all.iter().find(|agent| agent["name"] == "bob")).cloned();
    let count = bob.map(|bob| bob["messageCount"].clone()).unwrap_or_default();
    // Archived, Port?, Plain and Next; the notice of a handoff counts as it is a direct message, too.
    audit.check(count == 5, || format!("bob's message_count is {count}"));
    audit.run(project, "check", Expect::Success);
}
