//! Checks on the directory: counters, subscriptions, and mail of those who are not in it.

use std::collections::{BTreeMap, BTreeSet};

use crate::bus::trace::all_copies;
use crate::engine::MailSnapshot;
use crate::model::{
    AgentName, Delivery, Diagnostic, Directory, Message, MessageId, MessageType, NameError, Place, Recipient, Severity,
    Timestamp,
};

/// Finds what is wrong with who is, and who is not, on the bus. Mail from before `kept_since` should have been read.
pub(super) fn check(snapshot: &MailSnapshot, directory: &Directory, kept_since: Timestamp) -> Vec<Diagnostic> {
    let mut findings = stray_subscriptions(directory);
    findings.extend(unportable_names(directory));
    let mut inboxes: BTreeMap<&AgentName, Vec<&Delivery>> = BTreeMap::new();
    for copy in snapshot.deliveries.iter().filter(|copy| copy.place == Place::Inbox) {
        inboxes.entry(&copy.recipient).or_default().push(copy);
    }
    for (name, copies) in inboxes {
        if directory.agents.contains_key(name) {
            findings.extend(unread_for_long(name, &copies, kept_since));
        } else {
            findings.push(unregistered_recipient(name, &copies));
        }
    }
    findings.extend(unregistered_senders(snapshot, directory));
    findings
}

fn stray_subscriptions(directory: &Directory) -> Vec<Diagnostic> {
    let all = directory.subscriptions.iter().flat_map(|(event, names)| names.iter().map(move |name| (event, name)));
    let stray = all.filter(|(_, name)| !directory.agents.contains_key(*name));
    let findings = stray.map(|(event, name)| Diagnostic {
        severity: Severity::Warning,
        code: "stray-subscription",
        place: format!("subscription to {event}"),
        message: format!("{name} is subscribed and nobody registered it: it does not hear the event"),
        hint: format!(
            "register it: huddle register {name} --role ROLE; then keep it or huddle unsubscribe {event} --as {name}"
        ),
    });
    findings.collect()
}

/// Finds registered names and events that could not be new: they stay usable.
fn unportable_names(directory: &Directory) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for name in directory.agents.keys() {
        if let Err(error) = name.check_portable() {
            findings.push(unportable(format!("agent {name}"), &error));
        } else if let Some(other) = name.look_alike(directory.agents.keys()) {
            findings.push(Diagnostic {
                severity: Severity::Warning,
                code: "unportable-name",
                place: format!("agent {name}"),
                message: format!("agent name {name:?} passes for {other:?}, which is registered too"),
                hint: "register one of them under a name that looks different, and deregister the old name".into(),
            });
        }
    }
    let events = directory.subscriptions.keys();
    findings.extend(
        events.filter_map(|event| Some(unportable(format!("subscription to {event}"), &event.check_portable().err()?))),
    );
    findings
}

/// Warns of a stored name that could not be new.
pub(super) fn unportable(place: String, error: &NameError) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        code: "unportable-name",
        place,
        message: error.to_string(),
        hint: format!("it can be used on; for a new name: {}", error.hint),
    }
}

fn unregistered_recipient(name: &AgentName, copies: &[&Delivery]) -> Diagnostic {
    let unread = copies.iter().filter(|copy| copy.is_unread()).count();
    Diagnostic {
        // What was read before its reader left is no loss.
        severity: if unread > 0 { Severity::Warning } else { Severity::Info },
        code: "unregistered-recipient",
        place: format!("inbox of {name}"),
        message: format!("{} here, {unread} unread, and nobody registered {name}", count(copies.len())),
        hint: format!("register it: huddle register {name} --role ROLE, or put the messages away: huddle archive"),
    }
}

fn unread_for_long(name: &AgentName, copies: &[&Delivery], kept_since: Timestamp) -> Option<Diagnostic> {
    let old = copies.iter().filter(|copy| copy.is_unread() && copy.message.sent_at < kept_since);
    let old: Vec<Timestamp> = old.map(|copy| copy.message.sent_at).collect();
    let oldest = old.iter().min()?;
    Some(Diagnostic {
        severity: Severity::Warning,
        code: "unread-past-retention",
        place: format!("inbox of {name}"),
        message: format!("{} unread for longer than the retention, the oldest from {oldest}", count(old.len())),
        hint: format!(
            "read them: huddle inbox --as {name}, or deregister an agent that is gone: huddle deregister {name}"
        ),
    })
}

fn unregistered_senders(snapshot: &MailSnapshot, directory: &Directory) -> Vec<Diagnostic> {
    let mut senders: BTreeMap<&AgentName, BTreeSet<&MessageId>> = BTreeMap::new();
    for message in all_copies(snapshot).filter(|message| !directory.agents.contains_key(&message.from)) {
        senders.entry(&message.from).or_default().insert(&message.id);
    }
    let findings = senders.into_iter().map(|(name, ids)| Diagnostic {
        severity: Severity::Info,
        code: "unregistered-sender",
        place: format!("agent {name}"),
        message: format!("{} came from {name}, whom nobody registered: nobody can answer", count(ids.len())),
        hint: format!("register the agent: huddle register {name} --role ROLE"),
    });
    findings.collect()
}

/// Finds counters that do not fit the messages that are kept; the directory was read before and after the snapshot.
pub(super) fn miscounted(snapshot: &MailSnapshot, before: &Directory, after: &Directory) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (name, agent) in after.agents.iter() {
        let copies = snapshot.deliveries.iter().filter(|copy| copy.recipient == *name && is_counted(&copy.message));
        let times: Vec<Timestamp> = copies.map(|copy| copy.message.sent_at).collect();
        // A counter begins anew with a registration; what came in the same second may be on either side of it.
        let since = times.iter().filter(|at| agent.registered_at.is_none_or(|registered| **at > registered)).count();
        let at_least = before.agents.get(name).map_or(0, |agent| agent.message_count);
        if (since as u64) > agent.message_count || (times.len() as u64) < at_least {
            findings.push(Diagnostic {
                severity: Severity::Warning,
                code: "wrong-message-count",
                place: format!("agent {name}"),
                message: format!("message_count is {}, and {} kept", agent.message_count, count_are(times.len())),
                hint: format!(
                    "messages were removed or copied by hand: set message_count of {name} to {}",
                    times.len()
                ),
            });
        }
    }
    findings
}

/// Returns whether a message counts: direct ones do, replies do not.
fn is_counted(message: &Message) -> bool {
    matches!(message.to, Recipient::Agents(_)) && message.kind.as_str() != MessageType::RESPONSE
}

fn count(messages: usize) -> String {
    format!("{messages} message{}", if messages == 1 { "" } else { "s" })
}

fn count_are(messages: usize) -> String {
    format!("{} {}", count(messages), if messages == 1 { "is" } else { "are" })
}
