//! Rows of lists: conversations and messages in a line.

use std::io;

use huddle_core::history::query::State;
use huddle_core::history::timeline::Class;
use huddle_core::history::{EntryView, is_for_everybody};
use huddle_core::model::{Json, preview};
use huddle_scan::{Flags, NO_TIME};

use crate::dataset::Dataset;
use crate::dataset::row_order::{Item, Order};
use crate::protocol::{Head, Line, Row};

/// How much of what a message says stands in its row.
const PREVIEW: usize = 220;

impl Dataset {
    /// Gives a row of a list.
    pub(super) fn row(&mut self, order: &Order, index: u32) -> io::Result<Row> {
        let above = index.checked_sub(1).and_then(|above| order.get(above));
        match order.get(index) {
            Some(Item::Head(number)) => self.head(number).map(Row::Head),
            Some(Item::Said(position)) => {
                let above = above.and_then(|item| if let Item::Said(above) = item { Some(above) } else { None });
                self.line(position, above).map(Row::Said)
            }
            None => Ok(Row::Head(Head::default())),
        }
    }

    fn head(&mut self, number: u32) -> io::Result<Head> {
        let thread = self.derived.threads.threads[number as usize];
        let members = self.derived.threads.members(&thread);
        let unanswered = members.iter().filter(|position| self.is(**position, State::Unanswered)).count() as u32;
        let hits = members.iter().filter(|position| self.is_hit(**position)).count() as u32;
        let first = self.history.load_entry(&self.derived, members[0], &mut self.texts)?;
        Ok(Head {
            name: self.history.thread_name(&thread),
            subject: first.subject,
            count: thread.count,
            participants: self.history.participants(&self.derived, &thread),
            start: time(thread.start),
            end: time(thread.end),
            unanswered,
            hits,
            first: self.key(members[0]),
        })
    }

    /// Gives a message in a line; `above` is the one that stands above it.
    pub(in crate::dataset) fn line(&mut self, position: u32, above: Option<u32>) -> io::Result<Line> {
        let said = self.history.load_entry(&self.derived, position, &mut self.texts)?;
        Ok(self.line_of(position, above, &said))
    }

    /// Gives a message that was read in a line.
    pub(super) fn line_of(&self, position: u32, above: Option<u32>, said: &EntryView) -> Line {
        let row = self.history.table.row(said.row);
        let above = above.map_or(NO_TIME, |above| self.time(above));
        let to =
            if said.to.is_empty() && is_for_everybody(&self.history.table, said.row) { "everybody" } else { &said.to };
        let nameless = || Class::of_nameless(&self.history.table, said.row as usize);
        let class = Class::of_kind(&said.kind).unwrap_or_else(nameless);
        let summary = said.summary;
        Line {
            key: self.key(position),
            place: position,
            at: time(row.time),
            gap: (row.time != NO_TIME && above != NO_TIME).then(|| row.time.saturating_sub(above)),
            from: said.from.clone(),
            to: to.to_owned(),
            class: class.as_str().to_owned(),
            kind: said.kind.clone(),
            severity: said.severity.clone(),
            priority: said.priority.clone(),
            preview: beyond(said),
            subject: said.subject.clone(),
            depth: said.depth,
            reach: summary.map_or("", |summary| summary.progress.as_str()).to_owned(),
            unread: summary.is_some_and(|summary| summary.unread),
            unanswered: summary.is_some_and(|summary| summary.unanswered),
            overdue: summary.is_some_and(|summary| summary.overdue),
            crossed: said.crossed,
            recovered: row.flags.contains(Flags::RECOVERED),
            hit: self.is_hit(position),
        }
    }

    pub(super) fn time(&self, position: u32) -> i64 {
        self.history.table.time()[self.history.entries[position as usize] as usize]
    }
}

/// Gives the beginning of what a message says beyond its subject. An acknowledgment says no more than what it answers.
fn beyond(said: &EntryView) -> String {
    if matches!(said.kind.as_str(), "acknowledgment" | "ack") {
        return String::new();
    }
    let body = said.body();
    let begun = match &body {
        Json::String(text) => preview(&Json::String(text.chars().take(PREVIEW * 2).collect()), "", PREVIEW),
        body => preview(body, "", PREVIEW),
    };
    // What has no subject is known by what it says.
    let shown = said.subject.trim_end_matches('…');
    if begun.starts_with(shown) && begun.chars().count() <= shown.chars().count() + 1 { String::new() } else { begun }
}

/// Gives a time of a column, if there is one.
pub(super) fn time(micros: i64) -> Option<i64> {
    (micros != NO_TIME).then_some(micros)
}
