//! Inboxes: reading messages, and noting what was listed and what was read.

use std::collections::{BTreeMap, BTreeSet};

use super::{FilesEngine, layout};
use crate::Host;
use crate::bus::ids;
use crate::engine::fs::{EntryKind, FileSystem, MAX_APPEND};
use crate::engine::{Error, Result, Seen, Unread};
use crate::model::{
    AgentName, Delivery, Diagnostic, Message, MessageId, Place, Receipt, Recipient, Severity, Timestamp,
    WithDiagnostics,
};
use crate::wire::mailbox::{message, receipt};

/// What a directory of messages holds, by name alone.
pub(super) struct Folder {
    pub(super) dir: String,
    pub(super) ids: Vec<MessageId>,
    sidecars: BTreeSet<String>,
    pub(super) findings: Vec<Diagnostic>,
}

impl Folder {
    /// Returns a folder of which nothing is known yet.
    pub(super) fn empty(dir: &str) -> Self {
        Self { dir: dir.to_owned(), ids: Vec::new(), sidecars: BTreeSet::new(), findings: Vec::new() }
    }

    pub(super) fn path(&self, id: &MessageId) -> String {
        format!("{}/{id}.json", self.dir)
    }

    /// Names the log of what was listed from this folder: each day of the archive has one of its own.
    fn offered_log(&self, agent: &AgentName) -> String {
        format!("{}{}", self.base(agent), layout::offered(agent))
    }

    /// Names the index of this folder: each day of the archive has one of its own.
    pub(super) fn index(&self, agent: &AgentName) -> String {
        format!("{}{}", self.base(agent), layout::index(agent))
    }

    /// Returns what this folder lies in: the bus itself, or one day of its archive.
    fn base(&self, agent: &AgentName) -> &str {
        self.dir.strip_suffix(&layout::inbox(agent)).unwrap_or_default()
    }

    /// Drops the messages that were read.
    pub(super) fn retain_unread(&mut self) {
        let mut ids = std::mem::take(&mut self.ids);
        ids.retain(|id| !self.has(id, layout::READ));
        self.ids = ids;
    }

