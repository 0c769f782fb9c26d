//! The registry: one file that everybody rewrites, so every rewrite is under a lease.

use std::collections::BTreeSet;

use super::registry_update::{PendingScope, RegistryDelta};
use super::{FilesEngine, layout};
use crate::Host;
use crate::engine::fs::FileSystem;
use crate::engine::journal::{JournalEntry, KEYS, LEASES, TTL, WORK};
use crate::engine::{Lease, Result};
use crate::model::{Agent, AgentName, Diagnostic, Directory, LeaseName, Severity, Timestamp, WithDiagnostics};
use crate::wire::mailbox::registry::{Registry, routing};

/// A registry and the bytes that it was decoded from.
#[derive(Default)]
pub(super) struct CachedRegistry {
    bytes: Vec<u8>,
    pub(super) registry: Registry,
}

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    pub(super) fn init_files(&self) -> Result<bool> {
        for dir in layout::DIRECTORIES.into_iter().chain([WORK, LEASES, KEYS, layout::OFFERED]) {
            if !self.journal.exists(dir)? {
                self.journal.create_dir(dir)?;
            }
        }
        self.recover();
        self.journal.publish_new(layout::ROUTING, routing().as_bytes())?;
        // The registry comes last: a bus is there when it is.
        self.journal.publish_new(layout::REGISTRY, Registry::new(self.journal.host.now()).encode().as_bytes())
    }

    /// Reads who is on the bus.
    pub(super) fn read_directory(&self) -> Result<WithDiagnostics<Directory>> {
        let read = self.read_registry()?;
        let directory = read.value.registry.directory.clone();
        if read.findings.is_empty() {
            self.cached_registry.replace(read.value);
        }
        Ok(WithDiagnostics { value: directory, findings: read.findings })
    }

    /// Reads the registry; when it is damaged or gone, the agents are those who have an inbox.
    pub(super) fn read_registry(&self) -> Result<WithDiagnostics<Box<CachedRegistry>>> {
        let fault = match self.journal.read_document(layout::REGISTRY) {
            Ok(Some(bytes)) => match self.decode_registry(bytes) {
                Ok(registry) => return Ok(WithDiagnostics::clean(registry)),
                Err(fault) => fault,
            },
            Ok(None) => "it is missing".to_owned(),
            Err(error) => error.to_string(),
        };
        let finding = Diagnostic {
            severity: Severity::Error,
            code: "damaged-registry",
            place: layout::REGISTRY.to_owned(),
            message: format!("the registry cannot be read: {fault}; agents are taken from the inboxes"),
            hint: "register the agents again: the damaged file is kept beside the new one".to_owned(),
        };
        let registry = self.registry_from_inboxes()?;
        Ok(WithDiagnostics { value: Box::new(CachedRegistry { bytes: Vec::new(), registry }), findings: vec![finding] })
    }

    /// Decodes the registry, unless it is the one that is known.
    fn decode_registry(&self, bytes: Vec<u8>) -> std::result::Result<Box<CachedRegistry>, String> {
        let known = self.cached_registry.take();
        if known.bytes == bytes && !bytes.is_empty() {
            return Ok(known);
        }
        let registry = Registry::decode(&bytes)?;
        Ok(Box::new(CachedRegistry { bytes, registry }))
    }

    fn registry_from_inboxes(&self) -> Result<Registry> {
        let mut registry = Registry::new(self.journal.host.now());
        for entry in self.journal.list(layout::INBOX)?.into_iter().filter(|entry| entry.is_dir()) {
            if let Ok(name) = AgentName::new(entry.name) {
                registry.directory.agents.insert(name, Agent::unknown());
            }
        }
        Ok(registry)
    }

    pub(super) fn edit_registry(&self, mut edit: impl FnMut(&mut Registry)) -> Result<()> {
        self.journal.retry_fenced(|| self.edit_registry_once(&mut edit))
    }

    fn edit_registry_once(&self, edit: &mut impl FnMut(&mut Registry)) -> Result<()> {
        let lease = self.journal.acquire(&registry_lease())?;
        let edited = self.read_registry().and_then(|mut read| {
            let registry = &mut read.value.registry;
            let before = registry.directory.names();
            edit(registry);
            let new = registry.directory.names().into_iter().filter(|name| !before.contains(name));
            new.map(|name| layout::inbox(&name)).try_for_each(|inbox| self.journal.create_dir(&inbox))?;
            let text = registry.encode();
            self.replace_registry(read, text, &lease)
        });
        self.journal.release_quietly(&lease);
        edited
    }

    pub(super) fn try_registry_lease(&self) -> Result<Result<Lease, String>> {
        self.journal.try_lease(&registry_lease(), &self.journal.locks.owner(), TTL)
    }

    /// Notes committed changes in the registry that was read, each once. What was counted before is forgotten only by one
    /// who saw the whole line, and only when its entry is gone: then it cannot come again.
    pub(super) fn apply_deltas(
        &self,
        mut read: WithDiagnostics<Box<CachedRegistry>>,
        entries: &[(JournalEntry, RegistryDelta)],
        scope: PendingScope,
        lease: &Lease,
    ) -> Result<()> {
        let registry = &mut read.value.registry;
        let counted: BTreeSet<String> = registry.applied_tx_ids().map(str::to_owned).collect();
        for (_, delta) in entries.iter().filter(|(entry, _)| !counted.contains(&entry.tx)) {
            registry.add_messages(delta.messages);
            if let Some(sender) = registry.change_agent(&delta.by) {
                sender.last_seen = sender.last_seen.max(Timestamp::parse(&delta.at));
            }
            for (name, more) in delta.direct.iter() {
                if let Some(agent) = registry.change_agent(name) {
                    agent.message_count = agent.message_count.saturating_add(*more);
                }
            }
        }
        let mut kept = Vec::new();
        for tx in counted {
            if matches!(scope, PendingScope::OwnOnly) || self.journal.has_entry(&tx)? {
                kept.push(tx);
            }
        }
        registry.set_applied_tx_ids(BTreeSet::from_iter(
            kept.into_iter().chain(entries.iter().map(|(entry, _)| entry.tx.clone())),
        ));
        // What was made up for a damaged one is in no file yet.
        let text = if read.findings.is_empty() { registry.encode_changed() } else { registry.encode() };
        self.replace_registry(read, text, lease)
    }

    /// Puts a registry in place of the one that was read.
    fn replace_registry(&self, read: WithDiagnostics<Box<CachedRegistry>>, text: String, lease: &Lease) -> Result<()> {
        let part = self.journal.part_path(&self.journal.new_tx(), std::slice::from_ref(lease));
        self.journal.write_new(&part, text.as_bytes())?;
        if let Err(error) = self.journal.ensure_held(lease) {
            self.journal.remove(&part)?;
            return Err(error);
        }
        if !read.findings.is_empty() {
            self.keep_damaged()?;
        }
        self.journal.rename_own(&part, layout::REGISTRY)?;
        self.journal.sync_dir("")?;
        // Mostly the next to read it is who wrote it.
        self.cached_registry
            .replace(Box::new(CachedRegistry { bytes: text.into_bytes(), registry: read.value.registry }));
        Ok(())
    }

    /// Links a damaged registry to an unused name before it is replaced.
    fn keep_damaged(&self) -> Result<()> {
        let stamp = self.journal.host.now().compact();
        let mut number = 1;
        loop {
            let kept = format!("{}.damaged-{stamp}-{number}", layout::REGISTRY);
            match self.journal.link(layout::REGISTRY, &kept) {
                Ok(true) => return Ok(()),
                Ok(false) if !self.journal.exists(layout::REGISTRY)? => return Ok(()),
                Ok(false) => number += 1,
                // A directory has no second name.
                Err(_) => return self.journal.rename(layout::REGISTRY, &kept).map(drop),
            }
        }
    }
}

fn registry_lease() -> LeaseName {
    LeaseName::new("registry").expect("a fixed name is valid")
}
