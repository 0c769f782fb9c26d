//! All files of a project, and what can be seen in them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// The files of a project, by path.
#[derive(Hash)]
pub(crate) struct View {
    files: BTreeMap<String, Vec<u8>>,
}

impl View {
    pub(crate) fn of(root: &Path) -> Result<Self> {
        let mut files = BTreeMap::new();
        collect(root, "", &mut files)?;
        Ok(Self { files })
    }

    /// Names the state of a project: the same for two that hold the same files.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    pub(crate) fn text(&self, path: &str) -> String {
        self.files.get(path).map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default()
    }

    pub(crate) fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path)).unwrap_or_default()
    }

    /// Lists the paths that have a part.
    pub(crate) fn paths<'a>(&'a self, part: &'a str) -> impl Iterator<Item = &'a String> {
        self.files.keys().filter(move |path| path.contains(part))
    }

    /// Lists an agent's copies of messages, wherever they are: in the inbox, the archive, or among the dead letters.
    pub(crate) fn copies(&self, agent: &str) -> Vec<(String, Value)> {
        let of_agent = |path: &&String| {
            let mut names = path.rsplit('/');
            let is_message = names.next().is_some_and(|name| name.ends_with(".json"));
            let is_theirs = is_message && names.next() == Some(agent);
            is_theirs && matches!(names.next(), Some("inbox" | "dead-letters"))
        };
        self.files.keys().filter(of_agent).map(|path| (path.clone(), self.json(path))).collect()
    }

    /// Counts an agent's copies with a subject.
    pub(crate) fn received(&self, agent: &str, subject: &str) -> u64 {
        self.copies(agent).iter().filter(|(_, message)| message["subject"] == subject).count() as u64
    }

    /// Counts the records of what was sent, with a subject.
    pub(crate) fn recorded(&self, subject: &str) -> u64 {
        let kinds = ["/outbox/", "/broadcasts/", "/events/"];
        let records = self.files.keys().filter(|path| kinds.iter().any(|kind| path.contains(kind)));
        records.filter(|path| self.json(path)["subject"] == subject).count() as u64
    }

    /// Counts the lines of the shared context that say just this.
    pub(crate) fn context_lines(&self, line: &str) -> u64 {
        self.text(".agent-messages/shared-context/api.md").lines().filter(|other| *other == line).count() as u64
    }

    /// Counts the records in a session's log that say something; a line that was written twice counts once.
    pub(crate) fn logged(&self, session: &str, text: &str) -> u64 {
        let log = self.text(&format!(".claude/agents/context/{session}/messages.jsonl"));
        let lines = log.lines().filter(|line| line.contains(text));
        let records = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let ids: BTreeSet<String> = records.map(|record| record["event_id"].to_string()).collect();
        ids.len() as u64
    }

    pub(crate) fn session(&self, session: &str) -> Value {
        self.json(&format!(".claude/agents/context/{session}/coordination.json"))
    }

    pub(crate) fn state(&self) -> Value {
        self.json(".claude/state/shared-context.json")
    }

    /// Counts what a list of the shared state holds that says something.
    pub(crate) fn shared(&self, list: &str, text: &str) -> u64 {
        let state = self.state();
        let items = state["sharedContext"][list].as_array().cloned().unwrap_or_default();
        items.iter().filter(|item| item.to_string().contains(&format!("\"{text}\""))).count() as u64
    }

    /// Checks that counters, versions and work directories fit to what is there.
    pub(crate) fn ensure_sound(&self) -> Result<()> {
        let registry = self.json(".agent-messages/registry.json");
        let agents = registry["agents"].as_object().context("the registry has agents")?;
        let mut ids = BTreeSet::new();
        for (agent, entry) in agents {
            let mut direct = 0;
            let mut own = BTreeSet::new();
            for (path, message) in self.copies(agent) {
                let id = path.rsplit('/').next().unwrap_or_default().to_owned();
                ensure!(own.insert(id.clone()), "{agent} has {id} twice");
                ids.insert(id);
                let is_for_all = message["to_agent"] == "ALL" || message.get("event_type").is_some();
                direct += u64::from(!is_for_all && message["message_type"] != "response");
            }
            let counter = entry["message_count"].as_u64().unwrap_or(u64::MAX);
            ensure!(counter == direct, "message_count of {agent} is {counter}, and {direct} were delivered");
        }
        let total = registry["message_count"].as_u64().unwrap_or(u64::MAX);
        ensure!(total == ids.len() as u64, "message_count is {total}, of {} messages", ids.len());
        let context = self.text(".agent-messages/shared-context/api.md");
        let version = context.lines().find_map(|line| line.strip_prefix("**Version:** "));
        let updates = context.matches("\n## Update: ").count() + 1;
        ensure!(
            version.is_none_or(|version| version.trim() == updates.to_string()),
            "version {version:?} of {updates}"
        );
        let work: Vec<&String> = self.paths(".huddle/work/").collect();
        ensure!(work.is_empty(), "left in the work directory: {work:?}");
        let quarantine: Vec<&String> = self.paths(".huddle/quarantine/").collect();
        ensure!(quarantine.is_empty(), "quarantined: {quarantine:?}");
        Ok(())
    }
}

fn collect(dir: &Path, prefix: &str, into: &mut BTreeMap<String, Vec<u8>>) -> Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_dir() {
            collect(&path, &format!("{name}/"), into)?;
        } else {
            into.insert(name, fs::read(&path)?);
        }
    }
    Ok(())
}
