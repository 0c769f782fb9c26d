//! Shared contexts and handoff packages.

use super::{FilesEngine, layout};
use crate::Host;
use crate::bus::ids;
use crate::engine::fs::FileSystem;
use crate::engine::journal::{PendingTransaction, RedoOp};
use crate::engine::{ContextChange, Error, HandoffChange, HandoffPackage, Lease, Result, Transaction};
use crate::host::WaitTimer;
use crate::model::{Context, ContextName, Diagnostic, Handoff, HandoffId, LeaseName, Severity, Span, WithDiagnostics};
use crate::wire::mailbox::{context, handoff, lock, stored};

/// A shell snippet holds the protocol's lock for a moment; one that is older was left by an agent that died.
const LOCK_LEFT_AFTER: Span = Span::from_seconds(60);

impl<F: FileSystem, H: Host> FilesEngine<F, H> {
    /// Takes what must not move while a change is checked and committed.
    pub(super) fn acquire_documents(&self, change: &Transaction) -> Result<Vec<Lease>> {
        let mut leases = Vec::new();
        let held = self.try_acquire_documents(change, &mut leases);
        if held.is_err() {
            // Whoever comes next is not to wait for one who gave up.
            leases.iter().for_each(|lease| self.journal.release_quietly(lease));
        }
        held.map(|()| leases)
    }

    fn try_acquire_documents(&self, change: &Transaction, leases: &mut Vec<Lease>) -> Result<()> {
        if let Some(change) = &change.context {
            leases.push(self.acquire_document("shared context", change.context.name.as_str())?);
            self.journal.redo_pending(&layout::context(&change.context.name))?;
        }
        if let Some(HandoffChange::Decide { handoff, .. }) = &change.handoff {
            // Two documents may share a lease, which is held once.
            let name = lease_name(handoff.id.as_str());
            if !leases.iter().any(|lease| lease.name == name) {
                leases.push(self.acquire_document("handoff", handoff.id.as_str())?);
            }
            self.journal.redo_pending(&layout::handoff(&handoff.id))?;
        }
        // Last, because what a dead holder committed frees its lock, and would free ours.
        change.context.as_ref().map_or(Ok(()), |change| self.lock_for_shell(&change.context.name))
    }

    fn acquire_document(&self, what: &str, name: &str) -> Result<Lease> {
        self.journal.acquire(&lease_name(name)).map_err(|error| match *error {
            Error::Locked { holder, waited, .. } => {
                Error::Locked { what: format!("{what} {name}"), holder, waited }.into()
            }
            _ => error,
        })
    }

    /// Adds the documents of a change, after checking that they are as the change expects.
    pub(super) fn add_documents(&self, pending: &mut PendingTransaction<'_, F, H>, change: &Transaction) -> Result<()> {
        if let Some(change) = &change.context {
            self.add_context(pending, change)?;
        }
        match &change.handoff {
            Some(HandoffChange::Create(package)) => self.add_package(pending, package),
            Some(HandoffChange::Decide { handoff, document }) => self.add_decision(pending, handoff, document),
            None => Ok(()),
        }
    }

    fn add_context(&self, pending: &mut PendingTransaction<'_, F, H>, change: &ContextChange) -> Result<()> {
        let name = &change.context.name;
        let found = self.read_context(name)?.map(|context| context.version);
        if found != change.expected {
            let shown =
                |version: Option<u64>| version.map_or("none".to_owned(), |version| format!("version {version}"));
            let what = format!("shared context {name}");
            return Err(Error::Conflict { what, expected: shown(change.expected), found: shown(found) }.into());
        }
        self.refuse_unreadable(&layout::context(name))?;
        pending.replace(layout::context(name), change.context.text.as_bytes())?;
        pending.replace(layout::context_lock(name), lock::free().as_bytes())
    }

    fn add_package(&self, pending: &mut PendingTransaction<'_, F, H>, package: &HandoffPackage) -> Result<()> {
        let dir = layout::handoff(&package.handoff.id);
        if self.journal.exists(&dir)? {
            // Whoever made it may have been killed half-way: then it is whole when the caller looks at what is there.
            self.journal.redo_pending(&dir)?;
            let (expected, found) = ("a free id".to_owned(), "a handoff".to_owned());
            return Err(Error::Conflict { what: dir, expected, found }.into());
        }
        pending.entry.steps.push(RedoOp::Dir { path: format!("{dir}/artifacts") });
        stored::package(package).into_iter().try_for_each(|(path, bytes)| pending.link_new(path, &bytes))
    }

    fn add_decision(
        &self,
        pending: &mut PendingTransaction<'_, F, H>,
        decided: &Handoff,
        document: &str,
    ) -> Result<()> {
        let dir = layout::handoff(&decided.id);
        let found = self.read_handoff(&decided.id)?;
        let found = found.as_ref().map_or("none", |package| package.handoff.status.as_str());
        if found != "pending_acceptance" {
            let what = format!("handoff {}", decided.id);
            return Err(Error::Conflict { what, expected: "pending_acceptance".into(), found: found.into() }.into());
        }
        self.refuse_unreadable(&format!("{dir}/HANDOFF.md"))?;
        pending.replace(format!("{dir}/HANDOFF.md"), document.as_bytes())?;
        pending.replace(format!("{dir}/metadata.json"), handoff::encode_metadata(decided).as_bytes())
    }

    /// Refuses to rewrite a document whose bytes are not all text: what was shown of it is not all that is there.
    fn refuse_unreadable(&self, path: &str) -> Result<()> {
        let bytes = self.journal.read(path)?.unwrap_or_default();
        let fault = |error: std::str::Utf8Error| Error::Damaged { path: path.to_owned(), fault: error.to_string() };
        std::str::from_utf8(&bytes).map(|_| ()).map_err(|error| fault(error).into())
    }

