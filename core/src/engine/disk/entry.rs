//! Entries of the work directory: what a committed change consists of, and how that is written down.

use super::WORK;
use super::work::content_path;
use crate::engine::fs::MAX_APPEND;
use crate::model::{Json, JsonMap, MessageId};
use crate::wire::mailbox::parse_object;

/// The most contents that one entry may have; `handoff create` with thousands of artifacts comes nowhere near.
const MAX_CONTENTS: usize = 10_000;
/// The most steps that one entry may have.
const MAX_STEPS: usize = 40_000;

/// One step as the rules of a directory tree see it: what it would do, to which paths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Operation<'a> {
    /// Creates a directory.
    CreateDir(&'a str),
    /// Links a content of the entry's own to a name that is free.
    Publish(&'a str),
    /// Replaces a file by a content of the entry's own.
    Replace(&'a str),
    /// Moves a file that a reader can see.
    Relocate { from: &'a str, to: &'a str },
    /// Removes a file.
    Remove(&'a str),
    /// Appends one line to a log.
    Append(&'a str),
    /// Records the entry under a send key.
    Claim(&'a str),
}

/// Decides whether a transaction of this directory tree can contain an operation.
///
/// Entries are files, and anybody can write files: one that asks for anything else was not written by a transaction.
pub(crate) type Rules = fn(Operation<'_>) -> bool;

/// One thing to do, told so that doing it again does no harm.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// A directory is there.
    Dir { path: String },
    /// A file has this name too, and keeps it.
    Link { from: String, to: String },
    /// A file has this name and no other, replacing what had it.
    Move { from: String, to: String },
    /// A file is gone, if it is the one that was meant: another may have its name by the time that the step is taken.
    Remove { path: String, fingerprint: String },
    /// A log has this line; the mark in it tells whether it has it already.
    Append { path: String, line: String, mark: String },
}

impl Step {
    /// Writes the step as a list of words, the first of which says what to do.
    fn encode(&self) -> Json {
        match self {
            Self::Dir { path } => words(&["dir", path]),
            Self::Link { from, to } => words(&["link", from, to]),
            Self::Move { from, to } => words(&["move", from, to]),
            Self::Remove { path, fingerprint } => words(&["remove", path, fingerprint]),
            Self::Append { path, line, mark } => words(&["append", path, line, mark]),
        }
    }

    /// Returns the path that a step changes; of a move, the one that it moves to.
    pub(crate) fn path(&self) -> &str {
        let (Self::Dir { path }
        | Self::Link { to: path, .. }
        | Self::Move { to: path, .. }
        | Self::Remove { path, .. }
        | Self::Append { path, .. }) = self;
        path
    }

    /// Returns what a step belongs to, the first two names of its path: an agent's inbox, a handoff, a session's directory.
    /// A file that is put elsewhere belongs to the message that it is, or lies beside.
    pub(crate) fn scope(&self) -> &str {
        const MESSAGE: &str = ".json";
        let path = self.path();
        if matches!(self, Self::Move { from, .. } if !from.starts_with(WORK)) {
            return path.find(MESSAGE).map_or(path, |end| &path[..end + MESSAGE.len()]);
        }
        let end = path.match_indices('/').nth(1).map_or(path.len(), |(end, _)| end);
        &path[..end]
    }

    fn decode(step: &Json) -> Option<Self> {
        let word = |number: usize| step.get(number).and_then(Json::as_str).map(str::to_owned);
        Some(match word(0)?.as_str() {
            "dir" => Self::Dir { path: word(1)? },
            "link" => Self::Link { from: word(1)?, to: word(2)? },
            "move" => Self::Move { from: word(1)?, to: word(2)? },
            "remove" => Self::Remove { path: word(1)?, fingerprint: word(2)? },
            "append" => Self::Append { path: word(1)?, line: word(2)?, mark: word(3)? },
            _ => return None,
        })
    }
}

fn words(words: &[&str]) -> Json {
    Json::Array(words.iter().map(|word| Json::from(*word)).collect())
}

/// A committed change.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Entry {
    pub(crate) tx: String,
    /// How many contents were written for it.
    pub(crate) contents: usize,
    pub(crate) steps: Vec<Step>,
    /// Makes it one of a kind: of all entries with the same key, one is carried out.
    pub(crate) key: Option<EntryKey>,
    /// What those who made it need to know when it is carried out.
    pub(crate) note: Json,
}

/// What makes a change one of a kind.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EntryKey {
    /// Where the entry that has the key is remembered.
    pub(crate) path: String,
    /// What the change says, hashed.
    pub(crate) fingerprint: String,
}

impl Entry {
    pub(crate) fn encode(&self) -> String {
        let steps: Vec<Json> = self.steps.iter().map(Step::encode).collect();
        let key = self.key.as_ref().map(|key| words(&[&key.path, &key.fingerprint]));
        let entry = object!({
            "tx": self.tx,
            "contents": self.contents,
            "steps": steps,
            "key": key,
            "note": self.note,
        });
        entry.to_string()
    }

    /// Reads an entry; one that cannot be understood as a whole is none.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let map: JsonMap = parse_object(bytes).ok()?;
        let steps: Option<Vec<Step>> = map.get("steps")?.as_array()?.iter().map(Step::decode).collect();
        let word = |key: &Json, number: usize| key.get(number).and_then(Json::as_str).map(str::to_owned);
        let key = match map.get("key")? {
            Json::Null => None,
            key => Some(EntryKey { path: word(key, 0)?, fingerprint: word(key, 1)? }),
        };
        Some(Self {
            tx: map.get("tx")?.as_str()?.to_owned(),
            contents: usize::try_from(map.get("contents")?.as_u64()?).ok()?,
            steps: steps?,
            key,
            note: map.get("note").cloned().unwrap_or_default(),
        })
    }
}

impl Entry {
    /// Counts the files that the entry publishes below a directory.
    pub(crate) fn published_below(&self, dir: &str) -> u64 {
        self.steps.iter().filter(|step| matches!(step, Step::Link { to, .. } if to.starts_with(dir))).count() as u64
    }

    /// Finds the first thing in an entry that no transaction of this tree writes.
    pub(crate) fn fault(&self, rules: Rules) -> Option<String> {
        if uuid::Uuid::try_parse(&self.tx).is_err() {
            return Some(format!("{:?} is not a transaction id", self.tx));
        }
        if self.contents > MAX_CONTENTS || self.steps.len() > MAX_STEPS {
            return Some(format!("it has {} contents and {} steps", self.contents, self.steps.len()));
        }
        if let Some(key) = self.key.as_ref().filter(|key| !rules(Operation::Claim(&key.path))) {
            return Some(format!("it would record a send key as {:?}", key.path));
        }
        let message = self.note.get("message").and_then(Json::as_str);
        if self.key.is_some() && message.is_none_or(|id| MessageId::new(id).is_err()) {
            return Some("it would record a send key for no message".to_owned());
        }
        self.steps.iter().find_map(|step| self.step_fault(step, rules))
    }

    fn step_fault(&self, step: &Step, rules: Rules) -> Option<String> {
        let operation = match step {
            Step::Dir { path } => Operation::CreateDir(path),
            Step::Link { from, to } if self.owns(from) => Operation::Publish(to),
            Step::Link { from, .. } => return Some(format!("it would link {from:?}, which is not its own")),
            Step::Move { from, to } if self.owns(from) => Operation::Replace(to),
            Step::Move { from, to } => Operation::Relocate { from, to },
            Step::Remove { path, .. } => Operation::Remove(path),
            Step::Append { line, mark, .. } if !is_marked_line(line, mark) => {
                return Some("it would append something other than one marked line".to_owned());
            }
            Step::Append { path, .. } => Operation::Append(path),
        };
        (!rules(operation)).then(|| format!("no transaction contains {operation:?}"))
    }

    /// Returns whether a path is one of the contents that were written for this entry.
    pub(super) fn owns(&self, path: &str) -> bool {
        let number = path.rsplit_once('.').and_then(|(_, number)| number.parse::<usize>().ok());
        number.is_some_and(|number| number < self.contents && content_path(&self.tx, number) == path)
    }
}

/// Returns whether a log line is whole and can be found again by its mark.
fn is_marked_line(line: &str, mark: &str) -> bool {
    let is_one_line = line.find('\n') == Some(line.len().saturating_sub(1));
    is_one_line && line.len() <= MAX_APPEND && !mark.is_empty() && line.contains(mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TX: &str = "019a0000000070008000000000000001";

    /// Permits what a mailbox-like tree would, below `ok/`.
    fn rules(operation: Operation<'_>) -> bool {
        match operation {
            Operation::Relocate { from, to } => from.starts_with("ok/") && to.starts_with("ok/"),
            Operation::CreateDir(path)
            | Operation::Publish(path)
            | Operation::Replace(path)
            | Operation::Remove(path)
            | Operation::Append(path)
            | Operation::Claim(path) => path.starts_with("ok/"),
        }
    }

    fn fault_of(steps: Vec<Step>) -> Option<String> {
        Entry { tx: TX.to_owned(), contents: 1, steps, ..Entry::default() }.fault(rules)
    }

    #[test]
    fn an_entry_that_no_transaction_writes_is_refused() {
        let [own, other, ok] = [content_path(TX, 0), content_path(TX, 1), "ok/a".to_owned()];
        let [bad, line, mark] = ["bad/a", "m\n", "m"].map(str::to_owned);
        assert_eq!(fault_of(vec![Step::Link { from: own.clone(), to: ok.clone() }]), None);
        assert_eq!(fault_of(vec![Step::Append { path: ok.clone(), line: line.clone(), mark: mark.clone() }]), None);
        let refused = [
            Step::Dir { path: bad.clone() },
            Step::Link { from: own.clone(), to: bad.clone() },
            Step::Link { from: other.clone(), to: ok.clone() },
            Step::Link { from: ok.clone(), to: ok.clone() },
            Step::Move { from: own, to: bad.clone() },
            Step::Move { from: other, to: ok.clone() },
            Step::Remove { path: bad.clone(), fingerprint: mark.clone() },
            Step::Append { path: bad, line: line.clone(), mark: mark.clone() },
            Step::Append { path: ok.clone(), line, mark: String::new() },
            Step::Append { path: ok.clone(), line: "m\nx\n".to_owned(), mark: mark.clone() },
            Step::Append { path: ok.clone(), line: "m".to_owned(), mark: mark.clone() },
            Step::Append { path: ok, line: "x".repeat(MAX_APPEND) + "m\n", mark },
        ];
        for step in refused {
            assert!(fault_of(vec![step.clone()]).is_some(), "{step:?}");
        }
        let huge = Entry { tx: TX.to_owned(), contents: usize::MAX, ..Entry::default() };
        assert!(huge.fault(rules).is_some());
        assert!(Entry { tx: "../x".to_owned(), ..Entry::default() }.fault(rules).is_some());
    }

    #[test]
    fn an_entry_goes_both_ways_and_a_torn_one_is_none() {
        let [a, b, c] = ["a", "b", "c \"\n"].map(str::to_owned);
        let steps = vec![
            Step::Dir { path: a.clone() },
            Step::Link { from: a.clone(), to: b.clone() },
            Step::Move { from: b.clone(), to: c.clone() },
            Step::Remove { path: c.clone(), fingerprint: a.clone() },
            Step::Append { path: a.clone(), line: c.clone(), mark: b.clone() },
        ];
        let key = Some(EntryKey { path: a, fingerprint: b });
        let entry = Entry { tx: c, contents: 3, steps, key, note: serde_json::json!({"by": "ann"}) };
        let text = entry.encode();
        assert_eq!(Entry::decode(text.as_bytes()), Some(entry));
        for end in 0..text.len() {
            assert_eq!(Entry::decode(&text.as_bytes()[..end]), None, "{end} bytes");
        }
        assert_eq!(Entry::decode(Entry::default().encode().as_bytes()), Some(Entry::default()));
        assert_eq!(Entry::decode(text.replace("append", "explode").as_bytes()), None);
    }
}
