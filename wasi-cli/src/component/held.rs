//! Histories that hosts hold on to.

use std::cell::RefCell;

use huddle_core::Host;
use huddle_core::bus::ErrorKind;
use huddle_core::history::Overview;
use huddle_core::history::timeline::{Options, Timeline};
use huddle_core::model::{Json, Timestamp};
use huddle_core::wire::answer;

use super::global;
use super::table::found;
use crate::failure::Failure;
use crate::files::Files;
use crate::sources::{Past, Sources, query};
use crate::system_host::SystemHost;

thread_local! {
    /// The histories, each at the place that its handle stands for.
    static HELD: RefCell<Vec<Option<Box<Held>>>> = const { RefCell::new(Vec::new()) };
}

/// A history.
struct Held {
    past: Past,
    /// Made when it is first asked for.
    timeline: Option<Timeline>,
}

/// Lets go of a history when its host does.
pub fn let_go(place: u32) {
    let gone = HELD.with_borrow_mut(|held| held.get_mut(place as usize).and_then(Option::take));
    drop(gone);
}

/// Opens a history, or asks one something.
pub(super) fn carry_out(name: &str, arguments: &Json) -> Result<Json, Failure> {
    if name == "open-history" {
        return open(&arguments["paths"]);
    }
    let place = arguments["self"].as_u64().unwrap_or_default() as usize;
    HELD.with_borrow_mut(|held| match held.get_mut(place) {
        Some(Some(held)) => held.answer(name, arguments),
        _ => Err(Failure::new(ErrorKind::Usage, "this history has been let go", "open it again")),
    })
}

fn open(paths: &Json) -> Result<Json, Failure> {
    let paths: Vec<&str> = paths.as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let global = global(None);
    let found_out = |failure: Failure| failure.out_of_reach(&global).unwrap_or(failure);
    let sources = Sources::find(&paths, &Files::of(&global)).map_err(found_out)?;
    let past = Past::of(&sources, SystemHost.now())?;
    found(past.history.findings.clone());
    let new = Box::new(Held { past, timeline: None });
    let place = HELD.with_borrow_mut(|held| {
        let free = held.iter().position(Option::is_none).unwrap_or(held.len());
        held.resize_with(held.len().max(free + 1), || None);
        held[free] = Some(new);
        free
    });
    Ok(place.into())
}

impl Held {
    fn answer(&mut self, name: &str, arguments: &Json) -> Result<Json, Failure> {
        let limit = |otherwise: usize| arguments["limit"].as_u64().map_or(otherwise, |limit| limit as usize);
        let text = |name: &str| arguments[name].as_str().unwrap_or_default();
        match name {
            "history.overview" => self.overview(),
            "history.threads" => self.threads(limit(50)),
            "history.thread" => self.thread(text("thread-id")),
            "history.timeline" => self.timeline(&arguments["window"]),
            "history.search" => self.search(text("query"), limit(20)),
            _ => self.check(),
        }
    }

    fn overview(&mut self) -> Result<Json, Failure> {
        let findings = self.past.check()?;
        let Past { history, derived, .. } = &self.past;
        Ok(answer::overview(history, derived, &Overview::of(history, derived, &findings)))
    }

    fn threads(&mut self, limit: usize) -> Result<Json, Failure> {
        let listed = self.past.threads(limit)?;
        Ok(answer::history_threads(&self.past.history, &self.past.derived, &listed))
    }

    fn thread(&mut self, wanted: &str) -> Result<Json, Failure> {
        let (thread, messages) = self.past.thread(wanted, "`threads` lists the conversations")?;
        Ok(answer::history_thread(&self.past.history, &self.past.derived, &thread, &messages))
    }

    fn timeline(&mut self, window: &Json) -> Result<Json, Failure> {
        let history = &self.past.history;
        let timeline = self
            .timeline
            .get_or_insert_with(|| Timeline::build(&history.table, &history.entries, &history.work_intervals));
        let none = Options::default();
        let number = |name: &str| window[name].as_u64().map(|number| number as usize);
        let options = Options {
            lanes: number("lanes").unwrap_or(none.lanes),
            start: time(&window["after"])?.map_or(none.start, Timestamp::micros),
            end: time(&window["before"])?.map_or(none.end, Timestamp::micros),
        };
        let columns = number("columns").unwrap_or(100).clamp(1, 10_000);
        Ok(answer::timeline(history, timeline, columns, &options))
    }

    fn search(&mut self, text: &str, limit: usize) -> Result<Json, Failure> {
        Ok(answer::hits(&self.past.search(&query(text)?, limit)?))
    }

    fn check(&mut self) -> Result<Json, Failure> {
        let findings = self.past.check()?;
        Ok(answer::history_checkup(&self.past.history, &self.past.history.account(), &findings))
    }
}

/// Reads a time that a host gives.
fn time(given: &Json) -> Result<Option<Timestamp>, Failure> {
    let Some(text) = given.as_str() else { return Ok(None) };
    let hint = "give a time as 2025-01-23T10:00:00Z";
    let wrong = || Failure::new(ErrorKind::Usage, format!("{text:?} is no time"), hint);
    Timestamp::parse(text).map(Some).ok_or_else(wrong)
}
