//! Sessions: names are the session protocol's own where it has one, and follow its spelling elsewhere.

use super::{texts, time};
use crate::model::{AgentName, Event, Json, Member, Session, Span, Status};
use crate::session::{Advice, AgentIssue, DataFile, JoinResult, MergedReports, SessionView, Strategy, WaitResult};
use crate::wire::object;
use crate::wire::parse;
use crate::wire::session::report::Report;

/// Creates the answer of a command that lists something.
fn listing(name: &'static str, all: Vec<Json>) -> Json {
    object(vec![("count", all.len().into()), (name, Json::Array(all))])
}

fn text(text: Option<&str>) -> Json {
    text.map_or(Json::Null, Json::from)
}

fn strings(all: &[String]) -> Json {
    texts(all)
}

/// Writes what became of a session: its id, when it began and ended, and who is in which state.
pub fn session(session: &Session) -> Json {
    let in_state = |status: &Status| texts(&session.in_state(status));
    let waiting = session.members.iter().filter(|member| member.status == Status::Waiting);
    let waiting = waiting
        .map(|member| object(vec![("name", member.name.as_str().into()), ("deps", strings(&member.dependencies))]));
    object(vec![
        ("session_id", session.id.as_str().into()),
        ("started_at", time(session.started_at)),
        ("closed_at", time(session.closed_at)),
        ("project_type", text(session.project_type.as_deref())),
        ("project_path", text(session.project_path.as_deref())),
        ("completed", in_state(&Status::Completed)),
        ("in_progress", in_state(&Status::InProgress)),
        ("waiting", waiting.collect()),
        ("failed", in_state(&Status::Failed)),
    ])
}

/// Writes a session with all that its coordination file says.
pub fn session_status(view: &SessionView) -> Json {
    let mut fields = session(&view.session);
    if let (Json::Object(file), Some(fields)) = (view.coordination.document(), fields.as_object_mut()) {
        for (name, value) in file {
            fields.insert(name, value);
        }
    }
    fields
}

/// Writes the sessions.
pub fn sessions(all: &[Session]) -> Json {
    listing("sessions", all.iter().map(session).collect())
}

/// Writes an agent of a session.
pub fn member(member: &Member) -> Json {
    object(vec![
        ("name", member.name.as_str().into()),
        ("status", member.status.as_str().into()),
        ("dependencies", strings(&member.dependencies)),
        ("started_at", time(member.started_at)),
        ("completed_at", time(member.completed_at)),
        ("progress", text(member.progress.as_deref())),
        ("reason", text(member.reason.as_deref())),
        ("error", text(member.error.as_deref())),
        ("report_path", text(member.report_path.as_deref())),
    ])
}

/// Writes how joining went.
pub fn joined(joined: &JoinResult) -> Json {
    let mut fields = member(&joined.member);
    fields["waits_for"] = strings(&joined.waits_for);
    fields
}

/// Writes who can start now, and who cannot and for whom it waits.
pub fn ready(session: &Session) -> Json {
    let waiting = session.members.iter().filter(|member| member.status == Status::Waiting);
    let blocked = waiting.map(|member| (member, session.open_needs(member))).filter(|(_, open)| !open.is_empty());
    let blocked = blocked
        .map(|(member, open)| object(vec![("name", member.name.as_str().into()), ("waits_for", strings(&open))]));
    let ready: Vec<AgentName> = session.ready().iter().map(|member| member.name.clone()).collect();
    object(vec![("ready", texts(&ready)), ("blocked", blocked.collect())])
}

/// Writes how waiting ended.
pub fn waited(waited: &WaitResult) -> Json {
    let failed = waited.failed.iter();
    let failed =
        failed.map(|(name, error)| object(vec![("name", name.as_str().into()), ("error", error.as_str().into())]));
    object(vec![
        ("completed", texts(&waited.completed)),
        ("failed", failed.collect()),
        ("waited_ms", waited.waited.millis().into()),
    ])
}

/// Writes a record as it stands in the log.
pub fn event(event: &Event) -> Json {
    Json::Object(event.fields.clone())
}

/// Writes records.
pub fn events(all: &[Event]) -> Json {
    listing("events", all.iter().map(event).collect())
}

