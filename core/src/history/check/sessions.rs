//! What sessions claim, against their logs, reports and data.

use huddle_scan::Symbol;

use super::finding;
use crate::history::{History, StateFile};
use crate::model::{Diagnostic, Member, Session, Severity, Status};
use crate::wire::session::layout;
use crate::wire::session::report::Report;

pub(super) fn check(history: &History) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for session in &history.state_files.sessions {
        let records = SessionRecords::of(history, session);
        for member in &session.value.members {
            findings.extend(records.check_member(member));
        }
        findings.extend(records.unlisted());
    }
    for report in &history.state_files.reports {
        findings.extend(check_report(history, report));
    }
    findings.extend(absent_artifacts(history));
    findings
}

/// What a session left behind beside what it claims.
struct SessionRecords<'h> {
    history: &'h History,
    session: &'h StateFile<Session>,
    /// For each symbol, the first and the last row of the session's logs that it made.
    log_rows: Vec<Option<(u32, u32)>>,
}

impl<'h> SessionRecords<'h> {
    fn of(history: &'h History, session: &'h StateFile<Session>) -> Self {
        let table = &history.table;
        let mut log_rows = vec![None; table.symbols.len()];
        for row in 0..table.len() {
            if history.files[table.file()[row] as usize].root == session.root {
                let (_, last) = log_rows[table.from()[row].index()].get_or_insert((row as u32, row as u32));
                *last = row as u32;
            }
        }
        Self { history, session, log_rows }
    }

    fn place(&self) -> &str {
        &self.history.files[self.session.file as usize].path
    }

    fn report_of(&self, agent: &str) -> Option<&StateFile<Report>> {
        let reports = self.history.state_files.reports.iter().filter(|report| report.root == self.session.root);
        reports.into_iter().find(|report| report.value.agent.as_str() == agent)
    }

    fn check_member(&self, member: &Member) -> Vec<Diagnostic> {
        let name = member.name.as_str();
        let symbol = self.history.table.symbols.find(name);
        let log_rows = symbol.and_then(|symbol| self.log_rows[symbol.index()]);
        let mut findings = Vec::new();
        let mut found = |severity, code, message: String, hint: String| {
            findings.push(finding(severity, code, self.place(), message, hint));
        };
        let started = !matches!(member.status, Status::Waiting);
        if started && log_rows.is_none() {
            let message = format!("{name} is said to be {}, and never wrote to the log", member.status);
            found(Severity::Warning, "silent-agent", message, format!("ask {name}, or look whether it ever ran"));
        }
        let report = self.report_of(name);
        if let Some(path) = member.report_path.as_deref().filter(|path| !self.is_there(path)) {
            let message = format!("{name} is said to have its report at {path:?}, and there is none");
            found(Severity::Warning, "absent-report", message, format!("have {name} write its report"));
        } else if member.status == Status::Completed && report.is_none() {
            let message = format!("{name} is said to be completed, and has no report");
            found(Severity::Warning, "completed-without-report", message, format!("have {name} write its report"));
        }
        let reported = report.and_then(|report| report.value.text("status")).unwrap_or_default();
        if member.status == Status::Completed && reported == "failed" {
            let message = format!("{name} is said to be completed, and its report says failed");
            found(Severity::Error, "completed-but-failed", message, "read the report before going on".to_owned());
        }
        if let Some((_, last)) = log_rows
            && let Some((code, message)) = self.against_log(member, last)
        {
            found(Severity::Warning, code, message, format!("ask {name} how far it is"));
        }
        findings
    }

    /// Holds what an agent is said to be against what it said last.
    fn against_log(&self, member: &Member, last: u32) -> Option<(&'static str, String)> {
        let table = &self.history.table;
        let (name, reported) = (&member.name, table.text(table.row(last).kind));
        match (&member.status, reported) {
            (Status::Completed, "error") => Some((
                "completed-after-error",
                format!("{name} is said to be completed, and the last it said is an error"),
            )),
            (Status::Waiting | Status::InProgress, "completed") => Some((
                "completed-in-log-only",
                format!("{name} said that it is done, and is still said to be {}", member.status),
            )),
            _ => None,
        }
    }

    fn is_there(&self, path: &str) -> bool {
        is_there(self.history, self.session.root, path)
    }

    /// Finds who speaks in the log and is not in the session.
    fn unlisted(&self) -> Vec<Diagnostic> {
        let table = &self.history.table;
        let log_rows =
            self.log_rows.iter().zip(table.symbols.all()).filter_map(|(rows, symbol)| Some(((*rows)?, symbol)));
        let stranger = |symbol: Symbol| !symbol.is_none() && self.session.value.member(table.text(symbol)).is_none();
        let strangers = log_rows.filter(|(_, symbol)| stranger(*symbol));
        strangers
            .map(|((first, _), symbol)| {
                let name = table.text(symbol);
                let message = format!("{name} writes to the log and is not among the session's agents");
                let hint = format!("have it join: huddle session join {} --as {name}", self.session.value.id);
                finding(Severity::Info, "unlisted-agent", self.history.place(first), message, hint)
            })
            .collect()
    }
}

/// Returns whether a file that is named in a session's directory is among those that were given.
fn is_there(history: &History, root: Option<usize>, path: &str) -> bool {
    let dir = root.map_or("", |root| history.roots[root].path.as_str());
    history.file_by_path.contains_key(&format!("{dir}{}", path.trim_start_matches("./")))
}

fn check_report(history: &History, report: &StateFile<Report>) -> Vec<Diagnostic> {
    let place = &history.files[report.file as usize].path;
    let (agent, mut findings) = (&report.value.agent, Vec::new());
    let faults: Vec<String> = report.value.faults().iter().map(ToString::to_string).collect();
    if !faults.is_empty() {
        let message = format!("it is not as the protocol has it: {}", faults.join("; "));
        findings.push(finding(Severity::Warning, "odd-report", place, message, "have its author write it anew"));
    }
    let mut sessions = history.state_files.sessions.iter().filter(|session| session.root == report.root);
    if sessions.next().is_some_and(|session| session.value.member(agent.as_str()).is_none()) {
        let message = format!("{agent} has a report and is not among the session's agents");
        findings.push(finding(Severity::Warning, "unlisted-report", place, message, "find out who wrote it"));
    }
    for path in report.value.texts("data_artifacts").into_iter().filter(|path| !is_there(history, report.root, path)) {
        findings.push(absent(place.clone(), path));
    }
    findings
}

/// Finds files that logs of sessions name and that are not there.
fn absent_artifacts(history: &History) -> Vec<Diagnostic> {
    let table = &history.table;
    let mut findings = Vec::new();
    for row in 0..table.len() {
        let Some(artifact) = table.artifact()[row].some() else { continue };
        let root = history.files[table.file()[row] as usize].root;
        let in_session = root.is_some_and(|root| history.roots[root].kind == crate::history::RootKind::Session);
        let named = table.text(artifact).split(", ");
        let ours = named.filter(|path| path.starts_with(layout::DATA) || path.starts_with(layout::REPORTS));
        for path in ours.filter(|path| in_session && !is_there(history, root, path)) {
            findings.push(absent(history.place(row as u32), path));
        }
    }
    findings
}

fn absent(place: String, path: &str) -> Diagnostic {
    let message = format!("{path:?} is named here and not in the session");
    finding(Severity::Warning, "absent-artifact", place, message, "have its author write it, or name what is there")
}
