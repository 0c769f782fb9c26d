//! The interface `history`: histories that hosts hold on to.

use std::cell::RefCell;
use std::fmt;

use huddle_core::Host;
use huddle_core::history::Overview;
use huddle_core::history::timeline::{Options, Timeline};
use huddle_core::model::{ErrorKind, Json, Remedy, Timestamp};
use huddle_core::wire::answer;

use super::bindings::exports::huddle::bus::history as wit;
use super::bindings::exports::huddle::bus::types::Error;
use super::convert::record;
use super::execute::{keep, start};
use super::{Component, global};
use crate::failure::Failure;
use crate::files::Files;
use crate::sources::{Past, Sources, query};
use crate::system_host::SystemHost;

/// A history that a host has opened.
pub struct OpenHistory(RefCell<Loaded>);

struct Loaded {
    past: Past,
    /// Made when it is first asked for.
    timeline: Option<Timeline>,
}

impl fmt::Debug for OpenHistory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenHistory").finish_non_exhaustive()
    }
}

impl wit::Guest for Component {
    type History = OpenHistory;

    fn open_history(paths: Vec<String>) -> Result<wit::History, Error> {
        start();
        let past = load(&paths)?;
        keep(past.history.findings.clone());
        Ok(wit::History::new(OpenHistory(RefCell::new(Loaded { past, timeline: None }))))
    }
}

fn load(paths: &[String]) -> Result<Past, Failure> {
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let global = global(None);
    let sources = Sources::find(&paths, &Files::of(&global));
    let sources = sources.map_err(|failure| failure.out_of_reach(&global).unwrap_or(failure))?;
    Past::of(&sources, SystemHost.now())
}

impl wit::GuestHistory for OpenHistory {
    fn overview(&self) -> Result<wit::Overview, Error> {
        Ok(record(self.loaded().overview()?)?)
    }

    fn threads(&self, limit: Option<u32>) -> Result<Vec<wit::Thread>, Error> {
        let mut listing = self.loaded().threads(limit.unwrap_or(50))?;
        Ok(record(listing["threads"].take())?)
    }

    fn thread(&self, thread_id: String) -> Result<wit::Thread, Error> {
        Ok(record(self.loaded().thread(&thread_id)?)?)
    }

    fn timeline(&self, window: Option<wit::TimelineWindow>) -> Result<wit::Timeline, Error> {
        let none = wit::TimelineWindow { after: None, before: None, columns: None, lanes: None };
        Ok(record(self.loaded().timeline(window.unwrap_or(none))?)?)
    }

    fn search(&self, query: String, limit: Option<u32>) -> Result<wit::Found, Error> {
        Ok(record(self.loaded().search(&query, limit.unwrap_or(20))?)?)
    }

    fn check(&self) -> Result<wit::Checkup, Error> {
        Ok(record(self.loaded().check()?)?)
    }
}

impl OpenHistory {
    fn loaded(&self) -> std::cell::RefMut<'_, Loaded> {
        start();
        self.0.borrow_mut()
    }
}

impl Loaded {
    fn overview(&mut self) -> Result<Json, Failure> {
        let findings = self.past.check()?;
        let Past { history, derived, .. } = &self.past;
        Ok(answer::overview(history, derived, &Overview::of(history, derived, &findings)))
    }

    fn threads(&mut self, limit: u32) -> Result<Json, Failure> {
        let listed = self.past.threads(limit as usize)?;
        Ok(answer::history_threads(&self.past.history, &self.past.derived, &listed))
    }

    fn thread(&mut self, wanted: &str) -> Result<Json, Failure> {
        let (thread, messages) = self.past.thread(wanted, "`threads` lists the conversations")?;
        Ok(answer::history_thread(&self.past.history, &self.past.derived, &thread, &messages))
    }

    fn timeline(&mut self, window: wit::TimelineWindow) -> Result<Json, Failure> {
        let history = &self.past.history;
        let timeline = self.timeline.get_or_insert_with(|| Timeline::of(history));
        let none = Options::default();
        let options = Options {
            lanes: window.lanes.map_or(none.lanes, |lanes| lanes as usize),
            start: time(window.after)?.map_or(none.start, Timestamp::micros),
            end: time(window.before)?.map_or(none.end, Timestamp::micros),
        };
        let columns = window.columns.unwrap_or(100).clamp(1, 10_000) as usize;
        Ok(answer::timeline(history, timeline, columns, &options))
    }

    fn search(&mut self, text: &str, limit: u32) -> Result<Json, Failure> {
        Ok(answer::hits(&self.past.search(&query(text)?, limit as usize)?))
    }

    fn check(&mut self) -> Result<Json, Failure> {
        let findings = self.past.check()?;
        Ok(answer::history_checkup(&self.past.history, &self.past.history.account(), &findings, &Remedy::to_string))
    }
}

/// Reads a time that a host gives.
fn time(text: Option<String>) -> Result<Option<Timestamp>, Failure> {
    let Some(text) = text else { return Ok(None) };
    let wrong =
        || Failure::new(ErrorKind::Usage, format!("{text:?} is no time"), "give a time as 2025-01-23T10:00:00Z");
    Timestamp::parse(&text).map(Some).ok_or_else(wrong)
}
