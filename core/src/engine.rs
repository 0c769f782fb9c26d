//! Storage: the interface between a bus and the place where its messages are stored.
//!
//! Every engine passes the same behavior suite (the `suite` module). The `# Behavior` list of a method is its contract.

pub mod error;
pub mod files;
pub mod fs;
#[cfg(any(test, feature = "suite"))]
pub mod fuzzing;
pub(crate) mod journal;
pub mod lock_owner;
pub mod memory;
#[cfg(any(test, feature = "suite"))]
pub mod suite;
pub mod transaction;

pub use error::{Error, Result};
pub use lock_owner::{LockOwner, LockSettings};
pub use transaction::{CommitOutcome, ContextChange, Envelope, HandoffChange, HandoffPackage, SendKey, Transaction};

use std::collections::BTreeMap;

use crate::model::{
    AgentName, Context, ContextName, Delivery, Diagnostic, Directory, Handoff, HandoffId, LeaseName, Message,
    MessageId, Place, Span, Timestamp, Usage, WithDiagnostics,
};

/// A place where one bus is kept. All methods take `&self`: an engine may be shared by everything in a process,
/// and other processes may work on the same bus at the same time.
pub trait Engine {
    /// Creates the bus.
    ///
    /// # Behavior
    /// - Returns whether there was none before; a second call changes nothing and returns `false`.
    /// - Every other method fails with [`Error::NoBus`] until this was called once, by anyone.
    fn init(&self) -> Result<bool>;

    /// Reads the directory of agents.
    ///
    /// # Behavior
    /// - A damaged directory is a finding, and the agents are those who can still be made out.
    fn directory(&self) -> Result<WithDiagnostics<Directory>>;

    /// Changes the directory of agents.
    ///
    /// # Behavior
    /// - `edit` sees the newest directory, and no other change comes between what it saw and what it leaves.
    /// - `edit` may run more than once; only what it left the last time counts.
    /// - An agent that `edit` adds has an inbox when this returns. One that it removes keeps its messages.
    /// - Fields that this version does not know survive.
    fn edit_directory(&self, edit: &mut dyn FnMut(&mut Directory)) -> Result<()>;

    /// Commits a transaction: atomically and durably.
    ///
    /// # Behavior
    /// - After `Ok`, every message, document and package of the change is there, even if the process is killed or the
    ///   machine loses power in the next instant. After a kill in the middle, it is there as a whole or not at all, and
    ///   the next method called on the same bus, by anyone, finds it so (a file engine may need half a second for it).
    /// - A message is delivered once to each of its recipients, whoever repeats the work.
    /// - With a key that the same sender has used before, nothing happens and the earlier change's message id comes back;
    ///   when the earlier change had another fingerprint, [`Error::KeyReused`].
    /// - A message that the change marks as seen counts as read from then on, as [`Engine::mark_seen`] would have it; one
    ///   that was read before, or is not in the inbox any more, is left as it is.
    /// - A context or handoff that is not in the state the change expects: [`Error::Conflict`], and nothing happens.
    /// - The counter of each recipient of a direct message rises by one; replies, broadcasts and events are not counted.
    ///   The sender's `last_seen` becomes the time of the change.
    /// - A recipient's inbox exists afterwards even if nobody made it before.
    fn commit(&self, change: Transaction) -> Result<CommitOutcome>;

    /// Reads an agent's inbox.
    ///
    /// # Behavior
    /// - Lists deliveries in the order of time sent, then id; with `unread_only`, those not seen.
    /// - What cannot be read is a finding, never an error, and does not hide the rest.
    /// - An agent without an inbox has an empty one.
    fn inbox(&self, agent: &AgentName, unread_only: bool) -> Result<WithDiagnostics<Vec<Delivery>>>;

