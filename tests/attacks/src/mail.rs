//! Files in an inbox that cannot be read: each costs itself.

use serde_json::Value;

use crate::audit::{Audit, Expect};
use crate::commands::{READING, WRITING};
use crate::{AttackedProject, Counts, Target, Template};

const INBOX: &str = ".agent-messages/inbox/bob";

/// A poisoned file: what it is, what is shown of its name, and how it is planted.
type Poison = (&'static str, &'static str, fn(&AttackedProject));

/// The files that `inbox` and `check` have to name.
const POISONS: &[Poison] = &[
    ("a link out", "msg_poison.json", |project| project.link(&at("msg_poison.json"), project.outside("secret.json"))),
    ("a link to a directory outside", "msg_poison.json", |project| {
        project.link(&at("msg_poison.json"), project.outside("dir"));
    }),
    ("a link to another message", "msg_poison.json", |project| {
        project.link(&at("msg_poison.json"), project.path(&at("{m}.json")));
    }),
    ("a loop", "msg_poison.json", |project| project.link(&at("msg_poison.json"), project.path(&at("msg_poison.json")))),
    ("a socket", "msg_poison.json", |project| project.make_socket(&at("msg_poison.json"))),
    ("a named pipe", "msg_poison.json", |project| project.make_fifo(&at("msg_poison.json"))),
    ("a directory", "msg_poison.json", |project| project.write(&at("msg_poison.json/x"), "x")),
    ("3 GB", "msg_poison.json", |project| project.make_sparse(&at("msg_poison.json"), 3 << 30)),
    ("100 MB of numbers", "msg_poison.json", |project| {
        project.write(&at("msg_poison.json"), [&b"[0"[..], &b",0".repeat(50 << 20), b"]"].concat());
    }),
    ("20 MB of numbers", "msg_poison.json", |project| {
        project.write(&at("msg_poison.json"), [&b"{\"payload\":[0"[..], &b",0".repeat(10 << 20), b"]}"].concat());
    }),
    ("no JSON", "msg_poison.json", |project| project.write(&at("msg_poison.json"), b"\xff\0")),
    ("a name that is not UTF-8", "\u{fffd}", |project| project.write_non_utf8(INBOX, ".json", b"{}")),
    ("a name with an escape", "[2J.json", |project| project.write(&at("msg_\u{1b}[2J.json"), "{}")),
];

/// Files beside a message that has nothing wrong with it.
const MARKERS: &[Poison] = &[
    ("a named pipe as marker", "", |project| project.make_fifo(&at("{m}.json.read"))),
    ("a link out as marker", "", |project| project.link(&at("{m}.json.read"), project.outside("secret.json"))),
    ("a directory as marker", "", |project| project.make_dir(&at("{m}.json.read"))),
    ("3 GB as marker", "", |project| project.make_sparse(&at("{m}.json.read"), 3 << 30)),
    ("a named pipe as note", "", |project| project.make_fifo(&at("{m}.json.redelivered"))),
    ("a directory as note", "", |project| project.make_dir(&at("{m}.json.redelivered"))),
    ("a named pipe as log", "", |project| project.make_fifo(".agent-messages/.huddle/offered/bob.log")),
    ("a directory as log", "", |project| project.make_dir(".agent-messages/.huddle/offered/bob.log")),
    ("a named pipe as orphaned marker", "", |project| project.make_fifo(&at("msg_gone.json.read"))),
];

fn at(name: &str) -> String {
    format!("{INBOX}/{name}")
}

/// Plants every poisoned file and runs every command: all of them have to work, and to name the file.
pub fn poisoned_inboxes(target: &dyn Target) -> Counts {
    let template = Template::new(target);
    let mut audit = Audit::new(target);
    for (what, name, plant) in POISONS.iter().chain(MARKERS) {
        audit.begin(*what);
        let project = template.copy();
        plant(&project);
        for command in ["inbox --peek --as bob", "inbox --peek --json --as bob", "check", "threads"] {
            let ran = audit.run(&project, command, Expect::Success);
            let is_named = ran.err.contains(name) || ran.out.contains(name);
            audit.check(is_named, || format!("`{command}` does not name {name}: {}{}", ran.out, ran.err));
        }
        let listed = audit.run(&project, "inbox --all --json --as bob", Expect::Success).out;
        let listed: Value = serde_json::from_str(&listed).unwrap_or_default();
        // Port?, Plain, the broadcast and the notice of a handoff.
        let count = listed["notifications"].as_array().map_or(0, Vec::len);
        audit.check(count == 4, || format!("{count} of 4 messages are listed: {listed}"));
        for (command, _) in READING.iter().chain(WRITING) {
            audit.run(&project, command, Expect::Success);
        }
        audit.check_leaks(&project);
    }
    audit.finish()
}
