//! To the documents protocol and back.

use std::collections::{BTreeMap, BTreeSet};

use super::{ExportSource, Exported, count, loss, lost_files};
use crate::engine::MailSnapshot;
use crate::model::{
    Agent, AgentName, Delivery, Diagnostic, Directory, Message, MessageId, Recipient, Severity, WithDiagnostics,
};
use crate::wire::documents::{Document, encode};

/// The file that `mongoimport` is to read.
const FILE: &str = "messages.jsonl";
const HINT: &str = "export to the mailbox format as well, which has room for it";

/// Writes a bus as documents, one a line: `mongoimport --collection messages messages.jsonl` reads it.
///
/// Each recipient's copy is a document, all copies of one message with the same id. Records of broadcasts and events, and
/// the senders' log, are told by the copies; where no copy tells of one, it has a document of its own.
pub fn to_documents(source: &ExportSource<'_>) -> Exported {
    let mut lines = String::new();
    for document in documents_of(source.snapshot) {
        lines.push_str(&encode(&document).to_string());
        lines.push('\n');
    }
    let mut losses = registry_losses(source.directory);
    losses.extend(lost_files(source.extra_files.iter(), "documents only hold messages", HINT));
    Exported { directories: Vec::new(), files: vec![(FILE.to_owned(), lines.into_bytes())], losses }
}

/// Lists the documents of a bus, by the time sent, id and recipient.
pub fn documents_of(snapshot: &MailSnapshot) -> Vec<Document> {
    let records = BTreeSet::from_iter(snapshot.records.iter().map(|message| &message.id));
    let sent = BTreeSet::from_iter(snapshot.sent.iter().map(|(message, to)| (&message.id, to)));
    let is_recorded = |copy: &Delivery| match copy.message.to {
        Recipient::Agents(_) => sent.contains(&(&copy.message.id, &copy.recipient)),
        Recipient::All | Recipient::Subscribers(_) => records.contains(&copy.message.id),
    };
    let recorded: Vec<&Delivery> = snapshot.deliveries.iter().filter(|copy| is_recorded(copy)).collect();
    let implied = ImpliedRecords::by(recorded);
    let own_records = snapshot.records.iter().filter(|message| implied.records.get(&message.id) != Some(message));
    let own_sent = snapshot.sent.iter().filter(|(message, to)| implied.sent.get(&(&message.id, to)) != Some(&message));
    let copies = snapshot.deliveries.iter();
    let mut documents: Vec<Document> =
        copies.map(|copy| Document::Copy { delivery: copy.clone(), recorded: is_recorded(copy) }).collect();
    documents.extend(own_records.cloned().map(Document::Record));
    documents.extend(own_sent.cloned().map(|(message, to)| Document::Sent { message, to }));
    documents.sort_by(|a, b| {
        let key = |one: &Document| (one.message().sent_at, one.message().id.clone(), one.holder().cloned());
        key(a).cmp(&key(b))
    });
    documents
}

/// What the copies of messages tell of the bus's own records: of several that tell of one, the first counts.
struct ImpliedRecords<'a> {
    records: BTreeMap<&'a MessageId, &'a Message>,
    sent: BTreeMap<(&'a MessageId, &'a AgentName), &'a Message>,
}

impl<'a> ImpliedRecords<'a> {
    fn by(mut copies: Vec<&'a Delivery>) -> Self {
        copies.sort_by(|a, b| {
            (a.message.sent_at, &a.message.id, &a.recipient).cmp(&(b.message.sent_at, &b.message.id, &b.recipient))
        });
        let mut implied = Self { records: BTreeMap::new(), sent: BTreeMap::new() };
        for Delivery { message, recipient, .. } in copies {
            match message.to {
                Recipient::Agents(_) => implied.sent.entry((&message.id, recipient)).or_insert(message),
                Recipient::All | Recipient::Subscribers(_) => implied.records.entry(&message.id).or_insert(message),
            };
        }
        implied
    }
}