    /// Reads the most urgent messages of an agent's inbox, and not the others where it can be helped.
    ///
    /// # Behavior
    /// - Shows the first `limit` of [`Engine::inbox`] in the order of priority, time sent and id, and counts all of them.
    /// - What cannot be read is a finding, as there; of the messages that are not shown, it may be left out.
    fn inbox_page(&self, agent: &AgentName, unread_only: bool, limit: usize) -> Result<WithDiagnostics<InboxPage>> {
        let WithDiagnostics { value: mut shown, findings } = self.inbox(agent, unread_only)?;
        // They come by time and id, and equals stay in order.
        shown.sort_by_key(|delivery| delivery.message.priority);
        let total = shown.len();
        shown.truncate(limit);
        Ok(WithDiagnostics { value: InboxPage { total, shown }, findings })
    }

    /// Counts an agent's unread messages, without reading them where it can be helped.
    ///
    /// # Behavior
    /// - Gives the count of [`Engine::inbox`] with `unread_only`, and the time the oldest of them was sent; what cannot be
    ///   read counts as unread.
    fn unread(&self, agent: &AgentName) -> Result<Unread>;

    /// Names an agent's unread messages, without reading them where it can be helped: for those who look often.
    ///
    /// # Behavior
    /// - Gives the ids of [`Engine::inbox`] with `unread_only`, in an order that stays the same while they do; the id of
    ///   what cannot be read may be among them.
    fn unread_ids(&self, agent: &AgentName) -> Result<Vec<MessageId>> {
        Ok(self.inbox(agent, true)?.value.into_iter().map(|delivery| delivery.message.id).collect())
    }

    /// Reads one agent's copy of a message, wherever it lies: inbox, archive or dead letters, in this order.
    ///
    /// # Behavior
    /// - `None` when the agent never had it; [`Error::Damaged`] when it is there and cannot be understood.
    fn delivery(&self, agent: &AgentName, id: &MessageId) -> Result<Option<Delivery>>;

    /// Records that an inbox check listed these messages to their recipient.
    ///
    /// # Behavior
    /// - The first time counts; repeating changes nothing.
    fn mark_offered(&self, agent: &AgentName, ids: &[MessageId], at: Timestamp) -> Result<()>;

    /// Records that the recipient has read a message.
    ///
    /// # Behavior
    /// - Of all callers, ever, exactly one gets [`Seen::First`] (until the message is redelivered).
    /// - Survives a power cut once it returned.
    /// - [`Error::NoSuchMessage`] when the agent's inbox does not have it.
    fn mark_seen(&self, agent: &AgentName, id: &MessageId, at: Timestamp) -> Result<Seen>;

    /// Offers a message anew: it becomes unread and not yet offered.
    ///
    /// # Behavior
    /// - Returns how often it has been redelivered by now.
    /// - One that was read or redelivered at `at` or later stays as it is: who decided at `at` did not know of that.
    /// - [`Error::NoSuchMessage`] when the agent's inbox does not have it.
    fn redeliver(&self, agent: &AgentName, id: &MessageId, at: Timestamp) -> Result<u32>;

    /// Moves a message from the inbox to the dead letters.
    ///
    /// # Behavior
    /// - It is in one of the two places at any instant, and in the dead letters when this returns.
    /// - Absent from the inbox, or read at `at` or later: nothing happens, `false` comes back.
    fn dead_letter(&self, agent: &AgentName, id: &MessageId, reason: &str, at: Timestamp) -> Result<bool>;

    /// Moves a message from the dead letters back to the inbox, unread, its count of redeliveries begun anew.
    ///
    /// # Behavior
    /// - Absent from the dead letters: nothing happens, `false` comes back.
    fn requeue(&self, agent: &AgentName, id: &MessageId) -> Result<bool>;

    /// Puts away what was sent before a time: read messages of every inbox (unread ones too if asked), and the bus's
    /// own records of sent messages, broadcasts and events; forgets send keys from before that time.
    ///
    /// # Behavior
    /// - Returns how many inbox copies were moved.
    /// - A copy is in the inbox or in the archive at any instant, with its receipt.
    /// - Safe to run by many at once.
    fn archive(&self, before: Timestamp, unread_too: bool) -> Result<usize>;

