//! Symbolic links out of the project, in the place of every file and directory that Huddle keeps.

use crate::audit::{Audit, Expect};
use crate::commands::{READING, WRITING, concerns};
use crate::project::TX;
use crate::{AttackedProject, Counts, Extent, Target, Template};

/// What a planted link leads to.
#[derive(Debug, Clone, Copy)]
enum Leads {
    /// A file with the secret.
    ToFile,
    /// A directory with the secret.
    ToDir,
    /// A name that is free: whoever follows the link creates a file there.
    Nowhere,
}

use Leads::{Nowhere, ToDir, ToFile};

/// Links, and the topics that may fail because the thing itself is gone.
const PLANTS: &[(Leads, &str, &str)] = &[
    (ToFile, ".agent-messages/registry.json", ""),
    (Nowhere, ".agent-messages/registry.json", ""),
    (ToFile, ".agent-messages/routing.json", ""),
    (ToFile, ".agent-messages/inbox/bob/msg_evil.json", ""),
    (ToFile, ".agent-messages/inbox/bob/{m}.json", "bob"),
    (ToFile, ".agent-messages/inbox/bob/{m}.json.read", ""),
    (Nowhere, ".agent-messages/inbox/bob/{q}.json.read", ""),
    (ToFile, ".agent-messages/inbox/bob/{m}.json.redelivered", ""),
    (ToFile, ".agent-messages/inbox/bob/msg_evil.json.read", ""),
    (ToFile, ".agent-messages/outbox/msg_evil_to_bob.json", ""),
    (ToFile, ".agent-messages/broadcasts/msg_evil.json", ""),
    (ToFile, ".agent-messages/events/Done/msg_evil.json", ""),
    (ToFile, ".agent-messages/archive/2025-11-29/inbox/bob/msg_evil.json", ""),
    (ToFile, ".agent-messages/archive/2025-11-29/outbox/msg_evil_to_bob.json", ""),
    (ToFile, ".agent-messages/archive/2025-11-29", ""),
    (ToFile, ".agent-messages/dead-letters/bob/msg_evil.json", ""),
    (ToFile, ".agent-messages/dead-letters/bob/msg_evil.json.dead", ""),
    (ToFile, ".agent-messages/shared-context/evil.md", ""),
    (ToFile, ".agent-messages/shared-context/api.md", "api"),
    (ToFile, ".agent-messages/shared-context/api.md.lock", ""),
    (Nowhere, ".agent-messages/shared-context/api.md.lock", ""),
    (ToFile, ".agent-messages/handoffs/{h}/HANDOFF.md", "handoff"),
    (ToFile, ".agent-messages/handoffs/{h}/metadata.json", "handoff"),
    (ToFile, ".agent-messages/handoffs/{h}/artifacts/notes.txt", "handoff"),
    (ToDir, ".agent-messages/handoffs/evil", ""),
    (ToFile, ".agent-messages/.huddle/work/{tx}.json", ""),
    (ToFile, ".agent-messages/.huddle/work/{tx}.0", ""),
    (ToFile, ".agent-messages/.huddle/work/{tx}.part", ""),
    (ToFile, ".agent-messages/.huddle/keys/{tx}.json", ""),
    (ToFile, ".agent-messages/.huddle/leases/registry/000000000099", ""),
    (Nowhere, ".agent-messages/.huddle/leases/registry/000000000099", ""),
    (ToFile, ".agent-messages/.huddle/leases/documents-43/000000000099", ""),
    (ToFile, ".agent-messages/.huddle/offered/bob.log", ""),
    (Nowhere, ".agent-messages/.huddle/offered/bob.log", ""),
    (ToFile, ".agent-messages/.huddle/origin/1", ""),
    (ToFile, ".agent-messages/.huddle/quarantine/evil.json", ""),
    (ToDir, ".agent-messages/inbox", "bob ann cyd dan inboxes"),
    (ToDir, ".agent-messages/inbox/bob", "bob"),
    (ToDir, ".agent-messages/inbox/eve", ""),
    (ToDir, ".agent-messages/outbox", "outbox"),
    (ToDir, ".agent-messages/broadcasts", "broadcasts"),
    (ToDir, ".agent-messages/events", "events"),
    (ToDir, ".agent-messages/events/Done", "events"),
    (ToDir, ".agent-messages/archive", "archive"),
    (ToDir, ".agent-messages/archive/2025-11-29", ""),
    (ToDir, ".agent-messages/dead-letters", ""),
    (ToDir, ".agent-messages/dead-letters/bob", ""),
    (ToDir, ".agent-messages/shared-context", "api contexts"),
    (ToDir, ".agent-messages/handoffs", "handoff handoffs"),
    (ToDir, ".agent-messages/.huddle", "journal leases keys"),
    (ToDir, ".agent-messages/.huddle/work", "journal leases keys"),
    (ToDir, ".agent-messages/.huddle/leases", "leases api handoff"),
    (ToDir, ".agent-messages/.huddle/leases/registry", "leases"),
    (ToDir, ".agent-messages/.huddle/keys", "keys bob"),
    (ToDir, ".agent-messages/.huddle/offered", ""),
    (ToDir, ".agent-messages/.huddle/quarantine", ""),
    (ToDir, ".agent-messages/.huddle/origin", "journal"),
    (ToFile, ".claude/agents/context/s1/coordination.json", "s1"),
    (ToFile, ".claude/agents/context/s1/messages.jsonl", "log"),
    (Nowhere, ".claude/agents/context/s1/messages.jsonl", "log"),
    (ToFile, ".claude/agents/context/s1/reports/ann.json", ""),
    (ToFile, ".claude/agents/context/s1/data/d.json", ""),
    (ToDir, ".claude/agents/context/s1/data", "data"),
    (ToDir, ".claude/agents/context/s1", "s1 log data"),
    (ToDir, ".claude/agents/context/evil", ""),
    (ToDir, ".claude/agents/context", "s1 log data"),
    (ToFile, ".claude/state/shared-context.json", "state"),
    (ToFile, ".claude/state/decisions.jsonl", ""),
    (Nowhere, ".claude/state/decisions.jsonl", ""),
    (ToDir, ".claude/state", "state"),
    (ToFile, ".claude/config/orchestrator-settings.json", ""),
    (ToDir, ".claude/.huddle/work", "claude-journal s1 log state"),
    (ToDir, ".claude/.huddle/leases", "claude-journal s1 log state"),
];

fn plant(project: &AttackedProject, leads: Leads, path: &str) {
    let to = match leads {
        ToFile => "secret.json",
        ToDir => "dir",
        Nowhere => "made-by-following-a-link",
    };
    project.link(&path.replace("{tx}", TX), project.outside(to));
}

/// Plants every link and runs every command.
pub fn links(target: &dyn Target, extent: Extent) -> Counts {
    let template = Template::new(target);
    let mut audit = Audit::new(target);
    for (row, (leads, path, planted)) in PLANTS.iter().enumerate() {
        audit.begin(format!("{path} -> {leads:?}"));
        let project = template.copy();
        plant(&project, *leads, path);
        let commands = READING.iter().chain(WRITING).enumerate();
        for (_, (command, topics)) in commands.filter(|(column, _)| extent.includes(row, *column)) {
            let expect = if concerns(topics, planted) { Expect::Any } else { Expect::Success };
            audit.run(&project, command, expect);
        }
        audit.check_leaks(&project);
    }
    audit.finish()
}
