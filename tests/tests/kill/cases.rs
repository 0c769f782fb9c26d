//! The commands that are stopped, and what each of them leaves when it is done.

use anyhow::{Context, Result};
use huddle_tests::Project;

use crate::kill::snapshot::{AGENTS, Snapshot};

/// A command, the bus it is run on, and how much of its work is there.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) agent: &'static str,
    /// Prepares the bus, and gives the command.
    pub(crate) prepare: fn(&Project) -> Result<Vec<String>>,
    /// Counts each thing that the command makes: all of them once for each time that it is done.
    pub(crate) parts: fn(&Snapshot) -> Vec<(&'static str, u64)>,
    /// Whether the message that is acted on is marked as read, where the command sees to that beside its work.
    pub(crate) marks: Option<fn(&Snapshot) -> bool>,
    /// A command for others to come by with, where it is not the bus that is changed.
    pub(crate) beside: Option<&'static [&'static str]>,
    pub(crate) again: Again,
}

/// What the same command does when its work is there already.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Again {
    /// It does it once more.
    Adds,
    /// It succeeds and changes nothing.
    Same,
    /// It is a conflict.
    Refused,
}

pub(crate) const TEXT: &str = "stopped";
const CONTEXT: &str = "api.md";

pub(crate) fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

pub(crate) fn bus(project: &Project) -> Result<()> {
    Project::with_agents(project.root(), &AGENTS)?;
    // What was there before must not suffer either.
    project.json("cid", &["send", "ann,bob", "before", "--body", "{\"n\":0}"])?;
    project.json("bob", &["broadcast", "before all"])?;
    Ok(())
}

fn id_of(answer: &serde_json::Value) -> Result<String> {
    Ok(answer["id"].as_str().context("an answer has an id")?.to_owned())
}

fn direct(snapshot: &Snapshot) -> Vec<(&'static str, u64)> {
    vec![
        ("bob's inbox", snapshot.in_inbox("bob", "subject", TEXT)),
        ("cid's inbox", snapshot.in_inbox("cid", "subject", TEXT)),
        ("outbox for bob", snapshot.in_outbox("bob", "subject", TEXT)),
        ("outbox for cid", snapshot.in_outbox("cid", "subject", TEXT)),
        ("bob's counter", snapshot.counter("bob")),
        ("cid's counter", snapshot.counter("cid")),
        ("total", snapshot.total()),
    ]
}

pub(crate) fn send() -> Case {
    Case {
        name: "send",
        agent: "ann",
        prepare: |project| {
            bus(project)?;
            Ok(words(&["send", "bob,cid", TEXT, "--body", "{\"n\":1}"]))
        },
        parts: direct,
        marks: None,
        beside: None,
        again: Again::Adds,
    }
}

pub(crate) fn send_with_a_key() -> Case {
    Case {
        name: "send --key",
        prepare: |project| {
            bus(project)?;
            Ok(words(&["send", "bob,cid", TEXT, "--body", "{\"n\":1}", "--key", "k1"]))
        },
        again: Again::Same,
        ..send()
    }
}

pub(crate) fn broadcast() -> Case {
    Case {
        name: "broadcast",
        agent: "ann",
        prepare: |project| {
            bus(project)?;
            Ok(words(&["broadcast", TEXT, "--body", "{\"n\":1}"]))
        },
        parts: |snapshot| {
            vec![
                ("broadcasts", snapshot.in_broadcasts("subject", TEXT)),
                ("bob's inbox", snapshot.in_inbox("bob", "subject", TEXT)),
                ("cid's inbox", snapshot.in_inbox("cid", "subject", TEXT)),
                ("total", snapshot.total()),
            ]
        },
        marks: None,
        beside: None,
        again: Again::Adds,
    }
}

/// Has Ann ask Bob something, and gives the id.
fn question(project: &Project) -> Result<String> {
    bus(project)?;
    id_of(&project.json("ann", &["send", "bob", "question", "--needs-reply", "--body", "{\"n\":1}"])?)
}

/// Returns whether Bob's marker is there for the one message that waits for an answer.
fn question_is_marked(snapshot: &Snapshot) -> bool {
    snapshot.read.iter().any(|(agent, _)| *agent == "bob")
}

pub(crate) fn read() -> Case {
    Case {
        name: "read",
        agent: "bob",
        prepare: |project| Ok(words(&["read", &question(project)?])),
        parts: |snapshot| {
            vec![
                ("ann's inbox", snapshot.in_inbox("ann", "message_type", "acknowledgment")),
                ("outbox for ann", snapshot.in_outbox("ann", "message_type", "acknowledgment")),
                ("ann's counter", snapshot.counter("ann")),
                ("total", snapshot.total()),
            ]
        },
        marks: Some(question_is_marked),
        beside: None,
        again: Again::Same,
    }
}

