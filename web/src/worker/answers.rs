//! Answers to the page's questions, each made from the book that is open.

mod agents;
mod copy;
mod details;
mod lines;
mod places;
mod problems;
mod reports;
mod shared;
mod timeline;

use std::io;
use std::sync::Arc;

use huddle_core::history::record::Bytes;
use huddle_core::history::search::shown;

use super::book::Book;
use crate::protocol::{Answer, Ask, Rows};

/// How many rows are given at once, however many are asked for.
const MOST_ROWS: u32 = 1_000;
/// How much of a file is given at once.
const MOST_BYTES: u32 = 1 << 20;

impl Book {
    /// Answers a question about what is open.
    pub fn answer(&mut self, ask: &Ask) -> Answer {
        let answer = match ask {
            Ask::Search(query) => return self.search(query),
            Ask::Complete { text, cursor } => return self.complete(text, *cursor),
            Ask::Rows { list, start, count } => self.rows(*list, *start, (*count).min(MOST_ROWS)).map(Answer::Rows),
            Ask::Find { list, key } => return self.find_row(*list, key),
            Ask::Step { list, from, to, back } => return self.step(*list, *from, *to, *back),
            Ask::Details(key) => match self.position(key) {
                Some(position) => self.details(position).map(|details| Answer::Details(Arc::new(details))),
                None => return Answer::Failed("there is no such message here".to_owned()),
            },
            Ask::Entry(position) if (*position as usize) < self.history.entries.len() => {
                self.line(*position, None).map(|line| Answer::Line(Box::new(line)))
            }
            Ask::Timeline { window, columns } => return Answer::Timeline(Box::new(self.window(*window, *columns))),
            Ask::Lane { lane, start, end, limit } => {
                self.lane(*lane, (*start, *end), (*limit).min(MOST_ROWS)).map(Answer::Lane)
            }
            Ask::Agents => return Answer::Agents(self.agents()),
            Ask::Reports => self.reports().map(Answer::Reports),
            Ask::Shared => self.shared().map(Answer::Shared),
            Ask::Problems => return Answer::Problems(self.problems()),
            Ask::Part { path, offset, length } => self.part(path, *offset, (*length).min(MOST_BYTES)),
            Ask::Markdown(passage) => self.copied(passage),
            Ask::Save(format) => self.saved(*format),
            Ask::Open { .. } | Ask::Cancel | Ask::Drawn => return Answer::Done,
            Ask::Entry(_) => return Answer::Failed("there is no such message any more".to_owned()),
        };
        answer.unwrap_or_else(|error| Answer::Failed(format!("reading what was opened failed: {error}")))
    }

    fn rows(&mut self, list: crate::protocol::List, start: u32, count: u32) -> io::Result<Rows> {
        let order = self.order(list);
        let mut rows = Vec::new();
        for index in start..start.saturating_add(count).min(order.len()) {
            rows.push(self.row(&order, index)?);
        }
        Ok(Rows { start, total: order.len(), rows })
    }

    /// Gives a part of a file as text. A file that a log carries is taken out of it.
    fn part(&mut self, path: &str, offset: u64, length: u32) -> io::Result<Answer> {
        let bytes = match path.split_once("!/") {
            Some((log, _)) if !self.texts.has(path) && self.history.present.contains_key(log) => {
                let all = self.carried(log, path)?;
                let start = usize::try_from(offset).unwrap_or(usize::MAX).min(all.len());
                all[start..].iter().copied().take(length as usize + 1).collect()
            }
            _ => self.texts.read(path, offset, u64::from(length) + 1)?,
        };
        let cut = bytes.len() > length as usize;
        let bytes = &bytes[..bytes.len().min(length as usize)];
        Ok(Answer::Text { text: shown(bytes), cut })
    }
}
