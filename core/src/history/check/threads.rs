//! What is odd about who answers what, and when.

use huddle_scan::{Flags, NO_TIME, Row};

use super::finding;
use crate::history::{AnomalyKind, Crossed, Derived, History, ThreadAnomaly};
use crate::model::{Diagnostic, Severity, Timestamp};

pub(super) fn check(history: &History, derived: &Derived) -> Vec<Diagnostic> {
    let mailed = history.mailbox_row_mask();
    // What a mailbox's own checks tell is not told twice.
    let is_mail = |position: u32| mailed[history.entries[position as usize] as usize];
    let anomalies = derived.threads.anomalies.iter();
    let mut findings: Vec<Diagnostic> = anomalies
        .filter(|anomaly| anomaly.kind != AnomalyKind::MissingParent || !is_mail(anomaly.position))
        .map(|anomaly| odd(history, derived, *anomaly))
        .collect();
    findings.extend(derived.crossed.iter().map(|pair| crossed(history, *pair)));
    let late = derived.deliveries.list.iter().filter(|delivery| delivery.overdue && !is_mail(delivery.position));
    findings.extend(late.map(|delivery| {
        let row = history.table.row(history.entries[delivery.position as usize]);
        let (who, asker) = (history.table.text(delivery.recipient), history.table.text(row.from));
        let due = Timestamp::from_micros(row.due);
        let message = format!("{who} has not answered {asker}, due at {due}");
        finding(Severity::Warning, "overdue-answer", place(history, delivery.position), message, "ask again")
    }));
    findings.extend(repeated_ids(history));
    findings
}

fn place(history: &History, position: u32) -> String {
    history.place(history.entries[position as usize])
}

fn odd(history: &History, derived: &Derived, ThreadAnomaly { position, kind }: ThreadAnomaly) -> Diagnostic {
    let row = history.table.row(history.entries[position as usize]);
    let original = history.table.text(row.reply_to);
    let parent = derived.threads.parent[position as usize];
    let (severity, code, message) = match kind {
        AnomalyKind::Cycle => (
            Severity::Warning,
            "reply-cycle",
            format!("it answers {original}, which answers it, by way of others or at once; the circle is cut here"),
        ),
        AnomalyKind::MissingParent => {
            (Severity::Info, "reply-to-unknown", format!("it answers {original}, which is not here"))
        }
        AnomalyKind::CrossThread => {
            (Severity::Info, "reply-across-threads", format!("it answers {original}, which is of another conversation"))
        }
        AnomalyKind::ParentLater => (
            Severity::Warning,
            "answer-before-question",
            format!("it answers {original}, which was sent later: {}", sent(history, parent)),
        ),
    };
    finding(severity, code, place(history, position), message, "")
}

fn sent(history: &History, position: u32) -> String {
    let row = history.entries.get(position as usize).map(|row| history.table.row(*row));
    row.filter(|row| row.time != NO_TIME).map_or_else(String::new, |row| Timestamp::from_micros(row.time).to_string())
}

fn crossed(history: &History, Crossed { earlier, later }: Crossed) -> Diagnostic {
    let (first, second) = (history.entries[earlier as usize], history.entries[later as usize]);
    let [a, b] = [first, second].map(|row| history.table.text(history.table.id()[row as usize]));
    let message = format!("{b} was sent before {a} was seen, and the other way round: neither knows of the other");
    finding(
        Severity::Info,
        "crossed-messages",
        history.place(second),
        message,
        "look whether they contradict each other",
    )
}

/// Finds records of logs that carry an id which another has; documents of one message for several have the same.
fn repeated_ids(history: &History) -> Vec<Diagnostic> {
    let table = &history.table;
    let mut first = vec![None; table.symbols.len()];
    let mut findings = Vec::new();
    for row in 0..table.len() as u32 {
        let (id, flags) = (table.id()[row as usize], table.flags()[row as usize]);
        if id.is_none() || flags.contains(Flags::COPY) {
            continue;
        }
        match first[id.index()] {
            None => first[id.index()] = Some(row),
            Some(other) if is_repeated(&table.row(other), &table.row(row), table.text(table.to()[row as usize])) => {
                let message = format!("the id {} is that of an earlier record in the file", table.text(id));
                findings.push(finding(Severity::Info, "repeated-id", history.place(row), message, ""));
            }
            Some(_) => {}
        }
    }
    findings
}

/// Returns whether a record takes the id of one in the same file, and is not another recipient's copy of it.
fn is_repeated(first: &Row, again: &Row, recipients: &str) -> bool {
    first.file == again.file && first.to == again.to && !recipients.contains(", ")
}
