//! Journal entries: the redo operations of a committed transaction, and their encoding.

use serde::{Deserialize, Serialize, Serializer};

use super::WORK;
use super::redo::content_path;
use crate::engine::fs::MAX_APPEND;
use crate::model::{Json, MessageId};

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

/// An idempotent operation of a committed transaction.
///
/// An entry stores it as a list of words, the operation's name first.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub(crate) enum RedoOp {
    /// Creates a directory.
    Dir { path: String },
    /// Links a file to a second name.
    Link { from: String, to: String },
    /// Moves a file, replacing the target.
    Move { from: String, to: String },
    /// Removes a file if its content still has this fingerprint.
    Remove { path: String, fingerprint: String },
    /// Appends a line to a log unless the log contains the mark.
    Append { path: String, line: String, mark: String },
}

impl RedoOp {
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
}

impl Serialize for RedoOp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Dir { path } => ("dir", path).serialize(serializer),
            Self::Link { from, to } => ("link", from, to).serialize(serializer),
            Self::Move { from, to } => ("move", from, to).serialize(serializer),
            Self::Remove { path, fingerprint } => ("remove", path, fingerprint).serialize(serializer),
            Self::Append { path, line, mark } => ("append", path, line, mark).serialize(serializer),
        }
    }
}

impl TryFrom<Vec<String>> for RedoOp {
    type Error = &'static str;

    fn try_from(words: Vec<String>) -> Result<Self, Self::Error> {
        let mut words = words.into_iter();
        let mut next = || words.next().ok_or("a step lacks a word");
        Ok(match next()?.as_str() {
            "dir" => Self::Dir { path: next()? },
            "link" => Self::Link { from: next()?, to: next()? },
            "move" => Self::Move { from: next()?, to: next()? },
            "remove" => Self::Remove { path: next()?, fingerprint: next()? },
            "append" => Self::Append { path: next()?, line: next()?, mark: next()? },
            _ => return Err("there is no such step"),
        })
    }
}

/// A committed transaction.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct JournalEntry {
    pub(crate) tx: String,
    /// The number of content files that were written for it.
    pub(crate) contents: usize,
    pub(crate) steps: Vec<RedoOp>,
    /// Of all entries with the same key, one is executed.
    // An entry that says nothing of a key is none of ours: without the attribute, serde would take that for `None`.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(crate) key: Option<EntryKey>,
    /// Data of the engine that committed it, for the execution.
    #[serde(default)]
    pub(crate) note: Json,
}

/// The key that makes a transaction unique; an entry stores it as a list of two words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "(String, String)", into = "(String, String)")]
pub(crate) struct EntryKey {
    /// The path of the entry that has the key.
    pub(crate) path: String,
    /// A hash of the content.
    pub(crate) fingerprint: String,
}

impl From<(String, String)> for EntryKey {
    fn from((path, fingerprint): (String, String)) -> Self {
        Self { path, fingerprint }
    }
}

impl From<EntryKey> for (String, String) {
    fn from(key: EntryKey) -> Self {
        (key.path, key.fingerprint)
    }
}

impl JournalEntry {
    pub(crate) fn encode(&self) -> String {
        serde_json::to_string(self).expect("an entry has only texts for keys")
    }

    /// Decodes an entry; `None` if any part of it is invalid.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}

impl JournalEntry {
    /// Counts the files that the entry publishes below a directory.
    pub(crate) fn published_below(&self, dir: &str) -> u64 {
        self.steps.iter().filter(|step| matches!(step, RedoOp::Link { to, .. } if to.starts_with(dir))).count() as u64
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
        self.steps.iter().find_map(|step| self.op_fault(step, rules))
    }

