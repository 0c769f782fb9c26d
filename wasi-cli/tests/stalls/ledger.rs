//! What agents were told is done, and whether it is.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::AGENTS;
use super::suspended::Dice;

/// How many messages are sent under keys, each of them by several agents.
const KEYS: usize = 12;

pub(crate) fn name(agent: usize) -> String {
    format!("agent-{agent}")
}

/// One command; its text is in no other.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Send { from: usize, to: usize, text: String },
    SendOnce { key: usize },
    UpdateContext { by: usize, text: String },
    Progress { by: usize, text: String },
    Decide { by: usize, text: String },
    Log { by: usize, text: String },
}

impl Operation {
    pub(crate) fn choose(agent: usize, number: usize, dice: &mut Dice) -> Self {
        let text = format!("text-{agent}-{number}-end");
        match dice.roll(6) {
            0 => Self::Send { from: agent, to: dice.roll(AGENTS), text },
            1 => Self::SendOnce { key: dice.roll(KEYS) },
            2 => Self::UpdateContext { by: agent, text },
            3 => Self::Progress { by: agent, text },
            4 => Self::Decide { by: agent, text },
            _ => Self::Log { by: agent, text },
        }
    }

    pub(crate) fn args(&self) -> Vec<String> {
        let (by, words) = match self {
            Self::Send { from, to, text } => (*from, vec!["send".to_owned(), name(*to), text.clone()]),
            // All of one sender: they are tries of one message.
            Self::SendOnce { key } => {
                let key = format!("key-{key}");
                (0, vec!["send".to_owned(), name(1), key.clone(), "--key".to_owned(), key])
            }
            Self::UpdateContext { by, text } => (*by, words(&["context", "update", "api", text])),
            Self::Progress { by, text } => (*by, words(&["session", "progress", &name(*by), text, "--id", "s"])),
            Self::Decide { by, text } => (*by, words(&["state", "decide", text])),
            Self::Log { by, text } => {
                (*by, words(&["session", "log", &name(*by), "finding", "--message", text, "--id", "s"]))
            }
        };
        [words, vec!["--as".to_owned(), name(by)]].concat()
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// What one agent did, in order, and whether it was told that it is done.
#[derive(Default)]
pub(crate) struct Ledger(Vec<(Operation, bool)>);

impl Ledger {
    pub(crate) fn note(&mut self, work: Operation, is_confirmed: bool) {
        self.0.push((work, is_confirmed));
    }
}

/// What lies in the project.
struct Left {
    /// The subjects in each inbox.
    inboxes: Vec<Vec<String>>,
    registry: Value,
    context: String,
    session: Value,
    /// The log's records, a line that was written twice counted once.
    log: BTreeMap<String, String>,
    state: Value,
}

impl Left {
    fn read(root: &Path) -> Self {
        let text = |path: &str| fs::read_to_string(root.join(path)).unwrap();
        let json = |path: &str| -> Value { serde_json::from_str(&text(path)).unwrap() };
        let log = text(".claude/agents/context/s/messages.jsonl");
        let records = log.lines().map(|line| {
            let record: Value = serde_json::from_str(line).unwrap();
            (record["event_id"].to_string(), line.to_owned())
        });
        Self {
            inboxes: (0..AGENTS)
                .map(|agent| subjects(&root.join(format!(".agent-messages/inbox/{}", name(agent)))))
                .collect(),
            registry: json(".agent-messages/registry.json"),
            context: text(".agent-messages/shared-context/api.md"),
            session: json(".claude/agents/context/s/coordination.json"),
            log: records.collect(),
            state: json(".claude/state/shared-context.json"),
        }
    }

    /// Counts how often the work of a command is there.
    fn times(&self, work: &Operation) -> usize {
        let received = |to: usize, subject: &str| self.inboxes[to].iter().filter(|other| *other == subject).count();
        let logged = |text: &str| self.log.values().filter(|line| line.contains(text)).count();
        match work {
            Operation::Send { to, text, .. } => received(*to, text),
            Operation::SendOnce { key } => received(1, &format!("key-{key}")),
            Operation::UpdateContext { text, .. } => self.context.lines().filter(|line| line == text).count(),
            Operation::Progress { text, .. } | Operation::Log { text, .. } => logged(text),
            Operation::Decide { text, .. } => {
                let decisions = self.state["sharedContext"]["keyDecisions"].as_array().unwrap();
                decisions.iter().filter(|decision| decision.to_string().contains(text)).count()
            }
        }
    }
}

/// Reads the subjects of the messages in a directory.
fn subjects(dir: &Path) -> Vec<String> {
    let paths = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let messages = paths.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let subject = |path| -> Value { serde_json::from_slice(&fs::read(path).unwrap()).unwrap() };
    messages.map(|path| subject(path)["subject"].as_str().unwrap().to_owned()).collect()
}

/// Checks that all that was confirmed is there once, and the rest once or not at all; returns how much was confirmed.
#[track_caller]
pub(crate) fn check(root: &Path, ledgers: &[Ledger]) -> usize {
    let left = Left::read(root);
    let all = || ledgers.iter().flat_map(|ledger| &ledger.0);
    for (work, is_confirmed) in all() {
        let times = left.times(work);
        assert!(times == 1 || !is_confirmed && times == 0, "{work:?}: {times} times, confirmed: {is_confirmed}");
    }
    for (agent, inbox) in left.inboxes.iter().enumerate() {
        // A notice of an updated context goes to all, and is counted with no agent.
        let direct = inbox.iter().filter(|subject| subject.starts_with("text-") || subject.starts_with("key-")).count();
        assert_eq!(left.registry["agents"][name(agent)]["message_count"], direct, "{}", name(agent));
    }
    let updates = left.context.matches("\n## Update: ").count();
    let made =
        all().filter(|(work, _)| matches!(work, Operation::UpdateContext { .. }) && left.times(work) == 1).count();
    assert_eq!(updates, made, "every update is somebody's");
    let decisions = left.state["sharedContext"]["keyDecisions"].as_array().unwrap().len();
    assert_eq!(left.state["version"], decisions, "the version counts the decisions");
    for (agent, ledger) in ledgers.iter().enumerate() {
        let moves = ledger.0.iter().rev().filter(|(work, _)| matches!(work, Operation::Progress { .. }));
        // One that was not confirmed may have been done all the same.
        let last = moves.into_iter().find(|(work, _)| left.times(work) == 1);
        if let Some((Operation::Progress { text, .. }, _)) = last {
            assert_eq!(left.session["agents"][name(agent)]["progress"], *text, "{}", name(agent));
        }
    }
    all().filter(|(_, is_confirmed)| *is_confirmed).count()
}
