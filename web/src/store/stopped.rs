//! A worker that failed: another takes its place, and what was open is not opened again by itself.
//!
//! The page hears of a worker that failed, and of a fault of its own. Nobody hears of a page that the browser ended, for want of
//! memory: so the tab remembers what is being opened until that has come to an end, good or bad.

use gloo::events::EventListener;
use gloo::utils::window;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{CustomEvent, FileSystemHandle};

use super::hand::{keep_in_tab, kept_in_tab};
use super::{Opening, Phase, Search, Store};
use crate::client::Client;
use crate::limits::UnpackLimits;
use crate::protocol::Source;

/// What `loader.js` calls the failure of a worker.
const EVENT: &str = "workerstopped";
/// Names the address of what was open when the viewer failed. `loader.js` keeps it, too.
const STOPPED: &str = "stopped";
/// Names the address of what is being opened.
const OPENING: &str = "opening";

pub(super) fn watch(store: Store) {
    EventListener::new(&window(), EVENT, move |event| {
        let reason = event.dyn_ref::<CustomEvent>().and_then(|event| event.detail().as_string());
        store.worker_stopped(reason.unwrap_or_default());
    })
    .forget();
    // A page that is left has not failed.
    EventListener::new(&window(), "pagehide", |_| survived()).forget();
}

/// Notes that an address is being opened, which the reader wants now.
pub(super) fn begin(address: &str) {
    keep_in_tab(STOPPED, "");
    keep_in_tab(OPENING, address);
}

/// Notes that opening has come to an end.
pub(super) fn survived() {
    keep_in_tab(OPENING, "");
}

impl Store {
    /// Starts a worker if there is none.
    pub(super) fn start_worker(self) {
        if self.client.with_value(Option::is_none) {
            // Both sides count anew.
            self.asked.set_value(0);
            self.client.set_value(Some(Client::start(move |tell| self.hear(tell))));
        }
    }

    /// Says that the viewer failed with an address open, if it did in this tab; then the address is not opened.
    pub fn stopped_at(self, address: &str) -> bool {
        let is_it = |name: &str| kept_in_tab(name).is_some_and(|kept| kept == address);
        let stopped = is_it(STOPPED) || is_it(OPENING);
        if stopped {
            survived();
            keep_in_tab(STOPPED, address);
            let (source, things) = (Source::Address(address.to_owned()), js_sys::Array::new());
            self.asked_source.set_value(Some(Opening { source, things, limits: UnpackLimits::default() }));
            self.phase.set(Phase::Stopped { name: address.to_owned(), reason: String::new() });
        }
        stopped
    }

    /// Opens again what was open when the worker failed.
    pub fn open_again(self) {
        self.asked_source.get_value().into_iter().for_each(|opening| self.open_with(opening));
    }

    /// Puts another worker in the place of one that failed. All that was open was the old one's.
    fn worker_stopped(self, reason: String) {
        let client = self.client.try_update_value(Option::take).flatten();
        let has_opened = client.as_ref().is_some_and(Client::has_opened);
        client.iter().for_each(Client::stop);
        // One that fails before it is asked to open anything would fail again and again: the next opening starts another.
        if has_opened {
            self.start_worker();
        }
        let was_opening = self.opening.try_update_value(Option::take).flatten().is_some();
        if !was_opening {
            self.asked_source.set_value(self.open_source.get_value());
        }
        self.open_source.set_value(None);
        survived();
        let asked = self.asked_source.get_value();
        if let Some(Opening { source: Source::Address(address), .. }) = &asked {
            keep_in_tab(STOPPED, address);
        }
        let shown = self.overview.with_untracked(|it| it.as_ref().filter(|_| !was_opening).map(|it| it.name.clone()));
        let name = shown.or_else(|| asked.as_ref().map(name_of)).unwrap_or_default();
        self.steps.set_value(Default::default());
        self.dialog.set(None);
        self.details.set(None);
        self.cursor.set(None);
        self.search.set(Search::Idle);
        self.phase.set(Phase::Stopped { name, reason });
        self.overview.set(None);
    }
}

fn name_of(opening: &Opening) -> String {
    match &opening.source {
        Source::Files { name, .. } => name.clone(),
        Source::Address(address) => address.clone(),
        Source::Handles => {
            let names = opening.things.iter().map(|handle| handle.unchecked_into::<FileSystemHandle>().name());
            names.collect::<Vec<_>>().join(", ")
        }
    }
}
