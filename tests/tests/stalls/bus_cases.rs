//! The commands that change the bus.

use anyhow::{Context, Result, ensure};
use huddle_tests::Project;
use serde_json::Value;

use super::cases::{Case, Meeting, any};
use super::view::View;

fn bus(project: &Project) -> Result<String> {
    Project::with_agents(project.root(), &["ann", "bob", "cid"])?;
    // What was there before must not suffer either.
    project.json("cid", &["send", "ann,bob", "before", "--body", "{\"n\":0}"])?;
    Ok(String::new())
}

fn id_of(answer: &Value) -> Result<String> {
    Ok(answer["id"].as_str().context("an answer has an id")?.to_owned())
}

/// Has Ann ask Bob something, and returns the id.
fn question(project: &Project) -> Result<String> {
    bus(project)?;
    id_of(&project.json("ann", &["send", "bob", "question", "--needs-reply", "--body", "{\"n\":1}"])?)
}

fn document(project: &Project) -> Result<String> {
    bus(project)?;
    project.json("ann", &["context", "create", "api", "# Contracts"])?;
    Ok(String::new())
}

fn handoff(project: &Project) -> Result<String> {
    bus(project)?;
    id_of(&project.json("ann", &["handoff", "create", "bob", "--task", "the task"])?)
}

fn is_registered(view: &View, agent: &str) -> u64 {
    u64::from(view.json(".agent-messages/registry.json")["agents"].get(agent).is_some())
}

/// Counts the acknowledgments that Ann has, and the marks of Bob's reading.
fn acknowledged(view: &View) -> u64 {
    view.copies("ann").iter().filter(|(_, message)| message["message_type"] == "acknowledgment").count() as u64
}

fn marked(view: &View) -> u64 {
    view.paths("/inbox/bob/").filter(|path| path.ends_with(".json.read")).count() as u64
}

fn handoffs(view: &View, task: &str) -> u64 {
    view.paths("/handoffs/").filter(|path| path.ends_with("HANDOFF.md") && view.text(path).contains(task)).count()
        as u64
}

fn is_decided(view: &View, status: &str) -> u64 {
    view.paths("/handoffs/")
        .filter(|path| path.ends_with("metadata.json") && view.json(path)["status"] == status)
        .count() as u64
}

fn told_of(view: &View, kind: &str) -> u64 {
    view.copies("ann").iter().filter(|(_, message)| message["message_type"] == kind).count() as u64
}

const SEND_RIVALS: &[(&str, &[&str])] =
    &[("cid", &["send", "bob", "rival"]), ("cid", &["register", "dan", "--role", "new"])];

pub(crate) static INIT: Case = Case {
    name: "init",
    agent: "ann",
    prepare: |_| Ok(String::new()),
    command: &["init"],
    rivals: &[("cid", &["init"]), ("cid", &["register", "cid", "--role", "new"])],
    meeting: Meeting::Same,
    own: &[],
    others: &[("cid", |view| is_registered(view, "cid"))],
    answers: any,
};

pub(crate) static REGISTER: Case = Case {
    name: "register",
    agent: "eve",
    prepare: bus,
    command: &["register", "eve", "--role", "slow"],
    rivals: SEND_RIVALS,
    meeting: Meeting::Beside,
    own: &[("eve", |view| is_registered(view, "eve"))],
    others: &[("dan", |view| is_registered(view, "dan")), ("bob's inbox", |view| view.received("bob", "rival"))],
    answers: any,
};

pub(crate) static SEND: Case = Case {
    name: "send",
    agent: "ann",
    prepare: bus,
    command: &["send", "bob,cid", "slow", "--body", "{\"n\":1}"],
    rivals: SEND_RIVALS,
    meeting: Meeting::Beside,
    own: &[("bob's inbox", |view| view.received("bob", "slow")), ("cid's inbox", |view| view.received("cid", "slow"))],
    others: REGISTER.others,
    answers: any,
};

