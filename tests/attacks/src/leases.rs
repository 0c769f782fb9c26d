//! Forged leases, and other files that Huddle keeps for itself.

use serde_json::json;

use crate::audit::{Audit, Expect};
use crate::project::TX;
use crate::{AttackedProject, Counts, Target, Template};

/// What needs each of the leases, and what does not.
const COMMANDS: &[&str] = &[
    "inbox --as bob",
    "send bob Next --as ann",
    "register dan --role builder",
    "context update api more --as ann",
    "handoff accept {h} --as bob",
    "archive --before 0s",
    "session progress ann half --id s1",
    "state decide No --as ann",
    "check",
];

/// The directories of leases.
const LEASES: [&str; 5] = [
    ".agent-messages/.huddle/leases/registry",
    ".agent-messages/.huddle/leases/mail",
    // That of the context `api`.
    ".agent-messages/.huddle/leases/documents-43",
    ".claude/.huddle/leases/session-s1",
    ".claude/.huddle/leases/state",
];

type Plant = Box<dyn Fn(&AttackedProject, &str)>;
type PlantAt = fn(&AttackedProject, &str);

/// Returns files that are forged for a directory of leases.
fn leases() -> Vec<(String, Plant)> {
    let held = |until: &str| {
        json!({"owner": "mallory", "taken_at": "2025-11-29T14:30:52Z", "expires_at": until, "released": false})
            .to_string()
    };
    let released = json!({"released": true}).to_string();
    let files = [
        ("until 9999", "000000000099", held("9999-01-01T00:00:00Z")),
        ("ten years ahead", "000000000099", held("2036-11-29T15:35:00Z")),
        ("until a year with five digits", "000000000099", held("99999-01-01T00:00:00Z")),
        ("released as u64::MAX", "18446744073709551615", released.clone()),
        ("held as u64::MAX", "18446744073709551615", held("9999-01-01T00:00:00Z")),
        ("one before u64::MAX", "18446744073709551614", held("2025-11-29T14:33:00Z")),
        ("more digits than u64 has", "99999999999999999999999", released.clone()),
        ("the last number of twelve digits", "999999999999", released.clone()),
        ("the last number", "099999999998", released),
        ("an empty file", "000000000099", String::new()),
        ("garbage", "000000000099", "\u{0}\u{1b}[2J{".to_owned()),
        ("nested deeply", "000000000099", "[".repeat(200_000)),
        (
            "an owner of a megabyte",
            "000000000099",
            held("9999-01-01T00:00:00Z").replace("mallory", &"m".repeat(1 << 20)),
        ),
    ];
    let mut cases: Vec<(String, Plant)> = Vec::new();
    for (what, number, text) in files {
        let plant = move |project: &AttackedProject, dir: &str| project.write(&format!("{dir}/{number}"), &text);
        cases.push((what.to_owned(), Box::new(plant)));
    }
    let odd: [(&str, PlantAt); 5] = [
        ("a named pipe", |project, path| project.make_fifo(path)),
        ("a directory", |project, path| project.make_dir(path)),
        ("a loop", |project, path| project.link(path, project.path(path))),
        ("a link out", |project, path| project.link(path, project.outside("secret.json"))),
        ("3 GB", |project, path| project.make_sparse(path, 3 << 30)),
    ];
    for (what, plant) in odd {
        let plant = move |project: &AttackedProject, dir: &str| plant(project, &format!("{dir}/000000000099"));
        cases.push((what.to_owned(), Box::new(plant)));
    }
    // A clock that is ahead takes a lease, and is stopped. To wait for half a minute would be to fail.
    for (what, ahead) in [("an hour ahead", 3605), ("a minute ahead", 65), ("half a minute ahead", 35)] {
        let plant = move |project: &AttackedProject, dir: &str| {
            let now = std::time::UNIX_EPOCH.elapsed().expect("it is after 1970").as_secs();
            let until = jiff::Timestamp::from_second(now as i64 + ahead).expect("it is before 9999");
            project.write(&format!("{dir}/000000000099"), held(&until.to_string()));
        };
        cases.push((what.to_owned(), Box::new(plant)));
    }
    cases
}

