//! What the reader does to single rows: opens them in place, and moves the focus among them.

use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;

use super::reel::Reel;
use crate::dom::focus_still;
use crate::protocol::{Body, Key, Request, RequestError, Response, Row};
use huddle_web_model::list::pages::Slot;

impl Reel {
    /// Opens what a message says in place, or closes it.
    pub(super) fn toggle(self, key: &Key) {
        let open = self.open.with_untracked(|open| open.contains(key));
        if open {
            self.set_open(key, None);
            return;
        }
        // It is opened when it is there, so that the rows below move once.
        let key = key.clone();
        let response = self.store.request(Request::Details(key.clone()));
        spawn_local(async move {
            match response.await {
                Ok(Response::Details(details)) => self.set_open(&key, Some(details.body)),
                Err(RequestError::Failed(why)) => self.store.alert.set(why),
                _ => {}
            }
        });
    }

    /// Opens a message whose body is given; without one, closes it.
    fn set_open(self, key: &Key, body: Option<Body>) {
        let open = body.is_some();
        let row = self.kept(|kept| {
            // What was at the end need not be any more: the message stays where it is.
            kept.end = false;
            kept.open.retain(|(known, _)| known != key);
            kept.open.extend(body.map(|body| (key.clone(), Arc::new(body))));
            self.open.try_set(kept.open.iter().map(|(key, _)| key.clone()).collect());
            let (first, end) = kept.drawn();
            (first..end).find(|row| matches!(kept.pages.get(*row), Some(Row::Said(line)) if line.key == *key))
        });
        if let Some(row) = row.filter(|_| open) {
            self.reveal(row);
        }
    }

    /// Gives the message in a row, if that is at hand.
    pub(super) fn key_at(self, row: u32) -> Option<Key> {
        self.kept(|kept| match kept.pages.get(row)? {
            Row::Head(_) => None,
            Row::Said(line) => Some(line.key.clone()),
        })
    }

    /// Moves the focus from a row that is about to go to the list, where keys still do what they did.
    pub(super) fn keep_focus(self, slots: &[Slot]) {
        let active = document().active_element();
        let index = active.and_then(|it| it.closest("[data-index]").ok().flatten()).and_then(|it| {
            let inside = self.block.get_untracked().is_some_and(|block| block.contains(Some(&it)));
            it.get_attribute("data-index").filter(|_| inside)?.parse().ok()
        });
        let gone = |index: u32| {
            let slot = slots.iter().find(|slot| slot.index == index);
            self.drawn.with_untracked(|drawn| drawn.iter().find(|it| it.index == index) != slot)
        };
        if index.is_some_and(gone)
            && let Some(scroller) = self.scroller.get_untracked()
        {
            focus_still(&scroller);
        }
    }

    /// Moves the focus to a row, when it is in the list or nowhere: who hears the page hears what was selected.
    pub(super) fn focus_row(self, row: u32) {
        let Some(scroller) = self.scroller.get_untracked() else { return };
        let ours = |active: &web_sys::Element| {
            scroller.contains(Some(active)) || ["BODY", "MAIN"].contains(&&*active.tag_name())
        };
        let ours = document().active_element().is_none_or(|active| ours(&active));
        let row = scroller.query_selector(&format!("[data-index=\"{row}\"]")).ok().flatten();
        if let Some(row) = row.filter(|_| ours).and_then(|row| row.dyn_into::<web_sys::HtmlElement>().ok()) {
            focus_still(&row);
        }
    }
}
