//! What a history has for each format: messages for a bus, files for a bundle, passages for people.

use std::io;

use huddle_scan::{Flags, Row};

use super::{
    BundleEntry, ExportSource, Exported, MarkdownMessage, count, directory_of, loss, message_to_markdown, snapshot_of,
    to_documents, to_jsonl, to_mailbox, to_markdown,
};
use crate::engine::MailSnapshot;
use crate::engine::fs::MAX_FILE;
use crate::history::record::{self, ByteSource};
use crate::history::snapshot::time;
use crate::history::{Derived, EntryView, History, Role, RootKind, SourceFile, StateFile, Thread};
use crate::model::{
    AgentName, Delivery, Diagnostic, Directory, JsonMap, Message, MessageId, MessageType, Place, Priority, Receipt,
    Recipient, Severity, ThreadId,
};
use crate::wire::documents::{self, Document};

/// The messages of a history, and what else mailboxes keep.
#[derive(Debug, Default)]
pub struct MessageExport {
    snapshot: MailSnapshot,
    directory: Directory,
    extra_files: Vec<(String, Vec<u8>)>,
    losses: Vec<Diagnostic>,
}

impl MessageExport {
    /// Gathers all that is a message, or can be one: it says from whom, for whom and when.
    pub fn collect(history: &History, from: &mut dyn ByteSource) -> io::Result<Self> {
        let mut export = Self::default();
        for (root, _) in history.roots.iter().enumerate().filter(|(_, root)| root.kind == RootKind::Mailbox) {
            let found = history.snapshot(root, from)?;
            export.add(found.value);
            export.losses.extend(found.findings);
        }
        export.losses.extend(damaged(history));
        export.add_others(history, from)?;
        export.add_extra_files(history, from);
        export.directory = match &history.state_files.registries[..] {
            [StateFile { value, .. }] => value.clone(),
            // Who is there is then what the messages say.
            _ => directory_of(&export.snapshot),
        };
        export.snapshot.sort();
        Ok(export)
    }

    fn add(&mut self, snapshot: MailSnapshot) {
        self.snapshot.deliveries.extend(snapshot.deliveries);
        self.snapshot.records.extend(snapshot.records);
        self.snapshot.sent.extend(snapshot.sent);
    }

    /// Adds rows that are no files of mailboxes: documents, and whatever else names a recipient.
    fn add_others(&mut self, history: &History, from: &mut dyn ByteSource) -> io::Result<()> {
        let mailed = history.mailbox_row_mask();
        let (mut documents, mut lost) = (Vec::new(), vec![0; history.files.len()]);
        for number in history.entries.iter().copied().filter(|row| !mailed[*row as usize]) {
            let row = history.table.row(number);
            match document(history, &row, &history.record(number, from)?) {
                Some(document) => documents.push(document),
                None => lost[row.file as usize] += 1,
            }
        }
        let found = snapshot_of(documents);
        self.add(found.value);
        self.losses.extend(found.findings);
        for (file, records) in history.files.iter().zip(lost).filter(|(_, records)| *records > 0) {
            let message = format!(
                "{} that are no messages: they do not say for whom, from whom and when",
                count(records, "record")
            );
            self.losses.push(loss(Severity::Warning, &file.path, message, "--to jsonl keeps them"));
        }
        Ok(())
    }

    fn add_extra_files(&mut self, history: &History, from: &mut dyn ByteSource) {
        for file in &history.files {
            let Some(root) = file.root.map(|root| &history.roots[root]) else { continue };
            let kept = matches!(file.role, Role::Context | Role::Handoff | Role::Artifact);
            if root.kind == RootKind::Mailbox && kept && file.container.is_none() {
                match read_whole(file, from) {
                    Ok(bytes) => self.extra_files.push((file.path[root.path.len()..].to_owned(), bytes)),
                    Err(finding) => self.losses.push(finding),
                }
            }
        }
    }

    fn as_source(&self) -> ExportSource<'_> {
        ExportSource { snapshot: &self.snapshot, directory: &self.directory, extra_files: &self.extra_files }
    }

    fn with_losses(self, mut exported: Exported) -> Exported {
        exported.losses.extend(self.losses);
        exported
    }
}