    fn op_fault(&self, step: &RedoOp, rules: Rules) -> Option<String> {
        let operation = match step {
            RedoOp::Dir { path } => Operation::CreateDir(path),
            RedoOp::Link { from, to } if self.owns(from) => Operation::Publish(to),
            RedoOp::Link { from, .. } => return Some(format!("it would link {from:?}, which is not its own")),
            RedoOp::Move { from, to } if self.owns(from) => Operation::Replace(to),
            RedoOp::Move { from, to } => Operation::Relocate { from, to },
            RedoOp::Remove { path, .. } => Operation::Remove(path),
            RedoOp::Append { line, mark, .. } if !is_marked_line(line, mark) => {
                return Some("it would append something other than one marked line".to_owned());
            }
            RedoOp::Append { path, .. } => Operation::Append(path),
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

    fn fault_of(steps: Vec<RedoOp>) -> Option<String> {
        JournalEntry { tx: TX.to_owned(), contents: 1, steps, ..JournalEntry::default() }.fault(rules)
    }

    #[test]
    fn an_entry_that_no_transaction_writes_is_refused() {
        let [own, other, ok] = [content_path(TX, 0), content_path(TX, 1), "ok/a".to_owned()];
        let [bad, line, mark] = ["bad/a", "m\n", "m"].map(str::to_owned);
        assert_eq!(fault_of(vec![RedoOp::Link { from: own.clone(), to: ok.clone() }]), None);
        assert_eq!(fault_of(vec![RedoOp::Append { path: ok.clone(), line: line.clone(), mark: mark.clone() }]), None);
        let refused = [
            RedoOp::Dir { path: bad.clone() },
            RedoOp::Link { from: own.clone(), to: bad.clone() },
            RedoOp::Link { from: other.clone(), to: ok.clone() },
            RedoOp::Link { from: ok.clone(), to: ok.clone() },
            RedoOp::Move { from: own, to: bad.clone() },
            RedoOp::Move { from: other, to: ok.clone() },
            RedoOp::Remove { path: bad.clone(), fingerprint: mark.clone() },
            RedoOp::Append { path: bad, line: line.clone(), mark: mark.clone() },
            RedoOp::Append { path: ok.clone(), line, mark: String::new() },
            RedoOp::Append { path: ok.clone(), line: "m\nx\n".to_owned(), mark: mark.clone() },
            RedoOp::Append { path: ok.clone(), line: "m".to_owned(), mark: mark.clone() },
            RedoOp::Append { path: ok, line: "x".repeat(MAX_APPEND) + "m\n", mark },
        ];
        for step in refused {
            assert!(fault_of(vec![step.clone()]).is_some(), "{step:?}");
        }
        let huge = JournalEntry { tx: TX.to_owned(), contents: usize::MAX, ..JournalEntry::default() };
        assert!(huge.fault(rules).is_some());
        assert!(JournalEntry { tx: "../x".to_owned(), ..JournalEntry::default() }.fault(rules).is_some());
    }

    #[test]
    fn an_entry_goes_both_ways_and_a_torn_one_is_none() {
        let [a, b, c] = ["a", "b", "c \"\n"].map(str::to_owned);
        let steps = vec![
            RedoOp::Dir { path: a.clone() },
            RedoOp::Link { from: a.clone(), to: b.clone() },
            RedoOp::Move { from: b.clone(), to: c.clone() },
            RedoOp::Remove { path: c.clone(), fingerprint: a.clone() },
            RedoOp::Append { path: a.clone(), line: c.clone(), mark: b.clone() },
        ];
        let key = Some(EntryKey { path: a, fingerprint: b });
        let entry = JournalEntry { tx: c, contents: 3, steps, key, note: serde_json::json!({"by": "ann"}) };
        let text = entry.encode();
        // Processes of different versions share a directory: what is written stays as it is, to the byte.
        let written = r#"{"tx":"c \"\n","contents":3,"steps":[["dir","a"],["link","a","b"],["move","b","c \"\n"],["remove","c \"\n","a"],["append","a","c \"\n","b"]],"key":["a","b"],"note":{"by":"ann"}}"#;
        assert_eq!(text, written);
        assert_eq!(JournalEntry::decode(text.as_bytes()), Some(entry));
        for end in 0..text.len() {
            assert_eq!(JournalEntry::decode(&text.as_bytes()[..end]), None, "{end} bytes");
        }
        assert_eq!(JournalEntry::decode(JournalEntry::default().encode().as_bytes()), Some(JournalEntry::default()));
        assert_eq!(JournalEntry::decode(text.replace("append", "explode").as_bytes()), None);
    }

    #[test]
    fn an_entry_must_have_all_fields_but_the_note() {
        let entry = JournalEntry::default();
        let text = entry.encode();
        assert_eq!(text, r#"{"tx":"","contents":0,"steps":[],"key":null,"note":null}"#);
        let check = |changed: &str, read: bool| {
            assert_eq!(JournalEntry::decode(changed.as_bytes()), read.then(|| entry.clone()), "{changed}");
        };
        check(&text.replace(r#","note":null"#, ""), true);
        check(&text.replace('{', r#"{"unknown":1,"#), true);
        for field in [r#""tx":"","#, r#""contents":0,"#, r#""steps":[],"#, r#""key":null,"#] {
            check(&text.replace(field, ""), false);
        }
        for (old, new) in
            [("0", "-1"), ("0", "0.0"), ("0", "\"0\""), ("[]", "{}"), ("[]", "[[]]"), ("[]", r#"[["dir"]]"#)]
        {
            check(&text.replace(old, new), false);
        }
        for key in ["[]", r#"["a"]"#, r#"["a",1]"#, "{}", "\"a\"", "false"] {
            check(&text.replace(r#""key":null"#, &format!(r#""key":{key}"#)), false);
        }
    }
}
