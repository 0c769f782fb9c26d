//! Looking needs no writing: the project is opened for reading alone, while a change waits in its journal.

use huddle_attacks::{AttackedProject, Template};
use huddle_tests::{Run, artifact};

use super::Component;

/// What people and agents look at.
const LOOKING: &[&str] = &[
    "inbox --peek --as bob",
    "inbox --count --as bob",
    "inbox --as bob",
    "read {m} --peek --as bob",
    "agents",
    "threads",
    "thread {q}",
    "trace {q}",
    "check",
    "history",
    "timeline",
    "search Port",
    "context list",
    "context show api",
    "handoff list",
    "handoff show {h}",
    "session list",
    "session status --id s1",
    "session events --id s1",
    "state show",
    "dead-letters",
];

/// Leaves a change in the journal: an inbox could not be written when it was made.
fn leave_entry(project: &AttackedProject) {
    project.write(".agent-messages/inbox/cyd", "in the way");
    let sent = project.run(&Component, &["send", "cyd", "Waiting", "--as", "ann"]);
    assert_ne!(sent.code, 0, "{sent:?}");
    project.make_dir(".agent-messages/inbox/cyd");
}

#[test]
fn looking_works_on_a_read_only_disk() {
    let project = Template::new(&Component).copy();
    leave_entry(&project);
    // Older than any process that could still be at it.
    std::thread::sleep(std::time::Duration::from_millis(600));
    for command in LOOKING {
        let words: Vec<String> = command.split(' ').map(|word| project.filled(word)).collect();
        let guest = artifact::component().unwrap_or_else(|error| panic!("{error:#}"));
        let run = Run::new(guest).dir_to_read(project.root(), ".").args(words);
        let outcome = run.start().unwrap_or_else(|error| panic!("{error:#}"));
        let is_report = *command == "check" && outcome.stdout.contains("stuck-change");
        assert!(outcome.code == 0 || is_report, "{command}: {outcome:?}");
        assert!(!outcome.stdout.is_empty() || *command == "search Port", "{command}: {outcome:?}");
    }
    project.run(&Component, &["agents"]);
    let listed = project.run(&Component, &["inbox", "--as", "cyd"]);
    assert!(listed.out.contains("Waiting"), "it is carried out when it can be: {listed:?}");
    println!("{} commands looked at a read-only disk", LOOKING.len());
}
