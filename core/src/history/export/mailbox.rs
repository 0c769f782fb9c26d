//! To the mailbox protocol: the whole tree below `.agent-messages/`, as the files engine would leave it.

use std::collections::{BTreeMap, BTreeSet};

use super::{ExportSource, Exported, count, is_inside, loss, lost_files};
use crate::bus::{all_copies, messages_in};
use crate::engine::MailSnapshot;
use crate::model::{
    Agent, AgentName, Delivery, Diagnostic, Directory, Message, MessageType, Place, Priority, Receipt, Recipient,
    Severity, Timestamp,
};
use crate::wire::mailbox::registry::{Registry, routing};
use crate::wire::mailbox::stored::{ArchiveExtent, StoredCopy};
use crate::wire::mailbox::{layout, message, receipt, stored};

/// Writes a bus as a mailbox.
///
/// A directory that knows nobody is made up of those who appear in the messages, as [`directory_of`] does; any other is
/// written as it is, because those who left have left.
pub fn to_mailbox(source: &ExportSource<'_>) -> Exported {
    let ExportSource { snapshot, directory, extra_files } = *source;
    let made_up = directory
        .agents
        .is_empty()
        .then(|| Directory { subscriptions: directory.subscriptions.clone(), ..directory_of(snapshot) });
    let directory = made_up.as_ref().unwrap_or(directory);
    let mut tree = MailboxTree::default();
    tree.put(layout::REGISTRY.to_owned(), registry(snapshot, directory));
    tree.put(layout::ROUTING.to_owned(), routing());
    tree.add_copies(snapshot);
    tree.records(snapshot);
    let fits = |path: &str| {
        let kept = [layout::CONTEXTS, layout::HANDOFFS].iter().any(|dir| path.starts_with(&format!("{dir}/")));
        kept && is_inside(path)
    };
    let (fitting, others): (Vec<_>, Vec<_>) = extra_files.iter().partition(|(path, _)| fits(path));
    tree.files.extend(fitting.into_iter().cloned());
    let mut losses = tree.losses;
    losses.extend(lost_files(others.into_iter(), "a mailbox has no place for it", "keep them where they are"));
    losses.extend(self::losses(snapshot));
    let mut directories: Vec<String> = layout::DIRECTORIES.map(str::to_owned).into();
    directories.extend(directory.agents.keys().map(layout::inbox));
    Exported { directories, files: tree.files.into_iter().collect(), losses }
}

/// Creates the directory of those who appear in messages, each with a counter that fits.
pub fn directory_of(snapshot: &MailSnapshot) -> Directory {
    let mut agents: BTreeMap<AgentName, Agent> = BTreeMap::new();
    let messages = messages_in(snapshot);
    for message in &messages {
        let sender = agents.entry(message.from.clone()).or_insert_with(Agent::unknown);
        sender.last_seen = sender.last_seen.max(Some(message.sent_at));
        let named: &[AgentName] = if let Recipient::Agents(names) = &message.to { names } else { &[] };
        for name in named {
            agents.entry(name.clone()).or_insert_with(Agent::unknown);
        }
    }
    for Delivery { recipient, message, .. } in &snapshot.deliveries {
        let agent = agents.entry(recipient.clone()).or_insert_with(Agent::unknown);
        let direct = matches!(message.to, Recipient::Agents(_)) && message.kind.as_str() != MessageType::RESPONSE;
        agent.message_count += u64::from(direct);
    }
    Directory {
        initialized_at: messages.first().map(|message| message.sent_at.floor()),
        agents,
        subscriptions: BTreeMap::new(),
        retention_hours: Directory::DEFAULT_RETENTION_HOURS,
        ..Directory::default()
    }
}

fn registry(snapshot: &MailSnapshot, directory: &Directory) -> String {
    let mut registry = Registry::of(directory.clone());
    registry.add_messages(messages_in(snapshot).len() as u64);
    registry.encode()
}

/// A tree being made.
#[derive(Default)]
struct MailboxTree {
    files: BTreeMap<String, Vec<u8>>,
    losses: Vec<Diagnostic>,
}

