//! The files of a stored copy or handoff, and the paths of the bus's own records.

use std::borrow::Cow;

use super::{handoff, layout, message, receipt};
use crate::bus::ids;
use crate::engine::{HandoffPackage, MailSnapshot};
use crate::model::{AgentName, Delivery, Message, Place, Recipient, Timestamp};

/// One recipient's copy, as files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCopy {
    /// Where the message lies.
    pub path: String,
    /// The message.
    pub text: String,
    /// The sidecar files, by suffix.
    pub sidecars: Vec<(&'static str, String)>,
    /// The log that says when it was listed.
    pub log: String,
}

/// Returns the files of a copy.
pub fn copy(copy: &Delivery) -> StoredCopy {
    let Delivery { recipient, message, receipt, place } = copy;
    let inbox = layout::inbox_message(recipient, &message.id);
    let log = layout::offered(recipient);
    let (path, log) = match place {
        Place::Inbox => (inbox, log),
        Place::DeadLetters { .. } => (layout::dead_letter(recipient, &message.id), log),
        Place::Archive => {
            let day = archive_date(message);
            (layout::archived(&day, &inbox), layout::archived(&day, &log))
        }
    };
    let mut sidecars = Vec::new();
    if let Place::DeadLetters { reason, at } = place {
        sidecars.push((layout::DEAD, receipt::dead(reason, *at)));
    }
    if let Some(at) = receipt.seen_at {
        sidecars.push((layout::READ, receipt::read(at)));
    }
    if receipt.redelivered > 0 || receipt.redelivered_at.is_some() {
        sidecars.push((layout::REDELIVERED, receipt::redelivered(receipt.redelivered, receipt.redelivered_at)));
    }
    StoredCopy { path, text: text_for(message, recipient), sidecars, log }
}

/// Returns where the bus keeps its own record of a broadcast or an event.
pub fn record_path(record: &Message) -> String {
    match &record.to {
        Recipient::Subscribers(event) => layout::event(event, &record.id),
        Recipient::All | Recipient::Agents(_) => layout::broadcast(&record.id),
    }
}

/// Writes the copy that goes to somebody; what lies with one whom it is not for keeps its address.
pub fn text_for(message: &Message, holder: &AgentName) -> String {
    let is_for_holder = matches!(&message.to, Recipient::Agents(names) if names.contains(holder));
    message::encode(message, is_for_holder.then_some(holder))
}

/// Where records lie: where copies were put away, the records of that time were too, read or not.
#[derive(Debug, Clone, Copy)]
pub struct ArchiveExtent {
    last: Option<Timestamp>,
}

impl ArchiveExtent {
    /// Finds the newest archived copy of a snapshot.
    pub fn of(snapshot: &MailSnapshot) -> Self {
        let away = snapshot.deliveries.iter().filter(|copy| copy.place == Place::Archive);
        Self { last: away.map(|copy| archive_time(&copy.message)).max() }
    }

    /// Returns where a record lies that would be at `path` had it not been put away.
    pub fn path_of(self, message: &Message, path: String) -> String {
        let is_away = self.last.is_some_and(|last| archive_time(message) <= last);
        if is_away { layout::archived(&archive_date(message), &path) } else { path }
    }
}

/// Returns the time that the engine goes by when it puts messages away.
fn archive_time(message: &Message) -> Timestamp {
    ids::time_in(message.id.as_str()).unwrap_or(message.sent_at)
}

/// Returns the day that the engine would put a message away under.
fn archive_date(message: &Message) -> String {
    archive_time(message).date()
}

/// Returns the files of a handoff by path. The metadata comes last: a package is there when it is.
pub fn package(package: &HandoffPackage) -> Vec<(String, Cow<'_, [u8]>)> {
    let dir = layout::handoff(&package.handoff.id);
    let file = |name: &str, bytes| (format!("{dir}/{name}"), bytes);
    let artifacts = package.files.iter().map(|(name, bytes)| file(&format!("artifacts/{name}"), Cow::from(bytes)));
    let metadata = handoff::encode_metadata(&package.handoff).into_bytes();
    let documents = [
        file("HANDOFF.md", package.document.as_bytes().into()),
        file("context-links.md", package.context_links.as_bytes().into()),
        file("acceptance-checklist.md", package.checklist.as_bytes().into()),
        file("metadata.json", metadata.into()),
    ];
    artifacts.chain(documents).collect()
}
