//! History: what was given, what was said, what was found.

use huddle_scan::{ByteAccounting, NO_TIME, Recovery, Table};

use super::{findings, time};
use crate::history::query::{State, SyntaxError};
use crate::history::search::{Hit, Hits, shown};
use crate::history::snapshot::time as at;
use crate::history::timeline::{Class, Options, Timeline};
use crate::history::{Agent, DeliveryRow, Derived, EntryView, History, Overview, Thread};
use crate::model::{Diagnostic, Json, JsonMap, Severity};
use crate::wire::parse;

/// Writes what a history comes to.
pub fn overview(history: &History, derived: &Derived, overview: &Overview) -> Json {
    let table = &history.table;
    let roots = history.roots.iter().map(|root| object!({"path": root.path, "kind": root.kind.as_str()}));
    let formats = overview.formats.iter();
    let formats =
        formats.map(|(name, (files, records))| object!({"format": *name, "files": files, "records": records}));
    let passed = overview.ignored_files.iter();
    let passed = passed.map(|(why, (files, example))| object!({"why": *why, "files": files, "example": example}));
    let edges = overview
        .agents
        .edges
        .iter()
        .map(|edge| object!({"from": table.text(edge.from), "to": table.text(edge.to), "count": edge.count}));
    let [errors, warnings, infos] = overview.findings;
    object!({
        "sources": roots.collect::<Vec<Json>>(),
        "formats": formats.collect::<Vec<Json>>(),
        "passedOver": passed.collect::<Vec<Json>>(),
        "records": overview.account.records,
        "entries": history.entries.len(),
        "bytes": account(&overview.account),
        "from": time(overview.span.map(|span| span.0)),
        "to": time(overview.span.map(|span| span.1)),
        "agents": overview.agents.list.iter().map(|one| agent(table, one)).collect::<Vec<Json>>(),
        "talk": edges.collect::<Vec<Json>>(),
        "threads": derived.threads.threads.len(),
        "states": states(&overview.states),
        "sessions": sessions(history),
        "reports": super::session::merged(&overview.reports),
        "handoffs": history.state_files.handoffs.len(),
        "contexts": history.state_files.contexts.len(),
        "problems": object!({"errors": errors, "warnings": warnings, "infos": infos}),
    })
}

fn account(account: &ByteAccounting) -> Json {
    let recoveries = Recovery::ALL.iter().zip(account.recoveries).filter(|(_, count)| *count > 0);
    let recoveries: JsonMap = recoveries.map(|(kind, count)| (kind.as_str().to_owned(), count.into())).collect();
    object!({
        "total": account.total(),
        "parsed": account.parsed,
        "recovered": account.recovered,
        "quarantined": account.quarantined,
        "between": account.separators,
        "beingWritten": account.being_written,
        "recoveries": recoveries,
        "damages": account.damages,
    })
}

fn states(states: &[(State, usize)]) -> Json {
    Json::Object(states.iter().map(|(state, count)| (state.name().to_owned(), (*count).into())).collect())
}

fn sessions(history: &History) -> Json {
    let all = history.state_files.sessions.iter().map(|state_file| {
        let members = state_file.value.members.iter();
        let members = members.map(|member| {
            object!({"name": member.name.as_str(), "status": member.status.as_str(), "dependencies": member.dependencies})
        });
        object!({
            "id": state_file.value.id.as_str(),
            "startedAt": time(state_file.value.started_at),
            "closedAt": time(state_file.value.closed_at),
            "agents": members.collect::<Vec<Json>>(),
        })
    });
    all.collect()
}

fn agent(table: &Table, agent: &Agent) -> Json {
    let kinds = agent.kinds.iter().map(|(kind, count)| object!({"type": table.text(*kind), "count": count}));
    let silences = agent.silences.iter();
    let silences = silences.map(|silence| object!({"from": time(at(silence.start)), "to": time(at(silence.end))}));
    object!({
        "name": table.text(agent.name),
        "firstSeen": time(at(agent.first_at)),
        "lastSeen": time(at(agent.last_at)),
        "sent": agent.sent,
        "received": agent.received,
        "unread": agent.unread,
        "overdue": agent.overdue,
        "high": agent.findings.high,
        "medium": agent.findings.medium,
        "low": agent.findings.low,
        "types": kinds.collect::<Vec<Json>>(),
        "silences": silences.collect::<Vec<Json>>(),
    })
}

/// Writes the conversations of a history without what was said in them.
pub fn history_threads(history: &History, derived: &Derived, shown: &[(Thread, String)]) -> Json {
    let all: Vec<Json> =
        shown.iter().map(|(thread, subject)| thread_entry(history, derived, thread, subject)).collect();
    object!({"count": derived.threads.threads.len(), "threads": all})
}

/// Writes a conversation of a history with what was said in it.
pub fn history_thread(history: &History, derived: &Derived, thread: &Thread, messages: &[EntryView]) -> Json {
    let subject = messages.first().map_or("", |view| view.subject.as_str());
    let mut fields = thread_entry(history, derived, thread, subject);
    fields["messages"] = messages.iter().map(|message| entry(&history.table, message)).collect();
    fields
}

