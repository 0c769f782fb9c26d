//! Histories that hosts hold on to.

use std::cell::RefCell;

use huddle_api::{LoadedHistory, TimelineWindow, document, parse_query};
use huddle_core::Host;
use huddle_core::model::{ErrorKind, Json, Timestamp};

use super::global;
use super::table::found;
use crate::failure::Failure;
use crate::files::Files;
use crate::sources::Sources;
use crate::system_host::SystemHost;

thread_local! {
    /// The histories, each at the place that its handle stands for.
    static HELD: RefCell<Vec<Option<Box<LoadedHistory>>>> = const { RefCell::new(Vec::new()) };
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
        Some(Some(history)) => answer(history, name, arguments),
        _ => Err(Failure::new(ErrorKind::Usage, "this history has been let go", "open it again")),
    })
}

fn open(paths: &Json) -> Result<Json, Failure> {
    let paths = paths.as_array().into_iter().flatten().filter_map(Json::as_str);
    let paths: Vec<String> = paths.map(str::to_owned).collect();
    let global = global(None);
    let found_out = |failure: Failure| failure.out_of_reach(&global).unwrap_or(failure);
    let sources = Sources::find(&paths, &Files::of(&global)).map_err(found_out)?;
    let history = LoadedHistory::load(&sources, SystemHost.now())?;
    found(history.diagnostics().to_vec());
    let new = Box::new(history);
    let place = HELD.with_borrow_mut(|held| {
        let free = held.iter().position(Option::is_none).unwrap_or(held.len());
        held.resize_with(held.len().max(free + 1), || None);
        held[free] = Some(new);
        free
    });
    Ok(place.into())
}

fn answer(history: &mut LoadedHistory, name: &str, arguments: &Json) -> Result<Json, Failure> {
    let limit = |otherwise: usize| arguments["limit"].as_u64().map_or(otherwise, |limit| limit as usize);
    let text = |name: &str| arguments[name].as_str().unwrap_or_default();
    Ok(match name {
        "history.overview" => document(&history.overview()?),
        "history.threads" => document(&history.threads(limit(50))?),
        "history.thread" => document(&history.thread(text("thread-id"))?),
        "history.timeline" => document(&history.timeline(&window(&arguments["window"])?)),
        "history.search" => document(&history.search(&parse_query(text("query"))?, limit(20))?),
        _ => document(&history.check()?),
    })
}

fn window(given: &Json) -> Result<TimelineWindow, Failure> {
    let number = |name: &str| given[name].as_u64().map(|number| number as usize);
    Ok(TimelineWindow {
        columns: number("columns"),
        lanes: number("lanes"),
        after: time(&given["after"])?,
        before: time(&given["before"])?,
    })
}

/// Reads a time that a host gives.
fn time(given: &Json) -> Result<Option<Timestamp>, Failure> {
    let Some(text) = given.as_str() else { return Ok(None) };
    let hint = "give a time as 2025-01-23T10:00:00Z";
    let wrong = || Failure::new(ErrorKind::Usage, format!("{text:?} is no time"), hint);
    Timestamp::parse(text).map(Some).ok_or_else(wrong)
}
