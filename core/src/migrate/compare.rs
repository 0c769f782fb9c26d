//! Both sides, kind by kind: all that the source has is in the target, and says the same.

use std::collections::BTreeSet;

use super::kinds::{self, AGENTS, COPIES, ItemKind, RECORDS, SENT};
use super::{BusSnapshot, note};
use crate::bus::ids::fingerprint;
use crate::bus::{Error, Result};
use crate::engine::MailSnapshot;
use crate::history::export;
use crate::model::{Diagnostic, WithDiagnostics};

/// The number of items of one kind, and their hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindSummary {
    /// Which kind it is: `copies`, `records`, `sent`, `contexts`, `handoffs`, `files`, `agents`, `subscriptions`, `settings`.
    pub kind: &'static str,
    /// How many the source has, all of which are in the target.
    pub count: usize,
    /// What they say in the target, hashed: the same for the same things, wherever they are.
    pub hash: String,
    /// How many more of the kind the target has.
    pub others: usize,
}

/// Checks that all of the source is in the target. Where the two differ only in what a mailbox has no room for, that is told;
/// any other difference is an error.
pub(super) fn compare(source: &BusSnapshot, target: &BusSnapshot) -> Result<WithDiagnostics<Vec<KindSummary>>> {
    let (mut summaries, mut findings, mut lost) = (Vec::new(), Vec::new(), Vec::new());
    // Both as a mailbox would have them; that is needed only when something differs.
    let mut reduced: Option<(Vec<ItemKind>, Vec<ItemKind>)> = None;
    for (number, (from, to)) in source.kinds().into_iter().zip(target.kinds()).enumerate() {
        let differing = differing(&from, &to);
        if !differing.is_empty() {
            let (less_from, less_to) =
                reduced.get_or_insert_with(|| (source.as_in_mailbox().kinds(), target.as_in_mailbox().kinds()));
            let wrong = self::differing(&less_from[number], &less_to[number]);
            if !wrong.is_empty() {
                return Err(differs(&from, &to, &wrong).into());
            }
            lost.push((from.name, BTreeSet::from_iter(differing.into_iter().cloned())));
        }
        let summary = summary(&from, &to);
        findings.extend((summary.others > 0).then(|| others_there(&summary)));
        summaries.push(summary);
    }
    findings.extend(losses(source, &lost));
    Ok(WithDiagnostics { value: summaries, findings })
}

/// Lists what the target lacks, or has otherwise.
fn differing<'a>(from: &'a ItemKind, to: &ItemKind) -> Vec<&'a String> {
    from.hashes.iter().filter(|(key, hash)| to.hashes.get(*key) != Some(hash)).map(|(key, _)| key).collect()
}

fn summary(from: &ItemKind, to: &ItemKind) -> KindSummary {
    let mut words = Vec::new();
    for key in from.hashes.keys() {
        words.extend(to.hashes.get(key).into_iter().flat_map(|hash| [key, hash]));
    }
    let others = to.hashes.len() - words.len() / 2;
    KindSummary { kind: from.name, count: from.hashes.len(), hash: fingerprint(&words), others }
}

fn differs(from: &ItemKind, to: &ItemKind, wrong: &[&String]) -> Error {
    const NAMED: usize = 3;
    let is_missing = |key: &&&String| !to.hashes.contains_key(key.as_str());
    let missing = wrong.iter().filter(is_missing).count();
    let named: Vec<&str> = wrong.iter().take(NAMED).map(|key| key.as_str()).collect();
    let more = if wrong.len() > NAMED { ", …" } else { "" };
    let message = format!(
        "the target is not the same: of {} {} in the source, {missing} are missing and {} are different ({}{more}); the target has {}",
        from.hashes.len(),
        from.name,
        wrong.len() - missing,
        named.join(", "),
        to.hashes.len(),
    );
    let hint = "somebody may have changed one of them meanwhile: see that nobody does, and run it again; what is \
                different in the target must be moved away first"
        .to_owned();
    Error::Invalid { message, hint }
}

fn others_there(summary: &KindSummary) -> Diagnostic {
    let message = format!("the target has {} more {} than the source", summary.others, summary.kind);
    note(summary.kind, message, "nothing is wrong with that if the target was not empty before")
}

/// Reports what the target had no room for.
fn losses(source: &BusSnapshot, lost: &[(&str, BTreeSet<String>)]) -> Vec<Diagnostic> {
    let of = |name: &str| lost.iter().find(|(kind, _)| *kind == name).map(|(_, keys)| keys);
    let is_lost = |name: &str, key: String| of(name).is_some_and(|keys| keys.contains(&key));
    let MailSnapshot { deliveries, records, sent } = &source.snapshot;
    let snapshot = MailSnapshot {
        deliveries: deliveries.iter().filter(|copy| is_lost(COPIES, kinds::copy_key(copy))).cloned().collect(),
        records: records.iter().filter(|record| is_lost(RECORDS, record.id.to_string())).cloned().collect(),
        sent: sent.iter().filter(|line| is_lost(SENT, kinds::sent_key(line))).cloned().collect(),
    };
    let mut findings = export::losses(&snapshot);
    if let Some(agents) = of(AGENTS) {
        let message = format!("fractions of seconds in the times of {} agents", agents.len());
        findings.push(note(AGENTS, message, "a mailbox counts whole seconds"));
    }
    findings
}
