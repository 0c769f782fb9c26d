//! What is wrong with the files themselves: damage, odd records, clocks.

use huddle_scan::{Flags, NO_TIME, Recovery, Symbol};

use super::{count, finding};
use crate::engine::files::damaged;
use crate::history::{History, Role, RootKind, SourceFile};
use crate::model::{Diagnostic, Severity, Span, Timestamp};

/// Clocks that differ by less are not worth a word: times are written to the second.
const TOLERANCE: i64 = 1_000_000;

pub(super) fn check(history: &History) -> Vec<Diagnostic> {
    let mut findings = damages(history);
    for file in &history.files {
        findings.extend(of_file(history, file));
    }
    findings.extend(odd_records(history));
    findings.extend(backwards(history));
    findings.extend(read_before_sent(history));
    findings
}

fn damages(history: &History) -> Vec<Diagnostic> {
    let damages = history.table.damages.iter();
    damages
        .map(|damage| {
            let file = &history.files[damage.file as usize];
            if let Role::Mail(_) = file.role {
                return damaged(&file.path, damage.fault);
            }
            finding(
                Severity::Error,
                "damaged-line",
                format!("{}, line {}, byte {}", file.path, damage.line, damage.offset),
                format!("{} cannot be read: {}", count(damage.length as usize, "byte"), damage.fault),
                "look at the line; everything around it was read",
            )
        })
        .collect()
}

fn of_file(history: &History, file: &SourceFile) -> Vec<Diagnostic> {
    let account = &file.account;
    let mut findings = Vec::new();
    let recovered = Recovery::ALL.iter().zip(account.recoveries).filter(|(_, count)| *count > 0);
    let recovered: Vec<String> = recovered.map(|(recovery, count)| format!("{count} {}", recovery.as_str())).collect();
    if !recovered.is_empty() {
        let message = format!("records were damaged and could be read all the same: {}", recovered.join(", "));
        findings.push(finding(Severity::Info, "recovered-records", &file.path, message, ""));
    }
    if account.being_written > 0 {
        let bytes = count(account.being_written as usize, "byte");
        let message = format!("{bytes} at the end are being written, or were cut off");
        findings.push(finding(Severity::Info, "being-written", &file.path, message, ""));
    }
    if let Role::Ignored(why) = file.role
        && let Some(root) = file.root
    {
        // Shell scripts take every file in an inbox for a message; elsewhere nobody looks.
        let is_mail = history.roots[root].kind == RootKind::Mailbox;
        let severity = if is_mail { Severity::Warning } else { Severity::Info };
        let hint = "move it away; it is left alone";
        findings.push(finding(severity, "foreign-file", &file.path, why.to_owned(), hint));
    }
    findings
}

fn odd_records(history: &History) -> Vec<Diagnostic> {
    let table = &history.table;
    let mut first = vec![None; history.files.len()];
    for row in (0..table.len()).filter(|row| table.flags()[*row].contains(Flags::ODD)) {
        let (_, count) = first[table.file()[row] as usize].get_or_insert((row as u32, 0usize));
        *count += 1;
    }
    let odd = first.into_iter().flatten();
    odd.map(|(row, count)| {
        let message = match count {
            1 => "a record has no time, no author and no type".to_owned(),
            count => format!("{count} records have no time, no author and no type; the first is here"),
        };
        let hint = "it is counted, and shown as it is";
        finding(Severity::Warning, "odd-record", history.place(row), message, hint)
    })
    .collect()
}

/// Finds agents whose records in one file go back in time.
fn backwards(history: &History) -> Vec<Diagnostic> {
    let table = &history.table;
    let mut latest: Vec<(u32, i64)> = vec![(u32::MAX, NO_TIME); table.symbols.len()];
    let mut found: Vec<(Symbol, u32, i64, usize)> = Vec::new();
    // A log may carry the files of a mailbox, and those are in no order of time.
    let mailed = history.mailbox_row_mask();
    for row in (0..table.len()).filter(|row| !mailed[*row]) {
        let (file, agent, time) = (table.file()[row], table.from()[row], table.time()[row]);
        let is_log = matches!(history.files[file as usize].role, Role::Log | Role::Unsure);
        if !is_log || agent.is_none() || time == NO_TIME {
            continue;
        }
        let last = &mut latest[agent.index()];
        if last.0 == file && time < last.1 - TOLERANCE {
            note(&mut found, agent, row as u32, last.1 - time, table.file());
        }
        *last = (file, if last.0 == file { time.max(last.1) } else { time });
    }
    let told = found.into_iter().map(|(agent, row, back, count)| {
        let name = table.text(agent);
        let back = Timestamp::from_micros(back).since(Timestamp::default());
        let message = match count {
            1 => format!("the clock of {name} runs backwards once, by {back}"),
            count => format!("the clock of {name} runs backwards {count} times, by {back} the first time"),
        };
        finding(Severity::Warning, "clock-backwards", history.place(row), message, "compare the machines' clocks")
    });
    told.collect()
}

fn note(found: &mut Vec<(Symbol, u32, i64, usize)>, agent: Symbol, row: u32, back: i64, files: &[u32]) {
    let same = |(other, first, ..): &&mut (Symbol, u32, i64, usize)| {
        *other == agent && files[*first as usize] == files[row as usize]
    };
    match found.iter_mut().find(same) {
        Some((.., count)) => *count += 1,
        None => found.push((agent, row, back, 1)),
    }
}

fn read_before_sent(history: &History) -> Vec<Diagnostic> {
    let table = &history.table;
    let copies = history.copies.iter().map(|copy| (copy.entry, table.text(copy.recipient), copy.seen_at));
    let rows = (0..table.len() as u32).filter(|row| !table.flags()[*row as usize].contains(Flags::COPY));
    let own = rows.map(|row| (row, table.text(table.to()[row as usize]), table.read_at()[row as usize]));
    let early = copies.chain(own).filter(|(entry, _, seen)| {
        let sent = table.time()[*entry as usize];
        *seen != NO_TIME && sent != NO_TIME && *seen < sent - TOLERANCE
    });
    early
        .map(|(entry, reader, seen)| {
            let sent = Timestamp::from_micros(table.time()[entry as usize]);
            let seen = Timestamp::from_micros(seen);
            let early: Span = sent.since(seen);
            let message = format!("{reader} read it at {seen}, {early} before it was sent at {sent}");
            let hint = "one of the two clocks is wrong";
            finding(Severity::Warning, "read-before-sent", history.place(entry), message, hint)
        })
        .collect()
}
