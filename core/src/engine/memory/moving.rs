//! Moves between inbox, archive and dead letters.

use super::state::State;
use crate::model::{AgentName, MessageId, Place, Receipt, Timestamp};

pub(super) fn bury(state: &mut State, agent: &AgentName, id: &MessageId, reason: &str, at: Timestamp) -> bool {
    let Ok(delivery) = state.in_inbox(agent, id) else { return false };
    delivery.place = Place::DeadLetters { reason: reason.to_owned(), at };
    true
}

pub(super) fn revive(state: &mut State, agent: &AgentName, id: &MessageId) -> bool {
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
pub(super) fn archive(state: &mut State, before: Timestamp, unread_too: bool) -> usize {
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