pub(crate) fn reply() -> Case {
    Case {
        name: "reply",
        agent: "bob",
        prepare: |project| Ok(words(&["reply", &question(project)?, "--body", "{\"n\":2}"])),
        parts: |snapshot| {
            vec![
                ("ann's inbox", snapshot.in_inbox("ann", "subject", "Re: question")),
                ("outbox for ann", snapshot.in_outbox("ann", "subject", "Re: question")),
                ("total", snapshot.total()),
            ]
        },
        marks: Some(question_is_marked),
        beside: None,
        again: Again::Adds,
    }
}

pub(crate) fn context_update() -> Case {
    Case {
        name: "context update",
        agent: "ann",
        prepare: |project| {
            bus(project)?;
            project.json("ann", &["context", "create", "api", "# Contracts"])?;
            Ok(words(&["context", "update", "api", "the text of the update"]))
        },
        parts: |snapshot| {
            let text = snapshot.contexts.get(CONTEXT).map_or("", String::as_str);
            vec![
                ("text", text.matches("the text of the update").count() as u64),
                ("version", text.matches("\n## Update: ").count() as u64),
                ("broadcasts", snapshot.in_broadcasts("message_type", "context_updated")),
                ("bob's notices", snapshot.in_inbox("bob", "message_type", "context_updated")),
                ("cid's notices", snapshot.in_inbox("cid", "message_type", "context_updated")),
                ("total", snapshot.total()),
            ]
        },
        marks: None,
        beside: None,
        again: Again::Adds,
    }
}

const FILES: [(&str, &str); 2] = [("a/part.txt", "one"), ("b/part.txt", "two")];

/// Returns the command that hands over two files of the same name.
fn handing_over(project: &Project) -> Result<Vec<String>> {
    for (path, content) in FILES {
        let path = project.root().join(path);
        std::fs::create_dir_all(path.parent().context("it is in a directory")?)?;
        std::fs::write(path, content)?;
    }
    let [one, two] = FILES.map(|(path, _)| path);
    Ok(words(&["handoff", "create", "bob", "--task", "the task", "--artifact", one, "--artifact", two]))
}

/// Counts the handoffs that have all that belongs to them.
fn whole_packages(snapshot: &Snapshot) -> u64 {
    let documents = ["HANDOFF.md", "metadata.json", "context-links.md", "acceptance-checklist.md"];
    let whole = snapshot.handoffs.values().filter(|files| {
        let artifacts = files.iter().filter(|(name, _)| name.starts_with("artifacts/") && !name.ends_with('/'));
        let mut contents: Vec<&[u8]> = artifacts.map(|(_, bytes)| bytes.as_slice()).collect();
        contents.sort_unstable();
        documents.iter().all(|name| files.get(*name).is_some_and(|bytes| !bytes.is_empty()))
            && contents == FILES.map(|(_, content)| content.as_bytes())
    });
    whole.count() as u64
}

pub(crate) fn handoff_create() -> Case {
    Case {
        name: "handoff create",
        agent: "ann",
        prepare: |project| {
            bus(project)?;
            handing_over(project)
        },
        parts: |snapshot| {
            vec![
                ("directories", snapshot.handoffs.len() as u64),
                ("whole packages", whole_packages(snapshot)),
                ("bob's notices", snapshot.in_inbox("bob", "message_type", "handoff_request")),
                ("outbox for bob", snapshot.in_outbox("bob", "message_type", "handoff_request")),
                ("bob's counter", snapshot.counter("bob")),
                ("total", snapshot.total()),
            ]
        },
        marks: None,
        beside: None,
        again: Again::Adds,
    }
}

pub(crate) fn handoff_accept() -> Case {
    Case {
        name: "handoff accept",
        agent: "bob",
        prepare: |project| {
            bus(project)?;
            let create = handing_over(project)?;
            let create: Vec<&str> = create.iter().map(String::as_str).collect();
            let id = id_of(&project.json("ann", &create)?)?;
            Ok(words(&["handoff", "accept", &id, "--notes", "gladly"]))
        },
        parts: |snapshot| {
            let files = snapshot.handoffs.values().next();
            let mentions = |name: &str, text: &str| {
                let bytes = files.and_then(|files| files.get(name)).cloned().unwrap_or_default();
                String::from_utf8_lossy(&bytes).matches(text).count() as u64
            };
            vec![
                ("metadata", mentions("metadata.json", "\"accepted\"")),
                ("document", mentions("HANDOFF.md", "## Handoff Accepted")),
                ("ann's notices", snapshot.in_inbox("ann", "message_type", "handoff_accepted")),
                ("outbox for ann", snapshot.in_outbox("ann", "message_type", "handoff_accepted")),
                ("ann's counter", snapshot.counter("ann")),
                ("total", snapshot.total()),
            ]
        },
        marks: None,
        beside: None,
        again: Again::Refused,
    }
}