impl MailboxTree {
    fn put(&mut self, path: String, text: String) {
        let bytes = text.into_bytes();
        match self.files.get(&path) {
            Some(there) if *there != bytes => {
                let message = "another message has the same id, and only one of them can lie here".to_owned();
                self.losses.push(loss(Severity::Warning, path, message, "give each message an id of its own"));
            }
            _ => {
                self.files.insert(path, bytes);
            }
        }
    }

    fn add_copies(&mut self, snapshot: &MailSnapshot) {
        let mut offered: BTreeMap<String, String> = BTreeMap::new();
        let mut copies: Vec<&Delivery> = snapshot.deliveries.iter().collect();
        copies.sort_by(|a, b| (a.message.sent_at, &a.message.id).cmp(&(b.message.sent_at, &b.message.id)));
        for copy in copies {
            let log = self.copy(copy);
            if let Some(at) = copy.receipt.offered_at {
                offered.entry(log).or_default().push_str(&receipt::offered(Some(at), &copy.message.id));
            }
        }
        for (path, lines) in offered {
            self.put(path, lines);
        }
    }

    /// Puts a copy and all that belongs to it, and tells which log says when it was listed.
    fn copy(&mut self, copy: &Delivery) -> String {
        let StoredCopy { path, text, sidecars, log } = stored::copy(copy);
        for (ending, text) in sidecars {
            self.put(format!("{path}{ending}"), text);
        }
        self.put(path, text);
        log
    }

    /// Puts the bus's own records.
    fn records(&mut self, snapshot: &MailSnapshot) {
        let away = ArchiveExtent::of(snapshot);
        for record in &snapshot.records {
            self.put(away.path_of(record, stored::record_path(record)), message::encode(record, None));
        }
        for (sent, to) in &snapshot.sent {
            self.put(away.path_of(sent, layout::outbox(&sent.id, to)), stored::text_for(sent, to));
        }
    }
}

/// Reports what of a bus a mailbox has no room for.
pub(crate) fn losses(snapshot: &MailSnapshot) -> Vec<Diagnostic> {
    fine_times(snapshot).into_iter().chain(event_details(snapshot)).collect()
}

/// Returns how many messages have times that are finer than the format's.
fn fine_times(snapshot: &MailSnapshot) -> Option<Diagnostic> {
    let is_fine = |at: &Option<Timestamp>| at.is_some_and(|at| at != at.floor());
    let noted = |copy: &Delivery| {
        let Receipt { offered_at, seen_at, redelivered_at, .. } = copy.receipt;
        let dead_at = if let Place::DeadLetters { at, .. } = copy.place { Some(at) } else { None };
        [offered_at, seen_at, redelivered_at, dead_at].iter().any(is_fine)
    };
    let written = |message: &Message| [Some(message.sent_at), message.deadline].iter().any(is_fine);
    let noted = snapshot.deliveries.iter().filter(|copy| noted(copy)).map(|copy| &copy.message);
    let fine = BTreeSet::from_iter(
        all_copies(snapshot).filter(|message| written(message)).chain(noted).map(|message| &message.id),
    );
    let message = format!("fractions of seconds in the times of {}", count(fine.len(), "message"));
    let hint = "a mailbox counts whole seconds; messages of one second are sorted by their ids";
    (!fine.is_empty()).then(|| loss(Severity::Info, layout::INBOX, message, hint))
}

/// Returns how many events say more than an event of the format can.
fn event_details(snapshot: &MailSnapshot) -> Option<Diagnostic> {
    let says_more = |message: &&Message| {
        let name = message.event().map(|event| event.as_str());
        name.is_some_and(|name| name != message.subject || name != message.kind.as_str() || has_details(message))
    };
    let events = BTreeSet::from_iter(all_copies(snapshot).filter(says_more).map(|message| &message.id)).len();
    let message = format!("subject, type, priority, thread, deadline or metadata of {}", count(events, "event"));
    let hint = "export to the documents format as well, which has room for it";
    (events > 0).then(|| loss(Severity::Warning, layout::EVENTS, message, hint))
}

fn has_details(message: &Message) -> bool {
    message.priority != Priority::Normal
        || message.thread.is_some()
        || message.in_reply_to.is_some()
        || message.requires_response
        || message.deadline.is_some()
        || !message.metadata.is_empty()
}
