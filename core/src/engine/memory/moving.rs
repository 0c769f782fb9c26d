//! Moves between inbox, archive and dead letters, and what comes from another bus.

use super::state::BusState;
use crate::engine::MailSnapshot;
use crate::model::{AgentName, MessageId, Place, Receipt, Timestamp};

pub(super) fn dead_letter(
    state: &mut BusState,
    agent: &AgentName,
    id: &MessageId,
    reason: &str,
    at: Timestamp,
) -> bool {
    let Ok(delivery) = state.in_inbox(agent, id) else { return false };
    if delivery.receipt.seen_at.is_some_and(|read| read >= at) {
        return false;
    }
    delivery.place = Place::DeadLetters { reason: reason.to_owned(), at };
    true
}

pub(super) fn requeue(state: &mut BusState, agent: &AgentName, id: &MessageId) -> bool {
    match state.deliveries.get_mut(&(agent.clone(), id.clone())) {
        Some(delivery) if matches!(delivery.place, Place::DeadLetters { .. }) => {
            delivery.place = Place::Inbox;
            delivery.receipt = Receipt::default();
            true
        }
        _ => false,
    }
}

/// Puts away old inbox copies and forgets old keys. Records and the senders' log have one place here, so they stay.
pub(super) fn archive(state: &mut BusState, before: Timestamp, unread_too: bool) -> usize {
    state.keys.retain(|_, used| used.at >= before);
    let mut moved = 0;
    for delivery in state.deliveries.values_mut() {
        let old = delivery.place == Place::Inbox && delivery.message.sent_at < before;
        if old && (unread_too || !delivery.is_unread()) {
            delivery.place = Place::Archive;
            moved += 1;
        }
    }
    moved
}

/// Removes old copies from the archive, and the records of which no copy is left.
pub(super) fn prune(state: &mut BusState, before: Timestamp) -> usize {
    let first_kept = before.date();
    let is_old = |at: Timestamp| at.date() < first_kept;
    let copies = state.deliveries.len();
    state.deliveries.retain(|_, copy| copy.place != Place::Archive || !is_old(copy.message.sent_at));
    let left: std::collections::BTreeSet<MessageId> = state.deliveries.keys().map(|(_, id)| id.clone()).collect();
    state.records.retain(|id, record| left.contains(id) || !is_old(record.sent_at));
    state.sent.retain(|(id, _), message| left.contains(id) || !is_old(message.sent_at));
    copies - state.deliveries.len()
}

/// Takes over what is not there yet, and returns how many copies that were.
pub(super) fn import_snapshot(state: &mut BusState, snapshot: &MailSnapshot) -> usize {
    let before = state.deliveries.len();
    for copy in &snapshot.deliveries {
        state.ids.insert(copy.message.id.clone());
        let key = (copy.recipient.clone(), copy.message.id.clone());
        state.deliveries.entry(key).or_insert_with(|| copy.clone());
    }
    for record in &snapshot.records {
        state.ids.insert(record.id.clone());
        state.records.entry(record.id.clone()).or_insert_with(|| record.clone());
    }
    for (message, to) in &snapshot.sent {
        state.ids.insert(message.id.clone());
        state.sent.entry((message.id.clone(), to.clone())).or_insert_with(|| message.clone());
    }
    state.deliveries.len() - before
}