/// Reads all of a file; one that cannot be read, or is larger than any document, is a loss.
fn read_whole(file: &SourceFile, from: &mut dyn ByteSource) -> Result<Vec<u8>, Diagnostic> {
    let limit = if matches!(file.role, Role::Log | Role::Unsure) { u64::MAX } else { MAX_FILE };
    let fault = match from.read(&file.path, 0, limit.saturating_add(1)) {
        Ok(bytes) if bytes.len() as u64 <= limit => return Ok(bytes),
        Ok(_) => format!("a file of more than {limit} bytes"),
        Err(error) => format!("a file that cannot be read: {error}"),
    };
    Err(loss(Severity::Warning, &file.path, fault, "pass the file on by itself"))
}

/// Reports what cannot be read and is therefore no message, a finding for each file.
fn damaged(history: &History) -> Vec<Diagnostic> {
    let mut lost = vec![(0, 0); history.files.len()];
    for damage in &history.table.damages {
        let (pieces, bytes) = &mut lost[damage.file as usize];
        (*pieces, *bytes) = (*pieces + 1, *bytes + damage.length as usize);
    }
    let files = history.files.iter().zip(lost).filter(|(_, (pieces, _))| *pieces > 0);
    let told = files.map(|(file, (pieces, bytes))| {
        let message = format!("{} that cannot be read, {} in all", count(pieces, "piece"), count(bytes, "byte"));
        loss(Severity::Warning, &file.path, message, "--to jsonl keeps it as it is")
    });
    told.collect()
}

/// Builds a document of a row, if it is a message in any sense.
fn document(history: &History, row: &Row, record: &JsonMap) -> Option<Document> {
    if record.contains_key("content")
        && let Ok(document) = documents::decode(record.clone())
    {
        return Some(document);
    }
    let text = |symbol| history.table.text(symbol);
    let recipient = AgentName::new(text(row.to)).ok()?;
    let sent_at = time(row.time)?;
    // What has no id gets one that is the same every time: where it lies.
    let id = match text(row.id) {
        "" => format!("row_{}_{}", row.file, row.offset),
        id => id.to_owned(),
    };
    let message = Message {
        id: MessageId::new(id).ok()?,
        kind: MessageType::new(text(row.kind)),
        from: AgentName::new(text(row.from)).ok()?,
        to: Recipient::Agents(vec![recipient.clone()]),
        subject: record::headline(record, 80),
        body: record::body(record),
        priority: Priority::parse(text(row.priority)).unwrap_or_default(),
        sent_at,
        thread: ThreadId::new(text(row.thread)).ok(),
        in_reply_to: MessageId::new(text(row.reply_to)).ok(),
        requires_response: row.flags.contains(Flags::NEEDS_ANSWER),
        deadline: time(row.due),
        metadata: JsonMap::new(),
        extra: JsonMap::new(),
    };
    let seen_at = time(row.read_at).or(row.flags.contains(Flags::READ).then_some(sent_at));
    let receipt = Receipt { seen_at, ..Receipt::default() };
    let delivery = Delivery { recipient, message, receipt, place: Place::Inbox };
    Some(Document::Copy { delivery, recorded: true })
}

impl History {
    /// Writes the messages as documents.
    pub fn to_documents(&self, from: &mut dyn ByteSource) -> io::Result<Exported> {
        let export = MessageExport::collect(self, from)?;
        let exported = to_documents(&export.as_source());
        Ok(export.with_losses(exported))
    }

    /// Writes the messages as a mailbox.
    pub fn to_mailbox(&self, from: &mut dyn ByteSource) -> io::Result<Exported> {
        let export = MessageExport::collect(self, from)?;
        let exported = to_mailbox(&export.as_source());
        Ok(export.with_losses(exported))
    }

