//! A snapshot of a bus, in memory.

use crate::bus::Result;
use crate::engine::{Engine, Error, HandoffPackage, MailSnapshot};
use crate::model::{Context, Delivery, Directory, HandoffId, Message, Place, Receipt, Timestamp, WithDiagnostics};
use crate::wire::mailbox::{layout, message, stored};

/// A snapshot of a bus.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BusSnapshot {
    /// The directory of agents.
    pub directory: Directory,
    /// Messages and their deliveries.
    pub snapshot: MailSnapshot,
    /// The shared contexts, by name.
    pub contexts: Vec<Context>,
    /// The handoffs by id, each with the contents of its files.
    pub handoffs: Vec<HandoffPackage>,
}

impl BusSnapshot {
    /// Reads everything. What cannot be read is a finding.
    pub fn of(engine: &dyn Engine) -> Result<WithDiagnostics<Self>> {
        let directory = engine.directory()?;
        let snapshot = engine.snapshot()?;
        let contexts = engine.contexts()?;
        let listed = engine.handoffs()?;
        let mut findings = [directory.findings, snapshot.findings, contexts.findings, listed.findings].concat();
        findings.sort();
        let packages = listed.value.iter().map(|handoff| package(engine, &handoff.id));
        let handoffs = packages.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        let bus_snapshot =
            Self { directory: directory.value, snapshot: snapshot.value, contexts: contexts.value, handoffs };
        Ok(WithDiagnostics { value: bus_snapshot, findings })
    }

    /// Returns contexts and handoffs as a mailbox has them, by path.
    pub fn context_and_handoff_files(&self) -> Vec<(String, Vec<u8>)> {
        let contexts = self.contexts.iter();
        let contexts = contexts.map(|context| (layout::context(&context.name), context.text.clone().into_bytes()));
        let files = self.handoffs.iter().flat_map(stored::package).map(|(path, bytes)| (path, bytes.into_owned()));
        contexts.chain(files).collect()
    }

    /// Returns what would be read back from a mailbox, which has no room for some of it.
    pub(super) fn as_in_mailbox(&self) -> Self {
        let mut bus_snapshot = self.clone();
        bus_snapshot.snapshot.deliveries.iter_mut().for_each(copy_as_in_mailbox);
        for record in &mut bus_snapshot.snapshot.records {
            *record = read_back(record, &message::encode(record, None));
        }
        for (sent, to) in &mut bus_snapshot.snapshot.sent {
            *sent = read_back(sent, &stored::text_for(sent, to));
        }
        bus_snapshot.directory.initialized_at = floor(bus_snapshot.directory.initialized_at);
        for agent in bus_snapshot.directory.agents.values_mut() {
            (agent.registered_at, agent.last_seen) = (floor(agent.registered_at), floor(agent.last_seen));
        }
        bus_snapshot
    }
}

/// Reads a handoff with the contents of its files.
pub(super) fn package(engine: &dyn Engine, id: &HandoffId) -> Result<Option<HandoffPackage>> {
    let Some(mut package) = engine.handoff(id)? else { return Ok(None) };
    for (name, bytes) in &mut package.files {
        let missing = || Error::Damaged { path: format!("{id}/{name}"), fault: "a file of the handoff is gone".into() };
        *bytes = engine.artifact(id, name)?.ok_or_else(|| Box::new(missing()))?;
    }
    package.files.sort();
    Ok(Some(package))
}

fn copy_as_in_mailbox(copy: &mut Delivery) {
    copy.message = read_back(&copy.message, &stored::text_for(&copy.message, &copy.recipient));
    let Receipt { offered_at, seen_at, redelivered_at, .. } = &mut copy.receipt;
    for at in [offered_at, seen_at, redelivered_at] {
        *at = floor(*at);
    }
    if let Place::DeadLetters { at, .. } = &mut copy.place {
        *at = at.floor();
    }
}

fn read_back(message: &Message, text: &str) -> Message {
    message::decode(text.as_bytes()).unwrap_or_else(|_| message.clone())
}

fn floor(at: Option<Timestamp>) -> Option<Timestamp> {
    at.map(Timestamp::floor)
}