pub(crate) static SEND_WITH_A_KEY: Case = Case {
    name: "send --key",
    agent: "ann",
    prepare: bus,
    command: &["send", "bob", "keyed", "--key", "k1"],
    rivals: &[("ann", &["send", "bob", "keyed", "--key", "k1"]), ("cid", &["send", "bob", "rival"])],
    meeting: Meeting::Same,
    own: &[("bob's inbox", |view| view.received("bob", "keyed")), ("outbox", |view| view.recorded("keyed"))],
    others: &[("bob's inbox", |view| view.received("bob", "rival"))],
    answers: |answers| {
        let first = answers.iter().filter(|answer| answer["id"] == answers[0]["id"]).count();
        ensure!(first == 2, "two are told of one message: {answers:?}");
        Ok(())
    },
};

pub(crate) static BROADCAST: Case = Case {
    name: "broadcast",
    agent: "ann",
    prepare: bus,
    command: &["broadcast", "slow"],
    rivals: &[("cid", &["broadcast", "rival"])],
    meeting: Meeting::Beside,
    own: &[
        ("broadcasts", |view| view.recorded("slow")),
        ("bob's inbox", |view| view.received("bob", "slow")),
        ("cid's inbox", |view| view.received("cid", "slow")),
    ],
    others: &[
        ("broadcasts", |view| view.recorded("rival")),
        ("ann's inbox", |view| view.received("ann", "rival")),
        ("bob's inbox", |view| view.received("bob", "rival")),
    ],
    answers: any,
};

fn events(view: &View, text: &str) -> u64 {
    view.copies("bob").iter().filter(|(_, message)| message.to_string().contains(&format!("\"{text}\""))).count() as u64
}

pub(crate) static PUBLISH: Case = Case {
    name: "publish",
    agent: "ann",
    prepare: |project| {
        bus(project)?;
        project.json("bob", &["subscribe", "TaskCompleted"])?;
        Ok(String::new())
    },
    command: &["publish", "TaskCompleted", "--data", "{\"task\":\"slow\"}"],
    rivals: &[("cid", &["publish", "TaskCompleted", "--data", "{\"task\":\"rival\"}"])],
    meeting: Meeting::Beside,
    own: &[("bob's inbox", |view| events(view, "slow"))],
    others: &[("bob's inbox", |view| events(view, "rival"))],
    answers: any,
};

pub(crate) static READ: Case = Case {
    name: "read",
    agent: "bob",
    prepare: question,
    command: &["read", "{id}"],
    rivals: &[("bob", &["read", "{id}"])],
    meeting: Meeting::Same,
    own: &[("ann's inbox", acknowledged), ("marker", marked)],
    others: &[],
    answers: |answers| {
        let first = answers.iter().filter(|answer| answer["firstRead"] == true).count();
        ensure!(first == 1, "one of the readers is told to be the first: {answers:?}");
        Ok(())
    },
};

pub(crate) static READ_PLAIN: Case = Case {
    name: "read, no reply needed",
    prepare: |project| {
        bus(project)?;
        id_of(&project.json("cid", &["send", "bob", "plain"])?)
    },
    rivals: &[("cid", &["send", "bob", "rival"])],
    meeting: Meeting::Beside,
    own: &[("marker", marked)],
    others: &[("rival", |view| view.received("bob", "rival"))],
    answers: |answers| {
        let first = answers.iter().filter(|answer| answer["firstRead"] == true).count();
        ensure!(first == 1, "the reader is told to be the first: {answers:?}");
        Ok(())
    },
    ..READ
};

pub(crate) static REPLY: Case = Case {
    name: "reply",
    agent: "bob",
    prepare: question,
    command: &["reply", "{id}", "--body", "{\"n\":\"slow\"}"],
    rivals: &[("cid", &["send", "ann", "rival"]), ("bob", &["ack", "{id}"])],
    meeting: Meeting::Beside,
    own: &[("ann's inbox", |view| view.received("ann", "Re: question"))],
    others: &[
        ("ann's inbox", |view| view.received("ann", "rival")),
        ("the acknowledgment", acknowledged),
        ("marker", marked),
    ],
    answers: any,
};

pub(crate) static ACK: Case = Case {
    name: "ack",
    agent: "bob",
    prepare: question,
    command: &["ack", "{id}"],
    rivals: &[("bob", &["ack", "{id}"])],
    meeting: Meeting::Same,
    own: &[("ann's inbox", acknowledged), ("marker", marked)],
    others: &[],
    answers: any,
};

