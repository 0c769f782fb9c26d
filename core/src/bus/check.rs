//! Checking a bus: what is wrong with it, and how to mend it.

mod agents;
mod mail;
mod mend;

pub use mend::Mended;

use super::thread::messages_in;
use super::{Bus, Result};
use crate::engine::MailSnapshot;
use crate::model::{Diagnostic, Directory, Handoff, HandoffStatus, Severity, Span, Timestamp};

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CheckReport {
    /// How many agents are registered.
    pub agents: usize,
    /// How many messages are kept, whoever has copies.
    pub messages: usize,
    /// Diagnostics, most severe first.
    pub findings: Vec<Diagnostic>,
    /// Files moved to the quarantine.
    pub mended: Vec<Mended>,
}

impl Bus<'_> {
    /// Looks at everything on the bus and tells what is wrong with it; changes nothing.
    pub fn check(&self) -> Result<CheckReport> {
        let before = self.engine.directory()?;
        let snapshot = self.engine.snapshot()?;
        let contexts = self.engine.contexts()?;
        let handoffs = self.engine.handoffs()?;
        // Read again, because others go on sending meanwhile: a counter is wrong only if it was at both ends.
        let after = self.directory()?;
        let (snapshot, mut findings) = (snapshot.value, snapshot.findings);
        findings.extend(self.engine.audit()?);
        findings.extend(before.findings.into_iter().chain(contexts.findings).chain(handoffs.findings));
        findings.extend(contexts.value.iter().filter_map(|context| {
            let error = context.name.check_portable().err()?;
            Some(agents::unportable(format!("shared context {}", context.name), &error))
        }));
        let counted = agents::miscounted(&snapshot, &before.value, &after);
        let lost = self.lost(&snapshot);
        findings.extend(counted.into_iter().chain(lost));
        findings.extend(check_in(&snapshot, &after, &handoffs.value, self.now()));
        findings.extend(self.check_quota(&after)?);
        findings.extend(Self::check_archive(&snapshot, &after.limits));
        findings.sort();
        findings.dedup();
        Ok(CheckReport {
            agents: after.agents.len(),
            messages: messages_in(&snapshot).len(),
            findings,
            mended: Vec::new(),
        })
    }

    /// Lists the messages that were sent and are nowhere.
    fn lost(&self, snapshot: &MailSnapshot) -> Vec<Diagnostic> {
        // One that arrived while the snapshot was made, or that is damaged, is not lost.
        let gone = mail::without_copy(snapshot)
            .into_iter()
            .filter(|(message, recipient)| matches!(self.engine.delivery(recipient, &message.id), Ok(None)));
        gone.map(|(message, recipient)| mail::lost(message, recipient)).collect()
    }
}

/// Finds what is wrong with a bus as of `now`, from what is stored alone; sorted.
pub fn check_in(
    snapshot: &MailSnapshot,
    directory: &Directory,
    handoffs: &[Handoff],
    now: Timestamp,
) -> Vec<Diagnostic> {
    let retention = Span::from_hours(i64::from(directory.retention_hours));
    let mut findings = agents::check(snapshot, directory, now.minus(retention));
    findings.extend(mail::check(snapshot, now));
    findings.extend(handoffs.iter().flat_map(|handoff| check_handoff(handoff, directory, now, retention)));
    findings.sort();
    findings
}

/// Finds what is wrong with a bus of which all that is known is what it left behind; sorted.
pub fn check_stored(
    snapshot: &MailSnapshot,
    directory: &Directory,
    handoffs: &[Handoff],
    now: Timestamp,
) -> Vec<Diagnostic> {
    let mut findings = check_in(snapshot, directory, handoffs, now);
    findings.extend(agents::miscounted(snapshot, directory, directory));
    findings
        .extend(mail::without_copy(snapshot).into_iter().map(|(message, recipient)| mail::lost(message, recipient)));
    findings.sort();
    findings
}

fn check_handoff(handoff: &Handoff, directory: &Directory, now: Timestamp, retention: Span) -> Vec<Diagnostic> {
    let Handoff { id, from, to, created_at, status, .. } = handoff;
    if *status != HandoffStatus::Pending {
        return Vec::new();
    }
    let place = format!("handoff {id}");
    let mut findings = Vec::new();
    for (name, side) in [(from, "from"), (to, "for")] {
        if !directory.agents.contains_key(name) {
            findings.push(Diagnostic {
                severity: Severity::Warning,
                code: "unregistered-handoff-side",
                place: place.clone(),
                message: format!("it is {side} {name}, whom nobody registered"),
                hint: format!("register the agent: huddle register {name} --role ROLE"),
            });
        }
    }
    if let Some(created_at) = created_at.filter(|at| now.since(*at) > retention) {
        findings.push(Diagnostic {
            severity: Severity::Warning,
            code: "stale-handoff",
            place,
            message: format!("{to} has not decided on it since {created_at}"),
            hint: format!("decide: huddle handoff accept {id} --as {to}, or huddle handoff decline {id} --as {to}"),
        });
    }
    findings
}

#[cfg(test)]
mod tests;