/// Writes how many records have what in a field.
pub fn counts(field: &'static str, counts: &[(Option<String>, u64)]) -> Json {
    let one = |(value, count): &(Option<String>, u64)| {
        object(vec![(field, text(value.as_deref())), ("count", (*count).into())])
    };
    object(vec![("counts", counts.iter().map(one).collect())])
}

/// Writes a report as it stands in its file.
pub fn report(report: &Report) -> Json {
    Json::Object(report.fields.clone())
}

/// Writes what there are of reports.
pub fn reports(all: &[Report]) -> Json {
    let one = |report: &Report| {
        object(vec![
            ("agent_name", report.agent.as_str().into()),
            ("timestamp", text(report.text("timestamp"))),
            ("status", text(report.text("status"))),
            ("summary", text(report.text("summary"))),
            ("findings", report.findings().len().into()),
            ("high_severity", report.high().into()),
        ])
    };
    listing("reports", all.iter().map(one).collect())
}

/// Writes what reports say together.
pub fn merged(merged: &MergedReports) -> Json {
    let summary = |(agent, summary): &(AgentName, String)| {
        object(vec![("agent_name", agent.as_str().into()), ("summary", summary.as_str().into())])
    };
    let advice = |advice: &Advice| {
        object(vec![
            ("agent_name", advice.agent.as_str().into()),
            ("severity", advice.severity.as_str().into()),
            ("title", advice.title.as_str().into()),
            ("recommendation", advice.recommendation.as_str().into()),
        ])
    };
    let severities = merged.by_severity.iter().map(|(word, count)| (word.clone(), (*count).into()));
    object(vec![
        ("reports", merged.summaries.len().into()),
        ("total_findings", merged.total_findings.into()),
        ("by_severity", Json::Object(severities.collect())),
        ("high_severity", merged.high.len().into()),
        ("high_severity_findings", Json::Array(merged.high.clone())),
        ("automation_opportunities", merged.suggestions.len().into()),
        ("automation_suggestions", strings(&merged.suggestions)),
        ("next_actions", strings(&merged.next_actions)),
        ("recommendations", merged.advice.iter().map(advice).collect()),
        ("data_artifacts", strings(&merged.artifacts)),
        ("summaries", merged.summaries.iter().map(summary).collect()),
    ])
}

/// Writes where shared data are and what the log knows of them.
pub fn data_file(data_file: &DataFile) -> Json {
    object(vec![
        ("artifact", data_file.path.as_str().into()),
        ("from", text(data_file.from.as_deref())),
        ("timestamp", time(data_file.at)),
        ("description", text(data_file.description.as_deref())),
    ])
}

/// Writes what there are of shared data.
pub fn data_list(all: &[DataFile]) -> Json {
    listing("data", all.iter().map(data_file).collect())
}

/// Writes shared data with what they hold; what is not JSON is written as text.
pub fn data(path: &str, bytes: &[u8]) -> Json {
    let text = || Json::String(String::from_utf8_lossy(bytes).into_owned());
    let held = parse(bytes).unwrap_or_else(|_| text());
    object(vec![("artifact", path.into()), ("data", held)])
}

/// Writes who is in trouble and what can be done.
pub fn agent_issues(all: &[AgentIssue]) -> Json {
    listing("agents", all.iter().map(agent_issue).collect())
}

fn agent_issue(agent_issue: &AgentIssue) -> Json {
    let strategy = |one: &Strategy| {
        object(vec![
            ("name", one.name.into()),
            ("effect", one.effect.as_str().into()),
            ("commands", strings(&one.commands)),
        ])
    };
    let report = agent_issue.report.as_ref().map(|one| {
        object(vec![
            ("path", one.path.as_str().into()),
            ("status", one.status.as_str().into()),
            ("findings", one.findings.into()),
        ])
    });
    object(vec![
        ("name", agent_issue.agent.as_str().into()),
        ("status", agent_issue.status.as_str().into()),
        ("problem", agent_issue.problem.as_str().into()),
        ("error", text(agent_issue.error.as_deref())),
        ("last_event_at", time(agent_issue.last_sign)),
        ("silent_seconds", agent_issue.silent_for.map(Span::seconds).into()),
        ("partial_report", report.unwrap_or_default()),
        ("blocks", texts(&agent_issue.blocks)),
        ("strategies", agent_issue.strategies.iter().map(strategy).collect()),
    ])
}
