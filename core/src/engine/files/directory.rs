//! The registry: one file that everybody rewrites, so every rewrite is under a lease.

use super::tally::Tally;
use super::{FilesEngine, layout};
use crate::Host;
use crate::engine::disk::{Entry, KEYS, LEASES, TTL, WORK};
use crate::engine::fs::FileSystem;
use crate::engine::{Lease, Result};
use crate::model::{Agent, AgentName, Finding, Found, LeaseName, Severity, Timestamp};
use crate::wire::mailbox::registry::{Registry, routing};

/// What a registry says, and the bytes that say so.
pub(super) struct Known {
    bytes: Vec<u8>,
    registry: Registry,
}

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    pub(super) fn init_files(&self) -> Result<bool> {
        for dir in layout::DIRECTORIES.into_iter().chain([WORK, LEASES, KEYS, layout::OFFERED]) {
            if !self.disk.exists(dir)? {
                self.disk.create_dir(dir)?;
            }
        }
        self.recover()?;
        self.disk.publish_new(layout::ROUTING, routing().as_bytes())?;
        // The registry comes last: a bus is there when it is.
        self.disk.publish_new(layout::REGISTRY, Registry::new(self.disk.host.now()).encode().as_bytes())
    }

    /// Reads the registry; when it is damaged or gone, the agents are those who have an inbox.
    pub(super) fn read_registry(&self) -> Result<Found<Registry>> {
        let fault = match self.disk.read(layout::REGISTRY)? {
            Some(bytes) => match self.decode_registry(bytes) {
                Ok(registry) => return Ok(Found::clean(registry)),
                Err(fault) => fault,
            },
            None => "it is missing".to_owned(),
        };
        let finding = Finding {
            severity: Severity::Error,
            code: "damaged-registry",
            place: layout::REGISTRY.to_owned(),
            message: format!("the registry cannot be read: {fault}; agents are taken from the inboxes"),
            hint: "register the agents again: the damaged file is kept beside the new one".to_owned(),
        };
        Ok(Found { value: self.registry_from_inboxes()?, findings: vec![finding] })
    }

    /// Decodes the registry, unless it is the one that is known.
    fn decode_registry(&self, bytes: Vec<u8>) -> std::result::Result<Registry, String> {
        let mut known = self.known.borrow_mut();
        if let Some(known) = known.as_ref().filter(|known| known.bytes == bytes) {
            return Ok(known.registry.clone());
        }
        let registry = Registry::decode(&bytes)?;
        *known = Some(Box::new(Known { bytes, registry: registry.clone() }));
        Ok(registry)
    }

    fn registry_from_inboxes(&self) -> Result<Registry> {
        let mut registry = Registry::new(self.disk.host.now());
        for entry in self.disk.list(layout::INBOX)?.into_iter().filter(|entry| entry.is_dir) {
            if let Ok(name) = AgentName::new(entry.name) {
                registry.directory.agents.insert(name, Agent::unknown());
            }
        }
        Ok(registry)
    }

    pub(super) fn edit_registry(&self, edit: impl FnOnce(&mut Registry)) -> Result<()> {
        let lease = self.disk.hold(&registry_lease())?;
        let edited = self.read_registry().and_then(|mut read| {
            let before = read.value.directory.names();
            edit(&mut read.value);
            let new = read.value.directory.names().into_iter().filter(|name| !before.contains(name));
            new.map(|name| layout::inbox(&name)).try_for_each(|inbox| self.disk.create_dir(&inbox))?;
            self.replace_registry(&read, &lease).map(drop)
        });
        self.disk.let_go(&lease);
        edited
    }

    pub(super) fn try_registry_lease(&self) -> Result<Result<Lease, String>> {
        self.disk.try_lease(&registry_lease(), &self.disk.owner.borrow(), TTL)
    }

    /// Notes committed changes in the registry, each once.
    pub(super) fn note(&self, entries: &[(Entry, Tally)], lease: &Lease) -> Result<()> {
        let mut read = self.read_registry()?;
        let registry = &mut read.value;
        for (entry, tally) in entries {
            if registry.has_counted(&entry.tx) {
                continue;
            }
            registry.add_messages(tally.messages);
            let agents = &mut registry.directory.agents;
            if let Some(sender) = tally.sender().and_then(|name| agents.get_mut(&name)) {
                sender.last_seen = sender.last_seen.max(Timestamp::parse(&tally.at));
            }
            for (name, more) in tally.direct.iter() {
                if let Some(agent) = AgentName::new(name.as_str()).ok().and_then(|name| agents.get_mut(&name)) {
                    agent.message_count += more;
                }
            }
        }
        registry.set_counted(&entries.iter().map(|(entry, _)| entry.tx.as_str()).collect::<Vec<_>>());
        let text = self.replace_registry(&read, lease)?;
        // Mostly the next to read it is who wrote it.
        self.known.replace(Some(Box::new(Known { bytes: text.into_bytes(), registry: read.value })));
        Ok(())
    }

    /// Puts a registry in place of the one that is there, and gives what is written in it now.
    fn replace_registry(&self, read: &Found<Registry>, lease: &Lease) -> Result<String> {
        let scratch = self.disk.scratch_path("registry");
        let text = read.value.encode();
        self.disk.write_new(&scratch, text.as_bytes())?;
        if let Err(error) = self.disk.still_held(lease) {
            self.disk.remove(&scratch)?;
            return Err(error);
        }
        if !read.findings.is_empty() {
            self.keep_damaged()?;
        }
        self.disk.rename(&scratch, layout::REGISTRY)?;
        self.disk.sync_dir("")?;
        Ok(text)
    }

    /// Gives a damaged registry a name that nothing else was kept under, before it is replaced.
    fn keep_damaged(&self) -> Result<()> {
        let stamp = self.disk.host.now().compact();
        let mut number = 1;
        loop {
            let kept = format!("{}.damaged-{stamp}-{number}", layout::REGISTRY);
            if self.disk.link(layout::REGISTRY, &kept)? || !self.disk.exists(layout::REGISTRY)? {
                return Ok(());
            }
            number += 1;
        }
    }
}

fn registry_lease() -> LeaseName {
    LeaseName::new("registry").expect("a fixed name is valid")
}
