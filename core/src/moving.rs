//! Moving a whole bus from one place to another, and seeing that it arrived.
//!
//! Everything is taken over as it is: copies with their receipts, records, contexts, handoffs with their files, and last the
//! directory. What is there already is left, so one who is killed in the middle begins again and goes on. At the end both
//! sides are read as a whole and compared, kind by kind.

mod compare;
mod kinds;
mod reading;
mod whole;

#[cfg(test)]
mod tests;

pub use compare::Tally;
pub use reading::documents_in;
pub use whole::Whole;

use crate::bus::{Error, Result};
use crate::engine::{self, Change, ContextChange, Engine, HandoffChange, HandoffPackage, Survey};
use crate::history::export;
use crate::model::{AgentName, Context, Directory, Finding, Found, Timestamp};

/// How many messages are taken over between two words on how it is going.
const PART: usize = 500;

/// How far it has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What is being done, as in "reading".
    pub doing: &'static str,
    /// How much of it is done.
    pub done: usize,
    /// How much there is of it; 0 when that is not known yet.
    pub of: usize,
}

/// What was moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Whether there was no bus before.
    pub is_new: bool,
    /// How many copies of messages were not there before.
    pub new_copies: usize,
    /// What of the source is there now, kind by kind.
    pub kinds: Vec<Tally>,
}

/// Moves everything that one bus has to another, and compares both.
///
/// The source stays as it is. Findings tell what of the source cannot be read, and what the target has no room for.
///
/// ```
/// use huddle_core::bus::{Bus, Draft, NewAgent};
/// use huddle_core::engine::{files::FilesEngine, fs::memory::MemoryFs, memory::MemoryEngine};
/// use huddle_core::host::FixedHost;
/// use huddle_core::moving;
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
/// let moved = moving::migrate(&here, &there, &mut |_| {})?.value;
/// assert_eq!(moved.new_copies, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn migrate(from: &dyn Engine, to: &dyn Engine, progress: &mut dyn FnMut(Progress)) -> Result<Found<Moved>> {
    progress(Progress { doing: "reading", done: 0, of: 0 });
    let Found { value: source, mut findings } = Whole::of(from)?;
    let is_new = to.init()?;
    // What there is no room for is told when both are compared.
    let new_copies = adopt_all(to, &source.survey, progress)?.value;
    let papers = source.contexts.len() + source.handoffs.len();
    let mut done = 0;
    let mut next = |progress: &mut dyn FnMut(Progress)| {
        done += 1;
        progress(Progress { doing: "moving contexts and handoffs", done, of: papers });
    };
    for context in &source.contexts {
        move_context(to, context)?;
        next(progress);
    }
    for package in &source.handoffs {
        move_handoff(to, package)?;
        next(progress);
    }
    // Last: whoever is told of the new place finds there what was sent to them.
    to.edit_directory(&mut |directory| merge(directory, &source.directory))?;
    progress(Progress { doing: "comparing", done: 0, of: 0 });
    let target = Whole::of(to)?.value;
    let compared = compare::compare(&source, &target)?;
    findings.extend(compared.findings);
    Ok(Found { value: Moved { is_new, new_copies, kinds: compared.value }, findings })
}

/// What was taken in from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TakenIn {
    /// How many copies of messages were not there before.
    pub new_copies: usize,
    /// Who was not known before.
    pub registered: Vec<AgentName>,
}

/// Takes messages from elsewhere into a bus that there is, and registers those of their senders and recipients who are not
/// known yet, each with a counter that fits.
pub fn take_in(to: &dyn Engine, survey: &Survey, progress: &mut dyn FnMut(Progress)) -> Result<Found<TakenIn>> {
    let Found { value: new_copies, findings } = adopt_all(to, survey, progress)?;
    let met = export::directory_of(survey).agents;
    let mut registered = Vec::new();
    if !met.is_empty() {
        to.edit_directory(&mut |directory| {
            registered = met.keys().filter(|name| !directory.agents.contains_key(*name)).cloned().collect();
            for name in &registered {
                directory.agents.insert(name.clone(), met[name].clone());
            }
        })?;
    }
    Ok(Found { value: TakenIn { new_copies, registered }, findings })
}

fn adopt_all(to: &dyn Engine, survey: &Survey, progress: &mut dyn FnMut(Progress)) -> Result<Found<usize>> {
    let copies = |survey: &Survey| survey.deliveries.len();
    let (mut done, mut all) = (0, Found::clean(0));
    for part in survey.parts(PART) {
        let Found { value: new, findings } = to.adopt(&part)?;
        all.value += new;
        all.findings.extend(findings);
        done += copies(&part);
        progress(Progress { doing: "moving messages", done, of: copies(survey) });
    }
    // Each part told of its own; it is told once, of all.
    if !all.findings.is_empty() {
        all.findings = export::losses(survey);
    }
    Ok(all)
}

/// Makes a change that nobody is seen by: one whom no directory has makes it, long ago.
fn silent() -> Change {
    let by = AgentName::new("huddle-migrate").expect("a fixed name is valid");
    let at = Timestamp::default();
    Change { by, at, key: None, posts: Vec::new(), seen: None, context: None, handoff: None }
}

fn move_context(to: &dyn Engine, context: &Context) -> Result<()> {
    let is_there = |there: Option<Context>| there.is_some_and(|there| there.text == context.text);
    if is_there(to.context(&context.name)?) {
        return Ok(());
    }
    let change = ContextChange { expected: None, context: context.clone() };
    let moved = to.commit(Change { context: Some(change), ..silent() });
    // A predecessor that was killed may have left it to be carried out, which has happened by now.
    settled(moved, || Ok(is_there(to.context(&context.name)?)), || format!("shared context {}", context.name))
}

fn move_handoff(to: &dyn Engine, package: &HandoffPackage) -> Result<()> {
    let id = &package.handoff.id;
    let is_there = || Ok(whole::package(to, id)?.is_some_and(|there| kinds::is_same_package(&there, package)));
    if is_there()? {
        return Ok(());
    }
    let moved = to.commit(Change { handoff: Some(HandoffChange::Create(package.clone())), ..silent() });
    settled(moved, is_there, || format!("handoff {id}"))
}

/// Takes a conflict with the very same thing for what it is, and tells of one with another.
fn settled<T>(
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

/// Tells what is worth knowing and no fault.
fn note(place: &str, message: String, hint: &str) -> Finding {
    let severity = crate::model::Severity::Info;
    Finding { severity, code: "moved", place: place.to_owned(), message, hint: hint.to_owned() }
}
