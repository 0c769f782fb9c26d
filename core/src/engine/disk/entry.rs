//! Entries of the work directory: what a committed change consists of, and how that is written down.

use crate::model::{Json, JsonMap};
use crate::wire::mailbox::parse_object;

/// One thing to do, told so that doing it again does no harm.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// A directory is there.
    Dir { path: String },
    /// A file has this name too, and keeps it.
    Link { from: String, to: String },
    /// A file has this name and no other, replacing what had it.
    Move { from: String, to: String },
    /// A file is gone.
    Remove { path: String },
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
            Self::Remove { path } => words(&["remove", path]),
            Self::Append { path, line, mark } => words(&["append", path, line, mark]),
        }
    }

    fn decode(step: &Json) -> Option<Self> {
        let word = |number: usize| step.get(number).and_then(Json::as_str).map(str::to_owned);
        Some(match word(0)?.as_str() {
            "dir" => Self::Dir { path: word(1)? },
            "link" => Self::Link { from: word(1)?, to: word(2)? },
            "move" => Self::Move { from: word(1)?, to: word(2)? },
            "remove" => Self::Remove { path: word(1)? },
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_goes_both_ways_and_a_torn_one_is_none() {
        let [a, b, c] = ["a", "b", "c \"\n"].map(str::to_owned);
        let steps = vec![
            Step::Dir { path: a.clone() },
            Step::Link { from: a.clone(), to: b.clone() },
            Step::Move { from: b.clone(), to: c.clone() },
            Step::Remove { path: c.clone() },
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