    /// Sets the protocol's lock, so that shell snippets wait; waits itself while one of them holds it.
    fn lock_for_shell(&self, name: &ContextName) -> Result<()> {
        let path = layout::context_lock(name);
        let mut waiting = WaitTimer::begin(&self.journal.host);
        let mut pause = Span::from_millis(10);
        loop {
            // What cannot be read is no lock that a snippet set; it is replaced.
            let held = lock::holder(&self.read_note(&path));
            let now = self.journal.host.now();
            let alive = held.filter(|holder| {
                // Our own lease keeps Huddle's agents apart: a lock that one of them set was left by a killed process.
                let since = holder.since;
                !holder.is_huddle && since.is_some_and(|since| now.since(since) < LOCK_LEFT_AFTER)
            });
            let Some(holder) = alive else { break };
            let waited = waiting.so_far(&self.journal.host);
            if waited >= self.journal.locks.timeout() {
                return Err(
                    Error::Locked { what: format!("shared context {name}"), holder: holder.agent, waited }.into()
                );
            }
            pause = self.journal.pause(pause);
        }
        self.journal.put_scratch(&path, &lock::held(&self.journal.locks.owner(), self.journal.host.now()))
    }

    /// Frees the protocol's lock when nothing was committed.
    pub(super) fn unlock_documents(&self, change: &Transaction) -> Result<()> {
        let Some(change) = &change.context else { return Ok(()) };
        self.journal.put_scratch(&layout::context_lock(&change.context.name), &lock::free())
    }

    pub(super) fn read_context(&self, name: &ContextName) -> Result<Option<Context>> {
        let bytes = self.journal.read(&layout::context(name))?;
        Ok(bytes.map(|bytes| context::decode(name, &String::from_utf8_lossy(&bytes))))
    }

    pub(super) fn list_contexts(&self) -> Result<WithDiagnostics<Vec<Context>>> {
        let mut contexts = WithDiagnostics::clean(Vec::new());
        for entry in self.journal.list_or_report(layout::CONTEXTS, &mut contexts.findings) {
            let Some(stem) = entry.name.strip_suffix(".md").filter(|_| !entry.is_dir()) else { continue };
            match ContextName::new(stem) {
                Ok(name) => {
                    let bytes = self.journal.read_or_report(&layout::context(&name), &mut contexts.findings);
                    contexts.value.extend(bytes.map(|bytes| context::decode(&name, &String::from_utf8_lossy(&bytes))));
                }
                Err(error) => contexts.findings.push(Diagnostic {
                    severity: Severity::Warning,
                    code: "foreign-file",
                    place: format!("{}/{}", layout::CONTEXTS, entry.name),
                    message: error.to_string(),
                    hint: "rename or move the file".into(),
                }),
            }
        }
        Ok(contexts)
    }

    pub(super) fn read_handoff(&self, id: &HandoffId) -> Result<Option<HandoffPackage>> {
        let dir = layout::handoff(id);
        let path = format!("{dir}/metadata.json");
        let Some(bytes) = self.journal.read_document(&path)? else { return Ok(None) };
        let handoff = handoff::decode_metadata(&bytes).map_err(|fault| Error::Damaged { path, fault })?;
        let text = |name: &str| -> Result<String> {
            let bytes = self.journal.read(&format!("{dir}/{name}"))?.unwrap_or_default();
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        let artifacts = self.journal.list(&format!("{dir}/artifacts"))?.into_iter();
        Ok(Some(HandoffPackage {
            handoff,
            document: text("HANDOFF.md")?,
            context_links: text("context-links.md")?,
            checklist: text("acceptance-checklist.md")?,
            files: artifacts.map(|entry| (entry.name, Vec::new())).collect(),
        }))
    }

    pub(super) fn read_artifact(&self, id: &HandoffId, stored: &str) -> Result<Option<Vec<u8>>> {
        // Only what the package itself lists is looked for: a name is not a way to other files.
        let package = self.read_handoff(id)?;
        let is_listed = package.is_some_and(|package| package.files.iter().any(|(name, _)| name == stored));
        if is_listed { self.journal.read(&format!("{}/artifacts/{stored}", layout::handoff(id))) } else { Ok(None) }
    }

    pub(super) fn list_handoffs(&self) -> Result<WithDiagnostics<Vec<Handoff>>> {
        let mut handoffs = WithDiagnostics::clean(Vec::new());
        for entry in self.journal.list_or_report(layout::HANDOFFS, &mut handoffs.findings) {
            let place = format!("{}/{}", layout::HANDOFFS, entry.name);
            let read = HandoffId::new(entry.name).map_err(|error| error.to_string()).and_then(|id| {
                self.read_handoff(&id).map_err(|error| error.to_string())?.ok_or("it has no metadata.json".to_owned())
            });
            match read {
                Ok(package) => handoffs.value.push(package.handoff),
                Err(fault) => handoffs.findings.push(Diagnostic {
                    severity: Severity::Warning,
                    code: "damaged-handoff",
                    place,
                    message: format!("the handoff cannot be read: {fault}"),
                    hint: "mend its metadata.json, or move the directory away".into(),
                }),
            }
        }
        Ok(handoffs)
    }
}

/// How many leases all documents share. A lease is a directory that stays, so that its numbers only ever rise; one for
/// each document would be one for each handoff that ever was.
const DOCUMENT_LEASES: u8 = 64;

/// Names the lease of a document. Others may have the same, and then one waits for the other.
pub(super) fn lease_name(name: &str) -> LeaseName {
    let hash = ids::fingerprint(&[name]).bytes().fold(0_u8, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte));
    LeaseName::new(format!("documents-{:02}", hash % DOCUMENT_LEASES)).expect("a word and a number are a valid name")
}