pub(crate) static CONTEXT_CREATE: Case = Case {
    name: "context create",
    agent: "ann",
    prepare: bus,
    command: &["context", "create", "api", "slow"],
    rivals: &[("cid", &["context", "create", "api", "rival"])],
    meeting: Meeting::Instead,
    own: &[("the text", |view| view.context_lines("slow"))],
    others: &[("the text", |view| view.context_lines("rival"))],
    answers: any,
};

pub(crate) static CONTEXT_UPDATE: Case = Case {
    name: "context update",
    agent: "ann",
    prepare: document,
    command: &["context", "update", "api", "slow"],
    rivals: &[("cid", &["context", "update", "api", "rival"]), ("bob", &["context", "update", "api", "another"])],
    meeting: Meeting::Beside,
    own: &[("the text", |view| view.context_lines("slow"))],
    others: &[
        ("the text", |view| view.context_lines("rival")),
        ("the other text", |view| view.context_lines("another")),
    ],
    answers: any,
};

pub(crate) static HANDOFF_CREATE: Case = Case {
    name: "handoff create",
    agent: "ann",
    prepare: bus,
    command: &["handoff", "create", "bob", "--task", "slow-task"],
    rivals: &[("cid", &["handoff", "create", "bob", "--task", "rival-task"])],
    meeting: Meeting::Beside,
    own: &[
        ("the package", |view| handoffs(view, "slow-task")),
        ("the notice", |view| view.received("bob", "Handoff ready: slow-task")),
    ],
    others: &[
        ("the package", |view| handoffs(view, "rival-task")),
        ("the notice", |view| view.received("bob", "Handoff ready: rival-task")),
    ],
    answers: any,
};

pub(crate) static HANDOFF_ACCEPT: Case = Case {
    name: "handoff accept",
    agent: "bob",
    prepare: handoff,
    command: &["handoff", "accept", "{id}"],
    rivals: &[("bob", &["handoff", "decline", "{id}", "--reason", "no"])],
    meeting: Meeting::Instead,
    own: &[
        ("the package", |view| is_decided(view, "accepted")),
        ("the notice", |view| told_of(view, "handoff_accepted")),
    ],
    others: &[
        ("the package", |view| is_decided(view, "declined")),
        ("the notice", |view| told_of(view, "handoff_declined")),
    ],
    answers: any,
};

pub(crate) static HANDOFF_DECLINE: Case = Case {
    name: "handoff decline",
    command: HANDOFF_ACCEPT.rivals[0].1,
    rivals: &[("bob", &["handoff", "accept", "{id}"])],
    own: HANDOFF_ACCEPT.others,
    others: HANDOFF_ACCEPT.own,
    ..HANDOFF_ACCEPT
};

pub(crate) static ARCHIVE: Case = Case {
    name: "archive --unread",
    agent: "ann",
    prepare: |project| {
        bus(project)?;
        project.json("bob", &["context", "create", "api", "# Contracts"])?;
        id_of(&project.json("cid", &["send", "bob", "plain"])?)
    },
    command: &["archive", "--unread", "--before", "0s"],
    rivals: &[
        ("bob", &["inbox", "--all"]),
        ("cid", &["send", "bob", "rival"]),
        ("cid", &["context", "update", "api", "rival"]),
    ],
    meeting: Meeting::Beside,
    own: &[],
    others: &[
        ("plain", |view| view.received("bob", "plain")),
        ("before, of bob", |view| view.received("bob", "before")),
        ("before, of ann", |view| view.received("ann", "before")),
        ("rival", |view| view.received("bob", "rival")),
        ("the text", |view| view.context_lines("rival")),
    ],
    answers: any,
};

pub(crate) static SWEEP: Case = Case {
    name: "sweep",
    agent: "ann",
    prepare: question,
    command: &["sweep", "--timeout", "0", "--attempts", "1"],
    rivals: &[("bob", &["read", "{id}"]), ("cid", &["send", "bob", "rival"])],
    meeting: Meeting::Beside,
    own: &[],
    others: &[
        ("question", |view| view.received("bob", "question")),
        ("the acknowledgment", acknowledged),
        ("marker", marked),
        ("rival", |view| view.received("bob", "rival")),
    ],
    answers: any,
};