fn thread_entry(history: &History, derived: &Derived, thread: &Thread, subject: &str) -> Json {
    let members = derived.threads.members(thread).iter();
    let waiting = members.filter(|position| derived.is(**position, State::Unanswered)).map(|position| {
        let row = history.entries[*position as usize];
        let owing = derived.deliveries.of(*position).iter().filter(|delivery| delivery.unanswered);
        object!({
            "id": history.table.text(history.table.id()[row as usize]),
            "askedBy": history.table.text(history.table.from()[row as usize]),
            "waitsFor": owing.map(|delivery| history.table.text(delivery.recipient)).collect::<Vec<_>>(),
            "deadline": time(at(history.table.due()[row as usize])),
        })
    });
    object!({
        "threadId": history.thread_name(thread),
        "subject": subject,
        "participants": history.participants(derived, thread),
        "messageCount": thread.count,
        "startedAt": time(at(thread.start)),
        "lastAt": time(at(thread.end)),
        "waiting": waiting.collect::<Vec<Json>>(),
    })
}

fn entry(table: &Table, view: &EntryView) -> Json {
    let or_null = |text: &str| if text.is_empty() { Json::Null } else { Json::String(text.to_owned()) };
    object!({
        "id": or_null(&view.id),
        "from": or_null(&view.from),
        "to": or_null(&view.to),
        "type": or_null(&view.kind),
        "severity": or_null(&view.severity),
        "priority": or_null(&view.priority),
        "threadId": or_null(&view.thread),
        "inReplyTo": or_null(&view.reply_to),
        "createdAt": time(view.at),
        "subject": view.subject,
        "depth": view.depth,
        "delivery": or_null(&view.delivery()),
        "deliveries": view.deliveries.iter().map(|one| delivery(table, one)).collect::<Vec<Json>>(),
        "place": view.place,
        "record": view.record,
    })
}

fn delivery(table: &Table, delivery: &DeliveryRow) -> Json {
    object!({
        "recipient": table.text(delivery.recipient),
        "step": delivery.step.as_str(),
        "storedAt": time(at(delivery.stored_at)),
        "offeredAt": time(at(delivery.offered_at)),
        "seenAt": time(at(delivery.seen_at)),
        "ackedAt": time(at(delivery.acked_at)),
        "answeredAt": time(at(delivery.answered_at)),
        "deadAt": time(at(delivery.dead_at)),
        "redelivered": delivery.redelivered,
        "unread": delivery.unread,
        "unanswered": delivery.unanswered,
        "overdue": delivery.overdue,
    })
}

/// Writes what a search found: the count is that of all, however many are listed.
pub fn hits(hits: &Hits) -> Json {
    let listed: Vec<Json> = hits.listed.iter().map(hit).collect();
    object!({"count": hits.count, "listed": listed.len(), "hits": listed})
}

fn hit(hit: &Hit) -> Json {
    let mut fields = JsonMap::new();
    for (name, text) in Hit::TEXTS.iter().zip(&hit.texts).filter(|(_, text)| !text.is_empty()) {
        fields.insert((*name).to_owned(), text.as_str().into());
    }
    fields.insert("createdAt".to_owned(), time(at(hit.row.time)));
    fields.insert("file".to_owned(), hit.file.as_str().into());
    fields.insert("offset".to_owned(), hit.row.offset.into());
    fields.insert("length".to_owned(), hit.row.length.into());
    match parse(&hit.record) {
        Ok(record) => fields.insert("record".to_owned(), record),
        Err(_) => fields.insert("raw".to_owned(), shown(&hit.record).into()),
    };
    Json::Object(fields)
}

/// Writes what a check of a history found; `ok` is false when data cannot be used.
pub fn history_checkup(history: &History, account_of: &ByteAccounting, found: &[Diagnostic]) -> Json {
    let ok = found.iter().all(|finding| finding.severity != Severity::Error);
    object!({
        "ok": ok,
        "files": history.files.len(),
        "entries": history.entries.len(),
        "bytes": account(account_of),
        "findings": findings(found),
    })
}

/// Writes a timeline: lanes, and for each what is in every column that is not empty.
pub fn timeline(history: &History, timeline: &Timeline, columns: usize, options: &Options) -> Json {
    let table = &history.table;
    let time_scale = timeline.time_scale();
    let edge = |time: i64, otherwise: i64| if time == NO_TIME { otherwise } else { time_scale.to_position(time) };
    let (start, end) = (edge(options.start, 0), edge(options.end, time_scale.length()));
    let lanes = 0..timeline.lanes().len().min(options.lanes) as u32;
    let window = timeline.window(lanes.clone(), start, end, columns as u32);
    let cells = window.cells.iter().map(|cell| {
        let classes = Class::ALL.iter().filter(|class| cell.class_counts.of(**class) > 0);
        let classes: JsonMap =
            classes.map(|class| (class.as_str().to_owned(), cell.class_counts.of(*class).into())).collect();
        object!({"lane": cell.lane, "column": cell.column, "count": cell.class_counts.total(), "classes": classes})
    });
    let folds = time_scale.folds().iter();
    let folds = folds.map(|fold| object!({"from": time(at(fold.start)), "to": time(at(fold.end))}));
    let names = lanes.map(|lane| table.text(timeline.lanes()[lane as usize]));
    object!({
        "from": time(at(time_scale.to_time(start))),
        "to": time(at(time_scale.to_time(end))),
        "columns": columns,
        "lanes": names.collect::<Vec<_>>(),
        "cells": cells.collect::<Vec<Json>>(),
        "folds": folds.collect::<Vec<Json>>(),
        "messages": timeline.arrows(start, end, 0).total(),
        "untimed": timeline.untimed(),
    })
}

/// Writes what was exported: how many files and where to, or the content itself.
pub fn exported(format: &str, files: usize, out: &str, content: Option<&str>) -> Json {
    object!({"to": format, "files": files, "out": out, "content": content})
}

/// Writes where a query cannot be understood.
pub fn syntax_error(query: &str, error: &SyntaxError) -> String {
    format!("the query cannot be understood: {}\n{}", error.message, error.caret(query))
}
