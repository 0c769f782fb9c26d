//! Moving a whole bus from one place to another, and seeing that it arrived.
//!
//! Everything is taken over as it is: copies with their receipts, records, contexts, handoffs with their files, and last the
//! directory. What is there already is left, so one who is killed in the middle begins again and goes on. At the end both
//! sides are read as a whole and compared, kind by kind.

mod compare;
mod json_documents;
mod kinds;
mod snapshot;

#[cfg(test)]
mod tests;

pub use compare::KindSummary;
pub use json_documents::documents_in;
pub use snapshot::BusSnapshot;

use crate::bus::{Error, Result};
use crate::engine::{self, ContextChange, Engine, HandoffChange, HandoffPackage, MailSnapshot, Transaction};
use crate::history::export;
use crate::model::{AgentName, Context, Diagnostic, Directory, Timestamp, WithDiagnostics};

/// How many messages are taken over between two words on how it is going.
const BATCH: usize = 500;

/// Its progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The current phase, as in "reading".
    pub doing: &'static str,
    /// Finished items.
    pub done: usize,
    /// All items; 0 while unknown.
    pub of: usize,
}

/// The result of a migration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationSummary {
    /// Whether there was no bus before.
    pub is_new: bool,
    /// The number of new copies.
    pub new_copies: usize,
    /// What of the source is there now, kind by kind.
    pub kinds: Vec<KindSummary>,
}

