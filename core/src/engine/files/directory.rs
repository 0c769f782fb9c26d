//! The registry: one file that everybody rewrites, so every rewrite is under a lease.

use super::work::Entry;
use super::{FilesEngine, layout};
use crate::Host;
use crate::engine::fs::FileSystem;
use crate::engine::{Lease, Result};
use crate::model::{Agent, AgentName, Finding, Found, JsonMap, LeaseName, Severity, Timestamp};
use crate::wire::mailbox::registry::{Registry, routing};

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    pub(super) fn init_files(&self) -> Result<bool> {
        use layout::{ARCHIVE, BROADCASTS, CONTEXTS, EVENTS, HANDOFFS, INBOX, KEYS, LEASES, OFFERED, OUTBOX, WORK};
        let dirs = [INBOX, OUTBOX, ARCHIVE, EVENTS, BROADCASTS, CONTEXTS, HANDOFFS, WORK, LEASES, KEYS, OFFERED];
        for dir in dirs {
            if !self.exists(dir)? {
                self.create_dir(dir)?;
            }
        }
        self.recover()?;
        self.publish_new(layout::ROUTING, &routing())?;
        // The registry comes last: a bus is there when it is.
        self.publish_new(layout::REGISTRY, &Registry::new(self.host.now()).encode())
    }

    /// Writes a file under a name that nobody has; `false` when somebody has.
    fn publish_new(&self, path: &str, text: &str) -> Result<bool> {
        if self.exists(path)? {
            return Ok(false);
        }
        let scratch = self.scratch_path("new");
        self.write_new(&scratch, text.as_bytes())?;
        let won = self.link(&scratch, path)?;
        self.remove(&scratch)?;
        self.sync_dir("")?;
        Ok(won)
    }

    /// Reads the registry; when it is damaged or gone, the agents are those who have an inbox.
    pub(super) fn read_registry(&self) -> Result<Found<Registry>> {
        let fault = match self.read(layout::REGISTRY)? {
            Some(bytes) => match Registry::decode(&bytes) {
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

    fn registry_from_inboxes(&self) -> Result<Registry> {
        let mut registry = Registry::new(self.host.now());
        for entry in self.list(layout::INBOX)?.into_iter().filter(|entry| entry.is_dir) {
            if let Ok(name) = AgentName::new(entry.name) {
                registry.directory.agents.insert(name, Agent {
                    role: "unknown".into(),
                    worktree: ".".into(),
                    capabilities: Vec::new(),
                    registered_at: None,
                    status: "unknown".into(),
                    last_seen: None,
                    message_count: 0,
                    extra: JsonMap::new(),
                });
            }
        }
        Ok(registry)
    }

    pub(super) fn edit_registry(&self, edit: impl FnOnce(&mut Registry)) -> Result<()> {
        let lease = self.hold(&registry_lease())?;
        let edited = self.read_registry().and_then(|mut read| {
            let before = read.value.directory.names();
            edit(&mut read.value);
            let new = read.value.directory.names().into_iter().filter(|name| !before.contains(name));
            new.map(|name| layout::inbox(&name)).try_for_each(|inbox| self.create_dir(&inbox))?;
            self.replace_registry(&read, &lease)
        });
        self.let_go(&lease);
        edited
    }

    pub(super) fn try_registry_lease(&self) -> Result<Result<Lease, String>> {
        self.try_lease(&registry_lease(), &self.owner, super::lease::TTL)
    }

    /// Notes committed changes in the registry: who was heard of, and how many messages went to whom.
    pub(super) fn tally(&self, entries: &[Entry], lease: &Lease) -> Result<()> {
        let mut read = self.read_registry()?;
        let registry = &mut read.value;
        for entry in entries.iter().filter(|entry| !registry.has_counted(&entry.tx)).collect::<Vec<_>>() {
            let Some(tally) = &entry.tally else { continue };
            registry.add_messages(tally.messages);
            let agents = &mut registry.directory.agents;
            if let Some(sender) = tally.sender().and_then(|name| agents.get_mut(&name)) {
                sender.last_seen = sender.last_seen.max(Timestamp::parse(&tally.at));
            }
            for (name, more) in &tally.direct {
                if let Some(agent) = AgentName::new(name.as_str()).ok().and_then(|name| agents.get_mut(&name)) {
                    agent.message_count += more;
                }
            }
        }
        registry.set_counted(&entries.iter().map(|entry| entry.tx.as_str()).collect::<Vec<_>>());
        self.replace_registry(&read, lease)
    }

    fn replace_registry(&self, read: &Found<Registry>, lease: &Lease) -> Result<()> {
        let scratch = self.scratch_path("registry");
        self.write_new(&scratch, read.value.encode().as_bytes())?;
        if let Err(error) = self.still_held(lease) {
            self.remove(&scratch)?;
            return Err(error);
        }
        if !read.findings.is_empty() {
            let kept = format!("{}.damaged-{}", layout::REGISTRY, self.host.now().compact());
            self.link(layout::REGISTRY, &kept)?;
        }
        self.rename(&scratch, layout::REGISTRY)?;
        self.sync_dir("")
    }
}

fn registry_lease() -> LeaseName {
    LeaseName::new("registry").expect("a fixed name is valid")
}
