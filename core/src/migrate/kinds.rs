//! What a bus has, sorted into kinds and hashed thing by thing.

use std::collections::BTreeMap;

use super::BusSnapshot;
use crate::bus::ids::fingerprint;
use crate::engine::HandoffPackage;
use crate::model::{Agent, AgentName, Delivery, Directory, Json, Message, Timestamp};
use crate::wire::documents::{self, Document};
use crate::wire::mailbox::handoff::encode_metadata;
use crate::wire::mailbox::parse_object;

pub(super) const COPIES: &str = "copies";
pub(super) const RECORDS: &str = "records";
pub(super) const SENT: &str = "sent";
pub(super) const AGENTS: &str = "agents";

/// The things of one kind, hashed, each under what tells it from the others.
pub(super) struct ItemKind {
    pub(super) name: &'static str,
    pub(super) hashes: BTreeMap<String, String>,
}

/// Distinguishes a copy from all others.
pub(super) fn copy_key(copy: &Delivery) -> String {
    format!("{} of {}", copy.message.id, copy.recipient)
}

/// Distinguishes a line of the senders' log from all others.
pub(super) fn sent_key((message, to): &(Message, AgentName)) -> String {
    format!("{} to {to}", message.id)
}

impl BusSnapshot {
    /// Sorts everything into kinds, the same ones in the same order for every bus.
    pub(super) fn kinds(&self) -> Vec<ItemKind> {
        let Self { directory, snapshot, contexts, handoffs } = self;
        let of_copy = |copy: &Delivery| of_document(&Document::Copy { delivery: copy.clone(), recorded: true });
        let of_record = |record: &Message| of_document(&Document::Record(record.clone()));
        let of_sent = |(message, to): &(Message, AgentName)| {
            of_document(&Document::Sent { message: message.clone(), to: to.clone() })
        };
        let files = handoffs.iter().flat_map(|package| {
            let id = &package.handoff.id;
            package.files.iter().map(move |(name, bytes)| (format!("{name} of {id}"), fingerprint(&[bytes])))
        });
        vec![
            kind(COPIES, snapshot.deliveries.iter().map(|copy| (copy_key(copy), of_copy(copy)))),
            kind(RECORDS, snapshot.records.iter().map(|record| (record.id.to_string(), of_record(record)))),
            kind(SENT, snapshot.sent.iter().map(|line| (sent_key(line), of_sent(line)))),
            kind("contexts", contexts.iter().map(|one| (one.name.to_string(), fingerprint(&[&one.text])))),
            kind("handoffs", handoffs.iter().map(|one| (one.handoff.id.to_string(), of_package(one)))),
            kind("files", files),
            kind(AGENTS, directory.agents.iter().map(|(name, agent)| (name.to_string(), of_agent(agent)))),
            kind("subscriptions", subscriptions(directory)),
            kind("settings", settings(directory)),
        ]
    }
}

fn kind(name: &'static str, hashes: impl Iterator<Item = (String, String)>) -> ItemKind {
    ItemKind { name, hashes: hashes.collect() }
}

fn of_document(document: &Document) -> String {
    of_json(documents::encode(document))
}

/// Hashes JSON in which the order of fields says nothing.
fn of_json(mut value: Json) -> String {
    value.sort_all_objects();
    fingerprint(&[value.to_string()])
}

fn of_agent(agent: &Agent) -> String {
    let shown = |at: Option<Timestamp>| at.map(|at| at.to_string());
    of_json(object!({
        "role": agent.role,
        "worktree": agent.worktree,
        "capabilities": agent.capabilities,
        "registered_at": shown(agent.registered_at),
        "status": agent.status,
        "last_seen": shown(agent.last_seen),
        "message_count": agent.message_count,
        "extra": agent.extra,
    }))
}

fn of_package(package: &HandoffPackage) -> String {
    let metadata = encode_metadata(&package.handoff);
    let metadata = parse_object(metadata.as_bytes()).map_or(metadata, |map| of_json(Json::Object(map)));
    let mut words = vec![metadata.as_str(), &package.document, &package.context_links, &package.checklist];
    words.extend(package.files.iter().map(|(name, _)| name.as_str()));
    fingerprint(&words)
}

/// Returns whether two packages are the same, their files included.
pub(super) fn is_same_package(one: &HandoffPackage, other: &HandoffPackage) -> bool {
    of_package(one) == of_package(other) && one.files == other.files
}

fn subscriptions(directory: &Directory) -> impl Iterator<Item = (String, String)> {
    let all = directory.subscriptions.iter();
    let all = all.flat_map(|(event, names)| names.iter().map(move |name| format!("{name} to {event}")));
    all.map(|key| (key, String::new()))
}

fn settings(directory: &Directory) -> impl Iterator<Item = (String, String)> {
    let made = directory.initialized_at.map(|at| at.to_string()).unwrap_or_default();
    let settings = [
        ("initialized_at", made),
        ("retention_hours", directory.retention_hours.to_string()),
        ("limits", format!("{:?}", directory.limits)),
    ];
    settings.into_iter().map(|(name, value)| (name.to_owned(), fingerprint(&[value])))
}
