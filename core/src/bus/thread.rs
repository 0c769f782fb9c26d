//! Conversations: the messages that belong together, and who still owes an answer.

use std::collections::BTreeMap;

use huddle_scan::Symbols;

use super::trace::{ReplyIndex, all_copies};
use super::{Bus, Error, Result};
use crate::engine::MailSnapshot;
use crate::history::NO_POSITION;
use crate::history::thread::{Link, group};
use crate::model::{AgentName, Message, MessageId, Recipient, ThreadId, Timestamp, WithDiagnostics};

/// One conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Thread {
    /// Its id: that of the first message that carries one, or else the first message's own.
    pub id: ThreadId,
    /// The first message's subject.
    pub subject: String,
    /// Senders and named recipients, in order of appearance.
    pub participants: Vec<AgentName>,
    /// The messages, one for each id, by time and then id; never empty.
    pub messages: Vec<Message>,
    /// When the first message was sent.
    pub started_at: Timestamp,
    /// When the last message was sent.
    pub last_at: Timestamp,
    /// Messages that need an answer, oldest first.
    pub waiting: Vec<PendingReply>,
}

/// A message that needs an answer which has not come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingReply {
    /// The message.
    pub id: MessageId,
    /// Its subject.
    pub subject: String,
    /// The agent that asked.
    pub asked_by: AgentName,
    /// The agents that have not answered.
    pub waits_for: Vec<AgentName>,
    /// The deadline of the answer.
    pub deadline: Option<Timestamp>,
}

impl Thread {
    /// Returns whether `wanted` is the conversation's id, another that it goes by, or the id of a message in it.
    pub fn answers_to(&self, wanted: &str) -> bool {
        self.goes_by(wanted) || self.messages.iter().any(|message| message.id.as_str() == wanted)
    }

    /// Agents on shell scripts may begin a new id with each answer, so a conversation can have several.
    fn goes_by(&self, wanted: &str) -> bool {
        let mut ids = self.messages.iter().filter_map(|message| message.thread.as_ref());
        self.id.as_str() == wanted || ids.any(|id| id.as_str() == wanted)
    }

    /// Returns whether it is more than a message that stands alone.
    fn is_conversation(&self) -> bool {
        self.messages.len() > 1 || self.messages.iter().any(|message| message.thread.is_some())
    }
}

impl Bus<'_> {
    /// Lists the conversations, the one with the newest message first.
    pub fn threads(&self) -> Result<WithDiagnostics<Vec<Thread>>> {
        self.derived(|snapshot| Ok(threads_in(snapshot)))
    }

    /// Finds a conversation by its id or by the id of any message in it.
    pub fn thread(&self, wanted: &str) -> Result<WithDiagnostics<Thread>> {
        self.derived(|snapshot| find_thread(snapshot, wanted))
    }
}

/// Lists the conversations in a snapshot, the one with the newest message first.
pub fn threads_in(snapshot: &MailSnapshot) -> Vec<Thread> {
    let mut threads = groups(snapshot);
    threads.retain(Thread::is_conversation);
    threads
}

/// Finds a conversation in a snapshot; a message that stands alone is a conversation of one when it is asked for.
pub(super) fn find_thread(snapshot: &MailSnapshot, wanted: &str) -> Result<Thread> {
    let id = ThreadId::new(wanted)?;
    let mut threads = groups(snapshot);
    let found = threads.iter().position(|thread| thread.goes_by(wanted));
    match found.or_else(|| threads.iter().position(|thread| thread.answers_to(wanted))) {
        Some(place) => Ok(threads.swap_remove(place)),
        None => Err(Error::NoSuchThread { thread: id }.into()),
    }
}

/// Lists what was said, one message for each id, by time and then id.
///
/// The copies of a message to several agents may name one recipient each: here all of them are named.
pub fn messages_in(snapshot: &MailSnapshot) -> Vec<Message> {
    let mut found: BTreeMap<&MessageId, Message> = BTreeMap::new();
    for copy in all_copies(snapshot) {
        let message = found.entry(&copy.id).or_insert_with(|| copy.clone());
        if let (Recipient::Agents(all), Recipient::Agents(names)) = (&mut message.to, &copy.to) {
            let new: Vec<_> = names.iter().filter(|name| !all.contains(name)).cloned().collect();
            all.extend(new);
        }
    }
    let mut messages: Vec<Message> = found.into_values().collect();
    // They come by id, so a stable sort by time leaves those of one second by id.
    messages.sort_by_key(|message| message.sent_at);
    messages
}

