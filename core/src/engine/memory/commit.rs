//! Commits: everything is checked before anything is changed.

use std::collections::BTreeSet;

use super::state::{BusState, KeyUse};
use crate::engine::{CommitOutcome, ContextChange, Envelope, Error, HandoffChange, Result, SendKey, Transaction};
use crate::model::{AgentName, Delivery, HandoffStatus, MessageId, MessageType, Place, Receipt, Recipient, Timestamp};

/// Commits a transaction, or returns why it conflicts.
pub(super) fn commit(state: &mut BusState, change: Transaction) -> Result<CommitOutcome> {
    check_caller(&change);
    if let Some(key) = &change.key
        && let Some(earlier) = used_before(state, &change.by, key)?
    {
        return Ok(CommitOutcome::Duplicate(earlier));
    }
    check_ids(state, &change.envelopes)?;
    if let Some(context) = &change.context {
        check_context(state, context)?;
    }
    if let Some(handoff) = &change.handoff {
        check_handoff(state, handoff)?;
    }
    apply(state, change);
    Ok(CommitOutcome::Done)
}

/// Panics over mistakes that no data can bring about: only code that builds a change wrongly makes them.
fn check_caller(change: &Transaction) {
    debug_assert!(
        change.key.is_none() || !change.envelopes.is_empty(),
        "a change with a key needs a message to remember"
    );
    for Envelope { message, recipients } in &change.envelopes {
        let (id, at) = (&message.id, message.sent_at);
        debug_assert!(at == at.floor(), "message {id} has a time with a fraction of a second: {at}");
        if let Recipient::Agents(names) = &message.to {
            debug_assert!(!recipients.is_empty(), "message {id} is for named agents and is posted to nobody");
            let stray = recipients.iter().find(|name| !names.contains(name));
            debug_assert!(stray.is_none(), "message {id} is for {} and is posted to {stray:?}", message.to);
        }
    }
    if let Some(ContextChange { expected, context }) = &change.context {
        let old = expected.unwrap_or(0);
        debug_assert!(context.version > old, "context {} goes from version {old} to {}", context.name, context.version);
    }
    if let Some(HandoffChange::Decide { handoff, .. }) = &change.handoff {
        debug_assert!(handoff.status != HandoffStatus::Pending, "handoff {} is decided as pending", handoff.id);
    }
}

fn used_before(state: &BusState, by: &AgentName, key: &SendKey) -> Result<Option<MessageId>> {
    let Some(earlier) = state.keys.get(&(by.clone(), key.key.clone())) else { return Ok(None) };
    if earlier.fingerprint != key.fingerprint {
        return Err(Error::KeyReused { key: key.key.clone(), earlier: earlier.message.clone() }.into());
    }
    Ok(Some(earlier.message.clone()))
}

fn check_ids(state: &BusState, envelopes: &[Envelope]) -> Result<()> {
    let mut new = BTreeSet::new();
    for Envelope { message, .. } in envelopes {
        if state.ids.contains(&message.id) || !new.insert(&message.id) {
            return Err(conflict(format!("message {}", message.id), "an id of its own", "one that is taken").into());
        }
    }
    Ok(())
}

fn check_context(state: &BusState, change: &ContextChange) -> Result<()> {
    let found = state.contexts.get(&change.context.name).map(|context| context.version);
    if found == change.expected {
        return Ok(());
    }
    let say = |version: Option<u64>| version.map_or_else(|| "none".to_owned(), |version| format!("version {version}"));
    Err(conflict(format!("context {}", change.context.name), say(change.expected), say(found)).into())
}

fn check_handoff(state: &BusState, change: &HandoffChange) -> Result<()> {
    let (id, expected) = match change {
        HandoffChange::Create(package) => (&package.handoff.id, "none"),
        HandoffChange::Decide { handoff, .. } => (&handoff.id, HandoffStatus::Pending.as_str()),
    };
    let found = state.handoffs.get(id).map_or("none", |package| package.handoff.status.as_str());
    if found == expected { Ok(()) } else { Err(conflict(format!("handoff {id}"), expected, found).into()) }
}

fn conflict(what: String, expected: impl Into<String>, found: impl Into<String>) -> Error {
    Error::Conflict { what, expected: expected.into(), found: found.into() }
}

fn apply(state: &mut BusState, change: Transaction) {
    let Transaction { by, at, key, envelopes, seen, context, handoff } = change;
    if let (Some(SendKey { key, fingerprint }), Some(first)) = (key, envelopes.first()) {
        state.keys.insert((by.clone(), key), KeyUse { fingerprint, message: first.message.id.clone(), at });
    }
    for envelope in envelopes {
        deliver(state, envelope);
    }
    if let Some(id) = seen {
        note_seen(state, &by, &id, at);
    }
    if let Some(ContextChange { context, .. }) = context {
        state.contexts.insert(context.name.clone(), context);
    }
    match handoff {
        Some(HandoffChange::Create(package)) => {
            state.handoffs.insert(package.handoff.id.clone(), package);
        }
        Some(HandoffChange::Decide { handoff, document }) => {
            if let Some(package) = state.handoffs.get_mut(&handoff.id) {
                (package.handoff, package.document) = (handoff, document);
            }
        }
        None => {}
    }
    note_sender(state, &by, at);
}

fn note_seen(state: &mut BusState, reader: &AgentName, id: &MessageId, at: Timestamp) {
    if let Ok(delivery) = state.in_inbox(reader, id) {
        delivery.receipt.seen_at.get_or_insert(at);
    }
}

fn deliver(state: &mut BusState, envelope: Envelope) {
    let Envelope { message, recipients } = envelope;
    state.ids.insert(message.id.clone());
    let direct = matches!(message.to, Recipient::Agents(_));
    let counts = direct && message.kind.as_str() != MessageType::RESPONSE;
    for recipient in recipients {
        let delivery = Delivery {
            recipient: recipient.clone(),
            message: message.clone(),
            receipt: Receipt::default(),
            place: Place::Inbox,
        };
        // A recipient that is named twice still gets, and counts, one copy.
        let twice = state.deliveries.insert((recipient.clone(), message.id.clone()), delivery).is_some();
        if counts
            && !twice
            && let Some(agent) = state.directory.agents.get_mut(&recipient)
        {
            agent.message_count += 1;
        }
        if direct {
            state.sent.insert((message.id.clone(), recipient), message.clone());
        }
    }
    if !direct {
        state.records.insert(message.id.clone(), message);
    }
}

fn note_sender(state: &mut BusState, by: &AgentName, at: Timestamp) {
    if let Some(agent) = state.directory.agents.get_mut(by) {
        // Commits may come in another order than they were begun: time does not run backwards for it.
        agent.last_seen = agent.last_seen.max(Some(at));
    }
}