    /// Writes everything into one log.
    pub fn to_jsonl(&self, from: &mut dyn ByteSource) -> io::Result<Exported> {
        let base = self.base();
        let (mut kept, mut losses) = (Vec::new(), Vec::new());
        for file in self.files.iter().filter(|file| file.container.is_none()) {
            match file.role {
                // What lies in no directory of a protocol was never part of what agents left behind.
                Role::Ignored(why) if file.root.is_some() => {
                    let message = format!("a file of {}: {why}", count(file.size as usize, "byte"));
                    losses.push(loss(Severity::Info, &file.path, message, "pass the file on by itself"));
                }
                Role::Ignored(_) => {}
                _ => match read_whole(file, from) {
                    Ok(bytes) => kept.push((file, bytes)),
                    Err(finding) => losses.push(finding),
                },
            }
        }
        let stored: Vec<BundleEntry<'_>> = kept
            .iter()
            .map(|(file, bytes)| match file.role {
                Role::Log | Role::Unsure => BundleEntry::Log { path: &file.path[base..], rows: bytes },
                _ => BundleEntry::File { path: &file.path[base..], bytes },
            })
            .collect();
        let mut exported = to_jsonl(&stored);
        exported.losses.extend(losses);
        Ok(exported)
    }

    /// Finds how much of every path says only where all of it lies.
    pub fn base(&self) -> usize {
        if let [root] = &self.roots[..] {
            let inside = self.files.iter().all(|file| file.path.starts_with(&root.path));
            return if inside { root.path.len() } else { 0 };
        }
        let mut paths = self.files.iter().map(|file| file.path.as_str());
        let first = paths.next().unwrap_or_default();
        let mut dir = first.rfind('/').map_or(0, |slash| slash + 1);
        for path in paths {
            while !path.starts_with(&first[..dir]) {
                dir = first[..dir.saturating_sub(1)].rfind('/').map_or(0, |slash| slash + 1);
            }
        }
        dir
    }

    /// Writes everything for people, a conversation after the other, then what belongs to none.
    pub fn to_markdown(&self, derived: &Derived, from: &mut dyn ByteSource) -> io::Result<Exported> {
        let mut chapters = Vec::new();
        let mut threads: Vec<&Thread> = derived.threads.threads.iter().collect();
        threads.sort_by_key(|thread| thread.first);
        for thread in threads {
            let entries = self.load_entries(derived, derived.threads.members(thread).iter().copied(), from)?;
            let subject = entries.first().map_or("", |entry| entry.subject.as_str());
            chapters.push((format!("{} ({subject})", self.thread_name(thread)), entries));
        }
        let alone = (0..self.entries.len() as u32).filter(|position| derived.threads.thread_of(*position).is_none());
        let alone = self.load_entries(derived, alone, from)?;
        if !alone.is_empty() {
            chapters.push(("On their own".to_owned(), alone));
        }
        let chapters: Vec<(String, Vec<MarkdownMessage<'_>>)> = chapters
            .iter()
            .map(|(title, entries)| (title.clone(), entries.iter().map(markdown_message).collect()))
            .collect();
        Ok(to_markdown("History", &chapters))
    }

    /// Writes some entries for people, under a title, in the order that they are given in.
    pub fn markdown_of(
        &self,
        derived: &Derived,
        title: &str,
        positions: &[u32],
        from: &mut dyn ByteSource,
    ) -> io::Result<Exported> {
        let entries = self.load_entries(derived, positions.iter().copied(), from)?;
        Ok(to_markdown("History", &[(title.to_owned(), entries.iter().map(markdown_message).collect())]))
    }

    /// Writes one entry for people.
    pub fn markdown_of_one(&self, derived: &Derived, position: u32, from: &mut dyn ByteSource) -> io::Result<String> {
        let entry = self.load_entry(derived, position, from)?;
        Ok(message_to_markdown(&MarkdownMessage { depth: 0, ..markdown_message(&entry) }))
    }

    fn load_entries(
        &self,
        derived: &Derived,
        positions: impl Iterator<Item = u32>,
        from: &mut dyn ByteSource,
    ) -> io::Result<Vec<EntryView>> {
        positions.map(|position| self.load_entry(derived, position, from)).collect()
    }
}

fn markdown_message(entry: &EntryView) -> MarkdownMessage<'_> {
    let body = entry.body();
    MarkdownMessage {
        at: entry.at,
        from: &entry.from,
        to: &entry.to,
        kind: &entry.kind,
        severity: &entry.severity,
        subject: entry.subject.clone(),
        body: body
            .as_str()
            .map_or_else(|| if body.is_null() { String::new() } else { format!("{body:#}") }, str::to_owned),
        delivery: entry.delivery(),
        id: &entry.id,
        depth: entry.depth as usize,
    }
}