/// Returns forged files that are no leases: registries, send keys, logs of what was listed, archives.
fn other_files() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let key = json!({"tx": TX, "contents": 0, "steps": [], "key": [format!(".huddle/keys/{TX}.json"), "f"],
        "note": {"by": "ann", "at": "2025-11-29T14:30:52Z", "message": "../../x", "messages": 1, "direct": {}}});
    let strange = json!({"agents": {"../../x": {"role": 1}, "ann": {"role": 1}, "bob": {"capabilities": {}},
        "cyd": {"message_count": u64::MAX}, "eve": "x"},
        "message_count": "x", "event_subscriptions": [], "huddle_counted": [1, "x"]});
    vec![
        ("an empty registry", ".agent-messages/registry.json", Vec::new()),
        ("a registry of another kind", ".agent-messages/registry.json", b"[]".to_vec()),
        ("a strange registry", ".agent-messages/registry.json", strange.to_string().into_bytes()),
        ("a registry of 100 MB", ".agent-messages/registry.json", b"0,".repeat(50 << 20)),
        ("a torn registry", ".agent-messages/registry.json", b"{\"agents\": {\"ann\": {\"ro".to_vec()),
        ("a routing table of another kind", ".agent-messages/routing.json", b"\xff".to_vec()),
        ("a key", ".agent-messages/.huddle/keys/019ad00000007000800000000000000a.json", key.to_string().into_bytes()),
        ("an empty key", ".agent-messages/.huddle/keys/019ad00000007000800000000000000a.json", Vec::new()),
        ("a log of garbage", ".agent-messages/.huddle/offered/bob.log", b"\xff\0\n../../x\n9999\n".repeat(1000)),
        ("a log of 70 MB", ".agent-messages/.huddle/offered/bob.log", b"x\n".repeat(35 << 20)),
        ("a stamp", ".agent-messages/.huddle/origin/1", Vec::new()),
        ("an archive that is a file", ".agent-messages/archive/2025-11-29", b"x".to_vec()),
        ("an archive with a strange date", ".agent-messages/archive/\u{1b}[2J/inbox/bob/msg_1.json", b"{}".to_vec()),
        ("a damaged archive", ".agent-messages/archive/2025-11-29/inbox/bob/msg_1.json", b"{".to_vec()),
        ("an inbox that is a file", ".agent-messages/inbox/eve", b"x".to_vec()),
        ("an inbox with a strange name", ".agent-messages/inbox/\u{1b}[2J/msg_1.json", b"{}".to_vec()),
        ("a context of another kind", ".agent-messages/shared-context/x.md", b"\xff\xfe".to_vec()),
        ("a handoff without metadata", ".agent-messages/handoffs/x/HANDOFF.md", b"x".to_vec()),
        ("a handoff with strange metadata", ".agent-messages/handoffs/x/metadata.json", b"[1]".to_vec()),
        ("a session that is a file", ".claude/agents/context/x", b"x".to_vec()),
        ("a strange session", ".claude/agents/context/x/coordination.json", b"{\"agents\": [1]}".to_vec()),
        ("settings of another kind", ".claude/config/orchestrator-settings.json", b"[\xff".to_vec()),
    ]
}

/// Plants every forged lease in every directory of leases, and every other file that Huddle keeps for itself.
pub fn forged_leases(target: &dyn Target) -> Counts {
    let template = Template::new(target);
    let mut audit = Audit::new(target);
    for (what, plant) in leases() {
        for dir in LEASES {
            audit.begin(format!("{dir}: {what}"));
            let project = template.copy();
            plant(&project, dir);
            run_all(&mut audit, &project);
        }
    }
    for (what, path, bytes) in other_files() {
        audit.begin(what);
        let project = template.copy();
        project.write(path, bytes);
        run_all(&mut audit, &project);
        for command in
            ["agents", "threads", "read {old} --peek --as bob", "handoff list", "session list", "archive --before 0s"]
        {
            audit.run(&project, command, Expect::Success);
        }
    }
    audit.finish()
}

fn run_all(audit: &mut Audit<'_>, project: &AttackedProject) {
    for command in COMMANDS {
        audit.run(project, command, Expect::Success);
    }
    audit.check_leaks(project);
}
