//! Carrying out changes to the bus, and having the registry note them: who was heard of, how many messages went to whom.

use std::collections::BTreeMap;

use super::{FilesEngine, layout};
use crate::Host;
use crate::engine::disk::{Entry, IsFenced};
use crate::engine::fs::FileSystem;
use crate::engine::{Change, Error, Lease, Result};
use crate::host::Waiting;
use crate::model::{Json, JsonMap, MessageType, Recipient, Span};

/// What an entry tells the registry, and those who repeat it.
#[derive(Debug, Clone)]
pub(super) struct Tally {
    /// Who made the change.
    pub(super) by: String,
    /// When.
    pub(super) at: String,
    /// The message that came of it.
    pub(super) message: Option<String>,
    /// How many messages were sent.
    pub(super) messages: u64,
    /// How many of them each agent got directly.
    pub(super) direct: BTreeMap<String, u64>,
}

/// How many counted changes the registry remembers before somebody looks which of them are cleared.
const REMEMBERED: usize = 8;

/// What is known of the entries that wait for the registry.
#[derive(Clone, Copy)]
pub(super) enum Line {
    /// Nobody looked: there may be others, some of them counted and left by processes that were killed.
    Unseen,
    /// All of them were looked at.
    Whole,
}

/// How carrying out an entry ended.
pub(super) enum Outcome {
    Done,
    /// Another change had the key first.
    Lost(Entry),
}

impl Tally {
    /// Counts what the protocol's `send_message` counts: direct messages, not responses.
    pub(super) fn of(change: &Change) -> Self {
        let mut direct = BTreeMap::new();
        for post in &change.posts {
            let letter = matches!(post.message.to, Recipient::Agents(_));
            let counts = letter && post.message.kind.as_str() != MessageType::RESPONSE;
            for recipient in super::posting::distinct(&post.recipients).into_iter().filter(|_| counts) {
                *direct.entry(recipient.to_string()).or_default() += 1;
            }
        }
        Self {
            by: change.by.to_string(),
            at: change.at.to_string(),
            message: change.posts.first().map(|post| post.message.id.to_string()),
            messages: change.posts.len() as u64,
            direct,
        }
    }

    /// Reads what an entry tells; entries that only move files tell nothing.
    ///
    /// Anybody can have written the entry, so it counts no more messages than it delivers.
    pub(super) fn in_entry(entry: &Entry) -> Option<Self> {
        let text = |key: &str| entry.note.get(key).and_then(Json::as_str).map(str::to_owned);
        let direct = entry.note.get("direct")?.as_object()?;
        let counted = |name: &str, count: &Json| {
            let inbox = format!("{}/{name}/", layout::INBOX);
            count.as_u64().unwrap_or(0).min(entry.published_below(&inbox))
        };
        let direct = direct.iter().map(|(name, count)| (name.clone(), counted(name, count)));
        Some(Self {
            by: text("by")?,
            at: text("at")?,
            message: text("message"),
            messages: entry.note.get("messages")?.as_u64()?.min(entry.published_below("")),
            direct: direct.collect(),
        })
    }

    pub(super) fn to_note(&self) -> Json {
        let direct: JsonMap = self.direct.iter().map(|(name, count)| (name.clone(), Json::from(*count))).collect();
        object!({
            "by": self.by,
            "at": self.at,
            "message": self.message,
            "messages": self.messages,
            "direct": direct,
        })
    }
}

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    /// Finishes the entries that killed processes left. One that cannot be finished stays, for `check` to report, and keeps
    /// nobody from anything else.
    ///
    /// Reading needs no writing: on a full or read-only disk this does nothing.
    pub(super) fn recover(&self) {
        for entry in self.disk.left_behind().unwrap_or_default() {
            drop(self.carry_out(&entry));
        }
    }

    /// Carries out an entry that was just committed, or that a key was used for before.
    ///
    /// The change is confirmed when all its steps are taken. That the registry could not be updated is no failure: whoever
    /// comes next does that.
    pub(super) fn carry_out_committed(&self, entry: &Entry) -> Result<Outcome> {
        if let Some(first) = self.disk.apply(entry)? {
            drop(self.disk.clear(entry));
            return Ok(Outcome::Lost(first));
        }
        drop(self.count(entry));
        Ok(Outcome::Done)
    }

    pub(super) fn carry_out(&self, entry: &Entry) -> Result<()> {
        if self.disk.apply(entry)?.is_some() {
            return self.disk.clear(entry);
        }
        self.put_in_place(entry)?;
        self.count(entry)
    }

    /// Updates the registry, where the entry tells it something, and removes the entry.
    fn count(&self, entry: &Entry) -> Result<()> {
        if Tally::in_entry(entry).is_some() { self.settle(entry) } else { self.disk.clear(entry) }
    }

    /// Has the registry note an entry; where there is a line, every other that waits for it as well: one rewrite serves all.
    fn settle(&self, own: &Entry) -> Result<()> {
        let mut waiting = Waiting::begin(&self.disk.host);
        let mut pause = Span::from_millis(1);
        let mut line = Line::Unseen;
        loop {
            match self.try_registry_lease()? {
                Ok(lease) => {
                    let settled = self.settle_under(&lease, own, line);
                    self.disk.let_go(&lease);
                    match settled {
                        // The lease ran out under us: the work is still in line.
                        Err(error) if error.is_fenced() => {}
                        other => return other,
                    }
                }
                Err(holder) => {
                    let waited = waiting.so_far(&self.disk.host);
                    if waited >= self.disk.patience {
                        return Err(Error::Locked { what: "registry".into(), holder, waited }.into());
                    }
                    pause = self.disk.pause(pause);
                    line = Line::Whole;
                    if !self.disk.is_waiting(own)? {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn settle_under(&self, lease: &Lease, own: &Entry, line: Line) -> Result<()> {
        let registry = self.read_registry()?;
        let line = if registry.value.registry.counted().count() < REMEMBERED { line } else { Line::Whole };
        // Only under the lease is it sure whether an entry is still to be counted: our own may be done by now.
        let waiting = match line {
            Line::Unseen => Vec::from_iter(self.disk.is_waiting(own)?.then(|| own.clone())),
            Line::Whole => self.disk.waiting(Some(own))?,
        };
        let mut entries = Vec::new();
        for entry in waiting {
            let Some(tally) = Tally::in_entry(&entry) else { continue };
            if entry.tx == own.tx || matches!(self.disk.apply(&entry), Ok(None)) {
                entries.push((entry, tally));
            }
        }
        if entries.is_empty() {
            return Ok(());
        }
        self.note(registry, &entries, line, lease)?;
        entries.iter().try_for_each(|(entry, _)| self.disk.clear(entry))
    }
}