/// Moves everything that one bus has to another, and compares both.
///
/// The source stays as it is. Findings tell what of the source cannot be read, and what the target has no room for.
///
/// ```
/// use huddle_core::bus::{Bus, Draft, NewAgent};
/// use huddle_core::engine::{files::FilesEngine, fs::memory::MemoryFs, memory::MemoryEngine};
/// use huddle_core::host::FixedHost;
/// use huddle_core::migrate;
///
/// let host = FixedHost::at("2025-11-29T14:30:52Z");
/// let (here, fs) = (MemoryEngine::new(&host), MemoryFs::new());
/// let bus = Bus::new(&here, &host);
/// bus.init()?;
/// let (ann, bob) = ("ann".parse()?, "bob".parse()?);
/// bus.register(&ann, &NewAgent::with_role("architect"))?;
/// bus.register(&bob, &NewAgent::with_role("builder"))?;
/// bus.send(&ann, &Draft::to(&bob, "Please build the parser"))?;
///
/// let there = FilesEngine::new(&fs, &host);
/// let moved = migrate::migrate(&here, &there, &mut |_| {})?.value;
/// assert_eq!(moved.new_copies, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn migrate(
    from: &dyn Engine,
    to: &dyn Engine,
    progress: &mut dyn FnMut(Progress),
) -> Result<WithDiagnostics<MigrationSummary>> {
    progress(Progress { doing: "reading", done: 0, of: 0 });
    let WithDiagnostics { value: source, mut findings } = BusSnapshot::of(from)?;
    let is_new = to.init()?;
    // What there is no room for is told when both are compared.
    let new_copies = import_batches(to, &source.snapshot, progress)?.value;
    let documents = source.contexts.len() + source.handoffs.len();
    let mut done = 0;
    let mut next = |progress: &mut dyn FnMut(Progress)| {
        done += 1;
        progress(Progress { doing: "moving contexts and handoffs", done, of: documents });
    };
    for context in &source.contexts {
        migrate_context(to, context)?;
        next(progress);
    }
    for package in &source.handoffs {
        migrate_handoff(to, package)?;
        next(progress);
    }
    // Last: whoever is told of the new place finds there what was sent to them.
    to.edit_directory(&mut |directory| merge(directory, &source.directory))?;
    progress(Progress { doing: "comparing", done: 0, of: 0 });
    let target = BusSnapshot::of(to)?.value;
    let compared = compare::compare(&source, &target)?;
    findings.extend(compared.findings);
    Ok(WithDiagnostics { value: MigrationSummary { is_new, new_copies, kinds: compared.value }, findings })
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportSummary {
    /// The number of new copies.
    pub new_copies: usize,
    /// Newly registered agents.
    pub registered: Vec<AgentName>,
}

/// Takes messages from elsewhere into a bus that there is, and registers those of their senders and recipients who are not
/// known yet, each with a counter that fits.
pub fn import(
    to: &dyn Engine,
    snapshot: &MailSnapshot,
    progress: &mut dyn FnMut(Progress),
) -> Result<WithDiagnostics<ImportSummary>> {
    let WithDiagnostics { value: new_copies, findings } = import_batches(to, snapshot, progress)?;
    let met = export::directory_of(snapshot).agents;
    let mut registered = Vec::new();
    if !met.is_empty() {
        to.edit_directory(&mut |directory| {
            registered = met.keys().filter(|name| !directory.agents.contains_key(*name)).cloned().collect();
            for name in &registered {
                directory.agents.insert(name.clone(), met[name].clone());
            }
        })?;
    }
    Ok(WithDiagnostics { value: ImportSummary { new_copies, registered }, findings })
}

fn import_batches(
    to: &dyn Engine,
    snapshot: &MailSnapshot,
    progress: &mut dyn FnMut(Progress),
) -> Result<WithDiagnostics<usize>> {
    let copies = |snapshot: &MailSnapshot| snapshot.deliveries.len();
    let (mut done, mut all) = (0, WithDiagnostics::clean(0));
    for part in snapshot.batches(BATCH) {
        let WithDiagnostics { value: new, findings } = to.import_snapshot(&part)?;
        all.value += new;
        all.findings.extend(findings);
        done += copies(&part);
        progress(Progress { doing: "moving messages", done, of: copies(snapshot) });
    }
    // Each part told of its own; it is told once, of all.
    if !all.findings.is_empty() {
        all.findings = export::losses(snapshot);
    }
    Ok(all)
}

/// Creates a change that nobody is seen by: one whom no directory has makes it, long ago.
fn migration_transaction() -> Transaction {
    let by = AgentName::new("huddle-migrate").expect("a fixed name is valid");
    let at = Timestamp::default();
    Transaction { by, at, key: None, envelopes: Vec::new(), seen: None, context: None, handoff: None }
}

fn migrate_context(to: &dyn Engine, context: &Context) -> Result<()> {
    let is_there = |there: Option<Context>| there.is_some_and(|there| there.text == context.text);
    if is_there(to.context(&context.name)?) {
        return Ok(());
    }
    let change = ContextChange { expected: None, context: context.clone() };
    let moved = to.commit(Transaction { context: Some(change), ..migration_transaction() });
    // A predecessor that was killed may have left it to be carried out, which has happened by now.
    ignore_identical(moved, || Ok(is_there(to.context(&context.name)?)), || format!("shared context {}", context.name))
}

fn migrate_handoff(to: &dyn Engine, package: &HandoffPackage) -> Result<()> {
    let id = &package.handoff.id;
    let is_there = || Ok(snapshot::package(to, id)?.is_some_and(|there| kinds::is_same_package(&there, package)));
    if is_there()? {
        return Ok(());
    }
    let moved =
        to.commit(Transaction { handoff: Some(HandoffChange::Create(package.clone())), ..migration_transaction() });
    ignore_identical(moved, is_there, || format!("handoff {id}"))
}

/// Takes a conflict with the very same thing for what it is, and tells of one with another.
fn ignore_identical<T>(
    moved: engine::Result<T>,
    is_there: impl FnOnce() -> Result<bool>,
    what: impl FnOnce() -> String,
) -> Result<()> {
    match moved {
        Ok(_) => Ok(()),
        Err(error) if matches!(*error, engine::Error::Conflict { .. }) && is_there()? => Ok(()),
        Err(error) if matches!(*error, engine::Error::Conflict { .. }) => {
            let what = format!("{} in the target", what());
            let (expected, found) = ("none, or the same as in the source".to_owned(), "another".to_owned());
            Err(Error::Engine(engine::Error::Conflict { what, expected, found }).into())
        }
        Err(error) => Err(error.into()),
    }
}

/// Brings the source's directory into the target's. Of agents that both know, the source knows better; those whom it does not
/// know stay, with what they listen to.
fn merge(target: &mut Directory, source: &Directory) {
    (target.initialized_at, target.retention_hours) = (source.initialized_at, source.retention_hours);
    // What the target holds now is counted anew.
    (target.limits, target.usage) = (source.limits, None);
    let is_source = |name: &AgentName| source.agents.contains_key(name);
    for names in target.subscriptions.values_mut() {
        names.retain(|name| !is_source(name));
    }
    for (event, names) in &source.subscriptions {
        let there = target.subscriptions.entry(event.clone()).or_default();
        there.retain(|name| !names.contains(name));
        there.splice(0..0, names.iter().cloned());
    }
    target.subscriptions.retain(|event, names| !names.is_empty() || source.subscriptions.contains_key(event));
    for (name, agent) in &source.agents {
        target.agents.insert(name.clone(), agent.clone());
    }
}

/// Reports what is worth knowing and no fault.
fn note(place: &str, message: String, hint: &str) -> Diagnostic {
    let severity = crate::model::Severity::Info;
    Diagnostic { severity, code: "moved", place: place.to_owned(), message, hint: hint.to_owned() }
}
