//! Everything that a bus has, in memory.

use crate::bus::Result;
use crate::engine::{Engine, Error, HandoffPackage, Survey};
use crate::model::{Context, Delivery, Directory, Found, HandoffId, Message, Place, Receipt, Timestamp};
use crate::wire::mailbox::{kept, layout, message};

/// Everything that a bus has.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Whole {
    /// Who is there.
    pub directory: Directory,
    /// What was sent, and what became of it.
    pub survey: Survey,
    /// The shared contexts, by name.
    pub contexts: Vec<Context>,
    /// The handoffs by id, each with the contents of its files.
    pub handoffs: Vec<HandoffPackage>,
}

impl Whole {
    /// Reads everything. What cannot be read is a finding.
    pub fn of(engine: &dyn Engine) -> Result<Found<Self>> {
        let directory = engine.directory()?;
        let survey = engine.survey()?;
        let contexts = engine.contexts()?;
        let listed = engine.handoffs()?;
        let mut findings = [directory.findings, survey.findings, contexts.findings, listed.findings].concat();
        findings.sort();
        let packages = listed.value.iter().map(|handoff| package(engine, &handoff.id));
        let handoffs = packages.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
        let whole = Self { directory: directory.value, survey: survey.value, contexts: contexts.value, handoffs };
        Ok(Found { value: whole, findings })
    }

    /// Gives contexts and handoffs as a mailbox has them, by path.
    pub fn papers(&self) -> Vec<(String, Vec<u8>)> {
        let contexts = self.contexts.iter();
        let contexts = contexts.map(|context| (layout::context(&context.name), context.text.clone().into_bytes()));
        let files = self.handoffs.iter().flat_map(kept::package).map(|(path, bytes)| (path, bytes.into_owned()));
        contexts.chain(files).collect()
    }

    /// Gives what would be read back from a mailbox, which has no room for some of it.
    pub(super) fn as_in_mailbox(&self) -> Self {
        let mut whole = self.clone();
        whole.survey.deliveries.iter_mut().for_each(copy_as_in_mailbox);
        for record in &mut whole.survey.records {
            *record = read_back(record, &message::encode(record, None));
        }
        for (sent, to) in &mut whole.survey.sent {
            *sent = read_back(sent, &kept::text_for(sent, to));
        }
        whole.directory.initialized_at = floor(whole.directory.initialized_at);
        for agent in whole.directory.agents.values_mut() {
            (agent.registered_at, agent.last_seen) = (floor(agent.registered_at), floor(agent.last_seen));
        }
        whole
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
    copy.message = read_back(&copy.message, &kept::text_for(&copy.message, &copy.recipient));
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
