//! What sessions claim, against their logs, reports and data.

use huddle_scan::Symbol;

use super::finding;
use crate::history::{History, Paper};
use crate::model::{Finding, Member, Session, Severity, Status};
use crate::wire::session::layout;
use crate::wire::session::report::Report;

pub(super) fn check(history: &History) -> Vec<Finding> {
    let mut findings = Vec::new();
    for session in &history.papers.sessions {
        let evidence = Evidence::of(history, session);
        for member in &session.says.members {
            findings.extend(evidence.check_member(member));
        }
        findings.extend(evidence.unlisted());
    }
    for report in &history.papers.reports {
        findings.extend(check_report(history, report));
    }
    findings.extend(absent_artifacts(history));
    findings
}

/// What a session left behind beside what it claims.
struct Evidence<'h> {
    history: &'h History,
    session: &'h Paper<Session>,
    /// For each symbol, the first and the last row of the session's logs that it made.
    spoke: Vec<Option<(u32, u32)>>,
}

impl<'h> Evidence<'h> {
    fn of(history: &'h History, session: &'h Paper<Session>) -> Self {
        let table = &history.table;
        let mut spoke = vec![None; table.symbols.len()];
        for row in 0..table.len() {
            if history.files[table.file()[row] as usize].root == session.root {
                let (_, last) = spoke[table.from()[row].index()].get_or_insert((row as u32, row as u32));
                *last = row as u32;
            }
        }
        Self { history, session, spoke }
    }

    fn place(&self) -> &str {
        &self.history.files[self.session.file as usize].path
    }

    fn report_of(&self, agent: &str) -> Option<&Paper<Report>> {
        let reports = self.history.papers.reports.iter().filter(|report| report.root == self.session.root);
        reports.into_iter().find(|report| report.says.agent.as_str() == agent)
    }

    fn check_member(&self, member: &Member) -> Vec<Finding> {
        let name = member.name.as_str();
        let symbol = self.history.table.symbols.find(name);
        let spoke = symbol.and_then(|symbol| self.spoke[symbol.index()]);
        let mut findings = Vec::new();
        let mut found = |severity, code, message: String, hint: String| {
            findings.push(finding(severity, code, self.place(), message, hint));
        };
        let started = !matches!(member.status, Status::Waiting);
        if started && spoke.is_none() {
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
        let said = report.and_then(|report| report.says.text("status")).unwrap_or_default();
        if member.status == Status::Completed && said == "failed" {
            let message = format!("{name} is said to be completed, and its report says failed");
            found(Severity::Error, "completed-but-failed", message, "read the report before going on".to_owned());
        }
        if let Some((_, last)) = spoke
            && let Some((code, message)) = self.against_log(member, last)
        {
            found(Severity::Warning, code, message, format!("ask {name} how far it is"));
        }
        findings
    }

    /// Holds what an agent is said to be against what it said last.
    fn against_log(&self, member: &Member, last: u32) -> Option<(&'static str, String)> {
        let table = &self.history.table;
        let (name, said) = (&member.name, table.text(table.row(last).kind));
        match (&member.status, said) {
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
    fn unlisted(&self) -> Vec<Finding> {
        let table = &self.history.table;
        let spoke = self.spoke.iter().zip(table.symbols.all()).filter_map(|(rows, symbol)| Some(((*rows)?, symbol)));
        let stranger = |symbol: Symbol| !symbol.is_none() && self.session.says.member(table.text(symbol)).is_none();
        let strangers = spoke.filter(|(_, symbol)| stranger(*symbol));
        strangers
            .map(|((first, _), symbol)| {
                let name = table.text(symbol);
                let message = format!("{name} writes to the log and is not among the session's agents");
                let hint = format!("have it join: huddle session join {} --as {name}", self.session.says.id);
                finding(Severity::Info, "unlisted-agent", self.history.place(first), message, hint)
            })
            .collect()
    }
}

/// Says whether a file that is named in a session's directory is among those that were given.
fn is_there(history: &History, root: Option<usize>, path: &str) -> bool {
    let dir = root.map_or("", |root| history.roots[root].path.as_str());
    history.present.contains_key(&format!("{dir}{}", path.trim_start_matches("./")))
}

fn check_report(history: &History, report: &Paper<Report>) -> Vec<Finding> {
    let place = &history.files[report.file as usize].path;
    let (agent, mut findings) = (&report.says.agent, Vec::new());
    let faults: Vec<String> = report.says.faults().iter().map(ToString::to_string).collect();
    if !faults.is_empty() {
        let message = format!("it is not as the protocol has it: {}", faults.join("; "));
        findings.push(finding(Severity::Warning, "odd-report", place, message, "have its author write it anew"));
    }
    let mut sessions = history.papers.sessions.iter().filter(|session| session.root == report.root);
    if sessions.next().is_some_and(|session| session.says.member(agent.as_str()).is_none()) {
        let message = format!("{agent} has a report and is not among the session's agents");
        findings.push(finding(Severity::Warning, "unlisted-report", place, message, "find out who wrote it"));
    }
    for path in report.says.texts("data_artifacts").into_iter().filter(|path| !is_there(history, report.root, path)) {
        findings.push(absent(place.clone(), path));
    }
    findings
}

/// Finds files that logs of sessions name and that are not there.
fn absent_artifacts(history: &History) -> Vec<Finding> {
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

fn absent(place: String, path: &str) -> Finding {
    let message = format!("{path:?} is named here and not in the session");
    finding(Severity::Warning, "absent-artifact", place, message, "have its author write it, or name what is there")
}
