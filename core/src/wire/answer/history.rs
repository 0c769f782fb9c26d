//! History: what was given, what was said, what was found.

use huddle_scan::{Account, NO_TIME, Recovery, Table};

use super::{findings, time};
use crate::history::query::{State, SyntaxError};
use crate::history::search::{Hit, Hits, shown};
use crate::history::survey::time as at;
use crate::history::timeline::{Class, Options, Timeline};
use crate::history::{Agent, Delivery, Derived, History, Overview, Said, Thread};
use crate::model::{Finding, Json, JsonMap, Severity};
use crate::wire::parse;

/// Writes what a history comes to.
pub fn overview(history: &History, derived: &Derived, overview: &Overview) -> Json {
    let table = &history.table;
    let roots = history.roots.iter().map(|root| object!({"path": root.path, "kind": root.kind.as_str()}));
    let formats = overview.formats.iter();
    let formats =
        formats.map(|(name, (files, records))| object!({"format": *name, "files": files, "records": records}));
    let passed = overview.passed_over.iter();
    let passed = passed.map(|(why, (files, example))| object!({"why": *why, "files": files, "example": example}));
    let talk = overview
        .agents
        .talk
        .iter()
        .map(|talk| object!({"from": table.text(talk.from), "to": table.text(talk.to), "count": talk.count}));
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
        "talk": talk.collect::<Vec<Json>>(),
        "threads": derived.threads.threads.len(),
        "states": states(&overview.states),
        "sessions": sessions(history),
        "reports": super::session::merged(&overview.reports),
        "handoffs": history.papers.handoffs.len(),
        "contexts": history.papers.contexts.len(),
        "problems": object!({"errors": errors, "warnings": warnings, "infos": infos}),
    })
}

fn account(account: &Account) -> Json {
    let recoveries = Recovery::ALL.iter().zip(account.recoveries).filter(|(_, count)| *count > 0);
    let recoveries: JsonMap = recoveries.map(|(kind, count)| (kind.as_str().to_owned(), count.into())).collect();
    object!({
        "total": account.total(),
        "parsed": account.parsed,
        "recovered": account.recovered,
        "quarantined": account.quarantined,
        "between": account.between,
        "beingWritten": account.being_written,
        "recoveries": recoveries,
        "damages": account.damages,
    })
}

fn states(states: &[(State, usize)]) -> Json {
    Json::Object(states.iter().map(|(state, count)| (state.name().to_owned(), (*count).into())).collect())
}

fn sessions(history: &History) -> Json {
    let all = history.papers.sessions.iter().map(|paper| {
        let members = paper.says.members.iter();
        let members = members.map(|member| {
            object!({"name": member.name.as_str(), "status": member.status.as_str(), "dependencies": member.dependencies})
        });
        object!({
            "id": paper.says.id.as_str(),
            "startedAt": time(paper.says.started_at),
            "closedAt": time(paper.says.closed_at),
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
pub fn history_thread(history: &History, derived: &Derived, thread: &Thread, messages: &[Said]) -> Json {
    let subject = messages.first().map_or("", |said| said.subject.as_str());
    let mut fields = thread_entry(history, derived, thread, subject);
    fields["messages"] = messages.iter().map(|message| said(&history.table, message)).collect();
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

fn said(table: &Table, said: &Said) -> Json {
    let or_null = |text: &str| if text.is_empty() { Json::Null } else { Json::String(text.to_owned()) };
    object!({
        "id": or_null(&said.id),
        "from": or_null(&said.from),
        "to": or_null(&said.to),
        "type": or_null(&said.kind),
        "severity": or_null(&said.severity),
        "priority": or_null(&said.priority),
        "threadId": or_null(&said.thread),
        "inReplyTo": or_null(&said.reply_to),
        "createdAt": time(said.at),
        "subject": said.subject,
        "depth": said.depth,
        "delivery": or_null(&said.delivery()),
        "deliveries": said.deliveries.iter().map(|one| delivery(table, one)).collect::<Vec<Json>>(),
        "place": said.place,
        "record": said.record,
    })
}

fn delivery(table: &Table, delivery: &Delivery) -> Json {
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
pub fn history_checkup(history: &History, account_of: &Account, found: &[Finding]) -> Json {
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
    let clock = timeline.clock();
    let edge = |time: i64, otherwise: i64| if time == NO_TIME { otherwise } else { clock.fold(time) };
    let (start, end) = (edge(options.start, 0), edge(options.end, clock.length()));
    let lanes = 0..timeline.lanes().len().min(options.lanes) as u32;
    let window = timeline.window(lanes.clone(), start, end, columns as u32);
    let cells = window.cells.iter().map(|cell| {
        let classes = Class::ALL.iter().filter(|class| cell.tally.of(**class) > 0);
        let classes: JsonMap = classes.map(|class| (class.as_str().to_owned(), cell.tally.of(*class).into())).collect();
        object!({"lane": cell.lane, "column": cell.column, "count": cell.tally.total(), "classes": classes})
    });
    let folds = clock.folds().iter();
    let folds = folds.map(|fold| object!({"from": time(at(fold.start)), "to": time(at(fold.end))}));
    let names = lanes.map(|lane| table.text(timeline.lanes()[lane as usize]));
    object!({
        "from": time(at(clock.unfold(start))),
        "to": time(at(clock.unfold(end))),
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