    /// Removes from the archive what was sent on a day that ended before a time, the bus's own records among it.
    ///
    /// # Behavior
    /// - Returns how many copies were removed. What lies elsewhere stays, however old.
    /// - Safe to run by many at once; after a kill in the middle, the next run goes on.
    fn prune(&self, before: Timestamp) -> Result<usize>;

    /// Counts the copies that lie in inboxes, and their bytes as far as the engine can tell.
    fn usage(&self) -> Result<Usage>;

    /// Reads a shared context.
    ///
    /// # Behavior
    /// - `None` when there is none of that name.
    fn context(&self, name: &ContextName) -> Result<Option<Context>>;

    /// Lists the shared contexts by name.
    fn contexts(&self) -> Result<WithDiagnostics<Vec<Context>>>;

    /// Reads a handoff package.
    ///
    /// # Behavior
    /// - `None` when there is none of that id; [`Error::Damaged`] when its metadata cannot be understood.
    fn handoff(&self, id: &HandoffId) -> Result<Option<HandoffPackage>>;

    /// Lists the handoffs by id.
    fn handoffs(&self) -> Result<WithDiagnostics<Vec<Handoff>>>;

    /// Reads a file that a handoff carries.
    ///
    /// # Behavior
    /// - `None` when there is no such handoff, or nothing that is stored in it under that name.
    fn artifact(&self, id: &HandoffId, stored: &str) -> Result<Option<Vec<u8>>>;

    /// Reads all mail that is still stored.
    ///
    /// # Behavior
    /// - Sorted: deliveries by time sent, id and recipient; records by time sent and id.
    /// - What cannot be read is a finding.
    fn snapshot(&self) -> Result<WithDiagnostics<MailSnapshot>>;

    /// Finds what is wrong with what the engine keeps for itself.
    ///
    /// # Behavior
    /// - A send key whose message nobody has, or that cannot be read, is a finding.
    fn audit(&self) -> Result<Vec<Diagnostic>> {
        Ok(Vec::new())
    }

    /// Reads what is kept of one message, and what answers it, without reading the rest where it can be helped.
    ///
    /// # Behavior
    /// - Has all that [`Engine::snapshot`] has of the message: copies, records, lines of the senders' log.
    /// - Has every message that names it in `in_reply_to` and went to its sender, once at least, anywhere in the snapshot.
    ///   Others may be among them.
    /// - Empty when nothing is kept of the message.
    fn message_snapshot(&self, id: &MessageId) -> Result<WithDiagnostics<MailSnapshot>>;

    /// Imports the mail of another bus: copies, records and the senders' log, unchanged.
    ///
    /// # Behavior
    /// - Each copy is afterwards where its place says, with its receipt; its recipient need not be in the directory.
    /// - What is there already stays as it is: a copy of the same id and recipient wherever it lies, a record of the same
    ///   id, a line of the senders' log of the same id and recipient. Repeating is harmless, and goes on after a kill.
    /// - A copy never shows without its receipt, even after a kill in the middle: one that was read is not unread.
    /// - Nothing is counted, and the directory stays as it is.
    /// - After `Ok`, all of it survives a power cut.
    /// - Returns how many copies are new. What the format has no room for is a finding.
    fn import_snapshot(&self, snapshot: &MailSnapshot) -> Result<WithDiagnostics<usize>>;

    /// Moves a file that nobody can read to where nobody looks, and returns its new place.
    ///
    /// # Behavior
    /// - The path is that of a finding's place. `None` when nothing was moved: it is gone, or this engine keeps no files.
    /// - Of what was moved, the newest is kept: the number is bounded.
    fn quarantine_file(&self, _path: &str) -> Result<Option<String>> {
        Ok(None)
    }

    /// Acquires a lease: the right to be the only one at something, for a while.
    ///
    /// # Behavior
    /// - Waits for at most `wait` while another holds it, then [`Error::Locked`] names the holder.
    /// - A lease past its expiry may be taken over. Fencing numbers of one name only ever rise.
    /// - All who take a lease of one name take it for the same time. An engine whose leases anybody can write may take over one
    ///   that lasts longer.
    fn lease(&self, name: &LeaseName, owner: &str, ttl: Span, wait: Span) -> Result<Lease>;

