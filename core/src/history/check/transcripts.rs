//! What is odd in transcripts: calls and results that do not meet, answers that were cut off, agents that go in circles.

use huddle_scan::Flags;

use super::{count, finding};
use crate::history::formats::TurnFlags;
use crate::history::{History, Role, ToolCall};
use crate::model::{Diagnostic, Severity};

/// How often in a row the same call with the same result is a circle.
const CIRCLE: usize = 4;

pub(super) fn check(history: &History) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    findings.extend(stray_results(history));
    findings.extend(open_calls(history));
    findings.extend(cut_off(history));
    findings.extend(circles(history));
    findings.extend(contradicted(history));
    findings.extend(copies(history));
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

/// Finds agents that say that tests pass when the last run of tests before it failed.
fn contradicted(history: &History) -> Vec<Diagnostic> {
    let transcript = &history.transcript;
    // For each agent its last run of tests that has a result.
    let mut last_runs: Vec<Option<&ToolCall>> = vec![None; transcript.agents.len()];
    let mut runs: Vec<(u32, &ToolCall)> =
        transcript.calls.iter().filter(|call| call.is_test_run).filter_map(|call| Some((call.result?, call))).collect();
    runs.sort_by_key(|(result, _)| *result);
    let mut runs = runs.into_iter().peekable();
    let mut findings = Vec::new();
    for turn in &transcript.turns {
        while let Some((_, run)) = runs.next_if(|(result, _)| *result < turn.row) {
            last_runs[run.agent as usize] = Some(run);
        }
        if turn.flags.contains(TurnFlags::TESTS_PASS)
            && let Some(run) = last_runs[turn.agent as usize].take_if(|run| run.is_error)
        {
            let agent = history.table.text(transcript.agents[turn.agent as usize].name);
            let message = format!("{agent} says that tests pass, and the last run of tests before it failed");
            let hint = format!("compare it with {}", history.place(run.row));
            findings.push(finding(Severity::Warning, "contradicted-claim", history.place(turn.row), message, hint));
        }
    }
    findings
}

/// Finds rows that repeat those of another file, for each file.
fn copies(history: &History) -> Vec<Diagnostic> {
    if history.transcript.copies == 0 {
        return Vec::new();
    }
    let is_copy = |row: &u32| {
        let file = &history.files[history.table.file()[*row as usize] as usize];
        let is_log = matches!(file.role, Role::Log | Role::Records | Role::Unsure);
        is_log && history.table.flags()[*row as usize].contains(Flags::COPY)
    };
    by_file(history, (0..history.table.len() as u32).filter(is_copy))
        .into_iter()
        .map(|(row, copies)| {
            let message = match copies {
                1 => "a row repeats one of another file, and counts once".to_owned(),
                copies => format!("{copies} rows repeat those of another file, and count once; the first is here"),
            };
            let hint = "the session was resumed, or its file copied";
            finding(Severity::Info, "repeated-rows", history.place(row), message, hint)
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

#[cfg(test)]
mod tests {
    use crate::history::fuzzing::memory_files::{File, MemoryFiles};

    /// Checks the codes of what is found in a session: `!` is a failed run of tests, `.` one that passed, the rest is said.
    fn check(session: &[&str], wanted: &[&str]) {
        let mut text = String::new();
        for (number, step) in session.iter().enumerate() {
            let record = |kind: &str, content: String| {
                format!(
                    r#"{{"type":"{kind}","isSidechain":false,"sessionId":"s","uuid":"{kind}{number}","timestamp":"2026-01-01T00:00:{number:02}Z","message":{{"role":"{kind}","model":"m","content":[{content}]}}}}"#
                ) + "\n"
            };
            if matches!(*step, "!" | ".") {
                let call = format!(
                    r#"{{"type":"tool_use","id":"t{number}","name":"Bash","input":{{"command":"cargo test"}}}}"#
                );
                let is_error = *step == "!";
                let result = format!(
                    r#"{{"type":"tool_result","tool_use_id":"t{number}","content":"x","is_error":{is_error}}}"#
                );
                text += &(record("assistant", call) + &record("user", result));
            } else {
                text += &record("assistant", format!(r#"{{"type":"text","text":"{step}"}}"#));
            }
        }
        let file = |path| File { path, explicit: true, bytes: text.clone().into() };
        let codes = |files| {
            let history = MemoryFiles(files).load(usize::MAX);
            super::check(&history).iter().map(|finding| finding.code).collect::<Vec<_>>()
        };
        assert_eq!(codes(vec![file("s.jsonl")]), wanted, "{session:?}");
        let copied: Vec<_> = wanted.iter().copied().chain(["repeated-rows"]).collect();
        assert_eq!(codes(vec![file("s.jsonl"), file("t.jsonl")]), copied, "{session:?}");
    }

    #[test]
    fn claims_that_tests_pass_are_held_against_the_last_run() {
        check(&["!", "All tests pass."], &["contradicted-claim"]);
        check(&[".", "!", "Fixed.", "All tests pass now", "Again: all tests pass"], &["contradicted-claim"]);
        check(&["!", ".", "All tests pass."], &[]);
        check(&["!", "I will make all tests pass."], &[]);
        check(&["All tests pass.", "!"], &[]);
    }
}
