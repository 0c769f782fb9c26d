//! What a bus in memory consists of.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::{Error, HandoffPackage, Lease, MailSnapshot, Result};
use crate::model::{
    AgentName, Context, ContextName, Delivery, Directory, HandoffId, LeaseName, Message, MessageId, Place, Timestamp,
};

/// Everything on one bus.
#[derive(Debug)]
pub(super) struct BusState {
    pub(super) directory: Directory,
    /// Every message id that was ever used.
    pub(super) ids: BTreeSet<MessageId>,
    /// Each recipient's copy, wherever it lies: a copy is in one place because there is one of it.
    pub(super) deliveries: BTreeMap<(AgentName, MessageId), Delivery>,
    /// Broadcasts and events.
    pub(super) records: BTreeMap<MessageId, Message>,
    /// Direct messages, and whom they went to.
    pub(super) sent: BTreeMap<(MessageId, AgentName), Message>,
    pub(super) keys: BTreeMap<(AgentName, String), KeyUse>,
    pub(super) contexts: BTreeMap<ContextName, Context>,
    pub(super) handoffs: BTreeMap<HandoffId, HandoffPackage>,
    pub(super) leases: BTreeMap<LeaseName, HeldLease>,
}

/// What a send key was used for.
#[derive(Debug)]
pub(super) struct KeyUse {
    pub(super) fingerprint: String,
    pub(super) message: MessageId,
    pub(super) at: Timestamp,
}

/// The newest lease of a name: kept after its release, so that the next gets a higher number.
#[derive(Debug)]
pub(super) struct HeldLease {
    pub(super) lease: Lease,
    pub(super) released: bool,
}

impl BusState {
    pub(super) fn new(now: Timestamp) -> Self {
        let directory = Directory {
            initialized_at: Some(now),
            retention_hours: Directory::DEFAULT_RETENTION_HOURS,
            ..Directory::default()
        };
        Self {
            directory,
            ids: BTreeSet::new(),
            deliveries: BTreeMap::new(),
            records: BTreeMap::new(),
            sent: BTreeMap::new(),
            keys: BTreeMap::new(),
            contexts: BTreeMap::new(),
            handoffs: BTreeMap::new(),
            leases: BTreeMap::new(),
        }
    }

    /// Lists what lies in an agent's inbox, by id.
    pub(super) fn inbox(&self, agent: &AgentName) -> impl Iterator<Item = &Delivery> {
        self.deliveries.values().filter(move |copy| copy.recipient == *agent && copy.place == Place::Inbox)
    }

    /// Finds a message in an agent's inbox, and only there.
    pub(super) fn in_inbox(&mut self, agent: &AgentName, id: &MessageId) -> Result<&mut Delivery> {
        let copy = self.deliveries.get_mut(&(agent.clone(), id.clone()));
        copy.filter(|copy| copy.place == Place::Inbox)
            .ok_or_else(|| Error::NoSuchMessage { agent: agent.clone(), id: id.clone() }.into())
    }

    pub(super) fn snapshot(&self) -> MailSnapshot {
        let deliveries = in_order(self.deliveries.values().cloned().collect());
        let mut records: Vec<Message> = self.records.values().cloned().collect();
        records.sort_by_key(|message| message.sent_at);
        let sent = self.sent.iter().map(|((_, to), message)| (message.clone(), to.clone()));
        let mut sent: Vec<(Message, AgentName)> = sent.collect();
        sent.sort_by_key(|(message, _)| message.sent_at);
        MailSnapshot { deliveries, records, sent }
    }
}

/// Sorts by time sent, id and recipient.
pub(super) fn in_order(mut deliveries: Vec<Delivery>) -> Vec<Delivery> {
    deliveries.sort_by(|a, b| {
        let key = |delivery: &Delivery| (delivery.message.sent_at, delivery.message.id.clone());
        key(a).cmp(&key(b)).then_with(|| a.recipient.cmp(&b.recipient))
    });
    deliveries
}
