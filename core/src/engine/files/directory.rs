//! The registry: one file that everybody rewrites, so every rewrite is under a lease.

use std::collections::BTreeSet;

use super::tally::{Line, Tally};
use super::{FilesEngine, layout};
use crate::Host;
use crate::engine::disk::{Entry, KEYS, LEASES, TTL, WORK};
use crate::engine::fs::FileSystem;
use crate::engine::{Lease, Result};
use crate::model::{Agent, AgentName, Directory, Finding, Found, LeaseName, Severity, Timestamp};
use crate::wire::mailbox::registry::{Registry, routing};

/// What a registry says, and the bytes that say so.
#[derive(Default)]
pub(super) struct Known {
    bytes: Vec<u8>,
    pub(super) registry: Registry,
}

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    pub(super) fn init_files(&self) -> Result<bool> {
        for dir in layout::DIRECTORIES.into_iter().chain([WORK, LEASES, KEYS, layout::OFFERED]) {
            if !self.disk.exists(dir)? {
                self.disk.create_dir(dir)?;
            }
        }
        self.recover();
        self.disk.publish_new(layout::ROUTING, routing().as_bytes())?;
        // The registry comes last: a bus is there when it is.
        self.disk.publish_new(layout::REGISTRY, Registry::new(self.disk.host.now()).encode().as_bytes())
    }

    /// Reads who is on the bus.
    pub(super) fn read_directory(&self) -> Result<Found<Directory>> {
        let read = self.read_registry()?;
        let directory = read.value.registry.directory.clone();
        if read.findings.is_empty() {
            self.known.replace(read.value);
        }
        Ok(Found { value: directory, findings: read.findings })
    }

    /// Reads the registry; when it is damaged or gone, the agents are those who have an inbox.
    pub(super) fn read_registry(&self) -> Result<Found<Box<Known>>> {
        let fault = match self.disk.read_document(layout::REGISTRY) {
            Ok(Some(bytes)) => match self.decode_registry(bytes) {
                Ok(registry) => return Ok(Found::clean(registry)),
                Err(fault) => fault,
            },
            Ok(None) => "it is missing".to_owned(),
            Err(error) => error.to_string(),
        };
        let finding = Finding {
            severity: Severity::Error,
            code: "damaged-registry",
            place: layout::REGISTRY.to_owned(),
            message: format!("the registry cannot be read: {fault}; agents are taken from the inboxes"),
            hint: "register the agents again: the damaged file is kept beside the new one".to_owned(),
        };
        let registry = self.registry_from_inboxes()?;
        Ok(Found { value: Box::new(Known { bytes: Vec::new(), registry }), findings: vec![finding] })
    }

    /// Decodes the registry, unless it is the one that is known.
    fn decode_registry(&self, bytes: Vec<u8>) -> std::result::Result<Box<Known>, String> {
        let known = self.known.take();
        if known.bytes == bytes && !bytes.is_empty() {
            return Ok(known);
        }
        let registry = Registry::decode(&bytes)?;
        Ok(Box::new(Known { bytes, registry }))
    }

    fn registry_from_inboxes(&self) -> Result<Registry> {
        let mut registry = Registry::new(self.disk.host.now());
        for entry in self.disk.list(layout::INBOX)?.into_iter().filter(|entry| entry.is_dir()) {
            if let Ok(name) = AgentName::new(entry.name) {
                registry.directory.agents.insert(name, Agent::unknown());
            }
        }
        Ok(registry)
    }

    pub(super) fn edit_registry(&self, mut edit: impl FnMut(&mut Registry)) -> Result<()> {
        self.disk.retry_fenced(|| self.edit_registry_once(&mut edit))
    }

    fn edit_registry_once(&self, edit: &mut impl FnMut(&mut Registry)) -> Result<()> {
        let lease = self.disk.hold(&registry_lease())?;
        let edited = self.read_registry().and_then(|mut read| {
            let registry = &mut read.value.registry;
            let before = registry.directory.names();
            edit(registry);
            let new = registry.directory.names().into_iter().filter(|name| !before.contains(name));
            new.map(|name| layout::inbox(&name)).try_for_each(|inbox| self.disk.create_dir(&inbox))?;
            let text = registry.encode();
            self.replace_registry(read, text, &lease)
        });
        self.disk.let_go(&lease);
        edited
    }

    pub(super) fn try_registry_lease(&self) -> Result<Result<Lease, String>> {
        self.disk.try_lease(&registry_lease(), &self.disk.owner.borrow(), TTL)
    }

    /// Notes committed changes in the registry that was read, each once. What was counted before is forgotten only by one
    /// who saw the whole line, and only when its entry is gone: then it cannot come again.
    pub(super) fn note(
        &self,
        mut read: Found<Box<Known>>,
        entries: &[(Entry, Tally)],
        line: Line,
        lease: &Lease,
    ) -> Result<()> {
        let registry = &mut read.value.registry;
        let counted: BTreeSet<String> = registry.counted().map(str::to_owned).collect();
        for (_, tally) in entries.iter().filter(|(entry, _)| !counted.contains(&entry.tx)) {
            registry.add_messages(tally.messages);
            if let Some(sender) = registry.change_agent(&tally.by) {
                sender.last_seen = sender.last_seen.max(Timestamp::parse(&tally.at));
            }
            for (name, more) in tally.direct.iter() {
                if let Some(agent) = registry.change_agent(name) {
                    agent.message_count = agent.message_count.saturating_add(*more);
                }
            }
        }
        let mut kept = Vec::new();
        for tx in counted {
            if matches!(line, Line::Unseen) || self.disk.has_entry(&tx)? {
                kept.push(tx);
            }
        }
        registry.set_counted(BTreeSet::from_iter(
            kept.into_iter().chain(entries.iter().map(|(entry, _)| entry.tx.clone())),
        ));
        // What was made up for a damaged one is in no file yet.
        let text = if read.findings.is_empty() { registry.encode_changed() } else { registry.encode() };
        self.replace_registry(read, text, lease)
    }

    /// Puts a registry in place of the one that was read.
    fn replace_registry(&self, read: Found<Box<Known>>, text: String, lease: &Lease) -> Result<()> {
        let part = self.disk.part_path(&self.disk.new_tx(), std::slice::from_ref(lease));
        self.disk.write_new(&part, text.as_bytes())?;
        if let Err(error) = self.disk.still_held(lease) {
            self.disk.remove(&part)?;
            return Err(error);
        }
        if !read.findings.is_empty() {
            self.keep_damaged()?;
        }
        self.disk.rename_own(&part, layout::REGISTRY)?;
        self.disk.sync_dir("")?;
        // Mostly the next to read it is who wrote it.
        self.known.replace(Box::new(Known { bytes: text.into_bytes(), registry: read.value.registry }));
        Ok(())
    }

    /// Gives a damaged registry a name that nothing else was kept under, before it is replaced.
    fn keep_damaged(&self) -> Result<()> {
        let stamp = self.disk.host.now().compact();
        let mut number = 1;
        loop {
            let kept = format!("{}.damaged-{stamp}-{number}", layout::REGISTRY);
            match self.disk.link(layout::REGISTRY, &kept) {
                Ok(true) => return Ok(()),
                Ok(false) if !self.disk.exists(layout::REGISTRY)? => return Ok(()),
                Ok(false) => number += 1,
                // A directory has no second name.
                Err(_) => return self.disk.rename(layout::REGISTRY, &kept).map(drop),
            }
        }
    }
}

fn registry_lease() -> LeaseName {
    LeaseName::new("registry").expect("a fixed name is valid")
}
