//! What is odd in transcripts: calls and results that do not meet, answers that were cut off, agents that go in circles.

use super::{count, finding};
use crate::history::formats::TurnFlags;
use crate::history::{History, ToolCall};
use crate::model::{Diagnostic, Severity};

/// How often in a row the same call with the same result is a circle.
const CIRCLE: usize = 4;

pub(super) fn check(history: &History) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    findings.extend(stray_results(history));
    findings.extend(open_calls(history));
    findings.extend(cut_off(history));
    findings.extend(circles(history));
    findings
}

/// Finds results of calls that are not there, for each file.
fn stray_results(history: &History) -> Vec<Diagnostic> {
    by_file(history, history.transcript.stray_results.iter().copied())
        .into_iter()
        .map(|(row, strays)| {
            let message = match strays {
                1 => "a tool's result has no call".to_owned(),
                strays => format!("{strays} results of tools have no call; the first is here"),
            };
            let hint = "the beginning of the transcript may be missing";
            finding(Severity::Info, "result-without-call", history.place(row), message, hint)
        })
        .collect()
}

/// Finds calls that nothing came of, for each file.
fn open_calls(history: &History) -> Vec<Diagnostic> {
    let transcript = &history.transcript;
    let open = transcript.calls.iter().filter(|call| call.result.is_none());
    by_file(history, open.map(|call| call.row))
        .into_iter()
        .map(|(row, calls)| {
            let name = transcript.calls_of(row).iter().find(|call| call.result.is_none()).map(|call| call.name);
            let name = name.map_or("", |name| history.table.text(name));
            let message = match calls {
                1 => format!("the call of {name} has no result"),
                calls => format!("{calls} calls have no result; the first is of {name}"),
            };
            let hint = "the agent was interrupted, or is still at work";
            finding(Severity::Info, "call-without-result", history.place(row), message, hint)
        })
        .collect()
}

/// Finds answers that reached the limit of their length, for each file.
fn cut_off(history: &History) -> Vec<Diagnostic> {
    let turns = history.transcript.turns.iter().filter(|turn| turn.flags.contains(TurnFlags::TRUNCATED));
    by_file(history, turns.map(|turn| turn.row))
        .into_iter()
        .map(|(row, answers)| {
            let message = format!("{} cut off at the longest that was allowed", count(answers, "answer"));
            let hint = "what the agent would have said after that is missing";
            finding(Severity::Warning, "truncated-answer", history.place(row), message, hint)
        })
        .collect()
}

/// Finds agents that call the same again and again, and get the same.
fn circles(history: &History) -> Vec<Diagnostic> {
    let transcript = &history.transcript;
    let mut calls: Vec<&ToolCall> = transcript.calls.iter().filter(|call| call.result.is_some()).collect();
    calls.sort_by_key(|call| (call.agent, call.row));
    let is_same = |a: &&ToolCall, b: &&ToolCall| {
        (a.agent, a.name, a.input_digest, a.result_digest) == (b.agent, b.name, b.input_digest, b.result_digest)
    };
    let circles = calls.chunk_by(is_same).filter(|calls| calls.len() >= CIRCLE);
    circles
        .filter_map(|calls| {
            let first = calls.first()?;
            let agent = history.table.text(transcript.agents[first.agent as usize].name);
            let name = history.table.text(first.name);
            let message =
                format!("{agent} called {name} {} times in a row with the same arguments and result", calls.len());
            let place = history.place(first.row);
            Some(finding(Severity::Warning, "repeated-call", place, message, "look whether the agent is stuck"))
        })
        .collect()
}

/// Counts rows by file; each with the first of them.
fn by_file(history: &History, rows: impl Iterator<Item = u32>) -> Vec<(u32, usize)> {
    let mut found: Vec<Option<(u32, usize)>> = vec![None; history.files.len()];
    for row in rows {
        let file = history.table.file()[row as usize] as usize;
        found[file].get_or_insert((row, 0)).1 += 1;
    }
    found.into_iter().flatten().collect()
}
