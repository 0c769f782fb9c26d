//! A worker that failed: another takes its place, and what was open is not opened again by itself.
//!
//! The page hears of a worker that failed, and of a fault of its own. Nobody hears of a page that the browser ended, for want of
//! memory: so the tab remembers what is being opened until that has come to an end, good or bad.

use gloo::events::EventListener;
use gloo::utils::window;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{CustomEvent, FileSystemHandle};

use super::browser::{remember_in_tab, remembered_in_tab};
use super::opening::{Opening, Openings};
use super::{DatasetState, Phase, SelectionState};
use crate::client::Client;
use crate::protocol::Source;

/// What `loader.js` calls the failure of a worker.
const EVENT: &str = "workerstopped";
/// Names the address of what was open when the viewer failed. `loader.js` keeps it, too.
const STOPPED: &str = "stopped";
/// Names the address of what is being opened.
const OPENING: &str = "opening";

pub(super) fn watch(dataset: DatasetState, selection: SelectionState) {
    EventListener::new(&window(), EVENT, move |event| {
        let reason = event.dyn_ref::<CustomEvent>().and_then(|event| event.detail().as_string());
        worker_stopped(dataset, selection, reason.unwrap_or_default());
    })
    .forget();
    // A page that is left has not failed.
    EventListener::new(&window(), "pagehide", |_| survived()).forget();
}

/// Notes that an address is being opened, which the reader wants now.
pub(super) fn begin(address: &str) {
    remember_in_tab(STOPPED, "");
    remember_in_tab(OPENING, address);
}

/// Notes that opening has come to an end.
pub(super) fn survived() {
    remember_in_tab(OPENING, "");
}

/// Returns whether the viewer failed in this tab with an address open, and goes on remembering it.
pub(super) fn stopped_at(address: &str) -> bool {
    let is_it = |name: &str| remembered_in_tab(name).is_some_and(|remembered| remembered == address);
    let stopped = is_it(STOPPED) || is_it(OPENING);
    if stopped {
        survived();
        remember_in_tab(STOPPED, address);
    }
    stopped
}

/// Puts another worker in the place of one that failed. All that was open was the old one's.
fn worker_stopped(dataset: DatasetState, selection: SelectionState, reason: String) {
    let client = dataset.client.try_update_value(Option::take).flatten();
    let has_opened = client.as_ref().is_some_and(Client::has_opened);
    client.iter().for_each(Client::stop);
    // One that fails before it is asked to open anything would fail again and again: the next opening starts another.
    if has_opened {
        dataset.start_worker();
    }
    let was_opening = dataset.openings.try_update_value(Openings::worker_stopped).unwrap_or_default();
    survived();
    let requested = dataset.openings.with_value(|it| it.requested.clone());
    if let Some(address) = requested.as_ref().map(Opening::address).filter(|address| !address.is_empty()) {
        remember_in_tab(STOPPED, address);
    }
    let shown = dataset.overview.with_untracked(|it| it.as_ref().filter(|_| !was_opening).map(|it| it.name.clone()));
    let name = shown.or_else(|| requested.as_ref().map(name_of)).unwrap_or_default();
    dataset.feedback.dialog.set(None);
    selection.clear();
    dataset.phase.set(Phase::Stopped { name, reason });
    dataset.overview.set(None);
}

fn name_of(opening: &Opening) -> String {
    match &opening.source {
        Source::Files { name, .. } => name.clone(),
        Source::Address(address) => address.clone(),
        Source::Handles => {
            let names = opening.handles.iter().map(|handle| handle.unchecked_into::<FileSystemHandle>().name());
            names.collect::<Vec<_>>().join(", ")
        }
    }
}
