//! Keeping a bus in order: sweeping, dead letters, archive, check.

use super::message::message;
use super::{findings, texts};
use crate::bus::{CheckReport, DeadLetter, SweepReport};
use crate::model::{AgentName, Json, MessageId, Severity};

/// Writes what a sweep did.
pub fn swept(swept: &SweepReport) -> Json {
    let SweepReport { redelivered, dead, archived, pruned } = swept;
    let answer = object!({"redelivered": copies(redelivered), "dead": copies(dead), "archived": *archived});
    with_pruned(answer, (*pruned > 0).then_some(*pruned))
}

fn copies(copies: &[(AgentName, MessageId)]) -> Json {
    copies.iter().map(|(agent, id)| object!({"recipient": agent.as_str(), "id": id.as_str()})).collect()
}

/// Writes what was given up on.
pub fn dead_letters(letters: &[DeadLetter]) -> Json {
    let all: Vec<Json> = letters.iter().map(letter).collect();
    object!({"count": letters.len(), "deadLetters": all})
}

fn letter(letter: &DeadLetter) -> Json {
    let mut fields = message(&letter.delivery.message);
    fields["recipient"] = letter.delivery.recipient.as_str().into();
    fields["reason"] = letter.reason.as_str().into();
    fields["deadAt"] = letter.at.to_string().into();
    fields
}

/// Writes whose copies of a dead letter are back in the inbox.
pub fn retried(id: &MessageId, recipients: &[AgentName]) -> Json {
    object!({"id": id.as_str(), "recipients": texts(recipients)})
}

/// Writes how many copies were put away, and how many were removed from the archive, if that was asked for.
pub fn archived(count: usize, pruned: Option<usize>) -> Json {
    with_pruned(object!({"archived": count}), pruned)
}

fn with_pruned(mut answer: Json, pruned: Option<usize>) -> Json {
    if let Some(pruned) = pruned {
        answer["pruned"] = pruned.into();
    }
    answer
}

/// Writes what a check looked at and found; `ok` is false when data cannot be used.
pub fn checkup(checkup: &CheckReport) -> Json {
    let ok = checkup.findings.iter().all(|finding| finding.severity != Severity::Error);
    let mut fields = object!({
        "ok": ok,
        "agents": checkup.agents,
        "messages": checkup.messages,
        "findings": findings(&checkup.findings),
    });
    if !checkup.mended.is_empty() {
        let moved = checkup.mended.iter().map(|one| object!({"from": one.from, "to": one.to}));
        fields["mended"] = moved.collect();
    }
    fields
}