/// Sorts every message into its group, the one with the newest message first.
fn groups(snapshot: &MailSnapshot) -> Vec<Thread> {
    let messages = messages_in(snapshot);
    let roots = roots(&messages);
    let mut groups: BTreeMap<u32, Vec<Message>> = BTreeMap::new();
    for (root, message) in roots.into_iter().zip(messages) {
        groups.entry(root).or_default().push(message);
    }
    let replies = ReplyIndex::of(snapshot);
    let holders = holders(snapshot);
    let threads = groups.into_values().map(|messages| {
        let waiting = messages.iter().filter_map(|message| waiting(message, &replies, &holders)).collect();
        make(messages, waiting)
    });
    let mut threads: Vec<Thread> = threads.collect();
    threads.sort_by(|a, b| b.last_at.cmp(&a.last_at).then_with(|| a.id.cmp(&b.id)));
    threads
}

fn make(messages: Vec<Message>, waiting: Vec<PendingReply>) -> Thread {
    let (first, last) = (&messages[0], &messages[messages.len() - 1]);
    let id = messages.iter().find_map(|message| message.thread.clone());
    let id = id.unwrap_or_else(|| ThreadId::new(first.id.as_str()).expect("a message id is a valid thread id"));
    let mut participants: Vec<AgentName> = Vec::new();
    for message in &messages {
        let named: &[AgentName] = if let Recipient::Agents(names) = &message.to { names } else { &[] };
        for name in std::iter::once(&message.from).chain(named) {
            if !participants.contains(name) {
                participants.push(name.clone());
            }
        }
    }
    let (subject, started_at, last_at) = (first.subject.clone(), first.sent_at, last.sent_at);
    Thread { id, subject, participants, messages, started_at, last_at, waiting }
}

/// Finds for each message the first of its group, by the rule that history goes by.
fn roots(messages: &[Message]) -> Vec<u32> {
    let mut symbols = Symbols::default();
    let links = messages.iter().map(|message| Link {
        id: symbols.intern(message.id.as_str()),
        thread: symbols.intern(message.thread.as_ref().map_or("", ThreadId::as_str)),
        reply_to: symbols.intern(message.in_reply_to.as_ref().map_or("", MessageId::as_str)),
        continues: NO_POSITION,
    });
    group(&links.collect::<Vec<_>>()).roots
}

/// Lists who has a copy of each message that needs an answer.
fn holders(snapshot: &MailSnapshot) -> BTreeMap<&MessageId, Vec<&AgentName>> {
    let mut holders: BTreeMap<&MessageId, Vec<&AgentName>> = BTreeMap::new();
    for delivery in snapshot.deliveries.iter().filter(|delivery| delivery.message.requires_response) {
        holders.entry(&delivery.message.id).or_default().push(&delivery.recipient);
    }
    holders
}

fn waiting(
    message: &Message,
    replies: &ReplyIndex<'_>,
    holders: &BTreeMap<&MessageId, Vec<&AgentName>>,
) -> Option<PendingReply> {
    if !message.requires_response {
        return None;
    }
    let asked: Vec<&AgentName> = match &message.to {
        Recipient::Agents(names) => names.iter().collect(),
        Recipient::All | Recipient::Subscribers(_) => holders.get(&message.id).cloned().unwrap_or_default(),
    };
    let owing = asked.into_iter().filter(|name| **name != message.from && replies.answered(message, name).is_none());
    let waits_for: Vec<AgentName> = owing.cloned().collect();
    let (id, subject, asked_by) = (message.id.clone(), message.subject.clone(), message.from.clone());
    let waiting = PendingReply { id, subject, asked_by, waits_for, deadline: message.deadline };
    (!waiting.waits_for.is_empty()).then_some(waiting)
}

#[cfg(test)]
pub(super) mod fixture;
#[cfg(test)]
mod tests;