/// Reports what is in the registry and in no document.
fn registry_losses(directory: &Directory) -> Vec<Diagnostic> {
    let mut losses = Vec::new();
    let mut add = |severity, message: String| losses.push(loss(severity, "registry.json", message, HINT));
    let has_more = |agent: &&Agent| Agent { last_seen: None, message_count: 0, ..(*agent).clone() } != Agent::unknown();
    let known = directory.agents.values().filter(has_more).count();
    if known > 0 {
        let agents = count(known, "agent");
        add(
            Severity::Warning,
            format!("roles, capabilities, status and counters of {agents}: documents only have names"),
        );
    }
    let subscriptions: usize = directory.subscriptions.values().map(Vec::len).sum();
    if subscriptions > 0 {
        let (subscriptions, events) =
            (count(subscriptions, "subscription"), count(directory.subscriptions.len(), "event"));
        add(Severity::Warning, format!("{subscriptions} to {events}: documents only have what was published"));
    }
    let hours = directory.retention_hours;
    if hours != Directory::DEFAULT_RETENTION_HOURS && hours != 0 {
        add(Severity::Info, format!("the retention of {hours} hours: documents are kept until somebody removes them"));
    }
    losses
}

/// Puts together what documents tell of; of two that stand for the same, the first counts, and the other is a finding.
pub fn snapshot_of(documents: impl IntoIterator<Item = Document>) -> WithDiagnostics<MailSnapshot> {
    let mut collector = DocumentCollector::default();
    for document in documents {
        collector.add(document);
    }
    let DocumentCollector { mut snapshot, implied, findings, .. } = collector;
    let own_records = BTreeSet::from_iter(snapshot.records.iter().map(|message| message.id.clone()));
    let own_sent = BTreeSet::from_iter(snapshot.sent.iter().map(|(message, to)| (message.id.clone(), to.clone())));
    let recorded = snapshot.deliveries.iter().zip(implied).filter_map(|(copy, recorded)| recorded.then_some(copy));
    let ImpliedRecords { records, sent } = ImpliedRecords::by(recorded.collect());
    let records = records.into_values().filter(|message| !own_records.contains(&message.id)).cloned();
    let sent = sent.into_iter().map(|((_, to), message)| (message.clone(), to.clone()));
    let sent = sent.filter(|(message, to)| !own_sent.contains(&(message.id.clone(), to.clone())));
    let (records, sent): (Vec<_>, Vec<_>) = (records.collect(), sent.collect());
    snapshot.records.extend(records);
    snapshot.sent.extend(sent);
    snapshot.sort();
    WithDiagnostics { value: snapshot, findings }
}

/// The documents met so far.
#[derive(Default)]
struct DocumentCollector {
    snapshot: MailSnapshot,
    /// For each delivery, whether it tells of a record too.
    implied: Vec<bool>,
    /// What was met: what kind of document, of which message, for whom.
    keys: BTreeSet<(u8, MessageId, Option<AgentName>)>,
    findings: Vec<Diagnostic>,
}

impl DocumentCollector {
    fn add(&mut self, document: Document) {
        let kind = match &document {
            Document::Copy { .. } => 0,
            Document::Record(_) => 1,
            Document::Sent { .. } => 2,
        };
        if !self.keys.insert((kind, document.message().id.clone(), document.holder().cloned())) {
            self.findings.push(repeated(&document));
            return;
        }
        match document {
            Document::Copy { delivery, recorded } => {
                self.snapshot.deliveries.push(delivery);
                self.implied.push(recorded);
            }
            Document::Record(message) => self.snapshot.records.push(message),
            Document::Sent { message, to } => self.snapshot.sent.push((message, to)),
        }
    }
}

fn repeated(document: &Document) -> Diagnostic {
    let whom = document.holder().map_or("ALL", AgentName::as_str);
    Diagnostic {
        severity: Severity::Warning,
        code: "repeated-document",
        place: format!("message {}", document.message().id),
        message: format!("there is more than one document of it for {whom}; the first counts"),
        hint: "remove the others, or give each message an id of its own".to_owned(),
    }
}
