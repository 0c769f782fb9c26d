//! What the list shows: which rows, which of them are new, and what is opened in place.

use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::virtual_list::VirtualList;
use crate::protocol::{Body, Goal, Key, List, Request, RequestError, Response, Row, RowPosition};
use crate::state::Version;
use huddle_web_model::list::heights::Anchor;
use huddle_web_model::list::virtual_list::{Change, Stay, Taken};

impl VirtualList {
    /// Takes another list, or another version of it, at the place where the reader is.
    pub(super) fn change(self, list: List, version: &Version) {
        let selected = self.selection.key.get_untracked();
        let Some(change) = self.update(|state| state.change(list, version, selected.as_ref())) else {
            self.draw();
            return;
        };
        if let Stay::With { key, .. } = &change.stay {
            let response = self.dataset.request(Request::Find { list, key: key.clone() });
            spawn_local(async move {
                match response.await {
                    Ok(Response::Index(Some(RowPosition { index, .. }))) => self.request_around(change, index),
                    _ => self.request_around(change.to_top(), 0),
                }
            });
        } else if let Some(rows) = self.dataset.take_first_rows(list, version).filter(|_| change.stay == Stay::Top) {
            self.update(|state| state.take_list(&change, 0, rows));
            self.changed();
        } else {
            let near = self.update(|state| state.near(&change.stay));
            self.request_around(change, near);
        }
    }

    fn request_around(self, change: Change<Version>, near: u32) {
        let (start, count) = self.update(|state| state.rows_around(near));
        let response = self.dataset.request(Request::Rows { list: change.list, start, count });
        spawn_local(async move {
            let Ok(Response::Rows(rows)) = response.await else { return };
            match self.update(|state| state.take_list(&change, near, rows)) {
                Taken::Elsewhere(near) => self.request_around(change, near),
                Taken::Done => self.changed(),
                Taken::OutOfDate => {}
            }
        });
    }

    fn changed(self) {
        self.total.try_set(self.update(|state| state.total()));
        self.draw();
        self.rest_soon();
        let query = self.dataset.version.with_untracked(|version| version.query.clone());
        let is_new = |landed: &mut String| std::mem::replace(landed, query.clone()) != query;
        if self.memory.landed.try_update_value(is_new).unwrap_or_default() && !query.is_empty() {
            self.land();
        }
    }

    /// Brings the first hit into sight, from what is in sight on, unless one is.
    fn land(self) {
        let (list, first, has_hit) = self.update(|state| {
            let (first, end) = state.in_sight();
            let is_hit = |row| matches!(state.row(row), Some(Row::Said(line)) if line.hit);
            (state.list, first, (first..end).any(is_hit))
        });
        if has_hit {
            return;
        }
        spawn_local(async move {
            for from in [first.checked_sub(1), None] {
                let step = Request::Step { list, from, to: Goal::Hit, back: false };
                if let Ok(Response::Index(Some(position))) = self.dataset.request(step).await {
                    self.reveal(position.index);
                    return;
                }
            }
        });
    }

    /// Selects the first message, or the last.
    pub(super) fn select_end(self, last: bool) {
        self.go(|window, _| if last { window.end() } else { Anchor::default() });
        let list = self.update(|state| state.list);
        let response = self.dataset.request(Request::Step { list, from: None, to: Goal::Message, back: last });
        spawn_local(async move {
            if let Ok(Response::Index(Some(position))) = response.await {
                self.selection.move_to(position);
            }
        });
    }

    /// Goes to what is new: the next below what is in sight, or else the first of all.
    pub(super) fn go_to_news(self) {
        let (list, since, below) =
            self.update(|state| (state.list, state.news.since(), state.in_sight().1.checked_sub(1)));
        spawn_local(async move {
            for from in [below, None] {
                let step = Request::Step { list, from, to: Goal::Since(since), back: false };
                match self.dataset.request(step).await {
                    // What stands above it is shown, too: it may be what it answers.
                    Ok(Response::Index(Some(RowPosition { index, .. }))) => {
                        self.update(|state| state.go_to_row(index));
                        self.draw();
                        self.rest_soon();
                        return;
                    }
                    Err(_) => return,
                    _ => {}
                }
            }
            self.update(|state| state.news.know(u32::MAX));
            self.look();
            self.feedback.notify("What is new is not among the hits.");
        });
    }

    /// Opens what a message says in place, or closes it.
    pub(super) fn toggle(self, key: &Key) {
        if self.open.with_untracked(|open| open.contains(key)) {
            self.set_open(key, None);
            return;
        }
        // It is opened when it is there, so that the rows below move once.
        let key = key.clone();
        let response = self.dataset.request(Request::Details(key.clone()));
        spawn_local(async move {
            match response.await {
                Ok(Response::Details(details)) => self.set_open(&key, Some(details.body)),
                Err(RequestError::Failed(why)) => self.feedback.warn(why),
                _ => {}
            }
        });
    }

    /// Opens a message whose body is given; without one, closes it.
    fn set_open(self, key: &Key, body: Option<Body>) {
        let is_open = body.is_some();
        let (open, row) = self.update(|state| {
            // What was at the end need not be any more: the message stays where it is.
            state.hold();
            state.open.retain(|(known, _)| known != key);
            state.open.extend(body.map(|body| (key.clone(), Arc::new(body))));
            (state.open.iter().map(|(key, _)| key.clone()).collect(), state.drawn_row(key))
        });
        self.open.try_set(open);
        if let Some(row) = row.filter(|_| is_open) {
            self.reveal(row);
        }
    }
}
