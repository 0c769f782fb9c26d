//! What lies in a bus's directory, and whether it fits together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result, ensure};
use huddle_tests::Project;
use huddle_tests::changes::collect;
use serde_json::Value;

pub(crate) const AGENTS: [&str; 3] = ["ann", "bob", "cid"];

type Messages = BTreeMap<String, Value>;

/// Everything that agents can see of a bus, read from its files.
pub(crate) struct Snapshot {
    inboxes: BTreeMap<&'static str, Messages>,
    outbox: Messages,
    broadcasts: Messages,
    registry: Value,
    /// The markers of what was read, by agent and id.
    pub(crate) read: BTreeSet<(&'static str, String)>,
    /// The shared contexts and their locks, by file name.
    pub(crate) contexts: BTreeMap<String, String>,
    /// The files of each handoff, by path below its directory.
    pub(crate) handoffs: BTreeMap<String, Files>,
    /// What sessions and shared state consist of, by path below `.claude/`; directories end in a slash.
    pub(crate) claude: Files,
    /// What is in the work directories.
    pub(crate) work: Vec<String>,
}

pub(crate) type Files = BTreeMap<String, Vec<u8>>;

impl Snapshot {
    pub(crate) fn of(project: &Project) -> Result<Self> {
        let mut inboxes = BTreeMap::new();
        let mut read = BTreeSet::new();
        for agent in AGENTS {
            let folder = format!("inbox/{agent}");
            inboxes.insert(agent, project.messages(&folder)?);
            let names = project.names(&folder)?;
            let markers = names.iter().filter_map(|name| name.strip_suffix(".json.read"));
            read.extend(markers.map(|id| (agent, id.to_owned())));
        }
        let mut contexts = BTreeMap::new();
        for name in project.names("shared-context")? {
            let text = fs::read_to_string(project.path("shared-context").join(&name))?;
            contexts.insert(name, text);
        }
        let mut handoffs = BTreeMap::new();
        for id in project.names("handoffs")? {
            let mut found = BTreeMap::new();
            collect(&project.path("handoffs").join(&id), "", &mut found)?;
            handoffs.insert(id, found);
        }
        let mut claude = BTreeMap::new();
        if project.root().join(".claude").exists() {
            collect(&project.root().join(".claude"), "", &mut claude)?;
        }
        let mut work = project.names(".huddle/work")?;
        let entries = claude.keys().filter_map(|path| path.strip_prefix(".huddle/work/"));
        work.extend(entries.filter(|name| !name.is_empty()).map(str::to_owned));
        claude.retain(|path, _| !path.starts_with(".huddle/"));
        Ok(Self {
            inboxes,
            outbox: project.messages("outbox")?,
            broadcasts: project.messages("broadcasts")?,
            registry: project.registry()?,
            read,
            contexts,
            handoffs,
            claude,
            work,
        })
    }

    /// Counts the messages in an inbox that have this value in this field.
    pub(crate) fn in_inbox(&self, agent: &str, field: &str, value: &str) -> u64 {
        self.inboxes.get(agent).map_or(0, |inbox| count(inbox.values(), field, value))
    }

    /// Counts the records of messages to an agent that have this value in this field.
    pub(crate) fn in_outbox(&self, agent: &str, field: &str, value: &str) -> u64 {
        let ending = format!("_to_{agent}");
        count(self.outbox.iter().filter(|(name, _)| name.ends_with(&ending)).map(|(_, record)| record), field, value)
    }

    /// Counts the broadcasts that have this value in this field.
    pub(crate) fn in_broadcasts(&self, field: &str, value: &str) -> u64 {
        count(self.broadcasts.values(), field, value)
    }

    /// Reads the registry's counter of an agent.
    pub(crate) fn counter(&self, agent: &str) -> u64 {
        self.registry["agents"][agent]["message_count"].as_u64().unwrap_or(u64::MAX)
    }

    /// Reads the registry's counter of all messages.
    pub(crate) fn total(&self) -> u64 {
        self.registry["message_count"].as_u64().unwrap_or(u64::MAX)
    }

    /// Reads a file below `.claude/`; what is absent is null.
    pub(crate) fn document(&self, path: &str) -> Value {
        self.claude.get(path).and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default()
    }

    /// Counts the records in a log below `.claude/` that have this value in this field.
    pub(crate) fn in_log(&self, path: &str, field: &str, value: &str) -> u64 {
        let text = String::from_utf8_lossy(self.claude.get(path).map_or(&[], Vec::as_slice)).into_owned();
        let records: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        count(records.iter(), field, value)
    }

    /// Checks that inboxes, senders' log, broadcasts and counters tell the same story.
    pub(crate) fn ensure_sound(&self) -> Result<()> {
        let mut ids = BTreeSet::new();
        for (agent, inbox) in &self.inboxes {
            let mut counted = 0;
            for (id, message) in inbox {
                ids.insert(id);
                let for_all = message["to_agent"] == "ALL";
                let record =
                    if for_all { self.broadcasts.get(id) } else { self.outbox.get(&format!("{id}_to_{agent}")) };
                ensure!(record == Some(message), "{agent}'s copy of {id} is not what was sent: {record:?}");
                counted += u64::from(!for_all && message["message_type"] != "response");
            }
            let counter = self.counter(agent);
            ensure!(counter == counted, "message_count of {agent} is {counter}, and {counted} are there");
        }
        self.ensure_delivered()?;
        ensure!(self.total() == ids.len() as u64, "message_count is {}, of {} messages", self.total(), ids.len());
        Ok(())
    }

    /// Checks that every recipient has what was sent.
    fn ensure_delivered(&self) -> Result<()> {
        for name in self.outbox.keys() {
            let (id, agent) = name.rsplit_once("_to_").context("a record names message and recipient")?;
            ensure!(self.inboxes[agent].contains_key(id), "{agent} does not have {id}");
        }
        for (id, message) in &self.broadcasts {
            for (agent, inbox) in self.inboxes.iter().filter(|(agent, _)| message["from_agent"] != **agent) {
                ensure!(inbox.contains_key(id), "{agent} does not have broadcast {id}");
            }
        }
        Ok(())
    }
}

fn count<'a>(messages: impl Iterator<Item = &'a Value>, field: &str, value: &str) -> u64 {
    messages.filter(|message| message[field] == value).count() as u64
}
