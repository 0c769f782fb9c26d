//! The commands that are run after something was planted, and what each of them concerns.

/// A command, as words separated by spaces, and the topics that it concerns.
///
/// When something is planted in the place of a topic, a command that concerns it may fail; all others have to work.
pub(crate) type Topical = (&'static str, &'static str);

/// Looks at everything, changes nothing, and needs nothing to be written.
pub(crate) const READING: &[Topical] = &[
    ("agents", ""),
    ("inbox --peek --as bob", "bob"),
    ("inbox --count --as bob", "bob"),
    ("read {m} --peek --as bob", "bob"),
    ("read {old} --peek --as bob", "bob archive"),
    ("context list", ""),
    ("context show api", "api"),
    ("handoff list", ""),
    ("handoff show {h}", "handoff"),
    ("handoff artifact {h} notes.txt", "handoff"),
    ("threads", ""),
    ("thread {q}", "bob"),
    ("summary {q}", "bob"),
    ("trace {q}", "bob"),
    ("report broadcast {b}", "broadcasts"),
    ("dead-letters", ""),
    ("check", ""),
    ("history", ""),
    ("timeline", ""),
    ("search Port", ""),
    ("search canary", ""),
    ("export --to jsonl", ""),
    ("export --to markdown", ""),
    ("session list", ""),
    ("session status --id s1", "s1"),
    ("session events --id s1", "s1 log"),
    ("session report list --id s1", "s1"),
    ("session data list --id s1", "s1 log data"),
    ("state show", "state"),
];

/// Changes something of everything; what takes things away comes last.
pub(crate) const WRITING: &[Topical] = &[
    ("inbox --as bob", "bob"),
    ("read {q} --as bob", "journal bob ann outbox"),
    ("reply {q} --body 80 --as bob", "journal bob ann outbox"),
    ("ack {m} --as bob", "journal bob ann outbox"),
    ("send bob Next --as ann", "journal bob outbox"),
    ("send cyd Next --as ann", "journal cyd outbox"),
    ("send cyd Keyed --key k2 --as ann", "journal keys cyd outbox"),
    ("broadcast News --body all --as ann", "journal bob cyd broadcasts"),
    ("publish Done --as ann --data 2", "journal cyd events"),
    ("subscribe Done --as ann", "leases"),
    ("heartbeat --as ann", "leases"),
    ("register dan --role builder", "leases dan"),
    ("context create notes text --as ann", "journal leases contexts"),
    ("context update api more --as ann", "journal api bob cyd broadcasts"),
    ("handoff create bob --task Other --as ann", "journal handoffs bob outbox"),
    ("handoff accept {h} --as bob", "journal handoff ann outbox"),
    ("session log ann status --message more --id s1", "s1 log"),
    ("session progress ann half --id s1", "claude-journal s1 log"),
    ("session data put e {} --id s1 --from ann", "claude-journal s1 log data"),
    ("session complete ann --id s1", "claude-journal s1 log"),
    ("state decide No --as ann", "claude-journal state"),
    ("sweep", "journal leases inboxes"),
    ("archive --before 0s", "journal leases inboxes archive outbox broadcasts events"),
    ("deregister cyd", "leases cyd"),
];

/// Returns whether what was planted in the place of `planted` topics may make a command of `topics` fail.
pub(crate) fn concerns(topics: &str, planted: &str) -> bool {
    topics.split(' ').any(|topic| !topic.is_empty() && planted.split(' ').any(|other| other == topic))
}
