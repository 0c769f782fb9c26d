//! Answers to the page's questions, each made from the book that is open.

mod agents;
mod copy;
mod details;
mod problems;
mod reports;
mod rows;
mod shared;
mod steps;
mod timeline;

use std::io;

use huddle_core::history::record::ByteSource;
use huddle_core::history::search::shown;

use super::Dataset;
use crate::protocol::{Request, RequestError, Response, Rows};

/// How many rows are given at once, however many are asked for.
const MOST_ROWS: u32 = 1_000;
/// How much of a file is given at once.
const MOST_BYTES: u32 = 1 << 20;

impl Dataset {
    /// Responds to a request about what is open.
    ///
    /// # Errors
    /// When the query cannot be parsed, there is nothing of that name, or a file cannot be read any more.
    pub fn respond(&mut self, request: &Request) -> Result<Response, RequestError> {
        Ok(match request {
            Request::Search(query) => Response::Found { count: self.search(query)? },
            Request::Complete { text, cursor } => self.complete(text, *cursor),
            Request::Rows { list, start, count } => {
                Response::Rows(self.rows(*list, *start, (*count).min(MOST_ROWS))?)
            }
            Request::Find { list, key } => self.find_row(*list, key),
            Request::Step { list, from, to, back } => self.step(*list, *from, *to, *back),
            Request::Details(key) => match self.position(key) {
                Some(position) => Response::Details(Box::new(self.details(position)?)),
                None => return Err(RequestError::Failed("there is no such message here".to_owned())),
            },
            Request::Entry(position) if (*position as usize) < self.history.entries.len() => {
                Response::Line(Box::new(self.line(*position, None)?))
            }
            Request::Entry(_) => return Err(RequestError::Failed("there is no such message any more".to_owned())),
            Request::Timeline { window, columns } => Response::Timeline(Box::new(self.window(*window, *columns))),
            Request::Lane { lane, start, end, limit } => {
                Response::Lane(self.lane(*lane, (*start, *end), (*limit).min(MOST_ROWS))?)
            }
            Request::Agents => Response::Agents(self.agents()),
            Request::Reports => Response::Reports(self.reports()?),
            Request::Shared => Response::Shared(self.shared()?),
            Request::Problems => Response::Problems(self.problems()),
            Request::Part { path, offset, length } => self.part(path, *offset, (*length).min(MOST_BYTES))?,
            Request::Markdown(passage) => Response::Text { text: self.copied(passage)?, cut: false },
            Request::Open { .. } | Request::Cancel | Request::Drawn | Request::Save(_) => Response::Done,
        })
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
    fn part(&mut self, path: &str, offset: u64, length: u32) -> io::Result<Response> {
        let bytes = match path.split_once("!/") {
            Some((log, _)) if !self.texts.has(path) && self.history.file_by_path.contains_key(log) => {
                let all = self.carried(log, path)?;
                let start = usize::try_from(offset).unwrap_or(usize::MAX).min(all.len());
                all[start..].iter().copied().take(length as usize + 1).collect()
            }
            _ => self.texts.read(path, offset, u64::from(length) + 1)?,
        };
        let cut = bytes.len() > length as usize;
        let bytes = &bytes[..bytes.len().min(length as usize)];
        Ok(Response::Text { text: shown(bytes), cut })
    }
}
