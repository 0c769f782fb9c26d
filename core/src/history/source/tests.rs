use super::*;

fn check(paths: &[&str], wanted: &[&str]) {
    let roots = roots_of(paths.iter().copied());
    let shown = paths.iter().map(|path| {
        let (role, root) = role_of(path, &roots, false);
        let root = root.map_or("", |root| roots[root].kind.as_str());
        format!("{root}: {role:?}")
    });
    assert_eq!(shown.collect::<Vec<_>>(), wanted);
}

#[test]
fn a_mailbox_is_known_by_its_name_or_by_its_registry() {
    check(
        &[
            "p/.agent-messages/registry.json",
            "p/.agent-messages/inbox/bob/m.json",
            "p/.agent-messages/inbox/bob/m.json.read",
            "p/.agent-messages/archive/2025-11-29/inbox/bob/m.json",
            "p/.agent-messages/outbox/m_to_bob.json",
            "p/.agent-messages/inbox/bob/notes.txt",
        ],
        &[
            "mailbox: Registry",
            "mailbox: Mail(Inbox(\"bob\"))",
            "mailbox: Marker(Read)",
            "mailbox: Mail(Archive(\"bob\"))",
            "mailbox: Mail(Outbox(\"bob\"))",
            "mailbox: Ignored(\"it is no message and does not belong here\")",
        ],
    );
    check(&["registry.json", "events/E/e.json"], &["mailbox: Registry", "mailbox: Mail(Record)"]);
}

#[test]
fn sessions_state_and_teams_are_known_by_their_files() {
    check(
        &[
            ".claude/agents/context/s1/messages.jsonl",
            ".claude/agents/context/s1/reports/a.json",
            ".claude/agents/context/s1/data/x.bin",
            ".claude/state/decisions.jsonl",
            ".claude/state/shared-context.json",
        ],
        &[
            "session: Log",
            "session: Report(\"a\")",
            "session: Artifact",
            "shared state: Log",
            "shared state: SharedState",
        ],
    );
    check(&["x/coordination.json", "x/messages.jsonl"], &["session: Coordination", "session: Log"]);
    check(
        &["teams/red/inboxes/lead.json", "teams/red/config.json"],
        &["team: TeamInbox(\"lead\")", "team: Known(\"the team's settings\")"],
    );
    check(
        &["teams/red/inboxes/lead.json", "tasks/red/1.json", "tasks/blue/1.json"],
        &["team: TeamInbox(\"lead\")", ": TeamTask(\"red\")", ": Records"],
    );
    check(&["inboxes/lead.json"], &["team: TeamInbox(\"lead\")"]);
}

#[test]
fn other_files_are_recognized_by_extension() {
    check(
        &["a.jsonl", "b.json", "e.log", "c.txt", "d"],
        &[
            ": Log",
            ": Records",
            ": Unsure",
            ": Ignored(\"by its name it is neither JSON nor a log\")",
            ": Ignored(\"by its name it is neither JSON nor a log\")",
        ],
    );
}

#[test]
fn a_directory_is_read_whole_if_it_has_no_protocol_or_was_named_with_settings() {
    let check = |dirs: &[&str], is_named: bool, wanted: &[&str]| {
        assert_eq!(kept_dirs(|name| dirs.contains(&name), is_named), wanted, "{dirs:?} {is_named}");
    };
    check(&["src", ".git"], true, &[]);
    check(&[".agent-messages", "src"], true, &[".agent-messages"]);
    check(&[".claude", "src"], true, &[]);
    check(&[".claude", ".agent-messages"], true, &[]);
    check(&[".claude", ".agent-messages"], false, &[".agent-messages", ".claude"]);
}

#[test]
fn files_of_readable_endings_are_read_wherever_they_lie() {
    for ending in READ_ENDINGS {
        assert!(role_of(&format!("runs/a{ending}"), &[], false).0.is_read(), "{ending}");
    }
}
