//! Following what is open: a list that has changed is taken as a whole, at the place where the reader is.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::kept::Kept;
use super::reel::Reel;
use crate::protocol::{Goal, Key, List, Overview, Request, Response, Row, Rows};
use huddle_web_model::list::heights::Anchor;
use huddle_web_model::list::pages::PAGE;

/// Where the reader belongs in a list that has changed.
#[derive(Debug, Clone, PartialEq)]
enum Stay {
    /// At the beginning.
    Top,
    /// At the end.
    End,
    /// With a message, or what stands above it, at a distance in pixels from the upper edge.
    With(Key, Above, f64),
}

/// Whether what is held on to is the message, or the head above it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Above {
    Message,
    Head,
}

impl Reel {
    /// Takes the list as it is now.
    pub(super) fn renew(self, list: List, version: u32) {
        let stay = self.kept(|kept| {
            if kept.list == list && kept.version == Some(version) {
                return None;
            }
            let stay = self.store.place.with_untracked(|place| stay(kept, list, place.selected.as_ref()));
            kept.ticket += 1;
            kept.asking = true;
            Some((stay, kept.ticket))
        });
        let Some((stay, ticket)) = stay else {
            self.draw();
            return;
        };
        let Stay::With(key, above, offset) = stay else {
            let near = if stay == Stay::End { self.kept(|kept| kept.heights.rows()) } else { 0 };
            self.ask_around(Renewal { list, version, ticket }, near, stay);
            return;
        };
        let response = self.store.request(Request::Find { list, key: key.clone() });
        spawn_local(async move {
            let (near, stay) = match response.await {
                Ok(Response::Index(Some((index, _)))) => (index, Stay::With(key, above, offset)),
                _ => (0, Stay::Top),
            };
            self.ask_around(Renewal { list, version, ticket }, near, stay);
        });
    }

    fn ask_around(self, renewal: Renewal, near: u32, stay: Stay) {
        let start = near.saturating_sub(PAGE) / PAGE * PAGE;
        let response = self.store.request(Request::Rows { list: renewal.list, start, count: 4 * PAGE });
        spawn_local(async move {
            if let Ok(Response::Rows(rows)) = response.await
                && self.kept(|kept| kept.ticket == renewal.ticket)
            {
                if stay == Stay::End && rows.total > start + 4 * PAGE || rows.rows.is_empty() && rows.total > 0 {
                    self.ask_around(renewal, rows.total, stay);
                } else {
                    self.take(renewal, near, &stay, rows);
                }
            }
        });
    }

    fn take(self, renewal: Renewal, near: u32, stay: &Stay, rows: Rows) {
        let total = rows.total;
        self.kept(|kept| {
            // A row of another list, or one that has moved, may have any height.
            let moved =
                kept.list != renewal.list || matches!(stay, Stay::With(..)) && kept.anchor.index.abs_diff(near) > 1;
            if moved {
                kept.heights.forget();
            }
            kept.heights.resize(total);
            kept.pages.renew(rows);
            (kept.list, kept.version, kept.asking) = (renewal.list, Some(renewal.version), false);
            (kept.anchor, kept.end) = match stay {
                Stay::Top => (Anchor::default(), false),
                Stay::End => (kept.window().end(), true),
                Stay::With(_, above, offset) => {
                    let row = near.saturating_sub(u32::from(*above == Above::Head));
                    (kept.window().at(kept.heights.above(row) - offset), false)
                }
            };
        });
        self.total.try_set(Some(total));
        self.draw();
        self.rest_soon();
    }

    /// Counts what is new.
    pub(super) fn count(self, overview: &Overview) {
        let at_end = self.kept(|kept| {
            kept.news.count(overview.entries, overview.live && !overview.partial);
            kept.end
        });
        // Whoever is at the end may have it in sight in a moment.
        if !at_end {
            self.look();
        }
    }

    /// Takes notice of what is in sight. By time the newest stands at the end: whoever is there knows all.
    pub(super) fn look(self) {
        let messages = self.store.overview.with_untracked(|it| it.as_ref().map_or(0, |it| it.entries));
        let left = self.kept(|kept| {
            let (first, end) = kept.in_sight();
            for row in first..end {
                if let Some(Row::Said(line)) = kept.pages.get(row) {
                    kept.news.see(line.place);
                }
            }
            if kept.end && !kept.list.threads || kept.news.left(messages) == 0 {
                kept.news.know(messages);
            }
            kept.news.left(messages)
        });
        if self.fresh.try_get_untracked().is_some_and(|fresh| fresh != left) {
            self.fresh.set(left);
        }
    }

    /// Goes to what is new: the next below what is in sight, or else the first of all.
    pub(super) fn to_news(self) {
        let below = self.kept(|kept| kept.in_sight().1);
        self.seek_news(below.checked_sub(1));
    }

    fn seek_news(self, from: Option<u32>) {
        let (list, since) = self.kept(|kept| (kept.list, kept.news.since()));
        let response = self.store.request(Request::Step { list, from, to: Goal::Since(since), back: false });
        spawn_local(async move {
            match response.await {
                // What stands above it is shown, too: it may be what it answers.
                Ok(Response::Index(Some((row, _)))) => {
                    self.go(|kept| kept.window().at(kept.heights.above(row.saturating_sub(1))));
                }
                Err(_) => {}
                _ if from.is_some() => self.seek_news(None),
                _ => {
                    self.kept(|kept| kept.news.know(u32::MAX));
                    self.look();
                    self.store.notice.set("What is new is not among the hits.".to_owned());
                }
            }
        });
    }
}

/// A change of the list that is on its way.
#[derive(Debug, Clone, Copy)]
struct Renewal {
    list: List,
    version: u32,
    ticket: u32,
}

fn at_top(kept: &Kept) -> bool {
    kept.anchor.index == 0 && kept.anchor.into < 1.0
}

/// Where the reader belongs: with the newest, if they are there; otherwise with what they see.
fn stay(kept: &Kept, list: List, selected: Option<&Key>) -> Stay {
    let same = kept.list == list;
    if kept.version.is_none() || kept.heights.rows() == 0 {
        return Stay::Top;
    }
    if same && kept.end && kept.window().farthest() > 0.0 {
        return Stay::End;
    }
    if same && at_top(kept) {
        return Stay::Top;
    }
    let (first, end) = kept.in_sight();
    let position = kept.window().position(kept.anchor);
    let at = |row: u32| match kept.pages.get(row)? {
        Row::Said(line) => Some((line.key.clone(), Above::Message, kept.heights.above(row) - position)),
        // In another list, there may be no heads.
        Row::Head(head) if same => Some((head.first.clone(), Above::Head, kept.heights.above(row) - position)),
        Row::Head(_) => None,
    };
    let chosen = (first..end).filter_map(at).find(|(key, ..)| !same && selected == Some(key));
    match chosen.or_else(|| (kept.anchor.index..end).find_map(at)) {
        Some((key, above, offset)) => Stay::With(key, above, offset),
        None => Stay::Top,
    }
}