    /// Releases a lease.
    ///
    /// # Behavior
    /// - One that was taken over meanwhile stays with its new holder.
    fn release(&self, lease: &Lease) -> Result<()>;

    /// Waits until something may have come for an agent, or `span` is over.
    ///
    /// # Behavior
    /// - `false`, at once, from an engine that cannot tell: the caller sleeps for a while and looks.
    /// - After `true` the caller looks into the inbox before it waits again. What came between that look and the next
    ///   wait ends that wait.
    fn wait(&self, _agent: &AgentName, _span: Span) -> Result<bool> {
        Ok(false)
    }
}

/// The beginning of an inbox.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct InboxPage {
    /// How many messages there are, shown or not.
    pub total: usize,
    /// The most urgent of them, then the oldest.
    pub shown: Vec<Delivery>,
}

/// How many messages wait for an agent, and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unread {
    /// How many.
    pub count: usize,
    /// When the oldest of them was sent.
    pub oldest: Option<Timestamp>,
}

/// Whether a read was the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// Nobody had read it before.
    First,
    /// It was read before, at that time if it is known.
    Already(Option<Timestamp>),
}

/// All mail of a bus at one time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MailSnapshot {
    /// Each recipient's copy of each message.
    pub deliveries: Vec<Delivery>,
    /// The bus's own record of broadcasts and events: one each, whoever got it.
    pub records: Vec<Message>,
    /// The senders' log: each direct message with whom it went to.
    pub sent: Vec<(Message, AgentName)>,
}

impl MailSnapshot {
    /// Sorts by time sent, then id and recipient, and removes a second copy that a recipient has of one message.
    pub fn sort(&mut self) {
        fn key(message: &Message) -> (Timestamp, &MessageId) {
            (message.sent_at, &message.id)
        }
        let place = |delivery: &Delivery| match delivery.place {
            Place::Inbox => 0,
            Place::Archive => 1,
            Place::DeadLetters { .. } => 2,
        };
        self.deliveries
            .sort_by(|a, b| (key(&a.message), &a.recipient, place(a)).cmp(&(key(&b.message), &b.recipient, place(b))));
        // A copy that is being moved may be met twice: where it was first counts.
        self.deliveries.dedup_by(|b, a| a.message.id == b.message.id && a.recipient == b.recipient);
        self.records.sort_by(|a, b| key(a).cmp(&key(b)));
        self.sent.sort_by(|a, b| (key(&a.0), &a.1).cmp(&(key(&b.0), &b.1)));
    }

    /// Splits the snapshot into snapshots of at most `messages` messages; a message and everything stored of it stay together.
    pub fn batches(&self, messages: usize) -> Vec<Self> {
        let mut numbers: BTreeMap<&MessageId, usize> = BTreeMap::new();
        let mut parts: Vec<Self> = Vec::new();
        let mut part_of = |parts: &mut Vec<Self>, id| {
            let next = numbers.len();
            let number = *numbers.entry(id).or_insert(next) / messages.max(1);
            parts.resize_with(parts.len().max(number + 1), Self::default);
            number
        };
        for copy in &self.deliveries {
            let number = part_of(&mut parts, &copy.message.id);
            parts[number].deliveries.push(copy.clone());
        }
        for record in &self.records {
            let number = part_of(&mut parts, &record.id);
            parts[number].records.push(record.clone());
        }
        for line in &self.sent {
            let number = part_of(&mut parts, &line.0.id);
            parts[number].sent.push(line.clone());
        }
        parts
    }
}

/// A right to be the only one at something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// What it is about.
    pub name: LeaseName,
    /// Who holds it.
    pub owner: String,
    /// Rises with each lease of the same name.
    pub fence: u64,
    /// Until when it holds.
    pub expires_at: Timestamp,
}