    pub(super) fn has(&self, id: &MessageId, sidecar: &str) -> bool {
        self.sidecars.contains(&format!("{id}.json{sidecar}"))
    }
}

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    /// Sorts the names in a directory into messages, what belongs to them, and what does not belong there.
    pub(super) fn open_folder(&self, dir: &str) -> Result<Folder> {
        let mut folder = Folder::empty(dir);
        for entry in self.journal.list(dir)? {
            // A file whose name is not UTF-8 cannot be opened by what is shown of it.
            let is_nameless = entry.kind == EntryKind::Other && entry.name.contains(char::REPLACEMENT_CHARACTER);
            let stem = entry.name.strip_suffix(".json").filter(|_| !entry.is_dir() && !is_nameless);
            match stem.map(MessageId::new) {
                Some(Ok(id)) => folder.ids.push(id),
                None if layout::SIDECARS.iter().any(|ending| entry.name.ends_with(&format!(".json{ending}"))) => {
                    folder.sidecars.insert(entry.name);
                }
                Some(Err(_)) | None => folder.findings.push(foreign(dir, &entry.name)),
            }
        }
        let ids = BTreeSet::from_iter(folder.ids.iter().map(MessageId::as_str));
        for sidecar in &folder.sidecars {
            let owner = sidecar.rsplit_once(".json.").map_or("", |(id, _)| id);
            if !ids.contains(owner) {
                folder.findings.push(orphan(&format!("{dir}/{sidecar}")));
            }
        }
        Ok(folder)
    }

    /// Looks at one message and what belongs to it, without listing what else is there.
    pub(super) fn folder_of_one(&self, dir: &str, id: &MessageId) -> Result<Folder> {
        let mut sidecars = BTreeSet::new();
        for name in layout::SIDECARS.map(|ending| format!("{id}.json{ending}")) {
            if self.journal.exists(&format!("{dir}/{name}"))? {
                sidecars.insert(name);
            }
        }
        Ok(Folder { ids: vec![id.clone()], sidecars, ..Folder::empty(dir) })
    }

    pub(super) fn read_inbox(&self, agent: &AgentName, unread_only: bool) -> Result<WithDiagnostics<Vec<Delivery>>> {
        let mut folder = self.open_folder(&layout::inbox(agent))?;
        if unread_only {
            folder.retain_unread();
        }
        let mut found = self.read_folder(agent, &folder, &Place::Inbox)?;
        found.value.sort_by(|a, b| (a.message.sent_at, &a.message.id).cmp(&(b.message.sent_at, &b.message.id)));
        Ok(found)
    }

    /// Reads the messages of a folder; what cannot be read becomes a finding.
    pub(super) fn read_folder(
        &self,
        agent: &AgentName,
        folder: &Folder,
        place: &Place,
    ) -> Result<WithDiagnostics<Vec<Delivery>>> {
        let offered = match folder.ids.as_slice() {
            [] => BTreeMap::new(),
            [one] => self.read_offered(&folder.offered_log(agent), Some(one)),
            _ => self.read_offered(&folder.offered_log(agent), None),
        };
        let mut found =
            WithDiagnostics { value: Vec::with_capacity(folder.ids.len()), findings: folder.findings.clone() };
        for id in &folder.ids {
            let Some(message) = self.read_message(agent, folder, id, &mut found.findings) else { continue };
            let receipt = self.read_receipt(folder, id, offered.get(id).copied());
            found.value.push(Delivery { recipient: agent.clone(), message, receipt, place: place.clone() });
        }
        Ok(found)
    }

    /// Reads one message of a folder; none when it was put away since the directory was listed, or is damaged.
    pub(super) fn read_message(
        &self,
        agent: &AgentName,
        folder: &Folder,
        id: &MessageId,
        findings: &mut Vec<Diagnostic>,
    ) -> Option<Message> {
        let path = folder.path(id);
        let bytes = self.journal.read_or_report(&path, findings)?;
        match message::decode(&bytes) {
            Ok(message) => Some(self.vetted(message, id, agent, &path, findings)),
            Err(fault) => {
                findings.push(damaged(&path, &fault));
                None
            }
        }
    }

    /// Records what does not fit between a message and the place where it lies; the place has the last word.
    fn vetted(
        &self,
        mut message: Message,
        id: &MessageId,
        agent: &AgentName,
        path: &str,
        findings: &mut Vec<Diagnostic>,
    ) -> Message {
        if message.id != *id {
            findings.push(odd("misnamed-message", path, format!("the file holds message {}", message.id)));
            message.id = id.clone();
        }
        if matches!(&message.to, Recipient::Agents(names) if !names.contains(agent)) {
            findings.push(odd("misdelivered-message", path, format!("the message is for {}", message.to)));
        }
        message
    }

    pub(super) fn read_receipt(&self, folder: &Folder, id: &MessageId, offered_at: Option<Timestamp>) -> Receipt {
        let path = folder.path(id);
        let mut receipt = Receipt { offered_at, ..Receipt::default() };
        if folder.has(id, layout::READ) {
            // A snippet touches the marker before it writes the time: an empty one says "seen" all the same.
            receipt.seen_at = Some(self.read_marker(&path).or_else(|| ids::time_in(id.as_str())).unwrap_or_default());
        }
        if folder.has(id, layout::REDELIVERED) {
            (receipt.redelivered, receipt.redelivered_at) = self.read_redelivered(&path);
        }
        receipt
    }

    fn read_marker(&self, message: &str) -> Option<Timestamp> {
        receipt::decode_read(&self.read_note(&format!("{message}{}", layout::READ)))
    }

    fn read_redelivered(&self, message: &str) -> (u32, Option<Timestamp>) {
        receipt::decode_redelivered(&self.read_note(&format!("{message}{}", layout::REDELIVERED)))
    }

    /// Reads what lies beside messages. That it is there says enough; one that cannot be read says no more.
    pub(super) fn read_note(&self, path: &str) -> Vec<u8> {
        self.journal.read(path).ok().flatten().unwrap_or_default()
    }

    pub(super) fn count_unread(&self, agent: &AgentName) -> Result<Unread> {
        let folder = self.open_unread(agent)?;
        let mut unread = Unread::default();
        for id in &folder.ids {
            unread.count += 1;
            let sent_at = match ids::time_in(id.as_str()) {
                Some(at) => Some(at),
                None => message::decode(&self.read_note(&folder.path(id))).ok().map(|message| message.sent_at),
            };
            unread.oldest = [unread.oldest, sent_at].into_iter().flatten().min();
        }
        Ok(unread)
    }

    /// Sorts the names in an inbox, without those of messages that were read.
    pub(super) fn open_unread(&self, agent: &AgentName) -> Result<Folder> {
        let mut folder = self.open_folder(&layout::inbox(agent))?;
        folder.retain_unread();
        Ok(folder)
    }

    /// Marks a message as read by the one process that gets to make the marker.
    pub(super) fn mark_message_seen(&self, agent: &AgentName, id: &MessageId, at: Timestamp) -> Result<Seen> {
        let path = self.own_message(agent, id)?;
        let marker = format!("{path}{}", layout::READ);
        if self.journal.exists(&marker)? {
            return Ok(Seen::Already(self.read_marker(&path)));
        }
        let won = self.journal.publish_first(&marker, receipt::read(at).as_bytes())?;
        // Somebody can have put it away meanwhile: then the marker marks nothing.
        self.own_message(agent, id)?;
        Ok(if won { Seen::First } else { Seen::Already(self.read_marker(&path)) })
    }

    pub(super) fn redeliver_message(&self, agent: &AgentName, id: &MessageId, at: Timestamp) -> Result<u32> {
        self.own_message(agent, id)?;
        let count = self.with_mail_lease(|lease, busy| {
            let path = self.own_message(agent, id)?;
            let (before, offered_at) = self.read_redelivered(&path);
            if busy.contains(&path)
                || offered_at.is_some_and(|other| other >= at.floor())
                || self.is_read_since(&path, at)
            {
                return Ok(None);
            }
            let count = before.saturating_add(1);
            let mut pending = self.journal.begin();
            pending
                .replace(format!("{path}{}", layout::REDELIVERED), receipt::redelivered(count, Some(at)).as_bytes())?;
            pending.entry.steps.extend(self.journal.removal(format!("{path}{}", layout::READ)));
            pending.commit_and_redo(std::slice::from_ref(lease))?;
            Ok(Some(count))
        })?;
        match count {
            Some(count) => self.log_offered(agent, std::slice::from_ref(id), None).map(|()| count),
            None => Ok(self.read_redelivered(&layout::inbox_message(agent, id)).0),
        }
    }

    /// Returns whether a message was read at a time or later, as far as its marker tells, which has no parts of a second.
    pub(super) fn is_read_since(&self, message: &str, at: Timestamp) -> bool {
        self.read_marker(message).is_some_and(|read| read >= at.floor())
    }

    /// Returns the path of a message in its recipient's inbox.
    pub(super) fn own_message(&self, agent: &AgentName, id: &MessageId) -> Result<String> {
        let path = layout::inbox_message(agent, id);
        if self.journal.exists(&path)? {
            Ok(path)
        } else {
            Err(Error::NoSuchMessage { agent: agent.clone(), id: id.clone() }.into())
        }
    }

    /// Notes in the agent's log when messages were listed, or (without a time) that they are to be listed anew.
    pub(super) fn log_offered(&self, agent: &AgentName, ids: &[MessageId], at: Option<Timestamp>) -> Result<()> {
        self.append_lines(&layout::offered(agent), ids.iter().map(|id| receipt::offered(at, id)))
    }

    /// Adds lines to a log, in appends that stay in one piece.
    pub(super) fn append_lines(&self, path: &str, lines: impl Iterator<Item = String>) -> Result<()> {
        let mut text = String::new();
        for line in lines {
            if text.len() + line.len() > MAX_APPEND {
                self.journal.append(path, &text)?;
                text.clear();
            }
            text.push_str(&line);
        }
        if text.is_empty() { Ok(()) } else { self.journal.append(path, &text) }
    }

    /// Reads when messages were first listed since they were last offered anew.
    pub(super) fn read_offered(&self, log: &str, only: Option<&MessageId>) -> BTreeMap<MessageId, Timestamp> {
        receipt::decode_offered(&self.read_note(log), only)
    }
}

pub(crate) fn damaged(path: &str, fault: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        code: "damaged-message",
        place: path.to_owned(),
        message: format!("the message cannot be read: {fault}"),
        hint: "ask its sender to send it again, then move the file away; nothing else is affected".into(),
    }
}

fn odd(code: &'static str, path: &str, message: String) -> Diagnostic {
    let hint = "move the file to where it belongs".into();
    Diagnostic { severity: Severity::Warning, code, place: path.to_owned(), message, hint }
}

fn foreign(dir: &str, name: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        code: "foreign-file",
        place: format!("{dir}/{name}"),
        message: "this is no message and does not belong here".into(),
        hint: "move it away; it is left alone".into(),
    }
}

pub(crate) fn orphan(path: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Info,
        code: "orphan-marker",
        place: path.to_owned(),
        message: "the message that this marker belongs to is gone".into(),
        hint: "it can be removed".into(),
    }
}
